"""Published numbers that the compression explorer sets beside its own; no model reads them."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# By module: the names of what is published say so, and no model takes them by name.
from foptrn_model import curves as loss_curves

FILE = "compression_reference.csv"
AGC = "+agc100"
"""Optics whose full scale is set anew every 100 steps, as most published ones were."""


@dataclass(frozen=True, kw_only=True)
class Reference:
    """``captured`` by (chunk, tensor, selector); ``small_check`` is a final loss by method.

    ``written`` holds the text of both as published, under three names each.
    """

    captured: dict[tuple[str, str, str], float]
    small_check: dict[str, float]
    written: dict[tuple[str, str, str], str]


@cache
def reference() -> Reference:
    """The file's values."""
    text = (files("foptrn_model") / "data" / FILE).read_text("utf-8")
    captured: dict[tuple[str, str, str], float] = {}
    check: dict[str, float] = {}
    written: dict[tuple[str, str, str], str] = {}
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        written[row["chunk"], row["tensor"], row["name"]] = row["value"]
        if row["kind"] == "captured":
            captured[row["chunk"], row["tensor"], row["name"]] = float(row["value"])
        else:
            check[row["name"]] = float(row["value"])
    return Reference(captured=captured, small_check=check, written=written)


def counterpart(method: str) -> tuple[str, float] | None:
    """The method of the published 3,000-step runs that one of ours stands beside, and its end.

    Where optics were only published with a full scale set anew, that run is
    taken: the two published pairs differ by 0.004.
    """
    curves = loss_curves.published_curves()
    for name in (method, method + AGC):
        if name in curves:
            return name, curves[name].loss[-1]
    return None


reference()  # read once, before workers fork

"""Published values, for figures, the results page and tests; no model reads them."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from foptrn_model.parameters import query_values


@dataclass(frozen=True, kw_only=True)
class Published:
    """One published value: ``result[field] * factor`` should lie within ``tolerance``.

    Where a word was published ("never"), ``word`` is what the field should
    hold, and ``published`` is NaN.
    """

    explorer: str
    quantity: str
    state: str
    query: str
    field: str
    factor: float
    published: float
    unit: str
    tolerance: float
    source: str
    word: str = ""

    def raw_params(self) -> dict[str, str | list[str]]:
        """The state's params as text, for ``Params.parse``."""
        return query_values(self.query)


@cache
def published_values(explorer: str) -> tuple[Published, ...]:
    """Every published value of one explorer, in the file's order."""
    text = (files("foptrn_model") / "data" / "published_values.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(
        Published(**_numbers(row)) for row in csv.DictReader(lines) if row["explorer"] == explorer
    )


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    word = row["published"] if row["published"].isalpha() else ""
    numbers = {name: float(row[name]) for name in ("factor", "tolerance")}
    return (
        row | numbers | {"published": math.nan if word else float(row["published"]), "word": word}
    )

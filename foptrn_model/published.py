"""Published values, for figures, the results page and tests; no model reads them."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from foptrn_model.parameters import query_values

Kind = Literal["own", "input", "fitted", "independent", "difference", "other"]
KINDS: dict[Kind, str] = {
    "own": "of this series or its sister analysis",
    "input": "an input read back",
    "fitted": "constants were fitted to it",
    "independent": "independent",
    "difference": "known difference",
    "other": "another model, task or machine",
}
"""What it means that a computed value agrees with the published one, in words."""


@dataclass(frozen=True, kw_only=True)
class Published:
    """One published value: ``field`` times ``factor`` should lie within ``tolerance`` of it.

    ``field`` leads through the result of the state, or from ``series.`` through
    what its figures show; it is empty where nothing here corresponds. A range
    was published where ``high`` differs from ``published``. Where a word was
    published ("never"), ``word`` is what the field should hold, and
    ``published`` is NaN. ``shown`` values stand beside ours and are not
    compared: they come from another model, task or machine. ``kind`` tells
    what agreement would mean, and ``note`` why, where that needs saying.
    """

    explorer: str
    quantity: str
    state: str
    query: str
    field: str
    factor: float
    published: float
    high: float
    text: str
    unit: str
    tolerance: float
    source: str
    kind: Kind
    note: str = ""
    word: str = ""
    shown: bool = False

    def raw_params(self) -> dict[str, str | list[str]]:
        """The state's params as text, for ``Params.parse``."""
        return query_values(self.query)

    def compared(self, value: float | str) -> float | str:
        """What a field holds, in the published unit."""
        return value if isinstance(value, str) else value * self.factor

    def difference(self, value: float) -> float:
        """How far a computed value, in the published unit, lies above or below what was published."""
        return value - min(max(value, self.published), self.high)

    def holds(self, value: float | str) -> bool:
        """Whether a computed value, in the published unit, is what was published."""
        if isinstance(value, str) or self.word:
            return value == self.word
        return abs(self.difference(value)) <= self.tolerance


@cache
def published_values(explorer: str) -> tuple[Published, ...]:
    """Every published value of one explorer, in the file's order."""
    text = (files("foptrn_model") / "data" / "published_values.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(
        Published(**_read(row)) for row in csv.DictReader(lines) if row["explorer"] == explorer
    )


def _read(row: dict[str, Any]) -> dict[str, Any]:
    low, _, high = row["published"].partition(" to ")
    word = "" if low[0].isdigit() else row["published"]
    shown = row["tolerance"] == "shown"
    return row | {
        "factor": float(row["factor"]),
        "published": math.nan if word else float(low),
        "high": math.nan if word else float(high or low),
        "text": row["published"],
        "word": word,
        "shown": shown,
        "tolerance": math.nan if shown else float(row["tolerance"]),
    }

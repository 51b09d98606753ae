"""Headline numbers: what a verdict rests on, a comparison lists and a tornado varies."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from foptrn_model.text import compact, duration, group_digits, percent, si, significant, speed_up

Style = Literal["percent", "speed_up", "si", "plain", "duration", "whole"]

FURTHEST_GUESS = 1e15
SHARE = (0.0, 1.0)
POSITIVE = (0.0, FURTHEST_GUESS)
"""Of times, errors and ratios: none can be negative."""


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One number of a result: the field that holds it and how it is written."""

    field: str
    label: str
    style: Style
    unit: str = ""
    words: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What people read for words that stand in the place of a number."""
    guesses: tuple[float, float] = (-FURTHEST_GUESS, FURTHEST_GUESS)
    """From where to where the number can be guessed; outside it cannot lie."""

    def value(self, result: Any) -> float | str:
        """The number itself, or the word in its place, such as "never".

        ``field`` may lead through nested results and mappings.
        """
        for part in self.field.split("."):
            result = result[part] if isinstance(result, Mapping) else getattr(result, part)
        return result if isinstance(result, str) else float(result)

    @property
    def expression(self) -> str:
        """The field as Python writes it after ``result``."""
        return "".join(
            f".{part}" if part.isidentifier() else f"[{part!r}]" for part in self.field.split(".")
        )

    def text(self, value: float | str) -> str:
        """The number as people read it; a word stays as it is."""
        if isinstance(value, str):
            return self.words.get(value, value)
        writers: dict[Style, Callable[[float], str]] = {
            "percent": percent,
            "speed_up": lambda bound: f"{speed_up(bound)}\u00d7",
            "si": lambda number: si(number, self.unit),
            "plain": lambda number: compact(number) + self.unit,
            "duration": duration,
            "whole": lambda number: group_digits(round(number)),
        }
        # A true minus, as on the axes; exponents have theirs raised.
        return writers[self.style](value).replace("-", "\u2212")

    def difference(self, value: float | str, base: float | str) -> str:
        """How far ``value`` lies from ``base``, signed, and as a factor where there is one."""
        if value == base:
            return "same"
        if isinstance(value, str) or isinstance(base, str):
            return ""
        sign = "+" if value > base else "\u2212"
        gap = abs(value - base)
        size = {
            "percent": f"{compact(100 * gap)} points",
            "speed_up": significant(gap),
        }.get(self.style) or self.text(gap)
        factor = f", {compact(value / base)}\u00d7" if base and value else ""
        return f"{sign}{size}{factor}"


TIME_SHARE = Headline(
    field="time_weighted_share", label="Static share of the step's time", style="percent"
)
AMDAHL_HEADLINES = (
    Headline(
        field="time_weighted_bound",
        label="Bound on the speed-up, by time",
        style="speed_up",
        guesses=POSITIVE,
    ),
    Headline(field="static_share", label="Static share of the step", style="percent"),
    TIME_SHARE,
    Headline(field="forward_share", label="Static share, forward only", style="percent"),
    Headline(field="flop_per_token.step.total", label="Step", style="si", unit="FLOP/token"),
    Headline(field="total_params", label="Stored parameters", style="si"),
    Headline(field="demo_share", label="DeMo's transforms", style="percent"),
)

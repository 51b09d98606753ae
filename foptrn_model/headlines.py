"""Headline numbers: what a verdict rests on, a comparison lists and a tornado varies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from foptrn_model.text import percent, si, significant, speed_up

Style = Literal["percent", "speed_up", "si", "plain"]


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One number of a result: the field that holds it and how it is written."""

    field: str
    label: str
    style: Style
    unit: str = ""

    def value(self, result: Any) -> float:
        """The number itself; ``field`` may lead through nested results."""
        for part in self.field.split("."):
            result = getattr(result, part)
        return float(result)

    def text(self, value: float) -> str:
        """The number as people read it."""
        writers: dict[Style, Callable[[float], str]] = {
            "percent": percent,
            "speed_up": lambda bound: f"{speed_up(bound)}\u00d7",
            "si": lambda number: si(number, self.unit),
            "plain": significant,
        }
        return writers[self.style](value)

    def difference(self, value: float, base: float) -> str:
        """How far ``value`` lies from ``base``, signed, and as a factor where there is one."""
        if value == base:
            return "same"
        sign = "+" if value > base else "\u2212"
        gap = abs(value - base)
        size = {
            "percent": f"{significant(100 * gap)} points",
            "speed_up": significant(gap),
        }.get(self.style) or self.text(gap)
        factor = f", {significant(value / base)}\u00d7" if base and value else ""
        return f"{sign}{size}{factor}"


TIME_SHARE = Headline(
    field="time_weighted_share", label="Static share of the step's time", style="percent"
)
AMDAHL_HEADLINES = (
    Headline(field="time_weighted_bound", label="Bound on the speed-up, by time", style="speed_up"),
    Headline(field="static_share", label="Static share of the step", style="percent"),
    TIME_SHARE,
    Headline(field="forward_share", label="Static share, forward only", style="percent"),
    Headline(field="flop_per_token.step.total", label="Step", style="si", unit="FLOP/token"),
    Headline(field="total_params", label="Stored parameters", style="si"),
    Headline(field="demo_share", label="DeMo's transforms", style="percent"),
)

"""A measured number beside its budget."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured number with its budget."""

    what: str
    measured: float
    unit: str
    budget: float | None = None

    def line(self) -> str:
        if self.budget is None:
            return f"{self.what:<58}{self.measured:>10.2f} {self.unit}"
        mark = "within" if self.measured <= self.budget else "OVER"
        return (
            f"{self.what:<58}{self.measured:>10.2f} {self.unit:<4}"
            f"{self.budget:>8g} {self.unit:<4}  {mark}"
        )

"""Break-even bandwidth: the WAN rate at which two ways of syncing take equal time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

SEARCH_LOW_GBPS, SEARCH_HIGH_GBPS = 0.1, 1000.0
"""Where a break-even bandwidth is looked for."""
BISECTIONS = 60

Kind = Literal["crossing", "never", "always"]
Side = Literal["below", "above"]


@dataclass(frozen=True, kw_only=True)
class TimeOverRate:
    """Time to a target [s] against the WAN rate: a part that stays, and bytes over the rate."""

    fixed_s: float
    moved_B: float

    def __call__(self, wan_GBps: float) -> float:
        return self.fixed_s + self.moved_B / (wan_GBps * 1e9)


@dataclass(frozen=True, kw_only=True)
class BreakEven:
    """Where a way takes as long as the baseline, and on which side of that it is faster.

    Rate and side are None unless there is a crossing within the search.
    """

    kind: Kind
    GBps: float | None = None
    wins: Side | None = None

    @property
    def shown(self) -> float | str:
        """The rate, or "never" or "always": what a comparison lists."""
        return self.kind if self.GBps is None else self.GBps


def find_break_even(way: TimeOverRate | None, baseline: TimeOverRate | None) -> BreakEven:
    """Bisect on a log axis for the rate from 0.1 to 1,000 GB/s at which times are equal.

    None stands for a target not reached: such a way never wins, and any other
    always wins against such a baseline. Equal times are no win, so a way that
    is as fast everywhere wins "never". Times are a + b/w, so two of them cross
    at most once and the ends of the search tell whether they do.
    """
    if way is None:
        return BreakEven(kind="never")
    if baseline is None:
        return BreakEven(kind="always")

    def wins(log_rate: float) -> bool:
        rate = math.exp(log_rate)
        return way(rate) < baseline(rate)

    low, high = math.log(SEARCH_LOW_GBPS), math.log(SEARCH_HIGH_GBPS)
    wins_low = wins(low)
    if wins_low == wins(high):
        return BreakEven(kind="always" if wins_low else "never")
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if wins(middle) == wins_low:
            low = middle
        else:
            high = middle
    return BreakEven(
        kind="crossing", GBps=math.exp((low + high) / 2), wins="below" if wins_low else "above"
    )


def crossing_rate(way: TimeOverRate, baseline: TimeOverRate) -> float | None:
    """The same rate [GB/s] in closed form, wherever it lies; None where times do not cross.

    a + b/w = a' + b'/w at w = (b - b')/(a' - a): between parallel cases, or
    where one way is faster in both parts, there is no positive rate.
    """
    fixed_s = baseline.fixed_s - way.fixed_s
    moved_B = way.moved_B - baseline.moved_B
    if fixed_s == 0 or moved_B / fixed_s <= 0:
        return None
    return moved_B / fixed_s / 1e9

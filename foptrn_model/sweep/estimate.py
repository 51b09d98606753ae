"""About how long a sweep takes, before it is started."""

from __future__ import annotations

import time

from foptrn_model.parameters import ParamsError
from foptrn_model.sweep.points import Sweep, compute_batch

LOOKED_AT = 64
"""Points whose estimate is asked for, where a simulation has one."""
TRIED, TRIED_S = 5, 2.0
"""Points that are tried where nothing is known beforehand, and when trying ends."""


def seconds_per_point(sweep: Sweep) -> float:
    """Mean time of a point on one core of this machine [s]: as told by the model, or measured.

    Points that cannot be computed take no time.
    """
    told = [_told(sweep, number) for number in sweep.grid.spread(LOOKED_AT)]
    known = [seconds for seconds in told if seconds is not None]
    if known:
        return sum(known) / len(told)
    numbers = sweep.grid.spread(TRIED)
    compute_batch(sweep.plain, numbers[0], numbers[0] + 1)  # what is only done once
    spent, tried, started = 0.0, 0, time.monotonic()
    for number in numbers:
        spent += compute_batch(sweep.plain, number, number + 1)["seconds"]
        tried += 1
        if time.monotonic() - started > TRIED_S:
            break
    return spent / tried


def _told(sweep: Sweep, number: int) -> float | None:
    try:
        return sweep.estimate_s(number)
    except ParamsError:
        return None

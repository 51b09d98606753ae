"""The first width or depth at which optical DFA overtakes another method, exactly.

Optical DFA saves what carries the error back otherwise and part of the
offloading, and pays for projections. Both sides never fall as the network grows, but their difference
may: the camera's rows come one by one, so losing and winning can alternate
near a crossing. Whole blocks of sizes are therefore passed over where what is
saved at their end is less than what is paid at their start, and the others are
looked at size by size. That is what trying every size gives, at a few hundredths
of the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foptrn_model.optical_dfa_params import OpticalDfaParams

Word = Literal["never", "always"]
Side = Callable[[OpticalDfaParams, Any, Any], NDArray[np.float64]]
Along = Literal["width", "depth"]
Line = Callable[[NDArray[np.int64]], NDArray[np.float64]]

BLOCKS = 512
"""Blocks into which a field's range is cut; most of them are passed over unseen."""


def crossing(params: OpticalDfaParams, along: Along, gain: Side, loss: Side) -> int | Word:
    """The first size at which ``gain`` exceeds ``loss``, the other field held.

    "always" where that is so at every size of the field's range, "never" where
    it is at none. Both sides must never fall with the size.
    """
    spec = params.specs()[along]
    low, high = int(spec.low), int(spec.high)
    gained, lost = (_line(params, along, side) for side in (gain, loss))
    first = _first(low, high, gained, lost, strict=True)
    if first is None:
        return "never"
    if first > low:
        return first
    return first if _first(low, high, lost, gained, strict=False) is not None else "always"


def next_crossing(params: OpticalDfaParams, along: Along, gain: Side, loss: Side) -> int | None:
    """The first size beyond the state's own at which ``gain`` exceeds ``loss``, if there is one."""
    low, high = getattr(params, along) + 1, int(params.specs()[along].high)
    if low > high:
        return None
    return _first(low, high, _line(params, along, gain), _line(params, along, loss), strict=True)


def _line(params: OpticalDfaParams, along: Along, side: Side) -> Line:
    """One side over sizes, the other field held."""
    if along == "width":
        return lambda sizes: side(params, params.depth, sizes)
    return lambda sizes: side(params, sizes, params.width)


def _first(
    low: int,
    high: int,
    larger: Line,
    smaller: Line,
    *,
    strict: bool,
) -> int | None:
    """The first size at which one rising side exceeds another, or equals it unless ``strict``."""

    def above(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
        return one > other if strict else one >= other

    # Sizes differ by factors, so blocks of equal ratio hold the crossing in few sizes.
    edges = np.unique(np.geomspace(low, high, BLOCKS).round().astype(np.int64))
    ends = np.append(edges[1:] - 1, high)
    for block in np.flatnonzero(above(larger(ends), smaller(edges))).tolist():
        sizes = np.arange(edges[block], ends[block] + 1)
        found = np.flatnonzero(above(larger(sizes), smaller(sizes)))
        if found.size:
            return int(sizes[found[0]])
    return None

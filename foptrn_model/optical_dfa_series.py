"""What the optical DFA figures show beyond the result: sweeps, map, inverse, sensitivity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from foptrn_model.optical_dfa import (
    CAMERA_ROWS,
    METHODS,
    Float,
    Method,
    camera_time_s,
    memory_bytes,
    needed_frame_rate_hz,
    optical_over_bp,
    regime_names,
    step_terms,
    step_times_s,
    wall_depth,
    wall_width,
)
from foptrn_model.optical_dfa_experiment import Experiment
from foptrn_model.optical_dfa_params import EXPERIMENT_FIELDS, OpticalDfaParams
from foptrn_model.optical_dfa_presets import OPTICAL_OVER_BP
from foptrn_model.optical_dfa_search import Along, Word
from foptrn_model.sensitivity import Tornado, tornado

POINTS_PER_DECADE = 12
MAP_POINTS = 29
"""Points along each side of the map; on logarithmic axes it is piecewise nearly linear."""
FINER = 6
SHOWN: dict[Along, tuple[float, float]] = {"width": (64, 65_536), "depth": (1, 10_000)}
"""Sizes that figures show; the fields allow more."""


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Each method over one size: seconds, regime and bytes by method, arrays of shape (n,)."""

    along: Along
    sizes: NDArray[np.int64]
    step_s: dict[Method, Float]
    regime: dict[Method, NDArray[np.str_]]
    memory_bytes: dict[Method, Float]
    walls: dict[Method, float]
    """Size from which on a step no longer fits the GPU's memory, not rounded."""


def sweep(params: OpticalDfaParams, along: Along, extra: list[int | Word]) -> Sweep:
    """Vary depth or width, the state itself and ``extra`` numbers included."""
    low, high = shown_range(params, along)
    spaced = np.geomspace(low, high, round(np.log10(high / low) * POINTS_PER_DECADE) + 1)
    here = [getattr(params, along), *(size for size in extra if isinstance(size, int))]
    sizes = np.unique(np.concatenate([np.round(spaced).astype(np.int64), here]))
    sizes = sizes[(sizes >= low) & (sizes <= high)]
    depth, width = (params.depth, sizes) if along == "width" else (sizes, params.width)
    terms = step_terms(params, depth, width)
    wall = wall_width if along == "width" else wall_depth
    held = params.depth if along == "width" else params.width
    return Sweep(
        along=along,
        sizes=sizes,
        step_s={method: np.asarray(sum(terms[method].values())) for method in METHODS},
        regime={method: regime_names(terms[method]) for method in METHODS},
        memory_bytes={method: memory_bytes(params, method, depth, width) for method in METHODS},
        walls={method: float(wall(params, method, held)) for method in METHODS},
    )


def shown_range(params: OpticalDfaParams, along: Along) -> tuple[int, int]:
    """The sizes that a figure shows: the usual ones, and this state's."""
    low, high = SHOWN[along]
    here = getattr(params, along)
    return int(min(low, here)), int(max(high, here))


@dataclass(frozen=True, kw_only=True)
class CrossoverMap:
    """Backpropagation over optical DFA by depth and width; above one light wins.

    ``ratio`` has shape (len(depth), len(width)); ``walls`` is the width, per
    depth, from which on a method's step no longer fits, ``equal`` the first one
    at which both steps take equally long, or not a number.
    """

    width: Float
    depth: Float
    ratio: Float
    walls: dict[Method, Float]
    equal: Float


def crossover_map(params: OpticalDfaParams) -> CrossoverMap:
    """Vary depth and width over what figures show."""
    width, depth = (
        np.geomspace(*shown_range(params, along), MAP_POINTS) for along in ("width", "depth")
    )
    # The line of equal times lies at a cliff, where a coarse grid would make waves of it.
    fine = np.geomspace(width[0], width[-1], (MAP_POINTS - 1) * FINER + 1)
    step = step_times_s(params, depth[:, None], fine[None, :])
    ratio = step["bp"] / step["odfa"]
    return CrossoverMap(
        width=width,
        depth=depth,
        ratio=ratio[:, ::FINER],
        walls={method: wall_width(params, method, depth) for method in METHODS},
        equal=_first_equal(fine, ratio),
    )


def _first_equal(width: Float, ratio: Float) -> Float:
    """Where each row of ratios first passes one upwards, straight on logarithmic axes."""
    x, y = np.log(width), np.log(ratio)
    rises = (y[:, :-1] <= 0) & (y[:, 1:] > 0)
    rows, place = np.arange(len(y)), rises.argmax(axis=1)
    there = rises.any(axis=1)
    low = y[rows, place]
    rise = np.where(there, y[rows, place + 1] - low, 1.0)
    crossed = x[place] - np.where(there, low, 0.0) * (x[place + 1] - x[place]) / rise
    return np.where(there, np.exp(crossed), np.nan)


@dataclass(frozen=True, kw_only=True)
class NeededRates:
    """Frame rates over width [Hz]: the one that breaks even, infinite where never, and the
    highest one that the camera follows."""

    width: NDArray[np.int64]
    needed_hz: Float
    camera_hz: Float


def needed_rates(params: OpticalDfaParams, widths: NDArray[np.int64]) -> NeededRates:
    """The inverse question at every width of a sweep."""
    return NeededRates(
        width=widths,
        needed_hz=needed_frame_rate_hz(params, params.depth, widths),
        camera_hz=1 / camera_time_s(params, params.depth, widths),
    )


@dataclass(frozen=True, kw_only=True)
class OpticalDfaSeries:
    """Everything around one state, each part computed when first asked for.

    ``experiment`` is None until it has been run in the background.
    """

    params: OpticalDfaParams
    crossover_width: int | Word
    crossover_depth: int | Word
    experiment: Experiment | None

    @cached_property
    def by_width(self) -> Sweep:
        """Times over width at this depth."""
        return sweep(self.params, "width", [self.crossover_width])

    @cached_property
    def by_depth(self) -> Sweep:
        """Times over depth at this width."""
        return sweep(self.params, "depth", [self.crossover_depth])

    @cached_property
    def map(self) -> CrossoverMap:
        """Who wins, by depth and width."""
        return crossover_map(self.params)

    @cached_property
    def needed(self) -> NeededRates:
        """Frame rates that break even, over width."""
        return needed_rates(self.params, self.by_width.sizes)

    @cached_property
    def tornado(self) -> Tornado:
        """The optical step over backpropagation's, each input halved and doubled."""
        return tornado(self.params, optical_over_bp, OPTICAL_OVER_BP, skip=EXPERIMENT_FIELDS)


def row_time_s(params: OpticalDfaParams) -> float:
    """Time to read one row of the camera [s]."""
    return 1 / (params.camera_fps * CAMERA_ROWS)

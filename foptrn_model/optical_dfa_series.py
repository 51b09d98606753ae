"""What the optical DFA figures show beyond the result: sweeps, map, inverse, sensitivity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foptrn_model.optical_dfa import (
    CAMERA_COLUMNS,
    CAMERA_ROWS,
    METHODS,
    camera_time_s,
    fastest_names,
    needed_frame_rate_hz,
    optical_over_bp,
    regime_names,
    step_terms,
    step_times_s,
)
from foptrn_model.optical_dfa_experiment import Experiment
from foptrn_model.optical_dfa_memory import Float, Method, memory_bytes, wall_depth, wall_width
from foptrn_model.optical_dfa_params import EXPERIMENT_FIELDS, OpticalDfaParams
from foptrn_model.optical_dfa_presets import OPTICAL_OVER_BP
from foptrn_model.optical_dfa_search import Along, Word
from foptrn_model.sensitivity import Tornado, tornado

POINTS_PER_DECADE = 10
MAP_POINTS = 21
"""Points along each side of the map's table and of what it says under a pointer."""
LINE_FINER, FIELD_FINER = 6, 3
"""How much finer lines are searched along the width, and fields are drawn along both."""
CUTS = 33
"""Points into which a gap that holds a border is cut per round."""
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
    fastest: NDArray[np.str_]
    """The method with the shortest step at every size."""
    walls: dict[Method, float]
    """Size from which on a step no longer fits the GPU's memory, not rounded."""
    full_camera: float
    """Size beyond which one projection fills more rows than the camera has."""


def sweep(params: OpticalDfaParams, along: Along, extra: list[int | Word]) -> Sweep:
    """Vary depth or width, the state itself, ``extra`` numbers and all borders included.

    Borders are where the regime or the order of the methods changes, or memory
    ends: the last size before and the first one after.
    """
    low, high = shown_range(params, along)
    spaced = np.geomspace(low, high, round(np.log10(high / low) * POINTS_PER_DECADE) + 1)
    held = params.depth if along == "width" else params.width
    wall = wall_width if along == "width" else wall_depth
    walls = {method: float(wall(params, method, held)) for method in METHODS}
    ends = [int(size) for size in walls.values() if low < size < high]
    numbers = [getattr(params, along), *(size for size in extra if isinstance(size, int)),
               *ends, *(size + 1 for size in ends)]  # fmt: skip
    sizes = np.unique(np.concatenate([np.round(spaced).astype(np.int64), numbers]))
    sizes = _with_borders(params, along, sizes[(sizes >= low) & (sizes <= high)])
    terms = _terms_along(params, along, sizes)
    step_s = {method: np.asarray(sum(terms[method].values())) for method in METHODS}
    depth, width = (params.depth, sizes) if along == "width" else (sizes, params.width)
    return Sweep(
        along=along,
        sizes=sizes,
        step_s=step_s,
        regime={method: regime_names(terms[method]) for method in METHODS},
        memory_bytes={method: memory_bytes(params, method, depth, width) for method in METHODS},
        fastest=fastest_names(step_s),
        walls=walls,
        full_camera=CAMERA_COLUMNS * CAMERA_ROWS / held,
    )


def _terms_along(
    params: OpticalDfaParams, along: Along, sizes: NDArray[np.int64]
) -> dict[Method, dict[str, Float]]:
    depth, width = (params.depth, sizes) if along == "width" else (sizes, params.width)
    return step_terms(params, depth, width)


def _with_borders(
    params: OpticalDfaParams, along: Along, sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sizes with both sides of every change of regime or order that lies between two of them.

    Each round cuts all gaps that hold a change and goes on with the parts that
    do. Where changes follow each other within a part, one of them is found.
    """
    found, parts = [sizes], sizes[None, :]
    while parts.size:
        kinds = _kinds(_terms_along(params, along, parts))
        changed = (kinds[..., 1:] != kinds[..., :-1]).any(axis=0)
        start, end = parts[:, :-1][changed], parts[:, 1:][changed]
        wide = end - start > 1
        found += [start[~wide], end[~wide]]
        parts = np.linspace(start[wide], end[wide], CUTS, dtype=np.int64, axis=1)
    return np.unique(np.concatenate(found))


def _kinds(terms: dict[Method, dict[str, Float]]) -> NDArray[np.int64]:
    """The largest term of each method, and the orders of the methods, as numbers by size."""
    step = {method: sum(terms[method].values()) for method in METHODS}
    return np.stack(
        [np.stack(list(terms[method].values())).argmax(axis=0) for method in METHODS]
        + [np.asarray(step["odfa"] < step[method]).astype(np.int64) for method in ("bp", "dfa")]
    )


def shown_range(params: OpticalDfaParams, along: Along) -> tuple[int, int]:
    """The sizes that a figure shows: the usual ones, and this state's."""
    low, high = SHOWN[along]
    here = getattr(params, along)
    return int(min(low, here)), int(max(high, here))


@dataclass(frozen=True, kw_only=True)
class CrossoverMap:
    """Every method's step by depth and width, of shape (len(depth), len(width)).

    ``field`` is the shorter step on the GPU over the optical one, by
    ``finer_depth`` and ``finer_width``, and so are the lines, by
    ``finer_depth``. ``equal`` holds, against each other method, where an optical
    step takes as long as its own: rows of widths, not a number where there is
    none. The first row is where light first overtakes, the second where it first
    falls behind, the third where it overtakes for good. ``walls`` is the width
    from which on a method's step no longer fits.
    """

    width: Float
    depth: Float
    step_s: dict[Method, Float]
    fastest: NDArray[np.str_]
    finer_width: Float
    finer_depth: Float
    field: Float
    walls: dict[Method, Float]
    equal: dict[Method, Float]

    def over_optical(self, method: Method) -> Float:
        """A method's step over the optical one; above one light is faster."""
        return np.asarray(self.step_s[method] / self.step_s["odfa"])


def crossover_map(params: OpticalDfaParams) -> CrossoverMap:
    """Vary depth and width over what figures show."""
    ends = (shown_range(params, "width"), shown_range(params, "depth"))
    # Lines of equal times lie at a cliff, where a coarse grid would make waves of them.
    width, depth = (
        np.geomspace(*pair, (MAP_POINTS - 1) * finer + 1)
        for pair, finer in zip(ends, (LINE_FINER, FIELD_FINER), strict=True)
    )
    step = step_times_s(params, depth[:, None], width[None, :])
    coarse = {method: seconds[::FIELD_FINER, ::LINE_FINER] for method, seconds in step.items()}
    every = LINE_FINER // FIELD_FINER
    others: tuple[Method, ...] = ("bp", "dfa")
    return CrossoverMap(
        width=width[::LINE_FINER],
        depth=depth[::FIELD_FINER],
        step_s=coarse,
        fastest=fastest_names(coarse),
        finer_width=width[::every],
        finer_depth=depth,
        field=(np.minimum(step["bp"], step["dfa"]) / step["odfa"])[:, ::every],
        walls={method: wall_width(params, method, depth) for method in METHODS},
        equal={method: _equal(width, step[method] / step["odfa"]) for method in others},
    )


def _equal(width: Float, ratio: Float) -> Float:
    """Where each row of ratios passes one, straight on logarithmic axes; of shape (3, rows)."""
    x, y = np.log(width), np.log(ratio)
    won = y > 0
    rises, falls = ~won[:, :-1] & won[:, 1:], won[:, :-1] & ~won[:, 1:]
    last = rises.shape[1] - 1 - rises[:, ::-1].argmax(axis=1)
    again = rises.sum(axis=1) > 1
    return np.stack(
        [
            _passed(x, y, rises.argmax(axis=1), rises.any(axis=1)),
            _passed(x, y, falls.argmax(axis=1), falls.any(axis=1)),
            _passed(x, y, last, again),
        ]
    )


def _passed(x: Float, y: Float, place: NDArray[np.intp], there: Any) -> Float:
    rows = np.arange(len(y))
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
    crossovers: dict[Along, tuple[int | Word, int | Word]]
    """Against backpropagation and against DFA on the GPU."""
    experiment: Experiment | None

    @cached_property
    def by_width(self) -> Sweep:
        """Times over width at this depth."""
        return sweep(self.params, "width", [*self.crossovers["width"]])

    @cached_property
    def by_depth(self) -> Sweep:
        """Times over depth at this width."""
        return sweep(self.params, "depth", [*self.crossovers["depth"]])

    @cached_property
    def map(self) -> CrossoverMap:
        """Who is fastest, by depth and width."""
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

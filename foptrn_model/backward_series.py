"""What the backward page shows beyond the result: arrays of the checks, and errors by length."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from foptrn_model.backward import Leak, Routes, direct_errors, direct_sums, future_leak, routes
from foptrn_model.backward_params import BackwardParams
from foptrn_model.backward_passes import passes
from foptrn_model.backward_planes import Plane, Planes, plane_passes
from foptrn_model.convolution import Complex, Real

SWEEP_LENGTHS = tuple(2**power for power in range(4, 13))
SWEEP_DIRECT = 512
"""Longest signal of the sweep whose direct sums are all computed."""
SWEEP_SUBSET = 64
MOST_BINS = 128
"""Points across a small plot: of a longer signal, the extremes or the mean power of each bin."""

PASS_NAMES = ("forward", "input_gradient", "filter_gradient")


@dataclass(frozen=True, kw_only=True)
class PassView:
    """One of the three passes: what the light carries, the mask, and what is read."""

    name: str
    light: tuple[str, Real]
    mask: tuple[str, Real]
    out: tuple[str, Real]
    light_spectrum: tuple[str, Complex]
    mask_spectrum: tuple[str, Complex]
    static: bool
    """Whether the mask is a weight's, so that one write serves a whole step."""
    direct: Real
    plane: Plane


@dataclass(frozen=True, kw_only=True)
class LengthSweep:
    """Errors against direct sums by length; ``errors`` maps a pass to one value per length."""

    lengths: NDArray[np.int64]
    errors: dict[str, Real]


class BackwardSeries:
    """Everything the figures and tables of one state show, each computed once, when asked for."""

    def __init__(self, params: BackwardParams) -> None:
        self.params = params

    @cached_property
    def routes(self) -> Routes:
        return routes(self.params)

    @cached_property
    def planes(self) -> Planes:
        params = self.params
        return plane_passes(params.picture, params.kernel, params.seed, params.padding, params.enob)

    @cached_property
    def views(self) -> tuple[PassView, PassView, PassView]:
        """The three passes, from the arrays that the checks compare."""
        state, planes = self.routes, self.planes
        found = state.passes
        return (
            PassView(
                name="forward", light=("u", found.u), mask=("h", found.h),
                out=("y", found.y), light_spectrum=("U", found.U), mask_spectrum=("H", found.H),
                static=True, direct=state.direct[0], plane=planes.forward,
            ),
            PassView(
                name="input_gradient", light=("g", found.g),
                mask=("h", found.h), out=("dX", found.dx), light_spectrum=("G", found.G),
                mask_spectrum=("conj H", found.H.conj()), static=True, direct=state.direct[1],
                plane=planes.input_gradient,
            ),
            PassView(
                name="filter_gradient", light=("g", found.g),
                mask=("u", found.u), out=("dH", found.dh), light_spectrum=("G", found.G),
                mask_spectrum=("conj U", found.U.conj()), static=False, direct=state.direct[2],
                plane=planes.filter_gradient,
            ),
        )  # fmt: skip

    @cached_property
    def leaks(self) -> dict[bool, Leak]:
        """Padding -> the leak with it, all else as in this state."""
        other = self.params.model_copy(update={"padding": not self.params.padding})
        return {
            self.params.padding: self.routes.leak,
            other.padding: future_leak(other, passes(other)),
        }

    @cached_property
    def sweep(self) -> LengthSweep:
        params = self.params
        # What a picture shows does not matter here, so that it keeps what is remembered.
        return length_sweep(
            BackwardParams(
                filter=params.filter, signal=params.signal, seed=params.seed,
                padding=params.padding, enob=params.enob,
            )
        )  # fmt: skip


@lru_cache(maxsize=16)
def length_sweep(params: BackwardParams) -> LengthSweep:
    """The three errors at powers of two, all else as in ``params``."""
    found = []
    for n in SWEEP_LENGTHS:
        state = params.model_copy(update={"n": n})
        spectral = passes(state)
        outputs, direct = direct_sums(state, spectral, SWEEP_DIRECT, SWEEP_SUBSET)
        found.append(direct_errors(spectral, outputs, direct))
    columns = np.array(found).T
    return LengthSweep(
        lengths=np.array(SWEEP_LENGTHS), errors=dict(zip(PASS_NAMES, columns, strict=True))
    )


def bin_starts(size: int, most: int = MOST_BINS) -> NDArray[np.int64]:
    """Where each group of neighbours that share a point begins; one sample each if there are few."""
    count = min(size, most)
    return np.arange(count) * size // count


def extremes(values: Real) -> tuple[list[int], Real]:
    """(place, value) of the least and the greatest sample of every bin, in order of place."""
    if values.size <= 2 * MOST_BINS:
        return list(range(values.size)), values
    width = -(-values.size // MOST_BINS)
    starts = np.arange(0, values.size, width)
    # The last bin is filled up with its last sample.
    filled = np.append(values, np.full(starts.size * width - values.size, values[-1]))
    grid = filled.reshape(starts.size, width)
    places = np.concatenate([starts + grid.argmin(axis=1), starts + grid.argmax(axis=1)])
    places = np.unique(np.minimum(places, values.size - 1))
    return places.tolist(), values[places]


def largest(values: Real) -> tuple[list[int], Real]:
    """(first place, largest value) of every bin."""
    starts = bin_starts(values.size)
    return starts.tolist(), np.maximum.reduceat(values, starts)


def mean_amplitude(values: Complex) -> tuple[Real, Real]:
    """(frequency in cycles per sample from 0 to 1/2, RMS amplitude) of every bin."""
    starts = bin_starts(values.size)
    counts = np.diff(starts, append=values.size)
    power = np.add.reduceat(values.real**2 + values.imag**2, starts)
    middle = starts + (counts - 1) / 2
    return 0.5 * middle / max(values.size - 1, 1), np.sqrt(power / counts)

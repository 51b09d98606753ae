"""What selectors capture of chunks, and what emulated optics make of a band.

Both follow from a few sums per position of the chunk, which are kept: a share
for any number of coefficients, or an error for any read-out, is then a look-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foptrn_model.demo.chunks import Shape, transformed
from foptrn_model.demo.optics import entered, recombined_noise_rms
from foptrn_model.demo.samples import Source, chunks_of
from foptrn_model.demo.selectors import (
    SELECTORS,
    Selector,
    calibrated_order,
    fixed_order,
    keep_count,
)
from foptrn_model.planes import steps_in

Array = NDArray[Any]
BLOCK = 2**19
"""Values transformed at once."""
KEPT_ENERGIES, KEPT_SHARES, KEPT_BANDS = 16, 80, 24
"""Results kept, at most 0.13, 0.03 and 0.07 MB each: those of two states with their sweeps."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ChunkEnergy:
    """Energies by position of the flattened chunk, shape (points,), sums over chunks.

    ``fitted`` and ``scored`` are those of the even and of the odd chunks;
    ``ranked`` is by rank: the energy of every chunk's largest coefficient, of its
    second, and so on. ``first`` are the first chunk's coefficients.
    """

    shape: Shape
    chunks: int
    fitted: Array
    scored: Array
    ranked: Array
    first: Array

    @property
    def energy(self) -> Array:
        return self.fitted + self.scored

    @property
    def points(self) -> int:
        return math.prod(self.shape)

    def order(self, selector: Selector) -> Array:
        """Positions in the order in which a selector takes them; top-k's of the first chunk."""
        if selector == "topk":
            return np.argsort(-np.abs(self.first), kind="stable")
        if selector == "calibrated":
            return calibrated_order(self.fitted)
        return fixed_order(selector, self.shape)

    def captured(self, selector: Selector, count: int) -> float:
        """Share of the energy that the first ``count`` positions hold."""
        return float(self.cumulative(selector)[count - 1])

    def cumulative(self, selector: Selector) -> Array:
        """Captured share for 1, 2, 3 ... coefficients, shape (points,)."""
        return _cumulative(self, selector)


@lru_cache(maxsize=KEPT_SHARES)
def _cumulative(found: ChunkEnergy, selector: Selector) -> Array:
    if selector == "topk":
        energies = found.ranked
    elif selector == "calibrated":
        energies = found.scored[found.order(selector)]
    else:
        energies = found.energy[found.order(selector)]
    return np.asarray(np.cumsum(energies) / energies.sum())


@lru_cache(maxsize=KEPT_ENERGIES)
def chunk_energy(source: Source) -> ChunkEnergy:
    """Transform a source's chunks and add up where their energy lies."""
    chunks = chunks_of(source)
    shape = chunks.shape[1:]
    points = math.prod(shape)
    sums, ranked = np.zeros((2, points)), np.zeros(points)
    first = np.zeros(points)
    step = 2 * max(1, BLOCK // points // 2)
    for start in range(0, len(chunks), step):
        block = transformed(chunks[start : start + step], len(shape)).reshape(-1, points)
        if start == 0:
            first = block[0].astype(np.float64)
        block *= block
        sums[0] += block[::2].sum(axis=0, dtype=np.float64)
        sums[1] += block[1::2].sum(axis=0, dtype=np.float64)
        block.sort(axis=1)
        ranked += block[:, ::-1].sum(axis=0, dtype=np.float64)
    return ChunkEnergy(
        shape=shape, chunks=len(chunks), fitted=sums[0], scored=sums[1], ranked=ranked, first=first
    )


def captured_energy(source: Source, keep: float) -> dict[Selector, float]:
    """Share of the energy that every selector captures."""
    found = chunk_energy(source)
    count = keep_count(found.points, keep)
    return {selector: found.captured(selector, count) for selector in SELECTORS}


@dataclass(frozen=True, kw_only=True, eq=False)
class EnteredBand:
    """A source's chunks as they enter optics: what rounding and clipping do, by position.

    ``wrong`` is the energy of the transformed error, ``right`` that of the exact
    coefficients, sums over chunks, shape (points,). ``step`` is one step of the
    input.
    """

    shape: Shape
    chunks: int
    wrong: Array
    right: Array
    step: float
    clip_rate: float

    def error(self, count: int, *, enob: float, planes: int) -> tuple[float, float]:
        """Relative RMS error of the low band: through rounding and clipping, and through noise.

        The read-out's noise is independent of the signal, so its mean square is
        simply added; no noise is drawn.
        """
        places = fixed_order("low", self.shape)[:count]
        signal = max(float(self.right[places].sum()), np.finfo(float).tiny)
        noise = recombined_noise_rms(self.shape, enob=enob, planes=planes) * self.step
        drawn = noise * math.sqrt(self.chunks * count / signal)
        return math.sqrt(float(self.wrong[places].sum()) / signal), drawn


@lru_cache(maxsize=KEPT_BANDS)
def entered_band(source: Source, planes: int, kappa: float) -> EnteredBand:
    """Send a source's chunks through rounding and clipping; full scale is kappa times their RMS."""
    chunks = chunks_of(source)
    shape = chunks.shape[1:]
    points = math.prod(shape)
    rms = math.sqrt(float(np.square(chunks, dtype=np.float64).mean()))
    step = kappa * rms / steps_in(planes)
    wrong, clipped = np.zeros(points), 0
    each = max(1, BLOCK // points)
    for start in range(0, len(chunks), each):
        block = chunks[start : start + each]
        taken = entered(block, np.asarray(kappa * rms, dtype=np.float32), planes)
        clipped += taken.clipped
        error = taken.whole * np.float32(step) - block
        spectrum = transformed(error, len(shape)).reshape(-1, points)
        wrong += np.square(spectrum, dtype=np.float64).sum(axis=0)
    return EnteredBand(
        shape=shape, chunks=len(chunks), wrong=wrong, right=chunk_energy(source).energy,
        step=step, clip_rate=clipped / chunks.size,
    )  # fmt: skip

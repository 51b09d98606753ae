"""Bit planes: an integer enters optics one binary plane at a time.

An integer of P bits is split into P planes of zeros and ones; each passes the
transform alone, is read out with noise, and the read-outs are added with the
weights 2^b, the top one negative (two's complement). Noise of equal strength in
every plane therefore grows by the root of the sum of 4^b.

The read-out's full scale is the largest output that any plane can have, the
largest sum of magnitudes in a row of the transform.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Whole = NDArray[np.int32]

CHUNK = 256
CHUNKS = 4_096
BLOCK = 32
KEPT = 1 / 16
FULL_SCALE_RMS = 4.0
MOST_PLANES = 16
EMULATION_SEED = 8
"""A typical draw: as many of its values are clipped as there should be. Others scatter by
0.05 % of the signal at twelve planes, through the few values beyond four RMS."""
UNIFORM = 2 / math.sqrt(12)
"""RMS of an error uniform over one step, for a full scale of half the range: 2 / root 12."""


def plane_weights(planes: int) -> Real:
    """What each plane counts, from the lowest: 1, 2, 4 … and the top one negative."""
    weights = 2.0 ** np.arange(planes, dtype=np.float64)
    weights[-1] *= -1
    return np.asarray(weights, dtype=np.float64)


def plane_noise_factor(planes: int) -> float:
    """How much recombining multiplies the read-out noise of one plane."""
    return float(np.sqrt((plane_weights(planes) ** 2).sum()))


def quantised(values: Real, *, full_scale: float, planes: int) -> Whole:
    """Values as integers of ``planes`` bits; what exceeds the full scale is clipped."""
    top = 2 ** (planes - 1)
    steps = np.rint(values * (steps_in(planes) / full_scale))
    return np.clip(steps, -top, top - 1).astype(np.int32)


def steps_in(planes: int) -> int:
    """Steps between zero and the full scale; a single plane, all sign, counts one."""
    return max(2 ** (planes - 1) - 1, 1)


def bit_planes(whole: Whole, planes: int) -> Whole:
    """Planes of zeros and ones, shape (planes, *whole.shape), lowest first."""
    shifts = np.arange(planes, dtype=np.int32).reshape(-1, *[1] * whole.ndim)
    return (whole[None] >> shifts) & 1


def read_out_rms(full_scale: float, enob: float) -> float:
    """RMS noise of a read-out with this full scale and effective number of bits."""
    return full_scale * 2.0**-enob * UNIFORM


def transform_full_scale(matrix: Real) -> float:
    """Largest output of a transform whose inputs are zeros and ones of either sign."""
    return float(np.abs(matrix).sum(axis=1).max())


@lru_cache(maxsize=4)
def cosine_transform(points: int) -> Real:
    """The orthonormal DCT-II as a matrix, a row per frequency. Never changed once made."""
    frequency, place = np.ogrid[:points, :points]
    matrix = np.cos(np.pi / points * frequency * (place + 0.5)) * math.sqrt(2 / points)
    matrix[0] /= math.sqrt(2)
    return np.asarray(matrix)


@dataclass(frozen=True, kw_only=True)
class BandEmulation:
    """Moments of an emulated band, so that any read-out noise costs no new emulation.

    The output with noise of RMS s is the noiseless output plus s times the
    noise drawn for s = 1, so the squared error is a quadratic in s.
    ``clean`` is the mean square of the noiseless error, ``cross`` that of its
    product with the unit noise, ``noise`` the mean square of the unit noise,
    ``signal`` that of the exact band; all in units of quantisation steps.
    """

    clean: float
    cross: float
    noise: float
    signal: float
    full_scale: float

    def relative_rms(self, read_out_noise: float = 0.0) -> float:
        """Error over signal for read-out noise of this RMS in every plane."""
        square = self.clean + read_out_noise * (2 * self.cross + read_out_noise * self.noise)
        return math.sqrt(max(square, 0.0) / self.signal)


@dataclass(frozen=True, kw_only=True)
class _Inputs:
    """White input in units of its RMS, its exact band, and unit noise for every plane."""

    values: NDArray[np.float64]
    band: Real
    noise: NDArray[np.float32]


@lru_cache(maxsize=64)
def emulated_band(planes: int, seed: int = EMULATION_SEED) -> BandEmulation:
    """Send white input through so many planes and keep the lowest sixteenth of the DCT."""
    inputs = _inputs(seed)
    transform = cosine_transform(CHUNK)
    low = transform[: inputs.band.shape[1]]
    steps = steps_in(planes) / FULL_SCALE_RMS
    whole = quantised(inputs.values, full_scale=FULL_SCALE_RMS, planes=planes)
    exact = inputs.band * steps
    wrong = sent_through_planes(whole, low, planes) - exact
    weights = plane_weights(planes)
    unit = np.tensordot(weights, inputs.noise[:planes], axes=1)
    return BandEmulation(
        clean=float((wrong**2).mean()),
        cross=float((wrong * unit).mean()),
        noise=float((unit**2).mean()),
        signal=float((exact**2).mean()),
        full_scale=transform_full_scale(transform),
    )


def sent_through_planes(whole: Whole, rows: Real, planes: int) -> Real:
    """Transform integers plane by plane and recombine, without noise.

    ``whole`` has shape (chunks, points), ``rows`` (kept, points); the answer
    (chunks, kept).
    """
    total = np.zeros((len(whole), len(rows)))
    for start in range(0, len(whole), BLOCK):  # small enough for a core's cache
        block = slice(start, start + BLOCK)
        for bit, weight in enumerate(plane_weights(planes)):
            plane = ((whole[block] >> bit) & 1).astype(np.float64)
            total[block] += weight * (plane @ rows.T)
    return total


@lru_cache(maxsize=1)
def _inputs(seed: int) -> _Inputs:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((CHUNKS, CHUNK))
    kept = round(CHUNK * KEPT)
    noise = rng.standard_normal((MOST_PLANES, CHUNKS, kept), dtype=np.float32)
    band = values @ cosine_transform(CHUNK)[:kept].T
    return _Inputs(values=values, band=band, noise=noise)

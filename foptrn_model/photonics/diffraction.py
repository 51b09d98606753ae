"""Free space: how light spreads from one plane to the next, by its angular spectrum.

A field is cut into plane waves, each of which only turns its phase on the way
(Goodman, Introduction to Fourier Optics, 3.10). The transform is periodic, so a
field is set into a larger empty plane first: what leaves it is lost, and comes
back only where that plane is too small for the distance.
"""

from __future__ import annotations

import numpy as np
import scipy.fft
from numpy.typing import NDArray

Field = NDArray[np.complexfloating]

WAVELENGTH_M = 532e-9
PITCH_M = 8e-6
"""Green light on a phase modulator of common pixel size; both a convention of this explorer."""


def spread_px(distance_m: float, *, pitch_m: float = PITCH_M) -> float:
    """How far the steepest plane wave that pixels can make moves sideways [px]."""
    sine = WAVELENGTH_M / (2 * pitch_m)
    return float(distance_m * sine / np.sqrt(1 - sine**2) / pitch_m)


def grid_side(pixels: int, distance_m: float) -> int:
    """Pixels a side of the plane in which a field spreads without meeting itself."""
    return int(scipy.fft.next_fast_len(pixels + int(np.ceil(spread_px(distance_m)))))


def transfer_function(
    side: int,
    distance_m: float,
    move_px: tuple[float, float] = (0.0, 0.0),
    *,
    pitch_m: float = PITCH_M,
    wavelength_m: float = WAVELENGTH_M,
) -> Field:
    """What each plane wave of a square plane is multiplied by.

    Parameters
    ----------
    side : pixels a side.
    distance_m : may be negative, which leads back.
    move_px : (down, right); how far the axes of the second plane lie from those
        of the first, so that a field there appears moved the other way.

    Returns
    -------
    numpy.ndarray
        Shape (side, side), frequencies in the order of ``scipy.fft``. Waves
        that do not propagate are zero. The phase of the straight wave is left
        out: no power depends on it.
    """
    frequency = scipy.fft.fftfreq(side, pitch_m)
    down, right = frequency[:, None], frequency[None, :]
    squared = 1 - (wavelength_m * down) ** 2 - (wavelength_m * right) ** 2
    cosine = np.sqrt(np.maximum(squared, 0))
    turns = (cosine - 1) * distance_m / wavelength_m
    turns = turns + pitch_m * (down * move_px[0] + right * move_px[1])
    return np.where(squared > 0, np.exp(2j * np.pi * turns), 0)


def propagate(fields: Field, transfer: Field) -> Field:
    """Fields one transfer function further, shape (..., pixels, pixels).

    The transfer function's plane may be larger; its upper left part is kept.
    Precision is that of the arguments, single or double.
    """
    side, pixels = transfer.shape[-1], fields.shape[-1]
    # Rows of zeros need no transform, so the rows that have light come first.
    waves = scipy.fft.fft(scipy.fft.fft(fields, side, axis=-1), side, axis=-2)
    waves *= transfer
    rows = scipy.fft.ifft(waves, axis=-2, overwrite_x=True)[..., :pixels, :]
    return np.asarray(scipy.fft.ifft(rows, axis=-1)[..., :pixels])


def reversed_transfer(transfer: Field) -> Field:
    """The transfer function of light sent backward: of the transposed propagation."""
    return np.roll(transfer[..., ::-1, ::-1], (1, 1), (-2, -1))

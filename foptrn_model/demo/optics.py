"""A chunk transform by emulated optics: bit planes in, a noisy read-out of the band.

The input is scaled so that kappa times its RMS is full scale, rounded to an
integer of P bits and clipped. Each bit plane passes the transform alone and is
read with noise of RMS FS x 2^-ENOB x 2 / root 12, where FS is the largest
output that a plane can have. The planes recombine with weights 2^b, the top
one negative.

The transform is linear and the planes' noises are independent and Gaussian, so
the recombined planes equal the transform of the integers plus one noise that
is root(sum 4^b) times as strong. That is what is computed here, in one pass
instead of P; the tests set it against the passes one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foptrn_model.demo.chunks import Shape, transformed, whole_transform_full_scale
from foptrn_model.planes import plane_noise_factor, read_out_rms, steps_in

Feedback = Literal["exact", "sent"]

Array = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Optics:
    """An optical sender. ``enob`` 0 reads without noise; ``full_scale_every`` 0 never re-sets.

    ``feedback`` is what the momentum loses: the ``exact`` band, or what was
    really ``sent``.
    """

    enob: float = 8.0
    planes: int = 8
    kappa: float = 4.0
    feedback: Feedback = "sent"
    full_scale_every: int = 0


@dataclass(frozen=True, kw_only=True)
class Entered:
    """Inputs as they enter: whole numbers of steps (as floats), and how many were clipped."""

    whole: Array
    clipped: int


def entered(chunks: Array, full_scale: Array, planes: int) -> Entered:
    """Values in steps of the full scale, rounded and clipped to ``planes`` bits.

    ``full_scale`` broadcasts against ``chunks``; it is kappa times an RMS.
    """
    top = 2 ** (planes - 1)
    whole = np.rint(chunks * (steps_in(planes) / full_scale))
    clipped = int(np.count_nonzero((whole > top - 1) | (whole < -top)))
    return Entered(whole=np.clip(whole, -top, top - 1).astype(chunks.dtype), clipped=clipped)


def recombined_noise_rms(shape: Shape, *, enob: float, planes: int) -> float:
    """RMS of the read-out noise after recombining the planes, in steps; 0 for ``enob`` 0."""
    if enob == 0:
        return 0.0
    return read_out_rms(whole_transform_full_scale(shape), enob) * plane_noise_factor(planes)


def optical_band(
    chunks: Array,
    places: NDArray[np.intp],
    *,
    axes: int,
    full_scale: Array,
    optics: Optics,
    rng: np.random.Generator,
) -> tuple[Array, int]:
    """The coefficients at ``places`` as the optics read them, and the values clipped on entry.

    Parameters
    ----------
    chunks : array, shape (..., count, *shape); ``axes`` is the length of shape.
    full_scale : array that broadcasts against ``chunks``.
    places : positions along the flattened chunk, shape (kept,).

    Returns
    -------
    array, shape (..., count, kept), in the units of ``chunks``.
    """
    shape = chunks.shape[-axes:]
    taken = entered(chunks, full_scale, optics.planes)
    output = transformed(taken.whole, axes).reshape(*chunks.shape[:-axes], -1)[..., places]
    noise = recombined_noise_rms(shape, enob=optics.enob, planes=optics.planes)
    if noise:
        drawn = rng.standard_normal(output.shape, dtype=np.float32)
        output = output + (noise * drawn).astype(output.dtype)
    step = (full_scale / steps_in(optics.planes)).reshape(*full_scale.shape[:-axes], 1)
    return output * step.astype(output.dtype), taken.clipped

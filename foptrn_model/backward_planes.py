"""The three passes in two dimensions, as planes of a 4f system, and the checks on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from foptrn_model.convolution import Complex, Real, over_peak, read_out

PictureName = Literal["letter", "rings", "spots"]
KernelName = Literal["blur", "edge", "motion"]

SIDE = 24
"""Samples along each side of a picture."""
TAPS = 7
"""Samples along each side of a kernel."""


@dataclass(frozen=True, kw_only=True)
class PlaneChecks:
    """Largest difference from direct sums over the peak, for each pass of the pictures."""

    forward: float
    input_gradient: float
    filter_gradient: float


@dataclass(frozen=True, kw_only=True)
class Plane:
    """One 4f pass: real input, complex mask, real output, all of shape (length, length).

    The mask's origin is at index (0, 0), as the FFT has it. ``kept`` is the
    side of the square at the output's origin that is read.
    """

    input: Real
    mask: Complex
    output: Real
    kept: int


@dataclass(frozen=True, kw_only=True)
class Planes:
    """Forward, input gradient and filter gradient, and how far each is from direct sums."""

    forward: Plane
    input_gradient: Plane
    filter_gradient: Plane
    checks: PlaneChecks


def make_picture(name: PictureName, seed: int) -> Real:
    """A picture with values from 0 to 1, shape (SIDE, SIDE); row is y, downwards."""
    y, x = np.mgrid[:SIDE, :SIDE]
    picture = np.zeros((SIDE, SIDE))
    if name == "letter":
        picture[3:21, 6:10] = picture[3:7, 6:18] = picture[10:14, 6:16] = 1
    elif name == "rings":
        radius = np.hypot(x - (SIDE - 1) / 2, y - (SIDE - 1) / 2)
        picture = np.where(radius < SIDE / 2, 0.5 + 0.5 * np.cos(2 * np.pi * radius / 6), 0)
    else:
        rng = np.random.default_rng([seed, 11])
        for row, column in rng.integers(2, SIDE - 2, (7, 2)):
            picture += np.exp(-((y - row) ** 2 + (x - column) ** 2) / 3)
        picture /= picture.max()
    return picture


def make_kernel(name: KernelName) -> Real:
    """A kernel of shape (TAPS, TAPS), its centre in the middle."""
    y, x = np.mgrid[:TAPS, :TAPS] - TAPS // 2
    bell = np.exp(-(x**2 + y**2) / 4.0)
    if name == "blur":
        return bell / bell.sum()
    if name == "edge":
        slope = x * bell
        return slope / np.abs(slope).sum()
    return np.eye(TAPS) / TAPS


@lru_cache(maxsize=16)
def plane_passes(
    picture: PictureName, kernel: KernelName, seed: int, padding: bool, enob: float
) -> Planes:
    """The three passes of one picture and kernel.

    The loss is half the squared distance of the output from a copy of the
    picture moved into place below the kernel's centre.
    """
    length = 2 * SIDE if padding else SIDE
    u, h, rng = make_picture(picture, seed), make_kernel(kernel), np.random.default_rng([seed, 12])
    U, H = np.fft.fft2(u, (length, length)), np.fft.fft2(h, (length, length))

    def pass_of(source: Real, mask: Complex) -> Plane:
        spectrum = np.fft.fft2(source, (length, length))
        plane = np.fft.ifft2(spectrum * mask).real
        wide = np.zeros((length, length))
        wide[:SIDE, :SIDE] = source
        return Plane(input=wide, mask=mask, output=read_out(plane, enob, rng), kept=SIDE)

    forward = pass_of(u, H)
    y = forward.output[:SIDE, :SIDE]
    g = y - np.roll(u, (TAPS // 2, TAPS // 2), axis=(0, 1))
    back = pass_of(g, H.conj())
    update = pass_of(g, U.conj())
    direct = direct_planes(u, h, g)
    found = (y, back.output[:SIDE, :SIDE], update.output[:TAPS, :TAPS])
    errors = [over_peak(one, other) for one, other in zip(found, direct, strict=True)]
    return Planes(
        forward=forward,
        input_gradient=back,
        filter_gradient=Plane(
            input=update.input, mask=update.mask, output=update.output, kept=TAPS
        ),
        checks=PlaneChecks(forward=errors[0], input_gradient=errors[1], filter_gradient=errors[2]),
    )


def direct_planes(u: Real, h: Real, g: Real) -> tuple[Real, Real, Real]:
    """(y, dX, dK) by sums over the kernel's values, zeros beyond the edges."""
    y, dx, dk = np.zeros_like(u), np.zeros_like(u), np.zeros_like(h)
    side = u.shape[0]
    for a in range(h.shape[0]):
        for b in range(h.shape[1]):
            seen, moved = u[: side - a, : side - b], g[a:, b:]
            y[a:, b:] += h[a, b] * seen
            dx[: side - a, : side - b] += h[a, b] * moved
            dk[a, b] = float((moved * seen).sum())
    return y, dx, dk

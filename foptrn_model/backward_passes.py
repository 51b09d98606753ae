"""The three passes of one layer through spectra: filter, signal, loss, outputs and gradients."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from foptrn_model.backward_params import BackwardParams
from foptrn_model.convolution import Complex, Real, fft_length, read_out, read_plane, spectrum


@dataclass(frozen=True, kw_only=True)
class Passes:
    """One layer's three passes through spectra; real arrays have n samples, spectra L/2 + 1.

    ``y_plane`` is the output before its read-out. The arrays are shared, not to be changed.
    """

    length: int
    u: Real
    h: Real
    target: Real
    y_plane: Real
    y: Real
    g: Real
    dx: Real
    dh: Real
    U: Complex
    H: Complex
    G: Complex


def stream(params: BackwardParams, number: int) -> np.random.Generator:
    """An independent generator for each random thing, so that one does not shift another."""
    return np.random.default_rng([params.seed, number])


def make_filter(params: BackwardParams) -> Real:
    """The filter h, n samples."""
    n = params.n
    time = np.arange(n)
    h = np.zeros(n)
    if params.filter == "random":
        h = stream(params, 1).standard_normal(n) * np.exp(-8 * time / n)
    elif params.filter == "gaussian":
        sigma = max(n / 64, 1)
        h = np.exp(-0.5 * ((time - 3 * sigma) / sigma) ** 2)
        h /= h.sum()
    elif params.filter == "derivative":
        h[:2] = 1, -1
    else:
        h[n // 4 if params.filter == "delay" else 0] = 1
    return h


def make_signal(params: BackwardParams) -> Real:
    """The input u, n samples."""
    n = params.n
    time = np.arange(n)
    if params.signal == "noise":
        return stream(params, 2).standard_normal(n)
    if params.signal == "pulse":
        return ((time >= n // 8) & (time < n // 8 + max(n // 16, 2))).astype(float)
    if params.signal == "chirp":
        # From rest to a quarter of the sampling rate at the end.
        return np.cos(2 * np.pi * 0.125 * time**2 / n)
    return (time >= n // 4).astype(float)


def passes(params: BackwardParams) -> Passes:
    """Forward, input gradient and filter gradient through spectra, read out.

    The loss is half the squared distance to a random target as strong as the
    output, so its gradient is g = y - target.
    """
    n, length = params.n, fft_length(params.n, padding=params.padding)
    u, h, rng = make_signal(params), make_filter(params), stream(params, 4)
    U, H = spectrum(u, length), spectrum(h, length)
    y_plane = read_plane(U * H, length, n)
    y = read_out(y_plane, params.enob, rng)
    target = stream(params, 3).standard_normal(n) * math.sqrt(float(np.mean(y_plane**2)))
    g = y - target
    G = spectrum(g, length)
    return Passes(
        length=length,
        u=u,
        h=h,
        target=target,
        y_plane=y_plane,
        y=y,
        g=g,
        dx=read_out(read_plane(G * H.conj(), length, n), params.enob, rng),
        dh=read_out(read_plane(G * U.conj(), length, n), params.enob, rng),
        U=U,
        H=H,
        G=G,
    )

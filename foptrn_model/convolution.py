"""Convolutions and their gradients by two routes: through spectra, and by direct sums.

A layer is y = h * u, causal: y[t] is the sum of h[s] u[t - s] over 0 <= s <= t.
FFTs are NumPy's, without a factor forward and 1/L backward; time starts at
index 0. A length L of at least 2n - 1 keeps the convolution from wrapping.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]


def fft_length(n: int, *, padding: bool) -> int:
    """Length of the transforms: a power of two of at least 2n, or n itself, which wraps."""
    return 1 << (2 * n - 1).bit_length() if padding else n


def spectrum(signal: Real, length: int) -> Complex:
    """Spectrum of real signals along the last axis, zero-padded to ``length``."""
    return np.fft.rfft(signal, length)


def read_plane(product: Complex, length: int, n: int) -> Real:
    """The first ``n`` samples behind the second lens, before any read-out."""
    return np.fft.irfft(product, length)[..., :n]


def noise_rule(enob: float) -> float:
    """RMS of read-out noise over the peak of what is read; 0 stands for an exact read-out.

    Full scale at the signal's peak: relative to the signal's own RMS the error
    is crest x 2^-ENOB x 2/sqrt(12), and crest is peak over RMS.
    """
    return 2.0**-enob * 2 / math.sqrt(12) if enob else 0.0


def read_out(plane: Real, enob: float, rng: np.random.Generator) -> Real:
    """What a detector of ``enob`` bits makes of a plane; an exact one changes nothing."""
    rule = noise_rule(enob)
    if rule == 0:
        return plane
    return plane + rule * float(np.abs(plane).max()) * rng.standard_normal(plane.shape)


def direct_convolution(h: Real, u: Real) -> Real:
    """y[t] = sum of h[s] u[t - s], every output by its own sum of products."""
    return np.convolve(u, h)[: u.size]


def direct_correlation(g: Real, other: Real) -> Real:
    """d[s] = sum over t of g[s + t] other[t], every output by its own sum of products."""
    return np.correlate(g, other, "full")[g.size - 1 :]


def inner(a: Real, b: Real) -> float:
    """Sum of products on this thread alone, added pairwise: rounding hardly grows with length.

    BLAS starts threads for long vectors, and they wait for each other where cores are busy.
    """
    return float((a * b).sum())


def direct_convolution_at(h: Real, u: Real, outputs: NDArray[np.int64]) -> Real:
    """Some outputs of :func:`direct_convolution`, one sum of products each."""
    n, turned = u.size, np.ascontiguousarray(h[::-1])
    return np.array([inner(turned[n - 1 - t :], u[: t + 1]) for t in outputs.tolist()])


def direct_correlation_at(g: Real, other: Real, outputs: NDArray[np.int64]) -> Real:
    """Some outputs of :func:`direct_correlation`, one sum of products each."""
    return np.array([inner(g[s:], other[: g.size - s]) for s in outputs.tolist()])


def circulant_passes(
    columns: Real, x: Real, g: Real, enob: float, rng: np.random.Generator
) -> tuple[Real, Real, Real]:
    """(y, dX, dW) of a block-circulant layer through spectra.

    Parameters
    ----------
    columns : array, shape (rows, cols, k)
        First column of every circulant block.
    x : array, shape (cols, k)
        Input.
    g : array, shape (rows, k)
        Gradient of the loss with respect to the output.

    Returns
    -------
    arrays of the shapes of g, x and columns.
    """
    k = columns.shape[-1]
    masks, light, back = spectrum(columns, k), spectrum(x, k), spectrum(g, k)
    products = (
        np.einsum("pqk,qk->pk", masks, light),
        np.einsum("pqk,pk->qk", masks.conj(), back),
        np.einsum("pk,qk->pqk", back, light.conj()),
    )
    y, dx, dw = (read_out(read_plane(product, k, k), enob, rng) for product in products)
    return y, dx, dw


def dense_passes(columns: Real, x: Real, g: Real) -> tuple[Real, Real, Real]:
    """The same as :func:`circulant_passes`, with the matrix written out in full."""
    rows, cols, k = columns.shape
    place = np.arange(k)
    turn = (place[:, None] - place[None, :]) % k
    matrix = columns[:, :, turn].transpose(0, 2, 1, 3).reshape(rows * k, cols * k)
    y = (matrix @ x.ravel()).reshape(rows, k)
    dx = (matrix.T @ g.ravel()).reshape(cols, k)
    # A weight stands k times in its block: its gradient sums g_i x_(i - d) over those places.
    dw = np.einsum("pi,qid->pqd", g, x[:, turn], optimize=True)
    return y, dx, dw


def over_peak(found: Real, expected: Real, peak: float | None = None) -> float:
    """Largest difference over the peak of both, or over ``peak``."""
    if peak is None:
        peak = max(float(np.abs(found).max()), float(np.abs(expected).max()))
    return float(np.abs(found - expected).max()) / peak

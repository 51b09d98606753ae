"""FLOP of one training step per token, by class of work and direction.

Conventions (every figure of the Amdahl explorer depends on them): a matrix
product (m x k)(k x n) costs 2mnk; a real FFT of length n costs
``fft_constant`` * n * log2(n), 2.5 by default, half of the 5 n log2 n that
FFTW's authors count for a complex one; a complex product costs 6 and a complex
sum 2. Softmax, norms, activations and the product inside SwiGLU are not
counted. Everything here is vectorised over sequence length.

References
----------
E. Poli et al., Hyena Hierarchy, arXiv 2302.10866 (the operator).
C. Ding et al., CirCNN, arXiv 1708.08917 (block-circulant matrices).
M. Frigo and S. G. Johnson, The Design and Implementation of FFTW3 (2005).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foptrn_model.shapes import Shape

Variant = Literal["transformer", "hyena", "hybrid", "block-circulant"]
VARIANTS: tuple[Variant, ...] = ("transformer", "hyena", "hybrid", "block-circulant")

CLASSES = ("dense", "attention", "transform", "weight_masked", "data_by_data", "other")
STATIC_CLASSES = ("transform", "weight_masked")
"""What an engine could take whose masks are written once per step."""

FLOP_PER_COMPLEX_PRODUCT = 6
FLOP_PER_COMPLEX_SUM = 2
SHORT_CONVOLUTION_TAPS = 3

DEMO_FLOP_PER_PARAMETER = 60
"""DCT and inverse on 64 x 64 chunks at 2.5 n log2 n: 2 * 128 * 960 / 4096."""


@dataclass(frozen=True)
class Work:
    """FLOP per token; rows are :data:`CLASSES`, the last axis is length.

    ``forward`` and ``backward`` have shape (6, n) for n sequence lengths.
    """

    forward: NDArray[np.float64]
    backward: NDArray[np.float64]

    def __add__(self, other: Work) -> Work:
        return Work(self.forward + other.forward, self.backward + other.backward)

    def __mul__(self, times: float) -> Work:
        return Work(self.forward * times, self.backward * times)

    def recomputed(self) -> Work:
        """The same work with one more forward pass, counted in backward."""
        return Work(self.forward, self.backward + self.forward)

    @property
    def step(self) -> NDArray[np.float64]:
        return self.forward + self.backward


def static_share(flop: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of the static classes; ``flop`` has shape (6, n), the answer (n,)."""
    static = sum(flop[CLASSES.index(name)] for name in STATIC_CLASSES)
    return np.asarray(static / flop.sum(axis=0))


def amdahl_bound(share: ArrayLike) -> NDArray[np.float64]:
    """Speed-up of a step when ``share`` of it takes no time: 1 / (1 - share)."""
    return np.asarray(1 / (1 - np.asarray(share, dtype=float)))


def time_weighted_share(share: ArrayLike, fft_rate: ArrayLike) -> NDArray[np.float64]:
    """Share of the time when the static classes run at ``fft_rate`` of dense.

    ``share`` is a share of FLOP; ``fft_rate`` lies in (0, 1]. Both broadcast.
    """
    share = np.asarray(share, dtype=float)
    slowed = share / np.asarray(fft_rate, dtype=float)
    return np.asarray(slowed / (slowed + 1 - share))


def padded_length(seq_len: ArrayLike) -> NDArray[np.float64]:
    """Next power of two at or above twice the length: causal, no wrap-around."""
    mantissa, exponent = np.frexp(2 * np.asarray(seq_len, dtype=float))
    return np.ldexp(1.0, exponent - (mantissa == 0.5))


def dense_matrices(matrices: Iterable[tuple[int, int]]) -> Work:
    """Products with dense (out, in) matrices: 2 FLOP a weight, twice that back."""
    weights = sum(rows * cols for rows, cols in matrices)
    return _work(forward={"dense": 2 * weights}, backward={"dense": 4 * weights})


def circulant_matrices(
    matrices: Iterable[tuple[int, int]], *, block_size: int, fft_constant: float
) -> Work:
    """Products with (out, in) matrices made of circulant blocks k x k.

    Forward, per token: a transform of each input and output block, a product
    over k/2 + 1 bins for each block, and the sums along the inputs. The input
    gradient mirrors that with conj(H); the weight gradient multiplies two
    spectra of the same sample and adds each product to the batch's sum.
    """
    k, bins = block_size, block_size // 2 + 1
    ffts = blocks = sums_forward = sums_backward = 0
    for rows, cols in matrices:
        out_blocks, in_blocks = rows // k, cols // k
        ffts += out_blocks + in_blocks
        blocks += out_blocks * in_blocks
        sums_forward += out_blocks * (in_blocks - 1)
        sums_backward += in_blocks * (out_blocks - 1) + out_blocks * in_blocks
    transform = ffts * fft_constant * k * np.log2(k)
    products = FLOP_PER_COMPLEX_PRODUCT * blocks * bins
    return _work(
        forward={
            "transform": transform,
            "weight_masked": products,
            "other": FLOP_PER_COMPLEX_SUM * sums_forward * bins,
        },
        backward={
            "transform": transform,
            "weight_masked": products,
            "data_by_data": products,
            "other": FLOP_PER_COMPLEX_SUM * sums_backward * bins,
        },
    )


def causal_attention(d_model: int, seq_len: ArrayLike) -> Work:
    """Scores and weighted values, diagonal included: 2 d (s + 1) forward."""
    forward = 2.0 * d_model * (np.asarray(seq_len, dtype=float) + 1)
    return _work(forward={"attention": forward}, backward={"attention": 2 * forward})


def hyena_mixing(d_model: int, seq_len: ArrayLike, *, order: int, fft_constant: float) -> Work:
    """A Hyena operator between its projections: short and long convolutions.

    Each of ``order`` long convolutions costs, per channel, two transforms of
    the padded length and one product over half of its bins: forward with the
    filter's spectrum, backward with its conjugate. The filter's own gradient
    multiplies two spectra of the sample; it is summed over the batch before
    its one inverse transform, which per token vanishes.
    """
    length = np.asarray(seq_len, dtype=float)
    n = padded_length(length)
    channels = order * d_model
    transform = channels * 2 * fft_constant * n * np.log2(n) / length
    products = channels * FLOP_PER_COMPLEX_PRODUCT * (n / 2 + 1) / length
    short = 2 * SHORT_CONVOLUTION_TAPS * (order + 1) * d_model
    gating = order * d_model
    masked = {"transform": transform, "weight_masked": products}
    return _work(
        forward=masked | {"other": short + gating},
        backward=masked | {"data_by_data": products, "other": 2 * (short + gating)},
    )


def attention_layers(variant: Variant, n_layers: int, hybrid_period: int) -> int:
    """How many of the layers mix tokens by attention; the others by Hyena."""
    if variant == "transformer":
        return n_layers
    if variant == "hybrid":
        return -(-n_layers // hybrid_period)
    return 0


def hyena_matrices(d_model: int, order: int) -> tuple[tuple[int, int], ...]:
    """(out, in) of Hyena's projections: to order + 1 streams, and back."""
    return (((order + 1) * d_model, d_model), (d_model, d_model))


def training_work(
    shape: Shape,
    variant: Variant,
    seq_len: ArrayLike,
    *,
    hyena_order: int = 2,
    hybrid_period: int = 4,
    block_size: int = 256,
    fft_constant: float = 2.5,
) -> Work:
    """FLOP per token of one training step, without recomputation.

    Parameters
    ----------
    seq_len : int or array of shape (n,)
        Tokens per sequence.
    block_size : int
        Side of a circulant block; divides d_model and d_ff. The head stays
        dense in every variant.

    Returns
    -------
    Work
        Arrays of shape (6, n); n is 1 for a single length.
    """
    lengths = np.atleast_1d(np.asarray(seq_len, dtype=float))

    def project(matrices: Iterable[tuple[int, int]]) -> Work:
        if variant == "block-circulant":
            return circulant_matrices(matrices, block_size=block_size, fft_constant=fft_constant)
        return dense_matrices(matrices)

    n_attention = attention_layers(variant, shape.n_layers, hybrid_period)
    n_hyena = shape.n_layers - n_attention
    parts = [
        project(shape.mlp_matrices) * shape.n_layers,
        dense_matrices([(shape.vocab_size, shape.d_model)]),
    ]
    if n_attention:
        layer = project(shape.attention_matrices) + causal_attention(shape.d_model, lengths)
        parts.append(layer * n_attention)
    if n_hyena:
        layer = project(hyena_matrices(shape.d_model, hyena_order)) + hyena_mixing(
            shape.d_model, lengths, order=hyena_order, fft_constant=fft_constant
        )
        parts.append(layer * n_hyena)
    total = reduce(add, parts)
    widen = np.ones((1, lengths.size))
    return Work(total.forward * widen, total.backward * widen)


@dataclass(frozen=True, kw_only=True)
class StoredParameters:
    """Weights a variant stores; implicit Hyena filters are not counted."""

    matmul: int
    total: int


def stored_parameters(
    shape: Shape,
    variant: Variant,
    *,
    hyena_order: int = 2,
    hybrid_period: int = 4,
    block_size: int = 256,
) -> StoredParameters:
    """Count what a variant stores: a circulant block keeps one row of k weights.

    Hyena's long filters come from a small network of the position (Poli et
    al., sec. 3.3) whose size the shape does not fix; its weights are left out,
    its short convolutions' taps are in ``total``.
    """
    keep = block_size if variant == "block-circulant" else 1
    n_attention = attention_layers(variant, shape.n_layers, hybrid_period)
    n_hyena = shape.n_layers - n_attention
    hyena = hyena_matrices(shape.d_model, hyena_order)
    groups = (
        (n_attention, shape.attention_matrices),
        (n_hyena, hyena),
        (shape.n_layers, shape.mlp_matrices),
    )
    weights = sum(n * rows * cols // keep for n, group in groups for rows, cols in group)
    outputs = sum(n * rows for n, group in groups for rows, _ in group)
    matmul = weights + shape.head_params
    taps = n_hyena * SHORT_CONVOLUTION_TAPS * (hyena_order + 1) * shape.d_model
    bias = outputs if shape.biases else 0
    total = matmul + taps + bias + shape.norm_params + shape.input_params
    return StoredParameters(matmul=matmul, total=total)


def _work(*, forward: dict[str, ArrayLike], backward: dict[str, ArrayLike]) -> Work:
    return Work(_rows(forward), _rows(backward))


def _rows(by_class: dict[str, ArrayLike]) -> NDArray[np.float64]:
    values = {name: np.asarray(value, dtype=float) for name, value in by_class.items()}
    rows = np.zeros((len(CLASSES), max(value.size for value in values.values())))
    for name, value in values.items():
        rows[CLASSES.index(name)] = value
    return rows

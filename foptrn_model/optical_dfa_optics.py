"""A simulated optical projection: encode the error, scatter it, read intensities, get the sign back.

The medium multiplies by a complex Gaussian matrix. A camera sees intensities
only, so the field meets a reference twice with opposite signs; the difference
of both readings is the real part of the field: a projection linear in what was
shown. Devices get there by off-axis holography (Launay et al., arXiv
2012.06373) or from intensities alone (Ohana et al., arXiv 2305.12988); the
outcome is the same real Gaussian projection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foptrn_model.optical_dfa_params import Encoding, OpticalDfaParams

Real = NDArray[np.float32]

REFERENCE = 2.0
"""Amplitude of the reference, in RMS amplitudes of the speckle."""
PEAK = 3.0
"""Speckle amplitude that still fits the camera's full scale, in RMS amplitudes."""
TINY = 1e-12


def encode(error: Real, encoding: Encoding, threshold: float) -> Real:
    """What the modulator shows for errors of shape (..., classes)."""
    if encoding == "analogue":
        return error
    shown = np.sign(error)
    return np.asarray(shown * (np.abs(error) > threshold)) if encoding == "ternary" else shown


@dataclass
class Medium:
    """One random medium per run, shape (runs, classes, outputs), complex.

    The real part of a projection has the variance that feedback matrices of
    unit variance over the root of a layer's width have; ``width`` is that width.
    """

    matrix: NDArray[np.complex64]
    width: int
    params: OpticalDfaParams
    streams: Sequence[np.random.Generator]

    @classmethod
    def draw(
        cls,
        params: OpticalDfaParams,
        streams: Sequence[np.random.Generator],
        *,
        classes: int,
        outputs: int,
    ) -> Medium:
        matrix = _complex_normal(streams, classes, outputs, params.hidden_width)
        return cls(matrix=matrix, width=params.hidden_width, params=params, streams=streams)

    def drift(self) -> None:
        """Turn a share of the matrix into another one; its variance stays."""
        share = self.params.drift_per_step
        if share:
            _, classes, outputs = self.matrix.shape
            other = _complex_normal(self.streams, classes, outputs, self.width)
            self.matrix = (
                np.sqrt(1 - share**2, dtype=np.float32) * self.matrix + np.float32(share) * other
            )

    def project(self, error: Real) -> Real:
        """Projections of errors (runs, samples, classes) on all outputs, (runs, samples, outputs).

        What is shown has no amplitude of its own once encoded, so the outcome
        is scaled to the error's: the optical signal is normalised.
        """
        params = self.params
        shown = encode(error, params.error_encoding, params.error_threshold)
        size = np.sqrt((shown**2).sum(axis=-1, keepdims=True))
        field = (shown / np.maximum(size, TINY)).astype(np.complex64) @ self.matrix
        signal = self._read(field)
        rms = np.sqrt((signal**2).mean(axis=-1, keepdims=True))
        if params.projection_noise:
            signal = signal + params.projection_noise * rms * self._normal(signal.shape[1:])
        if params.projection_bias:
            signal = signal + params.projection_bias * rms
        amplitude = np.sqrt((error**2).sum(axis=-1, keepdims=True)) * (size > 0)
        return np.asarray(signal * amplitude, dtype=np.float32)

    def _read(self, field: NDArray[np.complex64]) -> Real:
        """The real part, from two intensities read with the camera's bits."""
        if not self.params.camera_bits:
            return np.asarray(field.real)
        speckle = np.sqrt(2 / self.width)
        reference = REFERENCE * speckle
        full_scale = (reference + PEAK * speckle) ** 2
        steps = 2**self.params.camera_bits - 1
        imaginary = field.imag**2
        plus, minus = (
            np.rint(np.clip(((field.real + sign * reference) ** 2 + imaginary) / full_scale, 0, 1) * steps)
            for sign in (1, -1)
        )  # fmt: skip
        return np.asarray((plus - minus) * (full_scale / steps / (4 * reference)), dtype=np.float32)

    def _normal(self, shape: tuple[int, ...]) -> Real:
        return np.stack(
            [stream.standard_normal(shape, dtype=np.float32) for stream in self.streams]
        )


def _complex_normal(
    streams: Sequence[np.random.Generator], classes: int, outputs: int, width: int
) -> NDArray[np.complex64]:
    """Entries whose real and imaginary parts have variance 1 / width, (runs, classes, outputs)."""
    drawn = np.stack(
        [stream.standard_normal((2, classes, outputs), dtype=np.float32) for stream in streams]
    ) / np.float32(np.sqrt(width))
    return np.asarray(drawn[:, 0] + 1j * drawn[:, 1], dtype=np.complex64)

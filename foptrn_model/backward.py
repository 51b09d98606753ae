"""The backward pass of a Fourier-domain layer, by three routes that must agree.

For y = h * u (causal, zero-padded) and a loss with gradient g with respect to
y, the input gradient is g correlated with h, IFFT(G conj H), and the filter
gradient g correlated with u, IFFT(G conj U). The first reuses the filter's
spectrum, a mask that is written once per step; the second multiplies two
spectra that both depend on the sample.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from foptrn_model.backward_params import BackwardParams
from foptrn_model.backward_passes import Passes, passes, stream
from foptrn_model.backward_planes import PlaneChecks, plane_passes
from foptrn_model.convolution import (
    Complex,
    Real,
    circulant_passes,
    dense_passes,
    direct_convolution,
    direct_convolution_at,
    direct_correlation,
    direct_correlation_at,
    inner,
    noise_rule,
    over_peak,
    read_out,
    read_plane,
    spectrum,
)
from foptrn_model.kept import array_bytes, kept_within

__all__ = ["BackwardParams", "BackwardResult", "compute_backward"]

MOST_DIRECT = 4_096
"""Longest signal whose direct sums are all computed; beyond, a random subset is."""
SUBSET = 256
"""Outputs that are then compared."""
COORDINATES, FEW_COORDINATES = 8, 4
"""Inputs, and as many filter values, that finite differences move; few where direct sums are."""
PAIRS = 4
"""Pairs of random vectors for the adjoint identity."""
STEP_OVER_PEAK = 1e-3
"""Of a finite difference. The loss is quadratic, so only rounding depends on it."""
KEPT_BYTES = 5_000_000
"""Of states: one of 32,768 samples, or twenty of the default length; a longer one takes 0.1 s anew."""
BLOCK, BLOCK_ROWS, BLOCK_COLS = 256, 2, 2
SIGMAS = 6
"""How many times its RMS read-out noise may reach."""


@dataclass(frozen=True, kw_only=True)
class Checks:
    """How far two routes to the same numbers are apart.

    ``forward``, ``input_gradient`` and ``filter_gradient``: spectra against
    direct causal sums. ``finite_difference``: both gradients against central
    differences of the loss through the layer as it is, wrapped or not.
    ``future_leak``: largest change of earlier outputs when the last input is
    raised by the largest. ``block_circulant``: the worst of y, dX and dW
    against the dense matrix. All over the peak of what is compared, but
    ``adjoint``, which is over the norms of both factors.
    """

    forward: float
    input_gradient: float
    filter_gradient: float
    finite_difference: float
    future_leak: float
    adjoint: float
    block_circulant: float


@dataclass(frozen=True, kw_only=True)
class Readout:
    """RMS error of the forward read-out over its peak: by the noise rule, and against direct sums."""

    expected_rms: float
    measured_rms: float


@dataclass(frozen=True, kw_only=True)
class BackwardResult:
    """Every check with its bound, and what was compared.

    ``direct_on_subset`` says whether direct sums were computed for a random
    ``outputs_compared`` of the outputs only; ``plane_checks`` are those of the
    two-dimensional pictures.
    """

    checks: Checks
    bounds: Checks
    plane_checks: PlaneChecks
    plane_bounds: PlaneChecks
    largest_gradient_error: float
    checks_within: int
    checks_total: int
    direct_on_subset: bool
    outputs_compared: int
    coordinates_compared: int
    fft_length: int
    readout: Readout


@dataclass(frozen=True, kw_only=True)
class Leak:
    """Outputs before and after the last input is raised by the largest one."""

    kick: float
    y: Real
    y_kicked: Real
    change: Real
    """Of y[0] to y[n - 2], over the peak of y."""
    bound: float
    """What rounding and the noise of two read-outs allow."""


@dataclass(frozen=True, kw_only=True)
class Differences:
    """Central differences of the loss at some coordinates of one operand."""

    chosen: NDArray[np.int64]
    slope: Real
    gradient: Real
    """All of the gradient that they are compared with."""

    @property
    def error(self) -> float:
        return over_peak(self.gradient[self.chosen], self.slope, float(np.abs(self.gradient).max()))


@dataclass(frozen=True, kw_only=True)
class Routes:
    """Every array that the checks compare, and the figures draw; shared, not to be changed.

    ``direct`` holds y, dX and dH by causal sums at ``outputs``; ``differences``
    those along the input and along the filter.
    """

    passes: Passes
    outputs: NDArray[np.int64]
    direct: tuple[Real, Real, Real]
    differences: tuple[Differences, Differences]
    leak: Leak


@kept_within(KEPT_BYTES, array_bytes)
def routes(params: BackwardParams) -> Routes:
    """Compute one state by spectra, by direct sums and by finite differences."""
    found = passes(params)
    outputs, direct = direct_sums(params, found)
    return Routes(
        passes=found,
        outputs=outputs,
        direct=direct,
        differences=finite_differences(params, found),
        leak=future_leak(params, found),
    )


def compute_backward(params: BackwardParams) -> BackwardResult:
    """Evaluate one state: every route, every difference, every bound."""
    state = routes(params)
    found, outputs = state.passes, state.outputs
    forward, input_gradient, filter_gradient = direct_errors(found, outputs, state.direct)
    adjoint, adjoint_bound = adjoint_identity(params, found)
    checks = Checks(
        forward=forward,
        input_gradient=input_gradient,
        filter_gradient=filter_gradient,
        finite_difference=max(found.error for found in state.differences),
        future_leak=float(state.leak.change.max()),
        adjoint=adjoint,
        block_circulant=block_circulant(params.seed, params.enob),
    )
    noise = SIGMAS * noise_rule(params.enob)
    bounds = Checks(
        forward=1e-14 + noise,
        input_gradient=1e-13 + noise,
        filter_gradient=1e-13 + noise,
        finite_difference=1e-6 + noise,
        future_leak=state.leak.bound,
        adjoint=adjoint_bound,
        block_circulant=1e-12 + noise,
    )
    plane_checks = plane_passes(
        params.picture, params.kernel, params.seed, params.padding, params.enob
    ).checks
    plane_bounds = PlaneChecks(
        forward=bounds.forward,
        input_gradient=bounds.input_gradient,
        filter_gradient=bounds.filter_gradient,
    )
    pairs = [
        *zip(astuple(checks), astuple(bounds), strict=True),
        *zip(astuple(plane_checks), astuple(plane_bounds), strict=True),
    ]
    error = found.y[outputs] - state.direct[0]
    return BackwardResult(
        checks=checks,
        bounds=bounds,
        plane_checks=plane_checks,
        plane_bounds=plane_bounds,
        largest_gradient_error=max(checks.input_gradient, checks.filter_gradient),
        checks_within=sum(value <= bound for value, bound in pairs),
        checks_total=len(pairs),
        direct_on_subset=outputs.size < params.n,
        outputs_compared=outputs.size,
        coordinates_compared=sum(found.chosen.size for found in state.differences),
        fft_length=found.length,
        readout=Readout(
            expected_rms=noise_rule(params.enob),
            measured_rms=math.sqrt(float(np.mean(error**2))) / float(np.abs(found.y_plane).max()),
        ),
    )


def direct_sums(
    params: BackwardParams, found: Passes, most: int = MOST_DIRECT, subset: int = SUBSET
) -> tuple[NDArray[np.int64], tuple[Real, Real, Real]]:
    """(outputs, (y, dX, dH)) by causal sums; some outputs where there are more than ``most``."""
    u, h, g, n = found.u, found.h, found.g, params.n
    if n <= most:
        return np.arange(n), (
            direct_convolution(h, u), direct_correlation(g, h), direct_correlation(g, u),
        )  # fmt: skip
    outputs = np.sort(stream(params, 5).choice(n, subset, replace=False))
    return outputs, (
        direct_convolution_at(h, u, outputs),
        direct_correlation_at(g, h, outputs),
        direct_correlation_at(g, u, outputs),
    )


def direct_errors(
    found: Passes, outputs: NDArray[np.int64], direct: tuple[Real, Real, Real]
) -> tuple[float, float, float]:
    """Largest difference of y, dX and dH from their direct sums, over the peak of all outputs."""
    y, dx, dh = (
        # A subset may miss the peak.
        over_peak(ours[outputs], sums, max(float(np.abs(ours).max()), float(np.abs(sums).max())))
        for ours, sums in zip((found.y, found.dx, found.dh), direct, strict=True)
    )
    return y, dx, dh


def finite_differences(params: BackwardParams, found: Passes) -> tuple[Differences, Differences]:
    """Central differences of the loss along some inputs and along some filter values.

    The loss is that of the layer as it is: without padding, of a circular
    convolution. The read-out's noise is held still meanwhile.
    """
    n, length, rng = params.n, found.length, stream(params, 6)
    held = found.y - found.y_plane - found.target
    count = COORDINATES if n <= MOST_DIRECT else FEW_COORDINATES

    def along(values: Real, other: Complex, gradient: Real) -> Differences:
        chosen = np.sort(rng.choice(n, count, replace=False))
        step = STEP_OVER_PEAK * float(np.abs(values).max())
        losses = []
        for sign in (1, -1):
            moved = np.tile(values, (count, 1))
            moved[np.arange(count), chosen] += sign * step
            residual = read_plane(spectrum(moved, length) * other, length, n) + held
            losses.append(0.5 * np.einsum("ij,ij->i", residual, residual))
        slope = (losses[0] - losses[1]) / (2 * step)
        return Differences(chosen=chosen, slope=slope, gradient=gradient)

    return along(found.u, found.H, found.dx), along(found.h, found.U, found.dh)


def future_leak(params: BackwardParams, found: Passes) -> Leak:
    """Raise the last input by the largest one; a causal layer's past stays.

    Both outputs are read, so both carry read-out noise.
    """
    kick = float(np.abs(found.u).max())
    kicked = found.u.copy()
    kicked[-1] += kick
    plane = read_plane(spectrum(kicked, found.length) * found.H, found.length, params.n)
    again = read_out(plane, params.enob, stream(params, 7))
    peaks = [float(np.abs(y).max()) for y in (found.y, again)]
    noise = SIGMAS * noise_rule(params.enob) * math.hypot(*peaks) / peaks[0]
    return Leak(
        kick=kick,
        y=found.y,
        y_kicked=again,
        change=np.abs(again - found.y)[:-1] / peaks[0],
        bound=1e-14 + noise,
    )


def adjoint_identity(params: BackwardParams, found: Passes) -> tuple[float, float]:
    """How far <A a, b> is from <a, A^H b> over the norms of A a and b, and its bound.

    The worst of a few random pairs; A is the layer as it is, wrapped or not.
    """
    n, length, rng = params.n, found.length, stream(params, 8)
    worst = bound = 0.0
    for a, b in rng.standard_normal((PAIRS, 2, n)):
        there = read_plane(spectrum(a, length) * found.H, length, n)
        back = read_plane(spectrum(b, length) * found.H.conj(), length, n)
        there, back = read_out(there, params.enob, rng), read_out(back, params.enob, rng)
        norm_a, norm_b = math.sqrt(inner(a, a)), math.sqrt(inner(b, b))
        over = math.sqrt(inner(there, there)) * norm_b
        spread = math.hypot(float(np.abs(there).max()) * norm_b, float(np.abs(back).max()) * norm_a)
        worst = max(worst, abs(inner(there, b) - inner(a, back)) / over)
        bound = max(bound, 1e-12 + SIGMAS * noise_rule(params.enob) * spread / over)
    return worst, bound


@lru_cache(maxsize=32)
def block_circulant(seed: int, enob: float) -> float:
    """Worst of y, dX and dW through spectra against the dense matrix."""
    rng = np.random.default_rng([seed, 9])
    columns = rng.standard_normal((BLOCK_ROWS, BLOCK_COLS, BLOCK))
    x = rng.standard_normal((BLOCK_COLS, BLOCK))
    g = rng.standard_normal((BLOCK_ROWS, BLOCK))
    optical = circulant_passes(columns, x, g, enob, rng)
    return max(
        over_peak(one, other, float(np.abs(other).max()))
        for one, other in zip(optical, dense_passes(columns, x, g), strict=True)
    )

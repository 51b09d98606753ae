"""Time, memory and energy of one training step by backpropagation, by DFA and by optical DFA.

A step is forward pass, weight gradients and update, plus what carries the error
back: a product with every layer's transposed weights (backpropagation), a
product with a fixed random matrix per layer on the GPU (DFA), or light through
a random medium that holds all these matrices at once (optical DFA). The model
is this project's own; :mod:`foptrn_model.optical_dfa_text` says of each
constant whether it was published.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foptrn_model.optical_dfa_memory import (
    BYTES,
    OPTIMIZER_WORDS,
    Float,
    Method,
    fused_offload_s,
    memory_bytes,
    offload_s,
)
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.optical_dfa_search import Word, crossing

__all__ = ["OpticalDfaParams", "OpticalDfaResult", "compute_optical_dfa"]

METHODS: tuple[Method, ...] = ("bp", "dfa", "odfa")
METHOD_LABELS: dict[str, str] = {
    "bp": "Backpropagation", "dfa": "DFA on the GPU", "odfa": "Optical DFA",
}  # fmt: skip

TERMS = ("launch", "compute", "memory-bandwidth", "offload", "frame-rate", "camera")
"""What a step's time is made of, and what the regimes are called."""

CAMERA_COLUMNS, CAMERA_ROWS = 2_048, 1_088
GUARD_S = 50e-6
"""Between the read-out of two frames."""


@dataclass(frozen=True, kw_only=True)
class OpticalDfaResult:
    """One state; mappings go by method: bp, dfa (on the GPU), odfa (optical).

    ``energy_J`` is step time times the power that is drawn; ``fastest`` is the
    method with the shortest step. The crossovers are the first width, at this
    depth, and the first depth, at this width, at which an optical step is
    shorter than one of backpropagation, those ending in ``_dfa`` than one of DFA
    on the GPU, within the field's bounds; "always" where it is at every one of
    them. Beyond the first, winning and losing may alternate. ``regime`` names the largest term of a
    step. ``frame_rate_to_break_even_hz`` is the frame rate at which both take
    equally long, or "never" where reading the camera alone takes too long.
    """

    step_time_s: Mapping[str, float]
    projection_time_s: Mapping[str, float]
    memory_bytes: Mapping[str, float]
    energy_J: Mapping[str, float]
    optical_over_dfa: float
    optical_over_bp: float
    crossover_width: int | Word
    crossover_depth: int | Word
    crossover_width_dfa: int | Word
    crossover_depth_dfa: int | Word
    fastest: str
    regime: Mapping[str, str]
    frame_rate_to_break_even_hz: float | Word
    weights: int


@dataclass(frozen=True)
class Ratio:
    """What the tornado varies: the optical step over that of backpropagation."""

    optical_over_bp: float


def compute_optical_dfa(params: OpticalDfaParams) -> OpticalDfaResult:
    """Evaluate one state."""
    depth, width = params.depth, params.width
    terms = step_terms(params, depth, width)
    step: dict[str, float] = {method: float(sum(terms[method].values())) for method in METHODS}
    watts = {"bp": params.gpu_W, "dfa": params.gpu_W, "odfa": params.gpu_W + params.opu_W}
    return OpticalDfaResult(
        step_time_s=step,
        projection_time_s={
            "dfa": float(gpu_projection_s(params, depth, width)),
            "odfa": float(optical_projection_s(params, depth, width)),
        },
        memory_bytes={
            method: float(memory_bytes(params, method, depth, width)) for method in METHODS
        },
        energy_J={method: step[method] * watts[method] for method in METHODS},
        optical_over_dfa=step["odfa"] / step["dfa"],
        optical_over_bp=step["odfa"] / step["bp"],
        crossover_width=crossing(params, "width", gain_s, loss_s),
        crossover_depth=crossing(params, "depth", gain_s, loss_s),
        crossover_width_dfa=crossing(params, "width", gain_over_dfa_s, loss_s),
        crossover_depth_dfa=crossing(params, "depth", gain_over_dfa_s, loss_s),
        fastest=fastest_names(step).item(),
        regime={method: regime_names(terms[method]).item() for method in METHODS},
        frame_rate_to_break_even_hz=frame_rate_needed(params),
        weights=params.matrices_per_layer * depth * width**2,
    )


def optical_over_bp(params: OpticalDfaParams) -> Ratio:
    """The ratio alone, without the searches."""
    step = step_times_s(params, params.depth, params.width)
    return Ratio(float(step["odfa"] / step["bp"]))


# Time ------------------------------------------------------------------------------


def step_terms(
    params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike
) -> dict[Method, dict[str, Float]]:
    """Seconds per step by method and term, for depths and widths that broadcast."""
    layers, side = np.broadcast_arrays(np.asarray(depth, float), np.asarray(width, float))
    product, projection = _layer_product(params, side), _feedback_product(params, side)
    update = (
        BYTES * params.matrices_per_layer * side**2 * (3 + 2 * OPTIMIZER_WORDS)
    ) / _memory_rate(params)
    launch = params.launch_us * 1e-6 * layers
    frame, camera = _optical_terms(params, layers, side)
    nothing = np.zeros_like(side)
    found: dict[Method, dict[str, Float]] = {}
    for method in METHODS:
        products = 3 if method == "bp" else 2
        projected = projection if method == "dfa" else (nothing, nothing)
        found[method] = {
            "launch": (products + 1 + (method == "dfa")) * launch,
            "compute": layers * (products * product[0] + projected[0]),
            "memory-bandwidth": layers * (products * product[1] + projected[1] + update),
            "offload": offload_s(params, method, layers, side),
            "frame-rate": frame if method == "odfa" else nothing,
            "camera": camera if method == "odfa" else nothing,
        }
    return found


def step_times_s(
    params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike
) -> dict[Method, Float]:
    """Seconds per step by method, for depths and widths that broadcast."""
    terms = step_terms(params, depth, width)
    return {method: np.asarray(sum(terms[method].values())) for method in METHODS}


def regime_names(terms: Mapping[str, Float]) -> NDArray[np.str_]:
    """The name of the largest term at every point."""
    stacked = np.stack([terms[name] for name in TERMS])
    return np.asarray(TERMS)[stacked.argmax(axis=0)]


def fastest_names(step_s: Mapping[Any, ArrayLike]) -> NDArray[np.str_]:
    """The method with the shortest step at every point; of equal ones the first in METHODS."""
    stacked = np.stack([np.asarray(step_s[name]) for name in METHODS])
    # Equal times that were summed in another order differ in their last digits.
    return np.asarray(METHODS)[(stacked <= stacked.min(axis=0) * (1 + 1e-9)).argmax(axis=0)]


def gpu_projection_s(params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike) -> Float:
    """Time of all feedback products of a step on the GPU [s]."""
    layers, side = np.asarray(depth, float), np.asarray(width, float)
    compute, memory = _feedback_product(params, side)
    return np.asarray(layers * (compute + memory + params.launch_us * 1e-6))


def optical_projection_s(params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike) -> Float:
    """Time of all optical projections of a step [s]: one per error, for all layers at once."""
    layers, side = np.asarray(depth, float), np.asarray(width, float)
    frame, camera = _optical_terms(params, layers, side)
    return np.asarray(frame + camera)


def gain_s(params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike) -> Float:
    """What optical DFA saves beside its projections [s], against backpropagation.

    Never falls with depth or width, as the other gains.
    """
    return _gain_s(params, depth, width, lambda *at: offload_s(params, "bp", *at))


def fused_gain_s(params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike) -> Float:
    """The same, were backpropagation to update each layer as soon as its gradient is there [s]."""
    return _gain_s(params, depth, width, lambda *at: fused_offload_s(params, *at))


def gain_over_dfa_s(params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike) -> Float:
    """What optical DFA saves against DFA on the GPU: its projections, and moving its matrices [s]."""
    layers, side = np.asarray(depth, float), np.asarray(width, float)
    moved = offload_s(params, "dfa", layers, side) - offload_s(params, "odfa", layers, side)
    return gpu_projection_s(params, layers, side) + moved


def _gain_s(
    params: OpticalDfaParams,
    depth: ArrayLike,
    width: ArrayLike,
    offload: Callable[[Float, Float], Float],
) -> Float:
    layers, side = np.asarray(depth, float), np.asarray(width, float)
    compute, memory = _layer_product(params, side)
    input_gradients = layers * (compute + memory + params.launch_us * 1e-6)
    moved = offload(layers, side) - offload_s(params, "odfa", layers, side)
    return np.asarray(input_gradients + moved)


loss_s = optical_projection_s
"""What optical DFA pays for it; never falls with depth or width either."""


def _product(params: OpticalDfaParams, weights: Float, activations: Float) -> tuple[Float, Float]:
    """(compute, memory) time of one matrix product [s]; the shorter one hides and counts nothing.

    It takes 2 FLOP per weight and row, and moves weights and activations once.
    """
    compute = 2.0 * params.rows_per_step * weights / (params.gpu_tflops * 1e12)
    memory = BYTES * (weights + activations) / _memory_rate(params)
    slower = compute >= memory
    return np.where(slower, compute, 0.0), np.where(slower, 0.0, memory)


def _layer_product(params: OpticalDfaParams, side: Float) -> tuple[Float, Float]:
    """A product with a layer's weights: activations go in and come out."""
    return _product(params, params.matrices_per_layer * side**2, 2 * params.rows_per_step * side)


def _feedback_product(params: OpticalDfaParams, side: Float) -> tuple[Float, Float]:
    """A product with a layer's feedback matrix; the error is there already."""
    return _product(params, error_length(params, side) * side, params.rows_per_step * side)


def _optical_terms(params: OpticalDfaParams, layers: Float, side: Float) -> tuple[Float, Float]:
    """(frame-rate, camera) time of a step's projections [s]; the faster one waits."""
    frame, camera = 1 / params.frame_rate_hz, camera_time_s(params, layers, side)
    exposures = float(params.rows_per_step * params.passes)
    waits = camera > frame
    return np.where(waits, 0.0, exposures * frame), np.where(waits, exposures * camera, 0.0)


def camera_time_s(params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike) -> Float:
    """Time to read the rows that one projection of all layers fills, guard included [s]."""
    rows = np.ceil(np.asarray(depth, float) * np.asarray(width, float) / CAMERA_COLUMNS)
    # More rows than CAMERA_ROWS are taken to be read at the same rate; the working says so.
    return np.asarray(rows / (params.camera_fps * CAMERA_ROWS) + GUARD_S)


def rows_filled(params: OpticalDfaParams) -> int:
    """Camera rows that one projection of all layers fills, however many the camera has."""
    return -(-params.depth * params.width // CAMERA_COLUMNS)


def error_length(params: OpticalDfaParams, width: Float) -> Float:
    """Values of the error that is projected: those given, or the width."""
    return np.full_like(width, params.error_length) if params.error_length else width


def _memory_rate(params: OpticalDfaParams) -> float:
    return params.gpu_memory_GBps * 1e9


# The inverse -----------------------------------------------------------------------


def frame_rate_needed(params: OpticalDfaParams) -> float | Word:
    """The frame rate at which an optical step takes as long as one of backpropagation [Hz].

    "never" where the camera alone takes longer than light may: no modulator,
    however fast, helps where the projection is not what limits.
    """
    needed = float(needed_frame_rate_hz(params, params.depth, params.width))
    return needed if math.isfinite(needed) else "never"


def needed_frame_rate_hz(params: OpticalDfaParams, depth: ArrayLike, width: ArrayLike) -> Float:
    """The same for depths and widths that broadcast, infinite where it is never."""
    exposures = float(params.rows_per_step * params.passes)
    allowed = gain_s(params, depth, width)
    reading = exposures * camera_time_s(params, depth, width)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(reading > allowed, np.inf, exposures / allowed))

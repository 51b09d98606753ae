"""Memory of a training step, where it no longer fits the GPU, and what moving the rest takes."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foptrn_model.optical_dfa_params import OpticalDfaParams

Method = Literal["bp", "dfa", "odfa"]
Float = NDArray[np.float64]

BYTES = 4
OPTIMIZER_WORDS = 2
"""Words per weight that Adam keeps."""
TRAVERSALS: dict[Method, int] = {"bp": 2, "dfa": 1, "odfa": 1}
"""How often a step walks through weights that do not fit. Backpropagation needs them forwards
and, transposed, backwards. Nothing that DFA carries back depends on them, so that one walk may do:
each layer's last update is made as its weights pass by for the next forward pass."""


def memory_bytes(
    params: OpticalDfaParams, method: Method, depth: ArrayLike, width: ArrayLike
) -> Float:
    """Bytes alive in a step: weights, optimizer, gradients, activations, feedback matrices.

    Backpropagation is taken to keep all gradients until its update. DFA updates
    each layer as soon as its gradient is there, so it holds one layer's; the
    medium's matrices take no memory.
    """
    quadratic, linear = memory_coefficients(params, method, np.asarray(depth, float))
    side = np.asarray(width, float)
    return np.asarray((quadratic * side + linear) * side)


def memory_coefficients(
    params: OpticalDfaParams, method: Method, layers: Float
) -> tuple[Float, Float]:
    """(bytes per width squared, bytes per width) of a step's memory."""
    per_layer = BYTES * params.matrices_per_layer
    linear = 2 * BYTES * params.rows_per_step * layers
    if method == "bp":
        return np.asarray(per_layer * layers * (2 + OPTIMIZER_WORDS)), linear
    quadratic = per_layer * (layers * (1 + OPTIMIZER_WORDS) + 1)
    if method == "odfa":
        return quadratic, linear
    if params.error_length:
        return quadratic, linear + BYTES * params.error_length * layers
    return quadratic + BYTES * layers, linear


def offload_s(params: OpticalDfaParams, method: Method, layers: Float, side: Float) -> Float:
    """Time to move what does not fit over PCIe, in and out at each walk [s]."""
    return TRAVERSALS[method] * _walk_s(params, method, layers, side)


def fused_offload_s(params: OpticalDfaParams, layers: Float, side: Float) -> Float:
    """The same for backpropagation that updates each layer as soon as its gradient is there [s].

    It then holds what optical DFA holds, and still walks twice.
    """
    return TRAVERSALS["bp"] * _walk_s(params, "odfa", layers, side)


def _walk_s(params: OpticalDfaParams, method: Method, layers: Float, side: Float) -> Float:
    excess = np.maximum(memory_bytes(params, method, layers, side) - params.gpu_memory_GB * 1e9, 0)
    return np.asarray(2 * excess / (params.pcie_GBps * 1e9))


def wall_width(params: OpticalDfaParams, method: Method, depth: ArrayLike) -> Float:
    """The width [neurons, not rounded] from which on a step at this depth no longer fits."""
    quadratic, linear = memory_coefficients(params, method, np.asarray(depth, float))
    room = params.gpu_memory_GB * 1e9
    # The form of the root that loses no digits where activations outweigh weights.
    return np.asarray(2 * room / (linear + np.sqrt(linear**2 + 4 * quadratic * room)))


def wall_depth(params: OpticalDfaParams, method: Method, width: ArrayLike) -> Float:
    """The depth [layers, not rounded] from which on a step at this width no longer fits.

    Memory is linear in depth; infinity or less than one layer may be the answer.
    """
    none, one = (memory_bytes(params, method, layers, width) for layers in (0.0, 1.0))
    return np.asarray((params.gpu_memory_GB * 1e9 - none) / (one - none))

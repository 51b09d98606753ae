"""What rewriting the masks costs: frames, mask time against digital step time, memory.

A training engine rewrites its filter spectra after every optimizer step, for
the forward pass (H) and for the backward pass (conj H). In layer-major order a
mask is written once and serves every sequence of the step, at the price of
keeping every sequence's activations alive; in sequence-major order it is
written again for every sequence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foptrn_model.architecture import ArchitectureParams
from foptrn_model.ledger import (
    attention_layers,
    hyena_matrices,
    padded_length,
    training_work,
)
from foptrn_model.parameters import param

Order = Literal["layer-major", "sequence-major"]
Word = Literal["never", "always"]

BYTES_PER_ACTIVATION = 2
ROUNDING = 1e-12
"""Relative; what sums of a few products may be off by."""
MEMORY_PER_GPU_BYTES = 80e9
"""Of an H100 SXM by its data sheet: a yardstick for activations, no part of the model."""
ALLREDUCES_PER_LAYER = 4
"""Tensor parallelism sums activations twice forward and twice backward in a
layer (Shoeybi et al., Megatron-LM, arXiv 1909.08053, sec. 3)."""


class MasksParams(ArchitectureParams):
    """Assumptions of the masks explorer."""

    groups: ClassVar[tuple[str, ...]] = (
        "Step", "Modulator", "Schedule", "Model", "Digital side", "Shape",
    )  # fmt: skip

    main: ClassVar[tuple[str, ...]] = (
        "sequences_per_step", "frame_rate_hz", "order", "overlap",
    )  # fmt: skip

    sequences_per_step: int = param(
        512,
        label="Sequences per step",
        help="Sequences of one optimizer step: what one write of the masks serves.",
        low=1,
        high=1_000_000,
        scale="log10",
        glossary="layer-major-scheduling",
        group="Step",
    )
    frame_rate_hz: float = param(
        1_031.0,
        label="Frame rate",
        help="Masks a modulator shows per second; the rates of devices are illustrative.",
        low=1,
        high=1_000_000,
        unit="Hz",
        scale="log10",
        glossary="spatial-light-modulator",
        group="Modulator",
    )
    engines: int = param(
        1,
        label="Engines",
        glossary="mask-rewrites",
        help="Optical engines that write and use masks in parallel.",
        low=1,
        high=10_000,
        scale="log10",
        group="Modulator",
    )
    slm_megapixels: float = param(
        2.0,
        label="Pixels of a modulator",
        help="Pixels that one frame sets at once.",
        low=0.01,
        high=100,
        unit="megapixels",
        scale="log10",
        glossary="spatial-light-modulator",
        group="Modulator",
    )
    pixels_per_value: float = param(
        1.0,
        label="Pixels per value",
        help="Pixels that hold one complex mask value. One is optimistic: amplitude and phase "
        "usually take several.",
        low=1,
        high=64,
        scale="log2",
        glossary="mask-capacity",
        group="Modulator",
    )
    pass_time_s: float = param(
        0.0,
        label="Optical pass time",
        glossary="mask-rewrites",
        help="Time per step that light and read-out take, hidden behind nothing; 0 is the "
        "generous case.",
        low=0,
        high=10,
        unit="s",
        step=0.01,
        group="Modulator",
    )
    order: Order = param(
        "layer-major",
        label="Order",
        help="Layer-major: each mask is written once and serves every sequence. "
        "Sequence-major: every sequence needs every mask again.",
        glossary="layer-major-scheduling",
        group="Schedule",
        choice_labels={"layer-major": "Layer-major", "sequence-major": "Sequence-major"},
    )
    overlap: bool = param(
        True,
        label="Overlap",
        help="Write the next masks while the GPUs compute.",
        glossary="mask-rewrites",
        group="Schedule",
    )
    conjugate_mask: Literal["rewrite", "reuse"] = param(
        "rewrite",
        label="Conjugate mask",
        help="The backward pass needs conj H: written anew, or the same mask read in the "
        "conjugate order.",
        glossary="mask-rewrites",
        group="Schedule",
        choice_labels={"rewrite": "Rewrite", "reuse": "Reuse"},
    )
    pipeline_stages: int = param(
        4,
        label="Pipeline stages",
        help="Stages of the pipeline that layer-major order is compared with.",
        low=1,
        high=64,
        scale="log2",
        glossary="pipeline-bubble",
        group="Schedule",
    )
    microbatches: int = param(
        16,
        label="Microbatches",
        help="Parts into which a pipeline cuts the step's sequences.",
        low=1,
        high=4_096,
        scale="log2",
        glossary="pipeline-bubble",
        group="Schedule",
    )
    tensor_parallel: int = param(
        1,
        label="Tensor-parallel ranks",
        help="Ranks that split each layer's channels, each with its own engines; they pay in "
        "all-reduces.",
        low=1,
        high=64,
        scale="log2",
        glossary="tensor-parallel-masks",
        group="Schedule",
    )
    gpus: int = param(
        256,
        label="GPUs",
        help="Processors that share the digital work of a step.",
        low=1,
        high=1_000_000,
        scale="log10",
        group="Digital side",
    )
    gpu_tflops: float = param(
        989.0,
        label="Peak of a GPU",
        help="Dense bf16 rate of one processor; 989 is the H100's data sheet.",
        low=1,
        high=100_000,
        unit="TFLOP/s",
        scale="log10",
        group="Digital side",
    )
    mfu: float = param(
        0.4,
        label="Utilisation (MFU)",
        help="Share of the peak that a step reaches, by model FLOP.",
        low=0.01,
        high=1,
        step=0.01,
        group="Digital side",
    )


@dataclass(frozen=True, kw_only=True)
class MaskValues:
    """Complex mask values of one forward pass, by the kind of layer."""

    long_convolution: int
    mixing: int
    mlp: int

    @property
    def total(self) -> int:
        return self.long_convolution + self.mixing + self.mlp


@dataclass(frozen=True, kw_only=True)
class MasksResult:
    """Times in seconds per optimizer step, memory in bytes; frames are whole.

    ``frames_per_step`` counts one forward and one backward pass; sequence-major
    order writes them for every sequence. The break-evens are those of
    layer-major order: the fewest sequences, and the lowest frame rate, at which
    the masks take no longer than the digital step, or "never" within the
    parameter's range; "always" where there is nothing to write.
    ``needed_frame_rate_hz`` is the rate for the order in
    force, whatever the range.
    """

    mask_values_forward: int
    mask_values: MaskValues
    frames_forward: int
    frames_backward: int
    frames_per_step: int
    mask_time_forward_s: float
    mask_time_s: float
    digital_step_time_s: float
    step_time_s: float
    mask_over_digital: float
    break_even_sequences: int | Word
    break_even_frame_rate_hz: float | Word
    needed_frame_rate_hz: float
    activation_bytes_layer_major: float
    activation_bytes_pipeline: float
    pipeline_bubble: float
    tensor_parallel_allreduce_bytes: float
    step_flop_per_token: float
    forward_flop_share: float


def compute_masks(params: MasksParams) -> MasksResult:
    """Evaluate one state."""
    values = mask_values(params)
    forward, backward = frames_of(params, values.total)
    flop_forward, flop_step = _flop_per_token(params)
    shape = params.model_shape
    one_sequence = params.seq_len * shape.d_model * BYTES_PER_ACTIVATION
    digital_per_sequence = flop_step * params.seq_len / digital_rate_flop_per_s(params)
    digital = digital_per_sequence * params.sequences_per_step
    mask_layer_major = (forward + backward) / write_rate_hz(params)
    mask = mask_time_s(params, params.sequences_per_step)
    forward_frames_rate = forward / write_rate_hz(params)
    activations = params.sequences_per_step * one_sequence * shape.n_layers
    ranks, stages = params.tensor_parallel, params.pipeline_stages
    repeats = params.sequences_per_step if params.order == "sequence-major" else 1
    needed = (
        (forward + backward) * repeats / (digital * params.engines * ranks) if values.total else 0.0
    )
    return MasksResult(
        mask_values_forward=values.total,
        mask_values=values,
        frames_forward=forward,
        frames_backward=backward,
        frames_per_step=forward + backward,
        mask_time_forward_s=forward_frames_rate,
        mask_time_s=float(mask),
        digital_step_time_s=digital,
        step_time_s=float(step_time_s(params, mask, digital)),
        mask_over_digital=float(mask) / digital,
        break_even_sequences=_break_even_sequences(params, mask_layer_major / digital_per_sequence),
        break_even_frame_rate_hz=_break_even_rate(params, needed / repeats),
        needed_frame_rate_hz=needed,
        activation_bytes_layer_major=float(activations),
        activation_bytes_pipeline=stages * (activations / params.microbatches) / stages,
        pipeline_bubble=(stages - 1) / (params.microbatches + stages - 1),
        tensor_parallel_allreduce_bytes=float(ALLREDUCES_PER_LAYER * 2 * (ranks - 1) * activations),
        step_flop_per_token=flop_step,
        forward_flop_share=flop_forward / flop_step,
    )


def mask_values(params: MasksParams) -> MaskValues:
    """Complex values that the masks of one forward pass hold.

    A long convolution's spectrum has n/2 + 1 values per channel; a circulant
    block's k/2 + 1, the rest follows from the symmetry of a real filter.
    """
    shape, order = params.model_shape, params.hyena_order
    n_hyena = shape.n_layers - attention_layers(
        params.variant, shape.n_layers, params.hybrid_period
    )
    bins = int(padded_length(params.seq_len)) // 2 + 1
    mixing = mlp = 0
    if params.variant == "block-circulant":
        k = params.block_size
        per_block = k // 2 + 1
        mixing, mlp = (
            shape.n_layers * sum((rows // k) * (cols // k) * per_block for rows, cols in matrices)
            for matrices in (hyena_matrices(shape.d_model, order), shape.mlp_matrices)
        )
    return MaskValues(
        long_convolution=n_hyena * order * shape.d_model * bins, mixing=mixing, mlp=mlp
    )


def frames_of(params: MasksParams, values: int) -> tuple[int, int]:
    """Frames of the forward and of the backward pass that hold ``values``.

    Values of all layers are packed, so only the last frame is partly filled.
    """
    # Exact arithmetic: a rounding error just above a whole number would add a frame.
    forward = math.ceil(Fraction(values) * Fraction(params.pixels_per_value) / pixels(params))
    return forward, forward if params.conjugate_mask == "rewrite" else 0


def pixels(params: MasksParams) -> int:
    """Pixels of one modulator."""
    return round(params.slm_megapixels * 1_000_000)


def write_rate_hz(params: MasksParams) -> float:
    """Frames per second of all engines of all tensor-parallel ranks."""
    return params.frame_rate_hz * params.engines * params.tensor_parallel


def digital_rate_flop_per_s(params: MasksParams) -> float:
    """FLOP per second that all GPUs reach together."""
    return params.gpus * params.gpu_tflops * 1e12 * params.mfu


def mask_time_s(
    params: MasksParams, sequences: ArrayLike, order: Order | None = None
) -> NDArray[np.float64]:
    """Time to write a step's masks for each number of sequences, same shape."""
    forward, backward = frames_of(params, mask_values(params).total)
    once = (forward + backward) / write_rate_hz(params)
    sequences = np.asarray(sequences, dtype=float)
    if (order or params.order) == "layer-major":
        return np.full(sequences.shape, once)
    return once * sequences


def digital_time_s(params: MasksParams, sequences: ArrayLike) -> NDArray[np.float64]:
    """Time of a step's digital work for each number of sequences, same shape."""
    _, flop_step = _flop_per_token(params)
    per_sequence = flop_step * params.seq_len / digital_rate_flop_per_s(params)
    return per_sequence * np.asarray(sequences, dtype=float)


def step_time_s(
    params: MasksParams, mask_time: ArrayLike, digital_time: ArrayLike
) -> NDArray[np.float64]:
    """The longer of both with overlap, else their sum; light's own passes come on top.

    A pass holds up both sides: the engine cannot show another mask meanwhile,
    and the layer's digital work waits for its outcome.
    """
    mask, digital = np.asarray(mask_time, dtype=float), np.asarray(digital_time, dtype=float)
    work = np.maximum(mask, digital) if params.overlap else mask + digital
    return np.asarray(work + pass_time_of(params))


def pass_time_of(params: MasksParams) -> float:
    """Time of the optical passes of a step; without masks there are none."""
    return params.pass_time_s if mask_values(params).total else 0.0


def _flop_per_token(params: MasksParams) -> tuple[float, float]:
    """(forward, whole step) FLOP per token by the ledger of the Amdahl explorer."""
    work = training_work(
        params.model_shape,
        params.variant,
        params.seq_len,
        hyena_order=params.hyena_order,
        hybrid_period=params.hybrid_period,
        block_size=params.block_size,
    )
    return float(work.forward.sum()), float(work.step.sum())


def _break_even_sequences(params: MasksParams, crossing: float) -> int | Word:
    if crossing == 0:
        return "always"
    spec = params.specs()["sequences_per_step"]
    # A crossing that is a whole number up to rounding is that number.
    fewest = math.ceil(crossing * (1 - ROUNDING))
    return "never" if fewest > spec.high else max(fewest, int(spec.low))


def _break_even_rate(params: MasksParams, crossing_hz: float) -> float | Word:
    if crossing_hz == 0:
        return "always"
    # So that a modulator of this very rate is not slower by a rounding error.
    rate = crossing_hz * (1 + ROUNDING)
    return "never" if rate > params.specs()["frame_rate_hz"].high else rate

"""The masks result in words: verdict and working."""

from __future__ import annotations

from foptrn_model.amdahl_text import LEDGER_SOURCE
from foptrn_model.architecture import variant_name
from foptrn_model.ledger import attention_layers, padded_length
from foptrn_model.mask_schedule import SmallCase, overlap_fill, small_case
from foptrn_model.masks import (
    ALLREDUCES_PER_LAYER,
    BYTES_PER_ACTIVATION,
    MasksParams,
    MasksResult,
    digital_rate_flop_per_s,
    pass_time_of,
    pixels,
)
from foptrn_model.text import compact, counted, duration, group_digits, percent, si
from foptrn_model.working import Assumption, Step, Working

SCHEDULE_SOURCE = "the schedule of this explorer"
INFERENCE_SOURCE = (
    "the sister analysis of inference (2026), and the ledger's symmetry of real filters"
)
PIPELINE_SOURCE = "D. Narayanan et al., arXiv 2104.04473, sec. 2.2"


def sequences_text(result: MasksResult) -> str:
    """The break-even as people read it: a number of sequences, or never."""
    here = result.break_even_sequences
    return here if isinstance(here, str) else counted(here, "sequence")


def masks_verdict(params: MasksParams, result: MasksResult) -> str:
    """One sentence that answers the question in this state."""
    mask, digital = duration(result.mask_time_s), duration(result.digital_step_time_s)
    if not result.mask_values_forward:
        # A hybrid of so few layers that all of them keep attention has none either.
        model = (
            "A transformer" if params.variant == "transformer" else "This hybrid, all attention,"
        )
        return f"{model} has no masks to rewrite: its step takes {digital}, all of it digital."
    if params.order == "sequence-major":
        sentence = (
            f"Rewriting every mask of {variant_name(params)} for every sequence takes {mask} a "
            f"step, {_times(result.mask_over_digital)} the {digital} of computing, whatever the "
            "number of sequences"
        )
        if params.sequences_per_step > 1:
            once = duration(result.mask_time_s / params.sequences_per_step)
            sentence += f"; layer-major order would write for {once}"
        return f"{sentence}{_pass_clause(params)}."
    if not params.overlap:
        sentence = (
            f"Rewriting the masks of {variant_name(params)} adds {mask} to {digital} of computing, "
            f"{percent(result.mask_time_s / (result.mask_time_s + result.digital_step_time_s))} "
            "of both together"
        )
    elif result.mask_over_digital <= 1:
        sentence = f"Rewriting the masks of {variant_name(params)} takes {mask} a step and hides behind {digital} of computing"
    else:
        sentence = (
            f"Rewriting the masks of {variant_name(params)} takes {mask} a step, {_times(result.mask_over_digital)} the "
            f"{digital} of computing, and sets the pace"
        )
    return f"{sentence}; {_break_even_clause(params, result)}{_pass_clause(params)}."


def _times(ratio: float) -> str:
    return f"{compact(ratio)}\u00d7"


def _pass_clause(params: MasksParams) -> str:
    if params.pass_time_s == 0:
        return ""
    return f"; light's own passes add {duration(params.pass_time_s)}"


def _break_even_clause(params: MasksParams, result: MasksResult) -> str:
    here = result.break_even_sequences
    if isinstance(here, str):
        most = group_digits(params.specs()["sequences_per_step"].high)
        return f"the masks are never the shorter side, up to {most} sequences per step"
    if here == 1:
        return "the masks are the shorter side even for a single sequence per step"
    return f"from {group_digits(here)} sequences per step on the masks are the shorter side"


def masks_working(params: MasksParams, result: MasksResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    case = small_case(params, result)
    return Working(
        steps=[
            *_frame_steps(params, result),
            *_time_steps(params, result),
            *_schedule_steps(params, result, case),
        ],
        assumptions=_assumptions(params, result),
        sources=[
            "Device rates: the sister analysis of inference (2026); MEMS: arXiv 2409.01289",
            "GPU peak: NVIDIA H100 SXM data sheet, dense bf16",
            "D. Narayanan et al., Megatron-LM, arXiv 2104.04473 (1F1B pipelining)",
            "M. Shoeybi et al., Megatron-LM, arXiv 1909.08053 (tensor parallelism)",
        ],
    )


def _frame_steps(params: MasksParams, result: MasksResult) -> list[Step]:
    values, shape = result.mask_values, params.model_shape
    layers = shape.n_layers - attention_layers(params.variant, shape.n_layers, params.hybrid_period)
    length = group_digits(float(padded_length(params.seq_len)))
    circulant = (
        f" + {group_digits(values.mixing)} in projections + {group_digits(values.mlp)} in MLPs "
        f"of blocks with k = {params.block_size}"
        if params.variant == "block-circulant"
        else ""
    )
    return [
        Step(
            name="Mask values of a forward pass",
            formula="Hyena layers \u00d7 order \u00d7 d \u00d7 (n/2 + 1), n = 2^\u2308log\u2082(2L)\u2309"
            " (+ (m/k)(n/k)(k/2 + 1) per circulant matrix)",
            substituted=f"{layers} \u00d7 {params.hyena_order} \u00d7 "
            f"{group_digits(shape.d_model)} \u00d7 ({length} / 2 + 1) = "
            f"{group_digits(values.long_convolution)}{circulant}",
            value=f"{group_digits(values.total)} complex values",
            source=INFERENCE_SOURCE,
            glossary="mask-capacity",
        ),
        Step(
            name="Frames of a forward pass",
            formula="\u2308values \u00d7 pixels per value / pixels\u2309",
            substituted=f"{group_digits(values.total)} \u00d7 "
            f"{group_digits(params.pixels_per_value)} / {group_digits(pixels(params))}",
            value=counted(result.frames_forward, "frame"),
            source=INFERENCE_SOURCE,
            glossary="spatial-light-modulator",
        ),
        Step(
            name="Frames per optimizer step",
            formula="forward + backward"
            + (" (reused: no backward frames)" if params.conjugate_mask == "reuse" else ""),
            substituted=f"{group_digits(result.frames_forward)} + "
            f"{group_digits(result.frames_backward)}",
            value=counted(result.frames_per_step, "frame"),
            source=SCHEDULE_SOURCE,
            glossary="mask-rewrites",
        ),
    ]


def _time_steps(params: MasksParams, result: MasksResult) -> list[Step]:
    repeats = (
        f" \u00d7 {counted(params.sequences_per_step, 'sequence')}"
        if params.order == "sequence-major"
        else ""
    )
    rate = (
        f"({group_digits(params.frame_rate_hz)} Hz \u00d7 {counted(params.engines, 'engine')}"
        f" \u00d7 {counted(params.tensor_parallel, 'rank')})"
    )
    sequences = group_digits(params.sequences_per_step)
    combine = "max(mask time, digital time)" if params.overlap else "mask time + digital time"
    flop_per_step = result.step_flop_per_token * params.seq_len * params.sequences_per_step
    return [
        Step(
            name="Mask time",
            formula="frames / (frame rate \u00d7 engines \u00d7 ranks), times the sequences in "
            "sequence-major order",
            substituted=f"{group_digits(result.frames_per_step)} / {rate}{repeats}",
            value=duration(result.mask_time_s),
            source=SCHEDULE_SOURCE,
            glossary="mask-rewrites",
        ),
        Step(
            name="Digital step time",
            formula="FLOP per token \u00d7 L \u00d7 sequences / (GPUs \u00d7 peak \u00d7 MFU)",
            substituted=f"{si(result.step_flop_per_token)} \u00d7 {group_digits(params.seq_len)} "
            f"\u00d7 {sequences} = {si(flop_per_step, 'FLOP')}, at "
            f"{si(digital_rate_flop_per_s(params), 'FLOP/s')}",
            value=duration(result.digital_step_time_s),
            source=LEDGER_SOURCE,
            glossary="static-share",
        ),
        Step(
            name="Step time",
            formula=f"{combine} + optical pass time",
            substituted=f"{duration(result.mask_time_s)}, {duration(result.digital_step_time_s)}, "
            f"{duration(pass_time_of(params))}",
            value=duration(result.step_time_s),
            source=SCHEDULE_SOURCE,
        ),
        Step(
            name="Break-even sequences per step, layer-major",
            formula="fewest sequences with mask time \u2264 digital step time",
            substituted=f"{counted(result.frames_per_step, 'frame')} against "
            f"{duration(result.digital_step_time_s / params.sequences_per_step)} a sequence",
            value=sequences_text(result),
            source=SCHEDULE_SOURCE,
            glossary="mask-rewrites",
        ),
        Step(
            name="Break-even frame rate, layer-major",
            formula="frames / (digital step time \u00d7 engines \u00d7 ranks)",
            substituted=f"{group_digits(result.frames_per_step)} / "
            f"({duration(result.digital_step_time_s)} \u00d7 {group_digits(params.engines)} "
            f"\u00d7 {group_digits(params.tensor_parallel)})",
            value=rate_text(result),
            source=SCHEDULE_SOURCE,
        ),
    ]


def rate_text(result: MasksResult) -> str:
    """The break-even frame rate as people read it."""
    here = result.break_even_frame_rate_hz
    return here if isinstance(here, str) else si(here, "Hz")


def _schedule_steps(params: MasksParams, result: MasksResult, case: SmallCase) -> list[Step]:
    shape, fill = params.model_shape, overlap_fill(case)
    one = (
        f"{group_digits(params.seq_len)} \u00d7 {group_digits(shape.d_model)} \u00d7 "
        f"{BYTES_PER_ACTIVATION} B \u00d7 {shape.n_layers}"
    )
    sequences = group_digits(params.sequences_per_step)
    stages, parts = params.pipeline_stages, params.microbatches
    steps = [
        Step(
            name="Activations alive, layer-major",
            formula="S \u00d7 L \u00d7 d \u00d7 b \u00d7 layers",
            substituted=f"{sequences} \u00d7 {one}",
            value=si(result.activation_bytes_layer_major, "B"),
            source=SCHEDULE_SOURCE,
            glossary="layer-major-scheduling",
        ),
        Step(
            name="Activations alive, a stage of a 1F1B pipeline",
            formula="p \u00d7 (S/m) \u00d7 L \u00d7 d \u00d7 b \u00d7 layers / p",
            substituted=f"{stages} \u00d7 ({sequences} / {group_digits(parts)}) \u00d7 {one} "
            f"/ {stages}",
            value=si(result.activation_bytes_pipeline, "B"),
            source=PIPELINE_SOURCE,
            glossary="layer-major-scheduling",
        ),
        Step(
            name="Bubble of the pipeline",
            formula="(p \u2212 1) / (m + p \u2212 1)",
            substituted=f"({stages} \u2212 1) / ({group_digits(parts)} + {stages} \u2212 1)",
            value=percent(result.pipeline_bubble),
            source=PIPELINE_SOURCE,
            glossary="pipeline-bubble",
        ),
        Step(
            name="Tensor-parallel all-reduces of a step",
            formula=f"{ALLREDUCES_PER_LAYER} \u00d7 2(t \u2212 1) \u00d7 S \u00d7 L \u00d7 d \u00d7 b "
            "\u00d7 layers, over all ranks",
            substituted=f"{ALLREDUCES_PER_LAYER} \u00d7 2 \u00d7 ({params.tensor_parallel} "
            f"\u2212 1) \u00d7 {sequences} \u00d7 {one}",
            value=si(result.tensor_parallel_allreduce_bytes, "B"),
            source="M. Shoeybi et al., arXiv 1909.08053, sec. 3; ring all-reduce",
            glossary="tensor-parallel-masks",
        ),
    ]
    if params.overlap and result.mask_values_forward:
        steps.append(
            Step(
                name=f"Fill of the small case, {case.groups} groups of layers",
                formula="first write + last work, and where a write and the work it hides behind "
                "differ: \u03a3 max(write, work before) \u2212 max(\u03a3, \u03a3)",
                substituted=f"ends {duration(fill.ends_s)}, imbalance {duration(fill.imbalance_s)}",
                value=f"{duration(fill.total_s)} beyond the step time above",
                source="the timeline, by a scheduler that does not know the formula",
            )
        )
    return steps


def _assumptions(params: MasksParams, result: MasksResult) -> list[Assumption]:
    listed = [
        Assumption(
            kind="illustrative",
            text="Frame rates are those of devices of about two megapixels; a real engine adds "
            "loading, settling and calibration.",
        ),
        Assumption(
            kind="generous",
            text=f"{group_digits(params.pixels_per_value)} pixel per complex mask value, at the "
            "modulator's few bits. Holding amplitude and phase usually takes several pixels; "
            "change it under Modulator."
            if params.pixels_per_value == 1
            else f"{group_digits(params.pixels_per_value)} pixels per complex mask value, at the "
            "modulator's few bits.",
        ),
        Assumption(
            kind="generous",
            text="Overlap hides a layer's masks behind the work on the layer before. The formula "
            "takes the longer of both sums; what that leaves out is shown as fill in the timeline.",
        ),
        Assumption(
            kind="generous",
            text="Values of all layers are packed, so only a pass's last frame is partly filled; "
            "light and read-out take "
            + (
                "no time."
                if pass_time_of(params) == 0
                else f"{duration(params.pass_time_s)} per step."
            ),
        ),
        Assumption(
            kind="convention",
            text="Digital time counts every FLOP of the step, the engine's share included, which "
            "for Hyena is a fraction of a percent; the optimizer's own work is not counted.",
        ),
        Assumption(
            kind="convention",
            text="Activations: one d-wide bf16 value per token and layer must live until its "
            "backward. A 1F1B stage holds p microbatches in flight, fewer where m is below p; "
            "recomputation inside a layer is assumed in both.",
        ),
        Assumption(
            kind="inferred",
            text="Tensor-parallel ranks hold a share of every layer's channels, so the frames are "
            "shared out evenly; the all-reduces are counted, their time is not.",
        ),
    ]
    together = params.engines * params.tensor_parallel
    if 0 < result.frames_forward < together:
        listed.append(
            Assumption(
                kind="generous",
                text=f"Here {group_digits(together)} engines share "
                f"{counted(result.frames_forward, 'frame')} a pass, so some have nothing to "
                "write; mask time is the sum divided evenly, though one frame takes "
                f"{duration(1 / params.frame_rate_hz)}.",
            )
        )
    fewest = min(params.microbatches, params.sequences_per_step)
    if fewest < params.pipeline_stages or params.sequences_per_step < params.microbatches:
        listed.append(
            Assumption(
                kind="convention",
                text=f"The pipeline's formulas are taken at their word: {params.pipeline_stages} "
                f"stages, {counted(params.microbatches, 'microbatch', 'microbatches')} of "
                f"{counted(params.sequences_per_step, 'sequence')}, though a stage never holds "
                "more microbatches than there are, nor a microbatch less than a sequence.",
            )
        )
    if params.variant == "block-circulant":
        listed.append(
            Assumption(
                kind="speculative",
                text="No language model of this size has been trained with block-circulant "
                "projections.",
            )
        )
    if params.conjugate_mask == "reuse":
        listed.append(
            Assumption(
                kind="speculative",
                text="Reuse supposes that one written mask can be read in the conjugate order for "
                "the backward pass; no device shown here has done it.",
            )
        )
    return listed

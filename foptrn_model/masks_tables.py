"""Tables of the masks explorer: the numbers of each figure."""

from __future__ import annotations

from dataclasses import fields

from foptrn_model import sensitivity
from foptrn_model.ledger import VARIANTS
from foptrn_model.masks import MasksParams, MasksResult
from foptrn_model.masks_series import KindFrames, MasksSeries
from foptrn_model.tables import Column, Table

KIND_LABELS = {
    "long_convolution": "Long convolutions",
    "mixing": "Circulant projections of the operator",
    "mlp": "Circulant MLP",
    "unfilled": "Unfilled rest of the last frame",
}


def sequences_table(params: MasksParams, result: MasksResult, series: MasksSeries) -> Table:
    """Mask, digital and step time by sequences per step."""
    sweep = series.sweep
    columns = [
        sweep.sequences, sweep.mask_s["layer-major"], sweep.mask_s["sequence-major"],
        sweep.digital_s, sweep.step_s,
    ]  # fmt: skip
    return Table(
        title="Seconds per optimizer step by sequences per step",
        columns=(
            Column(name="sequences_per_step", label="Sequences"),
            Column(name="mask_layer_major_s", label="Masks, layer-major", unit="s"),
            Column(name="mask_sequence_major_s", label="Masks, sequence-major", unit="s"),
            Column(name="digital_s", label="Digital", unit="s"),
            Column(name="step_s", label="Step, as set", unit="s"),
        ),
        rows=[list(row) for row in zip(*(column.tolist() for column in columns), strict=True)],
    )


def frames_table(params: MasksParams, result: MasksResult, series: MasksSeries) -> Table:
    """Mask values and frames of every variant, by kind of layer and direction."""
    rows = []
    for variant in VARIANTS:
        found = series.frames[variant]
        for kind in (field.name for field in fields(KindFrames)):
            rows.append(
                [
                    variant,
                    KIND_LABELS[kind],
                    getattr(found.values, kind, 0),
                    getattr(found.forward, kind),
                    getattr(found.backward, kind),
                ]
            )
        rows.append(
            [variant, "Total", found.values.total, found.forward.total, found.backward.total]
        )
    return Table(
        title="Frames per optimizer step by kind of layer and direction",
        columns=(
            Column(name="variant", label="Variant"),
            Column(name="kind", label="Kind of layer"),
            Column(name="mask_values", label="Values, forward"),
            Column(name="forward_frames", label="Forward", unit="frames"),
            Column(name="backward_frames", label="Backward", unit="frames"),
        ),
        rows=rows,
    )


def devices_table(params: MasksParams, result: MasksResult, series: MasksSeries) -> Table:
    """This state on every device: forward masks, step, break-even."""
    return Table(
        title="This state on real devices",
        columns=(
            Column(name="device", label="Device"),
            Column(name="frame_rate_hz", label="Frame rate", unit="Hz"),
            Column(name="mask_time_forward_s", label="Masks, forward only", unit="s"),
            Column(name="mask_time_s", label="Masks, step", unit="s"),
            Column(name="digital_step_time_s", label="Digital", unit="s"),
            Column(name="mask_over_digital", label="Masks / digital", unit="\u00d7"),
            Column(name="break_even_sequences", label="Break-even sequences"),
        ),
        rows=[
            [
                found.device.label,
                found.device.frame_rate_hz,
                found.forward_s,
                found.result.mask_time_s,
                found.result.digital_step_time_s,
                found.result.mask_over_digital,
                found.result.break_even_sequences,
            ]
            for found in series.devices
        ],
    )


def map_table(params: MasksParams, result: MasksResult, series: MasksSeries) -> Table:
    """Mask time over digital time by frame rate and sequences per step."""
    ratios = series.map
    rows = [
        [rate, sequences, ratio]
        for sequences, line in zip(ratios.sequences.tolist(), ratios.ratio.tolist(), strict=True)
        for rate, ratio in zip(ratios.frame_rate_hz.tolist(), line, strict=True)
    ]
    return Table(
        title="Mask time over digital step time",
        columns=(
            Column(name="frame_rate_hz", label="Frame rate", unit="Hz"),
            Column(name="sequences_per_step", label="Sequences"),
            Column(name="mask_over_digital", label="Masks / digital", unit="\u00d7"),
        ),
        rows=rows,
    )


def timeline_table(params: MasksParams, result: MasksResult, series: MasksSeries) -> Table:
    """Every event of the small case, in order of its start."""
    rows = [
        [timeline.title, event.task.resource, event.task.kind, event.task.name,
         event.start_s, event.end_s]
        for timeline in series.timelines
        for event in timeline.events
        if event.end_s > event.start_s or event.task.kind == "optimizer"
    ]  # fmt: skip
    return Table(
        title="Events of the small case",
        columns=(
            Column(name="schedule", label="Schedule"),
            Column(name="resource", label="On"),
            Column(name="kind", label="Work"),
            Column(name="task", label="Task"),
            Column(name="start_s", label="Start", unit="s"),
            Column(name="end_s", label="End", unit="s"),
        ),
        rows=rows,
    )


def memory_table(params: MasksParams, result: MasksResult, series: MasksSeries) -> Table:
    """Bytes of live activations, and of all-reduces, by sequences per step."""
    memory = series.memory
    columns = [
        memory.sequences, memory.layer_major, memory.pipeline, memory.all_stages, memory.allreduce,
    ]  # fmt: skip
    return Table(
        title="Bytes by sequences per step",
        columns=(
            Column(name="sequences_per_step", label="Sequences"),
            Column(name="layer_major_bytes", label="Alive, layer-major", unit="B"),
            Column(name="pipeline_bytes", label="Alive, a pipeline stage", unit="B"),
            Column(name="all_stages_bytes", label="All stages, at most", unit="B"),
            Column(name="allreduce_bytes", label="Tensor-parallel all-reduces", unit="B"),
        ),
        rows=[list(row) for row in zip(*(column.tolist() for column in columns), strict=True)],
    )


def tornado_table(params: MasksParams, result: MasksResult, series: MasksSeries) -> Table:
    """Mask time over digital time with each input halved and doubled."""
    return sensitivity.tornado_table(
        series.tornado,
        "Mask time over digital time, each input halved and doubled within its bounds",
    )

"""Bytes of activations that must stay alive, in layer-major order and in a pipeline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.masks import MEMORY_PER_GPU_BYTES
from foptrn_model.masks_series import MemorySweep
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import counted, percent, si
from pages._components.theme import ACCENT, DENSE, GROUND, MASK_TIME, MUTED, TRANSFORM
from pages._figures.base import (
    decade_axis,
    figure,
    legend_above,
    note,
    pointer,
    rounded,
)
from pages._figures.marks import pin_mark, state_mark

NEAR_DECADES = 2.2
"""How far from a line of the figure a pointer's label may reach it."""


def memory_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Bytes over sequences per step; the memory of all GPUs as a line to stay below."""
    params, result = evaluation.params, evaluation.result
    memory: MemorySweep = evaluation.series.memory
    sequences = memory.sequences.tolist()
    lines = [
        ("Layer-major", memory.layer_major, MASK_TIME.light, "dash"),
        ("1F1B, all stages", memory.all_stages, DENSE.light, "dashdot"),
        ("1F1B, a stage", memory.pipeline, DENSE.light, "solid"),
    ]
    if result.tensor_parallel_allreduce_bytes:
        lines.append(("All-reduces (moved)", memory.allreduce, TRANSFORM.light, "dot"))
    traces = [_line(sequences, values, name, color, dash) for name, values, color, dash in lines]
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        held = pin.result.activation_bytes_layer_major
        traces.append(
            pin_mark(letter, pin.params, pin.params.sequences_per_step, held,
                     f"{si(held, 'B')} alive in layer-major order")
        )  # fmt: skip
    held = result.activation_bytes_layer_major
    traces.append(
        state_mark(params.sequences_per_step, held, f"{si(held, 'B')} alive in layer-major order")
    )
    right = params.sequences_per_step > 2_000
    limit = MEMORY_PER_GPU_BYTES * params.gpus
    # The label of a state just under the limit would cover the limit's own, and so from above.
    gap = math.log10(limit / held)
    below = 0 < gap < NEAR_DECADES or not (right or -NEAR_DECADES < gap <= 0)
    share = percent(held / limit, 2) if held >= 1e-5 * limit else "a trace"
    shown = [float(values[index]) for _, values, _, _ in lines for index in (0, -1)]
    low, high = min(*shown, limit) / 2, max(*shown, limit) * 3
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Sequences per step (log scale)", 0.8, sequences[-1] * 1.25),
        yaxis=decade_axis("Bytes (B)", low, high),
        shapes=[
            {
                "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": limit,
                "y1": limit, "line": {"color": MUTED.light, "width": 1.5, "dash": "longdash"},
            }
        ],
        annotations=[
            note(
                f"memory of {counted(params.gpus, 'GPU')} at 80 GB: {si(limit, 'B')}",
                x=0.01, xref="paper", y=math.log10(limit), xanchor="left", yanchor="bottom",
                color=MUTED.light,
                bgcolor=GROUND.light,
            ),
            pointer(
                f"{si(held, 'B')}, {share} of it",
                x=math.log10(params.sequences_per_step),
                y=math.log10(held),
                color=ACCENT.light,
                ax=24 if below or not right else -24,
                ay=44 if below else -44,
                ),
        ],
    )  # fmt: skip


def _line(sequences: list[int], values: Any, name: str, color: str, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": sequences,
        "y": rounded(values),
        "line": {"color": color, "width": 2.5, "dash": dash},
        "hovertemplate": f"{name}, %{{x:,}} sequences: %{{y:.3s}}B<extra></extra>",
    }

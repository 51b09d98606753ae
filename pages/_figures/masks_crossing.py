"""Mask time and digital step time over the sequences of a step, and where they cross."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.masks_series import ORDERS, SequenceSweep
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import duration, group_digits
from pages._components.theme import ACCENT, DENSE, GROUND, LINE, MASK_TIME, TEXT
from pages._figures.base import (
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    pointer,
    rounded,
    time_axis,
)
from pages._figures.marks import pin_mark, state_mark

LEAST_SHOWN, MOST_SHOWN = 0.8, 1.25e6
"""Ends of the axis of sequences, a little beyond those of the param."""
DIGITAL_LABEL_AT = 200_000
STEEP_LABELS_AT = (1_000, 300, 100, 30)
LEVEL_LABEL_AT = {"early": 30, "late": 30_000}
ROOM_FOR_LABEL = 0.8
"""Share of the plot's height above which the state's label goes below its mark."""
LEFT_FROM = {"break-even": 3_001, "state": 61}
"""Sequences from which a label stands left of its mark."""
LINE_LABELS = {
    "computing": ("Computing", DENSE.light, False),
    "layer-major": ("Masks, layer-major", MASK_TIME.light, True),
    "sequence-major": ("Masks, sequence-major", MASK_TIME.light, False),
}
"""Line -> its name, its colour, and whether it is level."""
CROWDED = range(3_000, 300_000)
"""Crossings near which the late place of the level line's label is taken."""


def crossing_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Seconds per step over sequences per step; masks dominate in the shaded region."""
    params, result = evaluation.params, evaluation.result
    sweep: SequenceSweep = evaluation.series.sweep
    written = bool(result.mask_values_forward)
    lines = [sweep.digital_s, sweep.mask_s[params.order]] if written else [sweep.digital_s]
    low = min(float(line.min()) for line in lines) / 3
    high = max(float(line.max()) for line in lines) * 3
    sequences = sweep.sequences.tolist()
    traces = [_step_band(sequences, sweep)]
    if dominated_until(evaluation):
        traces.append(_region_key())
    if written:
        traces += [_mask_line(sequences, sweep, order, params.order) for order in ORDERS]
    computing = {"color": DENSE.light, "width": 3, "dash": "solid"}
    traces.append(_line(sequences, sweep.digital_s, "computing", computing))
    traces += [
        pin_mark(
            letter, pin.params, pin.params.sequences_per_step, pin.result.step_time_s,
            f"{duration(pin.result.step_time_s)} a step",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    cross = result.break_even_sequences if written and params.order == "layer-major" else "never"
    if isinstance(cross, int) and cross > 1:
        traces.append(_crossing_mark(cross, result.mask_time_s))
    traces.append(
        state_mark(
            params.sequences_per_step,
            result.step_time_s,
            f"{duration(result.step_time_s)} a step at "
            f"{group_digits(params.sequences_per_step)} sequences",
        )
    )
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Sequences per step (log scale)", LEAST_SHOWN, MOST_SHOWN),
        yaxis=time_axis("Time per step", low, high),
        shapes=_dominated(evaluation),
        annotations=_labels(evaluation, low, high),
    )


def _line(sequences: list[int], seconds: Any, name: str, look: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "showlegend": False,
        "x": sequences,
        "y": rounded(seconds),
        "line": look,
        "hovertemplate": f"%{{x:,}} sequences, {name}: %{{y:.3s}}s<extra></extra>",
    }


def _mask_line(
    sequences: list[int], sweep: SequenceSweep, order: Any, chosen: str
) -> dict[str, Any]:
    look = mask_look(chosen=order == chosen)
    return _line(sequences, sweep.mask_s[order], f"masks, {order}", look)


def mask_look(*, chosen: bool) -> dict[str, Any]:
    """The line of mask times in the order in force, or in the other one."""
    width, dash = (3, "dash") if chosen else (1.5, "dot")
    return {"color": MASK_TIME.light, "width": width, "dash": dash}


def _step_band(sequences: list[int], sweep: SequenceSweep) -> dict[str, Any]:
    """The step itself as a broad line that lies under the two it is made of."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "step",
        "x": sequences,
        "y": rounded(sweep.step_s),
        "line": {"color": LINE.light, "width": 12},
        "hoverinfo": "skip",
    }


def _region_key() -> dict[str, Any]:
    """The shaded region's entry in the legend."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "masks take longer",
        "x": [None],
        "y": [None],
        "marker": {"symbol": "square", "size": 14, "color": MASK_TIME.light, "opacity": 0.3},
        "hoverinfo": "skip",
    }


def _crossing_mark(sequences: int, seconds: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "break-even",
        "x": [sequences],
        "y": rounded([seconds]),
        "marker": outlined(TEXT.light, 14, "diamond"),
        "customdata": [
            f"Break-even: from {group_digits(sequences)} sequences per step on "
            "masks take no longer than computing"
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def dominated_until(evaluation: Evaluation) -> float:
    """Sequences below which masks take longer than computing: 0, a number, or infinity."""
    params, result = evaluation.params, evaluation.result
    if not result.mask_values_forward:
        return 0
    if params.order == "sequence-major":
        return math.inf if result.mask_over_digital > 1 else 0
    here = result.break_even_sequences
    return math.inf if isinstance(here, str) else float(here if here > 1 else 0)


def _dominated(evaluation: Evaluation) -> list[dict[str, Any]]:
    until = dominated_until(evaluation)
    if not until:
        return []
    return [region(min(until, MOST_SHOWN))]


def region(until: float = 0) -> dict[str, Any]:
    """Shades the numbers of sequences below one."""
    return {
        "type": "rect", "xref": "x", "yref": "paper", "layer": "below",
        "x0": LEAST_SHOWN, "x1": until, "y0": 0, "y1": 1,
        "fillcolor": MASK_TIME.light, "opacity": 0.13, "line": {"width": 0},
    }  # fmt: skip


def _near(sequences: int) -> range:
    """Numbers of sequences at which a label would lie on that of the state."""
    return range(sequences // 8, sequences * 8)


def _beside(line: str, sequences: int, sweep: SequenceSweep, seconds: Any) -> dict[str, Any]:
    height = float(np.interp(sequences, sweep.sequences, seconds))
    return line_label(line, x=math.log10(sequences), y=math.log10(height))


def line_label(line: str, *, x: float = 0, y: float = 0) -> dict[str, Any]:
    """A line's name above it; left of it where the line rises."""
    text, color, level = LINE_LABELS[line]
    return note(
        f"<b>{text}</b>",
        x=x,
        y=y,
        color=color,
        xanchor="center" if level else "right",
        yanchor="bottom",
        xshift=0 if level else -10,
        yshift=5 if level else -1,
    )


def _labels(evaluation: Evaluation, low: float, high: float) -> list[dict[str, Any]]:
    params, result = evaluation.params, evaluation.result
    sweep: SequenceSweep = evaluation.series.sweep

    labels = [_beside("computing", DIGITAL_LABEL_AT, sweep, sweep.digital_s)]
    if result.mask_values_forward:
        cross = result.break_even_sequences
        place = "early" if isinstance(cross, int) and cross in CROWDED else "late"
        level, steep = sweep.mask_s["layer-major"], sweep.mask_s["sequence-major"]
        labels.append(_beside("layer-major", LEVEL_LABEL_AT[place], sweep, level))
        fitting = [
            at
            for at in STEEP_LABELS_AT
            if np.interp(at, sweep.sequences, steep) < high / 2
            and (params.order == "layer-major" or at not in _near(params.sequences_per_step))
        ]
        if fitting:
            labels.append(_beside("sequence-major", fitting[0], sweep, steep))
    raised = math.log(result.step_time_s / low) / math.log(high / low)
    cross = result.break_even_sequences
    if params.order == "layer-major" and isinstance(cross, int) and cross > 1:
        labels.append(
            cross_label(
                f"break-even: {group_digits(cross)}",
                x=math.log10(cross),
                y=math.log10(result.mask_time_s),
                left=cross >= LEFT_FROM["break-even"],
            )
        )
    elif params.order == "layer-major" and cross == "never":
        labels.append(never_label())
    labels.append(
        state_label(
            f"this state: {duration(result.step_time_s)}",
            x=math.log10(params.sequences_per_step),
            y=math.log10(result.step_time_s),
            left=params.sequences_per_step >= LEFT_FROM["state"],
            high=raised > ROOM_FOR_LABEL,
        )
    )
    return labels


def cross_label(text: str = "", *, x: float = 0, y: float = 0, left: bool) -> dict[str, Any]:
    """The label of the break-even, below its mark."""
    return pointer(text, x=x, y=y, ax=-30 if left else 30, ay=52)


def never_label() -> dict[str, Any]:
    """What stands in the corner where there is no break-even."""
    return note("break-even: never", x=0.99, xref="paper", y=0.02, yref="paper",
                xanchor="right", yanchor="bottom", color=TEXT.light, bgcolor=GROUND.light)  # fmt: skip


def state_label(
    text: str = "", *, x: float = 0, y: float = 0, left: bool, high: bool
) -> dict[str, Any]:
    """The label of the state's mark, below one that stands high."""
    return pointer(
        text, x=x, y=y, color=ACCENT.light, ax=-26 if left else 20, ay=46 if high else -46
    )

"""Time and energy per step over width and depth: three methods, regimes, the memory wall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.optical_dfa import METHOD_LABELS, METHODS
from foptrn_model.optical_dfa_series import Sweep
from foptrn_model.text import compact, duration, group_digits
from pages._components.theme import ACCENT, GROUND, MUTED, TEXT
from pages._figures.base import (
    SMALL,
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    pointer,
    rounded,
    time_axis,
)
from pages._figures.marks import state_mark
from pages._figures.optical_dfa_looks import LOOKS, method_line, pin_marks
from pages._figures.optical_dfa_strips import (
    SHORT_NAMES,
    STRIPS,
    ahead,
    limits,
    strip_hover,
    strips,
)

ROOM_FOR_LABEL = 0.72
NEARLY_HALF = 0.45
"""Share of the axis from which a label stands left of its mark."""
OTHERS: dict[str, str] = {"bp": "", "dfa": "_dfa"}
"""Whom light overtakes, and how the result's crossovers over them end."""
CROSSING_SYMBOLS = {"bp": "diamond", "dfa": "triangle-up"}
CROSSING_SIGNS = {"bp": "\u25c6", "dfa": "\u25b2"}


def width_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Seconds per step over width at this depth."""
    return _sweep_figure(evaluation, pinned, evaluation.series.by_width, "Width (neurons)")


def depth_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Seconds per step over depth at this width."""
    return _sweep_figure(evaluation, pinned, evaluation.series.by_depth, "Depth (layers)")


def _sweep_figure(
    evaluation: Evaluation, pinned: Sequence[Evaluation], sweep: Sweep, title: str
) -> dict[str, Any]:
    params, result = evaluation.params, evaluation.result
    sizes = sweep.sizes.tolist()
    here = getattr(params, sweep.along)
    low = min(float(line.min()) for line in sweep.step_s.values()) / 2
    high = max(float(line.max()) for line in sweep.step_s.values()) * 2
    traces = [
        method_line(
            method, METHOD_LABELS[method], sizes, sweep.step_s[method].tolist(),
            f"%{{y:.3s}}s at {sweep.along} %{{x:,}}",
        )
        for method in METHODS
    ]  # fmt: skip
    traces += _crossing_marks(evaluation, sweep)
    traces += pin_marks(
        [
            (pin.params, getattr(pin.params, sweep.along), pin.result.step_time_s["odfa"],
             f"optical step {duration(pin.result.step_time_s['odfa'])}, "
             f"{compact(pin.result.optical_over_bp)}\u00d7 backpropagation's")
            for pin in pinned
        ],
        sizes[-1] / sizes[0], high / low,
    )  # fmt: skip
    traces.append(
        state_mark(
            here, result.step_time_s["odfa"],
            f"optical step {duration(result.step_time_s['odfa'])}, "
            f"{compact(result.optical_over_bp)}\u00d7 backpropagation's",
            cliponaxis=False,
        )
    )  # fmt: skip
    traces += [strip_hover(sweep, method) for method in METHODS]
    shapes, strip_labels = strips(sweep)
    lines, line_labels = limits(sweep)
    edge = [math.log10(sizes[0]), math.log10(sizes[-1])]
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 70, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis(f"{title}, log scale", sizes[0], sizes[-1], anchor="y2"),
        yaxis=time_axis("Time per step", low, high, domain=[STRIPS + 0.03, 1]),
        yaxis2={
            "title": {"text": ""}, "domain": [0, STRIPS], "range": [0, len(METHODS)], "fixedrange": True,
            "showgrid": False, "zeroline": False, "automargin": True,
            "tickvals": [len(METHODS) - place - 0.5 for place in range(len(METHODS))],
            "ticktext": [SHORT_NAMES[method] for method in METHODS],
            "tickfont": {"size": SMALL, "color": MUTED.light},
        },
        shapes=[*ahead(sweep), *shapes, *lines],
        annotations=[
            *strip_labels, *line_labels, *_labels(evaluation, sweep, (low, high), edge),
        ],
    )  # fmt: skip


def _crossing_marks(evaluation: Evaluation, sweep: Sweep) -> list[dict[str, Any]]:
    """Where light first beats either of the others, as far as the figure shows it."""
    sizes = sweep.sizes.tolist()
    marks = []
    for method, ending in OTHERS.items():
        crossing = getattr(evaluation.result, f"crossover_{sweep.along}{ending}")
        if isinstance(crossing, int) and sizes[0] < crossing <= sizes[-1]:
            seconds = float(sweep.step_s["odfa"][sizes.index(crossing)])
            marks.append(
                {
                    "type": "scatter", "mode": "markers",
                    "name": f"light passes {SHORT_NAMES[method]}",
                    "x": [crossing],
                    "y": rounded([seconds]),
                    "marker": outlined(LOOKS[method].color, 13, CROSSING_SYMBOLS[method]),
                    "showlegend": False,
                    "customdata": [f"Light first beats {SHORT_NAMES[method]} at {sweep.along} "
                                   f"{group_digits(crossing)}"],
                    "hovertemplate": "%{customdata}<extra></extra>",
                }
            )  # fmt: skip
    return marks


def _labels(
    evaluation: Evaluation, sweep: Sweep, span: tuple[float, float], edge: list[float]
) -> list[dict[str, Any]]:
    """The state's own label, and in the empty corner below all lines whom light beats from where."""
    params, result = evaluation.params, evaluation.result
    here, seconds = getattr(params, sweep.along), result.step_time_s["odfa"]
    raised = math.log(seconds / span[0]) / math.log(span[1] / span[0])
    late = (math.log10(here) - edge[0]) / (edge[1] - edge[0]) > NEARLY_HALF
    said = []
    for method, ending in OTHERS.items():
        size = getattr(result, f"crossover_{sweep.along}{ending}")
        said.append(
            f"{CROSSING_SIGNS[method]} {SHORT_NAMES[method]}: "
            f"{group_digits(size) if isinstance(size, int) else size}"
        )
    return [
        state_label(
            f"this state:<br>{duration(seconds)}", x=math.log10(here), y=math.log10(seconds),
            late=late, high=raised > ROOM_FOR_LABEL,
        ),
        first_label("light first beats<br>" + "<br>".join(said)),
    ]  # fmt: skip


def state_label(
    text: str = "", *, x: float = 0, y: float = 0, late: bool, high: bool
) -> dict[str, Any]:
    """The label of the state's mark: left of one that stands late, below one that stands high."""
    return pointer(
        text, x=x, y=y, color=ACCENT.light, ax=-30 if late else 26, align="left",
        ay=48 if high else -48,
    )  # fmt: skip


def first_label(text: str = "") -> dict[str, Any]:
    """Whom light beats from where, in the corner that no line reaches."""
    return note(
        text, x=0.99, xref="paper", y=STRIPS + 0.05, yref="paper", xanchor="right",
        yanchor="bottom", align="left", bgcolor=GROUND.light,
        font={"size": SMALL, "color": TEXT.light},
    )  # fmt: skip


def energy_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Joules per step over width at this depth."""
    params, result = evaluation.params, evaluation.result
    sweep: Sweep = evaluation.series.by_width
    watts = {"bp": params.gpu_W, "dfa": params.gpu_W, "odfa": params.gpu_W + params.opu_W}
    joules = {method: (sweep.step_s[method] * watts[method]).tolist() for method in METHODS}
    sizes = sweep.sizes.tolist()
    low = min(min(line) for line in joules.values()) / 2
    high = max(max(line) for line in joules.values()) * 2
    here = result.energy_J["odfa"]
    traces = [
        method_line(method, METHOD_LABELS[method], sizes, joules[method],
                    "%{y:.3s}J at width %{x:,}")
        for method in METHODS
    ]  # fmt: skip
    traces += pin_marks(
        [
            (pin.params, pin.params.width, pin.result.energy_J["odfa"],
             f"optical step {compact(pin.result.energy_J['odfa'])} J")
            for pin in pinned
        ],
        sizes[-1] / sizes[0], high / low,
    )  # fmt: skip
    traces.append(
        state_mark(params.width, here, f"optical step {compact(here)} J, backpropagation "
                   f"{compact(result.energy_J['bp'])} J", cliponaxis=False)
    )  # fmt: skip
    raised = math.log(here / low) / math.log(high / low)
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Width (neurons), log scale", sizes[0], sizes[-1]),
        yaxis=decade_axis("Energy per step (J, log scale)", low, high),
        annotations=[
            pointer(
                f"this state:<br>{compact(here)} J", x=math.log10(params.width), y=math.log10(here),
                color=ACCENT.light, ax=-30 if params.width > math.sqrt(sizes[0] * sizes[-1]) else 30,
                ay=44 if raised > ROOM_FOR_LABEL else -44,
            )
        ],
    )  # fmt: skip

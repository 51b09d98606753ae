"""A small case in time: in layer order on one engine, and as a 1F1B pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.mask_schedule import (
    BACKWARD,
    ENGINE,
    FORWARD,
    OPTIMIZER,
    PASS,
    WRITE,
    Timeline,
)  # fmt: skip
from foptrn_model.schedule import Event, idle_intervals
from foptrn_model.text import duration
from pages._components.theme import (
    ACCENT,
    ATTENTION,
    DENSE,
    LINE,
    MASK_TIME,
    SURFACE,
    TEXT,
    TRANSFORM,
)  # fmt: skip
from pages._figures.base import FONT, SMALL, axis, figure, legend_above, note, rounded

LOOKS = {
    WRITE: ("mask writes", MASK_TIME.light, "/"),
    PASS: ("optical passes", TRANSFORM.light, ""),
    FORWARD: ("forward", DENSE.light, ""),
    BACKWARD: ("backward", ATTENTION.light, "\\"),
}
IDLE_NAME = "idle"
HEADING = 2.0
"""Height of a heading, in rows."""
ENGINE_HEIGHT, GPU_HEIGHT = 0.5, 0.8
LEAST_GAP = 1e-9
NARROW = 0.006
"""Share of the axis below which an outline would leave nothing of a bar."""


def timeline_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Two timelines on one axis: what runs when on engines and GPUs, and where they wait."""
    timelines: tuple[Timeline, ...] = evaluation.series.timelines
    rows, headings, bottom = _rows(timelines)
    longest = max(timeline.end_s for timeline in timelines)
    scale, unit = _unit(longest)
    traces = [_idle_trace(timelines, rows, scale)]
    for kind, (name, color, pattern) in LOOKS.items():
        found = [
            (index, event)
            for index, timeline in enumerate(timelines)
            for event in timeline.events
            if event.task.kind == kind and event.end_s > event.start_s
        ]
        if found:
            outlines = [
                0.7 if event.end_s - event.start_s > NARROW * longest else 0 for _, event in found
            ]
            traces.append(
                _work_trace(found, rows, scale, unit) | _look(name, color, pattern, outlines)
            )
    traces.append(_optimizer_trace(timelines, rows, scale))
    return figure(
        traces,
        barmode="overlay",
        bargap=0,
        showlegend=True,
        legend=legend_above() | {"traceorder": "normal"},
        margin={"l": 8, "r": 20, "t": 8, "b": 44},
        xaxis=axis(f"Time ({unit})", range=[0, longest / scale * 1.02]),
        yaxis=axis(
            "",
            range=[bottom, -0.2],
            tickvals=list(rows.values()),
            ticktext=[resource for _, resource in rows],
            showgrid=False,
            ticklen=0,
        ),
        annotations=[
            _heading(evaluation, timeline, y)
            for timeline, y in zip(timelines, headings, strict=True)
        ],
    )


def _rows(timelines: Sequence[Timeline]) -> tuple[dict[tuple[int, str], float], list[float], float]:
    """(timeline, resource) -> its height on the axis; heights of the headings; the bottom."""
    rows: dict[tuple[int, str], float] = {}
    headings, y = [], 0.0
    for index, timeline in enumerate(timelines):
        headings.append(y + HEADING / 2)
        y += HEADING + 0.5
        for resource in timeline.resources:
            rows[index, resource] = y
            y += 0.75 if resource.startswith(ENGINE) else 1.05
    return rows, headings, y


def _height(resource: str) -> float:
    return ENGINE_HEIGHT if resource.startswith(ENGINE) else GPU_HEIGHT


def _bars(spans: Sequence[tuple[float, float, float, float]], scale: float) -> dict[str, Any]:
    """Bars from (start, end, height on the axis, thickness)."""
    return {
        "type": "bar",
        "orientation": "h",
        "base": rounded([start / scale for start, _, _, _ in spans]),
        "x": rounded([(end - start) / scale for start, end, _, _ in spans]),
        "y": [round(y, 3) for _, _, y, _ in spans],
        "width": [thick for _, _, _, thick in spans],
    }


def _work_trace(
    found: Sequence[tuple[int, Event]],
    rows: dict[tuple[int, str], float],
    scale: float,
    unit: str,
) -> dict[str, Any]:
    spans = [
        (event.start_s, event.end_s, rows[index, event.task.resource],
         _height(event.task.resource))
        for index, event in found
    ]  # fmt: skip
    return _bars(spans, scale) | {
        "customdata": [event.task.name for _, event in found],
        "hovertemplate": f"%{{customdata}}<br>from %{{base:.4g}} to %{{x:.4g}} {unit}<extra></extra>",
    }


def _look(name: str, color: str, pattern: str, outlines: list[float]) -> dict[str, Any]:
    return {
        "name": name,
        "marker": {
            "color": color,
            "line": {"width": outlines, "color": SURFACE.light},
            "pattern": {"shape": pattern, "bgcolor": color, "fgcolor": SURFACE.light,
                        "size": 6, "solidity": 0.16},
        },
    }  # fmt: skip


def _idle_trace(
    timelines: Sequence[Timeline], rows: dict[tuple[int, str], float], scale: float
) -> dict[str, Any]:
    spans = [
        (start, end, rows[index, resource], 0.12)
        for index, timeline in enumerate(timelines)
        for until in [timeline.end_s]
        for resource, gaps in idle_intervals(timeline.events, until).items()
        for start, end in gaps
        if end - start > LEAST_GAP * until
    ]
    return _bars(spans, scale) | {
        "name": IDLE_NAME,
        "marker": {"color": LINE.light, "line": {"width": 0}},
        "hovertemplate": "idle<extra></extra>",
    }


def _optimizer_trace(
    timelines: Sequence[Timeline], rows: dict[tuple[int, str], float], scale: float
) -> dict[str, Any]:
    """The optimizer's moment, from which on every mask is stale."""
    found = [
        (index, event)
        for index, timeline in enumerate(timelines)
        for event in timeline.events
        if event.task.kind == OPTIMIZER
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "optimizer step",
        "x": rounded([event.end_s / scale for _, event in found]),
        "y": [rows[index, event.task.resource] for index, event in found],
        "marker": {"symbol": "diamond", "size": 11, "color": ACCENT.light,
                   "line": {"width": 1.5, "color": SURFACE.light}},
        "cliponaxis": False,
        "customdata": [
            f"optimizer step at {duration(event.end_s)}: every mask is stale from here on"
            for _, event in found
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }  # fmt: skip


def _unit(longest_s: float) -> tuple[float, str]:
    for size, unit in (
        (31_557_600.0, "years"),
        (86_400.0, "days"),
        (3_600.0, "h"),
        (60.0, "min"),
        (1.0, "s"),
        (1e-3, "ms"),
    ):
        if longest_s >= 2 * size:
            return size, unit
    return 1e-6, "\u00b5s"


def _heading(evaluation: Evaluation, timeline: Timeline, y: float) -> dict[str, Any]:
    """What a timeline is, when it ends, and how that compares."""
    params, result = evaluation.params, evaluation.result
    case, fill = evaluation.series.case, evaluation.series.fill
    if timeline is evaluation.series.timelines[0]:
        extra = (
            f"{duration(result.step_time_s)} by the formula + {duration(fill.total_s)} of fill"
            if fill.total_s > LEAST_GAP * result.step_time_s
            else "as the formula says"
        )
    else:
        ideal = (case.microbatches + case.stages - 1) / case.microbatches
        extra = (
            f"drawn: {case.stages} of {params.pipeline_stages} stages, {case.microbatches} of "
            f"{params.microbatches:,} microbatches<br>"
            f"without masks {duration(ideal * result.digital_step_time_s)}"
        )
    return note(
        f"<b>{timeline.title}</b>  done at {duration(timeline.end_s)}<br>{extra}",
        x=0,
        xref="paper",
        xshift=-64,
        align="left",
        y=y,
        xanchor="left",
        yanchor="middle",
    ) | {"font": {"size": SMALL, "color": TEXT.light, "family": FONT}}

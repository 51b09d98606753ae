"""Validation loss over steps, seconds and bytes, with the target and the spread over seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.text import significant
from foptrn_model.transit_step import BAND_SWITCH
from foptrn_model.transit_sweeps import LossPath
from foptrn_model.transit_words import WAY_LABELS
from pages._components.theme import ACCENT, TEXT
from pages._figures.base import (
    axis,
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    rounded,
    time_axis,
)
from pages._figures.transit_ways import LOOKS, SHORT, way_line

MOST_LOSS_SHOWN = 12.0
"""Diverged curves leave the picture rather than flatten all others."""


def steps_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Loss over steps; both band ways follow one curve."""
    shown = {way: path for way, path in evaluation.series.paths.items() if way != BAND_SWITCH}
    longest = max(float(path.steps[-1]) for path in shown.values())
    xaxis = axis("Steps (count)", range=[0, longest * 1.03], nticks=5)
    return _loss(evaluation, shown, lambda path: path.steps, xaxis, "step %{x:,}")


def seconds_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Loss over time."""
    paths: dict[str, LossPath] = evaluation.series.paths
    low, high = _ends([path.time_s for path in paths.values()])
    return _loss(
        evaluation, paths, lambda path: path.time_s, time_axis("Time", low, high), "%{x:.3s}s"
    )


def bytes_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Loss over what crossed the WAN of one centre, or a worker's fabric where there is no WAN."""
    paths: dict[str, LossPath] = evaluation.series.paths
    apart = evaluation.params.datacentres > 1

    def moved(path: LossPath) -> Any:
        return path.wan_bytes if apart else path.fabric_bytes

    low, high = _ends([moved(path) for path in paths.values()])
    title = "Over the WAN of a centre (B)" if apart else "On a worker's fabric (B)"
    return _loss(evaluation, paths, moved, decade_axis(title, low, high), "%{x:.3s}B")


def _ends(values: Sequence[Any]) -> tuple[float, float]:
    """Bounds of a log axis; what is 0 has no place on it."""
    shown = [float(value) for line in values for value in (line[0], line[-1]) if value > 0]
    return (min(shown) / 1.6, max(shown) * 1.6) if shown else (0.1, 10.0)


def _loss(
    evaluation: Evaluation,
    paths: dict[str, LossPath],
    along: Callable[[LossPath], Any],
    xaxis: dict[str, Any],
    at: str,
) -> dict[str, Any]:
    target = evaluation.params.target_loss
    traces: list[dict[str, Any]] = []
    for way, path in paths.items():
        x = along(path)
        if np.any(path.high > path.low):
            traces.append(_spread(way, x, path))
        traces.append(
            way_line(way, x, path.loss, f"{path.method}: loss %{{y:.4~g}} at {at}")
            | {"name": SHORT[way]}
            | ({"mode": "markers"} if len(path.steps) == 1 else {})
        )
    crossings = _crossings(evaluation, paths, along)
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "meets the target",
            "showlegend": False,
            "x": rounded([x for _, x in crossings]),
            "y": [target] * len(crossings),
            "marker": outlined(TEXT.light, 11, "diamond"),
            "customdata": [WAY_LABELS[way] for way, _ in crossings],
            "hovertemplate": f"%{{customdata}} meets the target at {at}<extra></extra>",
        }
    )
    losses = np.concatenate([path.loss for path in paths.values()])
    low = min(float(losses.min()), target)
    high = min(max(float(losses.max()), target), max(MOST_LOSS_SHOWN, 2 * low, target * 1.2))
    room = (high - low) * 0.08 or 0.1
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 52, "r": 16, "t": 8, "b": 48},
        xaxis=xaxis,
        yaxis=axis("Validation loss (nats)", range=[low - room, high + room]),
        shapes=[
            {
                "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": target,
                "y1": target, "layer": "below", "line": {"color": ACCENT.light, "width": 1.5},
            }
        ],
        annotations=[
            note(f"target {significant(target, 4)}", x=1, xref="paper", y=target,
                 xanchor="right", yanchor="top", color=ACCENT.light)
        ],
    )  # fmt: skip


def _spread(way: str, x: Any, path: LossPath) -> dict[str, Any]:
    """One sd over seeds as a band around the mean."""
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "x": rounded([*x, *x[::-1]]),
        "y": rounded([*path.high, *path.low[::-1]]),
        "fill": "toself",
        "fillcolor": LOOKS[way].color,
        "opacity": 0.25,
        "line": {"width": 0, "color": LOOKS[way].color},
        "hoverinfo": "skip",
    }


def _crossings(
    evaluation: Evaluation, paths: dict[str, LossPath], along: Callable[[LossPath], Any]
) -> list[tuple[str, float]]:
    """(way, x) where each curve meets the target; every x is in proportion to the steps."""
    found = []
    for way, path in paths.items():
        steps = evaluation.result.ways[way].steps
        if isinstance(steps, str):
            continue
        per_step = float(along(path)[-1]) / float(path.steps[-1])
        x = steps * per_step
        if x > 0 and math.isfinite(x):
            found.append((way, x))
    return found

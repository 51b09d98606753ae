"""Rare syncs: time to the target and utilisation over the steps per sync."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import percent
from foptrn_model.transit_step import BAND_GATHER
from foptrn_model.transit_sweeps import SyncSweep
from foptrn_model.transit_words import WAY_LABELS, timed
from pages._components.theme import ACCENT, MUTED, RAISED
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
from pages._figures.marks import pin_mark
from pages._figures.transit_ways import empty_note, fastest_pins, pinned_times, way_line


def sync_time_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Time to the target over H, of which all beyond 1 is an extrapolation."""
    params, result = evaluation.params, evaluation.result
    sweep: SyncSweep = evaluation.series.sync
    traces = []
    for way, line in sweep.time_s.items():
        known = np.isfinite(line)
        traces.append(way_line(way, sweep.sync_every[known], line[known], "H = %{x:,}: %{y:.3s}s"))
    reached = {name: way for name, way in result.ways.items() if way.reached}
    traces.append(
        _state(
            params.sync_every,
            [float(way.time_s) for way in reached.values()],
            [f"{WAY_LABELS[name]}: {timed(way.time_s)}" for name, way in reached.items()],
        )
    )
    traces += fastest_pins(pinned, "sync_every")
    times = [float(value) for line in sweep.time_s.values() for value in line if value > 0]
    times += pinned_times(pinned)
    low, high = (min(times) / 2, max(times) * 3) if times else (0.1, 10.0)
    built = _over_h(evaluation, traces, time_axis("Time to the target", low, high))
    built["layout"]["annotations"] += empty_note(evaluation, sweep.time_s)
    return built


def utilisation_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Share of the time in which workers compute, over H; this needs no loss curve."""
    params, result = evaluation.params, evaluation.result
    sweep: SyncSweep = evaluation.series.sync
    traces = [
        way_line(way, sweep.sync_every, 100 * line, "H = %{x:,}: %{y:.3~g} % computing")
        for way, line in sweep.utilisation.items()
    ]
    traces += [
        pin_mark(letter, pin.params, pin.params.sync_every, 100 * way.utilisation,
                 f"{WAY_LABELS[BAND_GATHER]}: {percent(way.utilisation)}")
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
        for way in [pin.result.ways[BAND_GATHER]]
    ]  # fmt: skip
    traces.append(
        _state(
            params.sync_every,
            [100 * way.utilisation for way in result.ways.values()],
            [f"{WAY_LABELS[name]}: {percent(way.utilisation)}" for name, way in
             result.ways.items()],
        )
    )  # fmt: skip
    wanted = 100 * params.target_utilisation
    built = _over_h(
        evaluation, traces, axis("Computing, share of the time (%)", range=[0, 104]),
        extrapolated=False,
    )  # fmt: skip
    built["layout"]["shapes"] = [
        {
            "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": wanted,
            "y1": wanted, "layer": "below", "line": {"color": ACCENT.light, "width": 1.5},
        }
    ]  # fmt: skip
    built["layout"]["annotations"] = [
        note(f"wanted {percent(params.target_utilisation)}", x=0, xref="paper", y=wanted,
             xanchor="left", yanchor="bottom", color=ACCENT.light)
    ]  # fmt: skip
    return built


def _state(x: float, values: list[float], texts: list[str]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "this state",
        "x": [x] * len(values),
        "y": rounded(values),
        "marker": outlined(ACCENT.light, 11),
        "customdata": texts,
        "hovertemplate": "This state, %{customdata}<extra></extra>",
    }


def _over_h(
    evaluation: Evaluation,
    traces: list[dict[str, Any]],
    yaxis: dict[str, Any],
    *,
    extrapolated: bool = True,
) -> dict[str, Any]:
    penalty = evaluation.params.loss_penalty_percent
    words = "H > 1: extrapolated" if penalty == 0 else f"H > 1: losses {penalty:g} % higher"
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Steps per sync H (log scale)", 0.8, 12_500),
        yaxis=yaxis,
        shapes=[
            {
                "type": "rect", "xref": "x", "yref": "paper", "x0": 1.05, "x1": 12_500, "y0": 0,
                "y1": 1, "layer": "below", "fillcolor": RAISED.light, "line": {"width": 0},
            }
        ] if extrapolated else [],
        annotations=[
            note(words, x=0.99, y=0.99, xref="paper", yref="paper", xanchor="right",
                 yanchor="top", color=MUTED.light)
        ] if extrapolated else [],
    )  # fmt: skip

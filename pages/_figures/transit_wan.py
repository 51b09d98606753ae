"""Time to the target loss over the WAN rate: who wins where, with the links there are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import TRANSIT, Evaluation
from foptrn_model.text import significant
from foptrn_model.transit_sweeps import WanSweep
from foptrn_model.transit_words import WAY_LABELS, rate, timed
from pages._components.theme import ACCENT, GROUND, LINE, MUTED, TEXT
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
from pages._figures.transit_ways import SHORT, empty_note, fastest_pins, pinned_times, way_line


def wan_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Seconds to the target of every way that gets there; the current rate can be dragged."""
    params, result = evaluation.params, evaluation.result
    sweep: WanSweep = evaluation.series.wan
    times = [float(value) for line in sweep.time_s.values() for value in (line[0], line[-1])]
    times = [value for value in (*times, *pinned_times(pinned)) if value > 0]
    low, high = (min(times) / 5, max(times) * 3) if times else (0.1, 10.0)
    low, high = max(low, 1e-12), max(high, 1e-11)
    apart = params.datacentres > 1  # else no rate matters, and there is none to drag
    first, last = float(sweep.wan_GBps[0]) / 1.15, float(sweep.wan_GBps[-1]) * 1.15
    traces = [
        way_line(way, sweep.wan_GBps, line, "%{x:.3~g} GB/s: %{y:.3s}s")
        for way, line in sweep.time_s.items()
    ]
    marks, labels = _break_evens(evaluation, sweep)
    traces += marks
    reached = [way for way in result.ways.values() if way.reached]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "this state",
            "x": [params.wan_GBps] * len(reached),
            "y": rounded([way.time_s for way in reached]),
            "marker": outlined(ACCENT.light, 12),
            "customdata": [
                f"{WAY_LABELS[name]}: {timed(way.time_s)}"
                for name, way in result.ways.items()
                if way.reached
            ],
            "hovertemplate": "This state, %{customdata}<extra></extra>",
        }
    )
    traces += fastest_pins(pinned, "wan_GBps")
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("WAN rate between data centres (GB/s)", first, last),
        yaxis=time_axis("Time to the target", low, high),
        shapes=[rate_line(params.wan_GBps)] * apart + link_lines(),
        annotations=[
            *link_labels(),
            *labels,
            *_rate_label(evaluation) * apart,
            *empty_note(evaluation, sweep.time_s),
        ],
    )


FAR_LEFT, FAR_RIGHT = 0.3, 300.0
"""Rates near the ends of the axis, where a centred label would leave the plot."""


def real_links() -> list[tuple[float, str]]:
    """(GB/s, name) of the links that people have."""
    return [(float(item.values["wan_GBps"]), item.label) for item in TRANSIT.shortcuts.items]


def rate_line(x: float = 1) -> dict[str, Any]:
    """The state's rate, which can be dragged."""
    return _vertical(x, ACCENT.light, 2, "solid")


def link_lines() -> list[dict[str, Any]]:
    """The rates of links that people have."""
    return [_vertical(link, LINE.light, 1, "dot") for link, _ in real_links()]


def _vertical(x: float, color: str, width: float, dash: str) -> dict[str, Any]:
    return {
        "type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "layer": "below", "line": {"color": color, "width": width, "dash": dash},
    }  # fmt: skip


def link_labels() -> list[dict[str, Any]]:
    """Their names."""
    return [
        note(
            name,
            x=math.log10(link),
            y=0.005,
            yref="paper",
            yanchor="bottom",
            xanchor="center",
            textangle=-90,
            color=MUTED.light,
            bgcolor=GROUND.light,
        )
        | {"font": {"size": SMALL - 1, "color": MUTED.light}}
        for link, name in real_links()
    ]


def _rate_label(evaluation: Evaluation) -> list[dict[str, Any]]:
    here = evaluation.params.wan_GBps
    side = "right" if here > FAR_RIGHT else "left" if here < FAR_LEFT else "center"
    return [rate_label(f"\u25c2 {rate(here)} \u25b8", x=math.log10(here), side=side)]


def rate_label(text: str = "", *, x: float = 0, side: str) -> dict[str, Any]:
    """What the state's rate is, with its ``side`` at the line."""
    return note(
        text, x=x, y=1, yref="paper", yanchor="top", xanchor=side,
        color=ACCENT.light, bgcolor=GROUND.light, borderpad=2,
    )  # fmt: skip


def _break_evens(
    evaluation: Evaluation, sweep: WanSweep
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Diamonds where a way is as fast as dense AdamW, and who wins on which side."""
    crossings = [
        (way, found)
        for way, found in evaluation.result.break_even.items()
        if found.kind == "crossing" and way in sweep.time_s
    ]
    if not crossings:
        return [], []
    points = sorted(
        (found.GBps, _at(sweep, way, found.GBps), SHORT[way], found.wins)
        for way, found in crossings
    )
    trace = {
        "type": "scatter",
        "mode": "markers",
        "name": "break-even with AdamW",
        "x": rounded([point[0] for point in points]),
        "y": rounded([point[1] for point in points]),
        "marker": outlined(TEXT.light, 13, "diamond"),
        "customdata": [f"{name} wins {side} {rate(where)}" for where, _, name, side in points],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    labels = [
        break_even_label(
            f"{name}<br>{side} {significant(where)}",
            x=math.log10(where),
            y=math.log10(height),
            after=len(points) - 1 - index,
        )
        for index, (where, height, name, side) in enumerate(points)
    ]
    return [trace], labels


def break_even_label(text: str = "", *, x: float = 0, y: float = 0, after: int) -> dict[str, Any]:
    """The label of a break-even with ``after`` others to its right, over theirs."""
    return pointer(text, x=x, y=y, ax=40, ay=-34 - 40 * after)


def _at(sweep: WanSweep, way: str, where: float) -> float:
    """The time of a way at a rate between those of the sweep: a + b/w is linear in 1/w."""
    line, rates = sweep.time_s[way], sweep.wan_GBps
    index = min(max(int(rates.searchsorted(where)), 1), len(rates) - 1)
    left, right = 1 / rates[index - 1], 1 / rates[index]
    part = (1 / where - left) / (right - left)
    return float(line[index - 1] + part * (line[index] - line[index - 1]))

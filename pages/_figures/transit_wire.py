"""Bytes on a worker's wire over the number of replicas, and where an all-gather overtakes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.text import group_digits, si
from foptrn_model.transit_sweeps import ReplicaSweep
from foptrn_model.transit_words import WIRE_LABELS
from pages._components.theme import ACCENT, DATA_BY_DATA, DENSE, GROUND, SWITCH, TEXT, WEIGHT_MASKED
from pages._figures.base import (
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    pointer,
    rounded,
)

LOOKS = {
    "adamw-ring": (DENSE.light, "solid", 2.5),
    "topk-ring": (DATA_BY_DATA.light, "dash", 2.5),
    "band-ring": (WEIGHT_MASKED.light, "dot", 2.5),
    "band-summed-ring": (SWITCH.light, "dashdot", 2.5),
    "adamw-nvls": (DENSE.light, "longdash", 1.2),
    "topk-multicast": (DATA_BY_DATA.light, "longdash", 1.2),
    "band-summed-nvls": (SWITCH.light, "longdash", 1.2),
}
"""Rings send what they receive; the thin lines, in the network, are what a worker sends."""
OVERTAKING = {"topk": "topk-ring", "band": "band-ring"}


def wire_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Bytes that a worker sends in one sync over the replicas that take part."""
    params = evaluation.params
    sweep: ReplicaSweep = evaluation.series.replicas
    traces = [_line(name, sweep) for name in LOOKS]
    crossings = [
        (sweep.equal_at[name], sweep.past[name], wire)
        for name, wire in OVERTAKING.items()
        if 2 <= sweep.equal_at[name] <= float(sweep.replicas[-1])
    ]
    points = [
        (where, float(_at(sweep, "adamw-ring", where)), past, wire)
        for where, past, wire in crossings
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "overtakes the dense ring",
            "x": rounded([point[0] for point in points]),
            "y": rounded([point[1] for point in points]),
            "marker": outlined(TEXT.light, 13, "diamond"),
            "customdata": [
                f"{WIRE_LABELS[wire]} moves more from {group_digits(past)} replicas on"
                for _, _, past, wire in points
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    )
    here = params.datacentres * params.workers_per_dc
    sent = [float(value) for name in LOOKS for value in sweep.moved[name].sent[[0, -1]]]
    low, high = min(value for value in sent if value > 0) / 2, max(sent) * 3
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Replicas in one flat ring (log scale)", 1.8,
                          float(sweep.replicas[-1]) * 1.1),
        yaxis=decade_axis("Sent by a worker, per sync (B)", low, high),
        shapes=[
            {
                "type": "line", "xref": "x", "yref": "paper", "x0": here, "x1": here, "y0": 0,
                "y1": 1, "layer": "below", "line": {"color": ACCENT.light, "width": 2},
            }
        ] if here > 1 else [],
        annotations=[
            pointer(
                f"from {group_digits(past)}",
                x=math.log10(where), y=math.log10(height), ax=-26 if index == 0 else 26, ay=-40 if index == 0 else 40, )
            for index, (where, height, past, _) in enumerate(sorted(points))
        ]
        + ([
            note(f"here: {group_digits(here)}", x=math.log10(here), y=0, yref="paper",
                 xanchor="right" if here > float(sweep.replicas[-1]) / 8 else "left", yanchor="bottom", xshift=-4 if here > float(sweep.replicas[-1]) / 8 else 4, color=ACCENT.light,
                 bgcolor=GROUND.light)
        ] if here > 1 else []),
    )  # fmt: skip


def _line(name: str, sweep: ReplicaSweep) -> dict[str, Any]:
    color, dash, width = LOOKS[name]
    moved = sweep.moved[name]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": WIRE_LABELS[name],
        "x": sweep.replicas.tolist(),
        "y": rounded(moved.sent),
        "line": {"color": color, "width": width, "dash": dash},
        "customdata": [
            f"sends {si(float(sent), 'B')}, receives {si(float(received), 'B')}"
            for sent, received in zip(moved.sent, moved.received, strict=True)
        ],
        "hovertemplate": f"{WIRE_LABELS[name]}, %{{x:,}} replicas<br>%{{customdata}}<extra></extra>",
    }


def _at(sweep: ReplicaSweep, name: str, where: float) -> float:
    """Bytes of a ring at a number of replicas between those of the sweep."""
    replicas, sent = sweep.replicas, sweep.moved[name].sent
    index = min(max(int(replicas.searchsorted(where)), 1), len(replicas) - 1)
    part = (where - replicas[index - 1]) / (replicas[index] - replicas[index - 1])
    return float(sent[index - 1] + part * (sent[index] - sent[index - 1]))

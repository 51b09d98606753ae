"""Bandwidth that overlapped DiLoCo needs: in this state, and published beside the closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.diloco import GRID_STEP_DECADES, DilocoEntry
from foptrn_model.explorers import Evaluation
from foptrn_model.text import significant
from foptrn_model.transit_sweeps import UtilisationSweep
from pages._components.theme import ACCENT, HYBRID, HYENA, MUTED, RAISED, TRANSFORM
from pages._figures.base import (
    axis,
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    rounded,
)

MODEL_LOOKS = ((HYENA.light, "circle"), (TRANSFORM.light, "square"), (HYBRID.light, "diamond"))
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "solid")


def needed_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Gb/s between data centres over the utilisation, by steps per sync."""
    params, result = evaluation.params, evaluation.result
    sweep: UtilisationSweep = evaluation.series.utilisation
    lines = {every: line for every, line in sweep.needed_Gbps.items() if line.min() > 0}
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": f"H = {every:,}",
            "x": rounded(100 * sweep.utilisation),
            "y": rounded(line),
            "line": {
                "color": ACCENT.light if every == params.sync_every else MUTED.light,
                "width": 2.8 if every == params.sync_every else 1.6,
                "dash": dash,
            },
            "hovertemplate": f"H = {every:,}, %{{x:.3~g}} %: %{{y:.4~g}} Gb/s<extra></extra>",
        }
        for dash, (every, line) in zip(DASHES, lines.items(), strict=False)
    ]
    if isinstance(result.diloco_Gbps, float) and lines:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "this state",
                "x": [100 * params.target_utilisation],
                "y": rounded([result.diloco_Gbps]),
                "marker": outlined(ACCENT.light, 13),
                "customdata": [f"{significant(result.diloco_Gbps, 4)} Gb/s"],
                "hovertemplate": "This state: %{customdata}<extra></extra>",
            }
        )
    values = [float(value) for line in lines.values() for value in (line[0], line[-1])]
    low, high = (min(values) / 2, max(values) * 2) if values else (0.1, 10.0)
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=axis("Computing, share of the time (%)", range=[48, 101]),
        yaxis=decade_axis("Bandwidth needed (Gb/s)", low, high),
        annotations=[]
        if lines
        else [note("Nothing to send, or nothing to compute",
                   x=0.5, y=0.5, xref="paper", yref="paper")],
    )  # fmt: skip


def published_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Every published bandwidth against ours; within the band they agree to a step of the grid."""
    entries: tuple[DilocoEntry, ...] = evaluation.series.diloco
    ends = [0.3, 1200.0]
    step = 10**GRID_STEP_DECADES
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": "within one step of the grid",
            "x": [*ends, *ends[::-1]],
            "y": rounded([*(end * step for end in ends), *(end / step for end in ends[::-1])]),
            "fill": "toself",
            "fillcolor": RAISED.light,
            "line": {"width": 0, "color": RAISED.light},
            "hoverinfo": "skip",
        }
    ]
    for (color, symbol), model in zip(MODEL_LOOKS, dict.fromkeys(e.model for e in entries),
                                      strict=True):  # fmt: skip
        own = [entry for entry in entries if entry.model == model]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": model,
                "x": [entry.published_Gbps for entry in own],
                "y": rounded([entry.ours_Gbps for entry in own]),
                "marker": outlined(color, 10, symbol),
                "customdata": [
                    f"{model}, H = {entry.sync_every}, {100 * entry.utilisation:.0f} %<br>"
                    f"published {entry.published_Gbps:g}, ours {significant(entry.ours_Gbps)} Gb/s"
                    f" ({entry.deviation_grid_steps:+.2f} steps)"
                    for entry in own
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )
    near = sum(entry.within_one_step for entry in entries)
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Published (Gb/s)", 0.35, 1400),
        yaxis=decade_axis("By the closed form (Gb/s)", 0.35, 1400),
        annotations=[
            note(f"{near} of {len(entries)} within one step of the published grid",
                 x=math.log10(1300), y=math.log10(0.4), xanchor="right", yanchor="bottom")
        ],
    )  # fmt: skip

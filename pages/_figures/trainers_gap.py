"""The reality gap as a slope chart, and what each imperfection does to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import percent, significant
from foptrn_model.trainers_params import SWEEP_LABELS, TRAINER_LABELS
from foptrn_model.trainers_simulation import PAGE_CAP_S
from foptrn_model.trainers_views import ImperfectionSweep
from pages._components.theme import ACCENT, GROUND, MUTED
from pages._figures.base import SMALL, axis, figure, legend_above, note, outlined, rounded
from pages._figures.trainers_looks import LOOKS, quartile_band

MACHINES = ("on the model", "on the hardware")
LABEL_GAP = 5.5
"""Percent that labels at the end of slopes keep from each other."""


def gap_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Median final accuracy on the model and on the hardware, a line for each trainer."""
    trainers = evaluation.result.trainers
    traces = [_slope(name, found, "") for name, found in trainers.items()]
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        traces += [
            _slope(name, found, f"{letter}: ")
            | {"showlegend": False, "line": {"color": LOOKS[name].color, "width": 1, "dash": "dot"}}
            for name, found in pin.result.trainers.items()
        ]
    ends = _apart({name: 100 * found.hardware_accuracy.median for name, found in trainers.items()})
    return figure(
        traces,
        showlegend=False,
        margin={"l": 56, "r": 8, "t": 8, "b": 46},
        # The longest label ends inside the figure on a phone too.
        xaxis=axis("", tickvals=[0, 1], range=[-0.12, 3.1], showgrid=False,
                   ticktext=[machine.replace("the ", "the<br>") for machine in MACHINES]),
        yaxis=axis("Final test accuracy, median (%)", range=[0, 104]),
        annotations=[
            note(
                f"<b>{TRAINER_LABELS[name]}</b> {percent(found.hardware_accuracy.median)}",
                x=1, y=ends[name], xanchor="left", xshift=12, color=LOOKS[name].color,
            )
            | {"font": {"size": SMALL, "color": LOOKS[name].color}}
            for name, found in trainers.items()
        ],
    )  # fmt: skip


def _slope(name: str, found: Any, prefix: str) -> dict[str, Any]:
    values = [found.model_accuracy.median, found.hardware_accuracy.median]
    look = LOOKS[name]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": TRAINER_LABELS[name],
        "x": [0, 1],
        "y": rounded([100 * value for value in values], 4),
        "line": {"color": look.color, "width": 2.6, "dash": look.dash},
        "marker": outlined(look.color, 12, look.symbol),
        "customdata": [
            f"{prefix}{TRAINER_LABELS[name]}, {machine}: {percent(value)}<br>"
            f"gap of the means {significant(100 * found.reality_gap)} points"
            for machine, value in zip(MACHINES, values, strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _apart(ends: dict[str, float]) -> dict[str, float]:
    """Heights of labels, pushed apart downwards from the highest, and back up from the bottom."""
    placed: dict[str, float] = {}
    last = 200.0
    for name, value in sorted(ends.items(), key=lambda item: -item[1]):
        last = min(value, last - LABEL_GAP)
        placed[name] = last
    lowest = min(placed.values())
    if lowest < 2:
        placed = {name: value + (2 - lowest) for name, value in placed.items()}
    return placed


def sweep_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Mean final accuracy over one imperfection: on the hardware, and thin what the model says."""
    params = evaluation.params
    swept: ImperfectionSweep | None = evaluation.series.swept
    spec = params.specs()[params.sweep]
    unit = spec.unit or "fraction"
    label = f"{SWEEP_LABELS[params.sweep]} ({unit})"
    traces: list[dict[str, Any]] = []
    notes = []
    if swept is None:
        needed = evaluation.series.sweep_s
        words = (
            "The sweep is computed when this figure is on screen"
            if needed <= PAGE_CAP_S
            else f"A sweep would take about {significant(needed, 2)} s, over the cap of "
            f"{significant(PAGE_CAP_S, 2)} s: fewer steps or seeds"
        )
        notes.append(note(words, x=0.5, y=0.5, xref="paper", yref="paper", color=MUTED.light))
    else:
        for name, points in swept.hardware_accuracy.items():
            look = LOOKS[name]
            q1, q3 = [100 * p.q1 for p in points], [100 * p.q3 for p in points]
            traces.append(quartile_band(name, swept.values, q1, q3))
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "name": TRAINER_LABELS[name],
                    "x": list(swept.values),
                    "y": rounded([100 * point.mean for point in points], 4),
                    "line": {"color": look.color, "width": 2.6, "dash": look.dash},
                    "marker": outlined(look.color, 10, look.symbol),
                    "hovertemplate": f"{TRAINER_LABELS[name]} at %{{x}}: %{{y:.3~g}} %"
                    "<extra></extra>",
                }
            )
        here = getattr(params, params.sweep)
        if swept.values[0] <= here <= swept.values[-1]:
            notes.append(
                note("here", x=here, y=0, yref="paper", xanchor="left", yanchor="bottom", xshift=4,
                     color=ACCENT.light, bgcolor=GROUND.light)
            )  # fmt: skip
    last = swept.values[-1] if swept else spec.high
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 20, "t": 8, "b": 48},
        xaxis=axis(label, range=[-0.02 * last, 1.02 * last]),
        yaxis=axis("Final accuracy on the hardware, mean (%)", range=[0, 103]),
        shapes=[
            {
                "type": "line", "xref": "x", "yref": "paper", "x0": getattr(params, params.sweep),
                "x1": getattr(params, params.sweep), "y0": 0, "y1": 1, "layer": "below",
                "line": {"color": ACCENT.light, "width": 1.5},
            }
        ] if notes and swept else [],
        annotations=notes,
    )  # fmt: skip

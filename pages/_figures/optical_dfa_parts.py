"""What each method's step goes to in one state: a bar each, its parts named below it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.optical_dfa import METHOD_LABELS, METHODS, TERMS, step_terms
from foptrn_model.text import duration
from pages._components.theme import GROUND, MUTED
from pages._figures.base import SMALL, axis, figure, note, rounded
from pages._figures.optical_dfa_looks import LOOKS
from pages._figures.optical_dfa_strips import REGIME_LABELS

TONES = {
    "launch": 0.35, "compute": 0.75, "memory-bandwidth": 0.55, "offload": 1.0, "frame-rate": 0.75,
    "camera": 0.5,
}  # fmt: skip
"""Depth of tone of each part; neighbours differ."""
NAMED = 0.01
"""Share of a step from which a part is named."""
PER_LINE = 2
"""Parts named in a line; more would not fit a phone."""
TICKS = 4
SPANS = (1e-9, 1e-6, 1e-3, 1.0, 60.0, 3_600.0, 86_400.0, 31_557_600.0)
"""Units of time whose round multiples make ticks."""


def parts_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """What each method's step goes to in this state, as stacked bars."""
    params, result = evaluation.params, evaluation.result
    terms = step_terms(params, params.depth, params.width)
    most = max(result.step_time_s.values())
    traces = []
    for term in TERMS:
        seconds = [float(terms[method][term]) for method in METHODS]
        if not any(seconds):
            continue
        traces.append(
            {
                "type": "bar", "orientation": "h", "name": REGIME_LABELS[term],
                "x": rounded(seconds), "y": list(range(len(METHODS))), "width": 0.26,
                "marker": {
                    "color": [LOOKS[method].color for method in METHODS],
                    "opacity": TONES[term], "line": {"width": 1, "color": GROUND.light},
                },
                "showlegend": False,
                "customdata": [
                    f"{METHOD_LABELS[method]}, {REGIME_LABELS[term]}: {duration(value)}"
                    for method, value in zip(METHODS, seconds, strict=True)
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )  # fmt: skip
    labels = []
    for place, method in enumerate(METHODS):
        whole = result.step_time_s[method]
        labels += [
            note(f"<b>{METHOD_LABELS[method]}: {duration(whole)}</b>", x=0, xref="paper",
                 y=place - 0.15, xanchor="left", yanchor="bottom", color=LOOKS[method].color),
            note(_named(terms[method], whole), x=0, xref="paper", y=place + 0.15, xanchor="left",
                 yanchor="top", align="left", font={"size": SMALL, "color": MUTED.light}),
        ]  # fmt: skip
    ticks = time_ticks(most)
    return figure(
        traces,
        barmode="stack",
        margin={"l": 12, "r": 16, "t": 4, "b": 44},
        xaxis=axis("Time per step (linear scale)", range=[0, 1.05 * most], tickvals=ticks,
                   ticktext=[_tick_text(tick) for tick in ticks]),
        yaxis=axis("", range=[len(METHODS) - 0.45, -0.5], visible=False),
        annotations=labels,
    )  # fmt: skip


def _named(terms: Mapping[str, Any], whole: float) -> str:
    """The parts of a bar from left to right, those too small to see left out."""
    parts = [
        f"{REGIME_LABELS[term]} {duration(float(terms[term]))}"
        for term in TERMS
        if float(terms[term]) >= NAMED * whole
    ]
    lines = [", ".join(parts[at : at + PER_LINE]) for at in range(0, len(parts), PER_LINE)]
    return ",<br>".join(lines)


def _tick_text(seconds: float) -> str:
    return re.sub(r"\.0+(?=\D)", "", duration(seconds)) if seconds else "0"


def time_ticks(most_s: float) -> list[float]:
    """Ticks from zero up to a time, at round numbers of the unit that people use for it."""
    unit = max((span for span in SPANS if span <= most_s), default=1e-12)
    rough = most_s / unit / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = unit * power * min(n for n in (1, 2, 5, 10) if n * power >= rough)
    return [step * count for count in range(math.floor(most_s / step) + 1)]

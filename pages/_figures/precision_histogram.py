"""The sample as a histogram, with the values that a format has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.precision_series import Histogram
from foptrn_model.text import counted, group_digits, significant
from pages._components.theme import CONTROL, GROUND, MUTED, TEXT
from pages._figures.base import SMALL, axis, figure, legend_above, note, outlined, rounded
from pages._figures.precision_looks import color, label

MOST_LINES = 260
"""Values of a format that a window shows as lines; more would run together."""


def histogram_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Share of the values per bin; a line for each value of the chosen format."""
    params = evaluation.params
    found: Histogram = evaluation.series.histogram
    edges = found.edges.tolist()
    share = [100 * value if value else None for value in found.share.tolist()]
    shown = [value for value in share if value]
    top = max(shown, default=1.0) * 3
    bottom = min(shown, default=0.1) / 3
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "name": "values of the first draw",
            "x": rounded((low + high) / 2 for low, high in pairwise(edges)),
            "y": [value if value is None else rounded([value])[0] for value in share],
            "width": rounded([edges[1] - edges[0]])[0],
            "marker": {"color": CONTROL.light, "opacity": 0.55, "line": {"width": 0}},
            "hovertemplate": "about %{x:.4g} RMS: %{y:.3g} % of the values<extra></extra>",
        }
    ]
    grid = found.grid.tolist()
    drawn = len(grid) <= MOST_LINES
    if drawn:
        traces.append(_grid(params.show_format, grid, bottom, top))
    traces += _pin_peaks(pinned, found)
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        bargap=0,
        margin={"l": 64, "r": 20, "t": 8, "b": 48},
        xaxis=axis("Value (RMS of the draw)", range=[found.low, found.high], showgrid=False),
        yaxis=axis(
            "Share per bin (%, log scale)", type="log", dtick=1,
            range=[math.log10(bottom), math.log10(top)],
        ),
        annotations=_labels(evaluation, len(grid), drawn=drawn, empty=not shown),
    )  # fmt: skip


def _grid(name: str, grid: list[float], bottom: float, top: float) -> dict[str, Any]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for value in rounded(grid, 7):
        xs += [value, value, None]
        ys += [bottom, top, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": f"values of {label(name)}",
        "x": xs,
        "y": rounded_or_none(ys),
        "line": {"color": color(name), "width": 1},
        "hovertemplate": f"{label(name)} has %{{x:.6g}} RMS<extra></extra>",
    }


def rounded_or_none(values: list[float | None]) -> list[float | None]:
    """Numbers to a few digits, gaps kept."""
    return [None if value is None else rounded([value])[0] for value in values]


def _pin_peaks(pinned: Sequence[Evaluation], found: Histogram) -> list[dict[str, Any]]:
    """Where a pinned state's draws end, where that is within the window."""
    return [
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": f"{letter}: pinned, median peak",
            "showlegend": False,
            "x": rounded([pin.result.crest]),
            "y": [rounded([100 * float(found.share[found.share > 0].min(initial=1))])[0]],
            "text": [f"<b>{letter}</b>"],
            "textposition": "middle center",
            "textfont": {"color": GROUND.light, "size": SMALL},
            "marker": outlined(TEXT.light, 20, "square"),
            "customdata": [f"{letter}: its peak lies at {significant(pin.result.crest)} RMS"],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
        if found.low <= pin.result.crest <= found.high
    ]


def _labels(
    evaluation: Evaluation, count: int, *, drawn: bool, empty: bool
) -> list[dict[str, Any]]:
    params = evaluation.params
    name = label(params.show_format)
    if drawn:
        text = f"{name} has {counted(count, 'value')} in this window"
    else:
        text = f"{name} has {group_digits(count)} values in this window, too fine to draw: zoom in"
    labels = [
        note(text, x=0.99, y=0.98, xref="paper", yref="paper", xanchor="right", yanchor="top",
             color=color(params.show_format), bgcolor=GROUND.light, borderpad=2)
    ]  # fmt: skip
    if empty:
        labels.append(
            note("No value of the draw lies in this window", x=0.5, y=0.5, xref="paper",
                 yref="paper", color=MUTED.light)
        )  # fmt: skip
    return labels

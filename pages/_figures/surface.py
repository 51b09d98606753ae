"""A swept quantity over two fields, with the state around which it was swept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from foptrn_model.fields import Spec
from foptrn_model.sweep.surface import Surface
from foptrn_model.sweep.views import Cells, Quantity
from pages._components.theme import BANDS, MUTED, RAISED, TEXT
from pages._figures.base import SMALL, axis, figure, legend_above, note, rounded
from pages._figures.marks import state_mark

FIELDS = (RAISED.light, *(token.light for name, token in BANDS.items() if name > "masks"))
"""From the smallest numbers to the largest."""
STEPS = (1, 2, 2.5, 5, 10)
FEW_DECADES = 1.5
"""Up to here an axis has room for ticks within a decade."""
MANY_FOLD = 100
"""Numbers that differ by more than this are shown on a log scale."""


def surface_figure(
    surface: Surface, cells: Cells, quantity: Quantity, at: Mapping[str, Any]
) -> dict[str, Any]:
    """Fields between labelled lines of equal value; what a pointer finds has every cell's number."""
    across, down = (surface.state.specs()[item.name] for item in surface.axes)
    numbers = [value for line in cells.mean for value in line if value is not None]
    traces: list[dict[str, Any]] = []
    labels = []
    if numbers and min(numbers) < max(numbers):
        traces.append(_fields(cells, quantity, min(numbers), max(numbers)))
    elif numbers:
        text = f"{quantity.headline.text(numbers[0])} everywhere"
        labels.append(note(text, x=0.5, y=0.5, xref="paper", yref="paper"))
    else:
        labels.append(note("no number anywhere", x=0.5, y=0.5, xref="paper", yref="paper"))
    traces.append(_said(cells, quantity, across, down))
    here = [float(at[spec.name]) for spec in (across, down)]
    if all(
        min(values) <= value <= max(values)
        for value, values in zip(here, (cells.x, cells.y), strict=True)
    ):
        # On a linear axis 0 has its place too.
        traces.append(state_mark(here[0], here[1], "what was swept around") | {"y": [here[1]]})
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 64, "r": 16, "t": 8, "b": 48},
        xaxis=_axis(across, cells.x),
        yaxis=_axis(down, cells.y),
        annotations=labels,
    )


def _axis(spec: Spec, values: Sequence[float]) -> dict[str, Any]:
    log = logarithmic(spec, values)
    unit = ", ".join(filter(None, (spec.unit, "log scale" if log else "")))
    title = f"{spec.label} ({unit})" if unit else spec.label
    ends = [math.log10(value) if log else value for value in (values[0], values[-1])]
    ticks = {"dtick": "D2" if abs(ends[1] - ends[0]) < FEW_DECADES else 1} if log else {}
    return axis(title, type="log" if log else "linear", range=sorted(ends), **ticks)


def logarithmic(spec: Spec, values: Sequence[float]) -> bool:
    """Whether a field's values are at equal ratios."""
    return spec.scale != "linear" and min(values) > 0


def _fields(cells: Cells, quantity: Quantity, low: float, high: float) -> dict[str, Any]:
    """Shares have their lines labelled, other numbers a bar of the fields beside them."""
    headline, last = quantity.headline, len(FIELDS) - 1
    percent = headline.style == "percent"
    log = not percent and low > 0 and high / low > MANY_FOLD
    start, size = _levels(math.log10(low), math.log10(high)) if log else _levels(low, high)
    levels = [start + index * size for index in range(last)]
    shown = [
        [None if value is None else math.log10(value) if log else value for value in line]
        for line in cells.mean
    ]
    return {
        "type": "contour",
        "x": rounded(cells.x),
        "y": rounded(cells.y),
        "z": [[None if z is None else float(f"{z:.4g}") for z in line] for line in shown],
        "autocontour": False,
        "contours": {
            "start": start, "end": levels[-1], "size": size, "showlabels": percent,
            "labelformat": ".0%" if size >= 0.01 else ".1%",
            "labelfont": {"size": SMALL, "color": TEXT.light},
        },
        "colorscale": [[index / last, color] for index, color in enumerate(FIELDS)],
        "line": {"width": 1, "color": TEXT.light, "smoothing": 0},
        "showscale": not percent,
        "colorbar": {
            "thickness": 12, "outlinewidth": 0, "tickvals": levels,
            "ticktext": [headline.text(10**level if log else level) for level in levels],
            "tickfont": {"size": SMALL, "color": MUTED.light},
        },
        "showlegend": False,
        "connectgaps": False,
        "hoverinfo": "skip",
    }  # fmt: skip


def _levels(low: float, high: float) -> tuple[float, float]:
    """The first level and the step between round levels that part a range into the fields."""
    wanted = (high - low) / len(FIELDS)
    power = 10.0 ** math.floor(math.log10(wanted))
    size = next(step * power for step in STEPS if step * power >= wanted * (1 - 1e-9))
    return math.ceil(low / size + 1e-9) * size, size


def _said(cells: Cells, quantity: Quantity, across: Spec, down: Spec) -> dict[str, Any]:
    """Every cell's number, unseen until a pointer asks."""
    return {
        "type": "heatmap",
        "x": rounded(cells.x),
        "y": rounded(cells.y),
        "z": [[0] * len(cells.x) for _ in cells.y],
        "opacity": 0,
        "showscale": False,
        "showlegend": False,
        "text": [
            [_words(quantity, cells, row, column) for column in range(len(cells.x))]
            for row in range(len(cells.y))
        ],
        "hovertemplate": f"{across.label} %{{x}}, {down.label} %{{y}}:<br>%{{text}}<extra></extra>",
    }


def _words(quantity: Quantity, cells: Cells, row: int, column: int) -> str:
    headline = quantity.headline
    mean = cells.mean[row][column]
    low, high = cells.low[row][column], cells.high[row][column]
    if mean is None or low is None or high is None:
        return headline.text(cells.words[row][column]) or "no number"
    said = headline.text(mean)
    if low < high:
        of = quantity.spread or f"{cells.points} points"
        said += f" ({of}: {headline.text(low)} to {headline.text(high)})"
    return said

"""What each trained network makes of the plane, on the same device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.text import percent
from foptrn_model.trainers_params import TRAINER_LABELS
from foptrn_model.trainers_views import DecisionMap
from pages._components.theme import BANDS, DATA_BY_DATA, SURFACE, TEXT
from pages._figures.base import FONT, SMALL, figure, legend_above, note, rounded
from pages._figures.trainers_looks import LOOKS

POINTS = 60
"""Test samples that are shown, of either class together."""
CLASS_LOOKS = ((TEXT.light, "circle"), (DATA_BY_DATA.light, "diamond"))


def maps_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """A field per step of a score, the border between the classes, and test samples."""
    maps: dict[str, DecisionMap] = evaluation.series.maps
    traces: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    accuracy = evaluation.series.state.hardware_accuracy[:, 0]
    for index, (name, found) in enumerate(maps.items()):
        suffix = "" if index == 0 else str(index + 1)
        where = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
        column, row = index % 2, index // 2
        traces += [trace | where for trace in _panel(found, first=index == 0)]
        labels.append(
            note(
                f"<b>{TRAINER_LABELS[name]}</b> {percent(float(accuracy[index]))}",
                x=0, y=1, xref=f"x{suffix} domain", yref=f"y{suffix} domain", xanchor="left",
                yanchor="bottom", yshift=2,
            )
            | {"font": {"size": SMALL, "color": LOOKS[name].color, "family": FONT}}
        )  # fmt: skip
        hidden = {"visible": False, "fixedrange": True, "title": {"text": ""}}
        axes[f"xaxis{suffix}"] = hidden | {
            "domain": [0.52 * column, 0.48 + 0.52 * column],
            "range": [float(found.x[0]), float(found.x[-1])],
        }
        axes[f"yaxis{suffix}"] = hidden | {
            "domain": [0.53 * (1 - row), 0.42 + 0.53 * (1 - row)],
            "range": [float(found.y[0]), float(found.y[-1])],
        }
    return figure(
        traces,
        showlegend=True,
        legend=legend_above() | {"y": 1.02},
        margin={"l": 2, "r": 14, "t": 8, "b": 8},  # the longest name over the last map ends inside
        annotations=labels,
        **axes,
    )


def _panel(found: DecisionMap, *, first: bool) -> list[dict[str, Any]]:
    colors = [token.light for token in BANDS.values()]
    last = len(colors) - 1
    grid = {
        "x": rounded(found.x, 4),
        "y": rounded(found.y, 4),
        "z": found.hardware.round(2).tolist(),
        "autocontour": False,
        "showscale": False,
        "showlegend": False,
    }
    fields = {
        "type": "contour",
        "contours": {"start": 1 / 8, "end": 7 / 8, "size": 1 / 8},
        "colorscale": [[index / last, color] for index, color in enumerate(colors)],
        "line": {"width": 0},
        "hovertemplate": "score of class 1: %{z:.2f}<extra></extra>",
    }
    border = {
        "type": "contour",
        "contours": {"start": 0.5, "end": 0.5, "size": 1, "coloring": "none"},
        "line": {"width": 2, "color": TEXT.light},
        "hoverinfo": "skip",
    }
    traces: list[dict[str, Any]] = [grid | fields, grid | border]
    for label, (color, symbol) in enumerate(CLASS_LOOKS):
        own = found.labels[:POINTS] == label
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"class {label}",
                "showlegend": first,
                "x": rounded(found.points[0, :POINTS][own], 4),
                "y": rounded(found.points[1, :POINTS][own], 4),
                "marker": {"symbol": symbol, "size": 6, "color": color,
                           "line": {"width": 1, "color": SURFACE.light}},
                "hoverinfo": "skip",
            }
        )  # fmt: skip
    return traces

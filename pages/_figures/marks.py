"""Markers that every sweep carries: the current state, pinned ones, published values."""

from __future__ import annotations

from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.parameters import Params
from foptrn_model.pins import state_name
from foptrn_model.published import published_values
from pages._components.theme import ACCENT, GROUND, MUTED, TEXT
from pages._figures.base import SMALL, outlined, rounded


def state_mark(x: float, y: float, text: str, **options: Any) -> dict[str, Any]:
    """The current state; nothing is drawn at 0, which has no place on a log axis."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "this state",
        "x": [x],
        "y": rounded([y]) if y else [None],
        "marker": outlined(ACCENT.light, 13),
        "customdata": [f"This state: {text}"],
        "hovertemplate": "%{customdata}<extra></extra>",
    } | options


def pin_mark(letter: str, params: Params, x: float, y: float, text: str) -> dict[str, Any]:
    """A pinned scenario as a square with its letter; nothing is drawn at 0."""
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": f"{letter}: pinned",
        "showlegend": False,
        "x": [x],
        "y": rounded([y]) if y else [None],
        "text": [f"<b>{letter}</b>"],
        "textposition": "middle center",
        "textfont": {"color": GROUND.light, "size": SMALL},
        "marker": outlined(TEXT.light, 20, "square"),
        "customdata": [f"{letter}: {state_name(params)}<br>{text}"],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def published_marks(
    evaluation: Evaluation, *, field: str, along: str, free: set[str], name: str, scale: float = 1
) -> list[dict[str, Any]]:
    """A trace with the published values of one result field, or none.

    ``along`` is the param on the x axis; params in ``free`` may differ from
    the current state, all others must be those of the published case. The y
    axis shows the field times ``scale``.
    """
    params = evaluation.params
    here = params.model_dump(exclude=free)
    points = []
    for value in published_values(evaluation.explorer.slug):
        if value.field == field:
            case = type(params).parse(value.raw_params())
            if case.model_dump(exclude=free) == here:
                points.append((getattr(case, along), value))
    if not points:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": name,
            "x": [x for x, _ in points],
            "y": rounded([scale * value.published / value.factor for _, value in points]),
            "marker": {
                "symbol": "diamond-open",
                "size": 17,
                "color": MUTED.light,
                "line": {"width": 2, "color": TEXT.light},
            },
            "customdata": [
                f"Published: {value.published:g} {value.unit} "
                f"({value.state}; source: {value.source})"
                for _, value in points
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    ]

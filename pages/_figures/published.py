"""Markers of published values, where they are of the very case that is shown."""

from __future__ import annotations

from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.published import published_values
from pages._components.theme import MUTED, TEXT


def published_marks(
    evaluation: Evaluation, *, field: str, along: str, free: set[str], name: str
) -> list[dict[str, Any]]:
    """A trace with the published values of one result field, or none.

    ``along`` is the param on the x axis; params in ``free`` may differ from
    the current state, all others must be those of the published case.
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
            "y": [value.published for _, value in points],
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

"""How each method looks in every optical DFA figure, and the lines they share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.parameters import Params
from foptrn_model.pins import PIN_LETTERS, state_name
from pages._components.theme import DENSE, FEEDBACK_ALIGNMENT, OTHER, TRANSFORM
from pages._figures.base import Look, rounded
from pages._figures.marks import pin_mark

LOOKS = {
    "bp": Look(DENSE.light, "dash", "square"),
    "dfa": Look(FEEDBACK_ALIGNMENT.light, "dot", "triangle-up"),
    "odfa": Look(TRANSFORM.light, "solid", "circle"),
    "last": Look(OTHER.light, "dashdot", "diamond"),
}


def method_line(
    method: str,
    name: str,
    x: Sequence[float],
    y: Sequence[float | None],
    hover: str,
    **options: Any,
) -> dict[str, Any]:
    """One method's line; ``hover`` is what a point says after the method's name."""
    look = LOOKS[method]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": [None if value is None else rounded([value])[0] for value in y],
        "line": {"color": look.color, "width": 3 if method == "odfa" else 2.4, "dash": look.dash},
        "hovertemplate": f"{name}: {hover}<extra></extra>",
    } | options  # fmt: skip


NEAR = 0.05
"""Share of both axes within which two pins' markers would lie on each other."""
WIDER = 9
"""Pixels that each further letter takes."""


def pin_marks(
    pins: Sequence[tuple[Params, float, float, str]], wide: float, high: float
) -> list[dict[str, Any]]:
    """Pins as (params, x, y, text) on logarithmic axes; those that lie together share a marker.

    ``wide`` and ``high`` are the ratios of the axes' ends.
    """
    groups: list[list[int]] = []
    for index, (_, x, y, _) in enumerate(pins):
        for group in groups:
            _, other_x, other_y, _ = pins[group[0]]
            across = abs(math.log(x / other_x)) / math.log(wide)
            up = abs(math.log(y / other_y)) / math.log(high)
            if max(across, up) < NEAR:
                group.append(index)
                break
        else:
            groups.append([index])
    marks = []
    for group in groups:
        params, x, y, _ = pins[group[0]]
        mark = pin_mark(" ".join(PIN_LETTERS[index] for index in group), params, x, y, "")
        mark["marker"]["size"] += WIDER * (len(group) - 1)
        mark["customdata"] = [
            "<br>".join(
                f"{PIN_LETTERS[index]}: {state_name(pins[index][0])}<br>{pins[index][3]}"
                for index in group
            )
        ]
        marks.append(mark)
    return marks

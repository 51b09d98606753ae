"""How each method looks in every optical DFA figure, and the lines they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages._components.theme import DENSE, FEEDBACK_ALIGNMENT, OTHER, TRANSFORM
from pages._figures.base import Look, rounded

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

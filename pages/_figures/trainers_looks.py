"""How each trainer looks in every trainers figure: colour, dash and symbol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages._components.theme import FEEDBACK_ALIGNMENT, IN_SILICO, IN_SITU, PHYSICS_AWARE
from pages._figures.base import Look, rounded

LOOKS = {
    "in-silico": Look(IN_SILICO.light, "dash", "square"),
    "in-situ": Look(IN_SITU.light, "solid", "circle"),
    "physics-aware": Look(PHYSICS_AWARE.light, "dashdot", "diamond"),
    "feedback-alignment": Look(FEEDBACK_ALIGNMENT.light, "dot", "triangle-up"),
}


def quartile_band(
    trainer: str, x: Sequence[float], low: Sequence[float], high: Sequence[float]
) -> dict[str, Any]:
    """The middle half of the seeds around a line."""
    color = LOOKS[trainer].color
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "x": rounded([*x, *x[::-1]]),
        "y": rounded([*high, *low[::-1]], 4),
        "fill": "toself",
        "fillcolor": color,
        "opacity": 0.16,
        "line": {"width": 0, "color": color},
        "hoverinfo": "skip",
    }

"""How number formats look: colour, dash and marker, the same in every figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.number_formats import FORMATS
from pages._components.theme import ACCENT
from pages._components.theme import FORMATS as TOKENS
from pages._figures.base import SMALL, note

LOOKS = {
    "BF16": ("solid", "circle"),
    "FP16": ("dash", "square"),
    "E4M3": ("solid", "diamond"),
    "E5M2": ("dash", "triangle-up"),
    "E2M1": ("dot", "triangle-down"),
    "INT8": ("dashdot", "hexagon"),
}
"""Dash and marker symbol of each format."""
ENOB_TITLE = "ENOB of the read-out (bit)"


def color(name: str) -> str:
    """A format's colour in the light theme."""
    return TOKENS[name].light


def label(name: str) -> str:
    """What a format is called in a figure."""
    return FORMATS[name].label  # type: ignore[index]


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Places of labels, moved apart until neighbours are at least ``gap`` away."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    for _ in range(50):
        for low, high in pairwise(order):
            short = gap - (moved[high] - moved[low])
            if short > 1e-9:
                moved[low] -= short / 2
                moved[high] += short / 2
    return moved


def enob_line(evaluation: Evaluation) -> dict[str, Any]:
    """A vertical line at the state's ENOB."""
    return {
        "type": "line", "xref": "x", "yref": "paper", "layer": "below",
        "x0": evaluation.params.enob, "x1": evaluation.params.enob, "y0": 0, "y1": 1,
        "line": {"color": ACCENT.light, "width": 1.5, "dash": "dot"},
    }  # fmt: skip


def end_labels(places: Mapping[Any, float], *, gap: float, x: float = 1.0) -> list[dict[str, Any]]:
    """Names of formats at the right edge, at heights that may not collide."""
    heights = spread(list(places.values()), gap)
    return [
        note(
            f"<b>{label(name)}</b>", x=x, xref="paper", y=height, xanchor="left", xshift=5,
            color=color(name),
        ) | {"font": {"size": SMALL, "color": color(name)}}
        for name, height in zip(places, heights, strict=True)
    ]  # fmt: skip

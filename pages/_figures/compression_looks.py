"""Colours, dashes and names of the compression explorer's selectors and methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pages._components.theme import (
    BLOCK_CIRCULANT,
    DATA_BY_DATA,
    DENSE,
    HYBRID,
    IN_SILICO,
    OTHER,
    SWITCH,
    TRANSFORM,
    WEIGHT_MASKED,
)
from pages._figures.base import SMALL, Look, note
from pages._figures.precision_looks import spread

SELECTOR_LOOKS = {
    "topk": Look(DATA_BY_DATA.light, "solid", "circle"),
    "calibrated": Look(SWITCH.light, "dash", "diamond"),
    "random": Look(HYBRID.light, "dot", "square"),
    "zigzag": Look(TRANSFORM.light, "dashdot", "triangle-up"),
    "low": Look(WEIGHT_MASKED.light, "solid", "square"),
    "high": Look(OTHER.light, "longdash", "triangle-down"),
}
ADAMW_LOOK = Look(DENSE.light, "solid", "circle")
EXACT_BAND_LOOK = Look(TRANSFORM.light, "dash", "square")
"""The low band of runs, as optics send it, without any optics."""
SENT_LOOK = Look(BLOCK_CIRCULANT.light, "solid", "diamond")
EXACT_LOOK = Look(IN_SILICO.light, "dot", "x")

MAIN_LOOKS: Mapping[str, tuple[str, Look]] = {
    "adamw": ("AdamW", ADAMW_LOOK),
    "topk-2d64": ("top-k", SELECTOR_LOOKS["topk"]),
    "band-random-2d64": ("random", SELECTOR_LOOKS["random"]),
    "band-low-2d64": ("low, 64 \u00d7 64", SELECTOR_LOOKS["low"]),
    "band-low-1d256": ("low, 256", EXACT_BAND_LOOK),
    "optics-1d256-enob8-planes8-sent": ("optics, sent", SENT_LOOK),
    "optics-1d256-enob8-planes8-exact": ("optics, exact", EXACT_LOOK),
}
"""Methods that the loss figures show: how they are called there, and drawn."""


def line(x: Any, y: Any, look: Look, name: str, hover: str, **options: Any) -> dict[str, Any]:
    """A line of a method or selector; ``hover`` is the rest of its hover text."""
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": x, "y": y,
        "line": {"color": look.color, "width": 2, "dash": look.dash},
        "hovertemplate": f"{name}: {hover}<extra></extra>",
    } | options  # fmt: skip


def right_labels(
    ends: Iterable[tuple[str, str, float]], *, gap: float, x: float = 1.0
) -> list[dict[str, Any]]:
    """Names at the right edge, (name, colour, height) each, moved apart where they would collide."""
    listed = list(ends)
    heights = spread([height for _, _, height in listed], gap)
    return [
        note(f"<b>{name}</b>", x=x, xref="paper", y=at, xanchor="left", xshift=5, color=color)
        | {"font": {"size": SMALL, "color": color}}
        for (name, color, _), at in zip(listed, heights, strict=True)
    ]

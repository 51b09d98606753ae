"""How each way of syncing looks in every transit figure: colour, dash and symbol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.transit_step import BAND_GATHER, BAND_SWITCH, DENSE, TOPK
from foptrn_model.transit_words import WAY_LABELS, timed
from pages._components.theme import DATA_BY_DATA, GROUND, SWITCH, WEIGHT_MASKED
from pages._components.theme import DENSE as DENSE_COLOUR
from pages._figures.base import Look, note, rounded
from pages._figures.marks import pin_mark

LOOKS = {
    DENSE: Look(DENSE_COLOUR.light, "solid", "circle"),
    TOPK: Look(DATA_BY_DATA.light, "dash", "triangle-up"),
    BAND_GATHER: Look(WEIGHT_MASKED.light, "dot", "square"),
    BAND_SWITCH: Look(SWITCH.light, "dashdot", "diamond"),
}


SHORT = {DENSE: "AdamW", TOPK: "top-k", BAND_GATHER: "band", BAND_SWITCH: "band at switch"}
"""Names for figures a third of the page wide."""


def way_line(way: str, x: Any, y: Any, hover: str, **options: Any) -> dict[str, Any]:
    """A line of one way; ``hover`` is what follows its name, a hovertemplate."""
    look = LOOKS[way]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": WAY_LABELS[way],
        "x": rounded(x),
        "y": rounded(y),
        "line": {"color": look.color, "width": 2.5, "dash": look.dash},
        "hovertemplate": f"{WAY_LABELS[way]}<br>{hover}<extra></extra>",
    } | options


def fastest_pins(pinned: Sequence[Evaluation], along: str) -> list[dict[str, Any]]:
    """A mark at the fastest way of each pinned scenario, over one of its params."""
    return [
        pin_mark(
            letter,
            pin.params,
            getattr(pin.params, along),
            float(way.time_s),
            f"{WAY_LABELS[pin.result.fastest]}: {timed(way.time_s)}",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
        if pin.result.fastest in pin.result.ways
        for way in [pin.result.ways[pin.result.fastest]]
    ]


def pinned_times(pinned: Sequence[Evaluation]) -> list[float]:
    """Times of what :func:`fastest_pins` marks, which the axis must hold as well."""
    return [
        float(pin.result.ways[pin.result.fastest].time_s)
        for pin in pinned
        if pin.result.fastest in pin.result.ways
    ]


def empty_note(evaluation: Evaluation, lines: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Why a figure of times to the target is empty, where it is."""
    if any(line.max() > 0 for line in lines.values()):
        return []
    return [empty_label(timeless=bool(lines))]


def empty_label(*, timeless: bool) -> dict[str, Any]:
    """What stands in an empty figure."""
    text = "Every way takes no time at all here" if timeless else "No way reaches this loss"
    return note(text, x=0.5, y=0.62, xref="paper", yref="paper", bgcolor=GROUND.light, borderpad=4)

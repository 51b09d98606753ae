"""What the first figure of an explorer needs to be redrawn in the browser: where labels stand, names.

``foptrn_model.browser_data`` gives the models their constants; these are the
figures' own, for ``curves`` of ``assets/model*.js``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from foptrn_model import optical_dfa_series
from foptrn_model.amdahl_text import CLASS_LABELS
from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.browser_data import browser_data, constants
from foptrn_model.explorers import EXPLORERS, Evaluation, Explorer
from foptrn_model.ledger import VARIANTS
from foptrn_model.masks_series import ORDERS, spaced_sequences
from foptrn_model.optical_dfa import METHOD_LABELS, METHODS, TERMS
from foptrn_model.transit_step import WAYS
from foptrn_model.transit_sweeps import spaced_rates
from foptrn_model.transit_words import WAY_LABELS
from pages._components.theme import ACCENT, TEXT
from pages._figures import (
    amdahl_ledger,
    base,
    masks_crossing,
    optical_dfa_strips,
    optical_dfa_sweep,
    transit_wan,
    transit_ways,
)

FIGURES, LEDGER = "model-figures", "model-ledger"
SCRIPTS = {
    "amdahl": ("model", FIGURES, LEDGER, "model-amdahl"),
    "masks": ("model", FIGURES, LEDGER, "model-masks"),
    "transit": ("model", FIGURES, "model-transit-wan", "model-transit"),
    "optical-dfa": ("model", FIGURES, "model-optical-dfa-width", "model-optical-dfa"),
}
"""By explorer: the files in ``assets/`` that make its model and figure, in their order."""

Draw = Callable[[Evaluation, Sequence[Evaluation]], dict[str, Any]]
OF_A_STATE = frozenset({"x", "y", "text", "customdata"})
SIDES, HEIGHTS = ("left", "right"), ("low", "high")


def live_data(slug: str) -> dict[str, Any]:
    """Everything that ``foptrnModel.load(slug, data)`` takes where its figure is drawn as well."""
    make, draw = _FIGURES[slug]
    return browser_data(slug) | {"figure": make() | {"looks": _looks(EXPLORERS[slug], draw)}}


def _looks(explorer: Explorer, draw: Draw) -> dict[str, Any]:
    """Each trace by name, without what a state decides: some come and go while a slider moves.

    Between them the published cases have every trace.
    """
    looks: dict[str, Any] = {}
    for preset in explorer.presets:
        state = explorer.params.from_query(preset.query)
        for trace in draw(explorer.evaluate(state), ())["data"]:
            kept = {name: value for name, value in trace.items() if name not in OF_A_STATE}
            looks.setdefault(trace["name"], kept)
    return looks


def _axes() -> dict[str, Any]:
    return {"MOST_TICKS": base.MOST_TICKS, "TIME_TICKS": list(base.TIME_TICKS.items())}


def _amdahl() -> dict[str, Any]:
    return {
        "CLASS_LABELS": CLASS_LABELS,
        "VARIANT_LABELS": VARIANT_LABELS,
        **constants(amdahl_ledger, "DIRECTIONS", "STACK", "LABELLED", "LABELLED_FROM_PERCENT"),
        "labels": {
            name: [
                amdahl_ledger.heading_label("", place * amdahl_ledger.ROW_HEIGHT, color.light)
                for place in range(len(VARIANTS))
            ]
            for name, color in (("chosen", ACCENT), ("other", TEXT))
        },
    }


def _masks() -> dict[str, Any]:
    return {
        **_axes(),
        **constants(
            masks_crossing,
            "DIGITAL_LABEL_AT",
            "LEFT_FROM",
            "LEVEL_LABEL_AT",
            "MOST_SHOWN",
            "ROOM_FOR_LABEL",
            "STEEP_LABELS_AT",
        ),
        "lines": {
            name: masks_crossing.mask_look(chosen=name == "chosen") for name in ("chosen", "other")
        },
        "shapes": {"region": masks_crossing.region()},
        "labels": {
            "line": {line: masks_crossing.line_label(line) for line in masks_crossing.LINE_LABELS},
            "break-even": {side: masks_crossing.cross_label(left=side == "left") for side in SIDES},
            "never": masks_crossing.never_label(),
            "state": {
                f"{side} {up}": masks_crossing.state_label(left=side == "left", high=up == "high")
                for side in SIDES
                for up in HEIGHTS
            },
        },
        "CROWDED": [masks_crossing.CROWDED.start, masks_crossing.CROWDED.stop],
        "ORDERS": ORDERS,
        "sequences": spaced_sequences().tolist(),
    }


def _transit() -> dict[str, Any]:
    return {
        **_axes(),
        **constants(transit_wan, "FAR_LEFT", "FAR_RIGHT"),
        **constants(transit_ways, "SHORT"),
        "WAY_LABELS": WAY_LABELS,
        "shapes": {"rate": transit_wan.rate_line(), "links": transit_wan.link_lines()},
        "labels": {
            "links": transit_wan.link_labels(),
            "break-even": [transit_wan.break_even_label(after=after) for after in range(len(WAYS))],
            "rate": {
                side: transit_wan.rate_label(side=side) for side in ("left", "center", "right")
            },
            "empty": {
                name: transit_ways.empty_label(timeless=name == "timeless")
                for name in ("timeless", "not reached")
            },
        },
        "rates": spaced_rates().tolist(),
    }


def _optical_dfa() -> dict[str, Any]:
    strips, sweep = optical_dfa_strips, optical_dfa_sweep
    return {
        **_axes(),
        **constants(optical_dfa_series, "CUTS", "POINTS_PER_DECADE"),
        **constants(
            strips, "NARROW", "NEAR_EDGE", "REGIME_LABELS", "ROOM_PER_LETTER", "SHORT_NAMES"
        ),
        **constants(sweep, "CROSSING_SIGNS", "NEARLY_HALF", "OTHERS", "ROOM_FOR_LABEL"),
        "METHOD_LABELS": METHOD_LABELS,
        "shown": optical_dfa_series.SHOWN["width"],
        "shapes": {
            "won": {method: strips.won_shape(method) for method in sweep.OTHERS},
            "strip": {
                method: {regime: strips.strip_shape(method, regime) for regime in TERMS}
                for method in METHODS
            },
            "wall": strips.wall_line(),
            "camera": strips.camera_line(),
        },
        "labels": {
            "strip": {method: strips.strip_label(method) for method in METHODS},
            "wall": {side: strips.wall_label(side == "left") for side in SIDES},
            "camera": strips.camera_label(),
            "state": {
                f"{across} {up}": sweep.state_label(late=across == "late", high=up == "high")
                for across in ("early", "late")
                for up in HEIGHTS
            },
            "first": sweep.first_label(),
        },
    }


_FIGURES: dict[str, tuple[Callable[[], dict[str, Any]], Draw]] = {
    "amdahl": (_amdahl, amdahl_ledger.ledger_figure),
    "masks": (_masks, masks_crossing.crossing_figure),
    "transit": (_transit, transit_wan.wan_figure),
    "optical-dfa": (_optical_dfa, optical_dfa_sweep.width_figure),
}

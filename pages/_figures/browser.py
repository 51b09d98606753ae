"""What the first figure of an explorer needs to be redrawn in the browser: where labels stand, names.

``foptrn_model.browser_data`` gives the models their constants; these are the
figures' own, for ``curves`` of ``assets/model*.js``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from foptrn_model.amdahl_text import CLASS_LABELS
from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.browser_data import browser_data, constants
from foptrn_model.masks_series import ORDERS, spaced_sequences
from foptrn_model.transit_sweeps import spaced_rates
from foptrn_model.transit_words import WAY_LABELS
from pages._figures import amdahl_ledger, base, masks_crossing, transit_wan, transit_ways


def live_data(slug: str) -> dict[str, Any]:
    """Everything that ``foptrnModel.load(slug, data)`` takes where its figure is drawn as well."""
    return browser_data(slug) | {"figure": _MAKERS[slug]()}


def _axes() -> dict[str, Any]:
    return {"MOST_TICKS": base.MOST_TICKS, "TIME_TICKS": list(base.TIME_TICKS.items())}


def _amdahl() -> dict[str, Any]:
    return {
        "CLASS_LABELS": CLASS_LABELS,
        "VARIANT_LABELS": VARIANT_LABELS,
        **constants(amdahl_ledger, "DIRECTIONS", "STACK", "LABELLED", "LABELLED_FROM_PERCENT"),
    }


def _masks() -> dict[str, Any]:
    return {
        **_axes(),
        **constants(
            masks_crossing,
            "DIGITAL_LABEL_AT",
            "STEEP_LABELS_AT",
            "LEVEL_LABEL_AT",
            "ROOM_FOR_LABEL",
        ),
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
        "links": transit_wan.real_links(),
        "rates": spaced_rates().tolist(),
    }


_MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    "amdahl": _amdahl,
    "masks": _masks,
    "transit": _transit,
}

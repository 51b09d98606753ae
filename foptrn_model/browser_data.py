"""What the models in the browser are given: constants, ranges and tables, as JSON.

``assets/model*.js`` repeat the closed forms of four explorers for the time while
a slider is dragged. They hold formulas and words only; every number that they
rest on comes from here, so that it stands in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from foptrn_model import ledger
from foptrn_model.architecture import CUSTOM, CUSTOM_DEFAULT, SHAPE_FIELDS
from foptrn_model.shapes import PRESETS


def browser_data(slug: str) -> dict[str, Any]:
    """The constants of one explorer's model, for ``foptrnModel.load(slug, data)``."""
    return _MAKERS[slug]()


def _ledger() -> dict[str, Any]:
    return {
        **_constants(
            ledger, "CLASSES", "VARIANTS", "STATIC_CLASSES", "FLOP_PER_COMPLEX_PRODUCT",
            "FLOP_PER_COMPLEX_SUM", "SHORT_CONVOLUTION_TAPS",
        ),
        "CUSTOM": CUSTOM,
        "SHAPE_FIELDS": SHAPE_FIELDS,
        "custom": asdict(CUSTOM_DEFAULT),
        "shapes": {
            name: {"label": preset.label, "sizes": asdict(preset.shape)}
            for name, preset in PRESETS.items()
        },
    }  # fmt: skip


def _amdahl() -> dict[str, Any]:
    return {"ledger": _ledger(), **_constants(ledger, "DEMO_FLOP_PER_PARAMETER")}


def _constants(module: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


_MAKERS: dict[str, Callable[[], dict[str, Any]]] = {"amdahl": _amdahl}

"""What the models in the browser are given: constants, ranges and tables, as JSON.

``assets/model*.js`` repeat the closed forms of four explorers for the time while
a slider is dragged. They hold formulas and words only; every number that they
rest on comes from here, so that it stands in one place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from foptrn_model import ledger, masks, optical_dfa, optical_dfa_memory, optical_dfa_verdict
from foptrn_model.architecture import CUSTOM, CUSTOM_DEFAULT, SHAPE_FIELDS
from foptrn_model.masks import MasksParams
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.parameters import Params
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


def _masks() -> dict[str, Any]:
    return {
        "ledger": _ledger(),
        **_constants(masks, "ALLREDUCES_PER_LAYER", "BYTES_PER_ACTIVATION", "ROUNDING"),
        "FFT_CONSTANT": _default(ledger.training_work, "fft_constant"),
        "ranges": _ranges(MasksParams, "sequences_per_step", "frame_rate_hz"),
    }


def _optical_dfa() -> dict[str, Any]:
    return {
        **_constants(optical_dfa, "METHODS", "TERMS", "CAMERA_COLUMNS", "CAMERA_ROWS", "GUARD_S"),
        **_constants(optical_dfa_memory, "BYTES", "OPTIMIZER_WORDS", "TRAVERSALS"),
        **_constants(optical_dfa_verdict, "LEVEL", "NAMES", "REGIME_WORDS"),
        "ranges": _ranges(OpticalDfaParams, "width", "depth"),
    }


def _ranges(model: type[Params], *names: str) -> dict[str, Any]:
    specs = model.specs()
    return {name: {"low": specs[name].low, "high": specs[name].high} for name in names}


def _default(function: Callable[..., Any], name: str) -> Any:
    return inspect.signature(function).parameters[name].default


def _constants(module: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


_MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    "amdahl": _amdahl,
    "masks": _masks,
    "optical-dfa": _optical_dfa,
}

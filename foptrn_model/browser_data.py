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

from foptrn_model import (
    break_even,
    curves,
    diloco,
    ledger,
    masks,
    optical_dfa,
    optical_dfa_memory,
    optical_dfa_verdict,
    transit_params,
    transit_step,
    transit_text,
)
from foptrn_model.architecture import BLOCK_SIZES, CUSTOM, CUSTOM_DEFAULT, SHAPE_FIELDS
from foptrn_model.curves import LossCurves
from foptrn_model.masks import MasksParams
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.parameters import Params
from foptrn_model.shapes import PRESETS
from foptrn_model.transit_assumptions import curves_params
from foptrn_model.transit_params import CURVE_SOURCES, TransitParams


def browser_data(slug: str) -> dict[str, Any]:
    """The constants of one explorer's model, for ``foptrnModel.load(slug, data)``."""
    return _MAKERS[slug]()


def _ledger() -> dict[str, Any]:
    return {
        **constants(
            ledger, "CLASSES", "VARIANTS", "STATIC_CLASSES", "FLOP_PER_COMPLEX_PRODUCT",
            "FLOP_PER_COMPLEX_SUM", "SHORT_CONVOLUTION_TAPS",
        ),
        "BLOCK_SIZES": BLOCK_SIZES,
        "CUSTOM": CUSTOM,
        "SHAPE_FIELDS": SHAPE_FIELDS,
        "custom": asdict(CUSTOM_DEFAULT),
        "shapes": {
            name: {"label": preset.label, "sizes": asdict(preset.shape)}
            for name, preset in PRESETS.items()
        },
    }  # fmt: skip


def _amdahl() -> dict[str, Any]:
    return {"ledger": _ledger(), **constants(ledger, "DEMO_FLOP_PER_PARAMETER")}


def _masks() -> dict[str, Any]:
    return {
        "ledger": _ledger(),
        **constants(masks, "ALLREDUCES_PER_LAYER", "BYTES_PER_ACTIVATION", "ROUNDING"),
        "FFT_CONSTANT": _default(ledger.training_work, "fft_constant"),
        "ranges": _ranges(MasksParams, "sequences_per_step", "frame_rate_hz"),
    }


def _optical_dfa() -> dict[str, Any]:
    return {
        **constants(optical_dfa, "METHODS", "TERMS", "CAMERA_COLUMNS", "CAMERA_ROWS", "GUARD_S"),
        **constants(optical_dfa_memory, "BYTES", "OPTIMIZER_WORDS", "TRAVERSALS"),
        **constants(optical_dfa_verdict, "LEVEL", "NAMES", "REGIME_WORDS"),
        "ranges": _ranges(OpticalDfaParams, "width", "depth"),
    }


def _transit() -> dict[str, Any]:
    return {
        **constants(break_even, "SEARCH_LOW_GBPS", "SEARCH_HIGH_GBPS", "BISECTIONS"),
        **constants(curves, "BASELINE"),
        **constants(diloco, "BACKWARD_SHARE", "BUCKETS"),
        **constants(transit_params, "MEASURED"),
        **constants(transit_step, "WAYS", "DENSE", "TOPK", "BAND_GATHER", "BAND_SWITCH"),
        **constants(transit_text, "SUBJECTS"),
        "curves": {name: _curves(name, load()) for name, load in CURVE_SOURCES.items()},
    }


def _curves(source: Any, found: LossCurves) -> dict[str, Any]:
    state = TransitParams(curves=source, band=found.default_band)
    return {
        "params": curves_params(state),
        "topk": found.topk,
        "methods": {
            curve.method: {"steps": curve.steps, "loss": curve.loss} for curve in found.curves
        },
    }


def _ranges(model: type[Params], *names: str) -> dict[str, Any]:
    specs = model.specs()
    return {name: {"low": specs[name].low, "high": specs[name].high} for name in names}


def _default(function: Callable[..., Any], name: str) -> Any:
    return inspect.signature(function).parameters[name].default


def constants(module: Any, *names: str) -> dict[str, Any]:
    """Named constants of a module, by their names."""
    return {name: getattr(module, name) for name in names}


_MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    "amdahl": _amdahl,
    "masks": _masks,
    "optical-dfa": _optical_dfa,
    "transit": _transit,
}

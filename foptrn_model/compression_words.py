"""How the compression explorer calls things, in words, tables and figures."""

from __future__ import annotations

from foptrn_model.demo.methods import ADAMW, Method, method_named
from foptrn_model.demo.optics import Optics

SELECTOR_LABELS = {
    "topk": "top-k",
    "low": "low band",
    "zigzag": "zig-zag",
    "high": "high band",
    "random": "random",
    "calibrated": "calibrated",
}
TENSOR_LABELS = {"momentum": "momentum", "delta": "delta", "gradient": "gradient"}
CHUNK_LABELS = {"2d-64": "64 \u00d7 64", "1d-256": "256 points", "1d-64": "64 points"}


def optics_of(method: str) -> Optics:
    """The optics that a method's name tells of; raises ValueError for one without."""
    optics = method_named(method).optics
    if optics is None:
        raise ValueError(f"{method} has no optics")
    return optics


def short_label(name: str) -> str:
    """A method in as few words as fit beside an axis: low 64 x 64; ENOB 8 re-set, sent."""
    method = method_named(name)
    if method.optics is None:
        words = {"low band": "low", "high band": "high"}
        label = method_label(name)
        for long, short in words.items():
            label = label.replace(long, short)
        return label.replace(" points", "")
    optics = method.optics
    read = f"ENOB {optics.enob:g}" if optics.enob else "no noise"
    planes = "" if optics.planes == 8 else f", {optics.planes} planes"
    return f"{read}{planes}{' re-set' if optics.full_scale_every else ''}, {optics.feedback}"


def method_label(name: str) -> str:
    """A method in a few words, for a figure: low band 64 x 64, optics ENOB 8, sent."""
    method: Method = method_named(name)
    if method.selector is None:
        return "AdamW" if name == ADAMW else name
    if method.optics is None:
        return f"{SELECTOR_LABELS[method.selector]}, {CHUNK_LABELS[method.chunk]}"
    optics = method.optics
    read = f"ENOB {optics.enob:g}" if optics.enob else "no noise"
    planes = "" if optics.planes == 8 else f", {optics.planes} planes"
    every = f", set every {optics.full_scale_every}" if optics.full_scale_every else ""
    return f"optics {read}{planes}{every}, {optics.feedback}"

"""Ways of syncing workers, named as the published experiment names them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foptrn_model.demo.chunks import CHUNK_KINDS, ChunkKind
from foptrn_model.demo.optics import Optics
from foptrn_model.demo.selectors import Selector

ADAMW = "adamw"
_CHUNK_WORDS: dict[ChunkKind, str] = {kind: kind.replace("-", "") for kind in CHUNK_KINDS}
_FRONT: dict[Selector, str] = {
    "topk": "topk", "low": "band-low", "zigzag": "band-zigzag", "high": "band-high",
    "random": "band-random", "calibrated": "calib",
}  # fmt: skip
_OPTICS = re.compile(
    r"optics-(?P<chunk>\w+)-enob(?P<enob>[\d.]+)-planes(?P<planes>\d+)"
    r"-(?P<feedback>exact|sent)(\+agc(?P<every>\d+))?"
)


@dataclass(frozen=True, kw_only=True)
class Method:
    """How gradients become a step; without a selector AdamW on their mean.

    With ``optics`` the low band is sent through emulated optics.
    """

    selector: Selector | None = None
    chunk: ChunkKind = "2d-64"
    optics: Optics | None = None

    @property
    def id(self) -> str:
        """Its name: adamw, topk-2d64, band-low-1d256, optics-1d256-enob8-planes8-sent+agc100."""
        if self.selector is None:
            return ADAMW
        chunk = _CHUNK_WORDS[self.chunk]
        if self.optics is None:
            return f"{_FRONT[self.selector]}-{chunk}"
        optics = self.optics
        every = f"+agc{optics.full_scale_every}" if optics.full_scale_every else ""
        return f"optics-{chunk}-enob{optics.enob:g}-planes{optics.planes}-{optics.feedback}{every}"

    @property
    def family(self) -> str:
        """Methods that share a learning rate: AdamW, top-k, and everything that sends a band."""
        return {None: ADAMW, "topk": "topk"}.get(self.selector, "band")


def method_named(name: str) -> Method:
    """The method of a name; optics have the default kappa. Raises ValueError for other names."""
    if name == ADAMW:
        return Method()
    kinds = {word: kind for kind, word in _CHUNK_WORDS.items()}
    found = _OPTICS.fullmatch(name)
    if found and found["chunk"] in kinds:
        optics = Optics(
            enob=float(found["enob"]),
            planes=int(found["planes"]),
            feedback="sent" if found["feedback"] == "sent" else "exact",
            full_scale_every=int(found["every"] or 0),
        )
        return Method(selector="low", chunk=kinds[found["chunk"]], optics=optics)
    for selector, front in _FRONT.items():
        word = name.removeprefix(f"{front}-")
        if word != name and word in kinds:
            return Method(selector=selector, chunk=kinds[word])
    raise ValueError(f"no method is named {name}")

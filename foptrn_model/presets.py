"""Presets: published cases that a page can load, each with a story and a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foptrn_model.parameters import Params


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A named state: ``query`` is its canonical query string."""

    name: str
    label: str
    story: str
    source: str
    query: str


@dataclass(frozen=True, kw_only=True)
class Shortcut:
    """A few values that belong together, such as a device's: all others stay."""

    name: str
    label: str
    story: str
    source: str
    values: Mapping[str, float | str]


@dataclass(frozen=True, kw_only=True)
class Shortcuts:
    """Shortcuts under one heading; none by default."""

    title: str = ""
    items: Sequence[Shortcut] = ()

    def of(self, params: Params) -> Shortcut | None:
        """The shortcut whose values this state has, if there is one and they matter."""
        return next(
            (
                item
                for item in self.items
                if all(getattr(params, name) == value for name, value in item.values.items())
                and not params.inactive() & set(item.values)
            ),
            None,
        )


NO_SHORTCUTS = Shortcuts()
SERIES = "the series Fourier Optics for Training (2026)"
INFERENCE = "the sister analysis of inference (2026)"

AMDAHL_PRESETS = (
    Preset(
        name="hyena",
        label="Hyena-2 at 4,096",
        story="Long convolutions replace attention, yet their transforms are 0.14 % of the step.",
        source=SERIES,
        query="",
    ),
    Preset(
        name="six-n",
        label="6N, exactly",
        story="The dense transformer's matmuls cost six FLOP per stored weight and token; "
        "nothing is left for a Fourier engine.",
        source="Kaplan et al., arXiv 2001.08361",
        query="variant=transformer",
    ),
    Preset(
        name="block-circulant",
        label="Block-circulant at 4,096",
        story="Every projection made circulant: the step shrinks thirteenfold and the engine's "
        "share of what is left rises to 9.7 %.",
        source=SERIES,
        query="variant=block-circulant",
    ),
    Preset(
        name="hybrid",
        label="Hybrid at 8,192",
        story="Attention in one layer of four: forward alone the engine could take 0.17 %.",
        source=INFERENCE,
        query="seq_len=8192&variant=hybrid",
    ),
    Preset(
        name="slow-fft",
        label="FFTs at 1/16 of the dense rate",
        story="GPUs run transforms far below their matmul rate: of a block-circulant prompt's "
        "time, 72 % is work that the engine could take.",
        source=INFERENCE,
        query="fft_rate=0.0625&seq_len=2048&variant=block-circulant",
    ),
    Preset(
        name="gpt3",
        label="GPT-3 with recomputation",
        story="175 billion parameters, 2,048 tokens, activations recomputed: still no transform.",
        source="Brown et al., arXiv 2005.14165; Narayanan et al., arXiv 2104.04473",
        query="recompute=full&seq_len=2048&shape=gpt3-175b&variant=transformer",
    ),
)

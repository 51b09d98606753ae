"""What a compressed momentum keeps, and what emulated optics make of a fixed band.

DeMo sends a few DCT coefficients of every chunk of the momentum. Top-k finds
the largest; a fixed band takes the same ones always, which light could do
without a comparison. This module says how much of the energy each selector
captures, what each costs in bytes, and how wrong a band is that went through
bit planes and a noisy read-out.

References
----------
B. Peng, J. Quesnelle, D. P. Kingma, DeMo, arXiv 2411.19870 (2024).
B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from foptrn_model.demo.captured import captured_energy, chunk_energy, entered_band
from foptrn_model.demo.chunks import ChunkKind
from foptrn_model.demo.methods import Method
from foptrn_model.demo.optics import Feedback, Optics
from foptrn_model.demo.payload import Payload, payload_bytes
from foptrn_model.demo.samples import Source, SourceName, TensorName, measured_tensors
from foptrn_model.demo.selectors import Selector, keep_count
from foptrn_model.demo.transformer import Gpt
from foptrn_model.parameters import Params, Problem, param
from foptrn_model.planes import MOST_PLANES

LEAST_ENOB = 2.0
PUBLISHED_GPT = Gpt(vocabulary=4_096, context=256, width=384, layers=8)
"""The published experiment's model: 15,833,472 parameters."""
LIVE_FIELDS = ("chunk", "keep", "seed", "enob", "planes", "kappa", "full_scale_every")
"""What the live experiment depends on."""

measured_tensors()  # read once, before workers fork and before anyone waits


class CompressionParams(Params):
    """Assumptions of the compression explorer."""

    groups: ClassVar[tuple[str, ...]] = ("Momentum", "Optics", "Feedback", "View")
    main: ClassVar[tuple[str, ...]] = ("source", "keep", "enob")

    source: SourceName = param(
        "white", label="Values", glossary="captured-energy", group="Momentum",
        help="White noise, noise whose neighbours correlate, or tensors of our own training run "
        "with a low band of 64 \u00d7 64 at its last step, whatever the chunk chosen here.",
        choice_labels={"white": "White", "smooth": "Smooth", "measured": "Measured"},
    )  # fmt: skip
    tensor: TensorName = param(
        "momentum", label="Tensor", glossary="error-feedback", group="Momentum",
        help="Plain momentum, the delta that DeMo compresses (what was sent taken out of it at "
        "every step), or one step's gradient.",
        choice_labels={"momentum": "Momentum", "delta": "Delta", "gradient": "Gradient"},
    )  # fmt: skip
    chunk: ChunkKind = param(
        "2d-64", label="Chunk", glossary="demo", group="Momentum",
        help="Tiles of a matrix, or runs of it laid out in a row. Measured tensors stay those of "
        "a run with 64 \u00d7 64.",
        choice_labels={"2d-64": "64 \u00d7 64", "1d-256": "256 in a row", "1d-64": "64 in a row"},
    )  # fmt: skip
    keep: float = param(
        0.0625, label="Coefficients kept", low=0.001, high=1, scale="log10",
        help="Share of a chunk's coefficients that is sent; at least one is.",
        glossary="captured-energy", group="Momentum",
    )  # fmt: skip
    samples: int = param(
        2**18, label="Samples", glossary="captured-energy", low=2**12, high=2**22, scale="log2", step=1,
        help="Values drawn, rounded down to whole chunks but never fewer than two: tiles of "
        "64 \u00d7 64 fill the largest square that fits, or are two, of 8,192 values. Measured "
        "tensors give at most all that they have.",
        group="Momentum",
    )  # fmt: skip
    seed: int = param(
        0, label="Seed", low=0, high=2**31, slider=False, group="Momentum",
        help="Another number draws other values, and starts the live experiment elsewhere.",
    )  # fmt: skip
    enob: float = param(
        8.0, label="ENOB", low=0, high=20, unit="bit", step=2, floor=LEAST_ENOB,
        help="Effective number of bits of the read-out; 0 reads without noise.",
        glossary="enob-noise-rule", group="Optics",
    )  # fmt: skip
    planes: int = param(
        8, label="Bit planes", low=1, high=MOST_PLANES,
        help="Binary planes in which a value enters the optics, a pass each.",
        glossary="bit-planes", group="Optics",
    )  # fmt: skip
    kappa: float = param(
        4.0, label="Full scale", low=1, high=16, unit="RMS", scale="log2",
        help="The largest value that enters unclipped, in units of the RMS. A single plane, whose "
        "levels are \u22121 and 0, clips from half of it.",
        glossary="bit-planes", group="Optics",
    )  # fmt: skip
    feedback: Feedback = param(
        "sent", label="Error feedback",
        help="What the momentum loses: the exact band, or what the optics really sent. Names "
        "which of our training runs the verdict tells of first; no emulated number changes.",
        glossary="error-feedback", group="Feedback",
        choice_labels={"exact": "Exact band", "sent": "What was sent"},
    )  # fmt: skip
    full_scale_every: int = param(
        0, label="Full scale set every", low=0, high=1_000, unit="steps", scale="log10", floor=1,
        help="Steps after which the live experiment measures the RMS anew; 0 keeps the first.",
        glossary="error-feedback", group="Feedback",
    )  # fmt: skip
    show: Selector = param(
        "low", label="Selector drawn",
        help="Whose coefficients are outlined on the map.",
        glossary="captured-energy", group="View",
        choice_labels={
            "topk": "Top-k", "low": "Low", "zigzag": "Zig-zag", "high": "High",
            "random": "Random", "calibrated": "Calibrated",
        },
    )  # fmt: skip

    def inactive(self) -> frozenset[str]:
        if self.source == "measured":
            return frozenset()
        return frozenset({"tensor"})

    @classmethod
    def conflicts(cls, values: Mapping[str, Any]) -> list[Problem]:
        if 0 < values["enob"] < LEAST_ENOB:
            return [cls.specs()["enob"].refuse(values["enob"])]
        return []

    @classmethod
    def settle(cls, values: dict[str, Any]) -> dict[str, Any]:
        return values | {"enob": LEAST_ENOB if values["enob"] >= LEAST_ENOB / 2 else 0.0}

    @property
    def drawn(self) -> Source:
        """Where this state's values come from."""
        # Drawn noise is no tensor, and another tensor must not draw it anew.
        tensor = self.tensor if self.source == "measured" else "momentum"
        return Source(
            name=self.source, tensor=tensor, chunk=self.chunk, samples=self.samples, seed=self.seed
        )

    def optics(self, feedback: Feedback) -> Optics:
        """This state's optics, with one kind of feedback."""
        return Optics(
            enob=self.enob, planes=self.planes, kappa=self.kappa, feedback=feedback,
            full_scale_every=self.full_scale_every,
        )  # fmt: skip

    def method(self, feedback: Feedback) -> Method:
        """The low band of this state's chunks through its optics."""
        return Method(selector="low", chunk=self.chunk, optics=self.optics(feedback))


@dataclass(frozen=True, kw_only=True)
class CompressionResult:
    """What one state's selectors capture, what they cost, and how wrong an optical band is.

    ``captured_energy`` are shares of the squared coefficients; the calibrated
    band is fitted to one half of the chunks and scored on the other.
    ``payload_bytes`` are a worker's per step in the published model, by chunk
    and share kept. ``band_error`` is the RMS error of the emulated low band over
    the RMS of the exact one, ``rounding_error`` its part from rounding and
    clipping, ``noise_error`` that of the read-out; ``clip_rate`` is the share of
    values that round to beyond the levels of the planes. ``values`` and ``chunks`` were looked into,
    ``kept`` of ``points`` coefficients kept in each chunk.
    """

    captured_energy: dict[Selector, float]
    payload_bytes: dict[str, int]
    band_error: float
    rounding_error: float
    noise_error: float
    clip_rate: float
    values: int
    chunks: int
    points: int
    kept: int


def compute_compression(params: CompressionParams) -> CompressionResult:
    """Evaluate one state; its values are drawn and transformed once, and then remembered."""
    found = chunk_energy(params.drawn)
    captured = captured_energy(params.drawn, params.keep)
    kept = keep_count(found.points, params.keep)
    band = entered_band(params.drawn, params.planes, params.kappa)
    rounding, noise = band.error(kept, enob=params.enob, planes=params.planes)
    sent = published_payload(params.chunk, params.keep)
    return CompressionResult(
        captured_energy=captured,
        payload_bytes={
            "dense": sent.dense, "band": sent.band, "topk": sent.topk, "topk_int64": sent.topk_int64
        },
        band_error=math.hypot(rounding, noise),
        rounding_error=rounding,
        noise_error=noise,
        clip_rate=band.clip_rate,
        values=found.chunks * found.points,
        chunks=found.chunks,
        points=found.points,
        kept=kept,
    )  # fmt: skip


@lru_cache(maxsize=256)
def published_payload(chunk: ChunkKind, keep: float) -> Payload:
    """Bytes of the published model's worker in one step."""
    return payload_bytes(PUBLISHED_GPT.shapes, chunk, keep)

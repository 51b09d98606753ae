"""How many bits a gradient asks of a read-out: noise against the error of number formats.

A converter with so many effective bits (ENOB), its full scale at the signal's
peak, adds noise of relative RMS crest x 2^-ENOB x 2 / root 12. A number format
has an error of its own, measured here by rounding samples. Where the two meet
the read-out is as good as the format.

References
----------
IEEE Std 1241-2010 (effective number of bits).
R. H. Walden, IEEE J. Sel. Areas Commun. 17, 539 (1999) (energy per conversion step).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from foptrn_model.architecture import CUSTOM_DEFAULT
from foptrn_model.digit_gradients import LayerName
from foptrn_model.gradient_samples import MOST_DRAWS, Distribution, Source, statistics
from foptrn_model.ledger import (
    CLASSES,
    STATIC_CLASSES,
    Variant,
    hyena_matrices,
    training_work,
)
from foptrn_model.number_formats import FORMAT_NAMES, FORMATS, FormatName
from foptrn_model.parameters import Params, param
from foptrn_model.planes import (
    MOST_PLANES,
    UNIFORM,
    emulated_band,
    plane_noise_factor,
    read_out_rms,
)

MOST_SAMPLES = 2**20
HYENA_ORDER = 2
OPTICAL_VARIANTS: tuple[Variant, ...] = ("hyena", "block-circulant")


class PrecisionParams(Params):
    """Assumptions of the precision explorer."""

    groups: ClassVar[tuple[str, ...]] = ("Gradient", "Read-out", "Energy", "Histogram")
    main: ClassVar[tuple[str, ...]] = ("distribution", "enob", "passes", "planes")

    distribution: Distribution = param(
        "gaussian",
        label="Gradients",
        help="What the values are drawn from, or gradients of a small network trained on "
        "digits; Student-t has 4 degrees of freedom.",
        glossary="crest-factor",
        group="Gradient",
        choice_labels={
            "gaussian": "Gaussian", "laplace": "Laplace", "student-t": "Student-t",
            "measured": "Measured",
        },
    )  # fmt: skip
    layer: LayerName = param(
        "hidden",
        label="Layer",
        glossary="gradient-formats",
        help="Whose weight gradients are measured: 64 \u00d7 256, 256 \u00d7 256 or 256 \u00d7 10 values.",
        group="Gradient",
        choice_labels={"first": "First", "hidden": "Hidden", "last": "Last"},
    )
    samples: int = param(
        65_536,
        label="Values per draw",
        help="Values that share one full scale; the more, the farther out the largest lies. A "
        "layer with fewer weights gives all it has.",
        low=256,
        high=MOST_SAMPLES,
        scale="log2",
        step=1,
        glossary="crest-factor",
        group="Gradient",
    )
    draws: int = param(
        MOST_DRAWS,
        label="Draws",
        glossary="crest-factor",
        help="Numbers are medians over so many draws; a single one scatters through its peak.",
        low=1,
        high=MOST_DRAWS,
        group="Gradient",
    )
    seed: int = param(
        0,
        label="Seed",
        help="Another number draws other values, and trains another network.",
        low=0,
        high=2**31,
        slider=False,
        group="Gradient",
    )
    enob: float = param(
        8.0,
        label="ENOB",
        help="Effective number of bits of the read-out, all noise and distortion counted.",
        low=1,
        high=20,
        unit="bit",
        step=0.1,
        glossary="enob-noise-rule",
        group="Read-out",
    )
    passes: int = param(
        1,
        label="Averaged passes",
        help="Times that the same values are read and averaged; four passes are worth one bit.",
        low=1,
        high=4_096,
        scale="log2",
        step=1,
        glossary="averaging-passes",
        group="Read-out",
    )
    planes: int = param(
        8,
        label="Bit planes",
        help="Binary planes in which a value enters the optics, a pass each.",
        low=1,
        high=MOST_PLANES,
        glossary="bit-planes",
        group="Read-out",
    )
    dac_fJ: float = param(
        10.0,
        label="DAC",
        help="Energy per conversion step; a sample costs 2^ENOB of them. Illustrative.",
        low=0.01,
        high=10_000,
        unit="fJ",
        scale="log10",
        glossary="conversion-bound-optics",
        group="Energy",
    )
    adc_fJ: float = param(
        20.0,
        label="ADC",
        help="Energy per conversion step; the survey's median since 2018 is about 20 up to "
        "10 GS/s and 75 above.",
        low=0.01,
        high=10_000,
        unit="fJ",
        scale="log10",
        glossary="conversion-bound-optics",
        group="Energy",
    )
    digital_pJ_per_flop: float = param(
        1.0,
        label="Digital FLOP",
        help="Energy of one digital operation that the engine would replace. Illustrative.",
        low=0.001,
        high=1_000,
        unit="pJ",
        scale="log10",
        glossary="conversion-bound-optics",
        group="Energy",
    )
    seq_len: int = param(
        2_048,
        label="Prompt length",
        help="Tokens of the prompt whose transforms are replaced.",
        low=128,
        high=1_048_576,
        unit="tokens",
        scale="log2",
        glossary="long-convolution",
        group="Energy",
    )
    show_format: FormatName = param(
        "E5M2",
        label="Grid of",
        help="Whose values are drawn over the histogram.",
        glossary="gradient-formats",
        group="Histogram",
        choice_labels={name: FORMATS[name].label for name in FORMAT_NAMES},
    )
    zoom: float = param(
        1.0,
        label="Zoom",
        help="How far the histogram is enlarged, towards one RMS.",
        low=1,
        high=4_096,
        scale="log2",
        group="Histogram",
    )

    def inactive(self) -> frozenset[str]:
        return frozenset() if self.distribution == "measured" else frozenset({"layer"})

    @property
    def source(self) -> Source:
        """Where this state's samples come from."""
        # The layer tells drawn samples nothing, and must not draw them anew.
        layer = self.layer if self.distribution == "measured" else "hidden"
        return Source(self.distribution, self.samples, self.seed, layer)


@dataclass(frozen=True, kw_only=True)
class FormatResult:
    """One format on this state's samples.

    ``relative_rms`` is the median over the draws; ``enob_to_match``, ``sqnr_db``
    and ``passes_at_enob`` follow from it and the median crest factor. The
    quartiles are those of the draws.
    """

    relative_rms: float
    enob_to_match: float
    passes_at_enob: int
    sqnr_db: float
    relative_rms_q1: float
    relative_rms_q3: float
    enob_q1: float
    enob_q3: float


@dataclass(frozen=True, kw_only=True)
class PlaneResult:
    """White input through this state's planes: RMS error over RMS signal, lowest 1/16 of a DCT."""

    noiseless_relative_rms: float
    read_out_relative_rms: float
    read_out_full_scale: float


@dataclass(frozen=True, kw_only=True)
class Conversion:
    """Converting a token's values against computing what the engine replaces.

    ``break_even_enob`` is where both cost the same for one pass;
    ``conversion_over_digital`` is their ratio at this state's ENOB.
    """

    pairs_per_token: int
    replaced_flop_per_token: float
    break_even_enob: float
    conversion_J_per_token: float
    digital_J_per_token: float
    conversion_over_digital: float


@dataclass(frozen=True, kw_only=True)
class PrecisionResult:
    """``noise_relative_rms`` is that of the read-out, averaged over the passes.

    ``crest`` is the median over the draws, with quartiles beside it.
    """

    crest: float
    crest_q1: float
    crest_q3: float
    values_per_draw: int
    formats: dict[FormatName, FormatResult]
    noise_relative_rms: float
    plane_noise_factor: float
    plane_emulation: PlaneResult
    conversion: dict[Variant, Conversion]


def compute_precision(params: PrecisionParams) -> PrecisionResult:
    """Evaluate one state; its samples are drawn once and then remembered."""
    sample = summary(params.source, params.draws)
    emulation = emulated_band(params.planes)
    noise = read_out_rms(emulation.full_scale, params.enob) / math.sqrt(params.passes)
    return PrecisionResult(
        crest=sample.crest[1],
        crest_q1=sample.crest[0],
        crest_q3=sample.crest[2],
        values_per_draw=sample.values,
        formats={name: _format_result(params, sample, name) for name in FORMAT_NAMES},
        noise_relative_rms=float(noise_relative_rms(sample.crest[1], params.enob, params.passes)),
        plane_noise_factor=plane_noise_factor(params.planes),
        plane_emulation=PlaneResult(
            noiseless_relative_rms=emulation.relative_rms(),
            read_out_relative_rms=emulation.relative_rms(noise),
            read_out_full_scale=emulation.full_scale,
        ),
        conversion=conversions(params),
    )


def noise_relative_rms(crest: float, enob: float, passes: float = 1) -> float:
    """RMS noise of a read-out over the signal's RMS, full scale at the signal's peak."""
    return crest * UNIFORM * 2.0**-enob / math.sqrt(passes)


def enob_to_match(crest: float, relative_rms: float) -> float:
    """The ENOB whose noise, in one pass, equals this relative error."""
    return math.log2(crest * UNIFORM / relative_rms)


def passes_needed(bits: float, enob: float) -> int:
    """Passes to average so that a read-out of ``enob`` is worth ``bits``: one bit takes four."""
    return max(1, math.ceil(4.0 ** (bits - enob)))


@dataclass(frozen=True, kw_only=True)
class SampleSummary:
    """First quartile, median and third quartile over draws."""

    values: int
    crest: tuple[float, float, float]
    relative_rms: dict[FormatName, tuple[float, float, float]]
    enob: dict[FormatName, tuple[float, float, float]]

    def enob_to_match(self, name: FormatName) -> float:
        """Of the median crest factor and the median error."""
        return enob_to_match(self.crest[1], self.relative_rms[name][1])


@lru_cache(maxsize=512)
def summary(source: Source, draws: int) -> SampleSummary:
    """What a source's draws come to."""
    found = statistics(source, draws)

    def quartiles(values: np.ndarray) -> tuple[float, float, float]:
        q1, median, q3 = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
        return q1, median, q3

    return SampleSummary(
        values=found.values,
        crest=quartiles(found.crest),
        relative_rms={name: quartiles(errors) for name, errors in found.relative_rms.items()},
        enob={
            name: quartiles(np.log2(found.crest * UNIFORM / errors))
            for name, errors in found.relative_rms.items()
        },
    )


def _format_result(
    params: PrecisionParams, sample: SampleSummary, name: FormatName
) -> FormatResult:
    error, bits = sample.relative_rms[name], sample.enob_to_match(name)
    return FormatResult(
        relative_rms=error[1],
        enob_to_match=bits,
        passes_at_enob=passes_needed(bits, params.enob),
        sqnr_db=-20 * math.log10(error[1]),
        relative_rms_q1=error[0],
        relative_rms_q3=error[2],
        enob_q1=sample.enob[name][0],
        enob_q3=sample.enob[name][2],
    )


def conversions(params: PrecisionParams) -> dict[Variant, Conversion]:
    """Each optical variant's conversions, in the shape of an 8-billion-parameter model."""
    per_step_J = (params.dac_fJ + params.adc_fJ) * 1e-15
    found: dict[Variant, Conversion] = {}
    for variant in OPTICAL_VARIANTS:
        pairs, flop = pairs_per_token(variant), replaced_flop_per_token(variant, params.seq_len)
        digital = flop * params.digital_pJ_per_flop * 1e-12
        bits = math.log2(digital / (pairs * per_step_J))
        conversion = pairs * per_step_J * 2.0**params.enob
        found[variant] = Conversion(
            pairs_per_token=pairs,
            replaced_flop_per_token=flop,
            break_even_enob=bits,
            conversion_J_per_token=conversion,
            digital_J_per_token=digital,
            conversion_over_digital=conversion / digital,
        )
    return found


def pairs_per_token(variant: Variant) -> int:
    """DAC and ADC samples of one forward pass, in pairs.

    A long convolution takes a pair per token, channel and order; a circulant
    m x n matrix max(m, n) per token.
    """
    shape = CUSTOM_DEFAULT
    pairs = HYENA_ORDER * shape.d_model
    if variant == "block-circulant":
        matrices = (*hyena_matrices(shape.d_model, HYENA_ORDER), *shape.mlp_matrices)
        pairs += sum(max(rows, cols) for rows, cols in matrices)
    return shape.n_layers * pairs


@lru_cache(maxsize=64)
def replaced_flop_per_token(variant: Variant, seq_len: int) -> float:
    """What the engine takes over of a forward pass: transforms, and products with masks."""
    work = training_work(CUSTOM_DEFAULT, variant, seq_len, hyena_order=HYENA_ORDER)
    return float(sum(work.forward[CLASSES.index(name), 0] for name in STATIC_CLASSES))

"""The precision result in words: verdict and working."""

from __future__ import annotations

import math
from collections.abc import Iterable

from foptrn_model.amdahl_text import LEDGER_SOURCE
from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.digit_gradients import (
    BATCH,
    BATCHES_KEPT,
    TEST_SAMPLES,
    WEIGHTS,
    trained_gradients,
)
from foptrn_model.ledger import Variant
from foptrn_model.number_formats import FORMAT_NAMES, FORMATS, FormatName
from foptrn_model.planes import CHUNK, CHUNKS, FULL_SCALE_RMS, read_out_rms, steps_in
from foptrn_model.precision import Conversion, PrecisionParams, PrecisionResult
from foptrn_model.text import THIN_SPACE, compact, counted, group_digits, percent, si, significant
from foptrn_model.working import Assumption, Step, Working

RULE_SOURCE = "the definition of ENOB, IEEE Std 1241-2010; full scale at the signal's peak"
ROUNDING_SOURCE = "measured here, rounded by ml_dtypes; medians over the draws"
PLANES_SOURCE = "emulated here, plane by plane"
WALDEN_SOURCE = "R. H. Walden, IEEE J. Sel. Areas Commun. 17, 539 (1999)"
KINDS = {
    "gaussian": "Gaussian gradients",
    "laplace": "Laplace gradients",
    "student-t": "spiky (Student-t) gradients",
    "measured": "measured gradients",
}
SHORT_NAMES: dict[Variant, str] = {
    "hyena": "Hyena-2",
    "block-circulant": "Block-circulant",
}


def bits(number: float) -> str:
    """An ENOB as people read it, with its unit."""
    sign = "\u2212" if number < 0 else ""
    return f"{sign}{significant(abs(number))}{THIN_SPACE}bit"


def matched_formats(result: PrecisionResult) -> tuple[FormatName, ...]:
    """Formats that the read-out, as averaged, is no worse than."""
    return tuple(
        name
        for name in FORMAT_NAMES
        if result.formats[name].relative_rms >= result.noise_relative_rms
    )


def precision_verdict(params: PrecisionParams, result: PrecisionResult) -> str:
    """One sentence that answers the question in this state, and what the two formats ask."""
    averaged = f" averaged over {group_digits(params.passes)} passes" if params.passes > 1 else ""
    matched = matched_formats(result)
    if not matched:
        standing = "worse than any format here"
    elif len(matched) == len(FORMAT_NAMES):
        standing = "better than every format here"
    else:
        standing = f"no worse than {_listed(FORMATS[name].label for name in matched)}"
    coarse, fine = result.formats["E5M2"], result.formats["BF16"]
    more = (
        f", or {group_digits(fine.passes_at_enob)} averaged passes at {_enob(params)}"
        if fine.passes_at_enob > 1
        else ""
    )
    one_pass = "in a single pass " if params.passes > 1 else ""
    return (
        f"Read out at {_enob(params)}{averaged}, {KINDS[params.distribution]} are off by "
        f"{percent(result.noise_relative_rms)}, {standing}; {one_pass}FP8 E5M2 asks for "
        f"{bits(coarse.enob_to_match)}, BF16 for {bits(fine.enob_to_match)}{more}."
    )


def _enob(params: PrecisionParams) -> str:
    return f"ENOB\u00a0{group_digits(params.enob)}"


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def precision_working(params: PrecisionParams, result: PrecisionResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    return Working(
        steps=[
            *_noise_steps(params, result),
            *_format_steps(params, result),
            *_plane_steps(params, result),
            *(
                step
                for variant, found in result.conversion.items()
                for step in _conversion_steps(params, variant, found)
            ),
        ],
        assumptions=_assumptions(params, result),
        sources=[
            "P. Micikevicius et al., FP8 Formats for Deep Learning, arXiv 2209.05433",
            "ml_dtypes: bfloat16, float8_e4m3fn, float8_e5m2, float4_e2m1fn",
            "B. Murmann, ADC Performance Survey (converter energies)",
            "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026): the training loop",
            "scikit-learn's digits: E. Alpaydin and C. Kaynak, UCI repository (1998), CC BY 4.0",
        ],
    )


def _noise_steps(params: PrecisionParams, result: PrecisionResult) -> list[Step]:
    spread = f"quartiles {significant(result.crest_q1)} and {significant(result.crest_q3)}"
    return [
        Step(
            name="Crest factor",
            formula="largest magnitude / RMS, median over the draws",
            substituted=f"{counted(params.draws, 'draw')} of {group_digits(result.values_per_draw)} "
            f"values, {spread}",
            value=significant(result.crest),
            source=_sample_source(params),
            glossary="crest-factor",
        ),
        Step(
            name="Noise of the read-out",
            formula="crest \u00d7 2^\u2212ENOB \u00d7 2/\u221a12 / \u221apasses",
            substituted=f"{significant(result.crest)} \u00d7 2^\u2212{group_digits(params.enob)} "
            f"\u00d7 0.577 / \u221a{group_digits(params.passes)}",
            value=percent(result.noise_relative_rms),
            source=RULE_SOURCE,
            glossary="enob-noise-rule",
        ),
    ]


def _sample_source(params: PrecisionParams) -> str:
    if params.distribution != "measured":
        return f"drawn from default_rng({params.seed})"
    accuracy = percent(trained_gradients(params.seed).accuracy)
    return f"a training run of this explorer: {accuracy} of {TEST_SAMPLES} held-out digits right"


def _format_steps(params: PrecisionParams, result: PrecisionResult) -> list[Step]:
    steps = []
    for name, found in result.formats.items():
        steps.append(
            Step(
                name=f"ENOB that matches {FORMATS[name].label}",
                formula="log\u2082(crest \u00d7 2/\u221a12 / error)",
                substituted=f"log\u2082({significant(result.crest)} \u00d7 0.577 / "
                f"{percent(found.relative_rms)}), SQNR {significant(found.sqnr_db)}"
                f"{THIN_SPACE}dB, quartiles {significant(found.enob_q1)} and "
                f"{significant(found.enob_q3)}",
                value=bits(found.enob_to_match),
                source=ROUNDING_SOURCE,
                glossary="gradient-formats",
            )
        )
    finest = result.formats["BF16"]
    steps.append(
        Step(
            name=f"Passes for BF16 at {_enob(params)}",
            formula="max(1, \u23084^(ENOB that matches \u2212 ENOB)\u2309)",
            substituted=f"4^({significant(finest.enob_to_match)} \u2212 "
            f"{group_digits(params.enob)})",
            value=counted(finest.passes_at_enob, "pass", "passes"),
            source="noise of independent passes averages as 1/\u221ak",
            glossary="averaging-passes",
        )
    )
    return steps


def _plane_steps(params: PrecisionParams, result: PrecisionResult) -> list[Step]:
    emulation, planes = result.plane_emulation, params.planes
    noise = read_out_rms(emulation.read_out_full_scale, params.enob) / math.sqrt(params.passes)
    step_rms = FULL_SCALE_RMS / steps_in(planes)
    return [
        Step(
            name=f"Noise factor of {counted(planes, 'plane')}",
            formula="\u221a\u03a3 4^b, b from 0 to P \u2212 1",
            substituted=f"\u221a((4^{planes} \u2212 1) / 3)",
            value=compact(result.plane_noise_factor, 5),
            source="planes recombine with weights 2^b",
            glossary="bit-planes",
        ),
        Step(
            name="Error through the planes, without noise",
            formula="rounding and clipping at 4 RMS, lowest sixteenth of a DCT",
            substituted=f"{group_digits(CHUNKS)} chunks of {CHUNK} white values, step "
            f"{compact(step_rms)} RMS",
            value=percent(emulation.noiseless_relative_rms),
            source=PLANES_SOURCE,
            glossary="bit-planes",
        ),
        Step(
            name="Error through the planes, as read out",
            formula="the same with noise FS \u00d7 2^\u2212ENOB \u00d7 2/\u221a12 / \u221apasses in "
            "every plane, times the factor and the step",
            substituted=f"FS {group_digits(round(emulation.read_out_full_scale, 9))}, "
            f"{compact(noise)} a plane \u00d7 {compact(result.plane_noise_factor)} \u00d7 "
            f"{compact(step_rms)} RMS = "
            f"{percent(noise * result.plane_noise_factor * step_rms)} by formula",
            value=percent(emulation.read_out_relative_rms),
            source=PLANES_SOURCE,
            glossary="bit-planes",
        ),
    ]


def _conversion_steps(params: PrecisionParams, variant: Variant, found: Conversion) -> list[Step]:
    pair = params.dac_fJ + params.adc_fJ
    name = SHORT_NAMES[variant]
    formula = "layers \u00d7 order \u00d7 d" + (
        ", and max(m, n) per circulant matrix" if variant == "block-circulant" else ""
    )
    return [
        Step(
            name=f"{name}: conversions per token",
            formula=formula,
            substituted=f"{VARIANT_LABELS[variant]} in the shape of Llama-3-8B",
            value=f"{group_digits(found.pairs_per_token)} pairs",
            source="one DAC and one ADC sample per value that enters and leaves",
            glossary="conversion-bound-optics",
        ),
        Step(
            name=f"{name}: break-even ENOB",
            formula="log\u2082(replaced FLOP \u00d7 energy per FLOP / (pairs \u00d7 (DAC + ADC)))",
            substituted=f"{si(found.replaced_flop_per_token, 'FLOP')} \u00d7 "
            f"{group_digits(params.digital_pJ_per_flop)}{THIN_SPACE}pJ / "
            f"({group_digits(found.pairs_per_token)} \u00d7 {group_digits(pair)}{THIN_SPACE}fJ)",
            value=bits(found.break_even_enob),
            source=f"{WALDEN_SOURCE}; {LEDGER_SOURCE}",
            glossary="conversion-bound-optics",
        ),
    ]


def _assumptions(params: PrecisionParams, result: PrecisionResult) -> list[Assumption]:
    listed = [
        Assumption(
            kind="illustrative",
            text="Energies per conversion step and per FLOP are illustrative. The ADC survey's "
            "median since 2018 is about 20 fJ per step up to 10 GS/s and 75 fJ above.",
        ),
        Assumption(
            kind="convention",
            text="One full scale per draw, at its largest magnitude; a converter that clips the "
            "few largest values would need fewer bits and lose those values.",
        ),
        Assumption(
            kind="convention",
            text="FP8, FP4 and INT8 are scaled so that a draw's largest magnitude maps to their "
            "largest value; BF16 and FP16 hold the numbers as they are. Subnormals are kept.",
        ),
        Assumption(
            kind="convention",
            text="Numbers are medians over the draws; a single one scatters by about 0.3 bit through "
            "its peak. Distributions beside this state's are drawn five times, in a power of two of "
            "values up to 65,536.",
        ),
        Assumption(
            kind="generous",
            text="Noise of averaged passes is independent: distortion, drift and a fixed pattern "
            "would stay.",
        ),
        Assumption(
            kind="generous",
            text="Conversion energy counts one pass. Every averaged pass and every bit plane "
            "converts again: "
            f"{counted(params.passes, 'pass', 'passes')} of {counted(params.planes, 'plane')} would "
            f"cost {group_digits(params.passes * params.planes)} times as many read-outs. Lasers, "
            "modulators and memory are not counted.",
        ),
        Assumption(
            kind="convention",
            text="Losses in a training loop are published runs and are shown, not recomputed: four "
            "planes in place of eight cost about 0.12, twelve gained nothing.",
        ),
    ]
    if params.distribution == "measured":
        listed.append(
            Assumption(
                kind="extrapolated",
                text=f"Measured gradients are those of a perceptron of {group_digits(WEIGHTS)} weights on "
                f"digits, one batch of {BATCH} images per draw and {BATCHES_KEPT} batches at most; a language "
                "model's may be spikier.",
            )
        )
        if result.values_per_draw < params.samples:
            listed.append(
                Assumption(
                    kind="convention",
                    text=f"This layer has {group_digits(result.values_per_draw)} weights, so a draw "
                    f"holds all of them, not {group_digits(params.samples)}.",
                )
            )
    else:
        listed.append(
            Assumption(
                kind="inferred",
                text="Real gradients are seldom Gaussian; Laplace and Student-t stand for heavier "
                "tails, and measured ones can be chosen.",
            )
        )
    return listed

"""The compression result in words: verdict and working."""

from __future__ import annotations

from foptrn_model.compression import PUBLISHED_GPT, CompressionParams, CompressionResult
from foptrn_model.compression_assumptions import (
    EXACT_BANDS,
    USUAL_BAND,
    USUAL_OPTICS,
    compression_assumptions,
)
from foptrn_model.compression_order import Ordering, Placed, ordering
from foptrn_model.compression_words import CHUNK_LABELS, SELECTOR_LABELS, method_label
from foptrn_model.demo.captured import chunk_energy
from foptrn_model.demo.chunks import whole_transform_full_scale
from foptrn_model.demo.optics import Feedback
from foptrn_model.measured_runs import MeasuredRuns, measured_runs
from foptrn_model.planes import plane_noise_factor, read_out_rms, steps_in
from foptrn_model.text import (
    THIN_SPACE,
    compact,
    counted,
    group_digits,
    percent,
    si,
    significant,
)
from foptrn_model.working import Step, Working

DEMO_SOURCE = "B. Peng et al., DeMo, arXiv 2411.19870"
PUBLISHED_SOURCE = "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)"
MEASURED_SOURCE = "our own training runs; command, versions and date under Sources"
VALUES = {
    "white": "white noise",
    "smooth": "smooth noise",
    "measured": "our {run}'s {tensor}",
}
TILES = "64\u00a0\u00d7\u00a064"
"""Not to be broken at the end of a line."""


def values_label(params: CompressionParams) -> str:
    """What is compressed, in words."""
    run = "run" if params.chunk == "2d-64" else f"{TILES} run"
    return VALUES[params.source].format(tensor=params.tensor, run=run)


def read_label(params: CompressionParams) -> str:
    """The read-out, in words."""
    return f"at ENOB {group_digits(params.enob)}" if params.enob else "without noise"


def compression_verdict(params: CompressionParams, result: CompressionResult) -> str:
    """What a band captures and how wrong optics make it, and what training made of that."""
    captured, runs = result.captured_energy, measured_runs()
    other: Feedback = "exact" if params.feedback == "sent" else "sent"
    return (
        f"A low band captures {percent(captured['low'])} of the energy of {values_label(params)}, "
        f"top-k {percent(captured['topk'])}; through {counted(params.planes, 'bit plane')} "
        f"{read_label(params)} it is {off(result.band_error)}. {_exact_runs(params, runs)}; at 256 "
        f"points {_end(runs, USUAL_BAND)} (low), by ENOB 8 optics "
        f"{_end(runs, USUAL_OPTICS + params.feedback)} fed back {_feedback(params.feedback)}, "
        f"{_end(runs, USUAL_OPTICS + other)} {_feedback(other)}."
    )


def _exact_runs(params: CompressionParams, runs: MeasuredRuns) -> str:
    """Where top-k ended, and the band of this state's chunks where the optics' runs have others."""
    topk, own = _end(runs, "topk-2d64"), EXACT_BANDS[params.chunk]
    if params.chunk == "2d-64":
        return f"Our {TILES} runs end at a loss of {topk} (top-k) and {_end(runs, own)} (low)"
    beside = f" and {_end(runs, own)} (low, 64 points)" if own != USUAL_BAND else ""
    return f"Our runs end at a loss of {topk} (top-k, {TILES}){beside}"


def off(error: float) -> str:
    """A relative error in words: 16.8 % off, or off by 223 times its own size."""
    if error < 1:
        return f"{percent(error)} off"
    return f"off by {significant(error)} times its own size"


def _feedback(feedback: Feedback) -> str:
    return "what was sent" if feedback == "sent" else "the exact band"


def _end(runs: MeasuredRuns, method: str) -> str:
    found = runs.of(method)
    if any(run.diverged for run in found):
        return "infinity (diverged)"
    return significant(runs.final[method].mean, 4)


def compression_working(params: CompressionParams, result: CompressionResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    runs = measured_runs()
    return Working(
        steps=[
            *_captured_steps(params, result),
            *_optics_steps(params, result),
            *_payload_steps(params, result),
            *_training_steps(runs, ordering()),
        ],
        assumptions=compression_assumptions(params, result),
        sources=[
            f"DeMo: {DEMO_SOURCE}",
            f"Published runs: {PUBLISHED_SOURCE}; code MIT, text CC BY 4.0",
            f"Our runs: {runs.command}; version {runs.version} at {runs.commit}, {runs.date}; "
            f"Python {runs.python}, NumPy {runs.numpy}, SciPy {runs.scipy}; {runs.hardware}",
            f"Text: {runs.text}",
        ],
    )


def _captured_steps(params: CompressionParams, result: CompressionResult) -> list[Step]:
    kept, points = group_digits(result.kept), group_digits(result.points)
    source = "measured here on " + f"{group_digits(result.chunks)} chunks of {values_label(params)}"
    return [
        Step(
            name=f"Captured by {SELECTOR_LABELS[name]}",
            formula="\u03a3 of the squared coefficients kept / \u03a3 of all",
            substituted=f"{kept} of {points} coefficients in each chunk"
            + (", places fitted to the other half" if name == "calibrated" else ""),
            value=percent(share),
            source=source,
            glossary="captured-energy",
        )
        for name, share in result.captured_energy.items()
    ]


def _optics_steps(params: CompressionParams, result: CompressionResult) -> list[Step]:
    scale = whole_transform_full_scale(chunk_energy(params.drawn).shape)
    step = params.kappa / steps_in(params.planes)
    noise = read_out_rms(scale, params.enob) if params.enob else 0.0
    factor = plane_noise_factor(params.planes)
    return [
        Step(
            name="Values clipped",
            formula="x / step rounds to above 2^(P\u22121) \u2212 1 or below \u22122^(P\u22121)",
            substituted=f"{group_digits(result.values)} values, step {compact(step)} RMS, whole "
            f"numbers from {_lowest(params.planes)} to {group_digits(2 ** (params.planes - 1) - 1)}",
            value=percent(result.clip_rate),
            source="counted here",
            glossary="bit-planes",
        ),
        Step(
            name="Error of the band from rounding and clipping",
            formula="RMS of the transformed error / RMS of the exact coefficients, in the band",
            substituted=f"{counted(params.planes, 'plane')}, {group_digits(result.kept)} of "
            f"{group_digits(result.points)} coefficients",
            value=percent(result.rounding_error),
            source="computed here, plane sums in one pass",
            glossary="bit-planes",
        ),
        Step(
            name="Error of the band from the read-out",
            formula="FS \u00d7 2^\u2212ENOB \u00d7 2/\u221a12 \u00d7 \u221a\u03a3 4^b \u00d7 step "
            "/ RMS of the exact coefficients, in the band",
            substituted=f"FS {significant(scale)}: {compact(noise)} a plane \u00d7 "
            f"{compact(factor)} \u00d7 {compact(step)} RMS",
            value=percent(result.noise_error),
            source="the noise rule; full scale at the largest output that a plane can have",
            glossary="enob-noise-rule",
        ),
        Step(
            name="Error of the optical band",
            formula="\u221a(rounding\u00b2 + read-out\u00b2)",
            substituted=f"\u221a({percent(result.rounding_error)}\u00b2 + "
            f"{percent(result.noise_error)}\u00b2)",
            value=percent(result.band_error),
            source="both are independent",
            glossary="error-feedback",
        ),
    ]


def _lowest(planes: int) -> str:
    return f"\u2212{group_digits(2 ** (planes - 1))}"


def _payload_steps(params: CompressionParams, result: CompressionResult) -> list[Step]:
    sent = result.payload_bytes
    count = sent["band"] // 2
    size = f"{group_digits(PUBLISHED_GPT.size)} parameters"
    rows = (
        ("Dense payload", "parameters \u00d7 2", f"{size} \u00d7 2", "dense"),
        ("Band's payload", "coefficients \u00d7 2", f"{group_digits(count)} \u00d7 2", "band"),
        (
            "Top-k payload",
            "coefficients \u00d7 (2 + index), 1 byte up to 256 positions, else 2",
            f"{group_digits(count)} coefficients, chunks of {CHUNK_LABELS[params.chunk]}, vectors "
            "in runs of their own",
            "topk",
        ),
        (
            "Top-k payload with int64 indices",
            "coefficients \u00d7 (2 + 8)",
            f"{group_digits(count)} \u00d7 10",
            "topk_int64",
        ),
    )
    return [
        Step(
            name=name, formula=formula, substituted=numbers,
            value=f"{group_digits(sent[field])}{THIN_SPACE}bytes",
            source=f"counted for the published model's tensors, {si(sent[field], 'B')}",
            glossary="demo",
        )
        for name, formula, numbers, field in rows
    ]  # fmt: skip


def _training_steps(runs: MeasuredRuns, order: Ordering) -> list[Step]:
    rates = ", ".join(f"{family} {rate:g}" for family, rate in runs.rates.items())
    settings = runs.settings
    return [
        Step(
            name=f"Final loss: {method_label(item.method)}",
            formula="validation loss after the last step, mean over seeds",
            substituted=f"{counted(len(item.ours.losses), 'seed')}"
            + (f", sd {significant(item.ours.sd, 2)}" if item.ours.sd else "")
            + _published(item),
            value=f"{significant(item.ours.mean, 4)}{THIN_SPACE}nat/byte",
            source=MEASURED_SOURCE,
            glossary="error-feedback" if item.method.startswith("optics") else "demo",
        )
        for item in order.placed
    ] + [
        Step(
            name="Learning rates",
            formula="the best of a sweep over a third of the steps, for AdamW, top-k and the low "
            "band of 64 \u00d7 64; the other bands and all optics take that band's",
            substituted=f"{counted(len(runs.sweep), 'run')} of "
            f"{counted(runs.sweep[0].steps[-1], 'step')}",
            value=rates,
            source=f"{MEASURED_SOURCE}; {settings.warmup} steps of warm-up, then a cosine to a tenth",
        )
    ]


def _published(item: Placed) -> str:
    if item.published is None:
        return ""
    reset = (
        f" with its full scale set every {item.published_full_scale_every} steps"
        if item.stand_in
        else ""
    )
    return f"; published {significant(item.published, 4)}{reset}"

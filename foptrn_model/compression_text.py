"""The compression result in words: verdict and working."""

from __future__ import annotations

from foptrn_model.compression import PUBLISHED_GPT, CompressionParams, CompressionResult
from foptrn_model.compression_order import Agreement, Ordering, ordering
from foptrn_model.compression_words import CHUNK_LABELS, SELECTOR_LABELS, method_label
from foptrn_model.demo.captured import chunk_energy
from foptrn_model.demo.chunks import whole_transform_full_scale
from foptrn_model.demo.optics import Feedback
from foptrn_model.demo.samples import NEIGHBOUR_CORRELATION
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
from foptrn_model.working import Assumption, Step, Working

DEMO_SOURCE = "B. Peng et al., DeMo, arXiv 2411.19870"
PUBLISHED_SOURCE = "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)"
MEASURED_SOURCE = "our own training runs; command, versions and date under Sources"
VALUES = {
    "white": "white noise",
    "smooth": "smooth noise",
    "measured": "our model's {tensor}",
}
USUAL_OPTICS = "optics-1d256-enob8-planes8-"
USUAL_BAND = "band-low-1d256"
MOST_TOLD = 12
"""Reversed pairs that the page tells of in a sentence; the table has all."""


def values_label(params: CompressionParams) -> str:
    """What is compressed, in words."""
    return VALUES[params.source].format(tensor=params.tensor)


def read_label(params: CompressionParams) -> str:
    """The read-out, in words."""
    return f"read at ENOB {group_digits(params.enob)}" if params.enob else "read without noise"


def compression_verdict(params: CompressionParams, result: CompressionResult) -> str:
    """What a band captures and how wrong optics make it, and what training made of that."""
    captured, runs = result.captured_energy, measured_runs()
    other: Feedback = "exact" if params.feedback == "sent" else "sent"
    return (
        f"A low band of {group_digits(result.kept)} in {group_digits(result.points)} coefficients "
        f"captures {percent(captured['low'])} of the energy of {values_label(params)}, top-k "
        f"{percent(captured['topk'])}; through {counted(params.planes, 'bit plane')}, "
        f"{read_label(params)}, it is {off(result.band_error)}. In our own training runs top-k "
        f"ended at a loss of {_end(runs, 'topk-2d64')}, the exact band at {_end(runs, USUAL_BAND)}, "
        f"optics at ENOB 8 at {_end(runs, USUAL_OPTICS + params.feedback)} fed back "
        f"{_feedback(params.feedback)} and {_end(runs, USUAL_OPTICS + other)} fed back "
        f"{_feedback(other)}."
    )


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
        assumptions=[*_findings(ordering()), *_assumptions(params, result)],
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
            formula=f"|x| beyond {group_digits(params.kappa)} RMS, after rounding",
            substituted=f"{group_digits(result.values)} values, step {compact(step)} RMS",
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
            + ("" if item.published is None else f"; published {significant(item.published, 4)}"),
            value=f"{significant(item.ours.mean, 4)}{THIN_SPACE}nat/byte",
            source=MEASURED_SOURCE,
            glossary="error-feedback" if item.method.startswith("optics") else "demo",
        )
        for item in order.placed
    ] + [
        Step(
            name="Learning rates",
            formula="the best of a sweep over a third of the steps, per optimizer",
            substituted=f"{counted(len(runs.sweep), 'run')} of "
            f"{counted(runs.sweep[0].steps[-1], 'step')}",
            value=rates,
            source=f"{MEASURED_SOURCE}; {settings.warmup} steps of warm-up, then a cosine to a tenth",
        )
    ]


def _findings(order: Ordering) -> list[Assumption]:
    """Where our runs agree with the published ones, and where they do not."""
    return [
        Assumption(kind="finding", text=_finding(agreement, beside))
        for agreement, beside in (
            (order.long, "the published 3,000 steps of a larger model"),
            (order.check, "the published check of a small model, 600 steps"),
        )
    ]


def _finding(found: Agreement, beside: str) -> str:
    turned = len(found.reversed_pairs)
    text = (
        f"Our runs order {found.same} of {found.pairs} pairs of methods as {beside} did, {turned} "
        f"the other way round; {found.tied} differ by less than twice the spread over seeds and "
        "count as equal."
    )
    if not turned:
        return text
    told = "; ".join(
        f"{method_label(pair.ours_better.method)} ({significant(pair.ours_better.ours.mean, 4)}) "
        f"below {method_label(pair.published_better.method)} "
        f"({significant(pair.published_better.ours.mean, 4)})"
        for pair in found.reversed_pairs[:MOST_TOLD]
    )
    more = f"; and {turned - MOST_TOLD} more in the table" if turned > MOST_TOLD else ""
    return f"{text} The other way round: {told}{more}."


def _assumptions(params: CompressionParams, result: CompressionResult) -> list[Assumption]:
    runs = measured_runs()
    settings = runs.settings
    listed = [
        Assumption(
            kind="convention",
            text="Transforms are orthonormal DCT-II, so energy is the same before and after. A "
            "vector, and every tensor with 1-D chunks, is laid out in one row before it is cut.",
        ),
        Assumption(
            kind="convention",
            text="Selectors send the same number of coefficients of every chunk. The random places "
            "are one draw for all chunks and workers, so such a band can be summed as well.",
        ),
        Assumption(
            kind="generous",
            text="The optics are linear and their noise is Gaussian and independent from plane to "
            "plane, so the planes are added up in one pass. Drift, crosstalk and a fixed pattern "
            "are left out.",
        ),
        Assumption(
            kind="convention",
            text=f"Our runs: {settings.layers} blocks of width {settings.width}, "
            f"{group_digits(settings.model.size)} parameters, {settings.workers} workers with "
            f"{settings.batch} sequences of {settings.context} bytes each, {settings.steps} steps, "
            "losses per byte. Published losses are per token of another vocabulary: compare the "
            "order, not the numbers.",
        ),
        Assumption(
            kind="convention",
            text="What workers send is averaged over all of them, and everyone steps by its sign. "
            "Optics have a full scale per tensor, shared by the workers, from the last of 20 steps "
            "in which the band is exact; the calibrated band's places come from the same steps.",
        ),
        Assumption(
            kind="extrapolated",
            text="A model 130 times smaller than the published one, trained for a fifth of the steps, "
            "says how methods differ, not how a large one would end.",
        ),
    ]
    if params.source == "smooth":
        listed.append(
            Assumption(
                kind="illustrative",
                text=f"Smooth noise correlates by {NEIGHBOUR_CORRELATION} between neighbours along "
                "every axis of a chunk.",
            )
        )
    if params.source == "measured":
        listed.append(
            Assumption(
                kind="convention",
                text="Measured tensors are the first worker's in our run with a low band of 64 "
                f"\u00d7 64, seed 0, at step {settings.steps}; vectors are left out, and values are "
                f"kept to 11 bits. All {group_digits(result.values)} of them are looked into "
                "unless fewer are asked for.",
            )
        )
    return listed

"""What the compression result rests on, and how our runs agree with the published ones."""

from __future__ import annotations

import math
from collections.abc import Mapping

from foptrn_model.compression import CompressionParams, CompressionResult
from foptrn_model.compression_order import (
    TIE_SDS,
    Agreement,
    Ordering,
    Placed,
    ordering,
    spreads,
)
from foptrn_model.compression_words import method_label, short_label
from foptrn_model.demo.captured import captured_energy
from foptrn_model.demo.chunks import ChunkKind
from foptrn_model.demo.experiment import TENSORS_OF
from foptrn_model.demo.samples import NEIGHBOUR_CORRELATION, Source
from foptrn_model.measured_runs import MeasuredRuns, measured_runs
from foptrn_model.text import counted, group_digits, percent, significant
from foptrn_model.working import Assumption

USUAL_OPTICS = "optics-1d256-enob8-planes8-"
USUAL_BAND = "band-low-1d256"
EXACT_BANDS: Mapping[ChunkKind, str] = {
    "2d-64": "band-low-2d64", "1d-256": USUAL_BAND, "1d-64": "band-low-1d64",
}  # fmt: skip
"""The low band that was trained with each kind of chunk."""
MOST_TOLD = 12
"""Reversed pairs that the page tells of in a sentence; the table has all."""


def compression_assumptions(
    params: CompressionParams, result: CompressionResult
) -> list[Assumption]:
    """Findings first, then assumptions by kind."""
    return [*_findings(ordering(), measured_runs()), *_assumptions(params, result)]


def _findings(order: Ordering, runs: MeasuredRuns) -> list[Assumption]:
    """Where our runs agree with the published ones, and where they do not."""
    spread = order.stand_ins
    single = sum(len(found.losses) == 1 for found in runs.final.values())
    names = "; ".join(short_label(item.method) for item in order.placed if item.stand_in)
    told = [
        _finding(order.long, "the published 3,000 steps of a larger model"),
        _finding(order.check, "the published check of a small model, 600 steps"),
        f"Two methods count as equal where our mean losses differ by less than {TIE_SDS:g} "
        "\u221a(sd\u2090\u00b2 + sd_b\u00b2), with the standard deviation over our seeds. A method "
        "run from one seed borrows the largest of its kind, for bands and optics "
        f"{significant(order.borrowed_sd, 2)}: so do {single} of the {len(runs.final)} methods, "
        f"{order.long.one_seed} of the {order.long.methods} that were published.",
        f"{counted(spread.methods, 'method')} of optics were published only with a full scale set "
        f"every 100 steps; ours beside them keep theirs fixed ({names}). They enter "
        f"{spread.pairs} of the {order.long.pairs} pairs: {spread.same} ordered alike, "
        f"{spread.turned} the other way round, {spread.tied} equal.",
        *_main_reversal(order.of(USUAL_OPTICS + "sent"), order.of(USUAL_BAND), runs),
    ]
    return [Assumption(kind="finding", text=text) for text in told]


def _finding(found: Agreement, beside: str) -> str:
    turned = len(found.reversed_pairs)
    text = (
        f"Our runs order {found.same} of {found.pairs} pairs of methods as {beside} did, {turned} "
        f"the other way round; {found.tied} differ by less than our spread over seeds can tell and "
        f"count as equal. By the means alone {found.raw_same} are ordered alike and "
        f"{found.raw_turned} the other way round."
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
    return f"{text} Beyond the spread the other way round: {told}{more}."


def _main_reversal(optics: Placed, band: Placed, runs: MeasuredRuns) -> list[str]:
    """What optics may promise: to end below the exact band. Told where the two sides differ."""
    if optics.published is None or band.published is None:
        return []
    theirs, ours = optics.published < band.published, optics.ours.mean < band.ours.mean
    if theirs == ours:
        return []
    apart, sd = abs(optics.ours.mean - band.ours.mean), spreads(runs)
    told = apart >= TIE_SDS * math.hypot(sd[optics.method], sd[band.method])
    words = ("below", "above") if theirs else ("above", "below")
    return [
        "The reversal that matters most: optics at ENOB 8 that feed back what was sent ended "
        f"{words[0]} the exact low band of 256 points in the published runs "
        f"({significant(optics.published, 4)} against {significant(band.published, 4)}), and end "
        f"{words[1]} it in ours ({significant(optics.ours.mean, 4)} against "
        f"{significant(band.ours.mean, 4)}), "
        + ("by more than" if told else "which is within")
        + " the spread over our seeds."
    ]


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
        listed += [Assumption(kind="convention", text=text) for text in _measured(params, result)]
    return listed


def _measured(params: CompressionParams, result: CompressionResult) -> list[str]:
    """From which run measured tensors are, and why the run itself tells another share."""
    runs = measured_runs()
    run = runs.of(TENSORS_OF)[0]
    of_delta = Source(name="measured", tensor="delta", chunk="2d-64", samples=2**18, seed=0)
    one, every = captured_energy(of_delta, runs.settings.keep)["low"], run.low_share[-1] or 0.0
    cut = (
        ""
        if params.chunk == "2d-64"
        else " Cut into runs in a row they stay what a band of 64 \u00d7 64 left, not what a band of "
        "these chunks would leave; no run of ours kept that."
    )
    vectors = "included" if params.chunk == "1d-64" else "left out"
    return [
        "Measured tensors are the first worker's in our run with a low band of 64 \u00d7 64, seed "
        f"{run.seed}, at step {run.steps[-1]}; vectors are {vectors}, and values are kept to 11 bits. "
        f"{group_digits(result.values)} values are looked into, all unless fewer are asked for.{cut}",
        f"That worker's delta has {percent(one)} of its energy in the low band of 64 \u00d7 64; the "
        f"curves of the same run say {percent(every)}, which is over all "
        f"{runs.settings.workers} workers, and workers differ.",
    ]

"""Deck three, second half: the optimizer step and the wire."""

from __future__ import annotations

from foptrn_model import curves
from foptrn_model.break_even import SEARCH_LOW_GBPS
from foptrn_model.decks.slide import (
    BigNumber,
    Bullets,
    Cite,
    Cited,
    Diagram,
    Numbers,
    Paragraph,
    See,
    Slide,
    TableBlock,
)
from foptrn_model.decks.states import live, opens, result, state, term
from foptrn_model.text import compact, duration, group_digits, percent, si, significant, speed_up
from foptrn_model.transit_step import BAND_GATHER, BAND_SWITCH, DENSE, TOPK
from foptrn_model.transit_words import WAY_LABELS, rate, timed

DELTA = "source=measured&tensor=delta"
RARE = "sync_every=100"
RATES = 8
OWN_CURVES = "curves=measured&target_loss=3.047"
LEDGER = Cite("FLOP ledger of the Amdahl explorer")
CURVES = Cite("Loss curves: B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)")
PENG = Cite("DeMo: Peng et al., arXiv 2411.19870")


def _break_even(way: str, query: str = "") -> str:
    found = result("transit", query).break_even[way]
    return rate(found.GBps) if found.kind == "crossing" else found.kind


def _beaten_by_topk() -> str:
    """Whether top-k is faster than the summed band at every rate where that one beats AdamW."""
    edge = result("transit").break_even[BAND_SWITCH].GBps
    rates = [edge * (SEARCH_LOW_GBPS / edge) ** (part / RATES) for part in range(RATES + 1)]
    found = [result("transit", f"wan_GBps={rate:.6g}").ways for rate in rates]
    beaten = all(ways[TOPK].time_s < ways[BAND_SWITCH].time_s for ways in found)
    return "top-k beats both" if beaten else "top-k does not always beat it"


def demo_slide() -> Slide:
    """The optimizer step: DeMo."""
    share = result("amdahl").demo_share
    found = result("transit")
    return Slide(
        title="The optimizer step: DeMo",
        blocks=(
            Numbers(
                (
                    BigNumber(percent(share, 2), "of the FLOP: its transforms", "transform"),
                    BigNumber(f"{compact(found.payload_reduction['band'])}\u00d7",
                              "smaller payload, a band", "weight-masked"),
                    BigNumber(f"{compact(found.wire_reduction['band'])}\u00d7",
                              "fewer bytes on the wire", "switch"),
                )
            ),
            Paragraph("DeMo transforms its momentum and sends a few coefficients."),
            See((opens("compression"), term("demo", "DeMo"))),
        ),
        cites=(PENG, Cite("Amdahl and transit explorers")),
        notes=(
            "DeMo lets replicas drift and sends only part of a cosine transform of the momentum.",
            f"Its transforms are {percent(share, 2)} of a step, so taking them over is worth "
            "nothing.",
            "What it saves is bytes on the link.",
            "But a payload is not what the wire carries: gathered from "
            f"{group_digits(state('transit').params.datacentres * state('transit').params.workers_per_dc)}"
            " workers, the saving shrinks.",
        ),
    )  # fmt: skip


def band_slide() -> Slide:
    """A fixed band is summable, and trains worse."""
    captured = result("compression", DELTA).captured_energy
    published = curves.published_curves()
    return Slide(
        title="A fixed band is summable, and trains worse",
        blocks=(
            Numbers(
                (
                    BigNumber(percent(captured["topk"]), "of the energy: top-k", "data-by-data"),
                    BigNumber(percent(captured["low"]), "of the energy: low band",
                              "weight-masked"),
                )
            ),
            Cited(
                f"Final loss: top-k {significant(published['topk-2d64'].loss[-1], 4)}, low band "
                f"{significant(published['band-low-2d64'].loss[-1], 4)}.",
                "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)",
            ),
            See((opens("compression", DELTA), term("captured-energy", "Captured energy"))),
        ),
        cites=(Cite("Energy: our own run's delta, compression explorer"),),
        notes=(
            "A band chosen beforehand needs no comparison and no index, and all workers send the "
            "same coefficients.",
            "So it can be summed in light, or at a switch. Top-k cannot.",
            f"But of the delta that is sent it captures {percent(captured['low'])}, where top-k "
            f"captures {percent(captured['topk'])}.",
            "It keeps taking the same band, until nothing is left there.",
        ),
    )  # fmt: skip


def where_slide() -> Slide:
    """Where the band is computed decides."""
    ways = result("transit").ways
    return Slide(
        title="Where the band is computed decides",
        blocks=(
            TableBlock(
                head=("Way", "WAN bytes", "Step", "Time to loss"),
                rows=tuple(
                    (
                        label,
                        si(ways[way].wan_bytes, "B"),
                        duration(ways[way].step_time_s),
                        timed(ways[way].time_s),
                    )
                    for way, label in WAY_LABELS.items()
                ),
                caption=f"To a loss of {significant(state('transit').params.target_loss, 4)}; "
                "bytes per sync and data centre",
            ),
            See((opens("transit"), term("time-to-loss", "Time to a loss"))),
        ),
        beside=(
            Diagram(
                "datacentres",
                "Two data centres, each with workers around a switch, joined by a slow link. Bands "
                "gathered cross the link one by one; summed at the switch they cross once.",
            ),
        ),
        cites=(CURVES, Cite("Fabric, latency and compute time inferred")),
        notes=(
            "In the host or in a link module, every worker's band crosses the link.",
            "Summed at the switch, one band crosses.",
            f"A step by dense all-reduce sends {si(ways[DENSE].wan_bytes, 'B')} between the "
            f"centres, a gathered band {si(ways[BAND_GATHER].wan_bytes, 'B')}, a summed one "
            f"{si(ways[BAND_SWITCH].wan_bytes, 'B')}.",
            f"Yet the band needs {group_digits(round(ways[BAND_GATHER].steps))} steps where AdamW "
            f"needs {group_digits(round(ways[DENSE].steps))}, and top-k "
            f"{group_digits(round(ways[TOPK].steps))}.",
        ),
    )


def live_transit_slide() -> Slide:
    """Live: time to a target loss."""
    return Slide(
        title="Live: time to a target loss",
        blocks=(live("transit", plate="wan"),),
        cites=(CURVES,),
        notes=(
            "Every way of syncing, against the rate of the link between the centres.",
            "Drag the WAN rate: the lines cross where sending less begins to pay.",
            f"As it opens, the verdict is: {state('transit').verdict}",
            "A method that never reaches the loss has no line at all.",
        ),
    )


def across_slide() -> Slide:
    """Across data centres: break-even bandwidth."""
    rare, summed = state("transit", RARE), result("transit").break_even[BAND_SWITCH]
    return Slide(
        title="Across data centres: break-even bandwidth",
        blocks=(
            Numbers(
                (
                    BigNumber(_break_even(BAND_GATHER), "a gathered band beats AdamW",
                              "weight-masked"),
                    BigNumber(_break_even(BAND_SWITCH), "a band summed at the switch does, "
                              f"{summed.wins or ''} this rate", "switch"),
                )
            ),
            Paragraph(
                f"Synced every {group_digits(rare.params.sync_every)} steps, the summed band beats it: "
                f"{_break_even(BAND_SWITCH, RARE)}."
            ),
            See((opens("transit"), opens("transit", RARE, label="Rare syncs"),
                 opens("transit", OWN_CURVES, label="Our own curves"),
                 term("break-even-bandwidth", "Break-even"))),
        ),
        cites=(CURVES, Cite("DiLoCo: Douillard et al., arXiv 2311.08105")),
        notes=(
            "The break-even is the link rate at which two ways take equal time to the same loss.",
            f"For a band gathered from every worker: {_break_even(BAND_GATHER)}. Summed at the "
            f"switch: {_break_even(BAND_SWITCH)}.",
            f"On the curves of our own small model these are "
            f"{_break_even(BAND_GATHER, OWN_CURVES)} and {_break_even(BAND_SWITCH, OWN_CURVES)}.",
            "Syncing rarely divides the bytes of every way, and then the band's extra steps decide.",
            "That steps to the loss stay the same with rare syncs is an extrapolation.",
        ),
    )  # fmt: skip


def bytes_slide() -> Slide:
    """Bytes matter more than FLOP."""
    hyena, found = result("amdahl"), result("transit")
    dense, topk = found.ways[DENSE], found.ways[TOPK]
    return Slide(
        title="Bytes matter more than FLOP",
        blocks=(
            Numbers(
                (
                    BigNumber(f"{speed_up(hyena.amdahl_bound)}\u00d7", "at most, from FLOP",
                              "transform"),
                    BigNumber(f"{compact(dense.time_s / topk.time_s)}\u00d7",
                              "from bytes: top-k against AdamW", "data-by-data"),
                    BigNumber(percent(dense.utilisation), "of AdamW's step is computing", "dense"),
                )
            ),
            Paragraph("The saving is digital. It needs no optics."),
            See((opens("amdahl"), opens("transit"))),
        ),
        cites=(LEDGER, CURVES),
        notes=(
            "Set the two sides together, each in its own published case.",
            f"A free engine inside the step gives {speed_up(hyena.amdahl_bound)} times at most.",
            f"Sending less across a slow link gives {compact(dense.time_s / topk.time_s)} times, "
            f"in a small model that computes for {percent(dense.utilisation)} of its step.",
            "A larger model computes longer for each byte, so this case flatters every saving of "
            "bytes.",
            "And the method that saves most time, top-k, rests on comparing values, which no "
            "transform does.",
        ),
    )  # fmt: skip


def verdict_slide() -> Slide:
    """Verdict: on the wire, if anywhere."""
    hyena, masks = result("amdahl"), result("masks")
    return Slide(
        title="Verdict: on the wire, if anywhere",
        look="verdict",
        blocks=(
            Bullets(
                (
                    f"Inside the step: {speed_up(hyena.amdahl_bound)}\u00d7, and masks cost "
                    f"{compact(masks.mask_over_digital)}\u00d7 the step",
                    f"On the wire: a summed band beats AdamW below {_break_even(BAND_SWITCH)}; "
                    f"{_beaten_by_topk()}",
                ),
                title="Known",
            ),
            Bullets(
                (
                    "Steps to a loss in large models",
                    "A band that trains as well as top-k",
                ),
                title="Not known",
            ),
            See(
                (
                    opens("amdahl", label="Amdahl"),
                    opens("masks", label="Masks"),
                    opens("compression", DELTA, label="Bands"),
                    opens("transit", label="Transit"),
                    opens("transit", OWN_CURVES, label="Our own curves"),
                )
            ),
        ),
        cites=(CURVES,),
        notes=(
            "Inside the step there is little to take, and it costs a rewrite of every mask.",
            "On the wire there is something to save, but the fixed band that light could do pays "
            "for it with steps.",
            f"Where the band is summed at the switch it beats AdamW below "
            f"{_break_even(BAND_SWITCH)}; there {_beaten_by_topk()}.",
            "What would change this: a band, known beforehand, that trains nearly as well as top-k.",
        ),
    )

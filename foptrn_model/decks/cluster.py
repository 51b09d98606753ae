"""Deck three: optical engines in a training cluster."""

from __future__ import annotations

from foptrn_model.decks.cluster_wire import (
    across_slide,
    band_slide,
    bytes_slide,
    demo_slide,
    live_transit_slide,
    verdict_slide,
    where_slide,
)
from foptrn_model.decks.slide import (
    BigNumber,
    Bullets,
    Cite,
    Deck,
    Diagram,
    Numbers,
    Paragraph,
    See,
    Slide,
)
from foptrn_model.decks.states import LAYER_MAJOR, PIPELINING, live, opens, result, state, term
from foptrn_model.text import duration, group_digits, percent, si, speed_up

CIRCULANT = "variant=block-circulant"
SEQUENCE_MAJOR = "order=sequence-major"
LEDGER = Cite("FLOP ledger of the Amdahl explorer")
SCHEDULE = Cite("Schedule of the masks explorer; device rates illustrative")


def cluster_deck() -> Deck:
    """The deck, with every number taken from a result."""
    return Deck(
        number=3,
        title="Optical engines in a training cluster",
        question="Where in a cluster could an optical engine earn its place?",
        slides=(
            _question(), _places(), _amdahl(), _masks(), _live_masks(), _layer_major(),
            _data_by_data(), demo_slide(), band_slide(), where_slide(), live_transit_slide(), across_slide(), bytes_slide(),
            verdict_slide(),
        ),
    )  # fmt: skip


def _question() -> Slide:
    return Slide(
        title="Where in a training cluster could light earn its place?",
        look="question",
        blocks=(
            Paragraph("In the step, in the optimizer, or on the wire between machines?", lead=True),
        ),
        notes=(
            "A cluster computes, rewrites its weights, and sends what it learned to its peers.",
            "An optical Fourier engine could sit at each of these places.",
            "We look at them in turn, and ask each time what it would be worth if the engine "
            "itself were free.",
            "A place that fails even then needs no further study.",
        ),
    )


def _places() -> Slide:
    return Slide(
        title="Three places for an engine",
        blocks=(
            Bullets(
                (
                    "Beside the GPU: inside the step",
                    "In the link module: on what is sent",
                    "At the switch: on the sum of all",
                )
            ),
            See((term("4f-system", "4f system"), term("wire-bytes", "Wire bytes"))),
        ),
        beside=(
            Diagram(
                "places",
                "GPUs joined to a switch by links. An engine could sit beside the GPU, in the link "
                "module, or at the switch.",
            ),
        ),
        notes=(
            "Beside the GPU it would take over transforms and masked products of the step.",
            "In a pluggable link module it would transform what goes out and keep a band.",
            "At the switch it would add the bands of all workers.",
            "The first saves FLOP. The other two save bytes.",
        ),
    )


def _amdahl() -> Slide:
    hyena, circulant = result("amdahl"), result("amdahl", CIRCULANT)
    return Slide(
        title="Inside the step: a static Amdahl bound",
        blocks=(
            Numbers(
                (
                    BigNumber(f"{speed_up(hyena.amdahl_bound)}\u00d7", "at most, Hyena-2", "hyena"),
                    BigNumber(
                        f"{speed_up(circulant.amdahl_bound)}\u00d7",
                        "at most, block-circulant",
                        "block-circulant",
                    ),
                )
            ),
            Paragraph("The engine is free here, and its masks are written once per step."),
            See((opens("amdahl"), opens("amdahl", CIRCULANT, label="Block-circulant"),
                 term("static-share", "Static share"))),
        ),
        cites=(LEDGER,),
        notes=(
            "Static means: what can be done with masks that stay for the whole step.",
            f"That is {percent(hyena.static_share)} of the FLOP of Hyena-2, and "
            f"{percent(circulant.static_share)} with block-circulant weights.",
            "The bound is what is left if that part takes no time at all.",
            "If transforms run slower than matrix products, the share of time is larger; the "
            "explorer has a slider for it.",
        ),
    )  # fmt: skip


def _masks() -> Slide:
    found = state("masks")
    return Slide(
        title="The masks change with every step",
        blocks=(
            Numbers(
                (
                    BigNumber(si(found.result.mask_values_forward), "mask values, one pass",
                              "weight-masked"),
                    BigNumber(group_digits(found.result.frames_per_step), "frames a step",
                              "weight-masked"),
                    BigNumber(duration(found.result.mask_time_s), "to write them",
                              "weight-masked"),
                )
            ),
            Paragraph(
                f"The GPUs compute for {duration(found.result.digital_step_time_s)} meanwhile."
            ),
            See((opens("masks"), term("mask-rewrites", "Mask rewrites"))),
        ),
        cites=(SCHEDULE,),
        notes=(
            "The optimizer changes the weights, so every mask is stale.",
            f"At {found.params.slm_megapixels:g} megapixels and "
            f"{group_digits(found.params.frame_rate_hz)} frames a second, writing takes "
            f"{duration(found.result.mask_time_s)}.",
            f"{group_digits(found.params.gpus)} GPUs compute the step in "
            f"{duration(found.result.digital_step_time_s)}.",
            "With one complex value per pixel this is optimistic.",
        ),
    )  # fmt: skip


def _live_masks() -> Slide:
    return Slide(
        title="Live: step time against mask time",
        blocks=(live("masks", plate="crossing"),),
        notes=(
            "Where the two lines cross, writing hides behind computing.",
            "Change the frame rate, or the number of GPUs.",
            f"As it opens, the verdict is: {state('masks').verdict}",
            "More sequences per step help, because a mask serves all of them.",
        ),
    )


def _layer_major() -> Slide:
    found, other = state("masks"), result("masks", SEQUENCE_MAJOR)
    return Slide(
        title="Layer-major order against the pipeline",
        blocks=(
            Numbers(
                (
                    BigNumber(si(found.result.activation_bytes_layer_major, "B"),
                              "alive, layer-major", "weight-masked"),
                    BigNumber(si(found.result.activation_bytes_pipeline, "B"),
                              "alive, a pipeline stage", "dense"),
                )
            ),
            Paragraph(
                f"A mask per sequence instead: {duration(other.mask_time_s)} a step."
            ),
            See((opens("masks", SEQUENCE_MAJOR),
                 term("layer-major-scheduling", "Layer-major"))),
        ),
        beside=(LAYER_MAJOR,),
        cites=(PIPELINING,),
        notes=(
            "Layer-major order writes each mask once for the whole step.",
            "A pipeline sends each microbatch through all its layers, and would need every mask "
            "again.",
            "Layer-major pays in memory, since every sequence stays alive.",
            f"The pipeline loses {percent(found.result.pipeline_bubble)} to its bubble with "
            f"{group_digits(found.params.pipeline_stages)} stages and "
            f"{group_digits(found.params.microbatches)} microbatches.",
        ),
    )  # fmt: skip


def _data_by_data() -> Slide:
    step = result("amdahl", CIRCULANT).flop_per_token.step
    return Slide(
        title="Data-by-data products stay digital",
        blocks=(
            Numbers(
                (
                    BigNumber(percent(step.data_by_data / step.total),
                              "of the step: a mask per sequence", "data-by-data"),
                    BigNumber(percent(step.dense / step.total), "dense, output head included",
                              "dense"),
                )
            ),
            Paragraph("Block-circulant weights. Neither part has a mask that lasts the step."),
            See((opens("amdahl", CIRCULANT),
                 term("weight-masked-and-data-by-data", "The two products"))),
        ),
        cites=(LEDGER,),
        notes=(
            "The gradient of a weight multiplies two spectra that both depend on the data.",
            "As an optical mask it would be another one for every sequence.",
            f"That is {percent(step.data_by_data / step.total)} of the step here.",
            f"Accumulating gradients and gating is another {percent(step.other / step.total)}.",
        ),
    )  # fmt: skip

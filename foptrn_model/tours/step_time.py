"""Tours of the explorers about a step's time and traffic: masks, transit, compression."""

from __future__ import annotations

from foptrn_model.compression_text import off
from foptrn_model.explorers import Evaluation
from foptrn_model.masks_text import sequences_text
from foptrn_model.text import compact, duration, group_digits, percent, si, significant
from foptrn_model.tours.step import VERDICT, TourStep, control, plate
from foptrn_model.transit_step import BAND_SWITCH, DENSE, TOPK
from foptrn_model.transit_text import beats_where
from foptrn_model.transit_words import timed


def _masks(seen: Evaluation) -> str:
    return duration(seen.result.mask_time_s)


def _digital(seen: Evaluation) -> str:
    return duration(seen.result.digital_step_time_s)


MASKS_TOUR = (
    TourStep(
        title="New weights, new masks",
        text=lambda seen: (
            f"Every optimizer step changes the weights, so that "
            f"{group_digits(seen.result.frames_per_step)} frames must be written anew. That takes "
            f"{_masks(seen)}, beside {_digital(seen)} of computing."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="One write serves the whole batch",
        text=lambda seen: (
            f"With {group_digits(seen.params.sequences_per_step)} sequences a step the computing "
            f"takes {_digital(seen)}, and the masks still {_masks(seen)}. They are the shorter side "
            f"from {sequences_text(seen.result)} on."
        ),
        query="sequences_per_step=2048",
        at=control("sequences_per_step"),
    ),
    TourStep(
        title="What that order costs",
        text=lambda seen: (
            f"A layer's masks serve all sequences before the next layer's are written. So the "
            f"activations of the whole batch wait in memory: "
            f"{si(seen.result.activation_bytes_layer_major, 'B')}."
        ),
        query="sequences_per_step=2048",
        at=plate("memory"),
    ),
    TourStep(
        title="The other order",
        text=lambda seen: (
            f"Sequence by sequence nothing waits, but every mask is written for every sequence: "
            f"{_masks(seen)} a step, {compact(seen.result.mask_over_digital)}\u00d7 the computing."
        ),
        query="order=sequence-major",
        at=control("order"),
    ),
    TourStep(
        title="A faster modulator",
        text=lambda seen: (
            f"At {group_digits(seen.params.frame_rate_hz)} frames a second the masks take "
            f"{_masks(seen)}, and hide behind the computing from {sequences_text(seen.result)} on."
        ),
        query="frame_rate_hz=20000",
        at=control("frame_rate_hz"),
    ),
)


def _time(seen: Evaluation, way: str) -> str:
    return timed(seen.result.ways[way].time_s)


def _target(seen: Evaluation) -> str:
    return f"a loss of {significant(seen.params.target_loss, 4)}"


TRANSIT_TOUR = (
    TourStep(
        title="Fewer bytes, more steps",
        text=lambda seen: (
            f"A band sends {group_digits(seen.result.payload_reduction['band'])} times fewer bytes "
            f"than dense AdamW, but takes {significant(seen.result.band_step_ratio)} times the steps "
            f"to {_target(seen)}. Top-k takes {_time(seen, TOPK)}, AdamW {_time(seen, DENSE)}."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="A slower link",
        text=lambda seen: (
            f"At {group_digits(seen.params.wan_GBps)} GB/s between the data centres bytes weigh more: "
            f"AdamW takes {_time(seen, DENSE)}, top-k {_time(seen, TOPK)}, and the band summed at "
            f"the switch {_time(seen, BAND_SWITCH)}."
        ),
        query="wan_GBps=1",
        at=control("wan_GBps"),
    ),
    TourStep(
        title="Where lines cross",
        text=lambda seen: (
            f"Each line is one way of syncing over the link's rate. Summed at the switch the band "
            f"{beats_where(seen.result.break_even[BAND_SWITCH], 'beats AdamW')}."
        ),
        query="wan_GBps=1",
        at=plate("wan"),
    ),
    TourStep(
        title="Sync rarely instead",
        text=lambda seen: (
            f"With a sync every {group_digits(seen.params.sync_every)} steps AdamW takes "
            f"{_time(seen, DENSE)} and top-k {_time(seen, TOPK)}, if rare syncs cost no loss: there "
            f"is hardly anything left to compress."
        ),
        query="sync_every=100",
        at=control("sync_every"),
    ),
    TourStep(
        title="Our own small model",
        text=lambda seen: (
            f"The same on curves that we trained ourselves. To {_target(seen)} top-k takes "
            f"{_time(seen, TOPK)} and AdamW {_time(seen, DENSE)}."
        ),
        query="curves=measured&target_loss=3.047",
        at=plate("loss-steps"),
    ),
)


def _kept(seen: Evaluation, selector: str) -> str:
    return percent(seen.result.captured_energy[selector])


def _end(seen: Evaluation, method: str) -> str:
    return significant(seen.series.measured.final[method].mean, 4)


COMPRESSION_TOUR = (
    TourStep(
        title="What a fixed band keeps of noise",
        text=lambda seen: (
            f"Both send one coefficient in {group_digits(seen.result.points // seen.result.kept)}. "
            f"Of white noise a low band keeps {_kept(seen, 'low')} of the energy, top-k, which "
            f"looks at the values, {_kept(seen, 'topk')}."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="What it keeps of a smooth signal",
        text=lambda seen: (
            f"Were a momentum smooth, the low band would keep {_kept(seen, 'low')} and top-k "
            f"{_kept(seen, 'topk')}, and comparing values would hardly pay."
        ),
        query="source=smooth",
        at=control("source"),
    ),
    TourStep(
        title="What it keeps of a real one",
        text=lambda seen: (
            f"Of the {seen.params.tensor} of our own run the low band keeps {_kept(seen, 'low')}, "
            f"top-k {_kept(seen, 'topk')}. The band is what has been sent again and again: nothing "
            f"is left there."
        ),
        query="source=measured&tensor=delta",
        at=plate("keep"),
    ),
    TourStep(
        title="An analogue sender",
        text=lambda seen: (
            f"Through {group_digits(seen.params.planes)} bit planes read at ENOB "
            f"{group_digits(seen.params.enob)} the band of white noise is {off(seen.result.band_error)}. "
            f"Rounding alone would be {off(seen.result.rounding_error)}: the rest is read-out noise."
        ),
        query="",
        at=control("enob"),
    ),
    TourStep(
        title="Feed back what was sent",
        text=lambda seen: (
            f"Trained with such optics our model ends at a loss of "
            f"{_end(seen, 'optics-1d256-enob8-planes8-sent')} when it subtracts what was really sent, "
            f"and at {_end(seen, 'optics-1d256-enob8-planes8-exact')} when it subtracts the exact band."
        ),
        query="",
        at=plate("divergence"),
    ),
)

"""Tours of the explorers about the work itself: Amdahl and backward."""

from __future__ import annotations

from dataclasses import asdict

from foptrn_model.explorers import Evaluation
from foptrn_model.text import compact, group_digits, percent, si, speed_up
from foptrn_model.tours.step import VERDICT, TourStep, control, plate


def _share(seen: Evaluation) -> str:
    return percent(seen.result.static_share)


def _bound(seen: Evaluation) -> str:
    return f"{speed_up(seen.result.time_weighted_bound)}\u00d7"


def _step(seen: Evaluation) -> str:
    return si(seen.result.flop_per_token.step.total, "FLOP")


AMDAHL_TOUR = (
    TourStep(
        title="The answer in one sentence",
        text=lambda seen: (
            f"Hyena-2 replaces attention by long convolutions, which a lens could do. They are "
            f"{_share(seen)} of the FLOP of a training step, so that even a free engine makes it at "
            f"most {_bound(seen)} faster."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="Without transforms there is nothing to take",
        text=lambda seen: (
            f"A transformer multiplies matrices and attends: {_step(seen)} a token, of which a "
            f"Fourier engine could take {_share(seen)}."
        ),
        query="variant=transformer",
        at=control("variant"),
    ),
    TourStep(
        title="Make the layers circular",
        text=lambda seen: (
            f"Block-circulant weights turn every projection into short convolutions. The step "
            f"shrinks to {_step(seen)} a token, and the blue share of it is {_share(seen)}."
        ),
        query="variant=block-circulant",
        at=plate("ledger"),
    ),
    TourStep(
        title="Slow FFTs are the engine's best case",
        text=lambda seen: (
            f"GPUs run FFTs below their matmul rate. At {group_digits(seen.params.fft_rate)} of it "
            f"the same share of the FLOP is {percent(seen.result.time_weighted_share)} of the time, "
            f"and the bound rises to {_bound(seen)}."
        ),
        query="fft_rate=0.0625&variant=block-circulant",
        at=control("fft_rate"),
    ),
    TourStep(
        title="Length does not change the answer",
        text=lambda seen: (
            f"Back to Hyena-2, now at {group_digits(seen.params.seq_len)} tokens. Transforms grow "
            f"with the logarithm of the length only: the share is {_share(seen)}, the bound "
            f"{_bound(seen)}."
        ),
        query="seq_len=131072",
        at=plate("length"),
    ),
)

BACKWARD_TOUR = (
    TourStep(
        title="The claim, checked",
        text=lambda seen: (
            f"The gradient of a convolution is a correlation, so that a Fourier engine could take "
            f"it as well. By FFT both gradients match direct sums to "
            f"{compact(seen.result.largest_gradient_error)} of the peak."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="Three passes, two kinds of mask",
        text=lambda seen: (
            f"Each pass is a 4f system; the three match direct sums to "
            f"{compact(max(asdict(seen.result.plane_checks).values()))} of the peak. Two have the weight as "
            f"their mask, but the filter gradient's is made of data and new for every sequence."
        ),
        query="",
        at=plate("planes"),
    ),
    TourStep(
        title="Forget the padding",
        text=lambda seen: (
            f"Without padding the ends of a sequence meet. A kick to the last input then moves "
            f"earlier outputs by {percent(seen.result.checks.future_leak)} of the peak: the layer "
            f"sees the future."
        ),
        query="padding=false",
        at=control("padding"),
    ),
    TourStep(
        title="A leak that no output shows",
        text=lambda seen: (
            f"With an impulse as the filter nothing leaks, {compact(seen.result.checks.future_leak)} "
            f"of the peak being rounding. The gradients are off all the same, by up to "
            f"{percent(seen.result.largest_gradient_error)}."
        ),
        query="filter=impulse&padding=false",
        at=control("filter"),
    ),
    TourStep(
        title="Read it with a converter",
        text=lambda seen: (
            f"With padding again, and read at ENOB {group_digits(seen.params.enob)}, both gradients "
            f"are off by up to {compact(seen.result.largest_gradient_error)} of the peak."
        ),
        query="enob=8",
        at=control("enob"),
    ),
)

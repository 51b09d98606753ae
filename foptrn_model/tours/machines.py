"""Tours of the explorers about a machine: trainers, precision, optical DFA."""

from __future__ import annotations

from foptrn_model.explorers import Evaluation
from foptrn_model.optical_dfa_experiment import Trainer
from foptrn_model.precision_text import bits
from foptrn_model.text import compact, duration, group_digits, percent, significant
from foptrn_model.tours.step import VERDICT, TourStep, control, plate


def _reached(seen: Evaluation, trainer: str) -> str:
    return percent(seen.result.trainers[trainer].hardware_accuracy.median)


def _promised(seen: Evaluation) -> str:
    return percent(seen.result.trainers["in-silico"].model_accuracy.median)


TRAINERS_TOUR = (
    TourStep(
        title="The reality gap",
        text=lambda seen: (
            f"Trained on a perfect model the network promises {_promised(seen)}. On devices whose "
            f"phases are off by {group_digits(seen.params.phase_error_rad)} rad it reaches "
            f"{_reached(seen, 'in-silico')}; trained on the machine itself, {_reached(seen, 'in-situ')}."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="Does the gradient point the right way?",
        text=lambda seen: (
            f"On the hardware the model's gradient ends at a cosine of "
            f"{significant(seen.result.trainers['in-silico'].gradient_cosine[-1])} to the true one. "
            f"Measured in situ it ends at "
            f"{significant(seen.result.trainers['in-situ'].gradient_cosine[-1])}."
        ),
        query="",
        at=plate("cosine"),
    ),
    TourStep(
        title="Another machine",
        text=lambda seen: (
            f"A stack of phase masks with nothing but noise of the read-out: trained on the model "
            f"it reads digits at {_reached(seen, 'in-silico')} on the hardware, in situ at "
            f"{_reached(seen, 'in-situ')}. There is no gap to close."
        ),
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&sweep=shift_px&task=digits",
        at=plate("gap"),
    ),
    TourStep(
        title="Shift its masks sideways",
        text=lambda seen: (
            f"Masks off by {group_digits(seen.params.shift_px)} pixels are enough: trained on the "
            f"model it falls to {_reached(seen, 'in-silico')}, physics-aware training keeps "
            f"{_reached(seen, 'physics-aware')}, in situ {_reached(seen, 'in-situ')}."
        ),
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&shift_px=0.5&sweep=shift_px"
        "&task=digits",
        at=control("shift_px"),
    ),
    TourStep(
        title="Where each of them breaks",
        text=lambda seen: (
            f"Off by {group_digits(seen.params.shift_px)} pixels the model says nothing about the "
            f"machine: physics-aware training, too, is left with {_reached(seen, 'physics-aware')}. "
            f"In situ it is {_reached(seen, 'in-situ')}."
        ),
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&shift_px=2&sweep=shift_px"
        "&task=digits",
        at=plate("sweep"),
    ),
)


def _noise(seen: Evaluation) -> str:
    return percent(seen.result.noise_relative_rms)


def _needs(seen: Evaluation, name: str) -> str:
    return bits(seen.result.formats[name].enob_to_match)


PRECISION_TOUR = (
    TourStep(
        title="Noise against rounding",
        text=lambda seen: (
            f"A read-out at ENOB {group_digits(seen.params.enob)} leaves a gradient off by "
            f"{_noise(seen)}. Rounding it to FP8 E5M2 does "
            f"{percent(seen.result.formats['E5M2'].relative_rms)}, to BF16 "
            f"{percent(seen.result.formats['BF16'].relative_rms)}."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="The largest value sets the scale",
        text=lambda seen: (
            f"Spiky gradients stretch the full scale: their peak is {significant(seen.result.crest)} "
            f"times the RMS. The same read-out is off by {_noise(seen)}, and BF16 asks for "
            f"{_needs(seen, 'BF16')}."
        ),
        query="distribution=student-t",
        at=control("distribution"),
    ),
    TourStep(
        title="Average it away",
        text=lambda seen: (
            f"{group_digits(seen.params.passes)} passes bring Gaussian gradients to {_noise(seen)}, "
            f"since noise falls with the root of their number. To match BF16 it takes "
            f"{group_digits(seen.result.formats['BF16'].passes_at_enob)}."
        ),
        query="passes=16",
        at=control("passes"),
    ),
    TourStep(
        title="Bits sent one at a time",
        text=lambda seen: (
            f"A modulator of two levels sends a value in {group_digits(seen.params.planes)} bit "
            f"planes. Weighted and summed they multiply the noise of one plane's read-out by "
            f"{compact(seen.result.plane_noise_factor)}."
        ),
        query="planes=12",
        at=plate("planes"),
    ),
    TourStep(
        title="When converting costs more than computing",
        text=lambda seen: (
            f"For Hyena-2 converting takes "
            f"{percent(seen.result.conversion['hyena'].conversion_over_digital)} of the digital "
            f"energy that it replaces. At an ENOB of "
            f"{significant(seen.result.conversion['hyena'].break_even_enob)} it takes all of it."
        ),
        query="",
        at=plate("conversion"),
    ),
)


def _light(seen: Evaluation) -> str:
    return duration(seen.result.step_time_s["odfa"])


def _backprop(seen: Evaluation) -> str:
    return duration(seen.result.step_time_s["bp"])


def _learned(seen: Evaluation, trainer: Trainer) -> str:
    return percent(float(seen.series.experiment.final(trainer).mean()))


OPTICAL_DFA_TOUR = (
    TourStep(
        title="Close to even",
        text=lambda seen: (
            f"Light projects the error to all layers at once. At {group_digits(seen.params.depth)} "
            f"layers of {group_digits(seen.params.width)} a step takes {_light(seen)}, by "
            f"backpropagation {_backprop(seen)}."
        ),
        query="",
        at=VERDICT,
    ),
    TourStep(
        title="Small networks wait for frames",
        text=lambda seen: (
            f"At a width of {group_digits(seen.params.width)} backpropagation needs {_backprop(seen)}. "
            f"The modulator's frames take as long as before, and a step by light {_light(seen)}."
        ),
        query="width=256",
        at=control("width"),
    ),
    TourStep(
        title="Past the memory wall",
        text=lambda seen: (
            f"At {group_digits(seen.params.width)} the weights no longer fit and move over PCIe: "
            f"{_backprop(seen)} by backpropagation, {_light(seen)} by light, whose feedback matrix "
            f"is stored in the medium."
        ),
        query="width=4096",
        at=plate("width"),
    ),
    TourStep(
        title="Faster frames need a faster camera",
        text=lambda seen: (
            f"{group_digits(seen.params.frame_rate_hz)} frames and {group_digits(seen.params.camera_fps)} "
            f"camera images a second bring a step by light to {_light(seen)}, against "
            f"{_backprop(seen)}."
        ),
        query="camera_fps=3400&frame_rate_hz=20000",
        at=control("frame_rate_hz"),
    ),
    TourStep(
        title="Does it learn?",
        text=lambda seen: (
            f"Yes, on digits: backpropagation reads {_learned(seen, 'bp')} of them rightly, digital "
            f"DFA {_learned(seen, 'dfa')}, DFA by light {_learned(seen, 'odfa')}; training the last "
            f"layer alone, {_learned(seen, 'last')}."
        ),
        query="",
        at=plate("learning"),
    ),
)

"""Named states and headline numbers of the trainers explorer."""

from __future__ import annotations

from foptrn_model.headlines import SHARE, Headline
from foptrn_model.presets import Preset
from foptrn_model.trainers_params import TRAINER_LABELS

SIMULATED = "simulated by this explorer"
LIN = "Lin et al., Science 361, 1004 (2018), where such stacks were first trained and printed"
PAI = "Pai et al., Science 380, 398 (2023)"

TRAINERS_HEADLINES = (
    *(
        Headline(
            field=f"trainers.{name}.hardware_accuracy.median",
            label=f"{TRAINER_LABELS[name]}, on the hardware (median)",
            style="percent",
            guesses=SHARE,
        )
        for name in ("in-situ", "in-silico", "physics-aware", "feedback-alignment")
    ),
    Headline(
        field="trainers.in-silico.model_accuracy.median",
        label="In silico, on the model (median)",
        style="percent",
    ),
    Headline(
        field="trainers.in-silico.reality_gap",
        label="Reality gap in silico (of means)",
        style="percent",
    ),
)

TRAINERS_PRESETS = (
    Preset(
        name="default",
        label="Phases off by 0.3 rad",
        story="The model promises 98 % and the device delivers about 70 %; "
        "trained on the device itself the network keeps what was promised.",
        source=SIMULATED,
        query="",
    ),
    Preset(
        name="perfect",
        label="A perfect device",
        story="With nothing wrong, three trainers take the same steps to rounding; only feedback "
        "alignment goes its own way.",
        source=SIMULATED,
        query="phase_error_rad=0&readout_noise=0&splitter_error_rad=0",
    ),
    Preset(
        name="demonstrated",
        label="In-situ demonstration",
        story="Three layers of four ports, detected in between, as on the chip that first "
        "trained by interference; errors of a well calibrated device.",
        source=PAI,
        query="phase_error_rad=0.05&task=rings",
    ),
    Preset(
        name="far-off",
        label="A poor model",
        story="Phases off by 0.6 rad: the model's slopes mislead even at measured inputs, and only "
        "gradients measured on the device still lead down.",
        source=SIMULATED,
        query="phase_error_rad=0.6",
    ),
    Preset(
        name="biased-read-out",
        label="A biased receiver",
        story="Perfect phases, but every field is read with the same offset. Noise of that size "
        "averages out of training; the bias is one more thing the model does not know.",
        source=SIMULATED,
        query="phase_error_rad=0&readout_noise=0&readout_offset=0.1&splitter_error_rad=0",
    ),
    Preset(
        name="biased-gradient",
        label="A biased gradient",
        story="The one weakness of measuring gradients: an offset in the measurement itself pulls "
        "every step the same way, and only those who measure are hurt.",
        source=SIMULATED,
        query="gradient_offset=0.1",
    ),
    Preset(
        name="drift",
        label="A drifting device",
        story="Phases wander while the network trains: what was right at the first step is wrong "
        "at the last, unless training follows.",
        source=SIMULATED,
        query="drift_rad=0.03&phase_error_rad=0",
    ),
    Preset(
        name="digits",
        label="Handwritten digits",
        story="Sixteen ports and ten classes: with sixteen times the phases to be wrong, a tenth "
        "of a radian costs the model's network a third of its accuracy, and feedback alignment "
        "hardly learns.",
        source=SIMULATED,
        query="phase_error_rad=0.1&seeds=4&task=digits",
    ),
    Preset(
        name="stack",
        label="A stack in line",
        story="Three masks of 32 by 32 pixels read handwritten digits by diffraction alone; made as "
        "it was modelled, the stack keeps what training promised.",
        source=f"{SIMULATED}, after {LIN}",
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&sweep=shift_px&task=digits",
    ),
    Preset(
        name="stack-half-pixel",
        label="Half a pixel off",
        story="Masks half a pixel from their axes, a few micrometres: the design already suffers, and "
        "measuring the light at the masks makes up for most of it.",
        source=SIMULATED,
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&shift_px=0.5&sweep=shift_px"
        "&task=digits",
    ),
    Preset(
        name="stack-two-pixels",
        label="Two pixels off",
        story="At two pixels the design is worth nothing on the machine and the model's slopes point "
        "nowhere; only the error sent backward through the stack itself still trains it.",
        source=SIMULATED,
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&shift_px=2&sweep=shift_px"
        "&task=digits",
    ),
)

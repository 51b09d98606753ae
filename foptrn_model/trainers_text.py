"""The trainers result in words: the verdict."""

from __future__ import annotations

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.tasks import DIGIT_CLASSES
from foptrn_model.text import group_digits, percent
from foptrn_model.trainers import TrainersResult
from foptrn_model.trainers_params import TrainersParams

SMALL_GAP = 0.02
"""A loss of accuracy that test samples of this number hardly show."""

ABOVE_CHANCE = 0.08
"""Accuracy above chance below which nothing worth telling was learned."""
MOST_FAULTS = 2
FAULTS = {
    "shift_px": ("masks shifted by", " px"),
    "phase_error_rad": ("phases off by", " rad"),
    "distance_error": ("gaps off by", " of their length"),
    "drift_rad": ("phases drifting by", " rad per \u221astep"),
    "crosstalk": ("crosstalk of", ""),
    "readout_offset": ("a read-out offset of", ""),
    "readout_gain_error": ("a read-out gain off by", ""),
    "readout_saturation": ("a read-out that saturates with", ""),
    "gradient_offset": ("gradients off by", " per rad"),
    "adc_bits": ("a converter of", " bits"),
}
"""Imperfections that a verdict names, with how it says so."""
SMALL_FAULTS = {
    "readout_noise": ("read-out noise of", "", 0.05),
    "splitter_error_rad": ("splitters off by", " rad", 0.05),
}
"""Those that it names where they are large, or where there is nothing else."""


def trainers_verdict(params: TrainersParams, result: TrainersResult) -> str:
    """One sentence that answers the question in this state."""
    reached = {name: result.trainers[name].hardware_accuracy.median for name in TRAINERS}
    promised = result.trainers["in-silico"].model_accuracy.median
    others = (
        f"physics-aware training {percent(reached['physics-aware'])} and feedback alignment "
        f"{percent(reached['feedback-alignment'])}"
    )
    devices = "device" if params.seeds == 1 else "devices"
    where = f"On {params.seeds} {devices} with {what_is_wrong(params)}"
    chance = 1 / (DIGIT_CLASSES if params.task == "digits" else 2)
    if max(promised, *reached.values()) < chance + ABOVE_CHANCE:
        return (
            f"After {group_digits(params.steps)} {'step' if params.steps == 1 else 'steps'} no "
            f"trainer is far above chance: in silico {percent(reached['in-silico'])} on the "
            f"hardware, in situ {percent(reached['in-situ'])}, {others}."
        )
    if abs(promised - reached["in-silico"]) < SMALL_GAP:
        return (
            f"{where} the model is close enough: trained on it alone the network classifies "
            f"{percent(reached['in-silico'])} rightly on the hardware, trained in situ "
            f"{percent(reached['in-situ'])}, {others}."
        )
    return (
        f"{where} a network trained on the model classifies {percent(reached['in-silico'])} "
        f"rightly where the model promised {percent(promised)}; trained in situ it reaches "
        f"{percent(reached['in-situ'])}, {others}."
    )


def what_is_wrong(params: TrainersParams) -> str:
    """The imperfections that stand out, in words, or else the small ones."""
    lacks = params.inactive()
    found: list[str] = []
    small: list[str] = []
    for name, (words, unit) in FAULTS.items():
        if name not in lacks and getattr(params, name):
            found.append(f"{words} {_signed(getattr(params, name))}{unit}")
    for name, (words, unit, large) in SMALL_FAULTS.items():
        size = getattr(params, name)
        if name not in lacks and size:
            (found if size > large else small).append(f"{words} {_signed(size)}{unit}")
    named = found or small
    if not named:
        return "nothing wrong"
    return " and ".join(named[:MOST_FAULTS]) + (" and more" if len(named) > MOST_FAULTS else "")


def _signed(size: float) -> str:
    return group_digits(size).replace("-", "\u2212")

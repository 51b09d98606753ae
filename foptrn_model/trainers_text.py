"""The trainers result in words: verdict and working."""

from __future__ import annotations

import math

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.mesh import mesh_layout
from foptrn_model.photonics.tasks import DIGIT_CLASSES
from foptrn_model.photonics.toy import DEVICE_GAIN, MODEL_GAIN, POWER, chain_gap
from foptrn_model.text import group_digits, percent, significant
from foptrn_model.trainers import TrainersParams, TrainersResult
from foptrn_model.trainers_presets import PAI, SIMULATED
from foptrn_model.working import Assumption, Step, Working

SMALL_GAP = 0.02
"""A loss of accuracy that test samples of this number hardly show."""

ABOVE_CHANCE = 0.08
"""Accuracy above chance below which nothing worth telling was learned."""
MOST_FAULTS = 2
FAULTS = {
    "phase_error_rad": ("phases off by", " rad"),
    "drift_rad": ("phases drifting by", " rad per \u221astep"),
    "crosstalk": ("thermal crosstalk of", ""),
    "readout_offset": ("a read-out offset of", ""),
    "readout_gain_error": ("a read-out gain off by", ""),
    "readout_saturation": ("a read-out that saturates with", ""),
    "gradient_offset": ("gradients off by", " per rad"),
}
"""Imperfections that a verdict names, with how it says so."""

HUGHES = "Hughes et al., Optica 5, 864 (2018)"
WRIGHT = "Wright et al., Nature 601, 549 (2022)"
CLEMENTS = "Clements et al., Optica 3, 1460 (2016)"
DUAL_ADAPTIVE = "Zheng et al., dual adaptive training, arXiv 2212.06141"


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
    if promised - reached["in-silico"] < SMALL_GAP:
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
    """The imperfections that stand out, in words: phase errors first, or else the others."""
    found = [
        f"{words} {group_digits(abs(getattr(params, name)))}{unit}"
        for name, (words, unit) in FAULTS.items()
        if getattr(params, name)
    ]
    if found:
        return " and ".join(found[:MOST_FAULTS]) + (" and more" if len(found) > MOST_FAULTS else "")
    if params.splitter_error_rad or params.readout_noise:
        return "small errors only"
    return "nothing wrong"


def trainers_working(params: TrainersParams, result: TrainersResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    layout = mesh_layout(params.mesh_ports)
    ports, sigma = params.mesh_ports, params.phase_error_rad
    silico, situ = result.trainers["in-silico"], result.trainers["in-situ"]
    aware, aligned = result.trainers["physics-aware"], result.trainers["feedback-alignment"]
    hardware = {name: part.hardware_accuracy.mean for name, part in result.trainers.items()}
    readings = 3 * params.layers * layout.phases * params.batch
    links = params.layers
    chain = chain_gap(links)
    steps = [
        Step(
            name="Phases that are trained",
            formula="layers \u00d7 (2 \u00d7 N(N \u2212 1)/2 + N)",
            substituted=f"{params.layers} \u00d7 (2 \u00d7 {group_digits(layout.mzis)} + {ports})",
            value=group_digits(params.layers * layout.phases),
            source=CLEMENTS,
            glossary="mzi-mesh",
        ),
        Step(
            name="How far phase errors take a mesh's matrix, relative to its size",
            formula="\u03c3 \u221aN while that is small",
            substituted=f"{group_digits(sigma)} \u00d7 \u221a{ports}",
            value=percent(sigma * math.sqrt(ports)),
            source="N\u00b2 phases, each of which moves one port's light by \u03c3",
        ),
        Step(
            name="Reality gap of training on the model",
            formula="mean accuracy on the model \u2212 on the hardware",
            substituted=f"{percent(silico.model_accuracy.mean)} \u2212 "
            f"{percent(silico.hardware_accuracy.mean)}",
            value=_points(silico.reality_gap),
            source=SIMULATED,
            glossary="reality-gap",
        ),
        Step(
            name="What a measured forward pass adds",
            formula="physics-aware \u2212 in silico, on the hardware",
            substituted=f"{percent(hardware['physics-aware'])} \u2212 "
            f"{percent(hardware['in-silico'])}",
            value=_points(hardware["physics-aware"] - hardware["in-silico"]),
            source=WRIGHT,
            glossary="physics-aware-training",
        ),
        Step(
            name="What a measured backward pass adds to that",
            formula="in situ \u2212 physics-aware, on the hardware",
            substituted=f"{percent(hardware['in-situ'])} \u2212 "
            f"{percent(hardware['physics-aware'])}",
            value=_points(hardware["in-situ"] - hardware["physics-aware"]),
            source=f"{HUGHES}; {PAI}",
            glossary="in-situ-backpropagation",
        ),
        Step(
            name="Powers that in-situ training reads per step",
            formula="3 exposures \u00d7 layers \u00d7 N\u00b2 shifters \u00d7 batch; a gradient is "
            "(|f \u2212 ia|\u00b2 \u2212 |f|\u00b2 \u2212 |a|\u00b2)/2",
            substituted=f"3 \u00d7 {params.layers} \u00d7 {group_digits(layout.phases)} \u00d7 "
            f"{group_digits(params.batch)}",
            value=group_digits(readings),
            source=HUGHES,
            glossary="in-situ-backpropagation",
        ),
        Step(
            name="Alignment of feedback alignment's hidden layers at the last step",
            formula="cosine between its gradient and the hardware's true one",
            substituted=f"{_signed(aligned.gradient_cosine[0])} before the first step; in situ "
            f"{_signed(situ.gradient_cosine[-1])}, physics-aware "
            f"{_signed(aware.gradient_cosine[-1])}, in silico {_signed(silico.gradient_cosine[-1])}",
            value=_signed(aligned.gradient_cosine[-1]),
            source="N\u00f8kland, arXiv 1609.01596",
            glossary="direct-feedback-alignment",
        ),
        Step(
            name="Why measured inputs help: error of a model's slope through as many links",
            formula=f"device f(x) = {DEVICE_GAIN:g} x^{POWER:g}, model {MODEL_GAIN:g} x^{POWER:g}: "
            "(model gain / device gain)^links \u2212 1",
            substituted=f"({MODEL_GAIN:g} / {DEVICE_GAIN:g})^{links} \u2212 1; left to itself the "
            f"model's output is off by {percent(chain.output)}",
            value=percent(chain.gradient),
            source=WRIGHT,
            glossary="physics-aware-training",
        ),
    ]
    return Working(steps=steps, assumptions=_assumptions(params), sources=SOURCES)


SOURCES = (
    HUGHES,
    PAI,
    WRIGHT,
    CLEMENTS,
    "N\u00f8kland, direct feedback alignment, arXiv 1609.01596; Launay et al., arXiv 2006.12878",
    f"{DUAL_ADAPTIVE}: direct / physics-aware / dual adaptive on MNIST, 3 layers of 64 ports, "
    "88.7 / 93.6 / 96.3 % at a phase error of 0.04 and 59.7 / 70.3 / 87.0 % at 0.10, 96.8 % "
    "without error",
    "Lin et al., Science 361, 1004 (2018): diffractive networks, trained in simulation",
)


def _points(gap: float) -> str:
    sign = "\u2212" if gap < 0 else ""
    return f"{sign}{significant(abs(100 * gap))} points"


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")


def _assumptions(params: TrainersParams) -> list[Assumption]:
    listed = [
        Assumption(
            kind="illustrative",
            text=f"Tiny networks flatter feedback alignment: with few ports (here {params.mesh_ports}) "
            "and two classes random feedback is quickly aligned, with more of either it falls "
            "behind.",
        ),
        Assumption(
            kind="generous",
            text="Meshes lose no light and shifters change nothing but phase. With loss the "
            "three powers no longer give the gradient exactly.",
        ),
        Assumption(
            kind="generous",
            text="A receiver reads amplitude and phase of every port after every layer, and a "
            "detector sits at every phase shifter. Time and energy of the readings are not "
            "counted.",
        ),
        Assumption(
            kind="convention",
            text="Between layers the amplitude is detected and sent on, its phase dropped. Scores "
            "are powers of port groups, times 8 (digits: 30), under softmax cross-entropy.",
        ),
        Assumption(
            kind="convention",
            text="All trainers of a seed share its device, starting phases, batches and noise. "
            "Training on the model sees neither the device nor noise; its loss is the model's.",
        ),
        Assumption(
            kind="convention",
            text="Quartiles are over seeds, each seed another device. Cosines leave out the last "
            "of several layers, which gets the true error from every trainer.",
        ),
        Assumption(
            kind="inferred",
            text="No trainer is told about crosstalk, gain, offset or saturation; each takes its "
            "own readings as they are. A calibrated machine would do better.",
        ),
    ]
    if params.drift_rad > 0:
        listed.append(
            Assumption(
                kind="speculative",
                text="Drift is a random walk of every phase by itself; real devices drift "
                "together with their temperature.",
            )
        )
    return listed

"""Assumptions of the trainers explorer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Self

from foptrn_model.parameters import Params, Problem, param
from foptrn_model.photonics.gradients import TrainerName
from foptrn_model.photonics.hardware import IMPERFECTIONS, Imperfections
from foptrn_model.photonics.stack import Geometry
from foptrn_model.photonics.tasks import DIGIT_CLASSES, TaskName

PORTS_BY_TASK: dict[TaskName, int] = {"rings": 4, "moons": 4, "digits": 16}

VIEW_FIELDS = ("sweep", "show_trainer", "input_x", "input_y", "digit")
"""Fields that decide what is shown, on which the training does not depend."""
SweptName = Literal[
    "phase_error_rad",
    "splitter_error_rad",
    "crosstalk",
    "drift_rad",
    "readout_noise",
    "readout_gain_error",
    "readout_offset",
    "readout_saturation",
    "gradient_offset",
    "shift_px",
    "distance_error",
]
SWEEP_LABELS = {
    "phase_error_rad": "Phase error",
    "splitter_error_rad": "Splitter error",
    "crosstalk": "Crosstalk",
    "drift_rad": "Drift",
    "readout_noise": "Read-out noise",
    "readout_gain_error": "Gain error",
    "readout_offset": "Offset",
    "readout_saturation": "Saturation",
    "gradient_offset": "Gradient offset",
    "shift_px": "Lateral shift",
    "distance_error": "Distance error",
}
ONLY_OF: dict[str, frozenset[str]] = {
    "mesh": frozenset({"ports", "layers", "splitter_error_rad"}),
    "diffractive": frozenset({"pixels", "masks", "mask_spacing_mm", "shift_px", "distance_error"}),
}
"""Fields that say something of one kind of machine only."""
TRAINER_LABELS = {
    "in-silico": "In silico",
    "in-situ": "In situ",
    "physics-aware": "Physics-aware",
    "feedback-alignment": "Feedback alignment",
}
TASK_LABELS = {"rings": "Rings", "moons": "Moons", "digits": "Digits"}
PlantName = Literal["mesh", "diffractive"]
PLANT_LABELS = {"mesh": "Mesh of interferometers", "diffractive": "Diffractive stack"}


class TrainersParams(Params):
    """Assumptions of the trainers explorer."""

    plant: PlantName = param(
        "mesh", label="Machine",
        help="What is trained: phases of interferometers, or the pixels of phase masks in a row.",
        glossary="diffractive-network", group="Machine", choice_labels=PLANT_LABELS,
    )  # fmt: skip
    task: TaskName = param(
        "moons", label="Task", help="What it learns: two rings, two moons, or handwritten digits.",
        group="Machine", choice_labels=TASK_LABELS,
    )  # fmt: skip
    ports: int | None = param(
        None, label="Ports", help="Ports of every mesh: 4 where left out, 16 for digits.",
        low=4, high=64, slider=False, glossary="mzi-mesh", group="Machine",
    )  # fmt: skip
    layers: int = param(
        3, label="Layers", glossary="mzi-mesh", help="Meshes in a row, the light detected and sent on between them.",
        low=1, high=8, group="Machine",
    )  # fmt: skip
    pixels: int = param(
        32, label="Pixels", help="Pixels a side of every mask.", low=28, high=64, unit="px",
        glossary="diffractive-network", group="Machine",
    )  # fmt: skip
    masks: int = param(
        3, label="Masks", help="Phase masks in a row, nothing detected between them.",
        low=1, high=8, glossary="diffractive-network", group="Machine",
    )  # fmt: skip
    mask_spacing_mm: float = param(
        2.0, label="Spacing", help="From input to mask, from mask to mask, from mask to detectors.",
        low=0.5, high=5, unit="mm", step=0.1, glossary="angular-spectrum", group="Machine",
    )  # fmt: skip
    phase_error_rad: float = param(
        0.3, label="Phase error", help="Standard deviation of every phase's static error.",
        low=0, high=1, unit="rad", step=0.01, glossary="reality-gap", group="Imperfections",
    )  # fmt: skip
    splitter_error_rad: float = param(
        0.02, label="Splitter error", help="Standard deviation of every beam splitter's angle.",
        low=0, high=0.5, unit="rad", step=0.01, glossary="reality-gap", group="Imperfections",
    )  # fmt: skip
    shift_px: float = param(
        0.0, label="Lateral shift", help="How far every mask lies off its axis, each in a direction "
        "of its own.",
        low=0, high=8, unit="px", step=0.1, glossary="reality-gap", group="Imperfections",
    )  # fmt: skip
    distance_error: float = param(
        0.0, label="Distance error", help="Standard deviation of every gap's length, as a fraction.",
        low=0, high=0.5, step=0.01, glossary="reality-gap", group="Imperfections",
    )  # fmt: skip
    crosstalk: float = param(
        0.0, label="Crosstalk", glossary="diffractive-network",
        help="In a mesh the fraction of a shifter's phase that each neighbour receives as well; of "
        "a mask's pixel the part that its four neighbours make up.",
        low=0, high=0.5, step=0.01, group="Imperfections",
    )  # fmt: skip
    drift_rad: float = param(
        0.0, label="Drift", glossary="reality-gap", help="How far every phase wanders, a random walk of this size per step.",
        low=0, high=0.1, unit="rad/\u221astep", step=0.001, group="Imperfections",
    )  # fmt: skip
    readout_noise: float = param(
        0.01, label="Read-out noise", help="RMS as a fraction of full scale, on every reading.",
        low=0, high=1, step=0.01, glossary="analogue-noise-in-training", group="Read-out",
    )  # fmt: skip
    adc_bits: int = param(
        0, label="ADC bits", glossary="enob-noise-rule", help="Resolution of every amplitude read; 0 for none.",
        low=0, high=16, unit="bits", group="Read-out",
    )  # fmt: skip
    readout_gain_error: float = param(
        0.0, label="Gain error", help="Every field is received too large by this fraction.",
        low=-0.5, high=0.5, step=0.01, glossary="analogue-noise-in-training", group="Read-out",
    )  # fmt: skip
    readout_offset: float = param(
        0.0, label="Offset", help="Added to every field received, as a fraction of full scale.",
        low=-0.5, high=0.5, step=0.01, glossary="analogue-noise-in-training", group="Read-out",
    )  # fmt: skip
    readout_saturation: float = param(
        0.0, label="Saturation", glossary="analogue-noise-in-training", help="An amplitude r is read as r / (1 + this \u00d7 r).",
        low=0, high=1, step=0.01, group="Read-out",
    )  # fmt: skip
    gradient_offset: float = param(
        0.0, label="Gradient offset",
        help="Added to the gradients of in-situ training and of feedback alignment, the two whose "
        "error signal is read from the hardware.",
        low=-1, high=1, unit="loss/rad", step=0.01, glossary="analogue-noise-in-training", group="Read-out",
    )  # fmt: skip
    steps: int = param(
        300, label="Steps", help="Batches, each followed by one step of Adam.",
        low=1, high=5000, scale="log10", group="Training",
    )  # fmt: skip
    batch: int = param(
        64, label="Batch", help="Samples per step.", low=1, high=1024, scale="log2", step=1,
        group="Training",
    )  # fmt: skip
    learning_rate: float = param(
        0.05, label="Learning rate", help="Adam's step size.", low=1e-5, high=1, unit="rad",
        scale="log10", group="Training",
    )  # fmt: skip
    seeds: int = param(
        8, label="Seeds", help="Devices, each with its own errors, start and batches.",
        low=1, high=64, scale="log2", step=1, group="Training",
    )  # fmt: skip
    seed: int = param(
        0, label="Seed", help="Another number draws other devices.", low=0, high=2**31,
        group="Training", slider=False,
    )  # fmt: skip

    sweep: SweptName = param(
        "phase_error_rad", label="Swept imperfection", glossary="reality-gap",
        help="What the sweep of final accuracy varies; training itself does not depend on it.",
        group="View", choice_labels=SWEEP_LABELS,
    )  # fmt: skip
    show_trainer: TrainerName = param(
        "in-situ", label="Network shown", help="Whose trained network is drawn, on the first device.",
        glossary="mzi-mesh", group="View", choice_labels=TRAINER_LABELS,
    )  # fmt: skip
    input_x: float = param(
        0.3, label="Input, x", help="The point whose light is drawn.",
        low=-1.5, high=1.5, step=0.05, group="View",
    )  # fmt: skip
    input_y: float = param(
        0.3, label="Input, y", help="The point whose light is drawn.",
        low=-1.5, high=1.5, step=0.05, group="View",
    )  # fmt: skip

    digit: int = param(
        3, label="Digit", help="The digit whose light is drawn: the first such test sample.",
        low=0, high=9, group="View",
    )  # fmt: skip

    main: ClassVar[tuple[str, ...]] = (
        "task", "phase_error_rad", "shift_px", "readout_noise", "readout_offset",
    )  # fmt: skip

    def inactive(self) -> frozenset[str]:
        return of_other_machine(self.plant) | (
            {"input_x", "input_y"} if self.task == "digits" else {"digit"}
        )

    def options(self, name: str) -> tuple[str, ...]:
        return swept_of(self.plant) if name == "sweep" else super().options(name)

    @property
    def geometry(self) -> Geometry | None:
        """The stack, or None where the machine is a mesh."""
        if self.plant == "mesh":
            return None
        return Geometry(pixels=self.pixels, masks=self.masks, spacing_m=1e-3 * self.mask_spacing_mm)

    def without(self, names: Iterable[str]) -> Self:
        """This state with some fields as they are by default."""
        specs = self.specs()
        return self.model_copy(update={name: specs[name].default for name in names})

    @property
    def phases(self) -> int:
        """Phases that are trained."""
        if self.plant == "diffractive":
            return self.masks * self.pixels**2
        return self.layers * self.mesh_ports**2

    @property
    def mesh_ports(self) -> int:
        """The ports in force: those given, or the task's."""
        return PORTS_BY_TASK[self.task] if self.ports is None else self.ports

    @property
    def imperfections(self) -> Imperfections:
        return Imperfections(**{name: getattr(self, name) for name in IMPERFECTIONS})

    @classmethod
    def from_controls(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Leave out what is the state's own, or what another task or machine left behind."""
        task, ports = str(values.get("task")), str(values.get("ports"))
        own: dict[str, str] = {name: str(count) for name, count in PORTS_BY_TASK.items()}
        left_behind = task == "digits" and ports in own.values()
        out = {"ports"} if left_behind or ports == own.get(task) else set()
        plant = values.get("plant")
        # A list cannot be looked up by its hash.
        if plant in tuple(ONLY_OF) and values.get("sweep") not in swept_of(plant):
            out.add("sweep")
        return {name: value for name, value in values.items() if name not in out}

    def resolved(self) -> dict[str, Any]:
        return self.model_dump() | {"ports": self.mesh_ports}

    @classmethod
    def conflicts(cls, values: Mapping[str, Any]) -> list[Problem]:
        problems = []
        if _too_few_ports(values):
            because = f"a whole number from {DIGIT_CLASSES} to 64 where the task is digits"
            problems.append(cls.specs()["ports"].refuse(values["ports"], because))
        plant = values["plant"]
        if values["sweep"] not in swept_of(plant):
            because = f"one of {', '.join(swept_of(plant))} where the plant is {plant}"
            problems.append(cls.specs()["sweep"].refuse(values["sweep"], because))
        return problems

    @classmethod
    def settle(cls, values: dict[str, Any]) -> dict[str, Any]:
        if _too_few_ports(values):
            values = values | {"ports": DIGIT_CLASSES}
        if values["sweep"] not in swept_of(values["plant"]):
            values = values | {"sweep": cls.specs()["sweep"].default}
        return values


def of_other_machine(plant: PlantName) -> frozenset[str]:
    """Fields that say nothing of this machine."""
    return ONLY_OF["mesh" if plant == "diffractive" else "diffractive"]


def swept_of(plant: PlantName) -> tuple[str, ...]:
    """Imperfections that a machine can have, and a sweep vary."""
    other = of_other_machine(plant)
    return tuple(name for name in SWEEP_LABELS if name not in other)


def _too_few_ports(values: Mapping[str, Any]) -> bool:
    ports = values["ports"]
    few = ports is not None and ports < DIGIT_CLASSES
    return few and values["task"] == "digits" and values["plant"] == "mesh"

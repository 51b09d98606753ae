"""Four ways to train one imperfect optical network, and what each one reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from foptrn_model.parameters import Params, Problem, param
from foptrn_model.photonics.gradients import TRAINERS, TrainerName
from foptrn_model.photonics.hardware import IMPERFECTIONS, Imperfections, Run
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.tasks import DIGIT_CLASSES, TaskName
from foptrn_model.photonics.training import Curves, Setup, TrainedState, Training

PORTS_BY_TASK: dict[TaskName, int] = {"rings": 4, "moons": 4, "digits": 16}

VIEW_FIELDS = ("sweep", "show_trainer", "input_x", "input_y")
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
]
SWEEP_LABELS = {
    "phase_error_rad": "Phase error",
    "splitter_error_rad": "Splitter error",
    "crosstalk": "Thermal crosstalk",
    "drift_rad": "Drift",
    "readout_noise": "Read-out noise",
    "readout_gain_error": "Gain error",
    "readout_offset": "Offset",
    "readout_saturation": "Saturation",
    "gradient_offset": "Gradient offset",
}
TRAINER_LABELS = {
    "in-silico": "In silico",
    "in-situ": "In situ",
    "physics-aware": "Physics-aware",
    "feedback-alignment": "Feedback alignment",
}
TASK_LABELS = {"rings": "Rings", "moons": "Moons", "digits": "Digits"}
PLANT_LABELS = {"mesh": "Mesh of interferometers"}


class TrainersParams(Params):
    """Assumptions of the trainers explorer."""

    plant: Literal["mesh"] = param(
        "mesh", label="Machine", help="The optical network that is trained.",
        glossary="mzi-mesh", group="Machine", choice_labels=PLANT_LABELS,
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
        3, label="Layers", help="Meshes in a row, the light detected and sent on between them.",
        low=1, high=8, group="Machine",
    )  # fmt: skip
    phase_error_rad: float = param(
        0.3, label="Phase error", help="Standard deviation of every phase's static error.",
        low=0, high=1, unit="rad", step=0.01, glossary="reality-gap", group="Imperfections",
    )  # fmt: skip
    splitter_error_rad: float = param(
        0.02, label="Splitter error", help="Standard deviation of every beam splitter's angle.",
        low=0, high=0.5, unit="rad", step=0.01, glossary="reality-gap", group="Imperfections",
    )  # fmt: skip
    crosstalk: float = param(
        0.0, label="Thermal crosstalk",
        help="Fraction of a shifter's phase that each of its neighbours receives as well.",
        low=0, high=0.5, step=0.01, group="Imperfections",
    )  # fmt: skip
    drift_rad: float = param(
        0.0, label="Drift", help="How far every phase wanders, a random walk of this size per step.",
        low=0, high=0.1, unit="rad/\u221astep", step=0.001, group="Imperfections",
    )  # fmt: skip
    readout_noise: float = param(
        0.01, label="Read-out noise", help="RMS as a fraction of full scale, on every reading.",
        low=0, high=1, step=0.01, glossary="analogue-noise-in-training", group="Read-out",
    )  # fmt: skip
    adc_bits: int = param(
        0, label="ADC bits", help="Resolution of every amplitude read between layers; 0 for none.",
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
        0.0, label="Saturation", help="An amplitude r is read as r / (1 + this \u00d7 r).",
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
        "phase_error_rad", label="Swept imperfection",
        help="What the sweep of final accuracy varies; training itself does not depend on it.",
        group="View", choice_labels=SWEEP_LABELS,
    )  # fmt: skip
    show_trainer: TrainerName = param(
        "in-situ", label="Mesh shown", help="Whose trained meshes are drawn, on the first device.",
        glossary="mzi-mesh", group="View", choice_labels=TRAINER_LABELS,
    )  # fmt: skip
    input_x: float = param(
        0.3, label="Input, x", help="The point whose light is drawn in the meshes.",
        low=-1.5, high=1.5, step=0.05, group="View",
    )  # fmt: skip
    input_y: float = param(
        0.3, label="Input, y", help="The point whose light is drawn in the meshes.",
        low=-1.5, high=1.5, step=0.05, group="View",
    )  # fmt: skip

    main: ClassVar[tuple[str, ...]] = ("task", "phase_error_rad", "readout_noise", "readout_offset")

    def inactive(self) -> frozenset[str]:
        return frozenset({"input_x", "input_y"} if self.task == "digits" else ())

    @property
    def mesh_ports(self) -> int:
        """The ports in force: those given, or the task's."""
        return PORTS_BY_TASK[self.task] if self.ports is None else self.ports

    @property
    def imperfections(self) -> Imperfections:
        return Imperfections(**{name: getattr(self, name) for name in IMPERFECTIONS})

    @classmethod
    def from_controls(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Leave out ports that are the task's own, or that another task left behind."""
        task, ports = str(values.get("task")), str(values.get("ports"))
        own: dict[str, str] = {name: str(count) for name, count in PORTS_BY_TASK.items()}
        left_behind = task == "digits" and ports in own.values()
        if left_behind or ports == own.get(task):
            return {name: value for name, value in values.items() if name != "ports"}
        return dict(values)

    def resolved(self) -> dict[str, Any]:
        return self.model_dump() | {"ports": self.mesh_ports}

    @classmethod
    def conflicts(cls, values: Mapping[str, Any]) -> list[Problem]:
        if _too_few_ports(values):
            because = f"a whole number from {DIGIT_CLASSES} to 64 where the task is digits"
            return [cls.specs()["ports"].refuse(values["ports"], because)]
        return []

    @classmethod
    def settle(cls, values: dict[str, Any]) -> dict[str, Any]:
        return values | {"ports": DIGIT_CLASSES} if _too_few_ports(values) else values


def _too_few_ports(values: Mapping[str, Any]) -> bool:
    ports = values["ports"]
    return values["task"] == "digits" and ports is not None and ports < DIGIT_CLASSES


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Mean, median and quartiles over seeds."""

    mean: float
    median: float
    q1: float
    q3: float


@dataclass(frozen=True, kw_only=True)
class Band:
    """Median and quartiles over seeds, one of each per evaluation."""

    median: tuple[float, ...]
    q1: tuple[float, ...]
    q3: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class TrainerResult:
    """What one trainer reached; accuracies are fractions of 500 test samples.

    ``reality_gap`` is the mean accuracy on the model less that on the hardware.
    ``gradient_cosine``, ``loss`` and ``accuracy`` go by the result's ``steps``;
    the cosine is the median over seeds. See :class:`Curves` for what each is.
    """

    hardware_accuracy: Summary
    model_accuracy: Summary
    reality_gap: float
    gradient_cosine: tuple[float, ...]
    loss: Band
    accuracy: Band


@dataclass(frozen=True, kw_only=True)
class TrainersResult:
    """Every trainer by name, and the numbers of steps after which it was tested."""

    trainers: dict[str, TrainerResult]
    steps: tuple[int, ...]


class TrainersJob:
    """A computation that shows how far it is and may stop anywhere.

    Iterate over :meth:`advance`; from its first item on, the other methods
    describe what has been reached.
    """

    def __init__(self, params: TrainersParams) -> None:
        self.params = params
        runs = [
            Run(number=number, imperfections=params.imperfections) for number in range(params.seeds)
        ]
        self._training = Training(setup_of(params), runs)

    def advance(self) -> Iterator[int]:
        """Train, yielding the number of steps done: at first 0, then at every evaluation."""
        return self._training.advance()

    def curves(self) -> Curves:
        return self._training.curves()

    def state(self) -> TrainedState:
        """Phases and devices of every trainer and seed."""
        return self._training.state()

    def result(self) -> TrainersResult:
        """The result as it stands."""
        return summarise(self.curves(), self.state())


def compute_trainers(
    params: TrainersParams, progress: Callable[[int, int], object] | None = None
) -> TrainersResult:
    """Train every seed's device with every trainer.

    Parameters
    ----------
    progress : called with the steps done and the steps in all, some forty
        times. What it raises ends the computation.
    """
    job = TrainersJob(params)
    for done in job.advance():
        if progress is not None:
            progress(done, params.steps)
    return job.result()


def setup_of(params: TrainersParams) -> Setup:
    """What all runs of a state share."""
    return Setup(
        task=params.task,
        ports=params.mesh_ports,
        layers=params.layers,
        steps=params.steps,
        batch=params.batch,
        learning_rate=params.learning_rate,
        seed=params.seed,
    )


def summarise(curves: Curves, state: TrainedState) -> TrainersResult:
    """Medians and quartiles over the runs of a training."""
    by_trainer: dict[str, TrainerResult] = {}
    for place, name in enumerate(TRAINERS):
        hardware, model = state.hardware_accuracy[place], state.model_accuracy[place]
        by_trainer[name] = TrainerResult(
            hardware_accuracy=summary_of(hardware),
            model_accuracy=summary_of(model),
            reality_gap=float(model.mean() - hardware.mean()),
            gradient_cosine=_listed(np.median(curves.cosine[:, place], axis=-1)),
            loss=_band(curves.loss[:, place]),
            accuracy=_band(curves.accuracy[:, place]),
        )
    return TrainersResult(trainers=by_trainer, steps=tuple(int(step) for step in curves.steps))


def summary_of(values: Real) -> Summary:
    """Mean, median and quartiles of one value per seed."""
    q1, median, q3 = (float(x) for x in np.quantile(values, [0.25, 0.5, 0.75]))
    return Summary(mean=float(values.mean()), median=median, q1=q1, q3=q3)


def _band(values: Real) -> Band:
    q1, median, q3 = np.quantile(values, [0.25, 0.5, 0.75], axis=-1)
    return Band(median=_listed(median), q1=_listed(q1), q3=_listed(q3))


def _listed(values: Real) -> tuple[float, ...]:
    return tuple(float(value) for value in values)

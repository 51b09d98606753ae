"""Four ways to train one imperfect optical network, and what each one reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.hardware import Run
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.training import Curves, TrainedState, Training
from foptrn_model.trainers_params import TrainersParams


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
        stack=params.geometry,
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

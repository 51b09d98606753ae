"""Train several simulated devices with several trainers, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from foptrn_model.photonics.gradients import TrainerName
from foptrn_model.photonics.hardware import Run
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.mesh_training import MeshCohort, runs_together
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.stack_training import StackCohort

EVALUATIONS, STACK_EVALUATIONS = 40, 12
"""Evaluations after the one before training, at most; those of a stack cost as much as steps."""


@dataclass(frozen=True, kw_only=True)
class Curves:
    """What was seen during training, at ``steps`` (evaluations,).

    The others have shape (evaluations, trainers, runs), trainers as in the
    setup. ``loss`` is the mean of the training loss over the steps since the
    evaluation before; at step 0 it is that of the first batch. ``accuracy`` is
    the hardware's on test samples. ``cosine`` is between the trainer's gradient
    and the hardware's true one, on the next batch; 0 where either vanishes. It
    leaves out the last of several layers, which gets the true error from every
    trainer and would hide what becomes of the error on its way back.
    """

    steps: NDArray[np.int64]
    loss: Real
    accuracy: Real
    cosine: Real


@dataclass(frozen=True, kw_only=True)
class TrainedState:
    """What a stopped training leaves behind, as plain arrays.

    Attributes
    ----------
    phases : shape (trainers, runs, layers, phases), as set [rad]. The layers of
        a stack are its masks, their phases pixels row by row.
    device : what is wrong with each run's device, runs first. Of meshes:
        ``phase_error`` (runs, layers, phases), drift included, and
        ``splitter_error`` (runs, layers, mzis, 2) [rad]. Of stacks: what
        :meth:`foptrn_model.photonics.stack.StackDevice.left` names.
    hardware_accuracy, model_accuracy : shape (trainers, runs).
    """

    phases: Real
    device: dict[str, Real]
    hardware_accuracy: Real
    model_accuracy: Real


class Cohort(Protocol):
    """Runs whose arrays are computed together: a step of all trainers at a time."""

    @property
    def order(self) -> tuple[TrainerName, ...]: ...
    def step(self) -> None: ...
    def evaluate(self) -> tuple[Real, Real, Real]: ...
    def model_accuracy(self) -> Real: ...
    def set_phases(self) -> Real: ...
    def left(self) -> dict[str, Real]: ...


def cohorts_of(setup: Setup, runs: Sequence[Run]) -> list[Cohort]:
    """Meshes that share their arrays, or stacks one by one."""
    if setup.stack is not None:
        return [StackCohort(setup, run) for run in runs]
    together = runs_together(setup)
    return [
        MeshCohort(setup, runs[first : first + together]) for first in range(0, len(runs), together)
    ]


def evaluation_steps(setup: Setup) -> list[int]:
    """Steps after which the hardware is tested: 0, the last, and evenly between."""
    most = EVALUATIONS if setup.stack is None else STACK_EVALUATIONS
    return sorted({round(x) for x in np.linspace(0, setup.steps, min(setup.steps, most) + 1)})


class Training:
    """A training of several runs by every trainer of the setup.

    Iterate over :meth:`advance` and stop whenever wanted: :meth:`curves` and
    :meth:`state` hold what has been reached. A run's numbers do not depend on
    which other runs are in the same training.
    """

    def __init__(self, setup: Setup, runs: Sequence[Run]) -> None:
        self.setup, self.runs = setup, tuple(runs)
        self._cohorts = cohorts_of(setup, self.runs)
        names = self._cohorts[0].order
        self._order = [names.index(name) for name in setup.trainers]
        self._seen: list[tuple[int, tuple[Real, ...]]] = []

    def advance(self) -> Iterator[int]:
        """Train, yielding the number of steps done at every evaluation."""
        done = 0
        for target in evaluation_steps(self.setup):
            with _one_thread():
                seen = [_trained(cohort, target - done) for cohort in self._cohorts]
            parts = zip(*seen, strict=True)
            joined = tuple(np.concatenate(part, axis=1)[self._order] for part in parts)
            self._seen.append((target, joined))
            done = target
            yield done

    def curves(self) -> Curves:
        """What has been seen so far; at least one evaluation must be done."""
        steps, seen = zip(*self._seen, strict=True)
        loss, accuracy, cosine = (np.stack(part) for part in zip(*seen, strict=True))
        return Curves(
            steps=np.array(steps, dtype=np.int64), loss=loss, accuracy=accuracy, cosine=cosine
        )

    def state(self) -> TrainedState:
        """The phases and devices as they are now, tested on both machines."""
        cohorts, order = self._cohorts, self._order

        def joined(parts: Sequence[Real], axis: int) -> Real:
            return np.ascontiguousarray(np.concatenate(parts, axis=axis))

        with _one_thread():
            model = joined([cohort.model_accuracy() for cohort in cohorts], 1)
        left = [cohort.left() for cohort in cohorts]
        return TrainedState(
            phases=joined([cohort.set_phases()[order] for cohort in cohorts], 1),
            device={name: joined([part[name] for part in left], 0) for name in left[0]},
            hardware_accuracy=self._seen[-1][1][1],
            model_accuracy=model[order],
        )


def _trained(cohort: Cohort, steps: int) -> tuple[Real, Real, Real]:
    for _ in range(steps):
        cohort.step()
    return cohort.evaluate()


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()


def _one_thread() -> AbstractContextManager[Any]:
    """Hold the linear algebra to one thread: its products are too small to share.

    On a busy machine threads that wait for each other made 64 ports five times slower.
    """
    limit: AbstractContextManager[Any] = _thread_pools().limit(limits=1, user_api="blas")
    return limit

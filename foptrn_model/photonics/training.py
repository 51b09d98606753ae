"""Train several simulated devices with several trainers, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from foptrn_model.photonics import passes
from foptrn_model.photonics.gradients import TRAINERS, Gradients, TrainerName, roles_of
from foptrn_model.photonics.hardware import Devices, IdealModel, Run
from foptrn_model.photonics.mesh import Real, mesh_layout
from foptrn_model.photonics.streams import Stream, generator
from foptrn_model.photonics.tasks import Sampler, Samples, TaskName, make_task

EVALUATIONS = 40
"""Evaluations after the one before training, at most."""

COHORT_VALUES = 1 << 16
"""Numbers in the largest array of the runs that are computed together, to stay in the cache."""

TESTED_TOGETHER = 128
"""Test samples that pass at once: their arrays stay in the processor's cache."""

MEMORY, FORGETTING, FLOOR = 0.9, 0.99, 1e-6
"""Adam's decay of the first and second moment, and what keeps its quotient finite.

An output phase before a detector has no influence, so its gradient is rounding:
some 1e-16, which the usual floor of 1e-8 would turn into visible steps.
"""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What is trained, and how; every run shares it."""

    task: TaskName
    ports: int
    layers: int
    steps: int
    batch: int
    learning_rate: float
    seed: int
    trainers: tuple[TrainerName, ...] = TRAINERS


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
    phases : shape (trainers, runs, layers, phases), as set [rad].
    phase_error : shape (runs, layers, phases), drift included [rad].
    splitter_error : shape (runs, layers, mzis, 2) [rad].
    hardware_accuracy, model_accuracy : shape (trainers, runs).
    """

    phases: Real
    phase_error: Real
    splitter_error: Real
    hardware_accuracy: Real
    model_accuracy: Real


def evaluation_steps(steps: int) -> list[int]:
    """Steps after which the hardware is tested: 0, the last, and evenly between."""
    return sorted({round(x) for x in np.linspace(0, steps, min(steps, EVALUATIONS) + 1)})


class Adam:
    """Kingma and Ba's optimizer on one array, in place."""

    def __init__(self, values: Real, rate: float) -> None:
        self._values, self._rate, self._step = values, rate, 0
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)

    def update(self, gradient: Real) -> None:
        """One step against the gradient."""
        self._step += 1
        self._mean *= MEMORY
        self._mean += (1 - MEMORY) * gradient
        self._square *= FORGETTING
        self._square += (1 - FORGETTING) * np.square(gradient)
        size = np.sqrt(self._square / (1 - FORGETTING**self._step))
        size += FLOOR
        self._values -= self._rate / (1 - MEMORY**self._step) * self._mean / size


class Cohort:
    """Runs whose arrays are computed together; see :class:`Training`."""

    def __init__(self, setup: Setup, runs: Sequence[Run]) -> None:
        self.setup, self.runs = setup, runs
        self.roles = roles_of(setup.trainers)
        self.task, self.layout = make_task(setup.task, setup.ports), mesh_layout(setup.ports)
        numbers = [run.number for run in runs]
        self.devices = Devices.draw(self.layout, setup.layers, setup.seed, runs)
        self.model = IdealModel(self.layout, setup.layers, runs)
        self._sampler = Sampler(self.task, setup.batch, setup.seed, numbers)
        self.phases = self._start(numbers)
        self._adam = Adam(self.phases, setup.learning_rate)
        self._gradients = Gradients(
            task=self.task,
            layout=self.layout,
            layers=setup.layers,
            batch=setup.batch,
            run_seed=setup.seed,
            runs=runs,
            roles=self.roles,
            devices=self.devices,
            model=self.model,
        )
        self._drift = self._test_noise = None
        drift = np.array([run.imperfections.drift_rad for run in runs])
        if drift.any():
            shape = (setup.layers, self.layout.phases)
            self._drift = Stream(setup.seed, numbers, "drift", shape, drift)
        noise = np.array([run.imperfections.readout_noise for run in runs])
        if noise.any():
            samples = self._sampler.test.labels.shape[1]
            noise_shape = (setup.layers, 2 * setup.ports, samples)
            self._test_noise = Stream(
                setup.seed, numbers, "readout-test", noise_shape, noise / np.sqrt(2)
            )
        self._pending: tuple[Real, Real, Samples] | None = None
        self._losses: list[Real] = []

    def _start(self, numbers: Sequence[int]) -> Real:
        """The same random phases for every trainer, (phases, trainers, layers, runs)."""
        setup, mzis = self.setup, self.layout.mzis
        start = np.zeros((self.layout.phases, setup.layers, len(numbers)))
        for run, number in enumerate(numbers):
            uniform = generator(setup.seed, number, "start").random((setup.layers, 2 * mzis))
            start[:mzis, :, run] = 2 * np.pi * uniform[:, :mzis].T
            start[mzis : 2 * mzis, :, run] = np.pi * uniform[:, mzis:].T
        return np.repeat(start[:, None], len(self.roles.names), axis=1)

    def _measure(self) -> tuple[Real, Real, Samples]:
        """Loss and gradient on the next batch, kept until the step that uses them."""
        if self._pending is None:
            samples = self._sampler.batch()
            self._pending = (*self._gradients.measure(self.phases, samples), samples)
            self._losses.append(self._pending[0])
        return self._pending

    def step(self) -> None:
        """One batch, one update of every trainer's phases."""
        _, gradient, _ = self._measure()
        self._adam.update(gradient)
        self._pending = None
        if self._drift is not None:
            self.devices.drift(self._drift.take())

    def evaluate(self) -> tuple[Real, Real, Real]:
        """Loss since the last evaluation, test accuracy and cosine, (trainers, runs) each."""
        # The next batch's loss belongs to the next evaluation, but for the first.
        losses, self._losses = self._losses, []
        loss, gradient, samples = self._measure()
        _, true = passes.exact_gradient(self.task, self.devices, self.layout, self.phases, samples)
        if self.setup.layers > 1:
            gradient, true = gradient[:, :, :-1], true[:, :, :-1]
        product = (gradient * true).sum(axis=(0, 2))
        size = np.sqrt(np.square(gradient).sum(axis=(0, 2)) * np.square(true).sum(axis=(0, 2)))
        cosine = np.divide(product, size, out=np.zeros_like(size), where=size > 0)
        mean = np.mean(losses, axis=0) if losses else loss
        return mean, self.accuracy_on(self.devices), cosine

    def accuracy_on(self, machine: passes.Machine) -> Real:
        """Share of test samples that a machine classifies rightly, (trainers, runs)."""
        test = self._sampler.test
        noisy = machine is self.devices and self._test_noise is not None
        noise = self._test_noise.take() if noisy and self._test_noise else None
        mesh = passes.mesh_of(machine, self.layout, self.phases)
        forward = passes.forward_form(mesh.matrix())
        hits = np.zeros((len(self.roles.names), len(self.runs)))
        for first in range(0, test.labels.shape[1], TESTED_TOGETHER):
            here = slice(first, first + TESTED_TOGETHER)
            _, _, scores = passes.propagate(
                self.task,
                machine,
                forward,
                test.fields[None, ..., here],
                None if noise is None else noise[..., here],
            )
            hits += (scores.argmax(axis=-2) == test.labels[:, here]).sum(axis=-1)
        return hits / test.labels.shape[1]


class Training:
    """A training of several runs by every trainer of the setup.

    Iterate over :meth:`advance` and stop whenever wanted: :meth:`curves` and
    :meth:`state` hold what has been reached. A run's numbers do not depend on
    which other runs are in the same training.
    """

    def __init__(self, setup: Setup, runs: Sequence[Run]) -> None:
        self.setup, self.runs = setup, tuple(runs)
        together = runs_together(setup)
        self._cohorts = [
            Cohort(setup, self.runs[first : first + together])
            for first in range(0, len(self.runs), together)
        ]
        names = self._cohorts[0].roles.names
        self._order = [names.index(name) for name in setup.trainers]
        self._seen: list[tuple[int, tuple[Real, ...]]] = []

    def advance(self) -> Iterator[int]:
        """Train, yielding the number of steps done at every evaluation."""
        done = 0
        for target in evaluation_steps(self.setup.steps):
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
            model = joined([cohort.accuracy_on(cohort.model) for cohort in cohorts], 1)
        return TrainedState(
            phases=joined([c.phases.transpose(1, 3, 2, 0)[order] for c in cohorts], 1),
            phase_error=joined([c.devices.phase_error.transpose(2, 1, 0) for c in cohorts], 0),
            splitter_error=joined(
                [c.devices.splitter_error.transpose(3, 2, 0, 1) for c in cohorts], 0
            ),
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


def runs_together(setup: Setup) -> int:
    """How many runs share their arrays, so that the largest stays in the cache."""
    samples = max(setup.batch, TESTED_TOGETHER)
    fields = len(setup.trainers) * samples * 2 * setup.ports
    meshes = 12 * setup.layers * setup.ports**2
    return max(1, COHORT_VALUES // max(fields, meshes))

"""Train the meshes of several devices with every trainer, step by step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foptrn_model.photonics import passes
from foptrn_model.photonics.gradients import Gradients, roles_of
from foptrn_model.photonics.hardware import Devices, IdealModel, Run
from foptrn_model.photonics.mesh import Real, mesh_layout
from foptrn_model.photonics.optimizer import Adam
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.streams import Stream, generator
from foptrn_model.photonics.tasks import Sampler, Samples, make_task

COHORT_VALUES = 1 << 16
"""Numbers in the largest array of the runs that are computed together, to stay in the cache."""

TESTED_TOGETHER = 128
"""Test samples that pass at once: their arrays stay in the processor's cache."""


class MeshCohort:
    """Runs whose arrays are computed together; a run's numbers do not depend on the others."""

    def __init__(self, setup: Setup, runs: Sequence[Run]) -> None:
        self.setup, self.runs = setup, runs
        self.roles = roles_of(setup.trainers)
        self.order = self.roles.names
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
        return mean, self.hardware_accuracy(), cosine

    def hardware_accuracy(self) -> Real:
        """Share of test samples that the devices classify rightly, (trainers, runs)."""
        return self._accuracy(self.devices)

    def model_accuracy(self) -> Real:
        """The same of the model."""
        return self._accuracy(self.model)

    def set_phases(self) -> Real:
        """Shape (trainers, runs, layers, phases), as set [rad]."""
        return self.phases.transpose(1, 3, 2, 0)

    def left(self) -> dict[str, Real]:
        """What is wrong with the devices, runs first."""
        return {
            "phase_error": self.devices.phase_error.transpose(2, 1, 0),
            "splitter_error": self.devices.splitter_error.transpose(3, 2, 0, 1),
        }

    def _accuracy(self, machine: passes.Machine) -> Real:
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


def runs_together(setup: Setup) -> int:
    """How many runs share their arrays, so that the largest stays in the cache."""
    samples = max(setup.batch, TESTED_TOGETHER)
    fields = len(setup.trainers) * samples * 2 * setup.ports
    meshes = 12 * setup.layers * setup.ports**2
    return max(1, COHORT_VALUES // max(fields, meshes))

"""Train one copy of a stack with every trainer, step by step.

What differs is whose light is used forward, and whose backward:

trainer             forward    backward
in-silico           model      model
physics-aware       hardware   model, at the fields that the hardware measured
feedback-alignment  hardware   the last mask as physics-aware; every other one
                               gets the output error as a fixed random field
in-situ             hardware   hardware: the error is sent back through the stack

A trainer that works with the hardware knows of it only what holograms say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from foptrn_model.photonics.diffraction import Field
from foptrn_model.photonics.gradients import TrainerName
from foptrn_model.photonics.hardware import Run
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.optimizer import Adam
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.stack import Geometry, StackDevice, illuminate
from foptrn_model.photonics.stack_passes import (
    Detectors,
    Stack,
    assumed_slope,
    exact_gradient,
    hologram,
    overlap,
    pieces,
)
from foptrn_model.photonics.streams import Stream, normals
from foptrn_model.photonics.tasks import Labels, Sampler, Samples, stack_task

FEEDBACK_RMS = 1.0
"""RMS of a feedback field, were its power spread evenly over the plane of unit power."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """One batch as every trainer meets it.

    ``fields`` (samples, pixels, pixels) and ``labels`` (samples,); ``noise``
    (2 classes, samples) of the detectors and ``speckle`` (masks, pixels, pixels),
    standard normal, of the holograms, None without noise.
    """

    fields: Field
    labels: Labels
    noise: Real | None
    speckle: Real | None


class StackCohort:
    """One run; the same interface as a cohort of meshes."""

    def __init__(self, setup: Setup, run: Run, kind: DTypeLike = np.complex64) -> None:
        self.setup, self.runs = setup, (run,)
        self.order: tuple[TrainerName, ...] = setup.trainers
        assert setup.stack is not None  # noqa: S101 - Training makes meshes otherwise
        geometry: Geometry = setup.stack
        self.task = stack_task(setup.task)
        self.device = StackDevice.draw(geometry, setup.seed, run)
        self._kind = np.dtype(kind)
        self._hardware = Stack(self.device, kind)
        self._model = Stack(StackDevice.ideal(geometry, run.number), kind)
        self.seen = Detectors(self.task, geometry.pixels)
        self._sampler = Sampler(self.task, setup.batch, setup.seed, [run.number])
        side, masks, classes = geometry.pixels, geometry.masks, self.task.classes
        # Masks start blank, as they do where networks of this kind were made.
        self.phases: Real = np.zeros((len(self.order), masks, side, side))
        self._adam = Adam(self.phases, setup.learning_rate)
        parts = normals(setup.seed, [run.number], "feedback", (2, masks, classes, side * side))[0]
        feedback = (parts[0] + 1j * parts[1]) * (FEEDBACK_RMS / (np.sqrt(2) * side))
        self._feedback: Field = feedback.astype(kind)
        wrong = run.imperfections
        self._offset = wrong.gradient_offset
        self._noise = wrong.readout_noise
        self._streams: dict[str, Stream] = {}
        if wrong.readout_noise:
            half = np.array([wrong.readout_noise / np.sqrt(2)])
            tested = self._sampler.test.labels.shape[1]
            self._streams["forward"] = Stream(
                setup.seed, [run.number], "readout-forward", (2 * classes, setup.batch), half
            )
            self._streams["test"] = Stream(
                setup.seed, [run.number], "readout-test", (2 * classes, tested), half
            )
            self._streams["holograms"] = Stream(
                setup.seed, [run.number], "readout-powers", (masks, side, side), np.ones(1)
            )
        if wrong.drift_rad:
            self._streams["drift"] = Stream(
                setup.seed, [run.number], "drift", (masks, side, side), np.array([wrong.drift_rad])
            )
        self._pending: tuple[Real, Real, Batch] | None = None
        self._losses: list[Real] = []

    def _take(self, name: str) -> Real | None:
        return self._streams[name].take()[0] if name in self._streams else None

    def _lit(self, samples: Samples, here: slice = slice(None)) -> tuple[Field, Labels]:
        fields = illuminate(samples.fields[0][:, here], self.device.geometry.pixels)
        return fields.astype(self._kind), samples.labels[0, here]

    def _measure(self) -> tuple[Real, Real, Batch]:
        """Losses and gradients on the next batch, kept until the step that uses them."""
        if self._pending is None:
            fields, labels = self._lit(self._sampler.batch())
            batch = Batch(
                fields=fields,
                labels=labels,
                noise=self._take("forward"),
                speckle=self._take("holograms"),
            )
            found = [
                self._gradient(name, self.phases[place], batch)
                for place, name in enumerate(self.order)
            ]
            losses, gradients = (np.array(part) for part in zip(*found, strict=True))
            self._pending = (losses, gradients, batch)
            self._losses.append(losses)
        return self._pending

    def _gradient(self, name: TrainerName, phases: Real, batch: Batch) -> tuple[float, Real]:
        """One trainer's loss and gradient in the phases set, (masks, pixels, pixels)."""
        on_hardware = name != "in-silico"
        forward = self._hardware if on_hardware else self._model
        back = self._hardware if name == "in-situ" else self._model
        masks = forward.masks(phases)
        masks_back = masks if back is forward else back.masks(phases)
        loss, gradient, variance = 0.0, np.zeros(phases.shape), np.zeros(phases.shape)
        for here in pieces(len(batch.labels)):
            labels = batch.labels[here]
            behind, arriving = forward.forward(masks, batch.fields[here])
            noise = batch.noise[:, here] if on_hardware and batch.noise is not None else None
            reading = self.seen.read(arriving, forward.device, noise)
            mean, slope = self.seen.loss(reading, labels)
            share = len(labels) / len(batch.labels)
            loss, slope = loss + share * mean, share * slope
            if on_hardware:
                behind, arriving = [hologram(field) for field in behind], hologram(arriving)
            error = self.seen.error(arriving, assumed_slope(reading, slope))
            for place in reversed(range(len(phases))):
                if name == "feedback-alignment" and place < len(phases) - 1:
                    at_mask = self._random_error(slope, place).reshape(error.shape)
                else:
                    error = back.back(error, place + 1)
                    at_mask = hologram(error) if name == "in-situ" else error
                gradient[place] += overlap(at_mask, behind[place])
                if on_hardware and batch.speckle is not None:
                    variance[place] += self._speckle_variance(
                        at_mask, behind[place], measured_back=name == "in-situ"
                    )
                error = error * masks_back[place]
        if batch.speckle is not None:
            gradient += batch.speckle * np.sqrt(variance)
        if name in ("in-situ", "feedback-alignment"):
            gradient += self._offset
        return loss, back.device.spread(gradient)

    def _random_error(self, slope: Real, place: int) -> Field:
        """The output error as a fixed random field for each class, (samples, pixels squared)."""
        return np.asarray(slope.T.astype(self._feedback.dtype) @ self._feedback[place])

    def _speckle_variance(self, error: Field, behind: Field, *, measured_back: bool) -> Real:
        """Variance of what reading noise adds to a gradient, for every pixel.

        A hologram of light of unit power has noise of the read-out's RMS over
        the plane; one of the error beam the same in proportion to its own
        power. Of a product of two noisy fields half the variance is in the
        imaginary part, and samples' variances add.
        """
        light_noise = np.square(self._noise / self.device.geometry.pixels)
        error_power, power = np.square(np.abs(error)), np.square(np.abs(behind))
        variance = light_noise * error_power
        if measured_back:
            whole = error_power.sum(axis=(1, 2), keepdims=True)
            variance = variance + light_noise * whole * (power + light_noise)
        return np.asarray(variance.sum(axis=0) / 2)

    def step(self) -> None:
        """One batch, one update of every trainer's phases."""
        self._adam.update(self._measure()[1])
        self._pending = None
        moves = self._take("drift")
        if moves is not None:
            self.device.drift(moves)

    def evaluate(self) -> tuple[Real, Real, Real]:
        """Loss since the last evaluation, test accuracy and cosine, (trainers, 1) each."""
        losses, self._losses = self._losses, []
        loss, gradient, batch = self._measure()
        kept = slice(None, -1) if self.phases.shape[1] > 1 else slice(None)
        cosine = np.zeros(len(self.order))
        for place in range(len(self.order)):
            _, true = exact_gradient(
                self._hardware, self.seen, self.phases[place], batch.fields, batch.labels
            )
            ours, exact = gradient[place, kept], true[kept]
            size = np.sqrt(np.square(ours).sum() * np.square(exact).sum())
            cosine[place] = (ours * exact).sum() / size if size > 0 else 0.0
        mean = np.mean(losses, axis=0) if losses else loss
        return mean[:, None], self.hardware_accuracy(), cosine[:, None]

    def hardware_accuracy(self) -> Real:
        """Share of test samples that the hardware classifies rightly, (trainers, 1)."""
        return self._accuracy(self._hardware, self._take("test"))

    def model_accuracy(self) -> Real:
        """The same of the model."""
        return self._accuracy(self._model, None)

    def _accuracy(self, stack: Stack, noise: Real | None) -> Real:
        test = self._sampler.test
        count = test.labels.shape[1]
        transmissions = [stack.masks(phases) for phases in self.phases]
        hits = np.zeros((len(self.order), 1))
        for here in pieces(count):
            fields, labels = self._lit(test, here)
            for place, masks in enumerate(transmissions):
                _, arriving = stack.forward(masks, fields)
                read = self.seen.read(
                    arriving, stack.device, None if noise is None else noise[:, here]
                )
                hits[place] += (read.scores.argmax(axis=0) == labels).sum()
        return hits / count

    def set_phases(self) -> Real:
        """Shape (trainers, 1, masks, pixels squared), as set [rad]."""
        return self.phases.reshape(len(self.order), 1, self.phases.shape[1], -1).copy()

    def left(self) -> dict[str, Real]:
        """What is wrong with the device, runs first."""
        return {name: values[None] for name, values in self.device.left().items()}

"""Light through a stack of masks, forward and backward, and what is read of it.

Fields have shape (samples, pixels, pixels). Nothing is detected before the last
plane, so a pass is linear in the field; only the detectors' powers are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from foptrn_model.photonics.diffraction import Field, propagate, reversed_transfer
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.passes import SMALLEST, amplitude, cross_entropy, scores_of
from foptrn_model.photonics.stack import StackDevice, detectors
from foptrn_model.photonics.tasks import Labels, Task

REFERENCE_TURNS = (1, 1j, -1, -1j)
"""Phases of the reference beam in the four exposures of a hologram."""


TOGETHER = 64
"""Samples that pass at once: little memory, and their fields stay in the processor's cache."""


def pieces(samples: int) -> list[slice]:
    """Samples in order, as many at a time as pass together."""
    return [slice(first, first + TOGETHER) for first in range(0, samples, TOGETHER)]


class Stack:
    """A device's or the model's light paths; what is set on the masks is given to each pass."""

    def __init__(self, device: StackDevice, kind: DTypeLike = np.complex64) -> None:
        self.device = device
        self._kind = np.dtype(kind)
        transfers = device.transfers()
        self._forward = [transfer.astype(kind) for transfer in transfers]
        self._backward = [reversed_transfer(transfer) for transfer in self._forward]

    def masks(self, phases: Real) -> Field:
        """Transmission of every mask with these phases set, (masks, pixels, pixels)."""
        return np.exp(1j * self.device.actual(phases)).astype(self._kind)

    def forward(self, masks: Field, fields: Field) -> tuple[list[Field], Field]:
        """Fields behind every mask, and at the detectors."""
        behind = []
        for mask, transfer in zip(masks, self._forward, strict=False):
            fields = propagate(fields, transfer) * mask
            behind.append(fields)
        return behind, propagate(fields, self._forward[-1])

    def back(self, error: Field, gap: int) -> Field:
        """Light sent backward through one gap, to the plane before it."""
        return propagate(error, self._backward[gap])


def hologram(fields: Field) -> Field:
    """Fields as four exposures with a reference beam give them, no noise.

    Each camera pixel reads the power of field and reference together; the four
    powers are all that is used. The reference is about as strong as the field.
    """
    reference = float(np.sqrt(np.mean(np.square(np.abs(fields))))) or 1.0
    powers = [np.square(np.abs(fields + reference * turn)) for turn in REFERENCE_TURNS]
    return (powers[0] - powers[2] + 1j * (powers[1] - powers[3])) / (4 * reference)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What the detectors make of the light, amplitudes of shape (classes, samples).

    ``light`` is the root of the power that each detector receives, ``received``
    what its amplifier makes of that, ``read`` what it reports. ``scores`` are
    the class scores.
    """

    light: Real
    received: Real
    read: Real
    scores: Real


class Detectors:
    """One detector for each class, read like the ports of a mesh."""

    def __init__(self, task: Task, pixels: int) -> None:
        self._task = task
        self.covered = detectors(pixels, task.classes)
        self._flat = self.covered.reshape(task.classes, -1)

    def powers(self, fields: Field) -> Real:
        """Power on every detector, (classes, samples)."""
        powers = np.square(np.abs(fields)).reshape(len(fields), -1)
        return self._flat @ powers.T.astype(float)

    def read(self, fields: Field, device: StackDevice, noise: Real | None = None) -> Reading:
        """Read every detector; ``noise`` (2 classes, samples) is added as to a port's field."""
        light = np.sqrt(self.powers(fields))
        received = np.concatenate([light, np.zeros_like(light)])[None]
        if noise is not None:
            received = received + noise
        size = amplitude(device.readout.receive(received))
        read = device.readout.read(size)
        return Reading(
            light=light, received=size[0], read=read[0], scores=scores_of(self._task, read)[0]
        )

    def loss(self, reading: Reading, labels: Labels) -> tuple[float, Real]:
        """Mean loss, and its slope in the square of every amplitude read."""
        loss, slope = cross_entropy(reading.scores[None, None], labels[None])
        return float(loss[0, 0]), self._task.scale * (self._task.groups.T @ slope[0, 0])

    def error(self, fields: Field, weight: Real) -> Field:
        """E with d loss = Re(sum(E dz)), from the slope in each detector's power."""
        spread = (2 * weight.T @ self._flat).reshape(fields.shape)
        return np.asarray(spread.astype(fields.real.dtype) * np.conj(fields))


def assumed_slope(reading: Reading, slope: Real) -> Real:
    """Slope in each detector's power for whoever takes the reading for the light.

    The error starts as strong as the light was read to be.
    """
    return slope * reading.read / np.maximum(reading.light, SMALLEST)


def true_slope(reading: Reading, slope: Real, device: StackDevice) -> Real:
    """The same with all that the receiver does; rounding counts as the identity."""
    readout = device.readout
    # The square of what is read, by what is received, by the light, by its power.
    bent = 2 * reading.read * readout.slope(reading.received[None])[0]
    way = readout.slope_of_receiving(reading.light[None])[0]
    return slope * bent * way / np.maximum(2 * reading.light, SMALLEST)


def exact_gradient(
    stack: Stack, seen: Detectors, phases: Real, fields: Field, labels: Labels
) -> tuple[float, Real]:
    """A stack's loss without noise, and its gradient in the phases that are set."""
    masks = stack.masks(phases)
    loss, gradient = 0.0, np.zeros(masks.shape)
    for here in pieces(len(labels)):
        share = len(labels[here]) / len(labels)
        behind, at_detectors = stack.forward(masks, fields[here])
        reading = seen.read(at_detectors, stack.device)
        mean, slope = seen.loss(reading, labels[here])
        loss += share * mean
        error = seen.error(at_detectors, share * true_slope(reading, slope, stack.device))
        for place in reversed(range(len(masks))):
            error = stack.back(error, place + 1)
            gradient[place] += overlap(error, behind[place])
            error = error * masks[place]
    return loss, stack.device.spread(gradient)


def overlap(error: Field, behind: Field) -> Real:
    """Gradient in one mask's phases from the error that reaches it and the light behind it."""
    return -np.einsum("syx,syx->yx", error, behind).imag

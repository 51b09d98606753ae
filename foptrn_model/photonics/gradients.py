"""The gradients that four trainers work with, for one batch, computed together.

What differs is which machine carries the light forward and which one answers
how the loss depends on the phases:

trainer             forward    backward
in-silico           model      model
physics-aware       hardware   model, at the inputs that the hardware measured
feedback-alignment  hardware   model, each layer by itself: the output error
                               reaches it through a fixed random matrix
in-situ             hardware   hardware: powers at every shifter, three times
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from foptrn_model.photonics import passes
from foptrn_model.photonics.hardware import Devices, IdealModel, Run
from foptrn_model.photonics.interference import power_correlations, power_gradient
from foptrn_model.photonics.mesh import Complex, MeshLayout, Real, set_phases, splitters
from foptrn_model.photonics.streams import Stream, normals
from foptrn_model.photonics.tasks import Samples, Task

TrainerName = Literal["in-silico", "in-situ", "physics-aware", "feedback-alignment"]
TRAINERS: tuple[TrainerName, ...] = (
    "in-silico",
    "in-situ",
    "physics-aware",
    "feedback-alignment",
)

# In this order both groups are contiguous: backward through the model comes
# first, forward through the hardware last.
_ORDER: tuple[TrainerName, ...] = (
    "in-silico",
    "feedback-alignment",
    "physics-aware",
    "in-situ",
)


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Trainers in the order of their arrays, and which machine each one uses.

    ``model`` are those whose backward pass is the model's, ``hardware`` those
    whose forward pass is the hardware's. Meshes are stacked: the model's for
    ``model``, then the hardware's for ``hardware``.
    """

    names: tuple[TrainerName, ...]

    @property
    def model(self) -> slice:
        return slice(0, len(self.names) - ("in-situ" in self.names))

    @property
    def hardware(self) -> slice:
        return slice(int("in-silico" in self.names), len(self.names))

    @property
    def forward(self) -> list[int]:
        """Place in the stack of the mesh that carries each trainer's light forward."""
        silico = self.hardware.start
        return [*range(silico), *range(self.model.stop, self.model.stop + len(self.names) - silico)]

    @property
    def backward(self) -> list[int]:
        """Place in the stack of the mesh that each trainer's backward pass uses."""
        in_situ = [self.forward[-1]] if "in-situ" in self.names else []
        return [*range(self.model.stop), *in_situ]

    def place(self, name: TrainerName) -> int | None:
        """Index of a trainer; None where it does not take part."""
        return self.names.index(name) if name in self.names else None


def roles_of(trainers: Sequence[TrainerName]) -> Roles:
    """Roles of the trainers that take part."""
    return Roles(names=tuple(name for name in _ORDER if name in trainers))


class Gradients:
    """Measures or computes every trainer's gradient, batch after batch."""

    def __init__(
        self,
        *,
        task: Task,
        layout: MeshLayout,
        layers: int,
        batch: int,
        run_seed: int,
        runs: Sequence[Run],
        roles: Roles,
        devices: Devices,
        model: IdealModel,
    ) -> None:
        self._task, self._layout, self._layers, self._roles = task, layout, layers, roles
        self._devices, self._model = devices, model
        numbers = [run.number for run in runs]
        noise = np.array([run.imperfections.readout_noise for run in runs])
        self._offset = np.array([run.imperfections.gradient_offset for run in runs])
        feedback = normals(run_seed, numbers, "feedback", (layers, layout.ports, task.classes))
        self._feedback = feedback.swapaxes(0, 1)
        shape = (layers, 2 * layout.ports, batch)
        self._forward_noise = self._backward_noise = self._power_noise = None
        if noise.any():
            half = noise / np.sqrt(2)  # of each of a field's two parts
            self._forward_noise = Stream(run_seed, numbers, "readout-forward", shape, half)
            self._backward_noise = Stream(run_seed, numbers, "readout-backward", shape, half)
            shape = (3, layers, layout.phases)
            self._power_noise = Stream(run_seed, numbers, "readout-powers", shape, noise)
        parts = []
        if roles.model.stop:
            parts.append(self._repeat(model.splitter_error, roles.model.stop))
        on_hardware = roles.hardware.stop - roles.hardware.start
        if on_hardware:
            parts.append(self._repeat(devices.splitter_error, on_hardware))
        self._splitters = splitters(layout, np.concatenate(parts, axis=2))

    @staticmethod
    def _repeat(errors: Real, trainers: int) -> Real:
        return np.repeat(errors[:, :, None], trainers, axis=2)

    def measure(self, phases: Real, samples: Samples) -> tuple[Real, Real]:
        """Loss (trainers, runs) and gradient, shaped as ``phases``.

        ``phases`` are those that are set, (phases, trainers, layers, runs) with
        the trainers in the order of the roles.
        """
        roles, ports = self._roles, self._layout.ports
        parts = []
        if roles.model.stop:
            parts.append(self._model.actual(phases[:, roles.model]))
        if roles.hardware.start < roles.hardware.stop:
            parts.append(self._devices.actual(phases[:, roles.hardware]))
        mesh = set_phases(self._layout, np.concatenate(parts, axis=1), self._splitters)
        matrices = mesh.matrix()
        inputs, local, read, scores = self._forward(passes.forward_form(matrices), samples)
        loss, score_slope = passes.cross_entropy(scores, samples.labels)

        slope = self._task.scale * (self._task.groups.T @ score_slope)
        error = passes.error_behind_power(slope, self._as_read(local[-1], read))
        backward = passes.backward_form(matrices[:, :, roles.backward])
        in_situ, aligned = roles.place("in-situ"), roles.place("feedback-alignment")
        walks = roles.model.stop + (0 if in_situ is None else 3)
        correlation = np.empty((ports, ports, walks, *phases.shape[2:]), dtype=complex)
        spread = np.zeros(phases.shape[2:])
        echo = None if self._backward_noise is None else self._backward_noise.take()
        for layer in reversed(range(self._layers)):
            arriving = np.matmul(backward[layer], error)
            if in_situ is not None:
                weight = np.sqrt(np.square(error[in_situ]).sum(axis=-2, keepdims=True))
                if echo is not None:
                    arriving[in_situ] += weight * echo[:, layer]
                spread[layer] = np.sqrt(np.square(weight).sum(axis=(-2, -1)))
                sums = power_correlations(inputs[layer][-1], arriving[in_situ], weight)
                correlation[:, :, -3:, layer] = sums.transpose(2, 3, 0, 1)
            if roles.model.stop:
                sums = passes.correlate(inputs[layer][roles.model], arriving[roles.model])
                correlation[:, :, : roles.model.stop, layer] = sums.transpose(2, 3, 0, 1)
            if layer:
                slope = arriving[..., :ports, :]
                if aligned is not None:
                    slope[aligned] = self._feedback[layer - 1] @ score_slope[aligned]
                error = passes.error_behind_amplitude(slope, local[layer - 1])
        walked = (
            [*roles.backward, *roles.backward[-1:] * 2] if in_situ is not None else roles.backward
        )
        found = mesh.choose(walked).at_shifters(correlation)
        return loss, self._gradient(found, spread, phases.shape)

    def _forward(
        self, forward: Real, samples: Samples
    ) -> tuple[list[Real], list[Real], Real, Real]:
        """Inputs of every layer, fields whose phases the backward pass uses, read-out, scores."""
        roles = self._roles
        by_hardware, by_model = roles.hardware, roles.model
        noise = None if self._forward_noise is None else self._forward_noise.take()
        readout = self._devices.readout
        inputs, local = [], []
        through = forward[:, roles.forward]
        read = np.broadcast_to(samples.fields, (len(roles.names), *samples.fields.shape))
        for layer in range(self._layers):
            inputs.append(read)
            width = read.shape[-2]
            z = np.matmul(through[layer, ..., :width], read)
            if noise is not None:
                z[by_hardware] += noise[:, layer]
            if readout.biased:
                z[by_hardware] = readout.receive(z[by_hardware])
            modelled = z.copy()
            np.matmul(
                forward[layer, by_model, ..., :width],
                read[by_model],
                out=modelled[by_model],
            )
            local.append(modelled)
            read = passes.amplitude(z)
            if readout.bends or readout.rounds:
                read[by_hardware] = readout.read(read[by_hardware])
        return inputs, local, read, passes.scores_of(self._task, read)

    def _as_read(self, fields: Real, read: Real) -> Real:
        """Output fields with the amplitudes that in-situ read; the model knows only its own."""
        in_situ = self._roles.place("in-situ")
        if in_situ is None or not (self._devices.readout.bends or self._devices.readout.rounds):
            return fields
        fields = fields.copy()
        size = np.maximum(passes.amplitude(fields[in_situ]), passes.SMALLEST)
        fields[in_situ] *= np.concatenate([read[in_situ] / size] * 2, axis=-2)
        return fields

    def _gradient(self, found: Complex, spread: Real, shape: tuple[int, ...]) -> Real:
        """Gradients from what the walks found at the shifters."""
        roles = self._roles
        gradient = np.empty(shape)
        model = roles.model
        np.negative(found[:, model].imag, out=gradient[:, model])
        in_situ, aligned = roles.place("in-situ"), roles.place("feedback-alignment")
        if in_situ is not None:
            powers = found[:, -3:].real
            if self._power_noise is not None:
                # Every sample's reading has its own noise; their weighted sum has this one.
                powers = powers + self._power_noise.take().transpose(3, 1, 2, 0) * spread
            gradient[:, in_situ] = power_gradient(*powers.swapaxes(0, 1))
        if self._offset.any():
            for place in (in_situ, aligned):
                if place is not None:
                    gradient[:, place] += self._offset
        return gradient

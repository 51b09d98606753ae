"""One pass of light through the layers of a machine, and its exact gradient.

Fields are kept as real numbers, real parts of all ports then imaginary ones,
shape (trainers, runs, 2 ports, samples): many small real products cost a
fraction of as many complex ones, and with samples last the inner loops are long.
Between layers only amplitudes go on, (trainers, runs, ports, samples).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from foptrn_model.photonics.hardware import Readout
from foptrn_model.photonics.mesh import (
    Complex,
    Mesh,
    MeshLayout,
    Real,
    phase_gradient,
    set_phases,
    splitters,
)
from foptrn_model.photonics.tasks import Labels, Samples, Task

SMALLEST = 1e-150
"""An amplitude of zero has no phase; this keeps its quotient finite."""


class Machine(Protocol):
    """What a device and its model have in common."""

    @property
    def splitter_error(self) -> Real: ...
    @property
    def readout(self) -> Readout: ...
    def spread(self, phases: Real) -> Real: ...
    def actual(self, phases: Real) -> Real: ...


def mesh_of(machine: Machine, layout: MeshLayout, phases: Real) -> Mesh:
    """The meshes of a machine with these phases set, (phases, trainers, layers, runs)."""
    return set_phases(layout, machine.actual(phases), splitters(layout, machine.splitter_error))


def forward_form(matrices: Complex) -> Real:
    """Transfer matrices (out, in, trainers, layers, runs) as they act on fields.

    Shape (layers, trainers, runs, 2 ports out, 2 ports in); for real inputs
    the first half of the columns is all that is needed.
    """
    return _real_form(matrices.transpose(3, 2, 4, 0, 1))


def backward_form(matrices: Complex) -> Real:
    """The same for light sent backward: shape (layers, trainers, runs, 2 in, 2 out)."""
    return _real_form(matrices.transpose(3, 2, 4, 1, 0))


def _real_form(matrices: Complex) -> Real:
    rows, columns = matrices.shape[-2:]
    form = np.empty((*matrices.shape[:-2], 2 * rows, 2 * columns))
    form[..., :rows, :columns] = form[..., rows:, columns:] = matrices.real
    form[..., rows:, :columns] = matrices.imag
    np.negative(matrices.imag, out=form[..., :rows, columns:])
    return form


def amplitude(fields: Real) -> Real:
    """Absolute values, (..., 2 ports, samples) to (..., ports, samples)."""
    ports = fields.shape[-2] // 2
    total: Real = np.square(fields[..., :ports, :])
    total += np.square(fields[..., ports:, :])
    return np.sqrt(total, out=total)


def scores_of(task: Task, read: Real) -> Real:
    """Class scores (..., classes, samples) from the amplitudes read at the outputs."""
    return task.scale * (task.groups @ np.square(read))


def cross_entropy(scores: Real, labels: Labels) -> tuple[Real, Real]:
    """Mean loss (trainers, runs) and its gradient in the scores, (..., classes, samples)."""
    runs, samples = labels.shape
    scores = scores - scores.max(axis=-2, keepdims=True)
    share = np.exp(scores)
    total = share.sum(axis=-2, keepdims=True)
    share /= total
    of_run, of_sample = np.ogrid[:runs, :samples]
    right = scores[:, of_run, labels, of_sample] - np.log(total[..., 0, :])
    share[:, of_run, labels, of_sample] -= 1
    share /= samples
    return -right.mean(axis=-1), share


def error_behind_power(slope: Real, fields: Real) -> Real:
    """E with d loss = Re(sum(E dz)), from the gradient in the powers |z|^2 of ``fields``."""
    return _times_conjugate(2 * slope, fields)


def error_behind_amplitude(slope: Real, fields: Real) -> Real:
    """E with d loss = Re(sum(E dz)), from the gradient in the amplitudes |z|."""
    size = np.maximum(amplitude(fields), SMALLEST)
    return _times_conjugate(slope / size, fields)


def _times_conjugate(real: Real, fields: Real) -> Real:
    ports = real.shape[-2]
    product = np.empty_like(fields)
    np.multiply(real, fields[..., :ports, :], out=product[..., :ports, :])
    np.multiply(-real, fields[..., ports:, :], out=product[..., ports:, :])
    return product


def correlate(inputs: Real, arriving: Real) -> Complex:
    """Sum over samples of ``x[p] * a[q]``, shape (trainers, runs, ports, ports).

    ``inputs`` (..., ports or 2 ports, samples) are real amplitudes or fields.
    """
    ports = arriving.shape[-2] // 2
    sums = np.matmul(inputs, arriving.swapaxes(-1, -2))
    found = np.empty((*sums.shape[:-2], ports, ports), dtype=complex)
    found.real, found.imag = sums[..., :ports, :ports], sums[..., :ports, ports:]
    if inputs.shape[-2] == 2 * ports:
        found.real -= sums[..., ports:, ports:]
        found.imag += sums[..., ports:, :ports]
    return found


def propagate(
    task: Task, machine: Machine, forward: Real, inputs: Real, noise: Real | None = None
) -> tuple[list[Real], list[Real], Real]:
    """Send inputs through every layer of a machine.

    Parameters
    ----------
    forward : :func:`forward_form` of the machine's meshes.
    inputs : shape (trainers or 1, runs, ports or 2 ports, samples).
    noise : shape (runs, layers, 2 ports, samples), added to the fields.

    Returns
    -------
    tuple
        The inputs of every layer, the fields received after every layer, and the class
        scores (trainers, runs, classes, samples).
    """
    given, fields = [], []
    read = inputs
    for layer, matrices in enumerate(forward):
        given.append(read)
        z = np.matmul(matrices[..., : read.shape[-2]], read)
        if noise is not None:
            z += noise[:, layer]
        z = machine.readout.receive(z)
        fields.append(z)
        read = machine.readout.read(amplitude(z))
    return given, fields, scores_of(task, read)


def exact_gradient(
    task: Task, machine: Machine, layout: MeshLayout, phases: Real, samples: Samples
) -> tuple[Real, Real]:
    """A machine's loss without noise, and its gradient in the phases that are set.

    Parameters
    ----------
    phases : shape (phases, trainers, layers, runs).

    Returns
    -------
    tuple
        Loss (trainers, runs) and gradient (phases, trainers, layers, runs).
        Rounding by a converter counts as the identity.
    """
    mesh = mesh_of(machine, layout, phases)
    matrices = mesh.matrix()
    backward = backward_form(matrices)
    given, fields, scores = propagate(task, machine, forward_form(matrices), samples.fields[None])
    loss, score_slope = cross_entropy(scores, samples.labels)
    last = amplitude(fields[-1])
    slope = 2 * machine.readout.read(last) * (task.scale * (task.groups.T @ score_slope))
    correlation = np.empty(matrices.shape, dtype=complex)
    for layer in reversed(range(len(fields))):
        z = fields[layer]
        # The receiver's gain multiplies whatever a change of the field does.
        slope = slope * machine.readout.slope(amplitude(z)) * machine.readout.gain
        error = error_behind_amplitude(slope, z)
        arriving = np.matmul(backward[layer], error)
        correlation[:, :, :, layer] = correlate(given[layer], arriving).transpose(2, 3, 0, 1)
        slope = arriving[..., : layout.ports, :]
    return loss, machine.spread(phase_gradient(mesh, correlation))

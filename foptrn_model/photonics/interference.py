"""Gradients from detector powers alone: the three exposures of in-situ training.

At every phase shifter a detector sees the power of the forward field f, of the
adjoint field a (sent backward, recorded at the inputs, its conjugate sent
forward again), and of both together with a turned by -i. Half of what the third
exceeds the other two is the gradient in that phase.

References
----------
T. W. Hughes et al., Optica 5, 864 (2018); S. Pai et al., Science 380, 398 (2023).
"""

from __future__ import annotations

import numpy as np

from foptrn_model.photonics.mesh import Complex, Mesh, Real

SMALLEST_WEIGHT = 1e-150


def power_correlations(inputs: Real, arriving: Real, weight: Real) -> Complex:
    """What three exposures send into a mesh, summed over a batch.

    A detector that integrates over a batch sees the sum of every sample's
    power. Powers anywhere in a linear mesh follow from the correlations of the
    fields at its inputs, so a batch costs as much as a few beams.

    Parameters
    ----------
    inputs : shape (runs, ports or 2 ports, samples), amplitudes or fields.
    arriving : shape (runs, 2 ports, samples), the adjoint fields recorded there.
    weight : shape (runs, 1, samples)
        The adjoint's amplitude. It is sent with unit power, like the input,
        and each sample's reading counts with this weight.

    Returns
    -------
    shape (3, runs, ports, ports)
        Sums of ``y[p] * conj(y[q])`` for the forward field, the adjoint one and
        both.
    """
    ports = arriving.shape[-2] // 2
    root = np.sqrt(np.maximum(weight, SMALLEST_WEIGHT))
    sent = np.zeros((3, *arriving.shape))
    forward, adjoint, both = sent
    np.multiply(root, inputs, out=forward[..., : inputs.shape[-2], :])
    np.divide(arriving, root, out=adjoint)
    # The conjugate of the recorded field, which becomes -i times it in the sum:
    # -i (re - i im) = -im - i re.
    np.subtract(forward[..., :ports, :], adjoint[..., ports:, :], out=both[..., :ports, :])
    np.subtract(forward[..., ports:, :], adjoint[..., :ports, :], out=both[..., ports:, :])
    np.negative(adjoint[..., ports:, :], out=adjoint[..., ports:, :])
    sums = np.matmul(sent, sent.swapaxes(-1, -2))
    found = np.empty((*sums.shape[:-2], ports, ports), dtype=complex)
    found.real = sums[..., :ports, :ports] + sums[..., ports:, ports:]
    found.imag = sums[..., ports:, :ports] - sums[..., :ports, ports:]
    return found


def power_gradient(forward: Real, adjoint: Real, both: Real) -> Real:
    """Gradient in each phase from the three powers at its shifter."""
    return (both - forward - adjoint) / 2


def interference_gradient(mesh: Mesh, inputs: Complex, error: Complex) -> Real:
    """The gradient in every phase, beam by beam, as the experiment goes.

    Slow and plain: fields of one mesh or several, no noise, no correlations.

    Parameters
    ----------
    inputs, error : shape (ports, beams, ...)
        Fields sent forward, and errors at the outputs: a change dz of the
        output changes the loss by Re(sum(error * dz)).

    Returns
    -------
    shape (phases, ...), loss per radian. Exact while the mesh is lossless.
    """
    adjoint = mesh.backward(error).conj()
    powers = []
    for sent in (inputs, adjoint, inputs - 1j * adjoint):
        correlation = np.einsum("pb...,qb...->pq...", sent, sent.conj())
        powers.append(mesh.at_shifters(correlation).real)
    return power_gradient(*powers)

"""Meshes and trainers the slow way: dense matrices, one MZI and one sample at a time."""

import numpy as np


def beam_splitter(angle):
    return np.array([[np.cos(angle), 1j * np.sin(angle)], [1j * np.sin(angle), np.cos(angle)]])


def places(ports):
    """The upper port of every MZI, by column, then from the top."""
    return [top for column in range(ports) for top in range(column % 2, ports - 1, 2)]


def embedded(block, top, ports):
    whole = np.eye(ports, dtype=complex)
    whole[top : top + 2, top : top + 2] = block
    return whole


def dense_mesh(ports, phases, errors=None):
    """Product of one dense matrix per MZI; phases are phi, theta, output."""
    tops = places(ports)
    count = len(tops)
    errors = np.zeros((count, 2)) if errors is None else errors
    matrix = np.eye(ports, dtype=complex)
    for k, top in enumerate(tops):
        phi, theta = phases[k], phases[count + k]
        block = (
            beam_splitter(np.pi / 4 + errors[k, 1])
            @ np.diag([np.exp(1j * theta), 1])
            @ beam_splitter(np.pi / 4 + errors[k, 0])
            @ np.diag([np.exp(1j * phi), 1])
        )
        matrix = embedded(block, top, ports) @ matrix
    return np.diag(np.exp(1j * phases[2 * count :])) @ matrix


def central_differences(function, values, step=1e-5):
    """Gradient of a scalar function of a vector."""
    slopes = np.empty(values.size)
    for k in range(values.size):
        move = np.zeros(values.size)
        move[k] = step
        move = move.reshape(values.shape)
        slopes[k] = (function(values + move) - function(values - move)) / (2 * step)
    return slopes.reshape(values.shape)


def output_error(power_by_port, label, scale, groups):
    """Softmax cross-entropy of one sample: loss, and its gradient in the scores."""
    scores = scale * groups @ power_by_port
    share = np.exp(scores - scores.max())
    share /= share.sum()
    wanted = np.eye(len(scores))[label]
    return -np.log(share[label]), share - wanted


def loss_of(matrices, inputs, labels, scale, groups):
    """Mean loss of samples (samples, ports) through layers of dense matrices."""
    losses = []
    for x, label in zip(inputs, labels, strict=True):
        amplitude = x
        for matrix in matrices:
            amplitude = np.abs(matrix @ amplitude)
        losses.append(output_error(amplitude**2, label, scale, groups)[0])
    return np.mean(losses)


def layerwise_gradient(ports, phases, device, sample, feedback=None):
    """A gradient through the ideal model at the inputs that a device measured.

    One sample ``(x, label, scale, groups)``; ``phases`` (layers, phases) are
    those set, ``device`` the dense matrices that carry the light. Physics-aware
    training; with ``feedback`` matrices for the hidden layers, feedback
    alignment. The Jacobian of each layer comes from central differences.
    """
    x, label, scale, groups = sample
    inputs = [x]
    for matrix in device:
        inputs.append(np.abs(matrix @ inputs[-1]))
    _, error = output_error(inputs[-1] ** 2, label, scale, groups)
    # The last layer's outputs are powers, the others' amplitudes.
    slope = scale * groups.T @ error
    gradient = np.empty_like(phases)
    for layer in reversed(range(len(device))):
        power = 2 if layer == len(device) - 1 else 1

        def through(given, at, power=power, slope=slope):
            return slope @ np.abs(dense_mesh(ports, at) @ given) ** power

        at, given = phases[layer], inputs[layer]
        gradient[layer] = central_differences(lambda p, given=given: through(given, p), at)
        if layer:
            if feedback is not None:
                slope = feedback[layer - 1] @ error
            else:
                slope = central_differences(lambda g, at=at: through(g, at), given)
    return gradient

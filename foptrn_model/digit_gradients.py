"""Gradients of a real, small training run: a perceptron on scikit-learn's digits.

Two hidden layers of rectifiers, trained by Adam on cross-entropy. Once trained
the weights are kept, and the gradients of the next few batches are collected,
one tensor per batch and layer: what a read-out would have to carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from foptrn_model.digits import load_digits

LayerName = Literal["first", "hidden", "last"]
LAYER_NAMES: tuple[LayerName, ...] = get_args(LayerName)

PIXELS = 64
CLASSES = 10
WIDTH = 256
WEIGHTS = PIXELS * WIDTH + WIDTH * WIDTH + WIDTH * CLASSES
BATCH = 64
TRAIN_STEPS = 300
LEARNING_RATE = 1e-3
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
BATCHES_KEPT = 20
TEST_SAMPLES = 360

Float = NDArray[np.float32]
Labels = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class TrainedGradients:
    """Gradients after training: per layer an array (batches, weights); accuracy on held-out digits."""

    layers: dict[LayerName, Float]
    accuracy: float


@lru_cache(maxsize=2)
def trained_gradients(seed: int) -> TrainedGradients:
    """Train from this seed and collect the gradients of :data:`BATCHES_KEPT` batches."""
    images, labels = _digits()
    # Matrices this small run slower on several threads, far slower where others compute too.
    with threadpool_limits(limits=1, user_api="blas"):
        return _train(images, labels, seed)


def _train(images: Float, labels: Labels, seed: int) -> TrainedGradients:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(labels))
    test, train = order[:TEST_SAMPLES], order[TEST_SAMPLES:]
    sides = ((PIXELS, WIDTH), (WIDTH, WIDTH), (WIDTH, CLASSES))
    weights = [
        (rng.standard_normal(side) * np.sqrt(2 / side[0])).astype(np.float32) for side in sides
    ]
    mean, square = ([np.zeros_like(weight) for weight in weights] for _ in range(2))
    for step in range(1, TRAIN_STEPS + 1):
        rows = rng.choice(train, BATCH, replace=False)
        gradients = loss_gradients(weights, images[rows], labels[rows])
        for index, gradient in enumerate(gradients):
            mean[index] += (1 - BETA_1) * (gradient - mean[index])
            square[index] += (1 - BETA_2) * (gradient**2 - square[index])
            root = np.sqrt(square[index] / (1 - BETA_2**step)) + EPSILON
            weights[index] -= LEARNING_RATE / (1 - BETA_1**step) * mean[index] / root
    kept = []
    for _ in range(BATCHES_KEPT):
        rows = rng.choice(train, BATCH, replace=False)
        kept.append(loss_gradients(weights, images[rows], labels[rows]))
    guesses = _scores(weights, images[test])[-1].argmax(axis=1)
    return TrainedGradients(
        layers={
            name: np.stack([gradients[index].ravel() for gradients in kept])
            for index, name in enumerate(LAYER_NAMES)
        },
        accuracy=float((guesses == labels[test]).mean()),
    )


def loss_gradients(weights: list[Float], images: Float, labels: Labels) -> list[Float]:
    """Gradients of the mean cross-entropy in each weight matrix, by backpropagation."""
    *activations, scores = _scores(weights, images)
    probabilities = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    probabilities[np.arange(len(labels)), labels] -= 1
    error = probabilities / np.float32(len(labels))
    gradients: list[Float] = []
    for weight, inputs in zip(reversed(weights), reversed(activations), strict=True):
        gradients.append(inputs.T @ error)
        error = (error @ weight.T) * (inputs > 0)
    return gradients[::-1]


def _scores(weights: list[Float], images: Float) -> list[Float]:
    """Inputs of every layer, then the scores."""
    values = [images]
    for weight in weights[:-1]:
        values.append(np.maximum(values[-1] @ weight, 0))
    return [*values, values[-1] @ weights[-1]]


@lru_cache(maxsize=1)
def _digits() -> tuple[Float, Labels]:
    images, labels = load_digits()
    return (images / 16).astype(np.float32), labels

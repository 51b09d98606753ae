"""Measured gradients: true gradients, of a network that has learned, the same every time."""

import numpy as np
import pytest

from foptrn_model.digit_gradients import (
    BATCHES_KEPT,
    LAYER_NAMES,
    loss_gradients,
    trained_gradients,
)
from foptrn_model.explorers import PRECISION
from foptrn_model.gradient_samples import Source, draws
from foptrn_model.precision import PrecisionParams, compute_precision

SIZES = {"first": 64 * 256, "hidden": 256 * 256, "last": 256 * 10}


def loss_of(weights, images, labels):
    values = images
    for weight in weights[:-1]:
        values = np.maximum(values @ weight, 0)
    scores = values @ weights[-1]
    top = scores.max(axis=1)
    logs = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
    return (logs - scores[np.arange(len(labels)), labels]).mean()


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_gradients_are_finite_differences_of_the_loss(layer):
    rng = np.random.default_rng(layer)
    weights = [rng.normal(size=side) for side in ((6, 5), (5, 4), (4, 3))]
    images, labels = rng.random((7, 6)), rng.integers(0, 3, 7)
    found = loss_gradients(weights, images, labels)[layer]
    slow = np.empty_like(weights[layer])
    for place in np.ndindex(slow.shape):
        sides = []
        for sign in (1, -1):
            moved = [weight.copy() for weight in weights]
            moved[layer][place] += sign * 1e-6
            sides.append(loss_of(moved, images, labels))
        slow[place] = (sides[0] - sides[1]) / 2e-6
    np.testing.assert_allclose(found, slow, atol=1e-7)


def test_the_network_has_learned_digits():
    trained = trained_gradients(0)
    assert trained.accuracy > 0.95
    for name in LAYER_NAMES:
        assert trained.layers[name].shape == (BATCHES_KEPT, SIZES[name])
        # Dead rectifiers have no gradient; most weights must have one.
        assert (trained.layers[name] != 0).mean() > 0.5


def test_training_is_the_same_every_time():
    again = trained_gradients.__wrapped__(0)
    for name in LAYER_NAMES:
        np.testing.assert_allclose(
            again.layers[name], trained_gradients(0).layers[name], rtol=1e-3, atol=1e-6
        )


def test_a_draw_repeats_no_value_and_holds_at_most_the_layer():
    whole = trained_gradients(0).layers["last"]
    some, other = draws(Source("measured", 1_000, 0, "last"), 2)
    assert len(some) == 1_000
    values, counts = np.unique(some[some != 0], return_counts=True)
    assert len(values) == counts.sum()
    assert set(values) <= set(whole[0].astype(float))
    assert set(other[other != 0]) <= set(whole[1].astype(float))
    everything = draws(Source("measured", 2**20, 0, "last"), 1)[0]
    np.testing.assert_array_equal(everything, whole[0])


@pytest.mark.parametrize("layer", LAYER_NAMES)
def test_measured_gradients_are_spikier_than_gaussian_ones(layer):
    params = PrecisionParams(distribution="measured", layer=layer)
    result = compute_precision(params)
    size = min(SIZES[layer], params.samples)
    assert result.values_per_draw == size
    gaussian = compute_precision(PrecisionParams(samples=size))
    assert result.crest > gaussian.crest * 1.3
    assert result.formats["E5M2"].enob_to_match > gaussian.formats["E5M2"].enob_to_match
    # The mantissa decides a float's error, whatever the shape of the tail.
    assert result.formats["BF16"].relative_rms == pytest.approx(1.66e-3, abs=0.02e-3)


def test_the_layer_matters_only_for_measured_gradients():
    assert "layer" in PrecisionParams().inactive()
    assert PrecisionParams(distribution="measured").inactive() == frozenset()


def test_crest_table_has_measured_gradients_once_chosen():
    def kinds(**fields):
        rows = PRECISION.table(PrecisionParams(samples=512, draws=2, **fields), "crest").rows
        return {row[0] for row in rows}

    drawn = {"gaussian", "laplace", "student-t"}
    assert kinds() == drawn
    assert kinds(distribution="measured") == drawn | {"measured"}

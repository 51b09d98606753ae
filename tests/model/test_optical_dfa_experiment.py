"""The live experiment: the recipe's orderings, the optics, gradients against finite differences."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from foptrn_model.optical_dfa_experiment import NOISE_LEVELS, TRAINERS, Training, train
from foptrn_model.optical_dfa_optics import Medium, encode
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.optical_dfa_simulation import (
    CAP_S,
    OPTICAL_DFA_SIMULATION,
    check_cost,
    estimate_seconds,
    read_experiment,
)

CLEAN = {"error_encoding": "analogue", "camera_bits": 0, "projection_noise": 0.0}
"""Optics that do nothing but project."""


def points(experiment, trainer):
    """Mean accuracy after training [%]."""
    return 100 * float(experiment.final(trainer).mean())


# The recipe: 40 epochs, 3 seeds ---------------------------------------------------------


@pytest.fixture(scope="module")
def deep():
    """64-20-20-20-20-10, as given."""
    return train(OpticalDfaParams(**CLEAN))


@pytest.fixture(scope="module")
def shallow():
    """64-20-20-10, as given."""
    return train(OpticalDfaParams(hidden_layers=2, **CLEAN))


def test_the_trainers_of_a_deep_network_come_in_order(deep):
    assert points(deep, "bp") == pytest.approx(97, abs=1.5)
    assert 94.5 < points(deep, "dfa") < 96.5
    assert points(deep, "dfa") < points(deep, "bp")
    assert points(deep, "last") < points(deep, "dfa") - 10
    # A perfect projection is another random matrix, no worse and no better than the digital one.
    assert points(deep, "odfa") == pytest.approx(points(deep, "dfa"), abs=1.5)


def test_the_network_turns_towards_its_feedback(shallow):
    for trainer in ("dfa", "odfa"):
        cosine = shallow.cosine[trainer].mean(axis=2)
        assert np.abs(cosine[:, 0]).max() < 0.15
        assert (cosine[:, -1] > 0.5).all()
    untrained = shallow.epochs == 0
    assert np.abs(shallow.cosine["dfa"][:, untrained].mean()) < 0.05


def test_noise_dilutes_the_direction_by_the_formula(shallow):
    for cosines in shallow.diluted.mean(axis=2):
        assert cosines[0] >= 0.5
        for level, measured in zip(NOISE_LEVELS, cosines, strict=True):
            assert measured == pytest.approx(cosines[0] / np.hypot(1, level), abs=0.03)


@pytest.mark.parametrize("encoding", ["analogue", "ternary"])
def test_noise_is_tolerated_and_bias_is_not(shallow, encoding):
    # 25 epochs instead of 40, for speed; the clean runs had 40, which is to their favour.
    fields = {**CLEAN, "hidden_layers": 2, "epochs": 25, "error_encoding": encoding}
    noisy = train(OpticalDfaParams(**fields | {"projection_noise": 5.0}))
    clean = points(shallow, "odfa")
    assert points(noisy, "odfa") > clean - 5
    if encoding == "analogue":
        biased = train(OpticalDfaParams(**fields | {"projection_bias": 1.0}))
        assert points(biased, "odfa") < clean - 15


def test_a_wide_network_hides_the_difference():
    wide = train(OpticalDfaParams(hidden_layers=2, hidden_width=256, epochs=8, seeds=1, **CLEAN))
    assert points(wide, "last") > 94
    assert points(wide, "bp") - points(wide, "last") < 2.5


def test_a_small_ternary_threshold_is_a_bias_of_its_own():
    low, high = (
        points(train(OpticalDfaParams(error_threshold=level, epochs=20, seeds=2)), "odfa")
        for level in (0.05, 0.2)
    )
    assert high > 80 > 50 > low


def test_light_that_carries_nothing_leaves_the_last_layer_alone():
    found = train(OpticalDfaParams(error_threshold=1.0, epochs=2, seeds=1, hidden_layers=1))
    assert (found.accuracy["odfa"] == found.accuracy["last"]).all()
    assert np.isnan(found.cosine["odfa"]).all()
    assert np.isfinite(found.cosine["dfa"]).all()


def test_the_stored_default_has_the_orderings_that_the_page_tells_of():
    found = read_experiment(OPTICAL_DFA_SIMULATION.stored("experiment", ""))
    reached = {name: points(found, name) for name in TRAINERS}
    assert reached["bp"] > reached["dfa"] > reached["odfa"] > reached["last"] + 10


# Training -------------------------------------------------------------------------------


def test_the_first_epoch_of_the_stored_experiment_is_computed_again():
    stored = read_experiment(OPTICAL_DFA_SIMULATION.stored("experiment", ""))
    again = train(OpticalDfaParams(epochs=1))
    count = len(again.epochs)
    assert count > 4
    assert stored.epochs[:count] == pytest.approx(again.epochs)
    for name in TRAINERS:
        # A digit more or less of 450, should rounding decide about it.
        assert stored.accuracy[name][:count] == pytest.approx(again.accuracy[name], abs=5e-3)
    assert stored.cosine["dfa"][:, :count] == pytest.approx(again.cosine["dfa"], abs=1e-3)


def test_runs_side_by_side_are_what_each_is_alone():
    together = train(OpticalDfaParams(epochs=2, seeds=3))
    alone = train(OpticalDfaParams(epochs=2, seeds=1))
    for name in TRAINERS:
        assert together.accuracy[name][:, 0] == pytest.approx(alone.accuracy[name][:, 0], abs=5e-3)


def test_backpropagation_steps_along_the_gradient_and_the_last_layer_alone_by_itself():
    params = OpticalDfaParams(
        seeds=1, hidden_layers=2, hidden_width=5, train_batch=16, momentum=0.0, learning_rate=1.0
    )
    training = Training(params)
    rows = np.arange(16)[None, :]
    before = [weights.astype(float) for weights in training._weights]
    inputs, targets = (part[0].astype(float) for part in training._data.batch(rows))
    training._step(rows)
    moved = [weights - old for weights, old in zip(training._weights, before, strict=True)]

    def loss(weights):
        values = inputs
        for matrix in weights[:-1]:
            values = np.tanh(values @ matrix)
        scores = values @ weights[-1]
        return float(np.mean(np.log(np.exp(scores).sum(axis=1)) - (scores * targets).sum(axis=1)))

    # Pixels at the edge never vary, so gradients are looked for where the picture is.
    for layer, row, column in itertools.product(range(3), (0, 2, 4), (1, 3)):
        place = (27 + row, column) if layer == 0 else (row, column)
        slope = []
        for sign in (1, -1):
            weights = [part[0].copy() for part in before]
            weights[layer][place] += sign * 1e-5
            slope.append(loss(weights))
        gradient = (slope[0] - slope[1]) / 2e-5
        assert -moved[layer][0][place] == pytest.approx(gradient, abs=2e-5)
        last_only = moved[layer][3][place]
        assert last_only == (pytest.approx(-gradient, abs=2e-5) if layer == 2 else 0)


def test_progress_goes_from_nothing_to_every_step():
    training = Training(OpticalDfaParams(epochs=2, seeds=1))
    done = list(training.advance())
    assert done[0] == 0
    assert done[-1] == training.steps == 84
    assert done == sorted(set(done))


# Optics ---------------------------------------------------------------------------------


def medium(**fields):
    params = OpticalDfaParams(**{**CLEAN, "hidden_layers": 3, **fields})
    streams = [np.random.default_rng([7, run]) for run in range(2)]
    return Medium.draw(params, streams, classes=10, outputs=60)


@pytest.fixture
def errors():
    drawn = np.random.default_rng(1).standard_normal((2, 500, 10)).astype(np.float32)
    return drawn - drawn.mean(axis=2, keepdims=True)


def test_a_clean_projection_is_the_real_part_of_a_matrix_product(errors):
    optics = medium()
    assert optics.project(errors) == pytest.approx(errors @ optics.matrix.real, abs=1e-5)
    # Linear: what is twice as large comes back twice as large.
    assert optics.project(2 * errors) == pytest.approx(2 * optics.project(errors), abs=1e-5)


def test_projections_have_the_size_of_digital_feedback():
    assert medium().matrix.real.var() == pytest.approx(1 / 20, rel=0.1)
    assert medium().matrix.imag.var() == pytest.approx(1 / 20, rel=0.1)


def test_two_readings_give_the_field_but_for_the_cameras_bits(errors):
    exact = medium().project(errors)
    misses = []
    for bits in (4, 6, 8, 16):
        read = medium(camera_bits=bits).project(errors)
        misses.append(float(np.sqrt(((read - exact) ** 2).mean() / (exact**2).mean())))
    assert misses == sorted(misses, reverse=True)
    # Halved with every bit, down to what the camera's full scale cuts off.
    assert misses[0] / misses[1] == pytest.approx(4, rel=0.2)
    assert misses[-1] < 0.01


def test_noise_has_no_mean_and_bias_nothing_but_one(errors):
    exact = medium().project(errors)
    rms = np.sqrt((exact**2).mean(axis=2, keepdims=True))
    noise = (medium(projection_noise=2.0).project(errors) - exact) / rms
    assert noise.std() == pytest.approx(2, rel=0.02)
    assert abs(noise.mean()) < 0.03
    bias = (medium(projection_bias=-0.5).project(errors) - exact) / rms
    assert bias == pytest.approx(np.full(bias.shape, -0.5), abs=1e-3)


def test_drift_turns_the_matrix_and_keeps_its_size():
    optics = medium(drift_per_step=0.1)
    first = optics.matrix.copy()
    overlaps = []
    for _ in range(30):
        optics.drift()
        overlaps.append(float((first.conj() * optics.matrix).sum().real / (abs(first) ** 2).sum()))
    assert overlaps[-1] == pytest.approx((1 - 0.1**2) ** 15, abs=0.05)
    assert optics.matrix.real.var() == pytest.approx(1 / 20, rel=0.15)
    still = medium()
    kept = still.matrix.copy()
    still.drift()
    assert (still.matrix == kept).all()


def test_encodings():
    error = np.array([0.6, -0.05, 0.3, -0.85], dtype=np.float32)
    assert encode(error, "analogue", 0.2) == pytest.approx(error)
    assert encode(error, "sign", 0.2).tolist() == [1, -1, 1, -1]
    assert encode(error, "ternary", 0.2).tolist() == [1, 0, 1, -1]
    nothing = medium(error_encoding="ternary", error_threshold=1.0)
    assert (nothing.project(np.full((2, 3, 10), 0.1, np.float32)) == 0).all()


# Cost -----------------------------------------------------------------------------------


def test_an_experiment_over_the_cap_is_refused_and_the_nearest_one_fits():
    large = OpticalDfaParams(epochs=200, seeds=16, hidden_width=256)
    (problem,) = check_cost(large, CAP_S)
    assert problem.param == "epochs"
    assert "over the cap of 20 s" in problem.message
    fitted, notices = OPTICAL_DFA_SIMULATION.fit(large)
    assert check_cost(fitted, CAP_S) == []
    assert "using" in notices[0]
    assert check_cost(OpticalDfaParams(), CAP_S) == []


def test_the_estimate_grows_with_everything_that_costs():
    here = estimate_seconds(OpticalDfaParams())
    assert here < CAP_S / 4
    for more in ({"epochs": 80}, {"seeds": 6}, {"hidden_width": 40}, {"hidden_layers": 5}):
        assert estimate_seconds(OpticalDfaParams(**more)) > here

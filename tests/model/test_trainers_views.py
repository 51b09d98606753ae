"""Decision maps and mesh pictures show the network that was trained."""

import numpy as np
import pytest

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_places import Place
from foptrn_model.trainers_views import decision_map, mesh_pictures
from tests.model.slow_mesh import dense_mesh, places
from tests.model.trained import trained

QUERY = "crosstalk=0&layers=2&seeds=2&steps=30"


def dense_layers(state, trainer, number, machine):
    phases = state.phases[TRAINERS.index(trainer), number]
    if machine == "model":
        return [dense_mesh(4, layer) for layer in phases]
    return [
        dense_mesh(4, layer + off, arms)
        for layer, off, arms in zip(
            phases,
            state.device["phase_error"][number],
            state.device["splitter_error"][number],
            strict=True,
        )
    ]


def powers(matrices, point):
    pad = np.sqrt((2 - point @ point) / 2)
    amplitude = np.array([*point, pad, pad]) / np.sqrt(2)
    for matrix in matrices:
        amplitude = np.abs(matrix @ amplitude)
    return amplitude**2


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize("number", [0, 1])
def test_a_map_is_the_networks_score(trainer, number):
    job = trained(QUERY)
    state = job.state()
    shown = decision_map(job.params, state, trainer, number, resolution=7)
    for machine, scores in (("hardware", shown.hardware), ("model", shown.model)):
        matrices = dense_layers(state, trainer, number, machine)
        for row, column in ((0, 2), (3, 3), (5, 5)):
            point = np.array([shown.x[column], shown.y[row]])
            upper, lower = powers(matrices, point).reshape(2, 2).sum(axis=1)
            expected = np.exp(8 * lower) / (np.exp(8 * upper) + np.exp(8 * lower))
            assert scores[row, column] == pytest.approx(expected)


def test_a_maps_points_are_the_seeds_test_samples():
    job = trained(QUERY)
    state = job.state()
    shown = decision_map(job.params, state, "in-situ", 1)
    assert shown.points.shape == (2, 500)
    matrices = dense_layers(state, "in-situ", 1, "model")
    guess = [
        powers(matrices, point).reshape(2, 2).sum(axis=1).argmax()
        for point in shown.points.T
        if point @ point < 2
    ]
    inside = (shown.points**2).sum(axis=0) < 2
    hits = (np.array(guess) == shown.labels[inside]).sum()
    place = TRAINERS.index("in-situ")
    assert hits / 500 == pytest.approx(state.model_accuracy[place, 1], abs=(~inside).mean() + 1e-9)


def test_digits_have_no_map():
    job = trained("seeds=1&steps=1&task=digits")
    with pytest.raises(ValueError, match="task must be one of rings, moons for a map, got digits"):
        decision_map(job.params, job.state(), "in-situ")
    assert len(mesh_pictures(job.params, job.state(), Place(trainer="in-situ"))) == 3


def test_a_seed_that_was_not_trained_is_refused():
    job = trained(QUERY)
    with pytest.raises(ValueError, match="number must be from 0 to 1, got 2"):
        decision_map(job.params, job.state(), "in-situ", 2)


@pytest.mark.parametrize("machine", ["hardware", "model"])
def test_a_picture_shows_settings_errors_and_light(machine):
    point = np.array([0.4, -0.2])
    job, state = trained(QUERY), trained(QUERY).state()
    params = job.params.model_copy(update={"input_x": 0.4, "input_y": -0.2})
    place = Place(trainer="physics-aware", number=1, machine=machine)
    pictures = mesh_pictures(params, state, place)
    matrices = dense_layers(state, "physics-aware", 1, machine)
    for layer, picture in enumerate(pictures):
        assert list(picture.top) == places(4)
        assert list(picture.column) == [0, 0, 1, 2, 2, 3]
        assert picture.power.shape == (5, 4)
        assert picture.power.sum(axis=1) == pytest.approx(np.ones(5))
        assert picture.power[-1] == pytest.approx(powers(matrices[: layer + 1], point))
        phases = np.concatenate([picture.phi_rad, picture.theta_rad, picture.output_rad])
        errors = [picture.phi_error_rad, picture.theta_error_rad, picture.output_error_rad]
        assert phases == pytest.approx(state.phases[TRAINERS.index("physics-aware"), 1, layer])
        on_device = machine == "hardware"
        expected = state.device["phase_error"][1, layer] if on_device else np.zeros(16)
        assert np.concatenate(errors) == pytest.approx(expected)
        arms = state.device["splitter_error"][1, layer] if on_device else np.zeros((6, 2))
        assert picture.splitter_error_rad == pytest.approx(arms)


def test_errors_of_a_picture_include_crosstalk():
    job = trained("crosstalk=0.1&phase_error_rad=0&seeds=1&splitter_error_rad=0&steps=1")
    picture = mesh_pictures(job.params, job.state(), Place(trainer="in-silico"))[0]
    alone = [2, 5]  # MZIs without another one in their column
    assert picture.phi_error_rad[alone] == pytest.approx(0.1 * picture.theta_rad[alone])


def test_a_state_is_plain_arrays():
    state = trained(QUERY).state()
    assert state.phases.shape == (4, 2, 2, 16)
    assert state.device["phase_error"].shape == (2, 2, 16)
    assert state.device["splitter_error"].shape == (2, 2, 6, 2)
    parts = [state.phases, state.hardware_accuracy, state.model_accuracy, *state.device.values()]
    assert all(part.dtype == float and part.flags.c_contiguous for part in parts)
    assert isinstance(trained(QUERY).params, TrainersParams)

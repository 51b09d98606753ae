"""What a trained stack does when its masks lie elsewhere than planned."""

import numpy as np
import pytest

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.hardware import Imperfections, Run
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.stack import Geometry
from foptrn_model.photonics.training import Training
from foptrn_model.trainers import TrainersJob
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_places import Place, stack_at
from foptrn_model.trainers_presets import TRAINERS_PRESETS
from foptrn_model.trainers_simulation import TRAINERS_SIMULATION, evaluate, training_params
from foptrn_model.trainers_stack_views import pooled, stack_picture
from foptrn_model.trainers_views import decision_map, readings

PRESETS = {preset.name: preset.query for preset in TRAINERS_PRESETS}
FIRST_STEPS = 25


def stored(name):
    """A preset's stored result and series."""
    params = TrainersParams.from_query(PRESETS[name])
    outcomes = {
        part: TRAINERS_SIMULATION.stored(part, found.query(params))
        for part, found in TRAINERS_SIMULATION.parts.items()
    }
    assert None not in outcomes.values()
    return params, *evaluate(params, outcomes)


def test_a_shift_of_two_pixels_ruins_a_design_and_training_in_situ_recovers_it():
    """One seed at a third of the steps."""
    setup = Setup(
        task="digits", ports=4, layers=1, steps=100, batch=32, learning_rate=0.05, seed=0,
        trainers=("in-silico", "in-situ"), stack=Geometry(pixels=32, masks=3, spacing_m=2e-3),
    )  # fmt: skip
    wrong = Imperfections(shift_px=2.0, readout_noise=0.01)
    training = Training(setup, [Run(number=0, imperfections=wrong)])
    for _ in training.advance():
        pass
    state = training.state()
    (silico,), (situ,) = state.hardware_accuracy
    promised = float(state.model_accuracy[0, 0])
    assert promised >= 0.85
    assert silico <= 0.6
    assert situ - silico >= (promised - silico) / 2
    cosine = training.curves().cosine[-1, :, 0]
    assert cosine[1] > 0.8 > 0.4 > cosine[0]


def test_the_stored_stack_reads_nine_of_ten_digits_and_none_when_shifted():
    """The same at full size, of the outcomes that the page opens on."""
    _, result, _ = stored("stack")
    assert result.trainers["in-silico"].hardware_accuracy.mean >= 0.9
    _, shifted, _ = stored("stack-two-pixels")
    silico, situ = (shifted.trainers[name] for name in ("in-silico", "in-situ"))
    promised, left = silico.model_accuracy.mean, silico.hardware_accuracy.mean
    assert promised >= 0.9
    assert left <= 0.6
    assert situ.hardware_accuracy.mean - left >= (promised - left) / 2


def test_measured_light_helps_while_the_models_slopes_still_lead_down():
    _, result, _ = stored("stack-half-pixel")
    reached = {name: part.hardware_accuracy.mean for name, part in result.trainers.items()}
    assert reached["in-situ"] > reached["physics-aware"] > reached["in-silico"] + 0.1


@pytest.mark.parametrize("name", ["stack-half-pixel"])
def test_the_first_steps_of_a_stored_stack_are_computed_again(name):
    """To single precision, whose rounding differs from machine to machine."""
    params = training_params(TrainersParams.from_query(PRESETS[name]))
    kept = TRAINERS_SIMULATION.stored("train", params.to_query())["result"]
    job = TrainersJob(params)
    for done in job.advance():
        if done >= FIRST_STEPS:
            break
    again = job.result()
    count = len(again.steps)
    assert count == 2
    for trainer, found in kept["trainers"].items():
        here = again.trainers[trainer]
        assert here.loss.median == pytest.approx(found["loss"]["median"][:count], rel=2e-3)
        assert here.accuracy.median == pytest.approx(found["accuracy"]["median"][:count], abs=0.01)


def test_a_stored_network_classifies_as_it_did():
    """Phases are stored to a thousandth of a radian: no sample in a hundred cares."""
    params, _, series = stored("stack")
    seen = readings(params, series.state, "in-situ")
    assert seen.label == params.digit
    assert 0 < seen.hardware.sum() < 1
    assert np.argmax(seen.hardware) == np.argmax(seen.model) == params.digit


def test_light_that_is_drawn_is_the_light_that_is_read():
    params, _, series = stored("stack-two-pixels")
    picture = stack_picture(params, series.state, Place(trainer="in-silico"))
    seen = readings(params, series.state, "in-silico")
    for planes, read in ((picture.hardware, seen.hardware), (picture.model, seen.model)):
        assert planes[0].sum() == pytest.approx(1, abs=1e-5)
        assert (np.diff(planes.sum(axis=(1, 2))) < 1e-6).all()  # light is lost, never made
        assert (picture.covered * planes[-1]).sum(axis=(1, 2)) == pytest.approx(read, abs=1e-6)
    assert np.hypot(*picture.shift_px.T) == pytest.approx(np.full(3, 2.0), abs=2e-3)
    assert picture.set_rad.min() >= 0
    assert picture.set_rad.max() <= 2 * np.pi


@pytest.mark.parametrize("side", [4, 5])
def test_pooling_keeps_all_light(side):
    powers = np.random.default_rng(0).random((3, side, side))
    assert pooled(powers).shape == (3, (side + 1) // 2, (side + 1) // 2)
    assert pooled(powers).sum(axis=(1, 2)) == pytest.approx(powers.sum(axis=(1, 2)))


def test_a_stack_has_a_map_of_points_and_a_mesh_no_stack():
    params = TrainersParams.from_query("batch=4&plant=diffractive&seeds=1&steps=2&task=rings")
    job = TrainersJob(params)
    for _ in job.advance():
        pass
    shown = decision_map(params, job.state(), TRAINERS[0], resolution=5)
    assert shown.hardware.shape == (5, 5)
    assert ((shown.hardware > 0) & (shown.hardware < 1)).all()
    assert (shown.points**2).sum(axis=0) == pytest.approx(
        (shown.points**2).sum(axis=0).clip(0, 1.6)
    )
    mesh = params.model_copy(update={"plant": "mesh"})
    with pytest.raises(ValueError, match="plant must be diffractive"):
        stack_at(mesh, job.state(), Place(trainer="in-situ"))

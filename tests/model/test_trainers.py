"""What four trainers reach: identical steps, published orderings, reproducible numbers."""

from dataclasses import FrozenInstanceError, asdict, replace

import numpy as np
import orjson
import pytest

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.hardware import PERFECT, Imperfections, Run
from foptrn_model.photonics.optimizer import Adam
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.toy import chain_gap
from foptrn_model.photonics.training import Training, evaluation_steps
from foptrn_model.trainers import TrainersJob, compute_trainers
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_views import sweep
from tests.model.trained import on_the_model, phase_error_sweep, reached, trained

SMALL = Setup(task="moons", ports=4, layers=2, steps=12, batch=16, learning_rate=0.05, seed=3)
WRONG = Imperfections(
    phase_error_rad=0.3, splitter_error_rad=0.02, readout_noise=0.02, drift_rad=0.01,
    crosstalk=0.05, adc_bits=7, readout_offset=0.02, gradient_offset=0.01,
)  # fmt: skip


def after(setup, runs):
    training = Training(setup, runs)
    for _ in training.advance():
        pass
    return training.curves(), training.state()


def seeds(count, imperfections=WRONG):
    return [Run(number=n, imperfections=imperfections) for n in range(count)]


# What the result is ------------------------------------------------------------


def test_result_has_the_specified_names():
    result = asdict(trained("seeds=3&steps=7").result())
    assert set(result["trainers"]) == {
        "in-silico", "in-situ", "physics-aware", "feedback-alignment"
    }  # fmt: skip
    for trainer in result["trainers"].values():
        assert set(trainer) == {
            "hardware_accuracy", "model_accuracy", "reality_gap", "gradient_cosine", "loss",
            "accuracy",
        }  # fmt: skip
        for name in ("hardware_accuracy", "model_accuracy"):
            assert set(trainer[name]) == {"mean", "median", "q1", "q3"}
        for name in ("loss", "accuracy"):
            assert set(trainer[name]) == {"median", "q1", "q3"}
            assert all(len(values) == 8 for values in trainer[name].values())
        assert len(trainer["gradient_cosine"]) == 8
    assert result["steps"] == tuple(range(8))
    assert orjson.loads(orjson.dumps(result))["steps"] == list(range(8))


def test_results_are_frozen():
    result = trained("seeds=3&steps=7").result()
    silico = result.trainers["in-silico"]
    for part in (result, silico, silico.loss, silico.hardware_accuracy):
        with pytest.raises(FrozenInstanceError):
            part.mean = 0


def test_summaries_are_those_of_the_seeds():
    job = trained("seeds=3&steps=7")
    result, state, curves = job.result(), job.state(), job.curves()
    for place, name in enumerate(TRAINERS):
        found, seen = result.trainers[name], state.hardware_accuracy[place]
        low, middle, high = sorted(seen)
        assert found.hardware_accuracy.median == middle
        assert found.hardware_accuracy.mean == pytest.approx(sum(seen) / 3)
        assert found.hardware_accuracy.q1 == pytest.approx((low + middle) / 2)
        assert found.hardware_accuracy.q3 == pytest.approx((middle + high) / 2)
        assert found.reality_gap == pytest.approx(
            found.model_accuracy.mean - found.hardware_accuracy.mean
        )
        assert found.accuracy.median[-1] == middle
        assert found.gradient_cosine[0] == sorted(curves.cosine[0, place])[1]
        assert found.loss.median[3] == sorted(curves.loss[3, place])[1]


@pytest.mark.parametrize(("steps", "count"), [(1, 2), (7, 8), (40, 41), (41, 41), (5000, 41)])
def test_evaluations_span_the_training(steps, count):
    found = evaluation_steps(replace(SMALL, steps=steps))
    assert (found[0], found[-1], len(found)) == (0, steps, count)
    assert np.diff(found).min() >= 1
    assert np.ptp(np.diff(found)) <= 1


def test_training_lowers_the_loss_where_each_trainer_sees_it():
    result = trained().result()
    for name in TRAINERS:
        loss = result.trainers[name].loss
        assert loss.median[-1] < 0.5 * loss.median[0]
        assert all(np.array(loss.q1) <= loss.median)
        assert all(np.array(loss.median) <= loss.q3)


def test_adam_is_the_published_optimizer():
    values, rng = np.array([1.0, -2.0]), np.random.default_rng(0)
    optimizer, gradients = Adam(values, 0.05), rng.normal(size=(5, 2))
    expected = np.array([1.0, -2.0])
    for t in range(1, 6):
        # Moments as weighted sums of all gradients so far, bias corrected.
        ages = np.arange(t)[::-1, None]
        mean = (0.9**ages * gradients[:t]).sum(axis=0) / (0.9**ages).sum(axis=0)
        square = (0.99**ages * gradients[:t] ** 2).sum(axis=0) / (0.99**ages).sum(axis=0)
        expected -= 0.05 * mean / (np.sqrt(square) + 1e-6)
        optimizer.update(gradients[t - 1])
        assert values == pytest.approx(expected, rel=1e-12)


# Reproducible ------------------------------------------------------------------


def test_seeds_alone_are_the_same_as_together():
    curves, state = after(SMALL, seeds(5))
    for run in seeds(5):
        alone_curves, alone = after(SMALL, [run])
        assert np.array_equal(alone.phases[:, 0], state.phases[:, run.number])
        assert np.array_equal(
            alone.device["phase_error"][0], state.device["phase_error"][run.number]
        )
        for name in ("hardware_accuracy", "model_accuracy"):
            assert np.array_equal(getattr(alone, name)[:, 0], getattr(state, name)[:, run.number])
        for name in ("loss", "accuracy", "cosine"):
            assert np.array_equal(
                getattr(alone_curves, name)[..., 0], getattr(curves, name)[..., run.number]
            )


def test_cohorts_change_nothing(monkeypatch):
    curves, state = after(SMALL, seeds(5))
    monkeypatch.setattr("foptrn_model.photonics.mesh_training.COHORT_VALUES", 1 << 14)
    split_curves, split = after(SMALL, seeds(5))
    assert np.array_equal(split.phases, state.phases)
    assert np.array_equal(split.device["splitter_error"], state.device["splitter_error"])
    assert np.array_equal(split_curves.accuracy, curves.accuracy)


@pytest.mark.parametrize("only", [("in-situ",), ("feedback-alignment", "in-silico")])
def test_trainers_alone_are_the_same_as_together(only):
    _, state = after(SMALL, seeds(2))
    _, alone = after(replace(SMALL, trainers=only), seeds(2))
    for place, name in enumerate(only):
        assert np.array_equal(alone.phases[place], state.phases[TRAINERS.index(name)])
        assert np.array_equal(
            alone.hardware_accuracy[place], state.hardware_accuracy[TRAINERS.index(name)]
        )


def test_another_seed_is_another_result():
    first = compute_trainers(TrainersParams(steps=3, seeds=2))
    assert first == compute_trainers(TrainersParams(steps=3, seeds=2))
    assert first != compute_trainers(TrainersParams(steps=3, seeds=2, seed=1))


def test_progress_is_told_and_may_stop_the_computation():
    told = []
    params = TrainersParams(steps=50, seeds=1)
    compute_trainers(params, lambda step, of: told.append((step, of)))
    assert told == [(step, 50) for step in evaluation_steps(replace(SMALL, steps=50))]

    def stop(step, of):
        if step > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compute_trainers(params, stop)


def test_a_stopped_job_has_the_result_so_far():
    job = TrainersJob(TrainersParams(steps=50, seeds=2))
    advance = job.advance()
    while next(advance) < 20:
        pass
    partial = job.result()
    assert partial.steps[-1] == 20
    for _ in advance:
        pass
    whole = job.result()
    assert whole.steps[-1] == 50
    for name in TRAINERS:
        count = len(partial.steps)
        assert partial.trainers[name].loss.median == whole.trainers[name].loss.median[:count]


# Where nothing is wrong --------------------------------------------------------


def test_without_imperfections_three_trainers_take_identical_steps():
    setup = replace(SMALL, steps=100, layers=3, batch=64)
    curves, state = after(setup, seeds(4, PERFECT))
    silico, situ, aware, aligned = state.phases
    assert np.abs(situ - silico).max() < 1e-9
    assert np.abs(aware - silico).max() < 1e-9
    assert np.abs(aligned - silico).max() > 0.1
    assert np.array_equal(state.hardware_accuracy, state.model_accuracy)
    assert curves.cosine[:, :3] == pytest.approx(1)


# The specified tables and orderings ----------------------------------------------


@pytest.mark.parametrize("task", ["rings", "moons"])
def test_training_on_the_hardware_survives_what_training_on_the_model_does_not(task):
    swept = phase_error_sweep(task)
    mean = {name: [part.mean for part in swept.hardware_accuracy[name]] for name in TRAINERS}
    silico, situ = np.array(mean["in-silico"]), np.array(mean["in-situ"])
    assert situ.min() >= 0.95
    assert (np.diff(silico) < 0).all()
    assert silico[-1] <= situ[-1] - 0.25
    for name in ("physics-aware", "feedback-alignment"):
        # Between the two where the gap is wide; where it is narrow all are alike.
        for value, low, high in zip(mean[name][2:], silico[2:], situ[2:], strict=True):
            assert low < value < high + 0.01
        assert mean[name][0] > 0.88
    for part in swept.model_accuracy["in-silico"]:
        assert part.mean > 0.95  # the model never notices


def test_zero_mean_noise_barely_hurts_training_and_a_bias_hurts_deployment_most():
    clean, noisy, biased = reached(), reached(readout_noise=0.1), reached(readout_offset=0.1)
    # Tested without noise, what was trained through noise is nearly as good.
    learned = on_the_model(readout_noise=0.1)
    for name in ("in-situ", "physics-aware", "feedback-alignment"):
        assert learned[name] > clean[name] - 0.05
    lost = {name: clean[name] - biased[name] for name in TRAINERS}
    assert max(lost, key=lost.get) == "in-silico"
    assert lost["in-silico"] > 0.1
    for name in ("in-situ", "physics-aware", "feedback-alignment"):
        assert lost[name] < 0.03
        assert biased[name] > noisy[name]
    assert biased["in-silico"] < noisy["in-silico"]


def test_a_biased_gradient_hurts_those_who_measure_it():
    clean, biased = reached(), reached(gradient_offset=0.1)
    for name in ("in-silico", "physics-aware"):
        assert biased[name] == clean[name]
    for name in ("in-situ", "feedback-alignment"):
        assert biased[name] < clean[name] - 0.08


def test_measuring_follows_drift():
    kept = reached(drift_rad=0.03)
    assert kept["in-situ"] > 0.9
    assert kept["in-silico"] < 0.75
    assert kept["in-silico"] < kept["physics-aware"] < kept["in-situ"]
    assert kept["in-silico"] < kept["feedback-alignment"]


def test_feedback_alignment_starts_at_random_and_aligns():
    curves = trained().curves()
    cosine = curves.cosine[:, TRAINERS.index("feedback-alignment")]
    start, end = cosine[0], cosine[-8:].mean(axis=0)
    assert 1 < (start > 0).sum() < 7
    assert abs(start.mean()) < 0.3
    assert (end > 0).all()
    assert np.median(end) > np.median(start) + 0.2


def test_in_situ_gradients_stay_true_and_the_models_do_not():
    result = trained().result()
    cosine = {name: np.array(result.trainers[name].gradient_cosine) for name in TRAINERS}
    assert cosine["in-situ"].min() > 0.95
    assert cosine["in-silico"].mean() < cosine["physics-aware"].mean() < cosine["in-situ"].mean()


@pytest.mark.parametrize(
    ("links", "output", "gradient"), [(1, 0.5, 0.5), (5, 3.092, 2.525), (20, 33.064, 10.490)]
)
def test_errors_of_slopes_multiply_where_errors_of_inputs_compound(links, output, gradient):
    gap = chain_gap(links)
    assert 100 * gap.output == pytest.approx(output, abs=0.0005)
    assert 100 * gap.gradient == pytest.approx(gradient, abs=0.0005)


def test_digits_are_learned_from_their_lowest_frequencies():
    result = trained("learning_rate=0.1&phase_error_rad=0.1&seeds=2&steps=80&task=digits").result()
    reached = {name: part.hardware_accuracy.mean for name, part in result.trainers.items()}
    assert reached["in-situ"] > 0.65
    assert reached["in-silico"] < reached["in-situ"] - 0.15
    assert len(trained("seeds=1&steps=1&task=digits").state().phases[0, 0, 0]) == 256


# Sweeps --------------------------------------------------------------------------


def test_a_sweep_is_the_same_as_its_states_one_by_one():
    params = TrainersParams(steps=10, seeds=2)
    swept = sweep(params, "drift_rad", [0, 0.05])
    for place, drift in enumerate((0, 0.05)):
        alone = compute_trainers(TrainersParams(steps=10, seeds=2, drift_rad=float(drift)))
        for name in TRAINERS:
            assert swept.hardware_accuracy[name][place] == alone.trainers[name].hardware_accuracy
            assert swept.model_accuracy[name][place] == alone.trainers[name].model_accuracy


def test_only_imperfections_are_swept_and_within_bounds():
    with pytest.raises(ValueError, match=r"field must be one of phase_error_rad, .*, got steps"):
        sweep(TrainersParams(), "steps", [1, 2])
    with pytest.raises(ValueError, match=r"drift_rad must be a number from 0 to 0\.1, got 0\.2"):
        sweep(TrainersParams(), "drift_rad", [0, 0.2])

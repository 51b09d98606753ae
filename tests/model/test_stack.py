"""A stack of masks: its gradient, what each trainer reads of it, and what is wrong with it."""

from dataclasses import replace

import numpy as np
import pytest

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.hardware import PERFECT, Imperfections, Run
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.stack import Geometry, StackDevice, detectors, illuminate
from foptrn_model.photonics.stack_passes import Stack, exact_gradient, hologram
from foptrn_model.photonics.stack_training import StackCohort
from foptrn_model.photonics.streams import generator
from foptrn_model.photonics.tasks import digit_images, stack_task

SMALL = Setup(
    task="digits", ports=4, layers=1, steps=4, batch=6, learning_rate=0.05, seed=1,
    stack=Geometry(pixels=28, masks=2, spacing_m=2e-3),
)  # fmt: skip
WRONG = Imperfections(
    phase_error_rad=0.4, shift_px=1.3, distance_error=0.1, crosstalk=0.3, readout_gain_error=0.2,
    readout_offset=-0.1, readout_saturation=0.5,
)  # fmt: skip


def cohort_of(wrong=PERFECT, trainers=TRAINERS, setup=SMALL, seed=3):
    """One device in double precision, its masks set at random."""
    cohort = StackCohort(
        replace(setup, trainers=tuple(trainers)), Run(number=2, imperfections=wrong), np.complex128
    )
    side, masks = setup.stack.pixels, setup.stack.masks
    start = np.random.default_rng(seed).uniform(0, 2 * np.pi, (masks, side, side))
    cohort.phases[:] = start
    return cohort


@pytest.mark.parametrize("task", ["digits", "moons"])
@pytest.mark.parametrize("wrong", [PERFECT, WRONG], ids=["ideal", "wrong"])
def test_the_exact_gradient_is_that_of_central_differences(wrong, task):
    cohort = cohort_of(wrong, setup=replace(SMALL, task=task))
    _, _, batch = cohort._measure()
    stack, phases = Stack(cohort.device, np.complex128), cohort.phases[0]
    _, found = exact_gradient(stack, cohort.seen, phases, batch.fields, batch.labels)
    step, rng = 1e-5, np.random.default_rng(0)
    biggest = np.abs(found).max()
    for _ in range(12):
        place = tuple(rng.integers(0, size) for size in phases.shape)
        if np.mod(phases[place], 2 * np.pi) < 1e-3:
            continue  # a pixel that shows a whole turn jumps back to none
        losses = []
        for sign in (1, -1):
            moved = phases.copy()
            moved[place] += sign * step
            losses.append(exact_gradient(stack, cohort.seen, moved, batch.fields, batch.labels)[0])
        slope = (losses[0] - losses[1]) / (2 * step)
        assert found[place] == pytest.approx(slope, abs=1e-6 * biggest, rel=1e-5)


def test_in_situ_measures_the_hardwares_own_gradient():
    wrong = replace(WRONG, readout_gain_error=0.0, readout_offset=0.0, readout_saturation=0.0)
    cohort = cohort_of(wrong, ("in-situ",))
    _, gradient, batch = cohort._measure()
    stack = Stack(cohort.device, np.complex128)
    _, true = exact_gradient(stack, cohort.seen, cohort.phases[0], batch.fields, batch.labels)
    assert np.abs(gradient[0] - true).max() < 1e-10 * np.abs(true).max()


def test_in_situ_never_asks_the_model():
    cohort = cohort_of(Imperfections(shift_px=1.0, readout_noise=0.01), ("in-situ",))
    cohort._model = None
    before = cohort.phases.copy()
    cohort.step()
    assert np.abs(cohort.phases - before).max() > 0
    with pytest.raises(AttributeError):
        cohort.model_accuracy()


def test_holograms_give_back_the_field():
    rng = np.random.default_rng(5)
    field = rng.normal(size=(3, 8, 8)) + 1j * rng.normal(size=(3, 8, 8))
    assert hologram(1e-4 * field) == pytest.approx(1e-4 * field, rel=1e-10)
    assert not hologram(0 * field).any()


def test_with_nothing_wrong_three_trainers_take_the_same_steps():
    cohort = cohort_of()
    for _ in range(4):
        cohort.step()
    silico, situ, aware, aligned = cohort.phases
    for other in (situ, aware):
        assert np.abs(other - silico).max() < 1e-9
    assert np.abs(aligned[:-1] - silico[:-1]).max() > 1e-3
    # Only the last mask's first step is the same: it gets the true error.
    fresh = cohort_of()
    _, gradient, _ = fresh._measure()
    assert np.abs(gradient[3, -1] - gradient[0, -1]).max() < 1e-9 * np.abs(gradient[0]).max()


def test_a_batch_in_pieces_is_the_batch(monkeypatch):
    whole, pieces = cohort_of(WRONG), cohort_of(WRONG)
    expected = whole._measure()[:2]
    monkeypatch.setattr("foptrn_model.photonics.stack_passes.TOGETHER", 4)
    found = pieces._measure()[:2]
    assert found[0] == pytest.approx(expected[0], rel=1e-12)
    assert np.abs(found[1] - expected[1]).max() < 1e-12 * np.abs(expected[1]).max()
    stack = Stack(whole.device, np.complex128)
    batch = whole._measure()[2]
    in_two = exact_gradient(stack, whole.seen, whole.phases[0], batch.fields, batch.labels)
    monkeypatch.undo()
    at_once = exact_gradient(stack, whole.seen, whole.phases[0], batch.fields, batch.labels)
    assert in_two[0] == pytest.approx(at_once[0], rel=1e-12)
    assert np.abs(in_two[1] - at_once[1]).max() < 1e-12 * np.abs(at_once[1]).max()


def test_single_precision_says_the_same_to_six_digits():
    double = cohort_of(WRONG)
    single = StackCohort(double.setup, double.runs[0])
    single.phases[:] = double.phases
    (losses, gradient, _), (losses32, gradient32, _) = double._measure(), single._measure()
    assert losses32 == pytest.approx(losses, rel=1e-5)
    assert np.abs(gradient32 - gradient).max() < 1e-4 * np.abs(gradient).max()


@pytest.mark.parametrize("trainer", ["in-situ", "physics-aware"])
def test_noise_of_holograms_is_as_large_as_its_samples_say(trainer):
    """Against noise added to every sample's field: the slow way to the same spread."""
    sigma, repeats = 0.3, 300
    cohort = cohort_of(Imperfections(readout_noise=sigma), (trainer,))
    place, side = 0, SMALL.stack.pixels
    cohort._streams.pop("forward")  # of the detectors, another matter
    stack = cohort._hardware
    _, _, batch = cohort._measure()
    masks = stack.masks(cohort.phases[0])
    behind, arriving = stack.forward(masks, batch.fields)
    reading = cohort.seen.read(arriving, stack.device)
    _, slope = cohort.seen.loss(reading, batch.labels)
    error = stack.back(cohort.seen.error(arriving, slope), 2)
    error = stack.back(error * masks[1], 1)
    rng = np.random.default_rng(8)

    def noisy(field, weight):
        drawn = rng.normal(size=(2, *field.shape)) / np.sqrt(2)
        return field + sigma / side * weight * (drawn[0] + 1j * drawn[1])

    whole = np.sqrt((np.abs(error) ** 2).sum(axis=(1, 2), keepdims=True))
    slow = []
    for _ in range(repeats):
        at_mask = noisy(error, whole) if trainer == "in-situ" else error
        slow.append(-(at_mask * noisy(behind[place], 1.0)).sum(axis=0).imag)
    expected = np.sqrt(np.var(slow, axis=0).mean())
    modelled = cohort._speckle_variance(error, behind[place], measured_back=trainer == "in-situ")
    assert np.sqrt(modelled.mean()) == pytest.approx(expected, rel=0.05)


def test_a_device_follows_its_imperfections():
    geometry = SMALL.stack
    small = StackDevice.draw(geometry, 4, Run(number=1, imperfections=Imperfections(shift_px=0.5)))
    large = StackDevice.draw(geometry, 4, Run(number=1, imperfections=Imperfections(shift_px=2.0)))
    assert np.hypot(*large.shift_px.T) == pytest.approx([2, 2])
    assert large.shift_px == pytest.approx(4 * small.shift_px)
    assert not large.phase_error.any()
    deeper = StackDevice.draw(
        replace(geometry, masks=3), 4, Run(number=1, imperfections=Imperfections(shift_px=2.0))
    )
    assert deeper.shift_px[:2] == pytest.approx(large.shift_px)
    wild = StackDevice.draw(
        geometry, 4, Run(number=1, imperfections=Imperfections(distance_error=0.5))
    )
    assert (1 + wild.distance_error > 0).all()


def test_a_common_shift_of_all_masks_moves_their_picture():
    """Masks displaced by whole pixels are masks whose pixels are rolled that way."""
    geometry = Geometry(pixels=28, masks=2, spacing_m=2e-3)
    phases = np.zeros((2, 28, 28))
    phases[:, 8:20, 8:20] = np.random.default_rng(1).uniform(0, 3, (2, 12, 12))
    field = illuminate(digit_images()[0][:, :1], 28)
    field = np.pad(field[:, 6:-6, 6:-6], ((0, 0), (6, 6), (6, 6)))
    ideal = StackDevice.ideal(geometry)
    shifted = StackDevice.ideal(geometry)
    shifted.shift_px = np.array([[2.0, -3.0]] * 2)
    ours = Stack(shifted, np.complex128)
    rolled = Stack(ideal, np.complex128)
    _, here = ours.forward(ours.masks(phases), field)
    moved = np.roll(phases, (2, -3), axis=(1, 2))
    _, there = rolled.forward(rolled.masks(moved), field)
    lost = np.square(np.abs(here - there)).sum() / np.square(np.abs(there)).sum()
    assert lost < 0.02  # but for what leaves the aperture on another side


def test_crosstalk_is_symmetric_and_keeps_a_flat_mask():
    device = StackDevice.ideal(SMALL.stack)
    device._crosstalk = 0.4
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 2, 28, 28))
    assert (device.spread(a) * b).sum() == pytest.approx((a * device.spread(b)).sum())
    assert device.spread(np.ones((2, 28, 28))) == pytest.approx(np.ones((2, 28, 28)))
    spike = np.zeros((2, 28, 28))
    spike[0, 9, 9] = 1
    spread = device.spread(spike)
    assert spread[0, 9, 9] == pytest.approx(0.6)
    assert spread[0, 8, 9] == pytest.approx(0.1)


@pytest.mark.parametrize("pixels", [28, 32, 45, 64])
@pytest.mark.parametrize("classes", [2, 10])
def test_detectors_lie_apart_within_the_plane(pixels, classes):
    covered = detectors(pixels, classes)
    assert covered.sum(axis=0).max() == 1
    sizes = covered.sum(axis=(1, 2))
    assert (sizes == sizes[0]).all()
    assert sizes[0] > 0


@pytest.mark.parametrize("pixels", [28, 32, 45, 64])
@pytest.mark.parametrize("task", ["digits", "rings"])
def test_inputs_keep_their_power_and_stay_inside(pixels, task):
    ports = stack_task(task).ports
    inputs = np.random.default_rng(0).normal(size=(ports, 3))
    lit = illuminate(inputs / np.linalg.norm(inputs, axis=0), pixels)
    assert (np.abs(lit) ** 2).sum(axis=(1, 2)) == pytest.approx(np.ones(3))
    assert lit.shape == (3, pixels, pixels)


def test_a_digit_lights_its_own_pixels():
    images, _ = digit_images()
    lit = illuminate(images[:, :1], 32)[0]
    seen = np.abs(lit[4:28, 4:28]).reshape(8, 3, 8, 3).sum(axis=(1, 3))
    assert seen.ravel() / np.linalg.norm(seen) == pytest.approx(images[:, 0])


def test_another_purpose_leaves_earlier_streams_as_they_were():
    """Stored outcomes stand on these numbers."""
    drawn = generator(0, 1, "drift").random()
    assert drawn == np.random.default_rng(np.random.SeedSequence(0, spawn_key=(1, 13))).random()

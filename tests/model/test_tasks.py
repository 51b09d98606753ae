"""Tasks: unit power, disjoint sets, the shapes that their names promise."""

import numpy as np
import pytest

from foptrn_model.photonics.tasks import (
    Sampler,
    digit_fields,
    encode_points,
    make_task,
    plane_points,
)


def sampler(name="moons", ports=4, batch=64, numbers=(0, 1, 2), seed=0):
    return Sampler(make_task(name, ports), batch, seed, list(numbers))


@pytest.mark.parametrize(
    ("name", "ports"), [("rings", 4), ("moons", 5), ("moons", 64), ("digits", 10), ("digits", 64)]
)
def test_every_input_has_unit_power(name, ports):
    source = sampler(name, ports)
    wide = 2 * ports if name == "digits" else ports
    for samples, count in ((source.batch(), 64), (source.test, 500)):
        assert samples.fields.shape == (3, wide, count)
        assert samples.labels.shape == (3, count)
        assert (samples.fields**2).sum(axis=1) == pytest.approx(np.ones((3, count)))


def test_points_stand_on_the_first_two_ports_and_padding_on_the_others():
    points = np.array([[0.3, -0.8, 3.0], [0.4, 0.1, 4.0]])
    fields = encode_points(points, 6)
    assert fields[:2, :2] == pytest.approx(points[:, :2] / np.sqrt(2))
    assert fields[2:, 0] == pytest.approx(np.sqrt((2 - 0.25) / 4 / 2))
    assert fields[:, 2] == pytest.approx([0.6, 0.8, 0, 0, 0, 0])  # too far out for padding


def exact_points(name):
    uniform = np.random.default_rng(0).random((2, 4000))
    return plane_points(name, uniform, np.zeros((2, 4000)))


def test_rings_have_two_radii():
    points, labels = exact_points("rings")
    radius = np.hypot(*points)
    assert radius[labels == 0] == pytest.approx(0.35)
    assert radius[labels == 1] == pytest.approx(0.85)
    assert labels.mean() == pytest.approx(0.5, abs=0.04)
    assert np.abs(points.mean(axis=1)).max() < 0.04


def test_moons_are_two_half_circles_that_interlock():
    points, labels = exact_points("moons")
    for label, centre, sign in ((0, (0, 0), 1), (1, (0.6, 0.3), -1)):
        x, y = points[:, labels == label] - np.array(centre)[:, None]
        assert np.hypot(x, y) == pytest.approx(0.6)
        assert (sign * y >= -1e-12).all()
    assert labels.mean() == pytest.approx(0.5, abs=0.04)


def test_noise_is_added_to_each_coordinate():
    uniform = np.random.default_rng(0).random((2, 50))
    normal = np.random.default_rng(1).normal(size=(2, 50))
    moved = (
        plane_points("rings", uniform, normal)[0] - plane_points("rings", uniform, 0 * normal)[0]
    )
    assert moved == pytest.approx(0.08 * normal)


@pytest.mark.parametrize("ports", [4, 5, 9])
def test_scores_are_powers_of_the_halves(ports):
    task = make_task("moons", ports)
    assert task.scale == 8
    assert task.groups.sum(axis=0) == pytest.approx(np.ones(ports))
    assert task.groups.sum(axis=1) == pytest.approx([ports // 2, ports - ports // 2])


def test_digits_have_a_port_per_class():
    task = make_task("digits", 16)
    assert (task.classes, task.scale) == (10, 30)
    assert np.array_equal(task.groups[:, :10], np.eye(10))
    assert not task.groups[:, 10:].any()


@pytest.mark.parametrize(("name", "ports", "least"), [("digits", 9, 10), ("moons", 2, 3)])
def test_too_few_ports_are_refused(name, ports, least):
    with pytest.raises(ValueError, match=f"ports must be at least {least} for {name}, got {ports}"):
        make_task(name, ports)


def test_digit_fields_are_the_lowest_frequencies_of_the_image():
    from sklearn.datasets import load_digits

    images = load_digits().images
    fields, labels = digit_fields(16)
    assert fields.shape == (32, 1797)
    assert np.array_equal(labels, load_digits().target)
    y, x = np.mgrid[:8, :8]
    # Every frequency (fy, fx) of radius at most 2, of each conjugate pair the one listed.
    wanted = [(0, 0), (0, 1), (1, 0), (1, 1), (-1, 1), (0, 2), (2, 0)]
    for image, column in ((images[5], fields[:, 5]), (images[99], fields[:, 99])):
        light = column[:16] + 1j * column[16:]
        terms = [(image * np.exp(-2j * np.pi * (fy * y + fx * x) / 8)).sum() for fy, fx in wanted]
        size = light[0].real / terms[0].real
        for term in terms:
            assert np.abs(light - size * term).min() < 1e-12
        assert np.allclose(sorted(np.abs(light[:7])), sorted(np.abs(terms) * size))


def test_all_64_coefficients_come_once():
    fields, _ = digit_fields(64)
    light = fields[:64] + 1j * fields[64:]
    assert len({tuple(row) for row in light[:, :40].round(12)}) == 64
    # 34 of an 8 x 8 image's coefficients say all there is: the other 30 are conjugates.
    for row in light[34:]:
        assert min(np.abs(row - other.conj()).max() for other in light[:34]) < 1e-12
    for place, row in enumerate(light[:34]):
        others = np.delete(light[:34], place, axis=0)
        assert min(np.abs(row - other.conj()).max() for other in others) > 1e-3


def test_digits_split_into_disjoint_sets_by_seed():
    source = sampler("digits", 10, batch=1024)
    test = [{tuple(field) for field in run.T} for run in source.test.fields]
    for _ in range(3):
        train = source.batch().fields
        for run, tested in zip(train, test, strict=True):
            assert not tested & {tuple(field) for field in run.T}
    assert test[0] != test[1]


def test_points_of_training_and_test_are_drawn_apart():
    source = sampler(batch=500)
    assert not np.isin(source.batch().fields[:, 0], source.test.fields[:, 0]).any()
    first, second = sampler(batch=8), sampler(batch=8)
    again = first.batch().fields.copy()
    assert np.array_equal(again, second.batch().fields)
    assert not np.isin(first.batch().fields[:, 0], again[:, 0]).any()


def test_a_seeds_samples_do_not_depend_on_the_others():
    for name, ports in (("moons", 4), ("digits", 10)):
        together, alone = sampler(name, ports), sampler(name, ports, numbers=(2,))
        for _ in range(40):
            a, b = together.batch(), alone.batch()
            assert np.array_equal(a.fields[2], b.fields[0])
            assert np.array_equal(a.labels[2], b.labels[0])
        assert np.array_equal(together.test.fields[2], alone.test.fields[0])

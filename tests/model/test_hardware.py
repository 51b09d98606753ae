"""Imperfect devices: streams that do not depend on company, errors of the stated size."""

import numpy as np
import pytest

from foptrn_model.photonics.hardware import (
    PERFECT,
    Devices,
    IdealModel,
    Imperfections,
    Readout,
    Run,
)
from foptrn_model.photonics.mesh import mesh_layout
from foptrn_model.photonics.streams import Stream, generator

LAYOUT = mesh_layout(4)


def devices(numbers=(0,), layout=LAYOUT, layers=1, seed=0, **imperfections):
    runs = [Run(number=n, imperfections=Imperfections(**imperfections)) for n in numbers]
    return Devices.draw(layout, layers, seed, runs)


def readout(**imperfections):
    return Readout([Run(number=0, imperfections=Imperfections(**imperfections))])


def items(numbers, scale, count=40, shape=(2, 3)):
    stream = Stream(5, numbers, "drift", shape, scale)
    return np.array([stream.take().copy() for _ in range(count)])


def test_a_seeds_numbers_do_not_depend_on_the_others():
    together = items([0, 1, 2], np.ones(3))
    assert np.array_equal(items([1], np.ones(1)), together[:, 1:2])
    assert np.array_equal(items([2, 0], np.ones(2)), together[:, [2, 0]])
    assert np.array_equal(items([0, 1, 0, 1], np.array([1, 1, 2, 3.0]))[:, 3], 3 * together[:, 1])
    assert len({tuple(row) for row in together.reshape(-1, 6)}) == 3 * 40


def test_a_streams_numbers_do_not_depend_on_how_many_are_drawn_at_once():
    few, many = items([0], np.ones(1), 40), items(list(range(4000)), np.ones(4000), 40)
    assert np.array_equal(few[:, 0], many[:, 0])
    direct = generator(5, 0, "drift").standard_normal((40, 2, 3))
    assert np.array_equal(few[:, 0], direct)


def test_purposes_and_run_seeds_have_streams_of_their_own():
    draws = [
        generator(seed, number, purpose).random()
        for seed in (0, 1)
        for number in (0, 1)
        for purpose in ("start", "drift", "test-normal")
    ]
    assert len(set(draws)) == len(draws)


def test_static_errors_have_the_stated_size_and_every_seed_its_own():
    many = devices(range(40), mesh_layout(8), 3, phase_error_rad=0.3, splitter_error_rad=0.02)
    assert many.phase_error.shape == (64, 3, 40)
    assert many.splitter_error.shape == (28, 2, 3, 40)
    # 7,680 and 6,720 draws: five standard errors of a standard deviation are 4.3 %.
    assert many.phase_error.std() == pytest.approx(0.3, rel=0.043)
    assert many.splitter_error.std() == pytest.approx(0.02, rel=0.043)
    assert many.phase_error[48:].std() == pytest.approx(0.3, rel=0.2)  # output phases too
    assert abs(np.corrcoef(many.phase_error.reshape(-1, 40).T) - np.eye(40)).max() < 0.4


def test_a_larger_error_is_the_same_device_made_worse():
    small, large = devices(phase_error_rad=0.1), devices(phase_error_rad=0.4)
    assert large.phase_error == pytest.approx(4 * small.phase_error)
    deeper = devices(layers=3, phase_error_rad=0.1)
    assert np.array_equal(deeper.phase_error[:, :1], small.phase_error)


def test_nothing_wrong_leaves_phases_and_fields_alone():
    phases = np.arange(16.0).reshape(16, 1, 1)
    for machine in (devices(), IdealModel(LAYOUT, 1, [Run(number=0, imperfections=PERFECT)])):
        assert np.array_equal(machine.actual(phases), phases)
        assert not machine.splitter_error.any()
        assert machine.readout.exact


def heated(source, layout=LAYOUT, fraction=0.1):
    """Phases that shifters have when only one is set, to 1 rad."""
    phases = np.zeros((layout.phases, 1, 1))
    phases[source] = 1
    return devices(layout=layout, crosstalk=fraction).actual(phases)[:, 0, 0]


def test_crosstalk_reaches_the_neighbours_only():
    # Four ports: MZIs 0 and 1 in column 0, 2 alone, 3 and 4, 5 alone; phi, theta, outputs.
    neighbours = {0: [1, 6], 2: [8], 7: [6, 1], 12: [13], 13: [12, 14], 15: [14]}
    for source, expected in neighbours.items():
        found = heated(source)
        assert found[source] == 1
        assert sorted(np.flatnonzero(found)) == sorted([source, *expected])
        assert found[expected] == pytest.approx(0.1)


def test_crosstalk_is_mutual():
    layout = mesh_layout(5)
    spread = np.array([heated(source, layout) for source in range(layout.phases)])
    assert np.array_equal(spread, spread.T)


def test_drift_moves_the_phase_errors():
    device = devices(layers=2, phase_error_rad=0.1)
    before = device.phase_error.copy()
    moves = np.random.default_rng(0).normal(size=(1, 2, 16))
    device.drift(moves)
    assert device.phase_error - before == pytest.approx(moves.transpose(2, 1, 0))


def test_a_converter_rounds_to_its_levels():
    amplitudes = np.linspace(0, 1.2, 500).reshape(1, 1, -1)
    read = readout(adc_bits=3).read(amplitudes)
    assert len(np.unique(read)) == 8
    assert read.max() == 1
    assert np.abs(read - amplitudes)[amplitudes <= 1].max() == pytest.approx(0.5 / 7, rel=0.02)


def test_a_receiver_adds_its_offset_to_the_field():
    fields = np.random.default_rng(1).normal(size=(1, 8, 5))
    received = readout(readout_gain_error=0.2, readout_offset=-0.1).receive(fields)
    before, after = (part[:, :4] + 1j * part[:, 4:] for part in (fields, received))
    assert after == pytest.approx(1.2 * before - 0.1)


def test_saturation_compresses_and_its_slope_is_its_derivative():
    receiver = readout(readout_saturation=0.5)
    amplitudes = np.linspace(0, 1, 20).reshape(1, 1, -1)
    read = receiver.read(amplitudes)
    assert read[..., -1] == pytest.approx(1 / 1.5)
    step = 1e-6
    slope = (receiver.read(amplitudes + step) - receiver.read(amplitudes - step)) / (2 * step)
    assert receiver.slope(amplitudes) == pytest.approx(slope)


def test_every_run_has_its_own_receiver():
    runs = [
        Run(number=0, imperfections=Imperfections(adc_bits=bits, readout_saturation=bend))
        for bits, bend in ((0, 0.0), (1, 0.0), (0, 1.0))
    ]
    read = Readout(runs).read(np.full((3, 1, 1), 0.7))
    assert read.ravel() == pytest.approx([0.7, 1, 0.7 / 1.7])

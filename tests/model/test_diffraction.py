"""Free space: identities of propagation, a slow oracle, a published limit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.photonics.diffraction import (
    PITCH_M,
    WAVELENGTH_M,
    grid_side,
    propagate,
    reversed_transfer,
    spread_px,
    transfer_function,
)

SIDE = 24
distances = st.floats(1e-4, 5e-3)


def some_field(side=SIDE, samples=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(samples, side, side)) + 1j * rng.normal(size=(samples, side, side))


def power(field):
    return (np.abs(field) ** 2).sum()


@given(first=distances, second=distances)
def test_distances_add(first, second):
    field = some_field()
    once = propagate(field, transfer_function(SIDE, first + second))
    twice = propagate(
        propagate(field, transfer_function(SIDE, first)), transfer_function(SIDE, second)
    )
    assert np.abs(twice - once).max() < 1e-10


@given(distance=distances)
def test_there_and_back_is_the_identity_and_power_is_kept(distance):
    field = some_field()
    there = propagate(field, transfer_function(SIDE, distance))
    assert power(there) == pytest.approx(power(field), rel=1e-10)
    back = propagate(there, transfer_function(SIDE, -distance))
    assert np.abs(back - field).max() < 1e-10


@given(distance=distances, down=st.floats(-3, 3), right=st.floats(-3, 3))
def test_light_sent_backward_takes_the_transposed_way(distance, down, right):
    transfer = transfer_function(SIDE + 9, distance, (down, right))
    field, error = some_field(seed=1), some_field(seed=2)
    forward = (error * propagate(field, transfer)).sum()
    backward = (propagate(error, reversed_transfer(transfer)) * field).sum()
    assert backward == pytest.approx(forward, rel=1e-10, abs=1e-10)


def test_a_point_spreads_as_the_rayleigh_sommerfeld_integral_says():
    """A slow second route: the integral over a finely sampled Gaussian spot, not one transform."""
    side, distance, waist = 96, 2e-3, 3 * PITCH_M
    axis = (np.arange(side) - side // 2) * PITCH_M
    spot = np.exp(-(axis[:, None] ** 2 + axis[None, :] ** 2) / waist**2)
    found = propagate(spot[None] + 0j, transfer_function(side, distance))[0]
    wave = 2 * np.pi / WAVELENGTH_M
    for row, column in ((48, 48), (50, 43), (53, 51)):
        away = np.sqrt(
            distance**2 + (axis[row] - axis[:, None]) ** 2 + (axis[column] - axis[None, :]) ** 2
        )
        kernel = np.exp(1j * wave * away) / away * distance / away * (1 / away - 1j * wave)
        integral = (spot * kernel).sum() * PITCH_M**2 / (2 * np.pi)
        integral *= np.exp(-1j * wave * distance)  # the straight wave's phase is left out
        assert found[row, column] == pytest.approx(integral, rel=2e-3, abs=2e-3)


def test_a_whole_pixel_of_displacement_moves_the_field():
    field = some_field()
    moved = propagate(field, transfer_function(SIDE, 0.0, (2.0, -1.0)))
    assert moved == pytest.approx(np.roll(field, (-2, 1), axis=(-2, -1)), abs=1e-10)


def test_waves_that_do_not_propagate_are_gone():
    fine = transfer_function(16, 1e-3, pitch_m=0.3 * WAVELENGTH_M)
    assert np.count_nonzero(fine) < fine.size
    assert set(np.abs(fine).round(12).ravel()) == {0.0, 1.0}


@pytest.mark.parametrize("distance", [0.5e-3, 2e-3, 5e-3])
def test_the_plane_is_large_enough_that_light_does_not_come_round(distance):
    """White noise, steepest waves and all, against a plane four times as large."""
    pixels = 32
    field = np.zeros((1, pixels, pixels), dtype=complex)
    field[0, 4:28, 4:28] = some_field(24, 1)
    near = propagate(field, transfer_function(grid_side(pixels, distance), distance))
    far = propagate(field, transfer_function(4 * grid_side(pixels, distance), distance))
    assert power(near - far) < 0.02 * power(far)
    assert power(far) < power(field)


def test_the_steepest_wave_moves_as_geometry_has_it():
    sine = WAVELENGTH_M / (2 * PITCH_M)
    assert spread_px(1e-3) == pytest.approx(1e-3 * np.tan(np.arcsin(sine)) / PITCH_M)

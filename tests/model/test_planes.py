"""Bit planes: the specified errors, recombination exactly, noise by brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.fft import dct

from foptrn_model import planes as model
from foptrn_model.planes import (
    bit_planes,
    cosine_transform,
    emulated_band,
    plane_noise_factor,
    plane_weights,
    quantised,
    read_out_rms,
    sent_through_planes,
    transform_full_scale,
)


def test_noise_factor_of_eight_planes_is_the_published_one():
    assert f"{plane_noise_factor(8):.2f}" == "147.80"


@given(planes=st.integers(1, 16))
def test_noise_factor_is_the_root_of_the_sum_of_powers_of_four(planes):
    assert plane_noise_factor(planes) ** 2 == pytest.approx(sum(4**b for b in range(planes)))


def test_white_input_through_eight_and_twelve_planes():
    eight, twelve = emulated_band(8), emulated_band(12)
    assert 100 * eight.relative_rms() == pytest.approx(0.94, abs=0.01)
    assert 100 * twelve.relative_rms() == pytest.approx(0.25, abs=0.05)
    noise = read_out_rms(eight.full_scale, 8)
    assert 100 * eight.relative_rms(noise) == pytest.approx(16.8, abs=0.1)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_other_draws_scatter_little(seed):
    eight = emulated_band(8, seed)
    assert 100 * eight.relative_rms() == pytest.approx(0.94, abs=0.03)
    assert 100 * eight.relative_rms(read_out_rms(16, 8)) == pytest.approx(16.8, abs=0.15)


def test_clipping_at_four_rms_is_what_theory_says():
    """What is left of the error at many planes: the tail of a Gaussian beyond four RMS."""
    density = math.exp(-8) / math.sqrt(2 * math.pi)
    tail = math.erfc(4 / math.sqrt(2)) / 2
    lost = math.sqrt(2 * (17 * tail - 4 * density))
    assert emulated_band(16).relative_rms() == pytest.approx(lost, rel=0.1)


@given(
    numbers=st.lists(st.integers(-128, 127), min_size=1, max_size=20),
)
def test_planes_recombine_to_the_integers(numbers):
    whole = np.array(numbers, dtype=np.int32)
    parts = bit_planes(whole, 8)
    assert set(np.unique(parts)) <= {0, 1}
    assert np.tensordot(plane_weights(8), parts, axes=1).tolist() == numbers
    written = [np.binary_repr(number, 8)[::-1] for number in numbers]
    assert ["".join(map(str, column)) for column in parts.T] == written


@settings(max_examples=25)
@given(planes=st.integers(1, 16), seed=st.integers(0, 1_000))
def test_sending_planes_is_sending_the_integers(planes, seed):
    rng = np.random.default_rng(seed)
    top = 2 ** (planes - 1)
    whole = rng.integers(-top, top, size=(40, 16)).astype(np.int32)
    rows = cosine_transform(16)[:5]
    np.testing.assert_allclose(
        sent_through_planes(whole, rows, planes), whole @ rows.T, atol=1e-9 * top
    )


@pytest.mark.parametrize("points", [2, 8, 256])
def test_cosine_transform_is_orthonormal_and_scipys(points):
    matrix = cosine_transform(points)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(points), atol=1e-12)
    sample = np.random.default_rng(0).normal(size=points)
    np.testing.assert_allclose(matrix @ sample, dct(sample, norm="ortho"), atol=1e-12)


def test_full_scale_of_256_points_is_sixteen():
    assert transform_full_scale(cosine_transform(256)) == pytest.approx(16)


@given(value=st.floats(-10, 10), planes=st.integers(2, 16))
def test_quantising_is_within_half_a_step_or_clipped(value, planes):
    steps = 2 ** (planes - 1) - 1
    kept = int(quantised(np.array([value]), full_scale=4.0, planes=planes)[0])
    assert -steps - 1 <= kept <= steps
    if abs(value) <= 4:
        assert abs(kept - value * steps / 4) <= 0.5 + 1e-9


@pytest.mark.parametrize(("planes", "enob"), [(3, 4.0), (8, 8.0), (8, 2.0), (12, 11.0)])
def test_any_noise_follows_from_the_moments_of_one_emulation(planes, enob):
    """Emulate anew, with noise added plane by plane before recombining."""
    inputs = model._inputs(model.EMULATION_SEED)
    found = emulated_band(planes)
    rows = cosine_transform(256)[: inputs.band.shape[1]]
    steps = max(2 ** (planes - 1) - 1, 1) / 4
    whole = quantised(inputs.values, full_scale=4.0, planes=planes)
    sigma = 16 * 2.0**-enob / math.sqrt(3)
    total = np.zeros_like(inputs.band)
    for bit in range(planes):
        read = ((whole >> bit) & 1) @ rows.T + sigma * inputs.noise[bit]
        total += (-1 if bit == planes - 1 else 1) * 2.0**bit * read
    exact = inputs.band * steps
    slow = math.sqrt(((total - exact) ** 2).sum() / (exact**2).sum())
    assert found.relative_rms(read_out_rms(found.full_scale, enob)) == pytest.approx(slow, rel=1e-6)


def test_a_bit_of_enob_halves_the_noise():
    found = emulated_band(16)
    much = found.relative_rms(read_out_rms(16, 3))
    assert much == pytest.approx(2 * found.relative_rms(read_out_rms(16, 4)), rel=1e-3)

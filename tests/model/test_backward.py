"""The backward explorer: every row of its specification, slow routes, and checks that can fail."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model import backward, backward_passes, backward_planes, convolution
from foptrn_model.backward import BackwardParams, compute_backward
from foptrn_model.backward_passes import make_filter, make_signal, passes
from foptrn_model.backward_planes import SIDE, TAPS, direct_planes, make_kernel, make_picture
from foptrn_model.explorers import BACKWARD
from foptrn_model.parameters import ParamsError
from tests.model import slow_backward as slow

CHECKS = ("forward", "input_gradient", "filter_gradient", "finite_difference", "future_leak",
          "adjoint", "block_circulant")  # fmt: skip
FILTERS = ("random", "gaussian", "derivative", "impulse", "delay")
SIGNALS = ("noise", "pulse", "chirp", "step")


def states(most=300):
    return st.builds(
        BackwardParams,
        n=st.integers(16, most),
        filter=st.sampled_from(FILTERS),
        signal=st.sampled_from(SIGNALS),
        seed=st.integers(0, 1000),
        padding=st.booleans(),
        enob=st.sampled_from([0.0, 2.0, 8.0, 12.5, 20.0]),
        picture=st.sampled_from(["letter", "rings", "spots"]),
        kernel=st.sampled_from(["blur", "edge", "motion"]),
    )


def checks_of(**values):
    return compute_backward(BackwardParams(**values)).checks


def forget():
    """Nothing remembered from before a formula was broken, or after."""
    backward.routes.cache_clear()
    backward.block_circulant.cache_clear()
    backward_planes.plane_passes.cache_clear()


# The specification, row by row ---------------------------------------------


def test_names_defaults_and_bounds():
    specs = BackwardParams.specs()
    params = BackwardParams()
    assert (params.n, params.filter, params.signal, params.seed) == (1024, "random", "noise", 0)
    assert params.padding is True
    assert params.enob == 0
    assert (specs["n"].low, specs["n"].high) == (16, 65_536)
    assert specs["filter"].choices == FILTERS
    assert specs["signal"].choices == SIGNALS
    for name, value in (("n", "15"), ("n", "65537"), ("filter", "box"), ("enob", "-1")):
        with pytest.raises(ParamsError, match=name):
            BackwardParams.parse({name: value})


@pytest.mark.parametrize("seed", range(5))
def test_padded_passes_match_direct_sums(seed):
    checks = checks_of(seed=seed)
    assert checks.forward < 1e-14
    assert checks.input_gradient < 1e-13
    assert checks.filter_gradient < 1e-13
    assert checks.finite_difference < 1e-6
    assert checks.adjoint < 1e-12
    assert checks.block_circulant < 1e-12
    assert checks.future_leak < 1e-14


@pytest.mark.parametrize("seed", range(5))
def test_without_padding_the_convolution_wraps(seed):
    checks = checks_of(seed=seed, padding=False)
    assert 0.1 < checks.forward < 1
    assert checks.future_leak > 0.05
    assert 0.1 < checks.input_gradient < 1
    assert 0.1 < checks.filter_gradient < 1
    # The layer as it is has the gradient that it claims: only causal sums see the wrap.
    assert checks.finite_difference < 1e-6
    assert checks.adjoint < 1e-12


def test_the_result_holds_exactly_these_checks():
    answer = BACKWARD.answer(BackwardParams())
    assert tuple(answer["result"]["checks"]) == CHECKS
    assert all(isinstance(value, (int, float)) for value in answer["result"]["checks"].values())
    assert answer["result"]["outputs_compared"] == 1024
    assert answer["result"]["direct_on_subset"] is False


@pytest.mark.parametrize(("n", "subset"), [(4096, False), (4097, True), (65_536, True)])
def test_long_signals_are_compared_on_a_random_subset_and_say_so(n, subset):
    params = BackwardParams(n=n)
    result = compute_backward(params)
    assert result.direct_on_subset is subset
    assert result.outputs_compared == (256 if subset else n)
    assert result.checks_within == result.checks_total == 10
    verdict = BACKWARD.verdict(params, result)
    assert ("256 random outputs" in verdict) is subset
    outputs = backward.routes(params).outputs
    assert len(set(outputs.tolist())) == result.outputs_compared
    assert outputs.max() < n


@pytest.mark.parametrize(("name", "signal"), list(itertools.product(FILTERS, SIGNALS)))
@pytest.mark.parametrize("n", [16, 1000, 8192])
def test_every_filter_and_signal_stays_within_bounds(name, signal, n):
    result = compute_backward(BackwardParams(n=n, filter=name, signal=signal))
    assert result.checks_within == result.checks_total


# Slow second routes ---------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(params=states(most=40))
def test_arrays_are_those_of_single_terms(params):
    found = passes(params.model_copy(update={"enob": 0.0}))
    u, h, g = found.u.tolist(), found.h.tolist(), found.g.tolist()
    scale = {"abs": 1e-11 * max(np.abs(found.dh).max(), np.abs(found.dx).max(), 1)}
    assert convolution.direct_convolution(found.h, found.u) == pytest.approx(
        slow.convolution(h, u), **scale
    )
    assert convolution.direct_correlation(found.g, found.h) == pytest.approx(
        slow.correlation(g, h), **scale
    )
    spectrum = slow.transform(h, found.length)
    assert pytest.approx(np.array(spectrum[: found.length // 2 + 1]), abs=1e-10) == found.H
    if params.padding:
        assert found.y == pytest.approx(slow.convolution(h, u), **scale)
        assert found.dx == pytest.approx(slow.correlation(g, h), **scale)
        assert found.dh == pytest.approx(slow.correlation(g, u), **scale)
    else:
        assert found.y == pytest.approx(slow.circular(h, u), **scale)


@pytest.mark.parametrize("seed", range(4))
def test_direct_sums_of_the_longest_signal_round_like_short_ones(seed):
    # Steps add up 65,536 terms of one sign: one after another would lose digits.
    checks = checks_of(n=65_536, signal="step", seed=seed)
    assert checks.forward < 5e-15


@settings(max_examples=20)
@given(n=st.integers(16, 200), seed=st.integers(0, 99), data=st.data())
def test_single_outputs_are_those_of_the_whole(n, seed, data):
    u, h = np.random.default_rng(seed).standard_normal((2, n))
    outputs = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, unique=True)))
    assert convolution.direct_convolution_at(h, u, outputs) == pytest.approx(
        convolution.direct_convolution(h, u)[outputs], abs=1e-12
    )
    assert convolution.direct_correlation_at(h, u, outputs) == pytest.approx(
        convolution.direct_correlation(h, u)[outputs], abs=1e-12
    )


@pytest.mark.parametrize(("rows", "cols", "k"), [(1, 1, 4), (2, 3, 5), (3, 1, 8)])
def test_both_routes_of_a_block_circulant_layer_are_its_entries(rows, cols, k):
    rng = np.random.default_rng(k)
    columns, x = rng.standard_normal((rows, cols, k)), rng.standard_normal((cols, k))
    g = rng.standard_normal((rows, k))
    dense = convolution.dense_passes(columns, x, g)
    optical = convolution.circulant_passes(columns, x, g, 0, rng)
    for one, other in zip(dense, optical, strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    assert dense[0] == pytest.approx(np.array(slow.circulant_times(columns.tolist(), x.tolist())))
    # y is linear in W and in x, so <g, dy> along a direction is its product with the gradient.
    step_w, step_x = rng.standard_normal(columns.shape), rng.standard_normal(x.shape)
    moved_w = np.array(slow.circulant_times(step_w.tolist(), x.tolist()))
    moved_x = np.array(slow.circulant_times(columns.tolist(), step_x.tolist()))
    assert float((g * moved_x).sum()) == pytest.approx(float((dense[1] * step_x).sum()))
    assert float((g * moved_w).sum()) == pytest.approx(float((dense[2] * step_w).sum()))


@pytest.mark.parametrize("kernel", ["blur", "edge", "motion"])
def test_direct_pictures_are_those_of_single_terms(kernel):
    u, h = make_picture("spots", 3), make_kernel(kernel)
    g = np.random.default_rng(0).standard_normal(u.shape)
    y, dx, dk = direct_planes(u, h, g)
    assert y == pytest.approx(np.array(slow.plane_convolution(u.tolist(), h.tolist())))
    rng = np.random.default_rng(1)
    step_u, step_h = rng.standard_normal(u.shape), rng.standard_normal(h.shape)
    moved = np.array(slow.plane_convolution(step_u.tolist(), h.tolist()))
    assert float((g * moved).sum()) == pytest.approx(float((dx * step_u).sum()))
    moved = np.array(slow.plane_convolution(u.tolist(), step_h.tolist()))
    assert float((g * moved).sum()) == pytest.approx(float((dk * step_h).sum()))


# Identities and limits ------------------------------------------------------


def test_an_impulse_changes_nothing_and_a_delay_moves():
    still = passes(BackwardParams(filter="impulse"))
    assert still.y == pytest.approx(still.u, abs=1e-13)
    assert still.dx == pytest.approx(still.g, abs=1e-12)
    moved = passes(BackwardParams(filter="delay"))
    assert moved.y[256:] == pytest.approx(moved.u[:-256], abs=1e-13)
    assert moved.dx[:-256] == pytest.approx(moved.g[256:], abs=1e-12)


def test_the_derivative_of_a_step_is_one_spike():
    found = passes(BackwardParams(filter="derivative", signal="step"))
    spike = np.zeros(1024)
    spike[256] = 1
    assert found.y == pytest.approx(spike, abs=1e-13)


def test_filters_and_signals_are_as_described():
    random = make_filter(BackwardParams(n=65_536))
    decayed = random * np.exp(8 * np.arange(65_536) / 65_536)
    assert float(decayed.std()) == pytest.approx(1, abs=0.02)
    assert make_filter(BackwardParams(filter="gaussian")).sum() == pytest.approx(1)
    assert make_signal(BackwardParams(signal="pulse")).sum() == 64
    assert set(make_signal(BackwardParams(signal="step"))) == {0.0, 1.0}


@given(n=st.integers(16, 65_536))
def test_padding_is_the_power_of_two_that_holds_both(n):
    length = convolution.fft_length(n, padding=True)
    assert length >= 2 * n > length // 2
    assert length & (length - 1) == 0
    assert convolution.fft_length(n, padding=False) == n


@settings(max_examples=60, deadline=None)
@given(params=states())
def test_any_state_has_finite_numbers_and_padding_keeps_its_bounds(params):
    result = compute_backward(params)
    values = [getattr(result.checks, name) for name in CHECKS]
    assert all(math.isfinite(value) and value >= 0 for value in values)
    assert result.largest_gradient_error == max(values[1:3])
    if params.padding:
        assert result.checks_within == result.checks_total


@pytest.mark.parametrize("enob", [4, 8, 12])
def test_read_out_noise_follows_the_rule(enob):
    result = compute_backward(BackwardParams(n=4096, enob=enob))
    rule = 2**-enob * 2 / math.sqrt(12)
    assert result.readout.expected_rms == pytest.approx(rule)
    assert result.readout.measured_rms == pytest.approx(rule, rel=0.05)
    crest = np.random.default_rng(0).standard_normal(4096)
    read = convolution.read_out(crest, enob, np.random.default_rng(1))
    relative = np.std(read - crest) / np.sqrt(np.mean(crest**2))
    peak_over_rms = np.abs(crest).max() / np.sqrt(np.mean(crest**2))
    assert relative == pytest.approx(peak_over_rms * rule, rel=0.05)
    # The same seed reads the same.
    assert compute_backward(BackwardParams(n=4096, enob=enob)) == result


def test_one_bit_more_halves_the_errors_of_noise():
    coarse, fine = checks_of(enob=8), checks_of(enob=9)
    for name in ("forward", "filter_gradient", "block_circulant"):
        assert getattr(coarse, name) == pytest.approx(2 * getattr(fine, name), rel=0.01)


def test_what_a_picture_shows_changes_no_number_of_the_layer():
    assert checks_of(picture="rings", kernel="edge") == checks_of()


# Each check fails when its formula is broken --------------------------------


def broken(monkeypatch, target, name, replacement, **values):
    monkeypatch.setattr(target, name, replacement)
    forget()
    result = compute_backward(BackwardParams(**values))
    monkeypatch.undo()
    forget()
    return {name for name in CHECKS
            if getattr(result.checks, name) > getattr(result.bounds, name)}  # fmt: skip


def test_a_gradient_by_convolution_instead_of_correlation_fails(monkeypatch):
    true = backward_passes.read_plane

    def no_conj(product, length, n):
        return true(product.conj(), length, n)

    failed = broken(monkeypatch, backward_passes, "read_plane", no_conj)
    assert {"forward", "input_gradient", "filter_gradient", "finite_difference"} <= failed


def test_a_wrong_length_of_padding_fails(monkeypatch):
    def short(n, *, padding):
        return n + n // 8

    failed = broken(monkeypatch, backward_passes, "fft_length", short, filter="delay")
    assert {"forward", "input_gradient", "filter_gradient", "future_leak"} <= failed


def test_an_adjoint_that_is_not_conjugate_fails(monkeypatch):
    true, calls = backward.spectrum, itertools.count()

    def shifted(values, length):
        found = true(values, length)
        return found.conj() if next(calls) % 2 else found

    monkeypatch.setattr(backward, "spectrum", shifted)
    params = BackwardParams()
    error, bound = backward.adjoint_identity(params, passes(params))
    assert error > bound


def test_finite_differences_see_a_scaled_gradient():
    params = BackwardParams()
    differences = backward.finite_differences(params, passes(params))
    assert all(found.error < 1e-6 for found in differences)
    for found in differences:
        wrong = backward.Differences(
            chosen=found.chosen, slope=found.slope, gradient=1.001 * found.gradient
        )
        assert wrong.error > 1e-6


def test_a_circulant_block_turned_the_other_way_fails(monkeypatch):
    true = backward.dense_passes

    def turned(columns, x, g):
        return true(np.roll(columns[..., ::-1], 1, axis=-1), x, g)

    assert broken(monkeypatch, backward, "dense_passes", turned) == {"block_circulant"}


def test_pictures_by_the_wrong_mask_fail(monkeypatch):
    true = backward_planes.direct_planes
    monkeypatch.setattr(backward_planes, "direct_planes", lambda u, h, g: true(u, h.T, g[::-1]))
    forget()
    result = compute_backward(BackwardParams(kernel="edge"))
    monkeypatch.undo()
    forget()
    for name in ("forward", "input_gradient", "filter_gradient"):
        assert getattr(result.plane_checks, name) > getattr(result.plane_bounds, name)


def test_pictures_wrap_without_padding():
    wrapped = compute_backward(BackwardParams(padding=False, picture="rings"))
    assert wrapped.plane_checks.forward > 0.01
    plane = backward_planes.plane_passes("rings", "blur", 0, True, 0.0)
    assert plane.forward.input.shape == (2 * SIDE, 2 * SIDE)
    assert plane.filter_gradient.kept == TAPS

"""Verdict, working, stories, tables and glossary of the backward explorer."""

import numpy as np
import pytest
from hypothesis import given, settings

from foptrn_model.backward import BackwardParams, compute_backward
from foptrn_model.backward_series import bin_starts, extremes, largest, mean_amplitude
from foptrn_model.explorers import BACKWARD
from foptrn_model.text import compact, percent
from tests.model.test_backward import CHECKS, states


def verdict_of(query):
    params = BackwardParams.from_query(query)
    result = compute_backward(params)
    return BACKWARD.verdict(params, result), result


@settings(max_examples=60, deadline=None)
@given(params=states())
def test_the_verdict_says_what_the_result_says(params):
    result = compute_backward(params)
    verdict, checks = BACKWARD.verdict(params, result), result.checks
    worst = compact(result.largest_gradient_error)
    leaks = checks.future_leak > result.bounds.future_leak
    assert verdict.startswith("Without padding") == (not params.padding)
    if not params.padding:
        assert ("wraps around" in verdict) == leaks
        assert ("right for the wrong layer" in verdict) == (leaks and not params.enob)
        assert (percent(checks.future_leak) if leaks else compact(checks.future_leak)) in verdict
        return
    assert f"{worst} of the peak" in verdict
    if params.enob:
        assert compact(result.readout.expected_rms) in verdict
        assert compact(result.readout.measured_rms) in verdict
    else:
        assert compact(checks.finite_difference) in verdict
        assert verdict.startswith("Yes")


def test_an_impulse_leaks_nothing_but_has_a_wrong_filter_gradient():
    verdict, result = verdict_of("filter=impulse&padding=false")
    assert result.checks.forward < 1e-14
    assert result.checks.input_gradient < 1e-13
    assert result.checks.filter_gradient > 0.01
    assert percent(result.checks.filter_gradient) in verdict
    assert "by rounding alone" in verdict


@pytest.mark.parametrize("preset", BACKWARD.presets, ids=lambda preset: preset.name)
def test_stories_are_true(preset):
    params = BackwardParams.from_query(preset.query)
    assert params.to_query() == preset.query, "written as links write it"
    result = compute_backward(params)
    failed = {name for name in CHECKS
              if getattr(result.checks, name) > getattr(result.bounds, name)}  # fmt: skip
    assert failed == {
        "no-padding": {"forward", "input_gradient", "filter_gradient", "future_leak"},
        "harmless": {"filter_gradient"},
    }.get(preset.name, set())
    assert preset.source
    if preset.name == "eight-bits":
        assert result.largest_gradient_error == pytest.approx(0.01, rel=0.2)
    if preset.name == "longest":
        assert result.outputs_compared == 256


@settings(max_examples=30, deadline=None)
@given(params=states())
def test_working_has_every_check_with_a_source(params):
    result = compute_backward(params)
    working = BACKWARD.working(params, result)
    assert len({step.name for step in working.steps}) == len(working.steps)
    assert len(working.steps) == 8 + bool(params.enob)
    values = " ".join(step.value for step in working.steps)
    for name in CHECKS:
        assert compact(getattr(result.checks, name)) in values
    assert values.count("> allowed") == sum(
        getattr(result.checks, name) > getattr(result.bounds, name) for name in CHECKS
    ) + ("> allowed" in working.steps[7].value)
    assert all(step.source and step.formula and step.substituted for step in working.steps)
    kinds = {item.kind for item in working.assumptions}
    assert {"convention", "generous", "inferred", "illustrative"} <= kinds


def test_the_error_table_names_what_is_compared_and_its_bound():
    params = BackwardParams(padding=False)
    result = compute_backward(params)
    rows = BACKWARD.table(params).rows
    assert len(rows) == result.checks_total == 10
    assert [row[2] for row in rows[:7]] == [getattr(result.checks, name) for name in CHECKS]
    assert [row[3] for row in rows[:7]] == [getattr(result.bounds, name) for name in CHECKS]
    assert sum(row[4] == "yes" for row in rows) == result.checks_within
    assert all(" with " in row[1] or "before and after" in row[1] for row in rows[:7])


@pytest.mark.parametrize("n", [16, 17, 1024, 5000])
def test_tables_hold_the_arrays_of_the_checks(n):
    evaluation = BACKWARD.evaluate(BackwardParams(n=n))
    found = evaluation.series.routes.passes
    rows = evaluation.table("signals").rows
    every = rows[1][0]
    assert [row[4] for row in rows] == found.y[::every].tolist()
    assert [row[6] for row in rows] == found.dh[::every].tolist()
    leak = evaluation.table("leak").rows
    assert max(row[4] for row in leak) > 0.01 > 1e-14 > max(row[3] for row in leak)
    planes = evaluation.table("planes").rows
    assert len(planes) == 3 * 48 * 48
    lengths = {row[0]: row[1:] for row in evaluation.table("length").rows}
    assert all(value < 1e-14 for row in lengths.values() for value in row)
    for name in ("spectra", "checks"):
        assert evaluation.table(name).to_csv().count("\r\n") > 5


def test_forward_and_input_gradient_masks_are_conjugates():
    rows = BACKWARD.table(BackwardParams(kernel="edge"), "planes").rows
    size = 48 * 48
    forward, back, update = rows[:size], rows[size : 2 * size], rows[2 * size :]
    assert [row[4] for row in forward] == [row[4] for row in back]
    assert [row[5] for row in forward] == [-row[5] for row in back]
    assert [row[3] for row in back] == [row[3] for row in update], "the same light, g"


def test_binning_keeps_extremes_and_power():
    evaluation = BACKWARD.evaluate(BackwardParams(n=5000))
    values = evaluation.series.routes.passes.y
    places, drawn = extremes(values)
    assert max(drawn) == values.max()
    assert min(drawn) == values.min()
    assert places == sorted(set(places))
    spectrum = evaluation.series.routes.passes.H
    frequencies, amplitudes = mean_amplitude(spectrum)
    sizes = np.diff([*bin_starts(spectrum.size), spectrum.size])
    power = float((sizes * amplitudes**2).sum())
    assert power == pytest.approx(float((abs(spectrum) ** 2).sum()))
    assert largest(values)[1].max() == values.max()
    assert 0 <= frequencies[0] < frequencies[-1] <= 0.5

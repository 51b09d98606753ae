"""Verdict, working, stories, glossary and tables of the precision explorer say what results say."""

import re

import numpy as np
import pytest
from hypothesis import given, settings

from foptrn_model.explorers import PRECISION
from foptrn_model.number_formats import FORMAT_NAMES, FORMATS
from foptrn_model.precision import PrecisionParams, compute_precision
from foptrn_model.precision_text import bits, matched_formats
from tests.model.shown import agrees
from tests.model.test_precision import CHEAP, changed, precision_states

PERCENT = re.compile(
    r"off by ([\d.,]+(?:\u00d710[\u207b\u2070\u00b9\u00b2-\u00b3\u2074-\u2079]+)?\u202f%)"
)


@settings(max_examples=150)
@given(params=precision_states())
def test_the_verdict_says_what_the_result_says(params):
    result = compute_precision(params)
    verdict = PRECISION.verdict(params, result)
    found = PERCENT.search(verdict)
    assert found
    assert agrees(found[1], result.noise_relative_rms)
    assert f"FP8 E5M2 asks for {bits(result.formats['E5M2'].enob_to_match)}" in verdict
    assert f"BF16 for {bits(result.formats['BF16'].enob_to_match)}" in verdict
    standing = verdict.partition(";")[0]
    named = {name for name in FORMAT_NAMES if FORMATS[name].label in standing}
    better = {
        name
        for name in FORMAT_NAMES
        if result.formats[name].relative_rms >= result.noise_relative_rms
    }
    assert set(matched_formats(result)) == better
    if better == set(FORMAT_NAMES):
        assert "better than every format" in standing
    elif better:
        assert named == better
    else:
        assert "worse than any format" in standing
    assert ("passes;" in verdict or f"over {params.passes:,} passes" in verdict) == (
        params.passes > 1
    )
    assert ("in a single pass FP8 E5M2 asks" in verdict) == (params.passes > 1)
    needed = result.formats["BF16"].passes_at_enob
    assert (f"or {needed:,} averaged passes" in verdict) == (needed > 1)


def test_default_verdict():
    params = PrecisionParams()
    assert " ".join(PRECISION.verdict(params, compute_precision(params)).split()) == (
        "Read out at ENOB 8, Gaussian gradients are off by 1.01 %, no worse than FP8 E4M3, "
        "FP8 E5M2, FP4 E2M1 and INT8; FP8 E5M2 asks for 5.61 bit, BF16 for 10.6 bit, or 37 "
        "averaged passes at ENOB 8."
    )


def enob_of(result, name, digits=1):
    return f"{result.formats[name].enob_to_match:.{digits}f}"


@pytest.mark.parametrize("preset", PRECISION.presets, ids=lambda preset: preset.name)
def test_numbers_in_a_story_are_the_results(preset):
    params = PrecisionParams.from_query(preset.query)
    result = compute_precision(params)
    facts = {
        "default": [f"{params.samples:,}", f"by {enob_of(result, 'E5M2')} bits",
                    f"BF16 by {enob_of(result, 'BF16')}",
                    f"{result.formats['BF16'].passes_at_enob} averaged"],
        "short": [f"{enob_of(result, 'E5M2')} bits match", f"{enob_of(result, 'E4M3')} FP8 E4M3",
                  f"{enob_of(result, 'INT8')} INT8", f"{enob_of(result, 'BF16')} BF16"],
        "spiky": [f"for {enob_of(result, 'E5M2')} bits", f"BF16 for {enob_of(result, 'BF16')}"],
        "digits": [f"{result.crest:.1f} times"],
        "fast-converter": [f"to {result.conversion['hyena'].break_even_enob:.1f} bits"],
        "sixteen-passes": ["10 bits of 8"],
        "twelve-planes": [],
    }  # fmt: skip
    for fact in facts[preset.name]:
        assert fact in preset.story, fact
    if preset.name == "twelve-planes":
        eight = compute_precision(changed(params, planes=8)).plane_emulation
        here = result.plane_emulation
        ratio = eight.noiseless_relative_rms / here.noiseless_relative_rms
        assert f"by {ratio:.1f}" in preset.story
        assert here.read_out_relative_rms == pytest.approx(eight.read_out_relative_rms, rel=0.02)
    if preset.name == "digits":
        gaussian = compute_precision(PrecisionParams())
        assert result.crest / gaussian.crest == pytest.approx(2, abs=0.15)


@settings(max_examples=30)
@given(params=precision_states())
def test_working_has_every_headline_with_a_source(params):
    working = PRECISION.working(params, compute_precision(params))
    assert len({step.name for step in working.steps}) == len(working.steps) == 16
    for step in working.steps:
        assert step.source
        assert step.value
    kinds = {item.kind for item in working.assumptions}
    assert {"illustrative", "generous", "convention", "inferred"} <= kinds


def test_a_small_layer_is_said_to_give_all_it_has():
    params = PrecisionParams(distribution="measured", layer="last")
    texts = [item.text for item in PRECISION.working(params, compute_precision(params)).assumptions]
    assert any("2,560 weights" in text for text in texts)


@settings(max_examples=30)
@given(params=precision_states())
def test_tables_hold_the_state(params):
    result = compute_precision(params)
    evaluation = PRECISION.evaluate(params)
    noise = {row[0]: row for row in evaluation.table("noise").rows}[params.enob]
    assert noise[2] == pytest.approx(result.noise_relative_rms)
    assert noise[3] == (", ".join(matched_formats(result)) or "none")
    passes = {row[0]: row for row in evaluation.table("passes").rows}[params.enob]
    assert passes[1:] == [found.passes_at_enob for found in result.formats.values()]
    crest = [row for row in evaluation.table("crest").rows if row[0] == params.distribution]
    assert [row[5] for row in crest] == pytest.approx(
        [found.enob_to_match for found in result.formats.values()]
    )
    planes = {row[0]: row for row in evaluation.table("planes").rows}[params.planes]
    assert planes[2:] == pytest.approx(
        [result.plane_emulation.noiseless_relative_rms,
         result.plane_emulation.read_out_relative_rms]
    )  # fmt: skip
    energy = {(row[0], row[1]): row for row in evaluation.table("conversion").rows}
    for variant, found in result.conversion.items():
        assert energy[variant, params.enob][4] == pytest.approx(found.conversion_over_digital)


@pytest.mark.parametrize("zoom", [1.0, 7.0, 4096.0])
@pytest.mark.parametrize("name", ["E2M1", "BF16"])
def test_histogram_holds_the_draw_and_the_grid(zoom, name):
    params = PrecisionParams(samples=2_048, draws=1, zoom=zoom, show_format=name)
    found = PRECISION.evaluate(params).series.histogram
    assert found.low < 1 < found.high
    assert found.high - found.low == pytest.approx(2 * compute_precision(params).crest / zoom)
    if zoom == 1:
        assert found.share.sum() == pytest.approx(1)
        assert found.high == pytest.approx(compute_precision(params).crest)
    if name == "E2M1" and zoom == 1:
        assert len(found.grid) == 15
        # The largest magnitude maps to six, the format's largest value.
        assert found.grid[-1] == pytest.approx(found.high)
        assert found.grid[-2] == pytest.approx(found.high * 4 / 6)


def test_tornado_varies_energies_without_drawing():
    tornado = PRECISION.evaluate(PrecisionParams(**CHEAP)).series.tornado
    bars = {bar.name: bar for bar in tornado.bars}
    digital = bars["digital_pJ_per_flop"]
    assert digital.high_result - digital.low_result == pytest.approx(2)
    moving = {name for name, bar in bars.items() if bar.span(tornado.base)}
    assert moving == {"digital_pJ_per_flop", "dac_fJ", "adc_fJ", "seq_len"}
    rows = PRECISION.table(PrecisionParams(**CHEAP), "tornado").rows
    assert {row[0] for row in rows} == moving


@pytest.mark.parametrize("zoom", [1.0, 1.5, 33.0])
@pytest.mark.parametrize("seed", range(4))
def test_histogram_is_numpys(zoom, seed):
    params = PrecisionParams(samples=1_500, draws=1, zoom=zoom, seed=seed)
    found = PRECISION.evaluate(params).series.histogram
    sample = np.random.default_rng(seed).standard_normal(1_500)
    scaled = sample / np.sqrt((sample**2).mean())
    counts = np.histogram(scaled, bins=found.edges)[0]
    if zoom == 1:
        assert round(found.share.sum() * 1_500) == 1_500
    np.testing.assert_allclose(found.share * 1_500, counts, atol=1 if zoom == 1 else 1e-9)

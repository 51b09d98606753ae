"""Precision: the specified values, rounding by enumeration, identities, conversion energy."""

import json
import math
from dataclasses import asdict

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.explorers import PRECISION
from foptrn_model.gradient_samples import Source, draws, measure, statistics
from foptrn_model.number_formats import FORMAT_NAMES, levels, rounded_to
from foptrn_model.parameters import ParamsError
from foptrn_model.precision import PrecisionParams, compute_precision, passes_needed
from foptrn_model.shapes import PRESETS

CHEAP = {"samples": 512, "draws": 3}


@st.composite
def precision_states(draw):
    """States whose samples are quick to draw; all else over its whole range."""
    return PrecisionParams(
        distribution=draw(st.sampled_from(["gaussian", "laplace", "student-t"])),
        samples=draw(st.sampled_from([256, 1_000, 4_096])),
        draws=draw(st.integers(1, 5)),
        seed=draw(st.integers(0, 3)),
        enob=draw(st.floats(1, 20)),
        passes=draw(st.integers(1, 4_096)),
        planes=draw(st.sampled_from([1, 4, 8])),
        dac_fJ=draw(st.floats(0.01, 10_000)),
        adc_fJ=draw(st.floats(0.01, 10_000)),
        digital_pJ_per_flop=draw(st.floats(0.001, 1_000)),
        seq_len=draw(st.sampled_from([128, 2_048, 3_000, 1_048_576])),
    )


def changed(params, **values):
    return type(params)(**params.model_dump() | values)


def precision(**fields):
    return compute_precision(PrecisionParams(**fields))


# The specification ---------------------------------------------------------------


@pytest.mark.parametrize("samples", [4_096, 16_384, 65_536])
def test_gaussian_gradients(samples):
    formats = precision(samples=samples).formats
    assert 5.3 <= formats["E5M2"].enob_to_match <= 5.8
    assert formats["E5M2"].relative_rms == pytest.approx(0.053, abs=0.001)
    assert 10.3 <= formats["BF16"].enob_to_match <= 10.7
    assert formats["BF16"].relative_rms == pytest.approx(1.65e-3, abs=0.02e-3)


def test_spikes_cost_bits():
    formats = precision(distribution="student-t").formats
    assert 7 <= formats["E5M2"].enob_to_match <= 9
    assert 12 <= formats["BF16"].enob_to_match <= 14


def test_published_formats_at_4096_values():
    result = precision(samples=4_096)
    assert result.crest == pytest.approx(3.64, abs=0.25)
    bits = result.formats["E4M3"].enob_to_match - math.log2(result.crest / 3.64)
    assert bits == pytest.approx(6.3, abs=0.05), "at the published crest factor"
    assert result.formats["E4M3"].enob_to_match == pytest.approx(6.3, abs=0.2)
    assert result.formats["INT8"].enob_to_match == pytest.approx(8.0, abs=0.05)


def test_signal_to_noise_of_a_million_values():
    formats = precision(samples=2**20, draws=1).formats
    for name, decibels in (("BF16", 55.6), ("E4M3", 31.5), ("E5M2", 25.5)):
        assert formats[name].sqnr_db == pytest.approx(decibels, abs=0.1)


def test_break_evens_of_conversion_energy():
    found = precision().conversion
    assert found["hyena"].pairs_per_token == 262_144
    assert f"{found['hyena'].replaced_flop_per_token / 1e6:.1f}" == "33.0"
    assert f"{found['hyena'].break_even_enob:.1f}" == "12.0"
    assert found["block-circulant"].pairs_per_token == 2_162_688
    assert f"{found['block-circulant'].replaced_flop_per_token / 1e6:.1f}" == "176.1"
    assert f"{found['block-circulant'].break_even_enob:.1f}" == "11.4"


def test_planes_of_the_specification():
    result = precision()
    assert f"{result.plane_noise_factor:.2f}" == "147.80"
    assert 100 * result.plane_emulation.noiseless_relative_rms == pytest.approx(0.94, abs=0.01)
    assert 100 * result.plane_emulation.read_out_relative_rms == pytest.approx(16.8, abs=0.1)
    twelve = precision(planes=12).plane_emulation
    assert 100 * twelve.noiseless_relative_rms == pytest.approx(0.25, abs=0.05)


def test_published_training_runs_are_shown():
    rows = PRECISION.table(PrecisionParams(**CHEAP), "loop").rows
    losses = {(row[0], row[1], row[2]): row[4] for row in rows}
    fed_back = {
        (planes, enob): losses["sent+agc100", planes, enob]
        for planes, enob in ((8, 6), (8, 8), (8, 10), (8, 12), (4, 8), (12, 8))
    }
    shown = ("3.423", "3.017", "2.878", "2.905", "3.137", "3.024")
    assert tuple(f"{loss:.3f}" for loss in fed_back.values()) == shown
    assert fed_back[4, 8] - fed_back[8, 8] == pytest.approx(0.12, abs=0.01)
    assert fed_back[12, 8] > fed_back[8, 8]
    assert all(loss > 10 for (kind, *_), loss in losses.items() if kind == "exact")


BOUNDS = {"samples": (256, 2**20), "enob": (1, 20), "passes": (1, 4_096), "planes": (1, 16)}


def test_defaults_and_bounds_are_those_of_the_specification():
    defaults = PrecisionParams().model_dump()
    assert defaults | {
        "distribution": "gaussian", "samples": 65_536, "seed": 0, "enob": 8, "passes": 1,
        "planes": 8, "dac_fJ": 10, "adc_fJ": 20, "digital_pJ_per_flop": 1, "seq_len": 2_048,
    } == defaults  # fmt: skip
    for name, (low, high) in BOUNDS.items():
        spec = PrecisionParams.specs()[name]
        assert (spec.low, spec.high) == (low, high)
        for value in (low, high):
            PrecisionParams.parse({name: value})
        for value in (low - 1, high + 1):
            with pytest.raises(ParamsError, match=name):
                PrecisionParams.parse({name: value})
    assert PrecisionParams.specs()["distribution"].choices == (
        "gaussian", "laplace", "student-t", "measured",
    )  # fmt: skip


def test_more_than_a_million_samples_are_refused_clearly():
    with pytest.raises(ParamsError, match="samples must be a whole number from 256 to 1,048,576"):
        PrecisionParams.parse({"samples": 2**20 + 1})


# Rounding by enumeration -----------------------------------------------------------


def enumerated(exponent_bits, mantissa_bits, *, bias, top):
    """Every non-negative value of a small float up to its largest, from its definition."""
    values = {
        (mantissa / 2**mantissa_bits) * 2.0 ** (1 - bias) for mantissa in range(2**mantissa_bits)
    }
    for exponent in range(1, 2**exponent_bits):
        for mantissa in range(2**mantissa_bits):
            values.add((1 + mantissa / 2**mantissa_bits) * 2.0 ** (exponent - bias))
    return np.array(sorted(value for value in values if value <= top))


GRIDS = {
    "E4M3": enumerated(4, 3, bias=7, top=448),
    "E5M2": enumerated(5, 2, bias=15, top=57_344),
    "E2M1": enumerated(2, 1, bias=1, top=6),
    "BF16": enumerated(8, 7, bias=127, top=float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
    "FP16": enumerated(5, 10, bias=15, top=65_504),
    "INT8": np.arange(128.0),
}


def nearest_even(grid, value):
    """The nearest value of a grid; of two equally near the one at an even place."""
    high = int(np.searchsorted(grid, value))
    if high < len(grid) and grid[high] == value:
        return value
    if high == len(grid):
        return grid[-1]
    low = high - 1
    below, above = value - grid[low], grid[high] - value
    if below == above:
        return grid[low] if low % 2 == 0 else grid[high]
    return grid[low] if below < above else grid[high]


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_levels_are_those_of_the_definition(name):
    both = np.unique(np.concatenate([-GRIDS[name], GRIDS[name]]))
    np.testing.assert_array_equal(levels(name), both)


@pytest.mark.parametrize("name", FORMAT_NAMES)
@pytest.mark.parametrize("spread", [1.0, 1e-4])
def test_rounding_goes_to_the_nearest_value(name, spread):
    rng = np.random.default_rng(5)
    sample = rng.standard_t(3, 3_000).astype(np.float32).astype(np.float64)
    sample[::7] *= spread
    peak = np.abs(sample).max()
    scale = 1.0 if name in ("BF16", "FP16") else GRIDS[name][-1] / peak
    slow = [math.copysign(nearest_even(GRIDS[name], abs(x) * scale), x) / scale for x in sample]
    np.testing.assert_allclose(rounded_to(name, sample), slow, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", ["E4M3", "E5M2", "E2M1", "INT8"])
def test_ties_go_to_even_and_the_peak_is_kept(name):
    grid = GRIDS[name]
    middles = np.concatenate([(grid[:-1] + grid[1:]) / 2, grid[-1:]])
    slow = [nearest_even(grid, value) for value in middles]
    np.testing.assert_array_equal(rounded_to(name, middles), slow)


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_rounding_twice_changes_nothing(name):
    sample = np.random.default_rng(1).normal(size=500)
    sample[0] = 6.0  # keeps the scale of the second rounding that of the first
    once = rounded_to(name, sample)
    np.testing.assert_allclose(rounded_to(name, once), once, rtol=1e-12)


def test_measured_errors_are_those_of_the_whole_sample():
    sample = np.random.default_rng(2).laplace(size=20_001)
    crest, errors = measure(sample)
    rms = np.sqrt((sample**2).mean())
    assert crest == pytest.approx(np.abs(sample).max() / rms)
    for name in FORMAT_NAMES:
        wrong = rounded_to(name, sample) - sample
        assert errors[name] == pytest.approx(np.sqrt((wrong**2).mean()) / rms, rel=1e-12)


# Draws -----------------------------------------------------------------------------


def test_the_first_draw_is_that_of_the_generator():
    expected = np.random.default_rng(7).standard_normal(1_000)
    first, second = draws(Source("gaussian", 1_000, 7, "hidden"), 2)
    np.testing.assert_array_equal(first, expected)
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("distribution", ["gaussian", "laplace", "student-t"])
def test_results_are_medians_over_the_draws(distribution):
    params = PrecisionParams(distribution=distribution, samples=4_096)
    result = compute_precision(params)
    singles = [measure(sample) for sample in draws(params.source, 20)]
    assert result.crest == pytest.approx(np.median([crest for crest, _ in singles]))
    for name, found in result.formats.items():
        errors = [error[name] for _, error in singles]
        assert found.relative_rms == pytest.approx(np.median(errors))
        bits = [math.log2(crest / math.sqrt(3) / error[name]) for crest, error in singles]
        assert found.enob_q1 == pytest.approx(np.quantile(bits, 0.25))
        assert found.enob_q3 == pytest.approx(np.quantile(bits, 0.75))
        assert found.enob_to_match == pytest.approx(np.median(bits), abs=0.1)


def test_student_t_has_four_degrees_of_freedom():
    first = draws(Source("student-t", 100, 3, "hidden"), 1)[0]
    np.testing.assert_array_equal(first, np.random.default_rng(3).standard_t(4, 100))


def test_another_seed_draws_other_values_and_the_layer_none():
    base = PrecisionParams(**CHEAP)
    assert compute_precision(changed(base, seed=1)).crest != compute_precision(base).crest
    assert compute_precision(changed(base, layer="last")) == compute_precision(base)


def test_what_a_read_out_sets_draws_nothing_anew():
    base = PrecisionParams(**CHEAP)
    compute_precision(base)
    before = statistics.cache_info().misses
    compute_precision(changed(base, enob=3.3, passes=9, adc_fJ=1.0, seq_len=999, zoom=4.0))
    assert statistics.cache_info().misses == before


# Identities ------------------------------------------------------------------------


@settings(max_examples=60)
@given(params=precision_states())
def test_noise_rule_and_formats(params):
    result = compute_precision(params)
    step = 2 * 2.0**-params.enob  # full scale of one on either side
    rule = result.crest * step / math.sqrt(12) / math.sqrt(params.passes)
    assert result.noise_relative_rms == pytest.approx(rule, rel=1e-12)
    for found in result.formats.values():
        at_match = changed(params, enob=min(max(found.enob_to_match, 1), 20), passes=1)
        if 1 <= found.enob_to_match <= 20:
            noise = compute_precision(at_match).noise_relative_rms
            assert noise == pytest.approx(found.relative_rms, rel=1e-9)
        assert 10 ** (-found.sqnr_db / 20) == pytest.approx(found.relative_rms)


@settings(max_examples=60)
@given(params=precision_states(), passes=st.integers(1, 1_024), enob=st.floats(1, 19))
def test_four_passes_are_one_bit(params, passes, enob):
    averaged = compute_precision(changed(params, passes=4 * passes, enob=enob))
    finer = compute_precision(changed(params, passes=passes, enob=enob + 1))
    assert averaged.noise_relative_rms == pytest.approx(finer.noise_relative_rms, rel=1e-12)


@given(bits=st.floats(0.5, 18), enob=st.floats(1, 20))
def test_passes_are_the_fewest_that_do(bits, enob):
    needed = passes_needed(bits, enob)
    assert isinstance(needed, int)
    assert needed >= 1

    def worth(passes):
        return enob + math.log2(passes) / 2

    assert worth(needed) >= bits - 1e-9
    if needed > 1:
        assert worth(needed - 1) < bits + 1e-9


def test_a_doubled_peak_costs_a_bit():
    sample = np.random.default_rng(0).normal(size=4_096)
    crest, errors = measure(sample)
    spiked = np.append(sample, 2 * np.abs(sample).max())
    crest_spiked, errors_spiked = measure(spiked)
    more = math.log2(crest_spiked / errors_spiked["BF16"]) - math.log2(crest / errors["BF16"])
    assert more == pytest.approx(1, abs=0.03)


@settings(max_examples=60)
@given(params=precision_states())
def test_at_the_break_even_both_cost_the_same(params):
    for name, found in compute_precision(params).conversion.items():
        if 1 <= found.break_even_enob <= 20:
            there = compute_precision(changed(params, enob=found.break_even_enob))
            assert there.conversion[name].conversion_over_digital == pytest.approx(1, rel=1e-9)
        a_sample = (params.dac_fJ + params.adc_fJ) * 1e-15 * 2.0**params.enob
        assert found.conversion_J_per_token == pytest.approx(found.pairs_per_token * a_sample)


def test_pairs_are_counted_layer_by_layer():
    shape = PRESETS["llama3-8b"].shape
    d, ff = shape.d_model, shape.d_ff
    hyena = circulant = 0
    for _layer in range(shape.n_layers):
        for _order in range(2):
            hyena += d
        for rows, cols in ((3 * d, d), (d, d), (ff, d), (ff, d), (d, ff)):
            circulant += max(rows, cols)
    found = precision().conversion
    assert found["hyena"].pairs_per_token == hyena
    assert found["block-circulant"].pairs_per_token == hyena + circulant


def test_replaced_flop_of_long_convolutions_by_hand():
    """Two transforms of 2.5 n log2 n and n/2 + 1 products of 6 FLOP, per channel and order."""
    n, length, channels = 4_096, 2_048, 2 * 4_096 * 32
    by_hand = channels * (2 * 2.5 * n * 12 + 6 * (n / 2 + 1)) / length
    found = precision(seq_len=length).conversion["hyena"].replaced_flop_per_token
    assert found == pytest.approx(by_hand, rel=1e-3)


@settings(max_examples=40)
@given(params=precision_states())
def test_everything_is_finite(params):
    json.dumps(asdict(compute_precision(params)), allow_nan=False)
    evaluation = PRECISION.evaluate(params)
    for name in PRECISION.tables:
        json.dumps([list(row) for row in evaluation.table(name).rows], allow_nan=False)

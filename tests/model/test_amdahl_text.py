"""Verdict, working and tables say what the result says."""

import csv
import io
import re
from dataclasses import asdict

import pytest
from hypothesis import given, settings

from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.amdahl_text import amdahl_verdict, amdahl_working
from foptrn_model.explorers import AMDAHL
from foptrn_model.shapes import PRESETS
from foptrn_model.tables import Column, Table
from tests.model import strategies as some
from tests.model.shown import agrees, read
from tests.model.slow_ledger import padded

CLASSES = ("dense", "attention", "transform", "weight_masked", "data_by_data", "other", "total")

# What the verdict must say, whatever words stand between.
BOUND = re.compile(r"at most ([\d.,]+)\u00d7 faster")
SHARE = re.compile(r"it could take (\S+\u202f%) of the FLOP")
LENGTH = re.compile(r"at ([\d,]+) tokens")
TIME = re.compile(r"(\S+\u202f%) of the time when that work runs at (\S+) of the dense rate")


@settings(max_examples=200)
@given(params=some.states())
def test_verdict_numbers_are_the_results(params):
    result = compute_amdahl(params)
    verdict = amdahl_verdict(params, result)
    assert read(LENGTH.search(verdict)[1])[0] == params.seq_len
    if result.static_share == 0:
        assert "no faster" in verdict
        return
    assert agrees(BOUND.search(verdict)[1], result.time_weighted_bound)
    assert agrees(SHARE.search(verdict)[1], result.static_share)
    names = {
        "hyena": f"Hyena-{params.hyena_order}",
        "hybrid": "a hybrid",
        "block-circulant": "a block-circulant model",
    }
    assert f"of the FLOP of {names[params.variant]} in " in verdict
    assert bool(TIME.search(verdict)) == (params.fft_rate < 1)
    if params.fft_rate < 1:
        by_time, rate = TIME.search(verdict).groups()
        assert agrees(by_time, result.time_weighted_share)
        assert agrees(rate, params.fft_rate)


@pytest.mark.parametrize("preset", some.PRESET_NAMES)
def test_a_transformer_has_nothing_to_hand_over(preset):
    params = AmdahlParams(shape=preset, variant="transformer", fft_rate=0.01)
    verdict = amdahl_verdict(params, compute_amdahl(params))
    assert "no faster" in verdict
    assert f"{PRESETS[preset].label} at 4,096 tokens" in verdict


def test_default_verdict_gives_the_specified_bound_and_share():
    params = AmdahlParams()
    verdict = amdahl_verdict(params, compute_amdahl(params))
    assert "at most 1.0014\u00d7 faster" in verdict
    assert "0.143\u202f% of the FLOP of Hyena-2" in verdict
    assert "Llama-3-8B at 4,096 tokens" in verdict


@settings(max_examples=150)
@given(params=some.states())
def test_working_shows_the_results_numbers(params):
    result = compute_amdahl(params)
    steps = {step.name: step for step in amdahl_working(params, result).steps}
    for name, value in {
        "Static share of the step": result.static_share,
        "Bound on the speed-up, by FLOP": result.amdahl_bound,
        "Share of the time": result.time_weighted_share,
        "Bound on the speed-up, by time": result.time_weighted_bound,
        "Static share of the forward pass alone": result.forward_share,
        "6N rule": result.six_n_flop,
        "Padded length of a long convolution": padded(params.seq_len),
        "DeMo's transforms as a share of the step": result.demo_share,
    }.items():
        shown = steps.pop(name).value.partition(";")[0].removesuffix("\u00d7")
        assert agrees(shown, value), (name, shown, value)
    assert not steps


@settings(max_examples=100)
@given(params=some.states())
def test_every_step_has_formula_numbers_and_source(params):
    working = amdahl_working(params, compute_amdahl(params))
    for step in working.steps:
        for text in (step.name, step.formula, step.substituted, step.value, step.source):
            assert text.strip() == text != ""
        assert re.search(r"\d", step.substituted)
    assert len({step.name for step in working.steps}) == len(working.steps)
    assert all(assumption.text.endswith(".") for assumption in working.assumptions)
    assert len(set(working.sources)) == len(working.sources)
    if params.shape != "custom":
        assert PRESETS[params.shape].source in working.sources


@pytest.mark.parametrize("variant", some.VARIANTS)
def test_only_block_circulant_is_called_speculative(variant):
    params = AmdahlParams(variant=variant)
    kinds = [item.kind for item in amdahl_working(params, compute_amdahl(params)).assumptions]
    assert ("speculative" in kinds) == (variant == "block-circulant")
    assert "generous" in kinds


@pytest.mark.parametrize(("seq_len", "beyond"), [(1024, False), (1025, True)])
def test_lengths_beyond_the_learned_positions_are_flagged(seq_len, beyond):
    params = AmdahlParams(shape="gpt2-small", seq_len=seq_len)
    kinds = [item.kind for item in amdahl_working(params, compute_amdahl(params)).assumptions]
    assert ("illustrative" in kinds) == beyond


def test_the_fft_constant_is_named_among_the_conventions():
    params = AmdahlParams(fft_constant=4.25)
    texts = [item.text for item in amdahl_working(params, compute_amdahl(params)).assumptions]
    assert any(re.search(r"\b4\.25 n log", text) for text in texts)


@settings(max_examples=40)
@given(params=some.states())
def test_ledger_rows_are_the_result(params):
    table = AMDAHL.table(params, "ledger")
    step = compute_amdahl(params).flop_per_token
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    assert set(rows) == {(variant, name) for variant in some.VARIANTS for name in CLASSES}
    assert len(rows) == len(table.rows)
    for name in CLASSES:
        forward, backward, both, share = rows[params.variant, name]
        assert forward == asdict(step.forward)[name]
        assert backward == asdict(step.backward)[name]
        assert both == asdict(step.step)[name]
        assert share * step.step.total == pytest.approx(both)
    for variant in some.VARIANTS:
        assert rows[variant, "total"][-1] == 1
        assert sum(rows[variant, name][-1] for name in CLASSES[:-1]) == pytest.approx(1)


@settings(max_examples=20)
@given(params=some.states())
def test_length_rows_are_the_result_at_this_length(params):
    result, table = compute_amdahl(params), AMDAHL.table(params, "length")
    names = [column.name for column in table.columns]
    (row,) = [row for row in table.rows if row[0] == params.seq_len]
    here = dict(zip(names, row, strict=True))
    name = params.variant.replace("-", "_")
    assert here[f"static_share_{name}"] == pytest.approx(result.static_share)
    assert here[f"amdahl_bound_{name}"] == pytest.approx(result.amdahl_bound)
    assert names[0] == "seq_len"
    assert len(names) == 1 + 2 * len(some.VARIANTS) == len(set(names))


@settings(max_examples=20)
@given(params=some.states())
def test_csv_reads_back_to_the_bit(params):
    for name in AMDAHL.tables:
        table = AMDAHL.table(params, name)
        header, *lines = csv.reader(io.StringIO(table.to_csv(), newline=""))
        assert header == [column.name for column in table.columns]
        assert len(lines) == len(table.rows)
        for line, row in zip(lines, table.rows, strict=True):
            read_back = [type(value)(text) for value, text in zip(row, line, strict=True)]
            assert read_back == list(row)


def test_csv_quotes_and_writes_whole_floats_exactly():
    columns = [Column(name="a", label="A"), Column(name="b", label="B")]
    table = Table(title="", columns=columns, rows=[["x, y", 48_249_962_496.0], ["z", 0.1]])
    assert table.to_csv() == 'a,b\r\n"x, y",48249962496\r\nz,0.1\r\n'


def test_the_main_table_is_the_first():
    assert AMDAHL.table(AmdahlParams()) == AMDAHL.table(AmdahlParams(), "ledger")


def test_verdict_of_a_custom_shape_reads_well():
    params = AmdahlParams(shape="custom", d_model=2048, variant="transformer")
    assert "a transformer in a custom shape at 4,096 tokens" in amdahl_verdict(
        params, compute_amdahl(params)
    )


@pytest.mark.parametrize(
    ("shape", "seq_len", "flagged"),
    [("llama3-8b", 4096, False), ("gpt2-small", 1024, False), ("gpt2-small", 1025, True)],
)
def test_only_sequences_beyond_learned_positions_are_flagged(shape, seq_len, flagged):
    params = AmdahlParams(shape=shape, seq_len=seq_len)
    kinds = [item.kind for item in amdahl_working(params, compute_amdahl(params)).assumptions]
    assert ("illustrative" in kinds) == flagged

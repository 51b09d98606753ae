"""Verdict, working, presets, tables and glossary of the trainers say what the result says."""

import csv
import io
import re
from types import SimpleNamespace

import pytest

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.trainers import compute_trainers
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_presets import TRAINERS_HEADLINES, TRAINERS_PRESETS
from foptrn_model.trainers_tables import (
    accuracy_table,
    context_table,
    curves_table,
    sweep_table,
)
from foptrn_model.trainers_text import trainers_verdict
from foptrn_model.trainers_working import trainers_working
from tests.model.shown import agrees
from tests.model.trained import NOTHING_WRONG, phase_error_sweep, trained

PERCENT = r"([\d.]+\u202f%)"
QUERIES = ("", "phase_error_rad=0.6&seeds=1&steps=20", "seeds=3&steps=7",
           TrainersParams(**NOTHING_WRONG).to_query())  # fmt: skip


def state(query):
    job = trained(query)
    return job.params, job.result()


@pytest.mark.parametrize("query", QUERIES)
def test_verdict_numbers_are_the_results(query):
    params, result = state(query)
    verdict = trainers_verdict(params, result)
    median = {name: part.hardware_accuracy.median for name, part in result.trainers.items()}
    promised = result.trainers["in-silico"].model_accuracy.median
    found = {
        "in-silico": re.search(rf"classifies {PERCENT} rightly", verdict)[1],
        "in-situ": re.search(rf"trained in situ (?:it reaches )?{PERCENT}", verdict)[1],
        "physics-aware": re.search(rf"physics-aware training {PERCENT}", verdict)[1],
        "feedback-alignment": re.search(rf"feedback alignment {PERCENT}", verdict)[1],
    }
    for name, shown in found.items():
        assert agrees(shown, median[name])
    gap = re.search(rf"the model promised {PERCENT}", verdict)
    assert bool(gap) == (promised - median["in-silico"] >= 0.02)
    assert gap is None or agrees(gap[1], promised)
    assert verdict.startswith(f"On {params.seeds} device{'s' * (params.seeds > 1)} ")
    assert verdict.endswith(".")


@pytest.mark.parametrize("query", QUERIES)
def test_working_has_formula_numbers_and_source(query):
    params, result = state(query)
    working = trainers_working(params, result)
    for step in working.steps:
        for text in (step.name, step.formula, step.substituted, step.value, step.source):
            assert text.strip() == text != ""
        assert re.search(r"\d", step.substituted)
    assert len({step.name for step in working.steps}) == len(working.steps)
    assert all(assumption.text.endswith(".") for assumption in working.assumptions)
    assert len(set(working.sources)) == len(working.sources)
    assert any("88.7 / 93.6 / 96.3" in source for source in working.sources)


def test_working_counts_phases_and_gives_the_gap():
    params, result = state("")
    steps = {step.name: step for step in trainers_working(params, result).steps}
    assert steps["Phases that are trained"].value == "48"
    assert steps["Powers that in-situ training reads per step"].value == "9,216"
    gap = steps["Reality gap of training on the model"].value.removesuffix(" points")
    assert agrees(gap, 100 * result.trainers["in-silico"].reality_gap)


def test_working_says_that_small_networks_flatter_feedback_alignment():
    params, result = state("")
    listed = trainers_working(params, result).assumptions
    assert any("flatter feedback alignment" in item.text for item in listed)
    assert {item.kind for item in listed} == {"illustrative", "generous", "convention", "inferred"}
    drifting = trainers_working(TrainersParams(drift_rad=0.01), result).assumptions
    assert "speculative" in {item.kind for item in drifting}


def test_presets_are_canonical_states_with_a_story_and_a_source():
    assert len(TRAINERS_PRESETS) >= 5
    for preset in TRAINERS_PRESETS:
        assert TrainersParams.from_query(preset.query).to_query() == preset.query
        assert preset.story.endswith(".")
        assert preset.source
    for part in ("name", "label", "query"):
        values = [getattr(preset, part) for preset in TRAINERS_PRESETS]
        assert len(set(values)) == len(values)


def test_headlines_lead_to_numbers():
    _, result = state("")
    for headline in TRAINERS_HEADLINES:
        found = result
        for part in headline.field.split("."):
            found = found[part] if isinstance(found, dict) else getattr(found, part)
        assert -1 <= found <= 1
        assert headline.text(found)
    assert len({headline.label for headline in TRAINERS_HEADLINES}) == len(TRAINERS_HEADLINES)


def test_accuracy_rows_are_the_result():
    params, result = state("")
    table = accuracy_table(params, result)
    assert [row[0] for row in table.rows] == list(TRAINERS)
    names = [column.name for column in table.columns]
    for row in table.rows:
        here, found = dict(zip(names, row, strict=True)), result.trainers[row[0]]
        assert here["hardware_median"] == found.hardware_accuracy.median
        assert here["model_q3"] == found.model_accuracy.q3
        assert here["reality_gap"] == found.reality_gap


def test_curve_rows_are_the_result():
    params, result = state("")
    table = curves_table(params, result)
    names = [column.name for column in table.columns]
    assert len(names) == len(set(names)) == 1 + 4 * 7
    last = dict(zip(names, table.rows[-1], strict=True))
    assert last["step"] == 300
    assert last["in_situ_accuracy_q1"] == result.trainers["in-situ"].hardware_accuracy.q1
    assert (
        last["feedback_alignment_cosine"]
        == (result.trainers["feedback-alignment"].gradient_cosine[-1])
    )


def test_tables_read_back_to_the_bit():
    params, result = state("")
    series = SimpleNamespace(swept=phase_error_sweep("moons"))
    swept = sweep_table(params, result, series)
    for table in (accuracy_table(params, result), curves_table(params, result), swept):
        header, *lines = csv.reader(io.StringIO(table.to_csv(), newline=""))
        assert header == [column.name for column in table.columns]
        for line, row in zip(lines, table.rows, strict=True):
            assert [type(value)(text) for value, text in zip(row, line, strict=True)] == list(row)


def test_context_gives_the_published_accuracies():
    params, result = state("")
    rows = {row[0]: row[1:] for row in context_table(params, result).rows}
    assert rows["0.04 rad"] == [0.887, 0.936, 0.963]
    assert rows["0.10 rad"] == [0.597, 0.703, 0.870]
    assert rows["none"][0] == 0.968


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "with phases off by 0.3 rad"),
        ({"phase_error_rad": 0.0}, "with read-out noise of 0.01 and splitters off by 0.02 rad a"),
        ({"readout_offset": -0.3, "phase_error_rad": 0.0}, "a read-out offset of \u22120.3 "),
        ({"adc_bits": 1, "phase_error_rad": 0.0}, "with a converter of 1 bits"),
        ({"readout_noise": 0.5}, "phases off by 0.3 rad and read-out noise of 0.5"),
        ({"phase_error_rad": 0.0, "drift_rad": 0.03}, "phases drifting by 0.03 rad per \u221astep"),
        ({"phase_error_rad": 0.0, "readout_offset": -0.1}, "a read-out offset of \u22120.1"),
        ({"crosstalk": 0.1, "readout_offset": 0.1}, "crosstalk of 0.1 and more"),
    ],
)
def test_the_verdict_names_what_is_wrong(fields, words):
    result = state("")[1]
    assert words in trainers_verdict(TrainersParams(**fields), result)


def test_a_perfect_device_has_nothing_wrong():
    perfect = TrainersParams(phase_error_rad=0.0, splitter_error_rad=0.0, readout_noise=0.0)
    assert "with nothing wrong" in trainers_verdict(perfect, state("")[1])


def test_nobody_is_praised_for_chance():
    params = TrainersParams(steps=1, batch=1, seeds=1)
    said = trainers_verdict(params, compute_trainers(params))
    assert said.startswith("After 1 step no trainer is far above chance")

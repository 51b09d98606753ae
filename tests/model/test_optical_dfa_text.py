"""Verdict, working, constants and glossary of the optical DFA explorer say what results say."""

import re

import pytest
from hypothesis import given, settings

from foptrn_model.explorers import OPTICAL_DFA
from foptrn_model.glossary import BY_ANCHOR
from foptrn_model.optical_dfa import OpticalDfaParams, compute_optical_dfa
from foptrn_model.optical_dfa_constants import constants_of
from foptrn_model.optical_dfa_params import STEP_FIELDS
from foptrn_model.optical_dfa_text import FINDINGS
from foptrn_model.optical_dfa_verdict import NAMES, REGIME_WORDS
from tests.model.test_optical_dfa import TWICE, states

CHOSEN_PER_CASE = {"error_length", "errors_per_sample"}
"""Fields that describe a task rather than stand for a constant."""


def verdict(**fields):
    params = OpticalDfaParams(**fields)
    return OPTICAL_DFA.verdict(params, compute_optical_dfa(params)).replace("\u202f", " ")


def test_default_verdict():
    assert verdict() == (
        "At 96 layers of 3,080 DFA on the GPU is fastest with 236 ms a step; with light it takes "
        "383 ms, 1.02\u00d7 backpropagation's 375 ms, and is held up most by the frame rate; at this "
        "depth light first beats backpropagation at a width of 3,083 and DFA on the GPU at 3,171."
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"width": 5_300}, "2.66\u00d7 faster than backpropagation's 10.1 s"),
        ({"width": 5_300}, "held up most by moving weights over PCIe"),
        ({"errors_per_sample": 512, "batch": 8}, "with 512 projections a sample"),
        ({"depth": 1}, "At 1 layer of 3,080"),
        ({"frame_rate_hz": 1e5}, "held up most by reading the camera"),
        (
            {"depth": 1, "batch": 1, "frame_rate_hz": 1e7, "camera_fps": 1e6, "passes": 1,
             "launch_us": 1_000.0},
            "at this depth light beats both at every width",
        ),
        (
            {"camera_fps": 1.0, "passes": 100, "batch": 65_536, "errors_per_sample": 65_536,
             "gpu_memory_GB": 1e5, "gpu_tflops": 1e5, "gpu_memory_GBps": 1e6, "launch_us": 0.0,
             "pcie_GBps": 1e4},
            "light beats neither at any width up to 1,000,000, nor at any depth at this width",
        ),
        ({"width": 3_100}, "DFA on the GPU is fastest with 269 ms a step; with light it takes 384 ms, "
                           "1.15\u00d7 faster than backpropagation's 440 ms but 1.43\u00d7 as long as "
                           "DFA on the GPU"),
        ({"width": 5_300}, "light is fastest with 3.81 s a step"),
        ({"width": 256}, "backpropagation and DFA on the GPU are equally fast with 6.68 ms"),
        ({"error_length": 10}, "and DFA on the GPU at no width."),
        ({**TWICE, "width": 1_000}, "first at a width of 16, not at this one, again from 7,"),
        ({**TWICE, "width": 300}, "light is fastest with 347 ms"),
    ],
)  # fmt: skip
def test_verdicts_of_other_states(fields, said):
    assert said in verdict(**fields)


@given(states())
@settings(max_examples=60)
def test_words_of_any_state_hold_its_numbers(params):
    result = compute_optical_dfa(params)
    text = OPTICAL_DFA.verdict(params, result)
    assert ("faster than backpropagation" in text) <= (result.optical_over_bp < 1)
    assert REGIME_WORDS[result.regime["odfa"]] in text
    if isinstance(result.crossover_width, int):
        assert f"at a width of {result.crossover_width:,}" in text
        if params.width > result.crossover_width and result.optical_over_bp > 1 + 1e-9:
            assert "not at this one" in text
    step = result.step_time_s
    assert step[result.fastest] <= min(step.values()) * (1 + 1e-9)
    first = text.partition(" a step")[0]
    assert NAMES[result.fastest] in first
    camera = [
        item
        for item in OPTICAL_DFA.working(params, result).assumptions
        if "rows, and the camera has" in item.text
    ]
    assert bool(camera) == (params.depth * params.width > 1_088 * 2_048)
    working = OPTICAL_DFA.working(params, result)
    for step in working.steps:
        assert step.value
        assert not re.search(r"\b(nan|inf)\b", step.substituted + step.value)
    changed = [item.label for item in constants_of(params) if item.changed]
    line = [item.text for item in working.assumptions if item.text.startswith("Changed")]
    assert bool(changed) == bool(line)
    assert all(label in line[0] for label in changed)


def test_every_constant_says_whether_it_was_published_and_by_whom():
    listed = constants_of(OpticalDfaParams())
    labels = {item.label for item in listed}
    specs = OpticalDfaParams.specs()
    assert {specs[name].label for name in set(STEP_FIELDS) - CHOSEN_PER_CASE} <= labels
    assert all(item.source for item in listed)
    assert {item.kind for item in listed} == {"published", "inferred"}
    texts = {
        kind: " ".join(
            item.text
            for item in OPTICAL_DFA.working(
                OpticalDfaParams(), compute_optical_dfa(OpticalDfaParams())
            ).assumptions
            if item.kind == kind
        )
        for kind in ("published", "inferred")
    }
    for item in listed:
        assert item.label in texts[item.kind]
        assert item.source in texts[item.kind]


def test_memory_that_updating_on_the_way_back_would_save_is_said_with_where_it_moves_the_crossover():
    params = OpticalDfaParams()
    working = OPTICAL_DFA.working(params, compute_optical_dfa(params))
    step = next(item for item in working.steps if "updated layer by layer" in item.name)
    # The wall of 12 P bytes instead of 16 P lies at about a root of 4/3 times the width.
    moved = int(step.value.split()[1].replace(",", ""))
    assert 1.1 < moved / 3_083 < 1.25
    said = [item.text for item in working.assumptions if item.kind == "generous"]
    assert any("16 P bytes against 12 P" in text for text in said)
    assert any("An error of ten" in text or "an error of ten" in text for text in said)


def test_findings_stand_on_both_sides_and_name_their_sources():
    assert [item.side for item in FINDINGS].count("against") >= 2
    assert any("2210.14593" in item.source and item.side == "against" for item in FINDINGS)
    assert any("95.8 %" in item.text and "97.6 %" in item.text for item in FINDINGS)
    assert any("1.3 B" in item.text and item.side == "for" for item in FINDINGS)
    assert all("arXiv" in item.source for item in FINDINGS)


@pytest.mark.parametrize(
    "anchor",
    ["optical-processing-unit", "optical-dfa-crossover", "memory-wall", "per-token-errors"],
)
def test_glossary_entries_open_a_state_of_this_explorer(anchor):
    entry = BY_ANCHOR[anchor]
    assert entry.explorer == "optical-dfa"
    params = OpticalDfaParams.from_query(entry.query)
    assert params.to_query() == entry.query
    result = compute_optical_dfa(params)
    if anchor == "memory-wall":
        assert result.regime["bp"] == "offload"
    if anchor == "per-token-errors":
        assert result.optical_over_bp > 1
    if anchor == "optical-processing-unit":
        assert result.regime["odfa"] == "frame-rate"

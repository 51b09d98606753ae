"""Pins, presets, sensitivity, headlines, and take-away of every explorer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model import __version__
from foptrn_model.conventions import count_conventions, explain_conventions
from foptrn_model.explorers import AMDAHL, EXPLORERS
from foptrn_model.headlines import Headline
from foptrn_model.parameters import query_values
from foptrn_model.pins import MOST_PINS, Pin, full_query, read_pins, state_name
from foptrn_model.shapes import PRESETS, count_parameters
from foptrn_model.takeaway import as_python, bibtex, file_name
from tests.model import strategies as some

ROOT = Path(__file__).parent.parent.parent
ALL_PRESETS = [
    pytest.param(explorer, preset, id=f"{explorer.slug}-{preset.name}")
    for explorer in EXPLORERS.values()
    for preset in explorer.presets
]


# Pins ------------------------------------------------------------------------


@given(some.states(), st.lists(some.states(), max_size=MOST_PINS))
def test_a_link_carries_a_state_and_its_pins(params, kept):
    pins = [Pin(state) for state in kept]
    query = query_values(full_query(params, pins))
    read, notices = read_pins(type(params), query.pop("pin", ()))
    assert (read, notices) == (pins, [])
    assert type(params).parse(query) == params


def test_pins_of_another_version_open_with_a_notice():
    pins, notices = read_pins(AMDAHL.params, ["0.0.1~seq_len=8192"])
    assert [pin.params.seq_len for pin in pins] == [8192]
    assert pins[0].text == "0.0.1~seq_len=8192", "the notice comes back with the link"
    assert len(notices) == 1
    assert "0.0.1" in notices[0]
    assert __version__ in notices[0]


@pytest.mark.parametrize(
    ("given_pins", "count", "noticed"),
    [
        ([Pin(AMDAHL.params()).text] * 4, 3, "at most 3"),
        ([f"{__version__}~seq_len=0"], 1, "128 to 1,048,576"),
        (["nonsense"], 1, "nonsense"),
        ([f"{__version__}~" + "&".join(f"a{i}=1" for i in range(300))], 0, "at most 200"),
        (None, 0, None),
        ({"a": 1}, 0, None),
        (17, 0, None),
    ],
)
def test_bad_pins_are_mended_or_left_out(given_pins, count, noticed):
    pins, notices = read_pins(AMDAHL.params, given_pins)
    assert len(pins) == count
    assert bool(notices) == (noticed is not None)
    assert all(noticed in notice for notice in notices[:1])


def test_state_names():
    assert state_name(AMDAHL.params()) == "defaults"
    named = state_name(AMDAHL.params(variant="hybrid", fft_rate=0.0625, seq_len=8192))
    assert named == "Hybrid, sequence length 8,192, FFT rate 0.0625"


# Presets ---------------------------------------------------------------------


def test_every_explorer_has_at_least_four_presets():
    for explorer in EXPLORERS.values():
        assert len({preset.name for preset in explorer.presets}) >= 4
        assert len({preset.query for preset in explorer.presets}) == len(explorer.presets)


@pytest.mark.parametrize(("explorer", "preset"), ALL_PRESETS)
def test_presets_are_canonical_states_with_story_and_source(explorer, preset):
    params = explorer.params.from_query(preset.query)
    assert params.to_query() == preset.query
    assert explorer.preset_of(params) is preset
    assert len(preset.query) <= 300
    assert preset.story.endswith(".")
    assert preset.source


def test_a_state_beside_a_preset_is_none():
    assert AMDAHL.preset_of(AMDAHL.params(seq_len=4097)) is None


def test_numbers_in_stories_are_the_models():
    def percent_of(query, field):
        return 100 * getattr(AMDAHL.compute(AMDAHL.params.from_query(query)), field)

    stories = {preset.name: preset for preset in AMDAHL.presets}
    for name, field, digits in (
        ("hyena", "static_share", 2),
        ("block-circulant", "static_share", 1),
        ("hybrid", "forward_share", 2),
        ("slow-fft", "forward_time_weighted_share", 0),
    ):
        preset = stories[name]
        assert f"{percent_of(preset.query, field):.{digits}f} %" in preset.story
    dense = AMDAHL.compute(AMDAHL.params(variant="hyena")).flop_per_token.step.total
    circulant = AMDAHL.compute(AMDAHL.params(variant="block-circulant")).flop_per_token.step.total
    assert round(dense / circulant) == 13


# Headlines and sensitivity ---------------------------------------------------


@given(some.states())
def test_headlines_lead_to_numbers(params):
    result = AMDAHL.compute(params)
    for headline in AMDAHL.headlines:
        value = headline.value(result)
        assert headline.text(value)
        assert headline.difference(value, value) == "same"


def test_differences_are_signed_and_name_their_unit():
    share = Headline(field="x", label="x", style="percent")
    assert share.difference(0.03, 0.02) == "+1.00 points, 1.50\u00d7"
    assert share.difference(0.0, 0.02) == "\u22122.00 points"
    flop = Headline(field="x", label="x", style="si", unit="FLOP")
    assert flop.difference(1e9, 3e9) == "\u22122.00\u202fGFLOP, 0.333\u00d7"


@pytest.mark.parametrize("style", ["percent", "si", "plain", "duration"])
@pytest.mark.parametrize("value", [1e-18, 3e-12, 2e-5])
def test_tiny_numbers_and_factors_are_powers_of_ten(style, value):
    headline = Headline(field="x", label="x", style=style)
    said = headline.difference(value, 0.5)
    assert "0.0000" not in said
    assert "\u00d710\u207b" in said.partition(", ")[2]


def test_a_negative_number_has_a_true_minus():
    for number in (-6.53, -1e-9, -12.0):
        text = Headline(field="x", label="x", style="plain", unit="\u202fbit").text(number)
        assert text.startswith("\u2212")
        assert "-" not in text


@given(some.states())
def test_each_bar_is_the_model_at_half_and_at_double(params):
    found = AMDAHL.series(params).tornado
    assert found.base == AMDAHL.compute(params).time_weighted_share
    spans = [bar.span(found.base) for bar in found.bars]
    assert spans == sorted(spans, reverse=True)
    for bar in found.bars:
        spec = params.specs()[bar.name]
        here = params.resolved()[bar.name]
        assert spec.low <= bar.low_value <= here <= bar.high_value <= spec.high
        assert bar.low_value < bar.high_value
        for value, result in (
            (bar.low_value, bar.low_result),
            (bar.high_value, bar.high_result),
        ):
            moved = type(params)(**(params.model_dump() | {bar.name: value}))
            assert AMDAHL.compute(moved).time_weighted_share == result


def test_an_input_is_halved_and_doubled_within_its_bounds():
    bars = {bar.name: bar for bar in AMDAHL.series(AMDAHL.params(seq_len=200)).tornado.bars}
    assert (bars["seq_len"].low_value, bars["seq_len"].high_value) == (128, 400)
    assert (bars["fft_rate"].low_value, bars["fft_rate"].high_value) == (0.5, 1)
    assert "d_model" not in bars, "a preset's sizes are not inputs"


# Conventions -----------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_parts_and_named_differences_add_up(name):
    shape = PRESETS[name].shape
    counted = count_conventions(shape, 4096)
    explained = explain_conventions(shape, 4096)
    reference = explained["megatron"]
    for key, row in explained.items():
        if key != "ledger":
            assert row.flop == getattr(counted, key)
        assert sum(flop for _, flop in row.differences(reference)) == row.flop - reference.flop
    assert reference.differences(reference) == []
    assert sum(row.flop for row in explained.values() if row.name == "ledger") == (
        AMDAHL.compute(AMDAHL.params(shape=name, variant="transformer")).flop_per_token.step.total
    )
    assert count_parameters(shape).matmul * 6 == reference.flop - reference.parts["causal"]


# Take-away -------------------------------------------------------------------


STATIC_SHARE = next(item for item in AMDAHL.headlines if item.field == "static_share")


def test_as_python_prints_the_result():
    params = AMDAHL.params.from_query(
        "block_size=128&d_model=2048&shape=custom&variant=block-circulant"
    )
    lines = as_python(params, AMDAHL.compute, STATIC_SHARE)
    assert lines.count("\n") == 3
    done = subprocess.run(
        [sys.executable, "-c", lines], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == AMDAHL.compute(params).static_share


def test_citation_has_version_and_permalink():
    entry = bibtex("Amdahl explorer", "amdahl", "http://host/amdahl?seq_len=8192")
    assert f"version = {{{__version__}}}" in entry
    assert "url     = {http://host/amdahl?seq_len=8192}" in entry
    assert entry.count("{") == entry.count("}")
    cff = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {__version__}" in cff


@given(some.states())
def test_file_names_are_safe_and_say_the_state(params):
    name = file_name("amdahl", params)
    assert re.fullmatch(r"amdahl[\w.-]*", name)
    assert len(name) <= 90
    assert (name == "amdahl") == (params == type(params)())

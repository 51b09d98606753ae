"""Verdict, working, stories and tables of the masks explorer say what the result says."""

import re

import pytest
from hypothesis import given, settings

from foptrn_model.explorers import MASKS
from foptrn_model.masks import MasksParams, compute_masks
from tests.model import strategies as some
from tests.model.shown import read

POWERS = str.maketrans(
    "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "-0123456789"
)
TIME = re.compile(r"([\d.,]+(?:\u00d710\S+)?\u202f(?:ps|ns|\u00b5s|ms|s|min|h|days|years))")
SECONDS = {"ps": 1e-12, "ns": 1e-9, "\u00b5s": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600,
           "days": 86_400, "years": 31_557_600}  # fmt: skip


def seconds(text):
    number, unit = text.split("\u202f")
    plain = number.replace(",", "").replace("\u00d710", "e").translate(POWERS)
    return float(plain) * SECONDS[unit]


@settings(max_examples=200)
@given(params=some.masks_states())
def test_the_verdict_says_what_the_result_says(params):
    result = compute_masks(params)
    verdict = MASKS.verdict(params, result)
    times = [seconds(text) for text in TIME.findall(verdict)]
    if not result.mask_values_forward:
        assert "no masks" in verdict
        assert ("transformer" in verdict) == (params.variant == "transformer")
        assert times == pytest.approx([result.digital_step_time_s], rel=6e-3)
        return
    assert times[:2] == pytest.approx([result.mask_time_s, result.digital_step_time_s], rel=6e-3)
    if params.order == "sequence-major":
        if params.sequences_per_step > 1:
            once = times[2] * params.sequences_per_step
            assert once == pytest.approx(result.mask_time_s, rel=6e-3)
        return
    assert ("light's own passes" in verdict) == (params.pass_time_s > 0)
    claims = {
        "hides behind": params.overlap and result.mask_over_digital <= 1,
        "sets the pace": params.overlap and result.mask_over_digital > 1,
        "adds": not params.overlap,
        "never": result.break_even_sequences == "never",
        "even for a single sequence": result.break_even_sequences == 1,
    }
    for words, holds in claims.items():
        assert (words in verdict) == holds, words
    if isinstance(result.break_even_sequences, int) and result.break_even_sequences > 1:
        found = re.search(r"from ([\d,]+) sequences per step on", verdict)
        assert read(found[1])[0] == result.break_even_sequences


STORY_FACTS = {
    "default": ("frames_per_step", "sequences_per_step"),
    "hyena-2k": ("frames_forward",),
    "circulant-32k": ("frames_forward",),
    "one-gpu": (),
    "sequence-major": ("sequences_per_step",),
    "reuse": (),
}


@pytest.mark.parametrize("preset", MASKS.presets, ids=lambda preset: preset.name)
def test_numbers_in_a_story_are_the_results(preset):
    params = MasksParams.from_query(preset.query)
    result = compute_masks(params)
    for field in STORY_FACTS[preset.name]:
        value = getattr(result, field, None) or getattr(params, field)
        assert f"{value:,}" in preset.story
    if preset.name == "default":
        assert result.mask_over_digital == pytest.approx(1, abs=0.02)
    if preset.name == "one-gpu":
        assert result.break_even_sequences == 3
    if preset.name == "reuse":
        assert result.frames_backward == 0
    if preset.name == "circulant-32k":
        assert result.mask_values.long_convolution > 0.99 * result.mask_values_forward


@given(params=some.masks_states())
def test_working_has_every_headline_with_a_source(params):
    working = MASKS.working(params, compute_masks(params))
    assert len({step.name for step in working.steps}) == len(working.steps) >= 11
    for step in working.steps:
        assert step.source
        assert step.value
    kinds = {item.kind for item in working.assumptions}
    assert {"illustrative", "generous", "inferred"} <= kinds
    assert ("speculative" in kinds) == (
        params.variant == "block-circulant" or params.conjugate_mask == "reuse"
    )


@given(params=some.masks_states())
def test_tables_hold_the_state(params):
    result = compute_masks(params)
    evaluation = MASKS.evaluate(params)
    rows = {row[0]: row for row in evaluation.table("sequences").rows}
    here = rows[params.sequences_per_step]
    column = {"layer-major": 1, "sequence-major": 2}[params.order]
    assert here[column] == pytest.approx(result.mask_time_s, rel=1e-9)
    assert here[3] == pytest.approx(result.digital_step_time_s, rel=1e-9)
    assert here[4] == pytest.approx(result.step_time_s, rel=1e-9)
    memory = {row[0]: row for row in evaluation.table("memory").rows}
    assert memory[params.sequences_per_step][1] == pytest.approx(
        result.activation_bytes_layer_major
    )
    totals = {row[0]: row for row in evaluation.table("frames").rows if row[1] == "Total"}
    assert totals[params.variant][2:] == pytest.approx(
        [result.mask_values_forward, result.frames_forward, result.frames_backward], rel=1e-9
    )


def test_the_map_is_what_single_states_say():
    params = MasksParams.from_query("order=sequence-major&variant=block-circulant&engines=3")
    checked = 0
    for rate, sequences, ratio in MASKS.table(params, "map").rows:
        if float(sequences).is_integer():
            values = {"frame_rate_hz": rate, "sequences_per_step": int(sequences)}
            state = MasksParams(**params.model_dump() | values)
            assert compute_masks(state).mask_over_digital == pytest.approx(ratio, rel=1e-9)
            checked += 1
    assert checked > 2 * 21

"""Counting conventions: the specified table, a second route, and named differences."""

from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.conventions import Conventions, count_conventions
from foptrn_model.shapes import PRESETS, Shape, count_parameters
from tests.model import strategies as some
from tests.model.slow_checkpoint import (
    blocks_only_parameters,
    matmul_parameters,
    total_parameters,
    without_input_embedding,
)
from tests.model.slow_ledger import step_flop

LLAMA_3_8B = {
    4096: Conventions(
        megatron=48_249_176_064,
        full_attention=51_470_401_536,
        palm_all=54_624_018_432,
        palm_blocks=48_319_979_520,
        six_n_all=48_181_567_488,
        six_n_no_input_embedding=45_029_548_032,
        six_n_blocks=41_877_528_576,
    ),
    8192: Conventions(
        megatron=51_470_401_536,
        full_attention=57_912_852_480,
        palm_all=61_066_469_376,
        palm_blocks=54_762_430_464,
        six_n_all=48_181_567_488,
        six_n_no_input_embedding=45_029_548_032,
        six_n_blocks=41_877_528_576,
    ),
}

shapes = some.sizes(block_size=8, least_d=64)
lengths = st.integers(1, 2**20)


def by_hand(shape, seq_len):
    """Every convention from tensors by name and a score matrix head by head."""
    head = shape["d_model"] // shape["n_heads"]
    scores = 0
    for _layer in range(shape["n_layers"]):
        for _head in range(shape["n_heads"]):
            for _product in ("scores", "values"):
                scores += 3 * 2 * head * seq_len  # forward once, backward twice
    return Conventions(
        megatron=6 * matmul_parameters(shape) + scores // 2,
        full_attention=6 * matmul_parameters(shape) + scores,
        palm_all=6 * total_parameters(shape) + scores,
        palm_blocks=6 * blocks_only_parameters(shape) + scores,
        six_n_all=6 * total_parameters(shape),
        six_n_no_input_embedding=6 * without_input_embedding(shape),
        six_n_blocks=6 * blocks_only_parameters(shape),
    )


@pytest.mark.parametrize("seq_len", LLAMA_3_8B)
@pytest.mark.parametrize("variant", some.VARIANTS)
def test_specified_table_is_exact_and_of_the_dense_transformer(seq_len, variant):
    result = compute_amdahl(AmdahlParams(seq_len=seq_len, variant=variant))
    assert result.conventions == LLAMA_3_8B[seq_len]


@pytest.mark.parametrize("seq_len", [128, 4096, 8191, 1_048_576])
@pytest.mark.parametrize("preset", some.PRESET_NAMES)
def test_presets_by_a_second_route(preset, seq_len):
    shape = PRESETS[preset].shape
    assert count_conventions(shape, seq_len) == by_hand(asdict(shape), seq_len)


@settings(max_examples=100)
@given(shape=shapes, seq_len=lengths)
def test_random_shapes_by_a_second_route(shape, seq_len):
    assert count_conventions(Shape(**shape), seq_len) == by_hand(shape, seq_len)


@settings(max_examples=50)
@given(shape=shapes, seq_len=lengths)
def test_differences_between_conventions_have_names(shape, seq_len):
    counted = count_conventions(Shape(**shape), seq_len)
    table = shape["d_model"] * shape["vocab_size"]
    looked_up = shape["learned_positions"] * shape["d_model"]
    looked_up += 0 if shape["tied_head"] else table
    # The masked half of the score matrix.
    halved = counted.full_attention - counted.megatron
    assert halved == 6 * shape["n_layers"] * shape["d_model"] * seq_len
    # Norms, biases and tables that are looked up, counted as if multiplied.
    unmultiplied = total_parameters(shape) - matmul_parameters(shape)
    assert counted.palm_all - counted.full_attention == 6 * unmultiplied
    # The head, and the tables.
    assert counted.palm_all - counted.palm_blocks == 6 * (table + looked_up)
    assert counted.six_n_all - counted.six_n_no_input_embedding == 6 * looked_up
    assert counted.six_n_no_input_embedding - counted.six_n_blocks == 6 * table
    # All of attention.
    assert counted.palm_all - counted.six_n_all == 2 * halved
    assert counted.palm_blocks - counted.six_n_blocks == 2 * halved


@settings(max_examples=50)
@given(shape=shapes, seq_len=lengths)
def test_causal_at_twice_the_length_is_full_at_the_length(shape, seq_len):
    twice = count_conventions(Shape(**shape), 2 * seq_len)
    assert twice.megatron == count_conventions(Shape(**shape), seq_len).full_attention


@pytest.mark.parametrize("seq_len", [128, 4096, 8191])
@pytest.mark.parametrize("preset", some.PRESET_NAMES)
def test_the_ledger_is_megatrons_count_and_the_diagonal(preset, seq_len):
    shape = asdict(PRESETS[preset].shape)
    walked = step_flop(shape, {"variant": "transformer", "seq_len": seq_len})["step"]
    diagonal = 6 * shape["n_layers"] * shape["d_model"]
    megatron = count_conventions(PRESETS[preset].shape, seq_len).megatron
    assert sum(walked.values()) == megatron + diagonal
    result = compute_amdahl(AmdahlParams(shape=preset, variant="transformer", seq_len=seq_len))
    assert result.flop_per_token.step.total == megatron + diagonal


@settings(max_examples=100)
@given(shape=shapes)
def test_parameter_counts_are_those_of_a_listed_checkpoint(shape):
    counted = count_parameters(Shape(**shape))
    assert counted.matmul == matmul_parameters(shape)
    assert counted.total == total_parameters(shape)
    assert counted.blocks_only == blocks_only_parameters(shape)
    assert counted.without_input_embedding == without_input_embedding(shape)


@pytest.mark.parametrize(
    ("preset", "count"),
    [
        ("llama3-8b", 8_030_261_248),
        ("llama3-70b", 70_553_706_496),
        ("llama2-7b", 6_738_415_616),
        ("gpt2-small", 124_439_808),
    ],
)
def test_presets_hold_their_published_number_of_parameters(preset, count):
    assert count_parameters(PRESETS[preset].shape).total == count


def test_gpt3_is_within_half_a_billion_of_its_round_number():
    assert count_parameters(PRESETS["gpt3-175b"].shape).total == pytest.approx(175e9, abs=0.5e9)


@pytest.mark.parametrize("preset", some.PRESET_NAMES)
def test_presets_name_their_sources(preset):
    assert any(word in PRESETS[preset].source for word in ("arXiv", "model card"))


@pytest.mark.parametrize(
    ("preset", "length"),
    [
        ("llama3-8b", 0),
        ("llama3-70b", 0),
        ("llama2-7b", 0),
        ("gpt2-small", 1024),
        ("gpt3-175b", 2048),
    ],
)
def test_learned_positions_are_the_published_contexts(preset, length):
    """Llama models rotate; GPT models learn a vector for each position they were trained on."""
    assert PRESETS[preset].shape.learned_positions == length

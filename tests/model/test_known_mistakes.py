"""Mistakes that other FLOP calculators shipped, each shut out by its own test."""

import ast
from dataclasses import asdict
from pathlib import Path

import pytest

import foptrn_model
from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.shapes import PRESETS
from foptrn_model.text import si
from tests.model import strategies as some
from tests.model.slow_checkpoint import matmul_parameters

LLAMA = asdict(PRESETS["llama3-8b"].shape)
MODULES = sorted(Path(foptrn_model.__file__).parent.glob("*.py"))


def step_of(variant="transformer", **changes):
    return result_of(variant=variant, **changes).flop_per_token.step


def result_of(variant="transformer", seq_len=4096, **changes):
    fields = LLAMA | changes
    return compute_amdahl(
        AmdahlParams(shape="custom", block_size=8, variant=variant, seq_len=seq_len, **fields)
    )


def test_a_custom_shape_with_a_presets_sizes_is_the_preset():
    preset = compute_amdahl(AmdahlParams(shape="llama3-8b", block_size=8, variant="transformer"))
    assert result_of() == preset


@pytest.mark.parametrize("seq_len", [128, 4096, 1_048_576])
def test_causal_mask_is_applied_once(seq_len):
    """Applied never, the ratio to full attention nears 1; applied twice, 1/4."""
    causal = step_of(seq_len=seq_len).attention
    full = 12 * 32 * 4096 * seq_len  # score and value products, forward and twice back
    assert causal / full == pytest.approx(1 / 2, rel=1 / seq_len)
    assert causal * 2 > full  # the diagonal belongs to it


@pytest.mark.parametrize("n_kv_heads", [1, 2, 16, 32])
def test_grouped_queries_shrink_projections_not_attention(n_kv_heads):
    base, other = step_of(), step_of(n_kv_heads=n_kv_heads)
    assert other.attention == base.attention
    heads_more = n_kv_heads - LLAMA["n_kv_heads"]
    weights_more = 2 * heads_more * 128 * 4096 * 32  # keys and values, heads of 128
    assert other.dense - base.dense == 6 * weights_more


@pytest.mark.parametrize("n_heads", [8, 16, 64])
def test_more_heads_of_less_width_change_no_attention(n_heads):
    """Also the projections stay while key heads keep their share."""
    other = step_of(n_heads=n_heads, n_kv_heads=n_heads // 4)
    assert other == step_of()


@pytest.mark.parametrize(("gated", "matrices"), [(True, 3), (False, 2)])
def test_mlp_width_counts(gated, matrices):
    narrow = step_of(gated_mlp=gated)
    wide = step_of(gated_mlp=gated, d_ff=LLAMA["d_ff"] + 256)
    assert wide.dense - narrow.dense == 6 * matrices * 256 * 4096 * 32
    assert wide.attention == narrow.attention


@pytest.mark.parametrize("variant", some.VARIANTS)
def test_logits_cost_three_times_their_forward_pass(variant):
    base, one_more = result_of(variant), result_of(variant, vocab_size=LLAMA["vocab_size"] + 1)
    more = {
        direction: getattr(one_more.flop_per_token, direction).dense
        - getattr(base.flop_per_token, direction).dense
        for direction in ("forward", "backward", "step")
    }
    assert more == {"forward": 2 * 4096, "backward": 4 * 4096, "step": 6 * 4096}


@pytest.mark.parametrize("variant", some.VARIANTS)
def test_a_tied_head_saves_parameters_not_flop(variant):
    untied, tied = result_of(variant), result_of(variant, tied_head=True)
    assert untied.total_params - tied.total_params == 128_256 * 4096
    assert tied.flop_per_token == untied.flop_per_token
    assert tied.matmul_params == untied.matmul_params


@pytest.mark.parametrize("changes", [{"biases": True}, {"learned_positions": 2048}])
def test_biases_and_positions_are_parameters_without_flop(changes):
    base, other = result_of(), result_of(**changes)
    assert other.total_params > base.total_params
    assert other.flop_per_token == base.flop_per_token
    assert other.matmul_params == base.matmul_params


def test_an_embedding_is_looked_up_not_multiplied():
    """Only one of two (vocabulary, width) matrices is in the dense work."""
    assert step_of().dense == 6 * matmul_parameters(LLAMA)
    assert step_of().dense < 6 * (result_of().total_params - 128_256 * 4096)


@pytest.mark.parametrize(
    ("value", "shown"), [(1e12, "1.00 T"), (2**40, "1.10 T"), (2**30, "1.07 G")]
)
def test_prefixes_are_powers_of_ten(value, shown):
    assert si(value).replace("\u202f", " ") == shown


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_no_module_counts_in_powers_of_1024(path):
    binary = {1024**power for power in (3, 4, 5, 6)}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert node.value not in binary, node.lineno
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Pow, ast.LShift)):
            sides = node.left, node.right
            if all(isinstance(side, ast.Constant) for side in sides):
                value = eval(compile(ast.Expression(node), path.name, "eval"))
                assert value not in binary, node.lineno
            assert not (isinstance(node.left, ast.Constant) and node.left.value == 1024)

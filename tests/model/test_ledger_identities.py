"""Identities, limits and directions of change that any FLOP ledger must keep."""

from dataclasses import asdict
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.ledger import CLASSES
from tests.model import strategies as some
from tests.model.slow_checkpoint import matmul_parameters
from tests.model.slow_ledger import layer_kinds, share, step_flop, visible_pairs

PRESETS = pytest.mark.parametrize("preset", some.PRESET_NAMES)
VARIANTS = pytest.mark.parametrize("variant", some.VARIANTS)
LONG_CONVOLUTIONS = pytest.mark.parametrize("variant", ["hyena", "hybrid", "block-circulant"])


def result_of(**fields):
    return compute_amdahl(AmdahlParams(**fields))


def shape_of(preset):
    return asdict(AmdahlParams(shape=preset).model_shape)


@settings(max_examples=150)
@given(params=some.states())
def test_parts_sum_to_totals_and_directions_to_the_step(params):
    flop = compute_amdahl(params).flop_per_token
    forward, backward, step = map(asdict, (flop.forward, flop.backward, flop.step))
    for direction in (forward, backward, step):
        parts = sum(direction[name] for name in CLASSES)
        assert direction["total"] == pytest.approx(parts, rel=1e-14)
        assert min(direction.values()) >= 0
    for name in step:
        assert step[name] == pytest.approx(forward[name] + backward[name], rel=1e-14)
    assert forward["data_by_data"] == 0  # without recomputation or with: no gradients


@settings(max_examples=100)
@given(params=some.states())
def test_recomputation_adds_exactly_one_forward_pass_to_backward(params):
    kept = compute_amdahl(params.model_copy(update={"recompute": "none"})).flop_per_token
    again = compute_amdahl(params.model_copy(update={"recompute": "full"})).flop_per_token
    assert again.forward == kept.forward
    for name, flop in asdict(again.backward).items():
        more = flop - asdict(kept.backward)[name]
        assert more == pytest.approx(asdict(kept.forward)[name], rel=1e-12, abs=1e-3)
    # Nothing of it is a weight gradient.
    assert again.step.data_by_data == kept.step.data_by_data


@settings(max_examples=100)
@given(params=some.states())
def test_bound_is_the_whole_step_over_what_the_engine_leaves(params):
    result = compute_amdahl(params)
    walked = step_flop(asdict(params.model_shape), params.model_dump())["step"]
    total = sum(walked.values())
    left = total - walked["transform"] - walked["weight_masked"]
    assert result.amdahl_bound == pytest.approx(float(total / left), rel=1e-12)
    assert result.amdahl_bound * (1 - result.static_share) == pytest.approx(1, rel=1e-14)


@PRESETS
@pytest.mark.parametrize("seq_len", [128, 1001, 65_536])
def test_causal_attention_at_twice_the_length_is_full_attention(preset, seq_len):
    """Exactly one key per token more: the second half of the diagonal's two halves."""
    shape = shape_of(preset)
    attention = result_of(
        shape=preset, variant="transformer", seq_len=2 * seq_len
    ).flop_per_token.step.attention
    products = 2 + 4  # of queries with keys, and the like, forward and backward
    multiply_adds = 2 * shape["d_model"] * shape["n_layers"] * products
    full_per_token = multiply_adds * seq_len
    assert attention == full_per_token + multiply_adds // 2
    # The same from the pairs: 2s causal tokens meet s (2s + 1), of which s lie past 2 s^2.
    assert visible_pairs(2 * seq_len) == 2 * seq_len**2 + seq_len


@PRESETS
def test_dense_flop_is_six_per_matmul_weight(preset):
    result = result_of(shape=preset, variant="transformer")
    assert result.matmul_params == matmul_parameters(shape_of(preset))
    assert result.flop_per_token.step.dense == 6 * result.matmul_params == result.six_n_flop
    assert result.flop_per_token.forward.dense == 2 * result.matmul_params


@PRESETS
def test_each_variant_has_its_own_classes(preset):
    transformer = result_of(shape=preset, variant="transformer").flop_per_token.step
    assert transformer.transform == transformer.weight_masked == transformer.data_by_data == 0
    assert transformer.other == 0
    hyena = result_of(shape=preset, variant="hyena").flop_per_token.step
    assert hyena.attention == 0
    assert hyena.data_by_data * 2 == hyena.weight_masked
    circulant = result_of(shape=preset, variant="block-circulant").flop_per_token.step
    shape = shape_of(preset)
    assert circulant.dense == 6 * shape["d_model"] * shape["vocab_size"]  # the head


@LONG_CONVOLUTIONS
@PRESETS
def test_time_weighted_share_falls_to_the_static_share(preset, variant):
    rates = (0.001, 0.0625, 0.5, 0.999, 1.0)
    results = [result_of(shape=preset, variant=variant, fft_rate=rate) for rate in rates]
    shares = [result.time_weighted_share for result in results]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == len(shares)
    assert shares[-1] == pytest.approx(results[-1].static_share, rel=1e-14)
    assert len({result.static_share for result in results}) == 1


@settings(max_examples=60)
@given(params=some.states())
def test_time_weighting_is_the_share_of_a_clock(params):
    """Time a step by its classes: the static ones take 1/r seconds per FLOP."""
    result = compute_amdahl(params)
    step = asdict(result.flop_per_token.step)
    seconds = {name: step[name] for name in CLASSES}
    for name in ("transform", "weight_masked"):
        seconds[name] /= params.fft_rate
    static = seconds["transform"] + seconds["weight_masked"]
    everything = sum(seconds.values())
    assert result.time_weighted_share == pytest.approx(static / everything, rel=1e-9)
    left = everything - static
    assert result.time_weighted_bound == pytest.approx(everything / left, rel=1e-9)


@pytest.mark.parametrize("variant", ["hyena", "hybrid"])
@PRESETS
def test_static_share_rises_with_order_while_matrices_are_dense(preset, variant):
    for seq_len in (128, 4096, 300_000):
        results = [
            result_of(shape=preset, variant=variant, hyena_order=order, seq_len=seq_len)
            for order in (1, 2, 3, 4)
        ]
        shares = [result.static_share for result in results]
        assert all(low < high for low, high in pairwise(shares))


@PRESETS
@pytest.mark.parametrize("variant", ["transformer", "hybrid"])
def test_attention_rises_in_proportion_to_the_keys_seen(preset, variant):
    lengths = (128, 129, 4096, 10**6)
    flops = [
        result_of(shape=preset, variant=variant, seq_len=s).flop_per_token.step.attention
        for s in lengths
    ]
    for length, flop in zip(lengths, flops, strict=True):
        mean_keys = visible_pairs(length) / length
        assert flop / mean_keys == pytest.approx(flops[0] / (129 / 2), rel=1e-14)
    assert flops == sorted(flops)


@PRESETS
def test_larger_blocks_cost_less_until_transforms_weigh_more(preset):
    """Products fall with every doubling; up to 256 they outweigh the longer transforms."""
    sizes = (8, 16, 32, 64, 128, 256)
    steps = [
        result_of(shape=preset, variant="block-circulant", block_size=k).flop_per_token.step
        for k in sizes
    ]
    for small, large in pairwise(steps):
        assert large.total < small.total
        assert large.weight_masked < small.weight_masked
        assert large.data_by_data < small.data_by_data
        assert large.transform > small.transform


@settings(max_examples=60)
@given(
    shape=some.sizes(block_size=8, most_d=1024, most_layers=20, least_d=64),
    period=st.integers(2, 64),
    seq_len=st.integers(128, 100_000),
)
def test_hybrid_is_its_layers_of_either_kind(shape, period, seq_len):
    fields = {"shape": "custom", "block_size": 8, "hybrid_period": period, "seq_len": seq_len}
    steps = {
        variant: asdict(result_of(**fields, **shape, variant=variant).flop_per_token.step)
        for variant in ("transformer", "hyena", "hybrid")
    }
    kinds = layer_kinds(shape, {"variant": "hybrid", "hybrid_period": period})
    attending = kinds.count("attention")
    if period > shape["n_layers"]:
        assert attending == 1
    for name, flop in steps["hybrid"].items():
        ends = steps["transformer"][name], steps["hyena"][name]
        mixed = (ends[0] * attending + ends[1] * (len(kinds) - attending)) / len(kinds)
        assert flop == pytest.approx(mixed, rel=1e-12)
        assert min(ends) * (1 - 1e-12) <= flop <= max(ends) * (1 + 1e-12)
    shares = {name: share({k: flop[k] for k in CLASSES}, "transform", "weight_masked")
              for name, flop in steps.items()}  # fmt: skip
    assert 0 == shares["transformer"] <= shares["hybrid"] < shares["hyena"]


@pytest.mark.parametrize("preset", ["llama3-8b", "llama2-7b", "gpt2-small"])
@pytest.mark.parametrize("period", [33, 64])
def test_a_period_beyond_the_depth_leaves_exactly_one_attention_layer(preset, period):
    hybrid = result_of(shape=preset, variant="hybrid", hybrid_period=period)
    every = result_of(shape=preset, variant="transformer")
    one = every.flop_per_token.step.attention / shape_of(preset)["n_layers"]
    assert hybrid.flop_per_token.step.attention == one


@VARIANTS
def test_fft_constant_scales_transforms_and_nothing_else(variant):
    base = asdict(result_of(variant=variant).flop_per_token.step)
    double = asdict(result_of(variant=variant, fft_constant=5.0).flop_per_token.step)
    for name in CLASSES:
        assert double[name] == base[name] * (2 if name == "transform" else 1)


@VARIANTS
def test_accounting_settings_do_not_change_the_flop(variant):
    base = result_of(variant=variant)
    other = result_of(variant=variant, fft_rate=0.01, tokens_per_step=5000)
    assert other.flop_per_token == base.flop_per_token
    assert other.static_share == base.static_share

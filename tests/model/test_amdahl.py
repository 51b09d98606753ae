"""The Amdahl result: fields that agree, sweeps, and DeMo's share by counting."""

from dataclasses import FrozenInstanceError, asdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams, compute_amdahl, length_sweep, variant_flop
from foptrn_model.explorers import AMDAHL
from tests.model import strategies as some
from tests.model.slow_checkpoint import total_parameters
from tests.model.slow_ledger import step_flop, transform_levels

SPECIFIED_FIELDS = {
    "flop_per_token",
    "static_share",
    "amdahl_bound",
    "time_weighted_share",
    "time_weighted_bound",
    "forward_share",
    "forward_bound",
    "forward_time_weighted_share",
    "matmul_params",
    "total_params",
    "six_n_flop",
    "demo_share",
    "conventions",
}


def changed(params, **fields):
    """Another state, checked anew."""
    return AmdahlParams(**params.model_dump() | fields)


def test_result_has_the_specified_fields():
    result = asdict(compute_amdahl(AmdahlParams()))
    assert set(result) >= SPECIFIED_FIELDS
    assert set(result["flop_per_token"]) == {"forward", "backward", "step"}
    classes = {"dense", "attention", "transform", "weight_masked", "data_by_data", "other"}
    assert all(set(flop) == classes | {"total"} for flop in result["flop_per_token"].values())


def test_results_are_frozen_all_the_way_down():
    result = compute_amdahl(AmdahlParams())
    flop = result.flop_per_token
    for part, name in (
        (result, "static_share"),
        (result.conventions, "megatron"),
        (flop, "step"),
        (flop.step, "dense"),
        (length_sweep(AmdahlParams()), "seq_len"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(part, name, 0)


@settings(max_examples=150)
@given(params=some.states())
def test_fields_agree_with_each_other(params):
    result = compute_amdahl(params)
    flop = result.flop_per_token
    for share, bound, part in (
        (result.static_share, result.amdahl_bound, flop.step),
        (result.forward_share, result.forward_bound, flop.forward),
    ):
        assert share * part.total == pytest.approx(part.transform + part.weight_masked, rel=1e-12)
        assert bound * (part.total - part.transform - part.weight_masked) == pytest.approx(
            part.total, rel=1e-12
        )
    weighted = result.time_weighted_share
    assert result.time_weighted_bound * (1 - weighted) == pytest.approx(1, rel=1e-12)
    # Odds of static against other work grow by the ratio of the rates.
    for share, by_time in (
        (result.static_share, weighted),
        (result.forward_share, result.forward_time_weighted_share),
    ):
        odds = by_time / (1 - by_time)
        assert odds * params.fft_rate == pytest.approx(share / (1 - share), rel=1e-9)
        assert 0 <= share <= by_time * (1 + 1e-12) < 1
    assert result.six_n_flop == 6 * result.matmul_params
    assert result.matmul_params < result.total_params
    assert result.forward_flop_per_sequence / params.seq_len == pytest.approx(flop.forward.total)
    assert result.step_flop_per_sequence / params.seq_len == pytest.approx(flop.step.total)


@settings(max_examples=60)
@given(params=some.states())
def test_demo_share_counts_a_transform_of_every_row_and_column(params):
    """Chunks of 64 x 64 stored parameters: each row, then each column, there and back."""
    one_chunk = Fraction(0)
    for _direction in ("DCT", "inverse"):
        for _axis in ("rows", "columns"):
            for _line in range(64):
                one_chunk += sum(Fraction(5, 2) * 64 for _ in range(transform_levels(64)))
    shape, setting = asdict(params.model_shape), params.model_dump()
    chunks = Fraction(total_parameters(shape, setting), 64 * 64)
    step = sum(step_flop(shape, setting)["step"].values())
    expected = chunks * one_chunk / (params.tokens_per_step * step)
    assert compute_amdahl(params).demo_share == pytest.approx(float(expected), rel=1e-12)


@settings(max_examples=40)
@given(params=some.states(), picks=st.lists(st.integers(0, 10**6), min_size=4, max_size=4))
def test_sweep_agrees_with_the_result_at_every_length(params, picks):
    sweep = length_sweep(params)
    indices = {pick % len(sweep.seq_len) for pick in picks}
    indices |= {0, len(sweep.seq_len) - 1, int(np.searchsorted(sweep.seq_len, params.seq_len))}
    for index in indices:
        for variant in some.VARIANTS:
            there = changed(params, seq_len=int(sweep.seq_len[index]), variant=variant)
            result = compute_amdahl(there)
            assert sweep.static_share[variant][index] == pytest.approx(result.static_share)
            assert sweep.amdahl_bound[variant][index] == pytest.approx(result.amdahl_bound)


@settings(max_examples=40)
@given(seq_len=st.integers(128, 1_048_576))
def test_sweep_covers_the_whole_range_and_this_state(seq_len):
    lengths = length_sweep(AmdahlParams(seq_len=seq_len)).seq_len.tolist()
    assert lengths[0] == 128
    assert lengths[-1] == 1_048_576
    assert seq_len in lengths
    assert lengths == sorted(set(lengths))


def test_sweep_shows_the_jump_where_padding_doubles():
    sweep = length_sweep(AmdahlParams())
    share = dict(zip(sweep.seq_len.tolist(), sweep.static_share["hyena"].tolist(), strict=True))
    for power in range(7, 20):
        assert share[2**power + 1] > 1.9 * share[2**power]


@settings(max_examples=60)
@given(params=some.states())
def test_variants_side_by_side_are_each_variants_own_result(params):
    together = variant_flop(params)
    assert tuple(together) == some.VARIANTS
    for variant, flop in together.items():
        assert compute_amdahl(changed(params, variant=variant)).flop_per_token == flop


@settings(max_examples=100)
@given(params=some.states(), data=st.data())
def test_an_inactive_field_has_no_effect_and_an_active_one_has(params, data):
    others = {
        "hyena_order": st.integers(1, 4),
        "hybrid_period": st.integers(2, 64),
        "block_size": st.sampled_from([8, 16, 32, 64]),
    }
    base = compute_amdahl(params)
    for name, strategy in others.items():
        value = data.draw(strategy)
        try:
            other = changed(params, **{name: value})
        except ValueError:
            continue  # a block that does not divide this shape
        if name in params.inactive():
            assert compute_amdahl(other) == base
        elif name != "hybrid_period" and value != getattr(params, name):
            layers_of_hyena = base.flop_per_token.step.weight_masked > 0
            assert (compute_amdahl(other) != base) == layers_of_hyena


@pytest.mark.parametrize("variant", some.VARIANTS)
@pytest.mark.parametrize("shape", [*some.PRESET_NAMES, "custom"])
def test_sizes_are_inactive_exactly_under_a_preset(shape, variant):
    inactive = AmdahlParams(shape=shape, variant=variant).inactive()
    sizes = {*some.SHAPE_NUMBERS, *some.OPTIONAL_SIZES}
    assert inactive & sizes == (set() if shape == "custom" else sizes)


@settings(max_examples=60)
@given(params=some.states())
def test_answer_names_the_sizes_in_force(params):
    answer = AMDAHL.answer(params)
    assert set(answer) == {"explorer", "version", "params", "result", "verdict"}
    assert set(answer["params"]) == set(AmdahlParams.specs())
    assert None not in answer["params"].values()
    sizes = {name: answer["params"][name] for name in asdict(params.model_shape)}
    assert sizes == asdict(params.model_shape)
    # Whoever asks again with a custom shape of these sizes gets the same result.
    again = AmdahlParams(**answer["params"] | {"shape": "custom"})
    assert compute_amdahl(again) == compute_amdahl(params)

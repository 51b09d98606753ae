"""The ledger against the walking oracle: presets, random shapes, the step's parts."""

import random
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.ledger import CLASSES, padded_length, stored_parameters, training_work
from foptrn_model.shapes import PRESETS, Shape
from tests.model import strategies as some
from tests.model.slow_checkpoint import matmul_parameters, total_parameters
from tests.model.slow_ledger import CLASSES as WALKED_CLASSES
from tests.model.slow_ledger import padded, share, step_flop

LENGTHS = (128, 1000, 2048, 4096, 4097, 131_072)
STATIC = ("transform", "weight_masked")


def assert_same(result, walked):
    """Result and oracle agree to the rounding of a few float operations."""
    for direction in ("forward", "backward", "step"):
        flop = asdict(getattr(result.flop_per_token, direction))
        for name in CLASSES:
            expected = walked[direction][name]
            assert flop[name] == pytest.approx(float(expected), rel=1e-13), (direction, name)
        assert flop["total"] == pytest.approx(float(sum(walked[direction].values())), rel=1e-13)
    assert result.static_share == pytest.approx(float(share(walked["step"], *STATIC)), rel=1e-12)
    assert result.forward_share == pytest.approx(
        float(share(walked["forward"], *STATIC)), rel=1e-12
    )


def test_classes_are_those_of_the_specification():
    assert set(CLASSES) == set(WALKED_CLASSES)
    assert len(CLASSES) == len(WALKED_CLASSES)


@pytest.mark.parametrize("seq_len", LENGTHS)
@pytest.mark.parametrize("variant", some.VARIANTS)
@pytest.mark.parametrize("preset", some.PRESET_NAMES)
def test_presets_cost_what_walking_them_finds(preset, variant, seq_len):
    params = AmdahlParams(shape=preset, variant=variant, seq_len=seq_len)
    walked = step_flop(asdict(PRESETS[preset].shape), params.model_dump())
    assert_same(compute_amdahl(params), walked)


@pytest.mark.parametrize("variant", some.VARIANTS)
@pytest.mark.parametrize("preset", some.PRESET_NAMES)
def test_presets_with_every_setting_changed(preset, variant):
    params = AmdahlParams(
        shape=preset,
        variant=variant,
        seq_len=3000,
        hyena_order=3,
        hybrid_period=5,
        block_size=128,
        recompute="full",
        fft_constant=3.7,
    )
    walked = step_flop(asdict(PRESETS[preset].shape), params.model_dump())
    assert_same(compute_amdahl(params), walked)


@settings(max_examples=150)
@given(values=some.raw_states())
def test_random_states_cost_what_walking_them_finds(values):
    if values["block_size"] * 512 < values.get("d_model", 0):
        values["variant"] = "hyena"  # too many blocks to walk
    params = AmdahlParams(**values)
    # A custom shape is Llama-3-8B where it says nothing else.
    shape = asdict(PRESETS["llama3-8b" if params.shape == "custom" else params.shape].shape)
    shape |= {name: value for name, value in values.items() if name in shape}
    result = compute_amdahl(params)
    assert_same(result, step_flop(shape, params.model_dump()))
    assert result.matmul_params == matmul_parameters(shape, params.model_dump())
    assert result.total_params == total_parameters(shape, params.model_dump())


@settings(max_examples=100)
@given(data=st.data(), block_size=st.sampled_from([2, 4, 8]))
def test_tiny_shapes_that_no_page_allows(data, block_size):
    """The function itself holds below the params' bounds, down to one token."""
    shape = data.draw(some.sizes(block_size=block_size, most_d=64, most_heads=6, most_layers=9))
    setting = data.draw(some.variant_settings(block_size=block_size, lengths=st.integers(1, 40)))
    recompute = setting.pop("recompute")
    variant, seq_len = setting.pop("variant"), setting.pop("seq_len")
    work = training_work(Shape(**shape), variant, seq_len, **setting)
    if recompute == "full":
        work = work.recomputed()
    setting |= {"variant": variant, "seq_len": seq_len, "recompute": recompute}
    walked = step_flop(shape, setting)
    for row, name in enumerate(CLASSES):
        for direction in ("forward", "backward", "step"):
            got = getattr(work, direction)[row, 0]
            assert got == pytest.approx(float(walked[direction][name]), rel=1e-13)


def test_padded_length_just_around_powers_of_two():
    lengths = [
        length for power in range(1, 21) for length in (2**power - 1, 2**power, 2**power + 1)
    ]
    lengths += random.Random(0).sample(range(1, 2**20), 50)
    np.testing.assert_array_equal(padded_length(lengths), [padded(length) for length in lengths])


@pytest.mark.parametrize("variant", some.VARIANTS)
def test_many_lengths_at_once_are_each_length_alone(variant):
    shape = PRESETS["gpt2-small"].shape
    together = training_work(shape, variant, LENGTHS)
    for column, seq_len in enumerate(LENGTHS):
        alone = training_work(shape, variant, seq_len)
        np.testing.assert_array_equal(together.forward[:, column], alone.forward[:, 0])
        np.testing.assert_array_equal(together.backward[:, column], alone.backward[:, 0])


@pytest.mark.parametrize("variant", some.VARIANTS)
def test_defaults_of_the_function_are_those_of_the_params(variant):
    params = AmdahlParams(variant=variant)
    work = training_work(params.model_shape, variant, params.seq_len)
    flop = asdict(compute_amdahl(params).flop_per_token.step)
    assert dict(zip(CLASSES, work.step[:, 0].tolist(), strict=True)) == {
        name: flop[name] for name in CLASSES
    }
    stored = stored_parameters(params.model_shape, variant)
    assert stored.matmul == compute_amdahl(params).matmul_params
    assert stored.total == compute_amdahl(params).total_params

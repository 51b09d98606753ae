"""Masks: the published table, identities, break-evens by brute force, limits."""

import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.explorers import MASKS
from foptrn_model.masks import MasksParams, compute_masks, mask_values
from foptrn_model.parameters import ParamsError
from tests.model import strategies as some
from tests.model.slow_ledger import padded

DEVICES = {"dmd-1-bit": 20_000, "dmd-8-bit": 1_031, "mems-phase": 1_440, "liquid-crystal": 30}
TABLE = {
    # variant, length: values, frames, milliseconds at 20 kHz and 1,031 Hz, seconds at 30 Hz
    ("hyena", 2_048): (537_133_056, 269, "13.4", "261", "9.0"),
    ("hyena", 32_768): (8_590_196_736, 4_296, "214.8", "4167", "143.2"),
    ("block-circulant", 2_048): (552_456_192, 277, "13.8", "269", "9.2"),
    ("block-circulant", 32_768): (8_605_519_872, 4_303, "215.2", "4174", "143.4"),
}


def changed(params, **values):
    return type(params)(**params.model_dump() | values)


@pytest.mark.parametrize(("variant", "seq_len"), TABLE)
def test_the_published_table(variant, seq_len):
    values, frames, *times = TABLE[variant, seq_len]
    rates = (20_000.0, 1_031.0, 30.0)
    for rate, shown, unit in zip(rates, times, (1e-3, 1e-3, 1), strict=True):
        result = compute_masks(MasksParams(variant=variant, seq_len=seq_len, frame_rate_hz=rate))
        assert result.mask_values_forward == values
        assert result.frames_forward == frames
        digits = len(shown.partition(".")[2])
        assert f"{result.mask_time_forward_s / unit:.{digits}f}" == shown


def test_defaults_and_bounds_are_those_of_the_specification():
    assert MasksParams().model_dump(include=set(some.MASKS_BOUNDS)) == {
        "sequences_per_step": 512, "slm_megapixels": 2, "pixels_per_value": 1,
        "frame_rate_hz": 1031, "engines": 1, "gpus": 256, "gpu_tflops": 989, "mfu": 0.4,
        "pipeline_stages": 4, "microbatches": 16, "tensor_parallel": 1, "pass_time_s": 0,
    }  # fmt: skip
    for name, (low, high) in some.MASKS_BOUNDS.items():
        spec = MasksParams.specs()[name]
        assert (spec.low, spec.high) == (low, high)
        for value in (low, high):
            MasksParams.parse({name: value})
        for value in (low - 1, high + 1):
            with pytest.raises(ParamsError, match=name):
                MasksParams.parse({name: value})


@pytest.mark.parametrize("name", DEVICES)
def test_devices_have_their_published_rates(name):
    shortcut = next(item for item in MASKS.shortcuts.items if item.name == name)
    assert shortcut.values == {"frame_rate_hz": DEVICES[name]}
    state = changed(MasksParams(), **shortcut.values)
    assert MASKS.shortcuts.of(state) == shortcut


# Mask values by a slow route ---------------------------------------------------


@settings(max_examples=40)
@given(params=some.masks_states(), seed=st.integers(0, 2**32 - 1))
def test_mask_values_are_the_bins_of_real_filters(params, seed):
    """Count the values that a real filter's spectrum has, layer by layer."""
    shape = params.model_shape
    rng = np.random.default_rng(seed)
    length = padded(params.seq_len)
    # A filter's transform has the same number of bins in every channel; one is transformed,
    # short enough to be quick: bins of the long one follow from bins of halves.
    short = min(length, 4096)
    bins = np.fft.rfft(rng.normal(size=short)).size
    assert np.fft.rfft(rng.normal(size=2 * short)).size == 2 * bins - 1
    while short < length:
        short, bins = 2 * short, 2 * bins - 1
    total = 0
    for layer in range(shape.n_layers):
        attention = params.variant == "transformer" or (
            params.variant == "hybrid" and layer % params.hybrid_period == 0
        )
        if not attention:
            total += params.hyena_order * shape.d_model * bins
        if params.variant == "block-circulant":
            k = params.block_size
            block = np.fft.rfft(rng.normal(size=k)).size
            d, streams = shape.d_model, params.hyena_order + 1
            for rows, cols in ((streams * d, d), (d, d), *shape.mlp_matrices):
                total += (rows // k) * (cols // k) * block
    assert mask_values(params).total == total


@given(params=some.masks_states())
def test_frames_hold_the_values_and_no_frame_is_spare(params):
    result = compute_masks(params)
    room = round(params.slm_megapixels * 1e6)
    needed = result.mask_values_forward * params.pixels_per_value
    assert result.frames_forward * room >= needed * (1 - 1e-12)
    if needed:
        assert (result.frames_forward - 1) * room < needed


def test_a_panel_that_holds_exactly_all_values_needs_one_frame():
    """Decimal megapixels are whole numbers of pixels, whatever their binary form."""
    params = MasksParams(shape="custom", n_layers=1, d_model=128, n_heads=1, n_kv_heads=1,
                         d_ff=256, block_size=8, seq_len=128, hyena_order=1)  # fmt: skip
    values = compute_masks(params).mask_values_forward
    exact = changed(params, slm_megapixels=values / 1e6)
    assert compute_masks(exact).frames_forward == 1
    assert compute_masks(changed(params, slm_megapixels=(values - 1) / 1e6)).frames_forward == 2


# Identities --------------------------------------------------------------------


@given(params=some.masks_states())
def test_times_add_up(params):
    result = compute_masks(params)
    repeats = params.sequences_per_step if params.order == "sequence-major" else 1
    written = (result.frames_forward + result.frames_backward) * repeats
    rate = params.frame_rate_hz * params.engines * params.tensor_parallel
    assert result.frames_per_step == result.frames_forward + result.frames_backward
    assert result.mask_time_s * rate == pytest.approx(written, rel=1e-12)
    assert result.mask_over_digital * result.digital_step_time_s == pytest.approx(
        result.mask_time_s, rel=1e-12
    )


@given(params=some.masks_states())
def test_overlap_is_never_slower_than_the_sum_nor_faster_than_either_side(params):
    with_overlap = compute_masks(changed(params, overlap=True))
    without = compute_masks(changed(params, overlap=False))
    assert with_overlap.step_time_s <= without.step_time_s
    assert with_overlap.step_time_s >= max(
        with_overlap.mask_time_s, with_overlap.digital_step_time_s
    )
    light = params.pass_time_s if without.mask_values_forward else 0
    assert without.step_time_s == pytest.approx(
        without.mask_time_s + without.digital_step_time_s + light, rel=1e-12
    )


@pytest.mark.parametrize("name", ["engines", "frame_rate_hz", "tensor_parallel"])
@given(params=some.masks_states(engines=7, frame_rate_hz=333.0, tensor_parallel=3))
def test_doubling_engines_rate_or_ranks_halves_mask_time(name, params):
    before = compute_masks(params)
    after = compute_masks(changed(params, **{name: 2 * getattr(params, name)}))
    assert after.mask_time_s * 2 == pytest.approx(before.mask_time_s, rel=1e-12)
    assert after.digital_step_time_s == before.digital_step_time_s


@given(params=some.masks_states())
def test_reuse_leaves_no_backward_frames(params):
    reuse = compute_masks(changed(params, conjugate_mask="reuse"))
    rewrite = compute_masks(changed(params, conjugate_mask="rewrite"))
    assert reuse.frames_backward == 0
    assert rewrite.frames_backward == rewrite.frames_forward == reuse.frames_forward
    assert reuse.mask_time_s * 2 == pytest.approx(rewrite.mask_time_s, rel=1e-12)


@given(params=some.masks_states(order="layer-major"), times=st.integers(2, 50))
def test_layer_major_masks_cost_the_same_for_any_number_of_sequences(params, times):
    many = min(params.sequences_per_step * times, 10**6)
    here, more = compute_masks(params), compute_masks(changed(params, sequences_per_step=many))
    assert here.mask_time_s == more.mask_time_s
    assert more.digital_step_time_s == pytest.approx(
        here.digital_step_time_s * many / params.sequences_per_step, rel=1e-12
    )


@given(params=some.masks_states(order="sequence-major"))
def test_sequence_major_writes_once_per_sequence(params):
    once = compute_masks(changed(params, sequences_per_step=1))
    assert compute_masks(params).mask_time_s == pytest.approx(
        params.sequences_per_step * once.mask_time_s, rel=1e-12
    )
    layer = compute_masks(changed(params, sequences_per_step=1, order="layer-major"))
    assert once.mask_time_s == layer.mask_time_s


@given(params=some.masks_states())
def test_digital_time_is_the_amdahl_ledger_at_the_machines_rate(params):
    shared = params.model_dump(include=set(AmdahlParams.model_fields))
    ledger = compute_amdahl(AmdahlParams(**shared))
    rate = params.gpus * params.gpu_tflops * params.mfu * 1e12
    assert compute_masks(params).digital_step_time_s * rate == pytest.approx(
        ledger.step_flop_per_sequence * params.sequences_per_step, rel=1e-12
    )


# Break-evens by brute force ------------------------------------------------------

ALL_SEQUENCES = np.arange(1, 10**6 + 1)


@settings(max_examples=60)
@given(params=some.masks_states())
def test_break_even_sequences_agree_with_every_number_from_1_to_a_million(params):
    single = compute_masks(changed(params, order="layer-major", sequences_per_step=1))
    digital = single.digital_step_time_s * ALL_SEQUENCES
    works = digital >= single.mask_time_s
    found = compute_masks(params).break_even_sequences
    if not single.mask_values_forward:
        assert found == "always"
    elif not works.any():
        assert found == "never"
    else:
        assert found != "never"
        assert abs(found - ALL_SEQUENCES[works][0]) <= 1


@given(params=some.masks_states(order="layer-major"))
def test_masks_hide_at_the_break_even_and_not_well_below(params):
    found = compute_masks(params).break_even_sequences
    if found == "always":
        assert compute_masks(params).mask_time_s == 0
        return
    if found == "never":
        most = compute_masks(changed(params, sequences_per_step=10**6))
        assert most.mask_over_digital > 1
        return
    assert compute_masks(changed(params, sequences_per_step=found)).mask_over_digital <= 1 + 1e-9
    if found > 2:
        below = compute_masks(changed(params, sequences_per_step=found - 2))
        assert below.mask_over_digital > 1


@given(params=some.masks_states(order="layer-major"))
def test_both_times_are_equal_at_the_break_even_frame_rate(params):
    here = compute_masks(params)
    found = here.break_even_frame_rate_hz
    if found == "always":
        assert here.mask_time_s == 0
    elif found == "never":
        assert compute_masks(changed(params, frame_rate_hz=1e6)).mask_over_digital > 1
    else:
        # Mask time is inverse to the rate, so a rate below the range can be checked as well.
        assert here.mask_time_s * params.frame_rate_hz / found == pytest.approx(
            here.digital_step_time_s, rel=1e-9
        )
        if found >= 1:
            assert compute_masks(changed(params, frame_rate_hz=found)).mask_over_digital <= 1


@pytest.mark.parametrize("gpus", [7, 31, 110, 299])
def test_a_modulator_of_the_break_even_rate_is_fast_enough(gpus):
    params = MasksParams(gpus=gpus, sequences_per_step=777)
    there = changed(params, frame_rate_hz=compute_masks(params).break_even_frame_rate_hz)
    assert compute_masks(there).mask_over_digital <= 1
    assert compute_masks(there).break_even_sequences == 777


@given(params=some.masks_states())
def test_the_needed_rate_makes_both_times_equal_in_either_order(params):
    needed = compute_masks(params).needed_frame_rate_hz
    if 1 <= needed <= 1e6:
        there = compute_masks(changed(params, frame_rate_hz=needed))
        assert there.mask_over_digital == pytest.approx(1, rel=1e-9)


def test_never_is_a_word_everywhere():
    query = "frame_rate_hz=1&gpus=1000000&slm_megapixels=0.01&seq_len=128"
    params = MasksParams.from_query(query)
    answer = MASKS.answer(params)
    assert answer["result"]["break_even_sequences"] == "never"
    assert "never" in answer["verdict"]
    assert MASKS.params.from_query("") == MasksParams()
    fast = MASKS.answer(MasksParams.from_query(query + "&sequences_per_step=1"))
    assert fast["result"]["break_even_frame_rate_hz"] == "never"
    rows = {step.name: step.value for step in MASKS.working(params, compute_masks(params)).steps}
    assert rows["Break-even sequences per step, layer-major"] == "never"


@given(params=some.masks_states(variant="transformer"))
def test_a_transformer_has_no_masks(params):
    result = compute_masks(params)
    assert result.mask_values_forward == result.frames_per_step == 0
    assert result.mask_time_s == result.mask_over_digital == 0
    assert result.step_time_s == result.digital_step_time_s
    assert result.break_even_sequences == result.break_even_frame_rate_hz == "always"
    assert "no masks" in MASKS.verdict(params, result)


# Memory, pipeline, tensor parallelism ---------------------------------------------


def test_memory_and_bubble_of_the_default_case():
    result = compute_masks(MasksParams())
    assert result.activation_bytes_layer_major == 512 * 4096 * 4096 * 2 * 32
    assert result.activation_bytes_pipeline == 512 / 16 * 4096 * 4096 * 2 * 32
    assert result.pipeline_bubble == pytest.approx(3 / 19)
    assert result.tensor_parallel_allreduce_bytes == 0


@given(params=some.masks_states(pipeline_stages=1, microbatches=1))
def test_one_stage_and_one_microbatch_is_no_pipeline(params):
    result = compute_masks(params)
    assert result.pipeline_bubble == 0
    assert result.activation_bytes_pipeline == result.activation_bytes_layer_major


@pytest.mark.parametrize("ranks", [2, 3, 8])
def test_all_reduce_bytes_by_passing_chunks_around_a_ring(ranks):
    """Let ranks pass chunks of one activation tensor; count what all of them send."""
    params = MasksParams(tensor_parallel=ranks, shape="custom", n_layers=3, d_model=96,
                         n_heads=3, n_kv_heads=3, d_ff=192, block_size=8, seq_len=128,
                         sequences_per_step=5)  # fmt: skip
    tensor_bytes = 5 * 128 * 96 * 2
    sent = 0.0
    chunks = np.eye(ranks)  # rank r holds its own part of every chunk
    for phase in ("reduce", "gather"):
        for _ in range(ranks - 1):
            sent += ranks * tensor_bytes / ranks
            chunks = np.maximum(chunks, np.roll(chunks, 1, axis=0))
        assert chunks.all(), phase
    layers, sums_per_layer = 3, 4
    assert compute_masks(params).tensor_parallel_allreduce_bytes == pytest.approx(
        layers * sums_per_layer * sent
    )


@given(params=some.masks_states())
def test_every_number_is_finite_and_every_word_is_known(params):
    for value in asdict(compute_masks(params)).values():
        for item in value.values() if isinstance(value, dict) else [value]:
            if isinstance(item, str):
                assert item in ("never", "always")
            else:
                assert math.isfinite(item)
                assert item >= 0

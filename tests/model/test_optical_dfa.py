"""Time, memory and energy of a step by light: identities, limits, brute force, the given table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.explorers import OPTICAL_DFA
from foptrn_model.optical_dfa import (
    METHODS,
    TERMS,
    compute_optical_dfa,
    fused_gain_s,
    gain_over_dfa_s,
    gain_s,
    loss_s,
    needed_frame_rate_hz,
    optical_projection_s,
    step_terms,
    step_times_s,
)
from foptrn_model.optical_dfa_memory import memory_bytes, wall_depth, wall_width
from foptrn_model.optical_dfa_params import EXPERIMENT_FIELDS, OpticalDfaParams, experiment_params
from foptrn_model.optical_dfa_presets import OPTICAL_DFA_PRESETS
from foptrn_model.optical_dfa_search import next_crossing
from foptrn_model.optical_dfa_series import crossover_map, sweep
from foptrn_model.optical_dfa_simulation import CAP_S, OPTICAL_DFA_SIMULATION, check_cost
from foptrn_model.optical_dfa_tables import methods_table
from tests.model.strategies import _spread

DEFAULT = OpticalDfaParams()
ENDLESS = {
    "gpu_tflops": 100_000.0, "gpu_memory_GBps": 1_000_000.0, "gpu_memory_GB": 100_000.0,
}  # fmt: skip


def at(**fields):
    return compute_optical_dfa(OpticalDfaParams(**fields))


@st.composite
def states(draw, **fixed):
    """Valid states of any kind, spread over their bounds."""
    specs = OpticalDfaParams.specs()
    values = {
        name: draw(_spread(max(specs[name].low, specs[name].floor or specs[name].low), specs[name].high))
        for name in (
            "depth", "width", "batch", "errors_per_sample", "frame_rate_hz", "passes", "camera_fps",
            "gpu_tflops", "gpu_memory_GBps", "gpu_memory_GB", "launch_us", "pcie_GBps",
        )
    }  # fmt: skip
    values["matrices_per_layer"] = draw(st.integers(1, 24))
    values["error_length"] = draw(st.sampled_from([0, 10, 50_000]))
    kinds = {name: int if specs[name].kind == "int" else float for name in values}
    return OpticalDfaParams(**{n: kinds[n](v) for n, v in values.items()} | fixed)


# The specification's table and checks -------------------------------------------------


@pytest.mark.parametrize(
    ("width", "milliseconds", "ratio"),
    [
        (256, (7, 7, 325), "48.6"),
        (1_540, (26, 26, 339), "13.2"),
        (3_080, (375, 236, 383), "1.6"),
        (5_300, (10_126, 5_200, 3_806), "0.73"),
    ],
)
def test_the_table_of_96_layers(width, milliseconds, ratio):
    result = at(depth=96, width=width)
    assert tuple(round(1e3 * result.step_time_s[name]) for name in METHODS) == milliseconds
    digits = len(ratio.partition(".")[2])
    assert f"{result.optical_over_dfa:.{digits}f}" == ratio


def test_light_first_wins_at_about_the_published_width():
    assert at().crossover_width == pytest.approx(3_084, abs=1)


def test_the_ratio_to_gpu_dfa_falls_steadily_to_the_crossover():
    widths = np.arange(256, 3_081)
    step = step_times_s(DEFAULT, 96, widths)
    ratio = step["odfa"] / step["dfa"]
    assert ratio[0] == pytest.approx(49, abs=0.5)
    assert (np.diff(ratio) <= 1e-12 * ratio[:-1]).all()
    assert ratio[-1] < 2


def test_the_published_shape_is_smaller_than_the_largest_network():
    assert round(at().weights / 1e9, 2) == 0.91
    offloaded = at(matrices_per_layer=3)
    assert round(offloaded.weights / 1e9, 1) == 2.7
    assert offloaded.regime == {"bp": "offload", "dfa": "offload", "odfa": "offload"}
    assert offloaded.optical_over_bp < 1


@pytest.mark.parametrize("field", ["batch", "errors_per_sample", "passes"])
@given(state=states(width=400, depth=20, passes=7, batch=48, errors_per_sample=9))
@settings(max_examples=20)
def test_projections_double_exactly_with_what_they_count(field, state):
    twice = state.model_copy(update={field: 2 * getattr(state, field)})
    one, two = (float(optical_projection_s(p, p.depth, p.width)) for p in (state, twice))
    assert two == 2 * one


def test_projections_cost_the_same_until_reading_the_camera_takes_longer():
    widths = np.arange(16, 4_000)
    seconds = optical_projection_s(DEFAULT, 96, widths)
    bound = np.flatnonzero(seconds > seconds[0])[0]
    assert (seconds[:bound] == 128 * 5 / 2_000).all()
    # From there on whole rows are added, each a 1,088th of a full frame.
    rows = np.diff(seconds[bound:]) / (128 * 5 / 340 / 1_088)
    assert np.allclose(rows, rows.round(), atol=1e-6)
    assert set(rows.round()) == {0, 1}
    # 500 us less the guard are 166 rows of 2,048 pixels.
    assert widths[bound] == 166 * 2_048 // 96 + 1


def test_a_transformer_pays_per_token():
    preset = next(item for item in OPTICAL_DFA_PRESETS if item.name == "transformer")
    state = OpticalDfaParams.from_query(preset.query)
    classifier = state.model_copy(update={"errors_per_sample": 1})
    tokens, samples = (
        compute_optical_dfa(p).projection_time_s["odfa"] for p in (state, classifier)
    )
    assert tokens == pytest.approx(1_024 * samples, rel=1e-12)
    assert compute_optical_dfa(state).optical_over_bp > 3


# Identities ---------------------------------------------------------------------------


@given(states())
def test_parts_of_a_step_sum_to_it_and_the_largest_names_the_regime(state):
    result = compute_optical_dfa(state)
    table = methods_table(state, result, OPTICAL_DFA.series(state))
    for row, method in zip(table.rows, METHODS, strict=True):
        terms = dict(zip(TERMS, row[1 : 1 + len(TERMS)], strict=True))
        assert sum(terms.values()) == pytest.approx(result.step_time_s[method], rel=1e-12)
        assert terms[result.regime[method]] == max(terms.values())
        assert not (terms["frame-rate"] and terms["camera"])
        if method != "odfa":
            assert terms["frame-rate"] == terms["camera"] == 0


@given(states())
def test_methods_differ_by_feedback_and_offloading_only(state):
    step = step_times_s(state, state.depth, state.width)
    for method, gain in (("bp", gain_s), ("dfa", gain_over_dfa_s)):
        difference = float(step[method] - step["odfa"])
        sides = float(
            gain(state, state.depth, state.width) - loss_s(state, state.depth, state.width)
        )
        assert difference == pytest.approx(sides, abs=1e-9 * float(step[method] + step["odfa"]))


@given(states())
def test_backpropagation_that_updates_layer_by_layer_gains_from_memory_alone(state):
    """Between holding all gradients and a card on which nothing is offloaded."""
    roomy = state.model_copy(update={"gpu_memory_GB": 1e15})
    at_state = (state.depth, state.width)
    bounds = (float(gain_s(roomy, *at_state)), float(gain_s(state, *at_state)))
    fused = float(fused_gain_s(state, *at_state))
    assert bounds[0] * (1 - 1e-9) <= fused <= bounds[1] * (1 + 1e-9)
    one = state.model_copy(update={"depth": 1})  # a single layer's gradients are all there are
    assert float(fused_gain_s(one, 1, state.width)) == pytest.approx(
        float(gain_s(one, 1, state.width)), rel=1e-9
    )


@given(states())
def test_feedback_matrices_are_what_light_saves_in_memory(state):
    result = compute_optical_dfa(state)
    length = state.error_length or state.width
    saved = result.memory_bytes["dfa"] - result.memory_bytes["odfa"]
    assert saved == pytest.approx(4 * length * state.width * state.depth, rel=1e-6)
    words = 4 * result.weights  # gradients of all layers but one, which DFA never holds at once
    assert result.memory_bytes["bp"] - result.memory_bytes["odfa"] == pytest.approx(
        words * (1 - 1 / state.depth), rel=1e-6, abs=1
    )


@given(states())
def test_memory_at_the_wall_is_what_the_card_holds(state):
    room = state.gpu_memory_GB * 1e9
    for method in METHODS:
        wall = float(wall_width(state, method, state.depth))
        assert float(memory_bytes(state, method, state.depth, wall)) == pytest.approx(
            room, rel=1e-6
        )
        deep = float(wall_depth(state, method, state.width))
        if deep > 1:
            assert float(memory_bytes(state, method, deep, state.width)) == pytest.approx(
                room, rel=1e-6
            )
        terms = step_terms(state, state.depth, np.array([wall * 0.999, wall * 1.001]))[method]
        assert terms["offload"][0] == 0 < terms["offload"][1]


@given(states())
def test_energy_is_time_times_power(state):
    result = compute_optical_dfa(state)
    for method in METHODS:
        watts = state.gpu_W + (state.opu_W if method == "odfa" else 0)
        assert result.energy_J[method] / result.step_time_s[method] == pytest.approx(watts)


# Limits -------------------------------------------------------------------------------


def test_what_costs_nothing_leaves_launches():
    result = at(**ENDLESS, depth=7, width=16, batch=1)
    launch = 7 * 16e-6
    assert result.step_time_s["bp"] == pytest.approx(4 * launch, rel=1e-3)
    assert result.step_time_s["dfa"] == pytest.approx(4 * launch, rel=1e-3)
    optical = result.step_time_s["odfa"] - result.projection_time_s["odfa"]
    assert optical == pytest.approx(3 * launch, rel=1e-3)
    assert set(result.regime.values()) == {"launch", "frame-rate"}


def test_arithmetic_alone_is_six_flop_per_weight_and_sample():
    result = at(launch_us=0, gpu_memory_GBps=1e6, gpu_memory_GB=1e5, batch=65_536, width=4_096)
    flop = 6 * result.weights * 65_536
    assert result.step_time_s["bp"] == pytest.approx(flop / 12e12, rel=2e-3)
    assert result.regime["bp"] == "compute"


def test_every_regime_is_met():
    named = {
        "launch": at(width=64).regime["bp"],
        "compute": at(width=1_540).regime["bp"],
        "memory-bandwidth": at(width=1_540, batch=1, gpu_memory_GB=1e3).regime["bp"],
        "offload": at(width=5_300).regime["bp"],
        "frame-rate": at().regime["odfa"],
        "camera": at(frame_rate_hz=1e5).regime["odfa"],
    }
    assert named == {name: name for name in TERMS}


# Crossovers and the inverse -----------------------------------------------------------


def brute(state, along, gain=gain_s):
    """Every size of the field, one after another."""
    spec = OpticalDfaParams.specs()[along]
    sizes = np.arange(int(spec.low), int(spec.high) + 1)
    depth, width = (state.depth, sizes) if along == "width" else (sizes, state.width)
    wins = gain(state, depth, width) > loss_s(state, depth, width)
    if wins.all():
        return "always"
    return int(sizes[wins.argmax()]) if wins.any() else "never"


@given(states())
@settings(max_examples=25)
def test_crossovers_are_what_trying_every_size_gives(state):
    result = compute_optical_dfa(state)
    assert result.crossover_width == brute(state, "width")
    assert result.crossover_depth == brute(state, "depth")
    assert result.crossover_width_dfa == brute(state, "width", gain_over_dfa_s)
    assert result.crossover_depth_dfa == brute(state, "depth", gain_over_dfa_s)


@pytest.mark.parametrize(
    "fields",
    [
        # Near-ties where the camera's rows come one by one: winning and losing alternate.
        {"frame_rate_hz": 1e7, "camera_fps": 3_400.0, "passes": 1, "batch": 512, "launch_us": 0.0},
        {"frame_rate_hz": 1e6, "gpu_tflops": 1.0, "launch_us": 100.0, "batch": 1, "depth": 2_000},
        {"launch_us": 10_000.0, "batch": 1, "frame_rate_hz": 1e7, "camera_fps": 1e6, "passes": 1},
        {"frame_rate_hz": 1.0, "width": 16, "gpu_memory_GB": 1e5, "gpu_tflops": 1e5},
    ],
)
def test_crossovers_of_awkward_states(fields):
    state = OpticalDfaParams(**fields)
    result = compute_optical_dfa(state)
    assert result.crossover_width == brute(state, "width")
    assert result.crossover_depth == brute(state, "depth")


def test_crossovers_are_also_words():
    always = at(depth=1, batch=1, frame_rate_hz=1e7, camera_fps=1e6, passes=1, launch_us=1_000.0)
    assert (always.crossover_width, always.crossover_depth) == ("always", "always")
    assert at(width=256).crossover_depth == "never"


@given(states())
def test_the_needed_frame_rate_draws_level(state):
    needed = float(needed_frame_rate_hz(state, state.depth, state.width))
    result = compute_optical_dfa(state)
    if np.isfinite(needed):
        assert result.frame_rate_to_break_even_hz == needed
        level = state.model_copy(update={"frame_rate_hz": needed})
        step = step_times_s(level, state.depth, state.width)
        assert float(step["odfa"]) == pytest.approx(float(step["bp"]), rel=1e-9)
    else:
        assert result.frame_rate_to_break_even_hz == "never"
        fastest = compute_optical_dfa(state.model_copy(update={"frame_rate_hz": 1e7}))
        assert fastest.optical_over_bp > 1


def test_no_frame_rate_helps_where_the_camera_is_what_limits():
    assert at(width=256).frame_rate_to_break_even_hz == "never"
    assert at(width=3_200).frame_rate_to_break_even_hz < 2_000 < at().frame_rate_to_break_even_hz


TWICE = {
    "launch_us": 1_000.0, "batch": 16, "frame_rate_hz": 100_000.0, "camera_fps": 20.0,
    "gpu_memory_GB": 80.0,
}  # fmt: skip
"""Light wins, loses and wins again over width."""


def test_light_that_has_lost_wins_again_at_the_next_crossing():
    state = OpticalDfaParams(**TWICE, width=1_000)
    step = step_times_s(state, state.depth, np.arange(1_001, 10_000))
    again = 1_001 + int((step["odfa"] < step["bp"]).argmax())
    assert next_crossing(state, "width", gain_s, loss_s) == again
    assert compute_optical_dfa(state).crossover_width == 16
    assert compute_optical_dfa(state).optical_over_bp > 1


@given(states(), st.sampled_from(["width", "depth"]))
@settings(max_examples=20)
def test_a_sweep_holds_both_sides_of_every_change_it_shows(state, along):
    found = sweep(state, along, [])
    sizes = found.sizes
    labels = [found.regime[method] for method in METHODS]
    labels += [found.step_s["odfa"] < found.step_s[method] for method in ("bp", "dfa")]
    for values in labels:
        changed = values[1:] != values[:-1]
        assert (np.diff(sizes)[changed] == 1).all()
    for method in METHODS:
        over = found.memory_bytes[method] > state.gpu_memory_GB * 1e9
        if over.any() and not over.all():
            assert np.diff(sizes)[over.argmax() - 1] == 1
            offloaded = found.regime[method] == "offload"
            assert not (offloaded & ~over).any()


def test_lines_of_the_map_lie_where_steps_are_equal():
    state = OpticalDfaParams(**TWICE)
    found = crossover_map(state)
    for method in ("bp", "dfa"):
        assert np.isfinite(found.equal[method]).any(axis=1)[:2].all()
        for line in found.equal[method]:
            there = np.isfinite(line)
            # Within a step of the grid, which is all that a picture needs at a cliff.
            sides = (
                step_times_s(state, found.finer_depth[there], line[there] * factor)
                for factor in (1 / 1.06, 1.06)
            )
            ratio = np.array([side["odfa"] / side[method] for side in sides])
            assert ((ratio.min(axis=0) <= 1) & (ratio.max(axis=0) >= 1)).all()


# What stories and the split of the fields claim -----------------------------------------


def test_stories_of_presets_say_what_comes_out():
    def of(name):
        preset = next(item for item in OPTICAL_DFA_PRESETS if item.name == name)
        return compute_optical_dfa(OpticalDfaParams.from_query(preset.query))

    base, fast = at(), of("fast-camera")
    assert fast.optical_over_bp == pytest.approx(1 / 3, abs=0.02)
    assert 1 - fast.crossover_width / base.crossover_width == pytest.approx(0.03, abs=0.005)
    assert of("big-gpu").crossover_width > 2 * base.crossover_width
    assert of("small").projection_time_s["odfa"] == pytest.approx(0.32)
    assert round(of("small").step_time_s["bp"], 3) == 0.007


def test_a_short_error_leaves_light_behind_dfa_on_the_gpu():
    short = at(error_length=10)
    assert (short.crossover_width_dfa, short.fastest) == ("never", "dfa")
    assert isinstance(short.crossover_width, int)


def test_a_link_over_the_cap_gives_up_seeds_before_epochs():
    asked = OpticalDfaParams(seeds=16, epochs=200, hidden_width=64)
    state, notices = OPTICAL_DFA_SIMULATION.fit(asked)
    assert notices
    assert not check_cost(state, CAP_S)
    assert (state.epochs, state.hidden_width) == (200, 64)
    assert state.seeds < 16


def test_the_experiment_does_not_depend_on_the_closed_form():
    moved = OpticalDfaParams(depth=7, width=999, gpu_W=1.0, epochs=3)
    assert experiment_params(moved) == OpticalDfaParams(epochs=3)
    assert {"epochs", "projection_noise"} <= set(EXPERIMENT_FIELDS)
    changed = OpticalDfaParams(epochs=3, projection_bias=2.0, seed=9)
    assert compute_optical_dfa(changed) == compute_optical_dfa(DEFAULT)

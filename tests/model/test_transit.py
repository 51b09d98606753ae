"""The transit model: the specification's values, a slow oracle, identities and limits."""

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.break_even import (
    SEARCH_HIGH_GBPS,
    SEARCH_LOW_GBPS,
    TimeOverRate,
    crossing_rate,
    find_break_even,
)
from foptrn_model.transit import TransitParams, compute_transit, times_over_rate
from foptrn_model.transit_step import WAYS, energy_parts, step_parts
from tests.model.slow_transit import simulate
from tests.model.transit_states import transit_states


def transit(**fields):
    return compute_transit(TransitParams(**fields))


class TestMustReproduce:
    """The specification's own values, to the digit."""

    def test_dense_adamw(self):
        way = transit().ways["adamw-allreduce"]
        assert f"{way.steps:.1f}" == "239.9"
        assert f"{way.time_s:.2f}" == "1.63"

    def test_fixed_band_gathered(self):
        way = transit().ways["band-allgather"]
        assert way.steps == 3000
        assert f"{way.time_s:.2f}" == "3.85"

    def test_break_even(self):
        found = transit().break_even
        assert asdict(found["band-allgather"]) == {"kind": "never", "GBps": None, "wins": None}
        assert found["band-switch"].kind == "crossing"
        assert f"{found['band-switch'].GBps:.2f}" == "1.57"
        assert found["band-switch"].wins == "below"

    def test_payloads(self):
        result = transit()
        assert result.payload_bytes["adamw"] == 31_666_944
        assert result.payload_bytes["band"] == 1_979_184
        # The published compact count uses indices of one byte in its small chunks.
        assert result.payload_bytes["topk"] == pytest.approx(3_957_960, rel=2e-4)
        assert result.payload_reduction == {"topk": 8, "band": 16}
        assert result.wire_reduction == {"topk": 2, "band": 4}

    def test_every_100_steps(self):
        ways = transit(sync_every=100).ways
        assert f"{ways['adamw-allreduce'].step_time_s * 1e3:.4f}" == "0.3477"
        assert f"{ways['band-allgather'].step_time_s * 1e3:.4f}" == "0.2925"
        assert f"{ways['band-allgather'].steps / ways['adamw-allreduce'].steps:.1f}" == "12.5"

    def test_the_fixed_names_of_the_result(self):
        body = asdict(transit())
        for name in WAYS:
            assert {
                "steps", "step_time_s", "time_s", "energy_J", "wan_bytes", "fabric_bytes", "reached"
            } <= set(body["ways"][name])  # fmt: skip
        assert list(body["ways"]) == [
            "adamw-allreduce", "topk-allgather", "band-allgather", "band-switch"
        ]  # fmt: skip
        assert list(body["break_even"]) == ["topk-allgather", "band-allgather", "band-switch"]
        assert set(body["ring"]) == {"adamw", "topk", "band"}
        assert body["fastest"] == "topk-allgather"

    @pytest.mark.parametrize(
        ("name", "default", "low", "high"),
        [
            ("datacentres", 2, 1, 64),
            ("workers_per_dc", 4, 1, 4096),
            ("wan_GBps", 12.5, 0.001, 10_000),
            ("fabric_GBps", 50, 0.001, 10_000),
            ("latency_us", 250, 0, 1e6),
            ("compute_ms", 0.2825, 0, 1e6),
            ("sync_every", 1, 1, 10_000),
            ("target_loss", 3.157732, 0.01, 20),
            ("n_params", 15_833_472, 1e3, 1e13),
            ("bytes_per_value", 2, 0.5, 8),
            ("keep", 0.0625, 1e-5, 1),
            ("topk_bytes_per_coefficient", 4, 1, 16),
            ("worker_W", 700, 0, 1e5),
            ("wan_pJ_per_bit", 95, 0, 1e6),
            ("fabric_pJ_per_bit", 50, 0, 1e6),
        ],
    )
    def test_defaults_and_bounds(self, name, default, low, high):
        spec = TransitParams.specs()[name]
        assert (spec.default, spec.low, spec.high) == (default, low, high)

    def test_default_band_and_curves(self):
        assert TransitParams().band == "band-low-2d64"
        assert TransitParams().curves == "published"


# Against messages counted one by one -----------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (2, 1), (2, 4), (3, 2), (7, 3)])
@pytest.mark.parametrize("every", [1, 5])
def test_every_way_is_the_simulated_cluster(way, shape, every):
    params = TransitParams(
        datacentres=shape[0], workers_per_dc=shape[1], sync_every=every, wan_GBps=3.0,
        fabric_GBps=40.0, latency_us=123.0, compute_ms=1.5, n_params=10_007, bytes_per_value=4.0,
        keep=0.03, topk_bytes_per_coefficient=6.0, worker_W=300.0, wan_pJ_per_bit=77.0,
        fabric_pJ_per_bit=31.0,
    )  # fmt: skip
    found, steps = compute_transit(params).ways[way], 20
    slow = simulate(params, way, steps)
    assert found.wan_rounds == slow["wan_rounds"]
    assert found.wan_bytes == pytest.approx(slow["wan_bytes"])
    assert found.fabric_bytes == pytest.approx(slow["fabric_bytes"])
    assert steps * found.step_time_s == pytest.approx(slow["time_s"])
    assert found.time_s == pytest.approx(found.steps * slow["time_s"] / steps)
    assert found.energy_J == pytest.approx(found.steps * slow["energy_J"] / steps)


@given(params=transit_states())
def test_parts_add_up_to_the_result(params):
    result = compute_transit(params)
    steps, energy = step_parts(params), energy_parts(params)
    for name, way in result.ways.items():
        part = steps[name]
        assert part.compute_s + part.latency_s + part.fabric_s + part.wan_s == pytest.approx(
            way.step_time_s
        )
        assert way.utilisation * way.step_time_s == pytest.approx(part.compute_s)
        assert all(value >= 0 for value in (*asdict(part).values(), *asdict(energy[name]).values()))
        if way.reached:
            assert way.time_s == pytest.approx(way.steps * part.total_s)
            assert way.energy_J == pytest.approx(way.steps * sum(asdict(energy[name]).values()))


@given(params=transit_states())
def test_the_result_is_numbers_and_words(params):
    result = compute_transit(params)
    json.dumps(asdict(result), allow_nan=False)
    for way in result.ways.values():
        numbers = [way.steps, way.time_s, way.energy_J]
        assert numbers == ["not reached"] * 3 or all(
            isinstance(value, float) and math.isfinite(value) for value in numbers
        )
        assert way.reached == (way.steps != "not reached")
    reached = {name: way.time_s for name, way in result.ways.items() if way.reached}
    if reached:
        assert reached[result.fastest] == min(reached.values())
    else:
        assert result.fastest == "not reached"


# Identities and limits -------------------------------------------------------


@given(params=transit_states())
def test_twice_the_wan_rate_halves_the_wan_time_alone(params):
    before = step_parts(params)
    after = step_parts(params, wan_GBps=2 * params.wan_GBps)
    for name in WAYS:
        assert after[name].wan_s == pytest.approx(before[name].wan_s / 2)
        assert asdict(after[name]) | {"wan_s": 0} == asdict(before[name]) | {"wan_s": 0}


@given(params=transit_states(), factor=st.integers(2, 50))
def test_a_sync_every_h_steps_divides_all_communication_by_h(params, factor):
    once, rarely = step_parts(params, sync_every=1), step_parts(params, sync_every=factor)
    for name in WAYS:
        assert rarely[name].compute_s == once[name].compute_s
        assert rarely[name].exposed_s == pytest.approx(once[name].exposed_s / factor)


def test_one_data_centre_has_no_wan():
    result = transit(datacentres=1)
    for way in result.ways.values():
        assert way.wan_bytes == way.wan_rounds == 0
    faster = transit(datacentres=1, wan_GBps=1000.0, latency_us=0.0, wan_pJ_per_bit=0.0)
    assert {name: way.time_s for name, way in faster.ways.items()} == {
        name: way.time_s for name, way in result.ways.items()
    }
    assert TransitParams(datacentres=1).inactive() >= {"wan_GBps", "latency_us", "wan_pJ_per_bit"}
    kinds = {name: found.kind for name, found in result.break_even.items()}
    assert kinds == {"topk-allgather": "always", "band-allgather": "never", "band-switch": "never"}


def test_a_lone_worker_moves_nothing_and_all_steps_are_alike():
    result = transit(datacentres=1, workers_per_dc=1)
    assert {way.step_time_s for way in result.ways.values()} == {0.2825e-3}
    assert result.ring == {"adamw": 0, "topk": 0, "band": 0}
    assert result.wire_reduction == {"topk": "not applicable", "band": "not applicable"}
    # As fast as AdamW everywhere, the same curve being the same time: equal is no win.
    assert result.band_step_ratio == 1
    assert {found.kind for found in result.break_even.values()} == {"never"}
    assert transit(datacentres=1, workers_per_dc=1, compute_ms=0.0).band_step_ratio == 1


def test_more_data_centres_cost_a_gather_but_not_a_reduce():
    few, many = transit().ways, transit(datacentres=32).ways
    for name in ("adamw-allreduce", "band-switch"):
        assert many[name].wan_bytes == few[name].wan_bytes
    for name in ("topk-allgather", "band-allgather"):
        assert many[name].wan_bytes == 31 * few[name].wan_bytes
    assert transit(datacentres=32).fastest == "adamw-allreduce"


def test_latency_is_paid_by_the_round():
    slow, none = step_parts(TransitParams(latency_us=1e6)), step_parts(TransitParams(latency_us=0))
    gaps = {name: slow[name].total_s - none[name].total_s for name in WAYS}
    assert gaps == pytest.approx(
        {"adamw-allreduce": 2, "topk-allgather": 1, "band-allgather": 1, "band-switch": 2}
    )


def test_free_links_leave_only_steps_to_decide():
    result = transit(wan_GBps=10_000.0, fabric_GBps=10_000.0, latency_us=0.0, compute_ms=1000.0)
    assert result.fastest == "adamw-allreduce"
    times = [way.time_s / way.steps for way in result.ways.values()]
    assert times == pytest.approx([1.0] * 4, rel=1e-4)


def test_a_target_met_at_the_first_evaluation_is_flagged():
    way = transit(target_loss=5.5).ways["band-allgather"]
    assert way.steps == 200
    assert way.at_first_evaluation
    assert not transit().ways["band-allgather"].at_first_evaluation


def test_a_band_that_diverged_never_arrives():
    result = transit(band="optics-1d256-enob12-planes8-exact")
    for name in ("band-allgather", "band-switch"):
        assert not result.ways[name].reached
        assert result.ways[name].time_s == result.ways[name].energy_J == "not reached"
        assert result.break_even[name].kind == "never"
    assert result.ways["adamw-allreduce"].reached


def test_the_loss_penalty_is_off_and_then_moves_the_target():
    assert TransitParams().loss_penalty_percent == 0
    assert "loss_penalty_percent" in TransitParams().inactive()
    plain = transit(sync_every=30)
    raised = transit(sync_every=30, loss_penalty_percent=2.0)
    same = transit(sync_every=30, target_loss=3.157732 / 1.02)
    for name in WAYS:
        assert raised.ways[name].steps == same.ways[name].steps
    assert raised.ways["adamw-allreduce"].steps > plain.ways["adamw-allreduce"].steps
    assert not raised.ways["band-allgather"].reached
    # A sync every step is what the curves were measured with: nothing to add.
    assert transit(loss_penalty_percent=2.0).ways == transit().ways


@given(params=transit_states())
def test_the_needed_rate_gives_the_wanted_utilisation(params):
    for name, way in compute_transit(params).ways.items():
        limits = step_parts(params, wan_GBps=1e200)[name]
        free = limits.compute_s / limits.total_s if limits.total_s else 1.0
        if isinstance(way.needed_GBps, float):
            there = step_parts(params, wan_GBps=way.needed_GBps)[name]
            # Where next to nothing is left for the WAN, its share drowns in rounding.
            if there.wan_s > 1e-9 * there.total_s:
                assert there.compute_s / there.total_s == pytest.approx(
                    params.target_utilisation, rel=1e-6
                )
        else:
            assert (way.needed_GBps == "never") == (free < params.target_utilisation) or (
                free == pytest.approx(params.target_utilisation, rel=1e-9)
            )


# Break-even ------------------------------------------------------------------

parts_of_time = st.one_of(st.just(0.0), st.floats(-6, 3).map(lambda power: 10.0**power))
times = st.builds(
    lambda fixed_s, moved: TimeOverRate(fixed_s=fixed_s, moved_B=moved * 1e9),
    parts_of_time,
    parts_of_time,
)


@given(way=times, baseline=times)
def test_bisection_is_the_closed_form(way, baseline):
    found, closed = find_break_even(way, baseline), crossing_rate(way, baseline)
    apart = abs(way.fixed_s - baseline.fixed_s) > 1e-3 * max(way.fixed_s, baseline.fixed_s)
    inside = closed is not None and SEARCH_LOW_GBPS < closed < SEARCH_HIGH_GBPS
    if found.kind == "crossing":
        assert closed is not None
        if apart:
            assert found.GBps == pytest.approx(closed, rel=1e-9)
        assert found.wins == ("below" if way.moved_B < baseline.moved_B else "above")
    elif apart and inside:
        edge = min(closed / SEARCH_LOW_GBPS, SEARCH_HIGH_GBPS / closed)
        assert edge == pytest.approx(1, rel=1e-9), "only at an end may rounding hide a crossing"


@given(params=transit_states())
def test_break_even_is_the_closed_form_in_any_state(params):
    result, lines = compute_transit(params), times_over_rate(params)
    dense = lines["adamw-allreduce"]
    for name, found in result.break_even.items():
        line = lines[name]
        if line is None or dense is None:
            assert found.kind == ("never" if line is None else "always")
            continue
        assert line(params.wan_GBps) == pytest.approx(result.ways[name].time_s)
        apart = abs(line.fixed_s - dense.fixed_s) > 1e-3 * max(line.fixed_s, dense.fixed_s)
        if found.kind == "crossing" and apart:
            assert found.GBps == pytest.approx(crossing_rate(line, dense), rel=1e-9)


def scan(params, name):
    """Where the sign of the difference changes on a fine grid, by evaluating whole states."""
    rates = np.geomspace(SEARCH_LOW_GBPS, SEARCH_HIGH_GBPS, 4001)
    steps = {key: way.steps for key, way in compute_transit(params).ways.items()}
    parts = step_parts(params, wan_GBps=rates)
    wins = steps[name] * parts[name].total_s < (
        steps["adamw-allreduce"] * parts["adamw-allreduce"].total_s
    )
    return rates, wins


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"target_loss": 3.6},
        {"target_loss": 4.5, "datacentres": 8},
        {"sync_every": 100},
        {"band": "band-random-2d64"},
        {"band": "band-random-2d64", "datacentres": 3, "keep": 0.3},
        {"latency_us": 20_000.0, "keep": 1.0, "datacentres": 6},
        {"workers_per_dc": 64, "topk_bytes_per_coefficient": 12.0},
    ],
)
def test_break_even_against_a_scan(fields):
    params = TransitParams(**fields)
    for name, found in compute_transit(params).break_even.items():
        rates, wins = scan(params, name)
        assert found.kind == {(True, True): "always", (False, False): "never"}.get(
            (bool(wins[0]), bool(wins[-1])), "crossing"
        )
        if found.kind == "crossing":
            index = int(np.flatnonzero(wins[1:] != wins[:-1])[0])
            assert rates[index] <= found.GBps <= rates[index + 1]
            assert found.wins == ("below" if wins[0] else "above")


@pytest.mark.parametrize(
    ("way", "baseline", "kind"),
    [
        ((1, 5), (2, 5), "always"),  # parallel, the way below
        ((2, 5), (1, 5), "never"),  # parallel, the way above
        ((1, 5), (1, 6), "always"),  # equal fixed parts, fewer bytes
        ((1, 6), (1, 5), "never"),
        ((1, 5), (1, 5), "never"),  # equal everywhere
        ((0, 0), (0, 0), "never"),
        ((1, 0), (2, 0), "always"),  # no bytes at all
    ],
)
def test_parallel_cases(way, baseline, kind):
    pair = [TimeOverRate(fixed_s=fixed, moved_B=moved * 1e9) for fixed, moved in (way, baseline)]
    assert find_break_even(*pair).kind == kind
    assert crossing_rate(*pair) is None


def test_a_way_can_win_above():
    way = TimeOverRate(fixed_s=1, moved_B=20e9)
    found = find_break_even(way, TimeOverRate(fixed_s=2, moved_B=10e9))
    assert (found.kind, found.wins) == ("crossing", "above")
    assert found.GBps == pytest.approx(10, rel=1e-12)
    assert found.shown == found.GBps
    assert find_break_even(way, way).shown == "never"


@pytest.mark.parametrize("closed", [0.05, 2000])
def test_a_crossing_outside_the_search_is_none(closed):
    way = TimeOverRate(fixed_s=2, moved_B=0)
    baseline = TimeOverRate(fixed_s=1, moved_B=closed * 1e9)
    assert crossing_rate(way, baseline) == closed
    assert find_break_even(way, baseline).kind == ("never" if closed < 1 else "always")


def test_a_target_out_of_reach_never_wins_and_always_loses():
    line = TimeOverRate(fixed_s=1, moved_B=1)
    assert find_break_even(None, line).kind == "never"
    assert find_break_even(None, None).kind == "never"
    assert find_break_even(line, None).kind == "always"

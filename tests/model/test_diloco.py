"""Rare syncs: the closed form's published values, its oracle, and the published tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.diloco import (
    GRID_STEP_DECADES,
    INTELLECT_1,
    compute_utilisation,
    diloco_table,
    needed_bandwidth_bps,
)
from foptrn_model.transit import TransitParams, compute_transit


def ten_billion(**fields):
    """10 B parameters in bf16, two replicas, a second a step [Gb/s]."""
    usual = {"bits": 16e10, "replicas": 2, "step_time_s": 1.0, "sync_every": 1, "utilisation": 0.5}
    return needed_bandwidth_bps(**(usual | fields)) / 1e9


@pytest.mark.parametrize(
    ("every", "utilisation", "published"),
    [
        (1, 0.50, "96.30"),
        (1, 0.80, "175.54"),
        (1, 0.90, "207.10"),
        (1, 0.95, "224.06"),
        (1, 0.99, "238.25"),
        (30, 0.50, "5.22"),
    ],
)
def test_values_that_simulators_agree_on(every, utilisation, published):
    assert f"{ten_billion(sync_every=every, utilisation=utilisation):.2f}" == published


def simulated_utilisation(*, bits, bandwidth_bps, step_time_s, every, buckets, rounds=3):
    """Steps one after the other; buckets of gradients leave as the last backward makes them.

    Between two replicas a ring moves the payload once each way. All but the
    first bucket's share of the backward pass can hide communication.
    """
    computing = clock = 0.0
    for _ in range(rounds):
        for _ in range(every):
            computing += step_time_s
            clock += step_time_s
        hidden = sum(2 / 3 * step_time_s / buckets for _ in range(buckets - 1))
        clock += max(0.0, bits / bandwidth_bps - hidden)
    return computing / clock


@given(
    every=st.integers(1, 300),
    utilisation=st.floats(0.1, 0.999),
    step_time_s=st.floats(0.01, 100),
    buckets=st.integers(1, 256),
)
def test_a_simulation_at_the_needed_bandwidth_has_the_utilisation(
    every, utilisation, step_time_s, buckets
):
    bandwidth = needed_bandwidth_bps(
        bits=1e12,
        replicas=2,
        step_time_s=step_time_s,
        sync_every=every,
        utilisation=utilisation,
        buckets=buckets,
    )
    found = simulated_utilisation(
        bits=1e12,
        bandwidth_bps=bandwidth,
        step_time_s=step_time_s,
        every=every,
        buckets=buckets,
    )
    assert found == pytest.approx(utilisation)


def test_limits():
    assert ten_billion(replicas=1) == 0
    assert ten_billion(replicas=10**9) == pytest.approx(2 * ten_billion())
    assert ten_billion(step_time_s=2.0) == pytest.approx(ten_billion() / 2)
    # At full utilisation all must hide behind one backward pass, however rare the sync.
    assert ten_billion(utilisation=1, sync_every=500) == ten_billion(utilisation=1)


def test_arrays_broadcast():
    every = np.array([[1], [30]])
    found = ten_billion(sync_every=every, utilisation=np.array([0.5, 0.9]))
    assert found.shape == (2, 2)
    assert found[1, 0] == ten_billion(sync_every=30)


@pytest.mark.parametrize(
    ("field", "value"), [("step_time_s", 0.0), ("utilisation", 0.0), ("utilisation", 1.01)]
)
def test_impossible_requests_are_refused(field, value):
    with pytest.raises(ValueError, match=field):
        ten_billion(**{field: value})


def test_the_state_of_the_explorer_gives_the_same():
    params = TransitParams(
        n_params=10**10, compute_ms=1000.0, target_utilisation=0.5, workers_per_dc=1, sync_every=30
    )
    assert compute_transit(params).diloco_Gbps == pytest.approx(ten_billion(sync_every=30))
    assert compute_transit(TransitParams(compute_ms=0.0)).diloco_Gbps == "never"
    assert compute_transit(TransitParams(datacentres=1)).diloco_Gbps == 0


# Published tables ------------------------------------------------------------


def test_all_75_entries_are_beside_ours():
    table = diloco_table()
    assert len(table) == 75
    assert {(entry.model, entry.step_time_s) for entry in table} == {
        ("10B", 0.8), ("405B", 26), ("671B", 20)
    }  # fmt: skip
    assert {entry.sync_every for entry in table} == {1, 10, 50, 100, 300}
    assert {entry.utilisation for entry in table} == {0.5, 0.8, 0.9, 0.95, 0.99}
    assert len({(e.model, e.sync_every, e.utilisation) for e in table}) == 75


def test_the_grid_is_the_papers():
    grid = np.logspace(-1, 3, 50)
    assert np.diff(np.log10(grid)) == pytest.approx(GRID_STEP_DECADES)
    assert f"{10**GRID_STEP_DECADES - 1:.0%}" == "21%"
    for entry in diloco_table():
        # Each printed value is one of the grid, to a unit of the one decimal that is printed.
        assert np.min(np.abs(grid - entry.published_Gbps)) < 0.1


def test_deviations_are_steps_of_the_grid():
    for entry in diloco_table():
        moved = entry.published_Gbps * 10 ** (entry.deviation_grid_steps * 4 / 49)
        assert moved == pytest.approx(entry.ours_Gbps)
        assert entry.within_one_step == (abs(entry.deviation_grid_steps) <= 1)


def test_about_half_agree_within_one_step_and_none_is_far_off():
    table = diloco_table()
    assert sum(entry.within_one_step for entry in table) == 39
    assert max(abs(entry.deviation_grid_steps) for entry in table) < 2.2


def test_only_the_end_of_the_grid_is_a_lower_bound():
    assert [(e.model, e.sync_every, e.utilisation) for e in diloco_table() if e.at_least] == [
        ("671B", 1, 0.99)
    ]


@pytest.mark.parametrize("run", INTELLECT_1, ids=lambda run: run.where)
def test_intellect_1(run):
    assert run.compute_s == 38 * 60
    assert abs(100 * run.utilisation - run.published_percent) <= 0.1


def test_intellect_1_runs():
    assert [run.sync_s for run in INTELLECT_1] == [103, 382, 469]
    assert [run.published_percent for run in INTELLECT_1] == [95.7, 85.6, 83.0]


def test_utilisation_of_nothing_to_do_is_full():
    assert compute_utilisation(0.0, 0.0) == 1
    assert compute_utilisation(1.0, 3.0) == 0.25
    assert compute_utilisation(1.0, np.array([0.0, 1.0])).tolist() == [1.0, 0.5]

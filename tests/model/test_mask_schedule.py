"""The timeline, made by a scheduler that does not know the formula, against the formula."""

import ast
import importlib
import inspect
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.mask_schedule import (
    BACKWARD,
    FORWARD,
    WRITE,
    SmallCase,
    layer_order_timeline,
    one_forward_one_backward,
    overlap_fill,
    pipeline_timeline,
    small_case,
    visits,
)
from foptrn_model.masks import MasksParams, compute_masks
from tests.model import strategies as some
from tests.model.test_masks import changed

REL = 1e-9
SCHEDULE_MODULES = ("schedule", "mask_schedule")


def case_of(params):
    return small_case(params, compute_masks(params))


@given(params=some.masks_states(overlap=False))
def test_without_overlap_the_timeline_ends_exactly_at_the_formula(params):
    timeline = layer_order_timeline(case_of(params))
    assert timeline.end_s == pytest.approx(compute_masks(params).step_time_s, rel=REL)


@given(params=some.masks_states(overlap=True))
def test_with_overlap_the_timeline_ends_between_the_formula_and_its_fill(params):
    case, formula = case_of(params), compute_masks(params).step_time_s
    end = layer_order_timeline(case).end_s
    fill = overlap_fill(case)
    assert fill.ends_s >= -REL * formula
    assert fill.imbalance_s >= -REL * formula
    assert formula * (1 - REL) <= end <= (formula + fill.total_s) * (1 + REL)


def busy_s(timeline, kind):
    """Seconds of one kind of work, over all resources."""
    return sum(event.task.duration_s for event in timeline.events if event.task.kind == kind)


def even_case(**changes):
    """Work that is the same in every visit."""
    values = {
        "groups": 4, "stages": 4, "microbatches": 8, "layer_major": True, "overlap": True,
        "resident": False,
        "write_s": {FORWARD: 2.0, BACKWARD: 2.0}, "write_once_s": {FORWARD: 2.0, BACKWARD: 2.0},
        "pass_s": {FORWARD: 0.0, BACKWARD: 0.0}, "compute_s": {FORWARD: 3.0, BACKWARD: 3.0},
    }  # fmt: skip
    return SmallCase(**values | changes)


@given(write=st.floats(0, 10), compute=st.floats(0, 10))
def test_the_fill_of_even_work_is_one_visit_of_the_shorter_side(write, compute):
    case = even_case(
        write_s={FORWARD: write, BACKWARD: write}, compute_s={FORWARD: compute, BACKWARD: compute}
    )
    fill = overlap_fill(case)
    assert fill.imbalance_s == pytest.approx(0, abs=1e-9)
    assert fill.ends_s == pytest.approx(min(write, compute) / case.groups, abs=1e-9)
    assert layer_order_timeline(case).end_s == pytest.approx(
        2 * max(write, compute) + min(write, compute) / case.groups, abs=1e-9
    )


def test_by_hand_two_groups_with_slow_writes_backward_and_slow_work_forward():
    """write 1, work 4, 4 behind writes 1 and 3, work 2 behind write 3, and the last work 2."""
    case = even_case(
        groups=2, microbatches=1,
        write_s={FORWARD: 2.0, BACKWARD: 6.0}, compute_s={FORWARD: 8.0, BACKWARD: 4.0},
    )  # fmt: skip
    assert layer_order_timeline(case).end_s == 1 + 4 + 4 + 3 + 2
    assert overlap_fill(case).total_s == 14 - 12


@given(params=some.masks_states())
def test_nothing_overlaps_on_an_engine_or_on_the_gpus(params):
    case = case_of(params)
    for timeline in (layer_order_timeline(case), pipeline_timeline(case)):
        for resource in timeline.resources:
            own = [event for event in timeline.events if event.task.resource == resource]
            own.sort(key=lambda event: (event.start_s, event.end_s))
            for one, following in pairwise(own):
                assert one.end_s <= following.start_s


@given(params=some.masks_states())
def test_work_in_the_timeline_adds_up_to_the_step(params):
    case, result = case_of(params), compute_masks(params)
    timeline = layer_order_timeline(case)
    work = busy_s(timeline, FORWARD) + busy_s(timeline, BACKWARD)
    assert busy_s(timeline, WRITE) == pytest.approx(result.mask_time_s, rel=REL)
    assert work == pytest.approx(result.digital_step_time_s, rel=REL)
    pipeline = pipeline_timeline(case)
    work = busy_s(pipeline, FORWARD) + busy_s(pipeline, BACKWARD)
    assert work == pytest.approx(case.stages * result.digital_step_time_s, rel=REL)


@given(params=some.masks_states(order="layer-major", engines=1, tensor_parallel=1))
def test_a_pipeline_writes_every_mask_again_for_every_microbatch(params):
    case, result = case_of(params), compute_masks(params)
    written = busy_s(pipeline_timeline(case), WRITE)
    # Each of the stages writes its share of the frames at its share of the rate.
    again = 1 if result.frames_per_step <= 1 else case.microbatches
    assert written == pytest.approx(case.stages * again * result.mask_time_s, rel=REL)


def test_masks_that_all_have_a_modulator_of_their_own_are_written_once():
    params = MasksParams(engines=1_076)
    timeline = pipeline_timeline(case_of(params))
    assert busy_s(timeline, WRITE) == pytest.approx(4 * compute_masks(params).mask_time_s)
    assert case_of(changed(params, engines=1_075)).resident is False


@pytest.mark.parametrize("stages", [1, 2, 3, 4])
@pytest.mark.parametrize("microbatches", [1, 2, 4, 8])
def test_a_pipeline_without_masks_loses_its_bubble(stages, microbatches):
    nothing = {FORWARD: 0.0, BACKWARD: 0.0}
    case = even_case(
        stages=stages, microbatches=microbatches, write_s=nothing, write_once_s=nothing,
        compute_s={FORWARD: 1.0, BACKWARD: 2.0},
    )  # fmt: skip
    params = MasksParams(pipeline_stages=stages, microbatches=microbatches)
    end = pipeline_timeline(case).end_s
    assert 1 - 3.0 / end == pytest.approx(compute_masks(params).pipeline_bubble)


def most_alive(events, group):
    """Most results of one group or stage that wait for their backward at one moment."""
    changes = [
        (event.end_s, 1 if event.task.kind == FORWARD else -1)
        for event in events
        if event.task.kind in (FORWARD, BACKWARD)
        and re.search(r"(?:group|stage) (\d+)", event.task.name)[1] == str(group + 1)
    ]
    alive = most = 0
    for _, change in sorted(changes):  # at one moment, what ends is freed first
        alive += change
        most = max(most, alive)
    return most


@pytest.mark.parametrize("stages", [1, 2, 4])
@pytest.mark.parametrize("microbatches", [4, 8])
def test_memory_formulas_are_what_the_timelines_hold(stages, microbatches):
    """Count live activations in the events; the formulas never saw them."""
    params = MasksParams(pipeline_stages=stages, microbatches=microbatches)
    case, result = case_of(params), compute_masks(params)
    per_group = result.activation_bytes_layer_major / (case.groups * microbatches)
    layer = layer_order_timeline(case).events
    held = sum(most_alive(layer, group) for group in range(case.groups))
    assert held * per_group == pytest.approx(result.activation_bytes_layer_major)
    first_stage = most_alive(pipeline_timeline(case).events, 0) * case.groups / stages
    assert first_stage * per_group == pytest.approx(result.activation_bytes_pipeline)


def test_sequence_major_holds_one_sequence_at_a_time():
    events = layer_order_timeline(case_of(MasksParams(order="sequence-major"))).events
    assert {most_alive(events, group) for group in range(4)} == {1}


@given(stages=st.integers(1, 8), microbatches=st.integers(1, 12))
def test_each_stage_runs_every_microbatch_once_each_way_forward_first(stages, microbatches):
    for stage in range(stages):
        order = one_forward_one_backward(stage, stages, microbatches)
        assert sorted(order) == sorted(
            (way, index) for way in (FORWARD, BACKWARD) for index in range(microbatches)
        )
        in_flight = most = 0
        for way, index in order:
            if way == BACKWARD:
                assert order.index((FORWARD, index)) < order.index((BACKWARD, index))
            in_flight += 1 if way == FORWARD else -1
            most = max(most, in_flight)
        assert most == min(stages - stage, microbatches)


@given(params=some.masks_states())
def test_every_group_is_visited_once_each_way_per_batch(params):
    case = case_of(params)
    order = visits(case)
    batches = 1 if case.layer_major else case.microbatches
    assert len(order) == 2 * case.groups * batches
    assert case.groups % case.stages == 0
    assert sum(len(visit.microbatches) for visit in order) == 2 * case.groups * case.microbatches


@pytest.mark.parametrize("name", SCHEDULE_MODULES)
def test_the_scheduler_never_sees_the_formula(name):
    """Neither module names the step time or what it is made of by the formula."""
    tree = ast.parse(inspect.getsource(importlib.import_module(f"foptrn_model.{name}")))
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not named & {"step_time_s", "mask_over_digital", "mask_time_s"}

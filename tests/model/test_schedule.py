"""The scheduler, which knows tasks, resources and dependencies only."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.schedule import Task, idle_intervals, makespan_s, schedule


def task(name, resource, duration_s, *after):
    return Task(name=name, kind="work", resource=resource, duration_s=duration_s, after=after)


@st.composite
def task_lists(draw):
    """Tasks that wait for some of those before them."""
    count = draw(st.integers(1, 12))
    tasks = []
    for index in range(count):
        earlier = draw(st.sets(st.integers(0, index - 1), max_size=3)) if index else set()
        tasks.append(
            task(
                str(index),
                draw(st.sampled_from("abc")),
                draw(st.floats(0, 10)),
                *(str(name) for name in sorted(earlier)),
            )
        )
    return tasks


def slow_starts(tasks):
    """Start of each task by pushing starts up until every constraint holds."""
    starts = dict.fromkeys((item.name for item in tasks), 0.0)
    lengths = {item.name: item.duration_s for item in tasks}
    before = {item.name: list(item.after) for item in tasks}
    for index, item in enumerate(tasks):
        queue = [other for other in tasks[:index] if other.resource == item.resource]
        before[item.name] += [other.name for other in queue[-1:]]
    for _ in tasks:
        for name, waits in before.items():
            starts[name] = max([starts[name], *(starts[w] + lengths[w] for w in waits)])
    return starts


@given(tasks=task_lists())
def test_starts_are_the_earliest_that_every_constraint_allows(tasks):
    events = schedule(tasks)
    assert {event.task.name: event.start_s for event in events} == pytest.approx(slow_starts(tasks))
    assert makespan_s(events) == max(event.end_s for event in events)


@given(tasks=task_lists())
def test_nothing_overlaps_and_nothing_starts_before_what_it_waits_for(tasks):
    events = schedule(tasks)
    ends = {event.task.name: event.end_s for event in events}
    for event in events:
        assert event.end_s == event.start_s + event.task.duration_s
        assert all(ends[name] <= event.start_s for name in event.task.after)
    for resource in "abc":
        own = [event for event in events if event.task.resource == resource]
        own.sort(key=lambda event: (event.start_s, event.end_s))
        for one, next_one in pairwise(own):
            assert one.end_s <= next_one.start_s


@given(tasks=task_lists(), later=st.floats(0, 5))
def test_busy_and_idle_time_fill_every_resource(tasks, later):
    events = schedule(tasks)
    until = makespan_s(events) + later
    for resource, gaps in idle_intervals(events, until).items():
        busy = sum(event.end_s - event.start_s for event in events
                   if event.task.resource == resource)  # fmt: skip
        assert busy + sum(end - start for start, end in gaps) == pytest.approx(until)


def test_a_task_may_wait_for_one_given_later_on_another_resource():
    events = schedule([task("a", "x", 1.0, "b"), task("b", "y", 2.0)])
    assert [(event.task.name, event.start_s) for event in events] == [("b", 0.0), ("a", 2.0)]


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([task("a", "x", 1.0, "b"), task("b", "y", 1.0, "a")], "wait for each other: a, b"),
        ([task("a", "x", 1.0, "b"), task("b", "x", 1.0)], "wait for each other: a"),
        ([task("a", "x", 1.0, "c")], "c, which does not exist"),
        ([task("a", "x", -1.0)], "duration_s of a"),
        ([task("a", "x", 1.0), task("a", "y", 1.0)], "different names"),
    ],
)
def test_impossible_plans_are_refused(tasks, message):
    with pytest.raises(ValueError, match=message):
        schedule(tasks)


def test_no_tasks_take_no_time():
    assert makespan_s(schedule([])) == 0

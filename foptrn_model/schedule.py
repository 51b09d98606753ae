"""A scheduler of tasks on resources: it knows durations and dependencies, nothing else.

Every resource works its tasks off in the order in which they are given, one at
a time, each as soon as everything that it waits for has ended. What the tasks
stand for, and what they should add up to, is no business of this module.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Task:
    """A piece of work: ``after`` names the tasks that must have ended before it starts."""

    name: str
    kind: str
    resource: str
    duration_s: float
    after: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Event:
    """A task with the time at which it ran."""

    task: Task
    start_s: float
    end_s: float


def schedule(tasks: Sequence[Task]) -> tuple[Event, ...]:
    """Run every task; events come in order of their start.

    Raises
    ------
    ValueError
        For a negative duration, a name given twice, a dependency that does not
        exist, and for tasks that wait for each other.
    """
    names = {task.name for task in tasks}
    if len(names) != len(tasks):
        raise ValueError("tasks must have different names")
    queues: dict[str, deque[Task]] = {}
    for task in tasks:
        if task.duration_s < 0:
            raise ValueError(f"duration_s of {task.name} must not be negative: {task.duration_s}")
        for name in task.after:
            if name not in names:
                raise ValueError(f"{task.name} waits for {name}, which does not exist")
        queues.setdefault(task.resource, deque()).append(task)
    events: dict[str, Event] = {}
    free_s = dict.fromkeys(queues, 0.0)
    while len(events) < len(tasks):
        ran = [_run_what_can(queue, free_s, events) for queue in queues.values()]
        if not any(ran):
            stuck = ", ".join(queue[0].name for queue in queues.values() if queue)
            raise ValueError(f"these tasks wait for each other: {stuck}")
    return tuple(sorted(events.values(), key=lambda event: (event.start_s, event.end_s)))


def _run_what_can(queue: deque[Task], free_s: dict[str, float], events: dict[str, Event]) -> int:
    """Run the head of one queue as long as nothing it waits for is outstanding."""
    ran = 0
    while queue and all(name in events for name in queue[0].after):
        task = queue.popleft()
        ready = max((events[name].end_s for name in task.after), default=0.0)
        start = max(ready, free_s[task.resource])
        free_s[task.resource] = start + task.duration_s
        events[task.name] = Event(task=task, start_s=start, end_s=start + task.duration_s)
        ran += 1
    return ran


def makespan_s(events: Iterable[Event]) -> float:
    """When the last event ends; 0 where there is none."""
    return max((event.end_s for event in events), default=0.0)


def idle_intervals(events: Sequence[Event], until_s: float) -> dict[str, list[tuple[float, float]]]:
    """(start, end) of the gaps of every resource between 0 and ``until_s``."""
    gaps: dict[str, list[tuple[float, float]]] = {}
    free_s: dict[str, float] = {}
    for event in sorted(events, key=lambda event: event.start_s):
        resource = event.task.resource
        found, now = gaps.setdefault(resource, []), free_s.get(resource, 0.0)
        if event.start_s > now:
            found.append((now, event.start_s))
        free_s[resource] = max(now, event.end_s)
    for resource, now in free_s.items():
        if until_s > now:
            gaps[resource].append((now, until_s))
    return gaps

"""The runner with real processes: results, cancelling, crashes, many people at once."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from foptrn_model.explorers import TRAINERS
from foptrn_model.sweep import surface
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_simulation import TRAINERS_SIMULATION
from pages._jobs.desk import Desk, RunFailedError, Work
from pages._jobs.processes import alive
from pages._jobs.runner import claim
from pages._jobs.table import MOST_WAITING, QueueFullError, job_key
from tests import waiting
from tests.jobs.conftest import PATIENCE_S

QUICK = {"steps": 3, "seeds": 1, "layers": 1}
SURFACE = "batch=4&seeds=1&over=steps%3D1%3A3%3A2&over=layers%3D1%3A2%3A2"
LONG = {"steps": 5000, "seeds": 8, "layers": 2}


def params(**fields: Any) -> TrainersParams:
    return TrainersParams(**fields)


def wait(desk: Desk, state: TrainersParams, watcher: str = "me") -> Any:
    return desk.wait(TRAINERS, "train", state, watcher=watcher, patience_s=PATIENCE_S)


until = partial(waiting.until, patience_s=PATIENCE_S)


def runners(desk: Desk) -> list[psutil.Process]:
    """A desk's own: this process may have others, and a browser."""
    folder = str(desk.table.directory)
    return [child for child in psutil.Process().children() if folder in child.cmdline()]


def workers(desk: Desk) -> list[psutil.Process]:
    """Processes that compute: the children of a runner's fork server."""
    found = []
    for runner in runners(desk):
        for process in runner.children(recursive=True):
            words = " ".join(process.cmdline())
            if "forkserver" in words and process.parent() != runner:
                found.append(process)
    return found


def running(desk: Desk, state: TrainersParams, watcher: str = "me") -> list[psutil.Process]:
    """Ask for a state and wait until a process computes it and has told of its progress."""

    def progress() -> bool:
        job = desk.ask(TRAINERS, "train", state, watcher=watcher).job
        return job.state == "running" and job.of > 0

    until(progress)
    return workers(desk)


def without_seconds(outcome: Any) -> Any:
    return {name: value for name, value in outcome.items() if name != "seconds"}


def test_an_outcome_is_what_this_process_would_compute(new_desk: Callable[..., Desk]) -> None:
    state = params(**QUICK)
    found = wait(new_desk(), state)
    here = TRAINERS_SIMULATION.parts["train"].run(state, lambda done, of: None)
    assert without_seconds(found) == json.loads(json.dumps(without_seconds(here)))


@pytest.mark.parametrize("slots", [1, 2])
def test_two_people_at_once_both_finish_with_the_same_numbers(
    new_desk: Callable[..., Desk], slots: int
) -> None:
    desk = new_desk(slots)
    states = [params(**QUICK, seed=seed) for seed in (1, 2, 1, 2)]
    outcomes: dict[int, Any] = {}

    def person(number: int) -> None:
        outcomes[number] = wait(desk, states[number], f"person {number}")

    people = [threading.Thread(target=person, args=(number,)) for number in range(len(states))]
    for thread in people:
        thread.start()
    for thread in people:
        thread.join(PATIENCE_S)
    assert set(outcomes) == {0, 1, 2, 3}
    assert outcomes[0] == outcomes[2]
    assert outcomes[1] == outcomes[3]
    assert outcomes[0]["result"] != outcomes[1]["result"]
    expected = TRAINERS_SIMULATION.parts["train"].run(states[0], lambda done, of: None)
    assert outcomes[0]["result"] == json.loads(json.dumps(expected["result"]))


def test_asking_for_what_is_done_runs_nothing_anew(new_desk: Callable[..., Desk]) -> None:
    """It may have ended between somebody's look and their asking."""
    desk, state = new_desk(), params(**QUICK)
    wait(desk, state)
    assert desk.ask(TRAINERS, "train", state, watcher="late").job.state == "done"


def test_cancelling_ends_the_computation(new_desk: Callable[..., Desk]) -> None:
    desk, state = new_desk(), params(**LONG)
    processes = running(desk, state)
    assert processes
    desk.leave(TRAINERS, "train", state, watcher="me")
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE_S)
    assert not alive
    assert desk.known(TRAINERS, "train", state) is None
    assert wait(desk, params(**QUICK))["result"], "the runner goes on"


def test_cancelling_for_one_leaves_the_others_their_run(new_desk: Callable[..., Desk]) -> None:
    desk, state = new_desk(), params(steps=400, seeds=2, layers=1)
    running(desk, state, "one")
    desk.ask(TRAINERS, "train", state, watcher="two")
    desk.leave(TRAINERS, "train", state, watcher="one")
    assert wait(desk, state, "two")["result"]["steps"][-1] == 400


def test_a_worker_that_is_killed_is_reported_and_can_run_again(
    new_desk: Callable[..., Desk],
) -> None:
    desk, state = new_desk(), params(**LONG)
    (worker,) = running(desk, state)
    worker.kill()

    def failure() -> str:
        try:
            desk.ask(TRAINERS, "train", state, watcher="me")
        except RunFailedError as error:
            return str(error)
        return ""

    assert "signal 9" in until(failure)
    assert running(desk, state), "asking again runs it again"


def test_a_runner_that_is_killed_takes_its_workers_along_and_is_replaced(
    new_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, state = new_desk(), params(**LONG)
    processes = running(desk, state)
    # Only now: on a busy machine a runner may take longer than that to come up.
    monkeypatch.setattr("pages._jobs.desk.START_S", 1.0)
    for runner in runners(desk):
        runner.kill()
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE_S)
    assert not alive
    assert wait_again(desk, params(**QUICK))["result"]


def wait_again(desk: Desk, state: TrainersParams) -> Any:
    """As a page does: a failure is told, and asking again runs anew."""
    try:
        return wait(desk, state)
    except RunFailedError:
        return wait(desk, state)


def test_there_is_one_runner_per_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages._jobs.runner.HANDOVER_S", 0.0)
    held = claim(tmp_path, os.getpid())
    assert held is not None
    assert claim(tmp_path, os.getpid()) is None, "whatever the clocks and heartbeats say"
    os.close(held)
    again = claim(tmp_path, os.getpid())
    assert again is not None
    os.close(again)


def test_a_runner_ends_with_its_server(new_desk: Callable[..., Desk]) -> None:
    ended = psutil.Popen(["true"])
    ended.wait(PATIENCE_S)
    assert not alive(ended.pid)
    assert alive(psutil.Process().pid)


def test_what_is_stored_needs_no_runner(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    assert wait(desk, TrainersParams())["result"]
    assert desk.known(TRAINERS, "sweep", TrainersParams())
    assert not desk.table.runner_alive()


def test_a_queue_that_a_lost_runner_left_full_is_worked_off(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    for index in range(MOST_WAITING):
        desk.table.submit("trainers", "train", f"steps=2&seeds=1&seed={index}", watcher="gone",
                          estimate_s=1)  # fmt: skip
        desk.table.leave(job_key("trainers", "train", f"steps=2&seeds=1&seed={index}"),
                         watcher="gone")  # fmt: skip

    def outcome() -> Any:
        try:
            return wait(desk, params(**QUICK))
        except QueueFullError:
            return None

    assert until(outcome)["result"]


def test_patience_has_an_end(new_desk: Callable[..., Desk]) -> None:
    with pytest.raises(RunFailedError, match="not done within 0 s"):
        new_desk().wait(TRAINERS, "train", params(**LONG), watcher="me", patience_s=0)


def test_a_sweep_is_a_job_like_others(new_desk: Callable[..., Desk]) -> None:
    work = Work(slug="trainers", part=surface.PART, query=SURFACE, estimate_s=1.0)
    desk = new_desk()
    outcome = until(lambda: desk.have_done(work, watcher="me") and desk.outcome(work))
    asked = surface.Surface.from_query("trainers", SURFACE)
    assert outcome["rows"] == surface.run_surface(asked, lambda done, of: None)["rows"]
    desk.give_up_for_good(work, watcher="me")
    assert desk.given_up("me")
    assert not desk.given_up("you")


def test_a_cluster_that_is_not_there_is_told(new_desk: Callable[..., Desk]) -> None:
    work = Work(slug="trainers", part=surface.PART, query=SURFACE, estimate_s=1.0)
    desk = new_desk(scheduler="tcp://127.0.0.1:1")
    with pytest.raises(RunFailedError, match="no scheduler answers"):
        until(lambda: desk.have_done(work, watcher="me") and None)

"""The job table: sharing, the bounded queue, watchers, and what survives."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from pages._jobs import table as table_module
from pages._jobs.table import MOST_WAITING, JobTable, QueueFullError, job_key


def submit(table: JobTable, query: str, watcher: str = "me", estimate_s: float = 1.0) -> str:
    return table.submit("x", "part", query, watcher=watcher, estimate_s=estimate_s).key


def test_equal_requests_share_a_job(table: JobTable) -> None:
    assert submit(table, "a=1", "one") == submit(table, "a=1", "two")
    assert submit(table, "a=2", "three") != submit(table, "a=1", "one")
    first = table.take()
    assert first is not None
    assert first.query == "a=1"
    assert submit(table, "a=1") == first.key, "a running job is shared as well"
    second = table.take()
    assert second is not None
    assert second.query == "a=2"
    assert table.take() is None


def test_a_key_belongs_to_part_query_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {job_key("x", "train", ""), job_key("x", "sweep", ""), job_key("y", "train", "")}
    monkeypatch.setattr(table_module, "code_digest", lambda: "other code")
    assert len(keys | {job_key("x", "train", "")}) == 4


def test_jobs_run_in_the_order_in_which_they_came(table: JobTable) -> None:
    keys = [submit(table, f"a={index}", f"person {index}") for index in range(5)]
    jobs = [table.look(key, watcher=f"person {index}") for index, key in enumerate(keys)]
    assert [table.ahead_of(job) for job in jobs if job] == [0, 1, 2, 3, 4]
    taken = [table.take() for _ in keys]
    assert [job.key for job in taken if job] == keys


def test_a_full_queue_refuses_with_when_to_come_back(table: JobTable) -> None:
    for index in range(MOST_WAITING):
        submit(table, f"a={index}", f"person {index}", estimate_s=4.0)
    with pytest.raises(QueueFullError, match=f"{MOST_WAITING} computations") as caught:
        submit(table, "one=more")
    assert 1 <= caught.value.retry_after_s <= 60
    submit(table, "a=3")  # one that is there already is still shared
    job = table.take()
    assert job is not None
    table.finish(job.key, {"value": 1}, 0.5)
    submit(table, "one=more")


def test_progress_and_outcome(table: JobTable) -> None:
    key = submit(table, "a=1")
    table.take()
    table.report(key, 3, 10)
    job = table.look(key, watcher="me")
    assert job is not None
    assert (job.state, job.done, job.of) == ("running", 3, 10)
    table.finish(key, {"numbers": [1.5, None, "never"]}, 2.0)
    job = table.look(key, watcher="me")
    assert job is not None
    assert (job.state, job.seconds) == ("done", 2.0)
    assert table.result(key) == {"numbers": [1.5, None, "never"]}


def test_a_job_without_watchers_is_abandoned(table: JobTable) -> None:
    queued, running = submit(table, "a=1"), submit(table, "a=2", "one")
    table.submit("x", "part", "a=2", watcher="two", estimate_s=1)
    assert table.abandoned() == []
    first = table.take()
    assert first is not None
    assert first.key == queued
    table.take()
    table.leave(running, watcher="one")
    assert table.abandoned() == [], "somebody else still waits"
    table.leave(running, watcher="two")
    assert table.abandoned() == [running]
    table.leave(queued, watcher="me")
    assert set(table.abandoned()) == {queued, running}


def test_a_queued_job_without_watchers_is_dropped(table: JobTable) -> None:
    key = submit(table, "a=1")
    table.leave(key, watcher="me")
    assert table.abandoned() == []
    assert table.look(key, watcher="me") is None


def test_who_asks_for_something_else_waits_for_that_alone(table: JobTable) -> None:
    first = submit(table, "a=1", "one")
    table.submit("x", "part", "a=1", watcher="two", estimate_s=1)
    table.take()
    submit(table, "a=2", "one")
    assert table.abandoned() == [], "the other still waits"
    submit(table, "a=2", "two")
    assert table.abandoned() == [first]


def test_who_stops_asking_is_gone(table: JobTable, monkeypatch: pytest.MonkeyPatch) -> None:
    key = submit(table, "a=1")
    table.take()
    monkeypatch.setattr(table_module, "WATCH_S", 0.0)
    assert table.abandoned() == [key]


def test_a_failed_job_can_be_run_again(table: JobTable) -> None:
    key = submit(table, "a=1")
    table.take()
    table.fail(key, "its worker ended")
    job = table.look(key, watcher="me")
    assert job is not None
    assert (job.state, job.error) == ("failed", "its worker ended")
    assert submit(table, "a=1") == key
    again = table.take()
    assert again is not None
    assert again.state == "running"


def test_results_and_rows_survive_a_restart(tmp_path: Path) -> None:
    table = JobTable(tmp_path)
    done, left = submit(table, "a=1"), submit(table, "a=2")
    table.take()
    table.finish(done, {"value": 7}, 1.0)
    table.take()
    table.close()
    again = JobTable(tmp_path)
    assert again.result(done) == {"value": 7}
    again.interrupted("the server was restarted")
    job = again.look(left, watcher="me")
    assert job is not None
    assert (job.state, job.error) == ("failed", "the server was restarted")
    again.close()


def test_old_rows_go_and_results_stay(table: JobTable) -> None:
    keys = []
    for index in range(3 * MOST_WAITING):
        keys.append(submit(table, f"a={index}"))
        table.take()
        table.finish(keys[-1], index, 0.1)
    assert table.look(keys[0], watcher="me") is None
    assert [table.result(key) for key in keys] == list(range(3 * MOST_WAITING))


def test_one_process_starts_the_runner(table: JobTable) -> None:
    assert not table.runner_alive()
    assert table.claim_start(60)
    assert not table.claim_start(60)
    table.beat()
    assert table.runner_alive()


def test_a_runner_whose_process_ended_is_not_alive(
    table: JobTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = psutil.Popen(["true"])
    monkeypatch.setattr(table_module.os, "getpid", lambda: ended.pid)
    table.beat()
    ended.wait(60)
    assert not table.runner_alive()


def test_a_late_runner_is_alive_and_a_silent_one_is_not(
    table: JobTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.beat()
    now = time.time()
    monkeypatch.setattr(table_module.time, "time", lambda: now + table_module.HUNG_S - 5)
    assert table.runner_alive()
    monkeypatch.setattr(table_module.time, "time", lambda: now + table_module.HUNG_S + 5)
    assert not table.runner_alive()


def test_what_is_kept_is_nobody_elses_to_read(tmp_path: Path) -> None:
    open_folder = tmp_path / "open"
    open_folder.mkdir(mode=0o755)
    (open_folder / f"jobs-{table_module.FORMAT}").mkdir(mode=0o755)
    table = JobTable(open_folder)
    modes = [oct(path.stat().st_mode & 0o777) for path in open_folder.iterdir()]
    table.close()
    assert modes == ["0o700"]

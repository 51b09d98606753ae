"""The runner: one process per server that runs jobs in processes of their own.

``python -m pages._jobs.runner DIRECTORY SLOTS PARENT CACHE_BYTES SCHEDULER`` runs until the
process PARENT is gone; of two in one directory the later ends at once. A job that nobody waits for, or that lasts far longer than
estimated, is killed; one that dies is reported.
"""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pages._jobs.processes import alive
from pages._jobs.table import Job, JobTable
from pages._jobs.work import run_job

TICK_S = 0.05
BEAT_S = 1.0
PATIENCE = 10.0
"""A job may take this many times its estimate, and at least ``LEAST_S``."""
LEAST_S = 60.0
HANDOVER_S = 5.0


@dataclass(frozen=True)
class Running:
    """A job and the process that computes it."""

    job: Job
    process: Any


class Runner:
    """Starts, watches and ends the processes of jobs."""

    def __init__(self, directory: Path, slots: int, cache_bytes: int, scheduler: str = "") -> None:
        self.directory, self.slots, self.cache_bytes = directory, slots, cache_bytes
        self.scheduler = scheduler
        self.table = JobTable(directory)
        # Workers are forked from a clean process that has imported what they need.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["pages._jobs.work"])
        self._running: dict[str, Running] = {}

    def tick(self) -> None:
        """Look after what runs, and start what fits."""
        for running in list(self._running.values()):
            if running.process.exitcode is not None:
                self._settle(running)
            elif time.time() - running.job.started_s > self._limit_s(running.job):
                self._end(running)
                self.table.fail(running.job.key, "it took far longer than estimated and was ended")
        for key in self.table.abandoned():
            if key in self._running:
                self._end(self._running[key])
            self.table.drop(key)
        while len(self._running) < self.slots and (job := self.table.take()):
            process = self._context.Process(
                target=run_job,
                args=(str(self.directory), job, self.scheduler),
            )
            process.start()
            self._running[job.key] = Running(job, process)

    def stop(self) -> None:
        """End everything."""
        for running in list(self._running.values()):
            self._end(running)

    def _settle(self, running: Running) -> None:
        running.process.join()
        del self._running[running.job.key]
        code = running.process.exitcode
        known = self.table.job(running.job.key)
        if code and known is not None and known.state == "running":  # else it has said itself
            reason = f"signal {-code}" if code < 0 else f"status {code}"
            self.table.fail(running.job.key, f"its worker ended with {reason}")
        self.table.purge(self.cache_bytes)

    def _end(self, running: Running) -> None:
        running.process.kill()
        running.process.join()
        self._running.pop(running.job.key, None)

    @staticmethod
    def _limit_s(job: Job) -> float:
        return max(LEAST_S, PATIENCE * job.estimate_s)


def claim(directory: Path, parent: int) -> int | None:
    """A file that one runner at a time holds open; None where another still does.

    The runner of a server that has just ended takes a moment to end as well.
    """
    held = os.open(directory / "runner.lock", os.O_CREAT | os.O_RDWR, 0o600)
    deadline = time.monotonic() + HANDOVER_S
    while alive(parent):
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                break
            time.sleep(TICK_S)
        else:
            return held
    os.close(held)
    return None


def main(words: list[str]) -> None:
    """Run until the parent is gone."""
    directory, slots, parent, cache_bytes = Path(words[0]), *map(int, words[1:4])
    if claim(directory, parent) is None:
        return
    runner = Runner(directory, slots, cache_bytes, scheduler=words[4])
    runner.table.purge(cache_bytes)
    runner.table.interrupted("the server was restarted while it ran; it can be run again")
    beaten = 0.0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        while alive(parent):
            if time.time() - beaten > BEAT_S:
                runner.table.beat()
                beaten = time.time()
            runner.tick()
            time.sleep(TICK_S)
    finally:
        runner.stop()


if __name__ == "__main__":
    main(sys.argv[1:])

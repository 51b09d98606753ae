"""Where pages and the API ask for computations: stored, kept, or to be run."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foptrn_model.explorers import Explorer
from foptrn_model.parameters import Params
from pages._jobs.clients import asking
from pages._jobs.table import MOST_WAITING, Job, JobTable, QueueFullError, job_key

ROOT = Path(__file__).parent.parent.parent
START_S = 10.0
POLL_S = 0.05
COME_BACK_S = 5
CACHE_BYTES = 500_000_000
MOST_WAITERS = 4
"""Requests of one process that may wait for an outcome: half of its threads stay free for pages."""


class RunFailedError(RuntimeError):
    """Raised where a computation came to nothing; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A computation that is not there yet."""

    job: Job
    ahead: int


@dataclass(frozen=True, kw_only=True)
class Work:
    """One computation as the job table knows it, and about how long it takes [s]."""

    slug: str
    part: str
    query: str
    estimate_s: float

    @property
    def key(self) -> str:
        return job_key(self.slug, self.part, self.query)

    @classmethod
    def of_part(cls, explorer: Explorer, part: str, params: Params) -> Work:
        """One part of a state."""
        assert explorer.simulation is not None  # noqa: S101 - only simulated explorers ask
        found = explorer.simulation.parts[part]
        return cls(
            slug=explorer.slug, part=part, query=found.query(params),
            estimate_s=found.estimate_s(params),
        )  # fmt: skip


class Desk:
    """One server's computations.

    ``slots`` run at once, ``per_address`` may be running or waiting for one
    address, ``waiters`` requests of this process may wait until theirs is done,
    and results are kept up to ``cache_bytes``. Sweeps are computed by the
    workers of ``scheduler``, if there is one.
    """

    def __init__(
        self,
        directory: Path,
        slots: int,
        *,
        per_address: int = MOST_WAITING,
        waiters: int = MOST_WAITERS,
        cache_bytes: int = CACHE_BYTES,
        scheduler: str = "",
    ) -> None:
        self.table = JobTable(directory)
        self.slots, self.per_address, self.cache_bytes = slots, per_address, cache_bytes
        self.waiters, self.scheduler = waiters, scheduler
        self._waiting = threading.BoundedSemaphore(waiters)

    def known(self, explorer: Explorer, part: str, params: Params) -> Any:
        """The outcome of one part of a state if it is stored or kept, else None."""
        assert explorer.simulation is not None  # noqa: S101 - only simulated explorers ask
        work = Work.of_part(explorer, part, params)
        stored = explorer.simulation.stored(part, work.query)
        return self.outcome(work) if stored is None else stored

    def outcome(self, work: Work) -> Any:
        """What a computation came to if it is kept, else None."""
        return self.table.result(work.key)

    def ask(self, explorer: Explorer, part: str, params: Params, *, watcher: str) -> Waiting:
        """Have one part of a state computed; raises QueueFullError and RunFailedError."""
        return self.have_done(Work.of_part(explorer, part, params), watcher=watcher)

    def have_done(self, work: Work, *, watcher: str) -> Waiting:
        """Have something computed; raises QueueFullError and RunFailedError."""
        self._ensure_runner()  # first, or a queue that a lost runner left full would stay full
        job = self.table.look(work.key, watcher=watcher)
        if job is not None and job.state == "failed":
            self.table.drop(work.key)  # so that asking again runs it again
            raise RunFailedError(job.error)
        # It may have ended since somebody looked; then its outcome is there, unless it was dropped.
        if job is None or (job.state == "done" and self.outcome(work) is None):
            job = self.table.submit(
                work.slug, work.part, work.query, watcher=watcher,
                estimate_s=work.estimate_s, address=asking(), most=self.per_address,
            )  # fmt: skip
        return Waiting(job=job, ahead=self.table.ahead_of(job) if job.state == "queued" else 0)

    def under_way(self, explorer: Explorer, part: str, params: Params) -> Job | None:
        """The job that computes one part of a state now, if there is one; starts nothing."""
        job = self.table.job(Work.of_part(explorer, part, params).key)
        return job if job is not None and job.pending else None

    def waits(self, explorer: Explorer, part: str, params: Params, *, watcher: str) -> bool:
        """Whether somebody waits for one part of a state."""
        return self.table.watched(Work.of_part(explorer, part, params).key, watcher=watcher)

    def leave(self, explorer: Explorer, part: str, params: Params, *, watcher: str) -> None:
        """Stop waiting for one part of a state."""
        self.give_up(Work.of_part(explorer, part, params), watcher=watcher)

    def give_up(self, work: Work, *, watcher: str) -> None:
        """Stop waiting for something."""
        self.table.leave(work.key, watcher=watcher)

    def give_up_for_good(self, work: Work, *, watcher: str) -> None:
        """Stop waiting, for a watcher that waits for this alone: it has :meth:`given_up`."""
        self.table.retire(watcher)
        self.give_up(work, watcher=watcher)

    def given_up(self, watcher: str) -> bool:
        """Whether a watcher has given up; a question of its own may come after that."""
        return self.table.retired(watcher)

    def wait(
        self, explorer: Explorer, part: str, params: Params, *, watcher: str, patience_s: float
    ) -> Any:
        """The outcome, computed if need be.

        Raises
        ------
        QueueFullError, RunFailedError
            The latter also where it takes longer than ``patience_s``.
        """
        outcome = self.known(explorer, part, params)
        if outcome is not None:
            return outcome
        if not self._waiting.acquire(blocking=False):
            found = f"{self.waiters} requests are waiting for computations"
            raise QueueFullError(found, "this process lets wait", COME_BACK_S)
        try:
            deadline = time.monotonic() + patience_s
            while outcome is None:
                self.ask(explorer, part, params, watcher=watcher)
                if time.monotonic() > deadline:
                    self.leave(explorer, part, params, watcher=watcher)
                    raise RunFailedError(f"not done within {patience_s:.0f} s; try again")
                time.sleep(POLL_S)
                outcome = self.known(explorer, part, params)
        finally:
            self._waiting.release()
        return outcome

    def start(self) -> None:
        """Start the runner now, so that nobody waits for it later."""
        self._ensure_runner()

    def _ensure_runner(self) -> None:
        """Start the runner unless it has been heard of, or another process is starting it."""
        if self.table.runner_alive() or not self.table.claim_start(START_S):
            return
        command = [
            sys.executable, "-m", "pages._jobs.runner",
            str(self.table.directory), str(self.slots), str(server_pid()), str(self.cache_bytes),
            self.scheduler,
        ]  # fmt: skip
        subprocess.Popen(  # noqa: S603 - our own module, with our own words
            command, cwd=ROOT, stdin=subprocess.DEVNULL, close_fds=True, start_new_session=True
        )


def server_pid() -> int:
    """The process that a runner should outlive no longer: gunicorn's master, or this one."""
    return os.getppid() if "gunicorn.arbiter" in sys.modules else os.getpid()


_open: dict[str, Desk] = {}


def open_desk(desk: Desk) -> None:
    """Say where the computations of this process are kept."""
    _open["desk"] = desk


def desk() -> Desk:
    """The desk of this process."""
    return _open["desk"]


def progress_text(waiting: Waiting, labels: Mapping[str, str], noun: str = "step") -> str:
    """How far a computation is, in words; it goes by steps, or by what ``noun`` says."""
    job = waiting.job
    if job.state == "queued":
        return "Next in the queue" if waiting.ahead == 0 else f"{waiting.ahead} ahead in the queue"
    what = labels[job.part]
    return f"{what}: {noun} {job.done} of {job.of}" if job.of else f"{what}: starting"

"""The job table: what is asked for, how far it is, and what came of it.

It lives in a directory that all processes of a server share (SQLite beneath
diskcache), holds JSON only, and survives a restart. A job is known by a key
made of what it computes, so equal requests share one job; each page that waits
for it is a watcher, and a job that nobody watches any longer is ended.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import diskcache

from foptrn_model.simulation import code_digest
from pages._jobs.processes import alive

State = Literal["queued", "running", "done", "failed"]

MOST_WAITING = 16
"""Jobs that may be queued or running, of all people together."""
WATCH_S = 8.0
"""A watcher that has not asked for this long is gone."""
KEPT_S = 30 * 86_400.0
"""Results are kept this long."""
HUNG_S = 60.0
"""A runner that is silent for so long is taken for dead."""
FORMAT = 3
"""Counts changes of what the table holds; servers of two formats do not meet."""
JOBS = "jobs"
RESULT = "result:"


class QueueFullError(RuntimeError):
    """Raised where a bound is reached; ``retry_after_s`` is when to try again."""

    def __init__(self, found: str, bound: str, retry_after_s: int) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(f"{found}, which is as many as {bound}; try again in {retry_after_s} s")


@dataclass(frozen=True, kw_only=True)
class Job:
    """One computation. ``query`` is its state's canonical query, ``part`` what of it is computed.

    ``client`` tells apart who asked for it first, while it is pending.
    """

    key: str
    slug: str
    part: str
    query: str
    state: State
    order: int
    estimate_s: float
    done: int = 0
    of: int = 0
    error: str = ""
    started_s: float = 0.0
    seconds: float = 0.0
    client: str = ""

    @property
    def pending(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("queued", "running")


def _within_a_minute(seconds: float) -> int:
    return max(1, min(60, round(seconds)))


def job_key(slug: str, part: str, query: str) -> str:
    """The same for the same computation by the same code."""
    text = json.dumps([code_digest(), slug, part, query])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class JobTable:
    """Jobs, watchers and results in a shared directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        kept = directory / f"jobs-{FORMAT}"
        # The folder around it may be one that others can read; who waits is nobody else's business.
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept.chmod(0o700)
        self._cache = diskcache.Cache(
            str(kept),
            disk=diskcache.JSONDisk,
            # Diskcache would purge whatever is oldest, jobs and watchers too; see purge().
            eviction_policy="none",
            cull_limit=0,
            timeout=10,
        )

    # Pages ------------------------------------------------------------------

    def submit(
        self,
        slug: str,
        part: str,
        query: str,
        *,
        watcher: str,
        estimate_s: float,
        address: str = "",
        most: int = MOST_WAITING,
    ) -> Job:
        """The job for a computation, a new one if there is none; raises QueueFullError.

        An ``address`` may have ``most`` that are not over. What the watcher itself
        waits for does not count, since it is about to wait for this one instead.
        """
        key = job_key(slug, part, query)
        with self._cache.transact():
            jobs = self._jobs()
            job = jobs.get(key)
            if job is None or job.state in ("failed", "done"):
                waiting = [item for item in jobs.values() if item.pending]
                if len(waiting) >= MOST_WAITING:
                    ahead = sum(item.estimate_s for item in waiting)
                    raise QueueFullError(
                        f"{len(waiting)} computations are running or waiting",
                        "this server takes", _within_a_minute(ahead / 2),
                    )  # fmt: skip
                client = self._client(address)
                theirs = [
                    item
                    for item in waiting
                    if client
                    and item.client == client
                    and self._watchers(item.key).keys() - {watcher}
                ]
                if len(theirs) >= most:
                    raise QueueFullError(
                        f"{len(theirs)} computations of your address are running or waiting",
                        "one address may have",
                        _within_a_minute(min(item.estimate_s for item in theirs)),
                    )
                order = 1 + max((item.order for item in jobs.values()), default=0)
                job = Job(
                    key=key, slug=slug, part=part, query=query, state="queued", order=order,
                    estimate_s=estimate_s, client=client,
                )  # fmt: skip
                jobs[key] = job
                self._write(jobs)
            self._watch(key, watcher, jobs)
        return job

    def look(self, key: str, *, watcher: str) -> Job | None:
        """How far a job is; tells the runner that somebody still waits for it."""
        with self._cache.transact():
            jobs = self._jobs()
            job = jobs.get(key)
            if job is not None and job.pending:
                self._watch(key, watcher, jobs)
        return job

    def job(self, key: str) -> Job | None:
        """How far a job is, for somebody who does not wait for it."""
        return self._jobs().get(key)

    def watched(self, key: str, *, watcher: str) -> bool:
        """Whether somebody waits for a job that is not over; unlike :meth:`look` this tells nobody."""
        job = self.job(key)
        return job is not None and job.pending and watcher in self._watchers(key)

    def leave(self, key: str, *, watcher: str) -> None:
        """One watcher less; the runner ends a job that has none."""
        with self._cache.transact():
            watchers = self._cache.get(f"watch:{key}") or {}
            watchers.pop(watcher, None)
            self._cache.set(f"watch:{key}", watchers)

    def retire(self, watcher: str) -> None:
        """Remember for an hour that a watcher waits for nothing any more."""
        self._cache.set(f"gone:{watcher}", 1, expire=3_600)

    def retired(self, watcher: str) -> bool:
        """Whether a watcher was retired."""
        return bool(self._cache.get(f"gone:{watcher}"))

    def ahead_of(self, job: Job) -> int:
        """How many jobs will run before this one."""
        return sum(item.order < job.order for item in self._jobs().values() if item.pending)

    def result(self, key: str) -> Any:
        """What a job computed, or None."""
        return self._cache.get(RESULT + key)

    def runner_alive(self) -> bool:
        """Whether there is a runner: its process lives, and it is not long silent.

        A busy machine makes a runner late, so silence alone is no death: a
        second runner would take the first one's jobs for lost.
        """
        at, pid = self._cache.get("heartbeat") or (0.0, 0)
        return bool(time.time() - at < HUNG_S and alive(int(pid)))

    def claim_start(self, for_s: float) -> bool:
        """Whether it falls to the caller to start a runner; others wait meanwhile."""
        return bool(self._cache.add("starting", 1, expire=for_s))

    # Runner -----------------------------------------------------------------

    def beat(self) -> None:
        """Tell that the runner lives."""
        self._cache.set("heartbeat", [time.time(), os.getpid()])

    def take(self) -> Job | None:
        """The next job to run, marked as running."""
        with self._cache.transact():
            jobs = self._jobs()
            queued = [job for job in jobs.values() if job.state == "queued"]
            if not queued:
                return None
            job = replace(
                min(queued, key=lambda item: item.order), state="running", started_s=time.time()
            )
            jobs[job.key] = job
            self._write(jobs)
        return job

    def report(self, key: str, done: int, of: int) -> None:
        """How many of a job's steps are done."""
        self._change(key, done=done, of=of)

    def finish(self, key: str, outcome: Any, seconds: float) -> None:
        """Keep what a job computed."""
        self._cache.set(RESULT + key, outcome, expire=KEPT_S)
        self._change(key, state="done", seconds=seconds, client="")

    def fail(self, key: str, error: str) -> None:
        """Tell why a job came to nothing."""
        self._change(key, state="failed", error=error, client="")

    def purge(self, most_bytes: int) -> None:
        """Drop what has expired, and the oldest results until the folder fits ``most_bytes``."""
        self._cache.expire()
        results = [key for key in self._cache if str(key).startswith(RESULT)]  # oldest first
        while results and self._cache.volume() > most_bytes:
            self._cache.delete(results.pop(0))

    def abandoned(self) -> list[str]:
        """Jobs that nobody waits for any longer; queued ones among them are dropped."""
        with self._cache.transact():
            jobs = self._jobs()
            lost = [key for key, job in jobs.items() if job.pending and not self._watchers(key)]
            running = [key for key in lost if jobs[key].state == "running"]
            for key in lost:
                if jobs[key].state == "queued":
                    del jobs[key]
            if len(running) < len(lost):
                self._write(jobs)
        return running

    def drop(self, key: str) -> None:
        """Forget a job, so that it can be asked for anew."""
        with self._cache.transact():
            jobs = self._jobs()
            jobs.pop(key, None)
            self._write(jobs)

    def interrupted(self, error: str) -> None:
        """Mark jobs that a former runner left running as failed."""
        for key, job in self._jobs().items():
            if job.state == "running":
                self.fail(key, error)

    def close(self) -> None:
        self._cache.close()

    # Inside -----------------------------------------------------------------

    def _client(self, address: str) -> str:
        """A name for an address that is of no use outside of this table."""
        if not address:
            return ""
        self._cache.add("salt", secrets.token_hex(16))
        return hashlib.sha256(f"{self._cache.get('salt')} {address}".encode()).hexdigest()[:16]

    def _jobs(self) -> dict[str, Job]:
        return {key: Job(**row) for key, row in (self._cache.get(JOBS) or {}).items()}

    def _write(self, jobs: dict[str, Job]) -> None:
        # Of what is over, only the latest is worth a row; results have keys of their own.
        over = sorted(
            (job for job in jobs.values() if job.state in ("done", "failed")),
            key=lambda job: -job.order,
        )
        for job in over[MOST_WAITING:]:
            del jobs[job.key]
        self._cache.set(JOBS, {key: asdict(job) for key, job in jobs.items()})

    def _change(self, key: str, **changes: Any) -> None:
        with self._cache.transact():
            jobs = self._jobs()
            if key in jobs:
                jobs[key] = replace(jobs[key], **changes)
                self._write(jobs)

    def _watch(self, key: str, watcher: str, jobs: dict[str, Job]) -> None:
        # A page waits for one thing at a time: what it asked for before may end at once.
        for other, job in jobs.items():
            if other != key and job.pending:
                watching = self._cache.get(f"watch:{other}") or {}
                if watching.pop(watcher, None) is not None:
                    self._cache.set(f"watch:{other}", watching, expire=3_600)
        watchers = self._watchers(key)
        watchers[watcher] = time.time()
        self._cache.set(f"watch:{key}", watchers, expire=3_600)

    def _watchers(self, key: str) -> dict[str, float]:
        """Who still waits, with when they last asked."""
        since = time.time() - WATCH_S
        watchers = self._cache.get(f"watch:{key}") or {}
        return {name: at for name, at in watchers.items() if at > since}

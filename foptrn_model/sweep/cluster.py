"""A sweep on Dask workers: of a cluster of this machine, or of a scheduler that is there already.

Batches are pure, and a few per worker are on their way at a time. What a
worker had when it ended is computed again by another. A batch that keeps
ending its workers is suspected: when all others are done it is tried again
alone, in ever smaller parts, until the points that do it are known. They are
recorded as bad, and the sweep goes on.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from foptrn_model.sweep.address import check_address
from foptrn_model.sweep.engine import Keep, Missing, Pace
from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.points import Plain, Row, compute_batch, packed

PER_WORKER = 4
"""Batches on their way for each worker: one computes while others travel."""
RESTARTS = 1
"""A batch may lose this many workers of a cluster of our own before it is suspected."""
KEPT_EVENTS = 100
CONNECT_S = 10.0
WORKERS_ASKED_S = 2.0
LETHAL = "its worker process ended each time it was tried: out of memory, or killed"


@contextmanager
def local_cluster(workers: int) -> Iterator[Any]:
    """A client of so many worker processes of this machine, which end with it.

    They listen on this machine only, and talk by TLS with a key made for the
    occasion: a scheduler runs what it is sent, so no other user may reach it.
    """
    dask, distributed = _distributed()
    settings = {
        "distributed.scheduler.allowed-failures": RESTARTS,
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        # Workers would look at their own stacks a hundred times a second, which nobody reads.
        "distributed.worker.profile.enabled": False,
        # The scheduler lives in the command's process; what it remembers of tasks would grow there.
        "distributed.admin.log-length": KEPT_EVENTS,
        "distributed.admin.low-level-log-length": KEPT_EVENTS,
    }
    with (
        dask.config.set(settings),
        _cluster_errors("the local workers"),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            security=True,
            scheduler_kwargs={"dashboard": False},
            preload=[__name__],
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def dask_setup(worker: Any) -> None:
    """Called by Dask in a local worker as it starts: Ctrl-C is for the command, which ends them all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def remote_cluster(address: str) -> Iterator[Any]:
    """A client of a scheduler that runs already."""
    _, distributed = _distributed()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(check_address(address), timeout=CONNECT_S)
    except (OSError, TypeError, ValueError, RuntimeError) as error:
        raise SweepError(f"no scheduler answers at {address}: {error}") from None
    with _cluster_errors(f"the scheduler at {address}"), client:
        yield client


def count_workers(client: Any) -> int:
    """Threads that compute; each takes one batch at a time."""
    return sum(client.nthreads().values())


def compute_there(client: Any, plain: Plain, missing: Missing, pace: Pace, keep: Keep) -> None:
    """Compute what is missing on a client's workers, keeping batches as they come."""
    suspects = _Flight(client, plain, pace, keep).run(missing)
    while suspects:
        start, stop = suspects.pop()
        middle = (start + stop) // 2
        for part in ((start, middle), (middle, stop)):
            if part[0] == part[1]:
                continue
            ended = _Flight(client, plain, pace, keep).run(_Only(part))
            if ended and part[1] - part[0] == 1:
                keep(packed([Row(number=part[0], values={}, message=LETHAL)], 0.0))
            else:
                suspects += ended


class _Only:
    """One run of points, handed out whole."""

    def __init__(self, part: tuple[int, int]) -> None:
        self._parts = [part]

    def take(self, most: int) -> tuple[int, int] | None:
        return self._parts.pop() if self._parts else None


class _Flight:
    """Batches on their way, at most a few per worker."""

    def __init__(self, client: Any, plain: Plain, pace: Pace, keep: Keep) -> None:
        self.client, self.plain, self.pace, self.keep = client, plain, pace, keep
        self._ranges: dict[str, tuple[int, int]] = {}
        self._most, self._asked = PER_WORKER, 0.0

    def run(self, missing: Missing | _Only) -> list[tuple[int, int]]:
        """Compute everything; gives the batches whose workers ended again and again."""
        _, distributed = _distributed()
        suspects: list[tuple[int, int]] = []
        landing = distributed.as_completed()
        self._fill(landing, missing)
        for future in landing:
            part = self._ranges.pop(future.key)
            try:
                batch = future.result()
            except distributed.KilledWorker:
                suspects.append(part)
            except SweepError:
                raise
            except Exception as error:
                raise SweepError(f"the workers failed: {_reason(error)}") from None
            else:
                self.pace.learn(batch)
                self.keep(batch)
            future.release()
            self._fill(landing, missing)
        return suspects

    def _fill(self, landing: Any, missing: Missing | _Only) -> None:
        while len(self._ranges) < self._window():
            part = missing.take(self.pace.size())
            if part is None:
                return
            future = self.client.submit(compute_batch, self.plain, *part, pure=False)
            self._ranges[future.key] = part
            landing.add(future)

    def _window(self) -> int:
        """Batches that may be on their way; workers may join and leave."""
        if time.monotonic() - self._asked > WORKERS_ASKED_S:
            self._most = PER_WORKER * max(1, count_workers(self.client))
            self._asked = time.monotonic()
        return self._most


@contextmanager
def _cluster_errors(what: str) -> Iterator[None]:
    """What Dask raises where a cluster is lost, as one line."""
    _, distributed = _distributed()
    try:
        yield
    except (OSError, TimeoutError, distributed.client.FutureCancelledError) as error:
        message = f"{what} failed: {_reason(error)}; the same command goes on"
        raise SweepError(message) from None


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def _distributed() -> tuple[Any, Any]:
    try:
        import dask  # noqa: PLC0415 - of the sweep extra, and slow to load
        import distributed  # noqa: PLC0415
    except ImportError:
        raise SweepError(
            "sweeps on workers need the sweep extra: python -m pip install -e '.[sweep]'; "
            "--workers 0 computes in this process without it"
        ) from None
    return dask, distributed

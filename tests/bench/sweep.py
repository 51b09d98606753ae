"""Print what a sweep costs on worker processes: python -m tests.bench.sweep."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from foptrn_model.explorers import AMDAHL, TRAINERS, Explorer
from foptrn_model.sweep.cluster import compute_there, local_cluster
from foptrn_model.sweep.engine import Keep, Missing, Pace
from foptrn_model.sweep.estimate import seconds_per_point
from foptrn_model.sweep.grid import read_grid
from foptrn_model.sweep.journal import Journal
from foptrn_model.sweep.points import Plain, Sweep, compute_row, make_sweep

TRAININGS = ("phase_error_rad=0:0.6:20", "readout_noise=0:0.2:20")
LIGHT = {"steps": 3, "batch": 16, "seeds": 1}
HEAVY = {"steps": 20, "seeds": 1}
CLOSED = ("seq_len=512:65536:400:log", "fft_rate=0.01:1:250")
SEEDS = 8
WARM_UP = 0.1


@dataclass
class Seen:
    """Resident size of this process as batches come, beside how many points there are.

    ``busy_s`` is what the points themselves took.
    """

    rows: int = 0
    busy_s: float = 0.0
    sizes: list[tuple[int, float]] = field(default_factory=list)

    def __call__(self, batch: Plain) -> None:
        self.rows += len(batch["rows"])
        self.busy_s += batch["seconds"]
        self.sizes.append((self.rows, resident_mb()))

    def after(self, share: float) -> float:
        """Size once a share of the points was there."""
        return next(size for rows, size in self.sizes if rows >= share * self.rows)


def resident_mb() -> float:
    """Resident size of this process."""
    return psutil.Process().memory_info().rss / 1e6


def sweep_of(
    explorer: Explorer, over: Sequence[str], base: dict, seeds: int | None = None
) -> Sweep:
    return make_sweep(explorer, base, read_grid(explorer.params, over, seeds))


def on_workers(sweep: Sweep, workers: int, keep: Keep) -> float:
    """Seconds of a sweep on workers that have started and computed a point."""
    pace = Pace(seconds_per_point(sweep))
    with local_cluster(workers) as client:
        warm = Missing(bytearray(8 * workers))
        compute_there(client, sweep.plain, warm, Pace(1.0), drop)
        started = time.perf_counter()
        compute_there(client, sweep.plain, Missing(bytearray(sweep.grid.size)), pace, keep)
        return time.perf_counter() - started


def loop(sweep: Sweep) -> float:
    """Seconds of the same points in a plain loop."""
    compute_row(sweep, 0)
    started = time.perf_counter()
    for number in range(sweep.grid.size):
        compute_row(sweep, number)
    return time.perf_counter() - started


def drop(batch: Plain) -> None:
    """Keep nothing."""


def main() -> None:
    """Speed-up, overhead per point, memory."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    sweep = sweep_of(TRAINERS, TRAININGS, LIGHT, seeds=SEEDS)
    one, two = (on_workers(sweep, workers, drop) for workers in (1, 2))
    print(
        f"{sweep.grid.size} trainings ({sweep.grid.size // SEEDS} points, {SEEDS} seeds): one worker {one:.1f} s, "
        f"two {two:.1f} s, speed-up {one / two:.2f}"
    )
    heavy = sweep_of(TRAINERS, ("phase_error_rad=0:0.6:100",), HEAVY)
    sent = Seen()
    plain, there = loop(heavy), on_workers(heavy, 1, sent)
    print(
        f"{heavy.grid.size} points of {1000 * plain / heavy.grid.size:.0f} ms: "
        f"a loop {plain:.2f} s, one worker {there:.2f} s ({100 * (there / plain - 1):+.1f} %), of which "
        f"{sent.busy_s:.2f} s in the points, overhead {100 * (there / sent.busy_s - 1):.1f} %"
    )
    closed, seen = sweep_of(AMDAHL, CLOSED, {}), Seen()
    with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "part", closed)) as journal:
        before = resident_mb()

        def keep(batch: Plain) -> None:
            journal.append(batch)
            seen(batch)

        took = on_workers(closed, 2, keep)
    print(
        f"{closed.grid.size} closed-form points: {took:.1f} s on two workers; memory of the command "
        f"{before:.0f} MB before, {seen.after(WARM_UP):.0f} MB after a tenth, at most "
        f"{max(size for _, size in seen.sizes):.0f} MB"
    )


if __name__ == "__main__":
    main()

"""The command ``python -m foptrn_model sweep EXPLORER``: words read, and a sweep run to its end."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.flags import named_words
from foptrn_model.progress_bar import ProgressBar
from foptrn_model.sweep import cluster
from foptrn_model.sweep.address import check_address
from foptrn_model.sweep.engine import Keep, Missing, Pace, compute_here
from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.estimate import seconds_per_point
from foptrn_model.sweep.files import check_output, write_sweep
from foptrn_model.sweep.grid import read_grid, whole
from foptrn_model.sweep.journal import Journal
from foptrn_model.sweep.points import Plain, Sweep, make_sweep
from foptrn_model.text import counted, duration, group_digits

ASK_ABOVE_S = 600.0
"""What takes longer is asked about first."""
MOST_SEEDS, MOST_WORKERS = 100_000, 512
USAGE = (
    "usage: python -m foptrn_model sweep EXPLORER --over name=start:stop:count[:log] ... "
    "[--seeds N] --out FILE.csv|.parquet"
)
HELP = f"""{USAGE}
Compute an explorer over a grid of its fields, a row per point; docs/sweep.md tells more.
  --over name=start:stop:count       values at equal distances; whole numbers are rounded
  --over name=start:stop:count:log   values at equal ratios
  --over name=value,value,...        these values; so are choices swept
  --seeds N         every point with seeds 0 to N-1, one run each
  --name value      a field that all points share, as in the explorer's own command
  --part NAME       run this part of an explorer at every point as well
  --out FILE        where the result is written; FILE.part keeps what is computed meanwhile, and
                    the same command goes on after a stop
  --workers N       worker processes on this machine (default: one per core); 0 computes in this
                    process, without Dask
  --scheduler A     compute on the workers of a Dask scheduler, tcp://host:port or tls://host:port
  --yes             do not ask, however long it takes
explorers: {", ".join(EXPLORERS)}
"""


@dataclass
class Words:
    """What the words of one command say."""

    explorer: Explorer
    over: list[str] = field(default_factory=list)
    raw: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    seeds: int | None = None
    out: Path | None = None
    workers: int | None = None
    scheduler: str = ""
    yes: bool = False


def run_sweep(words: Sequence[str]) -> str:
    """Run what the words ask for and say what came of it; progress goes to stderr.

    Raises
    ------
    UsageError, SweepError, ParamsError
        For words that it does not take, and where it cannot go on.
    """
    if not words or "-h" in words or "--help" in words:
        return HELP
    asked = read_words(words)
    sweep = planned(asked)
    out = asked.out
    assert out is not None  # noqa: S101 - read_words refuses to do without
    check_output(out)
    with closing(Journal(out.with_name(f"{out.name}.part"), sweep)) as journal:
        try:
            if journal.count < journal.size:
                _compute(asked, sweep, journal)
            write_sweep(journal, out)
        except KeyboardInterrupt:
            there = f"{counted(journal.count, 'point')} of {group_digits(journal.size)} in {journal.path}"
            kept = (
                f"with {there}; the same command goes on" if journal.count else "before any point"
            )
            raise SweepError(f"stopped {kept}") from None
        finally:
            if out.exists() or not journal.count:
                journal.remove()
        bad = (
            f", {group_digits(journal.bad)} of them bad; their rows say why" if journal.bad else ""
        )
    return f"{counted(journal.size, 'point')} written to {out}{bad}\n"


def planned(asked: Words) -> Sweep:
    """The sweep that words describe; raises SweepError and ParamsError."""
    params = asked.explorer.params
    grid = read_grid(params, asked.over, asked.seeds)
    raw = dict(asked.raw)
    for axis in grid.axes:
        if axis.name in raw:
            raise SweepError(f"{axis.name} is swept and given as well: leave out --{axis.name}")
    swept = {axis.name for axis in grid.axes}
    if asked.seeds is not None and "seeds" in params.specs() and "seeds" not in swept:
        raw["seeds"] = "1"  # a row is one run; --over seeds=8 makes it eight
    return make_sweep(asked.explorer, raw, grid, asked.parts)


def _compute(asked: Words, sweep: Sweep, journal: Journal) -> None:
    point_s = seconds_per_point(sweep)
    bar = ProgressBar("points", tenths=True)

    def keep(batch: Plain) -> None:
        journal.append(batch)
        bar(f"{group_digits(journal.bad)} bad" if journal.bad else "", journal.count, journal.size)

    missing, pace = Missing(journal.present), Pace(point_s)
    try:
        if asked.scheduler:
            with cluster.remote_cluster(asked.scheduler) as client:
                workers = cluster.count_workers(client)
                _tell(asked, journal, point_s, workers)
                cluster.compute_there(client, sweep.plain, missing, pace, keep)
        else:
            workers = usable_cores() if asked.workers is None else asked.workers
            _tell(asked, journal, point_s, max(1, workers))
            _on_this_machine(workers, sweep.plain, missing, pace, keep)
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\n")


def _on_this_machine(workers: int, plain: Plain, missing: Missing, pace: Pace, keep: Keep) -> None:
    if not workers:
        compute_here(plain, missing, pace, keep)
        return
    with cluster.local_cluster(workers) as client:
        cluster.compute_there(client, plain, missing, pace, keep)


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tell(asked: Words, journal: Journal, point_s: float, workers: int) -> None:
    """Say how long it takes, and above a limit ask, or refuse where nobody can be asked."""
    left = journal.size - journal.count
    whole_s = left * point_s / max(1, workers)
    there = f", {group_digits(journal.count)} more are there already" if journal.count else ""
    on = (
        f" on {counted(workers, 'worker')}"
        if workers
        else "; no worker has joined the scheduler yet"
    )
    sys.stderr.write(f"{counted(left, 'point')}{there}; about {duration(whole_s, 2)}{on}\n")
    sys.stderr.flush()
    if asked.yes or whole_s <= ASK_ABOVE_S:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise SweepError(
            f"about {duration(whole_s, 2)} is above {duration(ASK_ABOVE_S)}: give --yes to go on"
        )
    sys.stderr.write("Go on? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise SweepError("not started")


# Words ---------------------------------------------------------------------------------


def read_words(words: Sequence[str]) -> Words:
    """What the words say; raises UsageError or SweepError with one clear line."""
    if words[0] not in EXPLORERS:
        raise SweepError(f"unknown explorer {words[0]!r}; known: {', '.join(EXPLORERS)}")
    asked = Words(EXPLORERS[words[0]])
    given_once: set[str] = set()
    for name, value in named_words(words[1:], switches=("yes",)):
        if value is None:
            asked.yes = True
            continue
        if name not in ("over", "part") and name in given_once:
            raise SweepError(f"--{name} must be given once")
        given_once.add(name)
        _take(asked, name, value)
    if asked.out is None:
        raise SweepError("--out FILE.csv or FILE.parquet is missing")
    if asked.scheduler and asked.workers is not None:
        raise SweepError("give one of --scheduler and --workers")
    return asked


def _take(asked: Words, name: str, value: str) -> None:
    attachment = asked.explorer.attachment
    if name == "over":
        asked.over.append(value)
    elif name == "seeds":
        asked.seeds = whole(value, "--seeds", 1, MOST_SEEDS)
    elif name == "workers":
        asked.workers = whole(value, "--workers", 0, MOST_WORKERS)
    elif name == "scheduler":
        asked.scheduler = check_address(value)
    elif name == "out":
        if not value:
            raise SweepError("--out needs the name of a file")
        asked.out = Path(value)
    elif name == "part":
        asked.parts.append(_part(asked.explorer, value))
    elif attachment and name == attachment.name:
        raise SweepError(f"--{name}: a sweep stands on the curves that come with the project")
    else:
        asked.raw[name] = value


def _part(explorer: Explorer, name: str) -> str:
    simulation = explorer.simulation
    known = list(simulation.parts) if simulation and simulation.closed else []
    if not known:
        raise SweepError(f"--part: {explorer.slug} has no part beside its result")
    if name not in known:
        raise SweepError(f"--part must be one of {', '.join(known)}, got {name}")
    return name

"""What a server's processes weigh, and what is left of it when it has ended."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.browser.served import ROOT, Served

IGNORED = {
    ".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".benchmarks",
}  # fmt: skip
SHARED = Path("/dev/shm")
WINDOW_S = 60.0


@dataclass
class Memory:
    """Megabytes of one process over time: resident, and its share of what others have as well."""

    rss: list[tuple[float, float]] = field(default_factory=list)
    pss: list[tuple[float, float]] = field(default_factory=list)

    def note(self, process: psutil.Process) -> None:
        """Take one sample."""
        found, now = process.memory_full_info(), time.monotonic()
        self.rss.append((now, found.rss / 1e6))
        self.pss.append((now, found.pss / 1e6))

    @staticmethod
    def between(samples: list[tuple[float, float]], start: float, end: float) -> float:
        """The median of a stretch of time; not a number where nothing was sampled."""
        found = [size for at, size in samples if start <= at <= end]
        return statistics.median(found) if found else float("nan")


class Watch:
    """Samples a server's web processes and its runner."""

    def __init__(self, server: Served) -> None:
        self.server, self.memory = server, dict[tuple[str, int], Memory]()

    def look(self) -> None:
        """Take one sample of each process."""
        kinds = (("web process", self.server.workers()), ("runner", self.server.runners()))
        for kind, processes in kinds:
            for process in processes:
                with suppress(psutil.Error):  # it has just ended
                    self.memory.setdefault((kind, process.pid), Memory()).note(process)

    def report(self, start: float, end: float, most_percent: float | None) -> bool:
        """Print what each process had in the first and the last minute; gives whether all stayed flat."""
        flat = True
        window = min(WINDOW_S, (end - start) / 3)
        for (kind, pid), memory in self.memory.items():
            if memory.rss[0][0] > start or memory.rss[-1][0] < end - window:
                continue  # it did not live all the time
            line = f"{kind} {pid}:"
            for name, samples in (("RSS", memory.rss), ("PSS", memory.pss)):
                first = memory.between(samples, start, start + window)
                last = memory.between(samples, end - window, end)
                grown = 100 * (last / first - 1)
                line += f"  {name} {first:.1f} -> {last:.1f} MB ({grown:+.1f} %)"
                if kind == "web process" and most_percent is not None and grown > most_percent:
                    line += f" OVER {most_percent:g} %"
                    flat = False
            print(line)
            minutes = range(int((memory.pss[-1][0] - memory.pss[0][0]) // WINDOW_S))
            began = memory.pss[0][0]
            by_minute = (
                memory.between(memory.pss, began + WINDOW_S * at, began + WINDOW_S * (at + 1))
                for at in minutes
            )
            print("    PSS by the minute:", *(f"{size:.0f}" for size in by_minute), "MB")
        return flat


def processes_of(server: Served) -> list[psutil.Process]:
    """Processes that were started with this server's state folder, whoever is their parent now."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("FOPTRN_STATE_DIR") == str(server.state):
                found.append(process)
    return found


def files_around(temporary: Path) -> set[Path]:
    """Files where a server might leave some: the project, its temporary files, gunicorn's in memory."""
    return {*_walk(ROOT), *_walk(temporary), *SHARED.glob("wgunicorn*")}


def _walk(place: Path) -> Iterable[Path]:
    for path in place.iterdir():
        if path.name in IGNORED:
            continue
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)


def megabytes(folder: Path) -> float:
    """What a folder holds."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6

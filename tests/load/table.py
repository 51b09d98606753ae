"""What a crowd met: one line per kind of request."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

BUDGET_MS = 1000
DRAWN = ("drag", "release", "rest")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One request: what it was, when it began, how long it took, and what was wrong."""

    kind: str
    at: float
    ms: float
    outcome: str

    @property
    def ends(self) -> float:
        """When the answer was there."""
        return self.at + self.ms / 1000

    @property
    def sort(self) -> str:
        """``lost``, ``error``, ``refused``, or nothing where all went well."""
        return self.outcome.partition(":")[0]


def read_rows(file: Path) -> list[Row]:
    """All requests of a crowd."""
    return [Row(**orjson.loads(line)) for line in file.read_bytes().splitlines()]


def percentile(rows: Sequence[Row], percent: int) -> float:
    times = [row.ms for row in rows]
    return statistics.quantiles(times, n=100)[percent - 1] if len(times) > 1 else times[0]


@dataclass(frozen=True, kw_only=True)
class Kill:
    """When a process was killed, and when it was gone: on a busy machine its end takes a moment."""

    at: float
    gone: float

    def took(self, row: Row) -> bool:
        """Whether a lost request was on its way to, or in, that process."""
        return row.sort == "lost" and row.at <= self.gone and row.ends >= self.at


def report(rows: Sequence[Row], *, kill: Kill | None, seconds: float) -> int:
    """Print the table; gives the number of errors."""
    print(
        f"{'kind':<30}{'requests':>9}{'errors':>8}{'refused':>9}{'p50 ms':>9}{'p95 ms':>9}{'per s':>8}"
    )
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row.kind, []).append(row)
    for kind, found in sorted(kinds.items()):
        line(kind, found, kill, seconds)
    drawn = [row for row in rows if row.kind.rpartition(": ")[2] in DRAWN]
    if drawn:
        line("all drags, releases, rests", drawn, kill, seconds, budget_ms=BUDGET_MS)
    errors = wrong(rows, kill)
    for text, count in counted(errors).items():
        print(f"error, {count} times: {text}")
    refused = [row for row in rows if row.sort == "refused"]
    for text, count in counted(refused).items():
        print(f"refused, {count} times: {text}")
    return len(errors)


def line(
    kind: str,
    rows: Sequence[Row],
    kill: Kill | None,
    seconds: float,
    budget_ms: float | None = None,
) -> None:
    """One line of the table."""
    late = percentile(rows, 95)
    refused = sum(row.sort == "refused" for row in rows)
    mark = ""
    if budget_ms is not None:
        mark = f"   p95 {'within' if late <= budget_ms else 'OVER'} {budget_ms:g} ms"
    print(
        f"{kind:<30}{len(rows):>9}{len(wrong(rows, kill)):>8}{refused:>9}"
        f"{percentile(rows, 50):>9.0f}{late:>9.0f}{len(rows) / seconds:>8.1f}{mark}"
    )


def wrong(rows: Sequence[Row], kill: Kill | None) -> list[Row]:
    """Requests that should have been answered and were not, or not rightly."""
    return [row for row in rows if row.sort in ("error", "lost") and not (kill and kill.took(row))]


def counted(rows: Sequence[Row]) -> dict[str, int]:
    """How often each text came; the most frequent first, numbers in it as they first came."""
    found: dict[str, int] = {}
    for row in rows:
        text = f"{row.kind}: {row.outcome[:160]}"
        found[text] = found.get(text, 0) + 1
    return dict(sorted(found.items(), key=lambda item: -item[1])[:12])


def report_kill(rows: Sequence[Row], kill: Kill) -> None:
    """Print what the end of a web process cost."""
    lost = [row for row in rows if kill.took(row)]
    after = [row for row in rows if not row.outcome and kill.gone < row.ends < kill.gone + 5]
    slowest = max(
        after, key=lambda row: row.ms, default=Row(kind="none", at=0, ms=math.nan, outcome="")
    )
    print(
        f"one web process killed: {len(lost)} requests that it had were lost and sent again; in the "
        f"next 5 s {len(after)} were answered by others, the slowest after {slowest.ms:.0f} ms ({slowest.kind})"
    )

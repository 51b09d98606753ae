"""Which points are computed next, how many at a time, and a sweep computed in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foptrn_model.sweep.points import Plain, compute_batch

BATCH_S = 0.5
"""About how long one batch takes: long against what sending it costs, short against a person."""
MOST_IN_BATCH = 2_000
FIRST_BATCH_S = 0.1

Keep = Callable[[Plain], object]


class Missing:
    """Points that are still to be computed, handed out in runs of consecutive numbers."""

    def __init__(self, present: bytearray) -> None:
        self._present, self._at = bytes(present), 0

    def take(self, most: int) -> tuple[int, int] | None:
        """The next points, from a number to before another; None where none is left."""
        start = self._present.find(b"\0", self._at)
        if start < 0:
            return None
        stop = self._present.find(b"\1", start)
        stop = min(len(self._present) if stop < 0 else stop, start + most)
        self._at = stop
        return start, stop


@dataclass
class Pace:
    """How many points make a batch, by what the last ones took."""

    point_s: float
    _seen: bool = False

    def size(self) -> int:
        """Points of the next batch; few before anything has been measured."""
        batch_s = BATCH_S if self._seen else FIRST_BATCH_S
        return max(1, min(MOST_IN_BATCH, int(batch_s / max(self.point_s, 1e-9))))

    def learn(self, batch: Plain) -> None:
        """Move half way to what a batch has taken."""
        took = batch["seconds"] / max(1, len(batch["rows"]))
        self.point_s = took if not self._seen else (self.point_s + took) / 2
        self._seen = True


def compute_here(plain: Plain, missing: Missing, pace: Pace, keep: Keep) -> None:
    """Compute what is missing in this process, batch by batch."""
    while found := missing.take(pace.size()):
        batch = compute_batch(plain, *found)
        pace.learn(batch)
        keep(batch)

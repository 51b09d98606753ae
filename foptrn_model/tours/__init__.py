"""Tours: a few steps through each explorer, for a lecture or a first visit.

A step sets controls, points at one thing and says what is to be seen there.
Simulated explorers only stop at states whose outcomes are stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from foptrn_model.explorers import EXPLORERS
from foptrn_model.tours.machines import OPTICAL_DFA_TOUR, PRECISION_TOUR, TRAINERS_TOUR
from foptrn_model.tours.step import TourStep
from foptrn_model.tours.step_time import COMPRESSION_TOUR, MASKS_TOUR, TRANSIT_TOUR
from foptrn_model.tours.transforms import AMDAHL_TOUR, BACKWARD_TOUR

TOURS: Mapping[str, Sequence[TourStep]] = {
    "amdahl": AMDAHL_TOUR,
    "masks": MASKS_TOUR,
    "trainers": TRAINERS_TOUR,
    "transit": TRANSIT_TOUR,
    "compression": COMPRESSION_TOUR,
    "backward": BACKWARD_TOUR,
    "precision": PRECISION_TOUR,
    "optical-dfa": OPTICAL_DFA_TOUR,
}
"""The steps of each explorer's tour, by slug."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """A step as a page shows it: its place in the tour, from one, and its text with numbers."""

    step: int
    of: int
    title: str
    text: str
    query: str
    at: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@cache
def tell(slug: str, number: int) -> Told:
    """A step of an explorer's tour, its numbers computed from the state that it sets."""
    steps, explorer = TOURS[slug], EXPLORERS[slug]
    step = steps[number - 1]
    evaluation = explorer.evaluate(explorer.params.from_query(step.query))
    return Told(
        step=number,
        of=len(steps),
        title=step.title,
        text=step.text(evaluation),
        query=step.query,
        at=step.at,
    )

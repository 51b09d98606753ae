"""A step of a tour: a state, what to look at there, and a sentence or two with its numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foptrn_model.explorers import Evaluation

VERDICT = "verdict"


def control(field: str) -> str:
    """What a step points at: the control of a field."""
    return f"control:{field}"


def plate(name: str) -> str:
    """What a step points at: a figure with its heading."""
    return f"plate:{name}"


@dataclass(frozen=True, kw_only=True)
class TourStep:
    """``query`` is the canonical query of the state that the step sets.

    ``text`` takes that state's evaluation, so that its numbers are the
    model's. ``at`` is :data:`VERDICT`, or names a :func:`control` or a
    :func:`plate`.
    """

    title: str
    text: Callable[[Evaluation], str]
    query: str
    at: str

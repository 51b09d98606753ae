"""How a result came about: formulas with numbers, assumptions and sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

AssumptionKind = Literal[
    "convention",
    "generous",
    "speculative",
    "inferred",
    "illustrative",
    "extrapolated",
    "published",
    "finding",
]


@dataclass(frozen=True, kw_only=True)
class Step:
    """One number: its formula, the same with this state's numbers, its source."""

    name: str
    formula: str
    substituted: str
    value: str
    source: str
    glossary: str = ""


@dataclass(frozen=True, kw_only=True)
class Assumption:
    """What the result rests on, and of what kind that is."""

    kind: AssumptionKind
    text: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What others found: for or against what an explorer is about, cited and not computed."""

    side: Literal["for", "against"]
    text: str
    source: str


@dataclass(frozen=True, kw_only=True)
class Working:
    """What the page shows beside a result."""

    steps: Sequence[Step]
    assumptions: Sequence[Assumption]
    sources: Sequence[str]

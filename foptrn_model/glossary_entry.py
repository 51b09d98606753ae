"""What a glossary entry is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One concept in two to four sentences, with a state that shows it and its source."""

    anchor: str
    title: str
    text: str
    explorer: str
    query: str
    source: str

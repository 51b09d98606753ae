"""What a glossary entry is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from foptrn_model.glossary_facts import FACTS

BACKWARD, OPTICS, PRECISION, CLUSTER, INFERENCE = GROUPS = (
    "Backward pass",
    "Training the optics",
    "Precision",
    "Cluster",
    "Optics and inference",
)
"""The groups of the glossary, in the order of the page."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One concept in a few sentences, with a state that shows it and its source.

    ``query`` opens the explorer named by ``explorer`` in a state that shows the
    concept. In ``words`` a name in braces stands for a number that the model
    computes, one of :data:`foptrn_model.glossary_facts.FACTS`. ``related`` are
    anchors of other entries; ``short`` is what a line of terms calls this one.
    """

    anchor: str
    title: str
    words: str
    group: str
    explorer: str
    query: str
    source: str
    related: tuple[str, ...] = ()
    short: str = ""

    @property
    def name(self) -> str:
        """The title, or a shorter name where there is one."""
        return self.short or self.title

    @cached_property
    def text(self) -> str:
        """The words with their numbers, computed when first read."""
        return self.words.format_map(FACTS)

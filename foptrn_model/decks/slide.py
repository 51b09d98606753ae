"""What a deck is made of: slides, and the blocks on them.

A slide is data. It knows nothing of HTML, so that a template, a test or
another medium can take it as it is. Every number in its texts comes from a
result; what was published elsewhere stands in :class:`Cited` or :class:`Cite`,
beside its source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

WORD = re.compile(r"[^\W_]+(?:['\u2019.,-][^\W_]+)*")


class Block:
    """Something on a slide; ``kind`` names the template that draws it."""

    kind: ClassVar[str]

    def texts(self) -> tuple[str, ...]:
        """What a person reads of it as words."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Link:
    """A way into the site: a path of this server, with query and anchor."""

    label: str
    path: str


@dataclass(frozen=True)
class Paragraph(Block):
    """A sentence or two; ``lead`` sets it large."""

    text: str
    lead: bool = False
    kind: ClassVar[str] = "paragraph"

    def texts(self) -> tuple[str, ...]:
        return (self.text,)


@dataclass(frozen=True)
class Bullets(Block):
    """Short points."""

    items: tuple[str, ...]
    title: str = ""
    kind: ClassVar[str] = "bullets"

    def texts(self) -> tuple[str, ...]:
        return (self.title, *self.items)


@dataclass(frozen=True)
class Formula(Block):
    """A formula on a line of its own, with what it says."""

    text: str
    note: str = ""
    kind: ClassVar[str] = "formula"

    def texts(self) -> tuple[str, ...]:
        return (self.note,)


@dataclass(frozen=True)
class BigNumber(Block):
    """A number, computed, with the words that say what it is.

    ``concept`` is the name of the colour that the concept has everywhere.
    """

    value: str
    label: str
    concept: str = ""
    kind: ClassVar[str] = "number"

    def texts(self) -> tuple[str, ...]:
        return (self.label,)


@dataclass(frozen=True)
class Numbers(Block):
    """Numbers side by side."""

    items: tuple[BigNumber, ...]
    kind: ClassVar[str] = "numbers"

    def texts(self) -> tuple[str, ...]:
        return tuple(text for item in self.items for text in item.texts())


@dataclass(frozen=True)
class TableBlock(Block):
    """A small table; the first column heads its rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    kind: ClassVar[str] = "table"


@dataclass(frozen=True)
class Cited(Block):
    """What others published, with their numbers, beside its source."""

    text: str
    source: str
    kind: ClassVar[str] = "cited"

    def texts(self) -> tuple[str, ...]:
        return (self.text,)


@dataclass(frozen=True)
class Diagram(Block):
    """A drawing kept by name among the templates, with the words for who cannot see it."""

    name: str
    description: str
    kind: ClassVar[str] = "diagram"


@dataclass(frozen=True)
class Live(Block):
    """An explorer inside the slide, in one state; its verdict stands where it cannot run."""

    explorer: str
    title: str
    query: str
    verdict: str
    plate: str = ""
    kind: ClassVar[str] = "live"

    @property
    def path(self) -> str:
        """The state's address on this server."""
        return f"/{self.explorer}?{self.query}" if self.query else f"/{self.explorer}"

    @property
    def embed_path(self) -> str:
        """The same for a frame."""
        return f"{self.path}{'&' if self.query else '?'}embed=1"


@dataclass(frozen=True)
class See(Block):
    """Links to the states that show what the slide says."""

    links: tuple[Link, ...]
    kind: ClassVar[str] = "see"


@dataclass(frozen=True)
class Cite:
    """A source at the foot of a slide."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Slide:
    """One idea: a title, blocks, what stands beside them, sources, what to say."""

    title: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...]
    beside: tuple[Block, ...] = ()
    cites: tuple[Cite, ...] = ()
    look: str = ""
    """``question``, ``verdict`` or ``sides`` (two columns level at the top) where it is one."""

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        return (*self.blocks, *self.beside)

    @property
    def words(self) -> int:
        """Words that an audience would read; tables, drawings and explorers not counted."""
        texts = (self.title, *(text for block in self.all_blocks for text in block.texts()))
        return sum(len(WORD.findall(text)) for text in texts)


@dataclass(frozen=True, kw_only=True)
class Deck:
    """Slides in order. A slide's address is its place, so places never change."""

    number: int
    title: str
    question: str
    slides: tuple[Slide, ...]

    @property
    def path(self) -> str:
        return f"/decks/{self.number}"

    @property
    def numbered(self) -> tuple[tuple[str, Slide], ...]:
        """(anchor, slide) in order: slide-01 and so on."""
        return tuple((f"slide-{place:02d}", slide) for place, slide in enumerate(self.slides, 1))

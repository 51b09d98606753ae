"""Flags of the command line: what to compute, and how to write it down."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from foptrn_model.explorers import Explorer

Theme = Literal["light", "dark"]

FORMATS = ("json", "csv")
PICTURES = ("png", "svg")
THEMES = ("light", "dark")


class UsageError(ValueError):
    """Raised for words that the command line does not take."""


@dataclass
class Flags:
    """What the words of one command say.

    ``raw`` holds the fields of a state as text. ``pictures`` maps a format to
    the file it is written to; ``plate`` names the figure, the page's first
    without a name. ``offline`` is the file that an offline slide is written to.
    """

    raw: dict[str, str | list[str]] = field(default_factory=dict)
    formats: set[str] = field(default_factory=set)
    table: str | None = None
    part: str = ""
    pictures: dict[str, str] = field(default_factory=dict)
    plate: str = ""
    theme: Theme | None = None
    offline: str = ""


def read_flags(explorer: Explorer, words: Sequence[str]) -> Flags:
    """The flags of one explorer's command, or UsageError with one clear line."""
    flags = Flags()
    for name, value in named_words(words, switches=FORMATS):
        if value is None:
            flags.formats.add(name)
        else:
            _take(explorer, flags, name, value)
    _check(flags)
    return flags


def named_words(
    words: Sequence[str], switches: Collection[str]
) -> Iterator[tuple[str, str | None]]:
    """Every ``--name value`` or ``--name=value``, names with underscores; switches have no value.

    Raises
    ------
    UsageError
        For a word that is no name where one is expected, and for a name without its value.
    """
    pending = iter(words)
    for word in pending:
        if not word.startswith("--"):
            raise UsageError(f"expected --name value, got {word!r}")
        name, given, value = word[2:].partition("=")
        name = name.replace("-", "_")
        if given:
            yield name, value
        elif name in switches:
            yield name, None
        else:
            following = next(pending, None)
            if following is None:
                raise UsageError(f"--{name} needs a value")
            yield name, following


def _take(explorer: Explorer, flags: Flags, name: str, value: str) -> None:
    parts = explorer.simulation.parts if explorer.simulation else {}
    if name == "table":
        flags.table = _one_of(name, value, explorer.tables)
    elif name == "part" and parts:
        flags.part = _one_of(name, value, parts)
    elif name == "theme":
        flags.theme = cast("Theme", _one_of(name, value, THEMES))
    elif name == "plate":
        flags.plate = value
    elif name == "offline":
        if not value:
            raise UsageError("--offline needs the name of a file")
        if flags.offline:
            raise UsageError("--offline must be given once")
        flags.offline = value
    elif name in PICTURES:
        if not value:
            raise UsageError(f"--{name} needs the name of a file")
        if name in flags.pictures:
            raise UsageError(f"--{name} must be given once")
        flags.pictures[name] = value
    elif name in flags.raw:
        earlier = flags.raw[name]
        flags.raw[name] = [*earlier, value] if isinstance(earlier, list) else [earlier, value]
    else:
        flags.raw[name] = value


def _one_of(name: str, value: str, known: Iterable[str]) -> str:
    names = list(known)
    if value not in names:
        raise UsageError(f"--{name} must be one of {', '.join(names)}, got {value}")
    return value


def _check(flags: Flags) -> None:
    """Refuse what does not go together."""
    others = (flags.pictures, flags.plate, flags.theme, flags.formats, flags.table, flags.part)
    if flags.offline and any(others):
        raise UsageError("--offline goes with the fields of a state alone")
    if flags.pictures and (flags.formats or flags.table or flags.part):
        raise UsageError("--png and --svg go with --plate and --theme, not with other formats")
    if not flags.pictures and flags.plate:
        raise UsageError("--plate goes with --png or --svg")
    if not flags.pictures and flags.theme:
        raise UsageError("--theme goes with --png or --svg")
    if flags.part and (flags.table or flags.formats != {"json"}):
        raise UsageError("--part goes with --json alone")
    if flags.table and flags.formats != {"csv"}:
        raise UsageError("--table goes with --csv")
    if len(flags.formats) > 1:
        raise UsageError("give one of --json and --csv")

"""Pinned scenarios: states kept beside the current one, and how links carry them.

A pin is written ``VERSION~QUERY``. The version tells a later release that a
number may have changed its meaning since the link was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from foptrn_model import __version__
from foptrn_model.parameters import Params, ParamsError, query_values

MOST_PINS = 3
PIN_LETTERS = "ABC"


MOST_VERSION_CHARACTERS = 20


@dataclass(frozen=True)
class Pin:
    """A kept state and the version that its link was made with."""

    params: Params
    version: str = __version__

    @property
    def text(self) -> str:
        """The pin as a link carries it; an old one keeps its version, and so its notice."""
        return f"{self.version}~{self.params.to_query()}"


def read_pins(model: type[Params], given: Any) -> tuple[list[Pin], list[str]]:
    """Pins from a link, as states, with a notice for each that was changed or left out."""
    texts = [given] if isinstance(given, str) else given
    texts = [str(text) for text in texts] if isinstance(texts, (list, tuple)) else []
    pins: list[Pin] = []
    notices: list[str] = []
    if len(texts) > MOST_PINS:
        notices.append(f"pin: at most {MOST_PINS} scenarios can be pinned, got {len(texts)}")
    for text in texts[:MOST_PINS]:
        version, mark, query = text.partition("~")
        version = version[:MOST_VERSION_CHARACTERS] if mark else __version__
        try:
            params, changes = model.nearest(query_values(query if mark else text))
        except ParamsError as error:
            notices.append(f"pin: {error}")
            continue
        letter = PIN_LETTERS[len(pins)]
        if version != __version__:
            notices.append(
                f"pin {letter} was made with version {version}, this is {__version__}: "
                "its numbers may have changed"
            )
        notices += [f"pin {letter}: {change}" for change in changes]
        pins.append(Pin(params, version))
    return pins, notices


def full_query(params: Params, pins: Sequence[Pin]) -> str:
    """A state and its pins as one canonical query string."""
    pinned = urlencode([("pin", pin.text) for pin in pins])
    return "&".join(part for part in (params.to_query(), pinned) if part)


def state_name(params: Params) -> str:
    """What sets a state apart from the defaults, in a few words."""
    specs = params.specs()
    parts = []
    for name, spec in specs.items():
        value = getattr(params, name)
        if value != spec.default:
            shown = spec.choice_labels.get(value) if spec.kind == "choice" else None
            parts.append(shown or f"{_inside(spec.label)} {spec.show(value)}")
    return ", ".join(parts) or "defaults"


def _inside(label: str) -> str:
    """A label within a sentence: a small first letter, unless it is an abbreviation."""
    return label if label[:2].isupper() else label[:1].lower() + label[1:]

"""What a link says of the page rather than of the state: theme, embed, what is hidden, a tour's step."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from foptrn_model.fields import echo
from foptrn_model.text import group_digits

HIDEABLE = ("controls", "figures", "verdict")
"""Parts of a page that ``hide`` takes away; the verdict behind a guess."""
CHOICES = {"embed": ("1", "0"), "theme": ("light", "dark")}


@dataclass(frozen=True, kw_only=True)
class View:
    """``step`` is the tour's step from one on, or nought; ``notices`` say what is ignored."""

    hidden: tuple[str, ...] = ()
    step: int = 0
    notices: tuple[str, ...] = ()


PLAIN = View()


def read_view(query: Mapping[str, Any], steps: int) -> View:
    """Read the names that belong to the page; what is not allowed there is ignored and named."""
    notices = [
        f"{name} must be {' or '.join(allowed)}, got {echo(query[name])}: ignored"
        for name, allowed in CHOICES.items()
        if name in query and query[name] not in allowed
    ]
    asked = _parts(query.get("hide", ()))
    unknown = [name for name in asked if name not in HIDEABLE]
    if unknown:
        notices.append(
            f"hide must be a list of {', '.join(HIDEABLE)}, got {echo(', '.join(unknown))}: ignored"
        )
    step = _step(query.get("tour"), steps)
    if "tour" in query and not step:
        allowed = f"a whole number from 1 to {group_digits(steps)}"
        notices.append(f"tour must be {allowed}, got {echo(query['tour'])}: ignored")
    return View(
        hidden=tuple(name for name in HIDEABLE if name in asked),
        step=step,
        notices=tuple(notices),
    )


def own_state(query: Mapping[str, Any], fields: Collection[str]) -> bool:
    """Whether a link has a state of its own, which a tour's step then leaves alone."""
    return any(name in fields or name == "pin" for name in query)


def _parts(given: Any) -> list[str]:
    """A list given by commas, by repeating the name, or both."""
    texts = given if isinstance(given, (list, tuple)) else [given]
    return [part.strip() for text in texts for part in str(text).split(",")]


def _step(given: Any, steps: int) -> int:
    if not isinstance(given, str) or not given.isascii() or not given.isdigit():
        return 0
    step = int(given) if len(given) <= len(str(steps)) else 0
    return step if step <= steps else 0

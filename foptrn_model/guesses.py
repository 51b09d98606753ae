"""A reader's guess at a headline number: how it is read, and how far off it was."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from foptrn_model.fields import echo
from foptrn_model.headlines import Headline
from foptrn_model.text import SPANS, THIN_SPACE, compact, percent, unprefixed

MOST_CHARACTERS = 60
RIGHT_WITHIN = 0.01
"""Guesses that are off by less than this share of the number count as right."""
FURTHEST = 1e18
"""Beyond this factor a guess is told to be further off, not by how much."""

_NUMBER = re.compile(
    r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[+-]?\d{1,3})?)(.*)", re.I | re.A
)
_POWER = re.compile(r"\s*[\u00d7x*]\s*10\^?", re.I)
_RAISED = str.maketrans(
    "\u2212\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "--0123456789"
)
_TIMES = ("x", "\u00d7", "times")
_WORDS = ("never", "always", "not reached", "not applicable")


class GuessError(ValueError):
    """Raised for what is no guess, with a message that says what would be one."""


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A guess as it was read, and in plain words how it compares with the number."""

    value: float | str
    text: str


def unit_of(headline: Headline) -> str:
    """What a guess is counted in, for the label of its field; empty where it is a word."""
    if headline.words:
        return ""
    units = {"percent": "%", "speed_up": "\u00d7", "duration": "s, or with a unit", "whole": ""}
    return units.get(headline.style, headline.unit)


def judge(headline: Headline, value: float | str, written: str) -> Guess:
    """Read a guess and compare it with the number, or the word, that a headline has.

    Raises
    ------
    GuessError
        Where the guess is neither a number in the headline's unit nor a word
        that the headline can be, or is a number that it cannot be.
    """
    guessed, said = _read(headline, written)
    found = headline.text(value)
    if guessed == value or (_near(guessed, value) and headline.text(guessed) == found):
        text = f"You said {said}, and {found} it is."
    else:
        text = f"You said {said}; it is {found}{_apart(headline, guessed, value)}."
    return Guess(value=guessed, text=text)


def _near(guessed: float | str, value: float | str) -> bool:
    if isinstance(guessed, str) or isinstance(value, str):
        return False
    return abs(guessed - value) < RIGHT_WITHIN * abs(value)


def _apart(headline: Headline, guessed: float | str, value: float | str) -> str:
    if isinstance(guessed, str) or isinstance(value, str):
        return ""
    if value == 0 or guessed == 0 or (guessed < 0) != (value < 0):
        return f", {headline.difference(value, guessed).partition(',')[0]} from your guess"
    gain = f", a gain of {percent(value - 1)}" if headline.style == "speed_up" else ""
    if _near(guessed, value) and not gain:
        return f", less than {percent(RIGHT_WITHIN, 1)} away"
    less = abs(value) < abs(guessed)
    large, small = (guessed, value) if less else (value, guessed)
    far = abs(small) < abs(large) / FURTHEST
    factor = f"more than {compact(FURTHEST, 1)}" if far else compact(large / small, 4)
    return f"{gain}: {factor} times {'less than' if less else 'as much as'} you said"


def _read(headline: Headline, written: str) -> tuple[float | str, str]:
    """The guess as a number in the result's unit, or a word; and as its writer reads it back."""
    text = " ".join(written.split())
    if len(text) > MOST_CHARACTERS:
        raise GuessError(f"A guess has at most {MOST_CHARACTERS} characters; this has {len(text)}")
    words = {label.lower(): word for word, label in headline.words.items()}
    words |= {word.lower(): word for word in headline.words}
    if not headline.words:
        words = {word: word for word in _WORDS}
    if text.lower() in words:
        word = words[text.lower()]
        return word, headline.text(word)
    read = None if headline.words else _number(headline, text)
    if read is None:
        raise GuessError(_asked(headline, text))
    least, most = headline.guesses
    if not least <= read[0] <= most:
        allowed = f"{_bound(headline, least)} to {_bound(headline, most)}"
        raise GuessError(f"{headline.label} must be from {allowed}, got {echo(text)}")
    return read


def _asked(headline: Headline, text: str) -> str:
    got = f"{echo(text)} is no guess here" if text else "There is no guess yet"
    if headline.words:
        return f"{got}: choose one of {'; '.join(headline.words.values())}"
    example = {
        "percent": "12 or 12 %", "speed_up": "1.5 or 1.5\u00d7", "duration": "90, 5 ms or 2 h",
        "si": f"2500 or 2.5 k{headline.unit}", "whole": "40",
    }.get(headline.style, f"1.5 or 3e-4{headline.unit}")  # fmt: skip
    return f"{got}: write a number such as {example}, or the word never or always"


def _number(headline: Headline, text: str) -> tuple[float, str] | None:
    """A number in the headline's unit: 14 % is 0.14, 5 ms is 0.005, 3 GB is 3e9."""
    match = _NUMBER.fullmatch(_POWER.sub("e", text.translate(_RAISED)))
    if match is None:
        return None
    try:
        number = float(match.group(1).replace(",", ""))
    except ValueError:
        return None
    unit = match.group(2).strip()
    factor = _factor(headline, unit)
    if factor is None or not math.isfinite(number):
        return None
    return number * factor, text if unit else text + _default_unit(headline)


def _bound(headline: Headline, limit: float) -> str:
    """A limit of what can be guessed; not as a result is written, where no speed-up is below 1."""
    if headline.style == "percent":
        return percent(limit) if limit <= 1 else f"{compact(100 * limit, 1)}{THIN_SPACE}%"
    return (compact(limit, 1) + _default_unit(headline)).replace("-", "\u2212")


def _default_unit(headline: Headline) -> str:
    """What a bare number is taken to be in."""
    units = {"percent": f"{THIN_SPACE}%", "speed_up": "\u00d7", "duration": f"{THIN_SPACE}s"}
    spaced = f"{THIN_SPACE}{headline.unit}" if headline.style == "si" else headline.unit
    return units.get(headline.style, spaced).rstrip()


def _factor(headline: Headline, unit: str) -> float | None:
    if headline.style == "percent":
        return 0.01 if unit in ("", "%", "percent", "per cent") else None
    if headline.style == "duration":
        spans = {name: size for size, name in SPANS} | {"": 1.0, "us": 1e-6}
        return spans.get(unit, spans.get(f"{unit}s"))
    if headline.style == "speed_up" or headline.unit == "\u00d7":
        return 1.0 if unit.lower() in ("", *_TIMES) else None
    if headline.style == "si":
        return unprefixed(unit, headline.unit)
    return 1.0 if unit in ("", headline.unit.strip()) else None

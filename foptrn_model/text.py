"""How numbers are written for people: SI prefixes and few digits."""

from __future__ import annotations

import math

_PREFIXES = ("", "k", "M", "G", "T", "P", "E", "Z")
THIN_SPACE = "\u202f"
"""Narrow, and no line breaks at it: a unit stays with its number."""
SPANS = (
    (365.25 * 86_400, "years"), (86_400, "days"), (3_600, "h"), (60, "min"), (1, "s"),
    (1e-3, "ms"), (1e-6, "\u00b5s"), (1e-9, "ns"),
)  # fmt: skip
"""Units of time from the longest; the first that a time fills is used."""


def group_digits(value: float | int | None) -> str:
    """A number in full, thousands separated by commas: 1048576 -> 1,048,576."""
    if value is None:
        return ""
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    return f"{value:,.12g}"


def significant(value: float, digits: int = 3) -> str:
    """A number to ``digits`` significant digits, without an exponent."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    decimals = digits - 1 - _exponent(value, digits)
    rounded = round(value, decimals)
    return f"{rounded:,.{max(decimals, 0)}f}"


def si(value: float, unit: str = "", digits: int = 3) -> str:
    """A large number with an SI prefix: 48249176064, "FLOP" -> 48.2 GFLOP."""
    thousands = _exponent(value, digits) // 3 if value else 0
    thousands = min(max(thousands, 0), len(_PREFIXES) - 1)
    text = significant(value / 1000**thousands, digits)
    return f"{text}{THIN_SPACE}{_PREFIXES[thousands]}{unit}".rstrip()


def unprefixed(written: str, unit: str) -> float | None:
    """The factor of an SI prefix before a unit, either of which may be left out: "GB", "B" -> 1e9."""
    prefix = written.removesuffix(unit).strip() if unit else written
    return 1000.0 ** _PREFIXES.index(prefix) if prefix in _PREFIXES else None


def duration(seconds: float, digits: int = 3) -> str:
    """A time as people say it: 0.0134 -> 13.4 ms, 267 -> 4.45 min."""
    if seconds == 0:
        return f"0{THIN_SPACE}s"
    for size, unit in SPANS:
        # What rounds up to a whole unit is written in that unit.
        if float(f"{seconds / size:.{digits - 1}e}") >= 1:
            return f"{significant(seconds / size, digits)}{THIN_SPACE}{unit}"
    return f"{compact(seconds / 1e-12, digits)}{THIN_SPACE}ps"


def percent(fraction: float, digits: int = 3) -> str:
    """A fraction in percent; very small and very large ones as a power of ten."""
    return f"{compact(fraction * 100, digits)}{THIN_SPACE}%"


def compact(value: float, digits: int = 3) -> str:
    """A number to ``digits`` significant digits, as a power of ten below 0.001 and from 10\u2077."""
    if value and math.isfinite(value) and not 1e-3 <= abs(value) < 1e7:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        return f"{mantissa}\u00d710{_superscript(int(exponent))}"
    return significant(value, digits)


def counted(number: float, noun: str, plural: str = "") -> str:
    """A whole number with its noun: 1 frame, 2 frames."""
    return f"{group_digits(number)} {noun if number == 1 else plural or noun + 's'}"


def speed_up(bound: float, digits: int = 2) -> str:
    """A speed-up with ``digits`` digits of what exceeds one: 1.0014."""
    gain = bound - 1
    if gain <= 0:
        return "1"
    if gain >= 1:
        return significant(bound, digits + 1)
    decimals = digits - 1 - math.floor(math.log10(gain))
    return f"{bound:.{min(decimals, 12)}f}"


def _exponent(value: float, digits: int) -> int:
    """Power of ten of the first digit once ``value`` is rounded: 999.96 to 3 digits gives 3."""
    return int(f"{value:.{digits - 1}e}".partition("e")[2])


def _superscript(number: int) -> str:
    table = str.maketrans(
        "-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    )
    return str(number).translate(table)

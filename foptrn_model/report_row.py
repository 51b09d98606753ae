"""A row of the report: one number, computed now and as it was published."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from foptrn_model.published import KINDS, Kind, Published
from foptrn_model.text import THIN_SPACE, compact, group_digits

Mark = Literal["within", "outside", "differs", "shown", "computed", "stored", "absent"]
MARKS: dict[Mark, str] = {
    "within": "\u2713 within tolerance",
    "outside": "\u2717 outside tolerance",
    "differs": "\u2260 not reproduced",
    "shown": "\u25cb shown, not compared",
    "computed": "\u2022 computed here",
    "stored": "\u25aa stored run",
    "absent": "\u2013 not computed here",
}
"""A symbol and words for each verdict on a row."""

NONE = "\u2013"
"""Stands where a row has no such value."""

MOST_IN_FULL = 1e7
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_POWER_OF_TEN = re.compile(r"[0-9.]+e-?[0-9]+")
EXPERIMENT = "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One number: what it is, in which state, computed now, and published where it was.

    Texts are what people read; ``value`` and ``published_value`` are None where
    there is no number, and words where words stand in its place.
    """

    explorer: str
    quantity: str
    state: str
    query: str
    value: float | str | None
    computed: str
    published_value: float | str | None
    published: str
    difference: str
    relative: str
    tolerance: str
    mark: Mark
    source: str
    kind: str = NONE
    kind_name: Kind | None = None

    @property
    def verdict(self) -> str:
        return MARKS[self.mark]

    @property
    def compared(self) -> bool:
        """Whether a tolerance decides about this row."""
        return self.mark in ("within", "outside", "differs")


def beside(published: Published, value: float | str | None, mark: Mark) -> Row:
    """A row for a published value and the computed one, in the published unit."""
    unit = _unit(published.unit)
    gap_unit = _unit("points") if published.unit == "%" else unit
    number = isinstance(value, (int, float))
    exact = published.tolerance == 0 and published.high == published.published
    difference = relative = NONE
    if number and not published.word:
        gap = published.difference(float(value))  # type: ignore[arg-type]
        difference = _signed(gap) + (gap_unit if gap else "")
        relative = (
            f"{_signed(100 * gap / published.published)}{THIN_SPACE}%"
            if published.published
            else NONE
        )
    return Row(
        explorer=published.explorer,
        quantity=published.quantity[0].upper() + published.quantity[1:],
        state=published.state,
        query=published.query,
        value=value,
        computed=NONE if value is None else _number(value, exact=exact) + (unit if number else ""),
        published_value=published.word or published.published,
        published=_published_text(published) + ("" if published.word else unit),
        difference=difference,
        relative=relative,
        tolerance=NONE if published.shown else _tolerance(published, gap_unit),
        mark=mark,
        source=_SOURCES.get(published.source, published.source),
        kind=KINDS[published.kind] + (f": {published.note}" if published.note else ""),
        kind_name=published.kind,
    )


_SOURCES = {
    "series": "the series Fourier Optics for Training (2026)",
    "inference": "the sister analysis of inference (2026)",
    "experiment": EXPERIMENT,
}


def _unit(unit: str) -> str:
    return THIN_SPACE + unit.replace("x", "\u00d7") if unit else ""


def _published_text(published: Published) -> str:
    """All digits that were published and no others, grouped, a small number's exponent raised."""
    if published.word:
        return published.text
    if _POWER_OF_TEN.fullmatch(published.text):
        digits = len(Decimal(published.text).as_tuple().digits)
        return compact(published.published, digits)
    return _DIGITS.sub(lambda found: f"{Decimal(found[0]):,f}", published.text)


def _tolerance(published: Published, unit: str) -> str:
    if published.word:
        return "the word"
    if published.high != published.published and not published.tolerance:
        return "in the range"
    exact = f"\u00b1{published.tolerance:g}"
    if "e" in exact:
        exact = f"\u00b1{compact(published.tolerance, 1)}"
    return exact + unit if published.tolerance else "exact"


def _number(value: float | str, *, exact: bool = False) -> str:
    """A computed value with more digits than published ones have, whole numbers in full."""
    if isinstance(value, str):
        return value
    whole = float(value).is_integer() and (exact or abs(value) < MOST_IN_FULL)
    text = group_digits(round(value)) if whole else compact(value, 5)
    return text.replace("-", "\u2212")


def _signed(value: float) -> str:
    if not value:
        return "0"
    sign = "+" if value > 0 else "\u2212"
    return sign + compact(abs(value), 2)

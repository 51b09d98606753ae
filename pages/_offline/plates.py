"""Figures of the pages as an offline file holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import orjson

from pages._components.plates import Plate

DIGITS = 5
"""Significant digits of a figure's numbers: finer than any screen shows."""


def plates_of(slug: str) -> tuple[Plate, ...]:
    """The figures of an explorer's page."""
    found: tuple[Plate, ...] = import_module(f"pages._plates.{slug.replace('-', '_')}").PLATES
    return found


def named_plates(slug: str, names: Sequence[str]) -> list[Plate]:
    """Some of them, in the given order."""
    plates: Mapping[str, Plate] = {plate.name: plate for plate in plates_of(slug)}
    return [plates[name] for name in names]


def figure_json(figure: dict[str, Any]) -> Any:
    """A figure as plain JSON with shortened numbers."""
    return _short(orjson.loads(orjson.dumps(figure, option=orjson.OPT_SERIALIZE_NUMPY)))


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value

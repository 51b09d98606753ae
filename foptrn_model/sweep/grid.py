"""What a sweep computes: fields with their values, and the points of their grid by number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from foptrn_model.fields import Spec, read_value
from foptrn_model.parameters import Params
from foptrn_model.sweep.errors import SweepError
from foptrn_model.text import group_digits

MOST_VALUES = 100_000
"""Values of one field."""
MOST_POINTS = 10_000_000
DIGITS = 12
"""Digits of a spaced value: 0.3, where the spacing itself gives 0.30000000000000004."""
FORMS = "start:stop:count, start:stop:count:log or value,value,..."


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One field and the values it takes, each once."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Every combination of the axes' values; the last axis runs fastest.

    Points are known by their number and made when asked for, so that a large
    grid takes no memory.
    """

    axes: tuple[Axis, ...]

    @cached_property
    def size(self) -> int:
        return math.prod(len(axis.values) for axis in self.axes)

    def point(self, number: int) -> dict[str, Any]:
        """Field -> value of one point."""
        values: dict[str, Any] = {}
        for axis in reversed(self.axes):
            number, place = divmod(number, len(axis.values))
            values[axis.name] = axis.values[place]
        return {axis.name: values[axis.name] for axis in self.axes}

    def spread(self, most: int) -> list[int]:
        """Numbers of at most ``most`` points, from the first to the last."""
        return sorted({round(x) for x in np.linspace(0, self.size - 1, min(most, self.size))})


def read_grid(params: type[Params], words: Iterable[str], seeds: int | None = None) -> Grid:
    """The grid of ``name=values`` words, and of seeds from zero on as its last axis.

    Raises
    ------
    SweepError
        For words that are no such thing, a field named twice, or too many points.
    ParamsError
        For values that a field does not allow.
    """
    axes = [read_axis(params, word) for word in words]
    if seeds is not None:
        axes.append(_seed_axis(params, seeds))
    names = [axis.name for axis in axes]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise SweepError(f"--over names {twice} twice")
    grid = Grid(axes=tuple(axes))
    if not axes:
        raise SweepError("nothing to sweep: give --over name=start:stop:count or --seeds")
    if grid.size > MOST_POINTS:
        raise SweepError(
            f"{group_digits(grid.size)} points are more than the {group_digits(MOST_POINTS)} "
            "that one sweep takes: lower a count"
        )
    return grid


def read_axis(params: type[Params], word: str) -> Axis:
    """The field and the values of ``name=start:stop:count[:log]`` or ``name=value,value``."""
    name, given, text = word.partition("=")
    name = name.strip().replace("-", "_")
    spec = params.specs().get(name)
    if spec is None:
        raise SweepError(
            f"--over: {name!r} is not a field here; known: {', '.join(params.specs())}"
        )
    if not given or not text.strip():
        raise SweepError(f"--over {name} needs values: {name}={FORMS}")
    if ":" in text and spec.kind in ("int", "float"):
        values = _spaced(spec, text.split(":"))
    else:
        values = [read_value(spec, value) for value in text.split(",")]
    return Axis(name=name, values=tuple(dict.fromkeys(values)))


def _seed_axis(params: type[Params], seeds: int) -> Axis:
    if "seed" not in params.specs():
        raise SweepError("--seeds: nothing is drawn here, so there is no seed to vary")
    return Axis(name="seed", values=tuple(range(seeds)))


def _spaced(spec: Spec, parts: Sequence[str]) -> list[Any]:
    if len(parts) not in (3, 4) or (len(parts) == 4 and parts[3].strip() != "log"):
        raise SweepError(f"--over {spec.name} takes {FORMS}, got {':'.join(parts)}")
    start, stop = (read_value(spec, part) for part in parts[:2])
    count = whole(parts[2], f"--over {spec.name}: the count", 1, MOST_VALUES)
    if count == 1:
        return [start]
    if len(parts) == 4:
        if start <= 0 or stop <= 0:
            raise SweepError(f"--over {spec.name}: a log spacing needs two ends above zero")
        values = np.geomspace(start, stop, count).tolist()
    else:
        values = np.linspace(start, stop, count).tolist()
    inner = [float(f"{value:.{DIGITS}g}") for value in values[1:-1]]
    spaced = [start, *inner, stop]
    return [round(value) for value in spaced] if spec.kind == "int" else spaced


def whole(text: str, what: str, low: int, high: int) -> int:
    """A whole number between two, or a SweepError that names ``what``."""
    word = text.strip()
    if not (word.isascii() and word.isdigit()) or len(word) > 9 or not low <= int(word) <= high:
        raise SweepError(
            f"{what} must be a whole number from {low} to {group_digits(high)}, got {text!r}"
        )
    return int(word)

"""One sweep as plain data, and its points computed: what a worker does, wherever it runs.

A sweep travels as a dict of plain values, so that a worker whose code differs
can say so instead of misreading it. A point depends on its fields alone: not
on the others of its batch, nor on who computes it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from foptrn_model import __version__
from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.parameters import Params, ParamsError
from foptrn_model.simulation import Part, code_digest
from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.grid import Axis, Grid

Plain = dict[str, Any]
MOST_MESSAGE = 300
TRIED = 16
"""Points tried for one that the other fields go with."""


class OtherCodeError(SweepError):
    """Raised by a worker whose model is not the one that the sweep was made with."""


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """An explorer, the fields that all points share, the grid, and the parts run at each point."""

    explorer: Explorer
    base: Mapping[str, Any]
    grid: Grid
    parts: tuple[str, ...] = ()

    @cached_property
    def plain(self) -> Plain:
        """Everything that the numbers depend on, as JSON has it."""
        return {
            "explorer": self.explorer.slug,
            "version": __version__,
            "code": code_digest(),
            "base": dict(self.base),
            "axes": [[axis.name, list(axis.values)] for axis in self.grid.axes],
            "parts": list(self.parts),
        }

    @classmethod
    def from_plain(cls, plain: Plain) -> Sweep:
        """Inverse of :attr:`plain`; raises OtherCodeError where this is other code."""
        if plain["code"] != code_digest():
            raise OtherCodeError(
                f"a worker has another version of the model ({__version__}, {code_digest()}; "
                f"the sweep is of {plain['version']}, {plain['code']}): install the same on all machines"
            )
        explorer = EXPLORERS[plain["explorer"]]
        axes = tuple(Axis(name=name, values=tuple(values)) for name, values in plain["axes"])
        return cls(
            explorer=explorer, base=plain["base"], grid=Grid(axes=axes), parts=tuple(plain["parts"])
        )

    def state(self, number: int) -> Params:
        """The state of one point; raises ParamsError where its fields do not go together."""
        return self.explorer.params.parse({**self.base, **self.grid.point(number)})

    def estimate_s(self, number: int) -> float | None:
        """About how long one point takes, where somebody knows before it is tried [s]."""
        simulation = self.explorer.simulation
        if simulation is None:
            return None
        names = [*([simulation.main] if simulation.main else []), *self.parts]
        if not names:
            return None
        state = self.state(number)
        return sum(simulation.parts[name].estimate_s(state) for name in names)


def make_sweep(
    explorer: Explorer, raw: Mapping[str, Any], grid: Grid, parts: Sequence[str] = ()
) -> Sweep:
    """The sweep of a grid around the state that some fields describe, and of the parts it needs.

    Fields that conflict with some points are no mistake, with all of them they are.

    Raises
    ------
    ParamsError
        For a field that is unknown, out of bounds, or in conflict with every point tried.
    """
    first: ParamsError | None = None
    for number in grid.spread(TRIED):
        try:
            state = explorer.params.parse({**raw, **grid.point(number)})
        except ParamsError as error:
            first = first or error
            continue
        swept = {axis.name for axis in grid.axes}
        values = state.model_dump()
        base = {name: value for name, value in values.items() if name not in swept}
        found = dict.fromkeys([*parts, *_changed_parts(explorer, state, grid)])
        return Sweep(explorer=explorer, base=base, grid=grid, parts=tuple(found))
    assert first is not None  # noqa: S101 - a grid has points
    raise first


def _changed_parts(explorer: Explorer, state: Params, grid: Grid) -> list[str]:
    """Parts beside a closed form that a swept field changes, less those only run on demand.

    A simulated explorer's main part is its result, and not beside it.
    """
    simulation = explorer.simulation
    if simulation is None or not simulation.closed:
        return []
    kept = state.model_dump()

    def changes(part: Part, axis: Axis) -> bool:
        queries = set()
        for value in (axis.values[0], axis.values[-1]):
            try:
                queries.add(part.query(explorer.params.parse(kept | {axis.name: value})))
            except ParamsError:
                continue  # another axis may make it possible, and then counts itself
        return len(queries) > 1

    return [
        name
        for name, part in simulation.parts.items()
        if not part.on_demand and any(changes(part, axis) for axis in grid.axes)
    ]


@dataclass(frozen=True, kw_only=True)
class Row:
    """What came of one point: numbers and words by name, or why there are none."""

    number: int
    values: dict[str, Any]
    message: str = ""

    @property
    def state(self) -> str:
        return "bad" if self.message else "ok"


def compute_row(sweep: Sweep, number: int) -> Row:
    """Compute one point; one that cannot be computed is a row that says why."""
    try:
        state = sweep.state(number)
        result = sweep.explorer.compute(state)
        values = dict(scalars(result))
        for headline in sweep.explorer.headlines:  # some are worked out of a result's fields
            values.setdefault(headline.field, headline.value(result))
        for name in sweep.parts:
            assert sweep.explorer.simulation is not None  # noqa: S101 - only they have parts
            part = sweep.explorer.simulation.parts[name]
            found = part.scalars(part.run(state, _silent))
            values |= {f"{name}.{key}": _plain(value) for key, value in found.items()}
    except ParamsError as error:
        return Row(number=number, values={}, message=_one_line(str(error)))
    except Exception as error:  # whatever it is, the other points go on
        return Row(number=number, values={}, message=_one_line(f"{type(error).__name__}: {error}"))
    return Row(number=number, values=values)


def scalars(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, word and truth value of a result by its dotted name; lists are left out."""
    if is_dataclass(value):
        for item in fields(value):
            yield from scalars(
                getattr(value, item.name), f"{name}.{item.name}" if name else item.name
            )
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from scalars(item, f"{name}.{key}" if name else str(key))
    elif isinstance(value, (bool, int, float, str, np.generic)):
        yield name, _plain(value)


def compute_batch(plain: Plain, start: int, stop: int) -> Plain:
    """Points ``start`` to ``stop`` as plain data: names once, then a list per point.

    Linear algebra is held to one thread, so that neither the numbers nor the
    time depend on how many workers share a machine.
    """
    sweep = Sweep.from_plain(plain)
    started = time.perf_counter()
    with _thread_pools().limit(limits=1, user_api="blas"):
        rows = [compute_row(sweep, number) for number in range(start, stop)]
    return packed(rows, time.perf_counter() - started)


def packed(rows: list[Row], seconds: float) -> Plain:
    """Rows as plain data; points with the same names share one list of them."""
    shapes: dict[tuple[str, ...], int] = {}
    listed = [
        [row.number, shapes.setdefault(tuple(row.values), len(shapes)), row.message, list(row.values.values())]
        for row in rows
    ]  # fmt: skip
    return {"names": [list(names) for names in shapes], "rows": listed, "seconds": seconds}


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _silent(done: int, of: int) -> None:
    """Nobody watches the steps of one point."""


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_MESSAGE else line[: MOST_MESSAGE - 1] + "\u2026"

"""A sweep of two fields as a page asks for it: bounded, one job, and shown as a surface."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.fields import Spec, query_text
from foptrn_model.parameters import Params, ParamsError, query_values
from foptrn_model.sweep import cluster
from foptrn_model.sweep.engine import Missing, Pace, compute_here
from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.grid import Axis, Grid, read_axis
from foptrn_model.sweep.points import Plain, Row, Sweep, make_sweep
from foptrn_model.text import duration, group_digits

PART = "surface"
"""What the job table calls such a sweep."""
OVER = "over"
LEAST_SIDE, MOST_SIDE = 2, 50
LOOKED_AT = 64
"""Points whose estimate is asked for."""
CLOSED_POINT_S = 0.002
"""A closed form's point, at most."""
CAP_S, CLUSTER_CAP_S = 120.0, 1_800.0
"""Seconds of one core that a page may ask for: of this machine, and of a cluster."""


@dataclass(frozen=True, kw_only=True)
class Range:
    """What a person asks to sweep one field over, as text."""

    name: str
    start: str
    stop: str
    count: str

    def word(self, spec: Spec) -> str:
        """The same as a word of the command line; fields of log sliders go by equal ratios."""
        ends = [text.strip() for text in (self.start, self.stop)]
        zero = any(text.lstrip("+-").strip("0.,") == "" for text in ends)
        log = ":log" if spec.scale != "linear" and not zero else ""
        return f"{self.name}={ends[0]}:{ends[1]}:{self.count.strip()}{log}"


@dataclass(frozen=True, kw_only=True)
class Surface:
    """Two swept fields around a state; ``words`` are those of the command line."""

    explorer: Explorer
    state: Params
    words: tuple[str, str]

    @property
    def query(self) -> str:
        """What the sweep depends on: the state less the swept fields, and the words."""
        swept = {axis.name: self.state.specs()[axis.name].default for axis in self.axes}
        held = self.state.model_copy(update=swept).to_query()
        return "&".join(filter(None, (held, urlencode([(OVER, word) for word in self.words]))))

    @classmethod
    def from_query(cls, slug: str, query: str) -> Surface:
        """Inverse of :attr:`query`; raises ParamsError and SweepError."""
        explorer, values = EXPLORERS[slug], query_values(query)
        words = values.pop(OVER, None)
        if not isinstance(words, list) or len(words) != 2:
            raise SweepError("a surface is swept over two fields")
        state = explorer.params.parse(values)
        return cls(explorer=explorer, state=state, words=(words[0], words[1]))

    @cached_property
    def axes(self) -> tuple[Axis, Axis]:
        one, other = (read_axis(self.explorer.params, word) for word in self.words)
        return one, other

    @cached_property
    def sweep(self) -> Sweep:
        """Along x fastest, so that a row of points is a row of the figure."""
        x, y = self.axes
        return make_sweep(self.explorer, self.state.model_dump(), Grid(axes=(y, x)))

    @cached_property
    def estimate_s(self) -> float:
        """About how long it takes on one core [s]."""
        numbers = self.sweep.grid.spread(LOOKED_AT)
        return self.sweep.grid.size * sum(map(self._point_s, numbers)) / len(numbers)

    def _point_s(self, number: int) -> float:
        try:
            return CLOSED_POINT_S + (self.sweep.estimate_s(number) or 0.0)
        except ParamsError:
            return 0.0

    @property
    def command(self) -> str:
        """The command that computes the same, and could compute more."""
        swept = {axis.name for axis in self.axes}
        given = {
            name: query_text(getattr(self.state, name))
            for name, spec in self.state.specs().items()
            if name not in swept and getattr(self.state, name) != spec.default
        }
        # The command's own --seeds counts rows, so the field of that name is given as a list of one.
        own = [f"seeds={given.pop('seeds')}"] if "seeds" in given else []
        flags = [f"--{name} {shlex.quote(text)}" for name, text in given.items()]
        over = [f"--over {shlex.quote(word)}" for word in (*self.words, *own)]
        slug = self.explorer.slug
        words = ["python -m foptrn_model sweep", slug, *flags, *over, f"--out {slug}-sweep.csv"]
        return " ".join(words)


def read_surface(
    explorer: Explorer, state: Params, x: Range, y: Range, *, on_cluster: bool = False
) -> Surface:
    """The sweep that a page asks for.

    Raises
    ------
    SweepError, ParamsError
        For fields and ranges that cannot be, and for more than a page may ask for.
    """
    if x.name == y.name:
        raise SweepError(f"{x.name} is on both axes: choose another field for one of them")
    specs = explorer.params.specs()
    for asked in (x, y):
        if asked.name not in specs:
            raise SweepError(f"{asked.name} is not a field here")
        if asked.name in state.inactive():
            label = specs[asked.name].label
            raise SweepError(f"{label} has no effect in this state: choose another field")
    words = (x.word(specs[x.name]), y.word(specs[y.name]))
    surface = Surface(explorer=explorer, state=state, words=words)
    for axis in surface.axes:
        if not LEAST_SIDE <= len(axis.values) <= MOST_SIDE:
            label = specs[axis.name].label
            raise SweepError(
                f"{label} must take from {LEAST_SIDE} to {MOST_SIDE} different values, "
                f"got {len(axis.values)}"
            )
    cap_s = CLUSTER_CAP_S if on_cluster else CAP_S
    if surface.estimate_s > cap_s:
        raise SweepError(
            f"{group_digits(surface.sweep.grid.size)} points would take about "
            f"{duration(surface.estimate_s, 2)} of one core, over the {duration(cap_s)} that a page "
            "may ask for: take fewer values, steps or seeds, or use the command line"
        )
    return surface


def run_surface(
    surface: Surface, progress: Callable[[int, int], object], scheduler: str = ""
) -> dict[str, Any]:
    """Compute every point, here or on a scheduler's workers; the outcome as JSON."""
    sweep, started = surface.sweep, time.perf_counter()
    rows: list[Row] = []

    def keep(batch: Plain) -> None:
        rows.extend(unpacked(batch))
        progress(len(rows), sweep.grid.size)

    missing = Missing(bytearray(sweep.grid.size))
    pace = Pace(surface.estimate_s / sweep.grid.size)
    progress(0, sweep.grid.size)
    if scheduler:
        with cluster.remote_cluster(scheduler) as client:
            cluster.compute_there(client, sweep.plain, missing, pace, keep)
    else:
        compute_here(sweep.plain, missing, pace, keep)
    rows.sort(key=lambda row: row.number)
    names = list(dict.fromkeys(name for row in rows for name in row.values))
    return {
        "names": names,
        "rows": [[row.message, *(row.values.get(name) for name in names)] for row in rows],
        "seconds": round(time.perf_counter() - started, 3),
    }


def read_rows(outcome: Plain) -> list[Row]:
    """The rows of an outcome, in the order of the grid."""
    return [
        Row(
            number=number,
            message=message,
            values={
                name: value
                for name, value in zip(outcome["names"], values, strict=True)
                if value is not None
            },
        )
        for number, (message, *values) in enumerate(outcome["rows"])
    ]


def unpacked(batch: Plain) -> Sequence[Row]:
    """The rows of a batch."""
    return [
        Row(
            number=number,
            message=message,
            values=dict(zip(batch["names"][shape], values, strict=True)),
        )
        for number, shape, message, values in batch["rows"]
    ]

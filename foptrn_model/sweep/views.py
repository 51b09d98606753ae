"""What a page shows of a surface: which numbers, and a grid small enough to read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foptrn_model.headlines import Headline
from foptrn_model.optical_dfa_experiment import TRAINER_LABELS as EXPERIMENT_LABELS
from foptrn_model.optical_dfa_experiment import TRAINERS as EXPERIMENT_TRAINERS
from foptrn_model.optical_dfa_experiment import Trainer
from foptrn_model.optical_dfa_presets import OPTICAL_DFA_HEADLINES
from foptrn_model.sweep.points import Row
from foptrn_model.sweep.surface import Surface
from foptrn_model.tables import Column, Table
from foptrn_model.trainers_params import TRAINER_LABELS
from foptrn_model.trainers_simulation import SWEEP_TO

MOST_CELLS = 25
"""Cells a side that are shown; beyond, neighbouring points are taken together."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """One number of a point, and the columns that say from where to where it spreads over seeds."""

    headline: Headline
    low: str = ""
    high: str = ""
    spread: str = ""
    """What the two columns are, such as "quartiles"."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What a page offers to sweep: fields at first, how far each goes, and what is shown of it."""

    lead: str
    x: str
    y: str
    count: int
    ranges: Mapping[str, tuple[float, float]]
    left_out: frozenset[str]
    quantities: tuple[Quantity, ...]


def _over_seeds(place: str, label: str, low: str, high: str, spread: str) -> Quantity:
    """The mean of an accuracy over seeds, and its spread."""
    return Quantity(
        headline=Headline(field=f"{place}.mean", label=label, style="percent"),
        low=f"{place}.{low}", high=f"{place}.{high}", spread=spread,
    )  # fmt: skip


def _reached(name: str, machine: str) -> Quantity:
    place, label = (
        f"trainers.{name}.{machine}_accuracy",
        f"{TRAINER_LABELS[name]}, on the {machine}",
    )
    return _over_seeds(place, label, "q1", "q3", "quartiles")


def _learned(name: Trainer) -> Quantity:
    place, label = f"experiment.accuracy.{name}", f"Experiment: {EXPERIMENT_LABELS[name]}"
    return _over_seeds(place, label, "min", "max", "least and largest")


OFFERS = {
    "trainers": Offer(
        lead="Trains all four ways at every point of a grid of two fields, with the seeds and all else "
        "as set above, and draws what they reach as a surface.",
        x="phase_error_rad",
        y="readout_noise",
        count=8,
        ranges={name: (0.0, most) for name, most in SWEEP_TO.items()}
        | {"steps": (10, 300), "learning_rate": (0.005, 0.5), "batch": (8, 128), "layers": (1, 6)},
        left_out=frozenset({"seed", "input_x", "input_y", "digit"}),
        quantities=(
            *(_reached(name, "hardware") for name in TRAINER_LABELS),
            _reached("in-silico", "model"),
            Quantity(
                headline=Headline(
                    field="trainers.in-silico.reality_gap", label="Reality gap in silico",
                    style="percent",
                )
            ),
        ),
    ),
    "optical-dfa": Offer(
        lead="Computes the step at every point of a grid of two fields, all else as set above. Fields "
        "of the experiment train its network at every point.",
        x="width",
        y="frame_rate_hz",
        count=20,
        ranges={
            "width": (256, 100_000), "depth": (4, 1_000), "frame_rate_hz": (100, 1_000_000),
            "projection_noise": (0, 4), "projection_bias": (0, 2), "batch": (8, 8_192),
            "epochs": (1, 40), "hidden_width": (4, 64), "drift_per_step": (0, 0.02),
        },
        left_out=frozenset({"seed"}),
        quantities=(
            *(Quantity(headline=item) for item in OPTICAL_DFA_HEADLINES if item.field != "fastest"),
            *(_learned(name) for name in EXPERIMENT_TRAINERS),
        ),
    ),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Cells:
    """A quantity over two fields: rows by y of columns by x, None where no point has a number.

    ``low`` and ``high`` are the least and the largest of the points in a cell,
    or of their seeds where those are known. ``words`` stand where there is no number.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    mean: tuple[tuple[float | None, ...], ...]
    low: tuple[tuple[float | None, ...], ...]
    high: tuple[tuple[float | None, ...], ...]
    words: tuple[tuple[str, ...], ...]
    points: int
    """Points in a cell, but in the last row and column."""


def offered(surface: Surface, rows: Sequence[Row]) -> list[Quantity]:
    """The quantities that the rows have."""
    names = {name for row in rows for name in row.values}
    found = OFFERS[surface.explorer.slug].quantities
    return [item for item in found if item.headline.field in names]


def cells_of(surface: Surface, rows: Sequence[Row], quantity: Quantity) -> Cells:
    """A quantity in at most :data:`MOST_CELLS` cells a side, each the mean of its points."""
    x, y = (axis.values for axis in surface.axes)
    across, down = _groups(len(x)), _groups(len(y))
    blocks = [
        [[rows[j * len(x) + i] for j in range(*one) for i in range(*other)] for other in across]
        for one in down
    ]
    found = [[_cell(block, quantity) for block in line] for line in blocks]
    return Cells(
        x=tuple(_middle(x[start:stop]) for start, stop in across),
        y=tuple(_middle(y[start:stop]) for start, stop in down),
        mean=tuple(tuple(cell[0] for cell in line) for line in found),
        low=tuple(tuple(cell[1] for cell in line) for line in found),
        high=tuple(tuple(cell[2] for cell in line) for line in found),
        words=tuple(tuple(cell[3] for cell in line) for line in found),
        points=(across[0][1] - across[0][0]) * (down[0][1] - down[0][0]),
    )


def _groups(count: int) -> list[tuple[int, int]]:
    """Runs of equal length, the last one maybe shorter."""
    size = math.ceil(count / MOST_CELLS)
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def _middle(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _cell(block: Sequence[Row], quantity: Quantity) -> tuple[Any, Any, Any, str]:
    name = quantity.headline.field
    values = [row.values.get(name) for row in block]
    numbers = [value for value in values if isinstance(value, (int, float))]
    if not numbers:
        return None, None, None, str(values[0] or ("failed" if block[0].message else ""))
    lows = [row.values.get(quantity.low, row.values.get(name)) for row in block]
    highs = [row.values.get(quantity.high, row.values.get(name)) for row in block]
    return (
        sum(numbers) / len(numbers),
        min(value for value in lows if isinstance(value, (int, float))),
        max(value for value in highs if isinstance(value, (int, float))),
        "",
    )


def surface_table(surface: Surface, cells: Cells, quantity: Quantity) -> Table:
    """The cells as a table: a row per value of y, a column per value of x."""
    specs = surface.explorer.params.specs()
    across, down = (specs[axis.name] for axis in surface.axes)
    label = f"{across.label} {{}}" + (f" {across.unit}" if across.unit else "")
    return Table(
        title=f"{quantity.headline.label}, over {across.label.lower()} and {down.label.lower()}",
        columns=[
            Column(name=down.name, label=down.label, unit=down.unit),
            *(Column(name=str(x), label=label.format(f"{x:g}")) for x in cells.x),
        ],
        rows=[
            [y, *(_text(quantity.headline, value, word) for value, word in zip(line, words, strict=True))]
            for y, line, words in zip(cells.y, cells.mean, cells.words, strict=True)
        ],
    )  # fmt: skip


def _text(headline: Headline, value: float | None, word: str) -> str:
    return headline.text(word if value is None else value)

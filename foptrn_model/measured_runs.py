"""This project's own training runs, as the compression experiment measured them.

``python -m foptrn_model experiment compression --long`` makes the file that is
kept in ``data/``; tests compute the first steps of every run in it again.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import orjson

from foptrn_model.curves import Curve, LossCurves
from foptrn_model.demo.methods import method_named
from foptrn_model.demo.payload import payload_bytes
from foptrn_model.demo.training import Settings

FILE = "measured_compression.json"


@dataclass(frozen=True, kw_only=True)
class MeasuredRun:
    """One training run; tuples of one length go by ``steps``, the evaluations.

    Losses are in nat per byte; shares are of the delta's energy, the clip rate
    is of the values that enter the optics, and None stands where there are none.
    ``first_losses`` are training losses of the first steps.
    """

    method: str
    seed: int
    rate: float
    seconds: float
    diverged: bool
    first_losses: tuple[float, ...]
    steps: tuple[int, ...]
    val_loss: tuple[float, ...]
    low_share: tuple[float | None, ...]
    topk_share: tuple[float | None, ...]
    own_share: tuple[float | None, ...]
    clip_rate: tuple[float | None, ...]

    @property
    def final_loss(self) -> float:
        return self.val_loss[-1]


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Final losses of one method: mean and sample standard deviation over seeds (0 for one)."""

    method: str
    losses: tuple[float, ...]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.losses)

    @property
    def sd(self) -> float:
        return statistics.stdev(self.losses) if len(self.losses) > 1 else 0.0


@dataclass(frozen=True, kw_only=True)
class MeasuredRuns:
    """Every run of the experiment, with what made it."""

    command: str
    version: str
    commit: str
    date: str
    hardware: str
    python: str
    numpy: str
    scipy: str
    text: str
    settings: Settings
    rates: dict[str, float]
    sweep: tuple[MeasuredRun, ...]
    runs: tuple[MeasuredRun, ...]

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """Methods in the order in which they were run."""
        return tuple(dict.fromkeys(run.method for run in self.runs))

    def of(self, method: str) -> tuple[MeasuredRun, ...]:
        """The runs of a method, a seed each."""
        return tuple(run for run in self.runs if run.method == method)

    @cached_property
    def final(self) -> dict[str, Spread]:
        """Final losses by method."""
        return {
            method: Spread(method=method, losses=tuple(run.final_loss for run in self.of(method)))
            for method in self.methods
        }

    @cached_property
    def curves(self) -> LossCurves:
        """Mean losses by step, as the transit explorer takes them."""
        return LossCurves(
            curves=tuple(_curve(method, self.of(method)) for method in self.methods),
            origin=self.origin,
        )

    @property
    def origin(self) -> str:
        """Where the curves come from, in one line."""
        return (
            f"this project's own runs of {self.date}: a transformer of "
            f"{self.settings.model.size:,} parameters on the text of {self.text}, "
            f"{self.settings.workers} simulated workers, {self.settings.steps} steps"
        )

    def bytes_per_step(self, method: str) -> int:
        """What a worker sends in one step, values in bf16."""
        found = method_named(method)
        sent = payload_bytes(self.settings.model.shapes, found.chunk, self.settings.keep)
        return {None: sent.dense, "topk": sent.topk}.get(found.selector, sent.band)


def _curve(method: str, runs: tuple[MeasuredRun, ...]) -> Curve:
    # A run that diverged ends earlier; the mean is over the steps that all have.
    count = min(len(run.steps) for run in runs)
    losses = [[run.val_loss[index] for run in runs] for index in range(count)]
    return Curve(
        method=method,
        steps=runs[0].steps[:count],
        loss=tuple(statistics.fmean(found) for found in losses),
        sd=tuple(statistics.stdev(found) for found in losses) if len(runs) > 1 else None,
        seeds=len(runs),
    )


def read_run(found: Mapping[str, Any]) -> MeasuredRun:
    """A run from what is kept of it."""
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in found.items()
    }
    return MeasuredRun(**given)


@cache
def measured_runs() -> MeasuredRuns:
    """The runs that are kept with the project."""
    body = orjson.loads((files("foptrn_model") / "data" / FILE).read_bytes())
    body.pop("note")
    return MeasuredRuns(
        **body
        | {
            "settings": Settings(**body["settings"]),
            "sweep": tuple(read_run(found) for found in body["sweep"]),
            "runs": tuple(read_run(found) for found in body["runs"]),
        }
    )


def measured_curves() -> LossCurves:
    """The mean curves of :func:`measured_runs`."""
    return measured_runs().curves

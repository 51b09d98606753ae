"""The registry: everything a page, the API and the command line need to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from foptrn_model import __version__
from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.amdahl_tables import (
    amdahl_series,
    conventions_table,
    ledger_table,
    length_table,
    rate_table,
    tornado_table,
    training_table,
)
from foptrn_model.amdahl_text import amdahl_verdict, amdahl_working
from foptrn_model.headlines import AMDAHL_HEADLINES, Headline
from foptrn_model.parameters import Params
from foptrn_model.presets import AMDAHL_PRESETS, Preset
from foptrn_model.tables import Table, plain_number
from foptrn_model.working import Working


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """One question: its params, its pure function, and its result in words.

    ``series`` computes what figures show beyond the result; ``tables`` maps a
    name to a function of (params, result, series), the first being the one
    that the plain CSV route serves. The first of ``headlines`` is the number
    that the verdict is about.
    """

    slug: str
    title: str
    question: str
    summary: str
    params: type[Params]
    compute: Callable[[Any], Any]
    series: Callable[[Any], Any]
    verdict: Callable[[Any, Any], str]
    working: Callable[[Any, Any], Working]
    headlines: Sequence[Headline]
    presets: Sequence[Preset]
    tables: Mapping[str, Callable[[Any, Any, Any], Table]]

    def evaluate(self, params: Params) -> Evaluation:
        """Compute everything about one state, each part once."""
        return Evaluation(
            explorer=self, params=params, result=self.compute(params), series=self.series(params)
        )

    def answer(self, params: Params) -> dict[str, Any]:
        """The API's body, which the command line prints as well."""
        result = self.compute(params)
        return {
            "explorer": self.slug,
            "version": __version__,
            "params": params.resolved(),
            "result": _plain(asdict(result)),
            "verdict": self.verdict(params, result),
        }

    def table(self, params: Params, name: str | None = None) -> Table:
        """The named table of one state; the main one without a name."""
        evaluation = self.evaluate(params)
        return evaluation.table(name or next(iter(self.tables)))

    def preset_of(self, params: Params) -> Preset | None:
        """The preset that this state is, if it is one."""
        query = params.to_query()
        return next((preset for preset in self.presets if preset.query == query), None)

    def describe(self) -> dict[str, Any]:
        """What the API's index says of this explorer."""
        return {
            "slug": self.slug,
            "title": self.title,
            "question": self.question,
            "tables": list(self.tables),
            "presets": [asdict(preset) for preset in self.presets],
            "params_schema": self.params.model_json_schema(),
        }


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """One state with everything computed from it."""

    explorer: Explorer
    params: Any
    result: Any
    series: Any

    @property
    def verdict(self) -> str:
        return self.explorer.verdict(self.params, self.result)

    @property
    def working(self) -> Working:
        return self.explorer.working(self.params, self.result)

    def table(self, name: str) -> Table:
        return self.explorer.tables[name](self.params, self.result, self.series)


AMDAHL = Explorer(
    slug="amdahl",
    title="Amdahl explorer",
    question="How much of a training step could an optical Fourier engine take over?",
    summary="Counts the FLOP of one training step by class and direction, finds the share that an "
    "engine with masks written once per step could take, and bounds what that is worth.",
    params=AmdahlParams,
    compute=compute_amdahl,
    series=amdahl_series,
    verdict=amdahl_verdict,
    working=amdahl_working,
    headlines=AMDAHL_HEADLINES,
    presets=AMDAHL_PRESETS,
    tables={
        "ledger": ledger_table,
        "length": length_table,
        "training": training_table,
        "rate": rate_table,
        "conventions": conventions_table,
        "tornado": tornado_table,
    },
)

EXPLORERS: dict[str, Explorer] = {explorer.slug: explorer for explorer in (AMDAHL,)}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return plain_number(value)

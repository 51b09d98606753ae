"""Explorers that simulate: what is computed in the background, and what is stored.

A closed form answers at once. A simulation has parts that take seconds; each
part's outcome is JSON, known by the query of what it depends on. An explorer
may be both: its result a closed form, its parts experiments beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson

from foptrn_model.parameters import Params, Problem

Progress = Callable[[int, int], object]


@dataclass(frozen=True, kw_only=True)
class Part:
    """One computation: ``run`` gives its outcome as JSON, ``query`` says what it depends on.

    One ``on_demand`` is only started when a person asks for it. ``scalars``
    are the numbers of an outcome that a sweep keeps of every point.
    """

    label: str
    run: Callable[[Any, Progress], Any]
    query: Callable[[Any], str]
    estimate_s: Callable[[Any], float]
    on_demand: bool = False
    scalars: Callable[[Any], Mapping[str, Any]] = lambda outcome: {}


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """The parts of a simulated explorer, the first being the one that its result is read from.

    With ``closed`` the result is a closed form instead, and every part only adds to it.
    ``evaluate`` makes (result, series) of the outcomes by part, of which only
    the first must be there, and none with ``closed``. ``needs`` names the part
    that a table shows beyond the first. ``costly`` lists the fields that time
    goes by, in the order in which :meth:`fit` lowers them. ``check`` refuses
    what would take longer than the seconds it is given: ``cap_s`` where a
    request waits for its answer, ``page_cap_s`` where a page shows how far a
    run is and can cancel it.
    ``preview`` gives a smaller state to show while a control is dragged, or
    None. ``stored_queries`` are the states whose outcomes are stored with the
    project; ``stand_in`` is the one that a page opens on while another is
    computed.
    """

    slug: str
    parts: Mapping[str, Part]
    needs: Mapping[str, str]
    cap_s: float
    page_cap_s: float
    costly: tuple[str, ...]
    check: Callable[[Any, float], list[Problem]]
    preview: Callable[[Any], Params | None]
    evaluate: Callable[[Any, Mapping[str, Any]], tuple[Any, Any]]
    stored_queries: tuple[str, ...] = ("",)
    stand_in: Callable[[Any], Params] = lambda params: type(params)()
    closed: bool = False

    @property
    def main(self) -> str:
        """The part that must be there; empty where there is none."""
        return "" if self.closed else self.first

    @property
    def first(self) -> str:
        """The part that costs what :attr:`check` says."""
        return next(iter(self.parts))

    def answerable(self, outcomes: Mapping[str, Any]) -> bool:
        """Whether there is a result with what is there."""
        return self.closed or self.main in outcomes

    def complete(
        self,
        params: Params,
        outcomes: Mapping[str, Any],
        *,
        table: str = "",
        part: str = "",
        progress: Progress = lambda done, of: None,
    ) -> dict[str, Any]:
        """Outcomes with those stored, and with what must be there and is not, computed here.

        That is the main part, what a ``table`` shows, and a ``part`` asked for.
        """
        found = dict(outcomes)
        for name, computed in self.parts.items():
            if name not in found:
                stored = self.stored(name, computed.query(params))
                if stored is not None:
                    found[name] = stored
                elif name in (self.main, self.needs.get(table), part):
                    found[name] = computed.run(params, progress)
        return found

    def fit(self, params: Any) -> tuple[Any, list[str]]:
        """The nearest state that a page computes, and a notice if that is another one."""
        if self.stored(self.first, self.parts[self.first].query(params)) is not None:
            return params, []
        problems = self.check(params, self.page_cap_s)
        state = params
        for name in self.costly:
            low = params.specs()[name].low
            while self.check(state, self.page_cap_s) and getattr(state, name) > low:
                lower = max(int(getattr(state, name) * 0.7), int(low))
                state = state.model_copy(update={name: lower})
        lowered = ", ".join(
            f"{name} {getattr(state, name)}"
            for name in self.costly
            if getattr(state, name) != getattr(params, name)
        )
        return state, [f"{problem.message}; using {lowered}" for problem in problems]

    def stored_of(self, params: Params) -> dict[str, Any]:
        """The outcomes stored with the project for a state, by part."""
        found = {name: self.stored(name, part.query(params)) for name, part in self.parts.items()}
        return {name: outcome for name, outcome in found.items() if outcome is not None}

    def stored(self, part: str, query: str) -> Any:
        """The outcome stored with the project for one query, or None."""
        return stored_outcomes(self.slug).get(f"{part}?{query}")


@cache
def code_digest() -> str:
    """What identifies the code of the models, so that no kept outcome outlives a change of it."""
    root = Path(str(files("foptrn_model")))
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def stored_outcomes(slug: str) -> dict[str, Any]:
    """Every stored outcome of an explorer, by part and query."""
    file = files("foptrn_model") / "data" / f"stored_{slug}.json"
    if not file.is_file():
        return {}
    outcomes: dict[str, Any] = orjson.loads(file.read_bytes())["outcomes"]
    return outcomes

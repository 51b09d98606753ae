"""Every number that the explorers state, computed now, beside what was published.

A reader of models, registry and published values; no model reads this module.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from foptrn_model import __version__
from foptrn_model.code_commit import known_commit
from foptrn_model.compression_reference import reference
from foptrn_model.compression_words import CHUNK_LABELS, SELECTOR_LABELS, method_label
from foptrn_model.diloco import TABLE_SOURCE, diloco_table
from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.measured_runs import measured_runs
from foptrn_model.parameters import Params
from foptrn_model.published import Kind, Published, published_values
from foptrn_model.report_row import EXPERIMENT, NONE, Mark, Row, beside
from foptrn_model.text import group_digits

HERE = "computed here"
STORED_RUN = "a stored run, made by make stored (python -m foptrn_model.store)"


COUNTED: dict[Kind, str] = {
    "own": "values of this series or its sister analysis",
    "input": "inputs read back",
    "fitted": "to which constants of the model were fitted",
    "independent": "independent of both",
}
"""How the summary speaks of what is to be reproduced, by kind."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """All rows, and when and from what they were computed."""

    rows: tuple[Row, ...]
    version: str
    commit: str
    computed: str

    def count(self, *marks: Mark) -> int:
        return sum(row.mark in marks for row in self.rows)

    @property
    def published(self) -> int:
        """Rows that stand beside a published value."""
        return sum(row.published != NONE for row in self.rows)

    @property
    def outside(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.mark == "outside")

    @property
    def summary(self) -> str:
        """How many values, how many of them published, and how many of those hold."""
        kinds = Counter(row.kind_name for row in self.rows if row.mark == "within")
        parts = [f"{kinds[kind]} {words}" for kind, words in COUNTED.items() if kinds[kind]]
        compared = sum(row.compared for row in self.rows)
        return (
            f"{group_digits(len(self.rows))} values, {self.published} beside a published one, "
            f"of which {compared} are compared. {self.count('within')} are within tolerance: "
            f"{', '.join(parts)}. {self._named('outside', 'outside tolerance')}"
            f"{self._named('differs', 'not reproduced')}"
            f"{self.count('shown')} come from another model, task or machine and are shown "
            f"without being compared. "
            f"{self.count('absent')} values are not computed here, {self.count('stored')} come "
            "from stored runs."
        )

    def _named(self, mark: Mark, words: str) -> str:
        """A sentence that counts and names the rows of a mark, each with its difference."""
        found = [f"{row.quantity}, {row.relative}" for row in self.rows if row.mark == mark]
        return f"{len(found)} {words} ({'; '.join(found)}). " if found else ""

    @property
    def origin(self) -> str:
        return f"Version {self.version}, commit {self.commit}, computed {self.computed}."

    def of(self, slug: str) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.explorer == slug)


@cache
def report() -> Report:
    """The report of this process, computed when first asked for."""
    return Report(
        rows=tuple(row for explorer in EXPLORERS.values() for row in explorer_rows(explorer)),
        version=__version__,
        commit=known_commit(),
        computed=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def explorer_rows(explorer: Explorer) -> Iterator[Row]:
    """Rows of one explorer: published values first, then the headlines of its states."""
    for value in published_values(explorer.slug):
        yield published_row(explorer, value)
    if explorer.slug == "compression":
        yield from _captured_rows(explorer)
        yield from _small_check_rows(explorer)
    if explorer.slug == "transit":
        yield from _diloco_rows()
    yield from _headline_rows(explorer)


def published_row(explorer: Explorer, published: Published) -> Row:
    """One published value beside what the state of its case gives now."""
    value: float | str | None = None
    if published.field:
        value = published.compared(_field(explorer, published))
    mark: Mark = "shown"
    if published.kind == "difference" and value is not None and not published.holds(value):
        mark = "differs"
    elif not published.shown:
        mark = "within" if value is not None and published.holds(value) else "outside"
    elif value is None:
        mark = "absent"
    return beside(published, value, mark)


def _field(explorer: Explorer, published: Published) -> Any:
    params = explorer.params.parse(published.raw_params())
    path = published.field.split(".")
    if path[0] == "series":
        return value_at(explorer.series(params), path[1:])
    return value_at(_result(explorer, params), path)


def value_at(found: Any, path: Sequence[str]) -> Any:
    """What a path leads to through nested results and mappings."""
    for part in path:
        if isinstance(found, Mapping):
            found = found[part] if part in found else found[int(part)]
        else:
            found = getattr(found, part)
    return found


def _result(explorer: Explorer, params: Params) -> Any:
    """The result of a state; of a simulated explorer the stored one, or None."""
    simulation = explorer.simulation
    if simulation is None or simulation.closed:
        return explorer.compute(params)
    part = simulation.parts[simulation.main]
    outcome = simulation.stored(simulation.main, part.query(params))
    return None if outcome is None else simulation.evaluate(params, {simulation.main: outcome})[0]


def _headline_rows(explorer: Explorer) -> Iterator[Row]:
    """The headline numbers of the default state and of every preset."""
    simulated = explorer.simulation is not None and not explorer.simulation.closed
    states = [(preset.label, preset.query, preset.source) for preset in explorer.presets]
    if "" not in {query for _, query, _ in states}:
        states.insert(0, ("Default state", "", HERE))
    for label, query, published_in in states:
        result = _result(explorer, explorer.params.from_query(query))
        source = published_in
        if simulated:
            made = "a run that the page starts" if result is None else STORED_RUN
            source = f"{published_in}; {made}"
        for headline in explorer.headlines:
            value = None if result is None else headline.value(result)
            yield Row(
                explorer=explorer.slug,
                quantity=headline.label,
                state=label,
                query=query,
                value=value,
                computed=NONE if value is None else headline.text(value),
                published_value=None,
                published=NONE,
                difference=NONE,
                relative=NONE,
                tolerance=NONE,
                mark="absent" if value is None else "stored" if simulated else "computed",
                source=source,
            )


def _shown(
    *, explorer: str, quantity: str, state: str, query: str = "", value: float, published: float,
    source: str, unit: str = "", text: str,
) -> Row:  # fmt: skip
    """A published value of another model or method, beside ours."""
    return beside(
        Published(
            explorer=explorer, quantity=quantity, state=state, query=query, field="", factor=1,
            published=published, high=published, text=text, unit=unit,
            tolerance=math.nan, source=source, kind="other", shown=True,
        ),
        value,
        "shown",
    )  # fmt: skip


def _captured_rows(explorer: Explorer) -> Iterator[Row]:
    """Captured energy of our own tensors beside that of the published model."""
    for (chunk, tensor, selector), published in reference().captured.items():
        params = explorer.params.parse({"source": "measured", "chunk": chunk, "tensor": tensor})
        yield _shown(
            explorer=explorer.slug,
            quantity=f"captured energy of the {tensor}, {SELECTOR_LABELS[selector]}",
            state=f"{CHUNK_LABELS[chunk]} chunks, 1 in 16; theirs a 15.8 M model, ours a 0.1 M one",
            query=params.to_query(),
            value=value_at(explorer.compute(params), ["captured_energy", selector]),
            published=published,
            source=EXPERIMENT,
            text=reference().written[chunk, tensor, selector],
        )


def _small_check_rows(explorer: Explorer) -> Iterator[Row]:
    """Final losses of our own training runs beside those of a published check."""
    runs = measured_runs()
    for method, published in reference().small_check.items():
        yield _shown(
            explorer=explorer.slug,
            quantity=f"final loss of a small model, {method_label(method)}",
            state=f"600 steps each, other text and model; ours stored: {runs.command}, {runs.date}",
            value=runs.final[method].mean,
            published=published,
            source=EXPERIMENT,
            text=reference().written["", "", method],
        )


def _diloco_rows() -> Iterator[Row]:
    """The closed form's bandwidths beside those that a simulation read off a grid."""
    for entry in diloco_table():
        yield _shown(
            explorer="transit",
            quantity=f"bandwidth for {100 * entry.utilisation:g} % compute utilisation",
            state=f"{entry.model} parameters, {entry.step_time_s:g} s a step, "
            f"H = {entry.sync_every}; theirs read off a coarse grid",
            value=entry.ours_Gbps,
            published=entry.published_Gbps,
            source=TABLE_SOURCE,
            unit="Gb/s",
            text=f"{'at least ' if entry.at_least else ''}{entry.published_Gbps:.1f}",
        )

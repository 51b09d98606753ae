"""What the panel does that sweeps two fields around a page's state: progress, a surface.

A sweep is one job in the table of jobs. Two callbacks run the panel: one
starts, watches and cancels, asked by a clock while a sweep is under way; the
other draws what has been computed. Only a person's click starts anything.
"""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, State, dcc, html

from foptrn_model.explorers import Explorer
from foptrn_model.fields import echo
from foptrn_model.parameters import ParamsError
from foptrn_model.pins import state_name
from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.files import csv_lines
from foptrn_model.sweep.surface import (
    PART,
    Range,
    Surface,
    read_rows,
    read_surface,
)
from foptrn_model.sweep.views import (
    Cells,
    Quantity,
    cells_of,
    offered,
    surface_table,
)
from foptrn_model.text import counted, duration, group_digits
from pages._components.blocks import table_data
from pages._components.plates import GRAPH_CONFIG
from pages._components.sweep_form import AXES, SweepForm
from pages._jobs.desk import RunFailedError, Work, desk, progress_text
from pages._jobs.table import QueueFullError

MOST_WATCHER_CHARACTERS = 40
SAID = {"queued": "Waiting in the queue", "running": "Sweeping"}
DrawSurface = Callable[[Surface, Cells, Quantity, Mapping[str, Any]], dict[str, Any]]


class SweepPanel:
    """What happens to one explorer's form of a sweep; ``draw`` makes its figure."""

    def __init__(self, explorer: Explorer, *, draw: DrawSurface) -> None:
        self.explorer, self.draw, self.slug = explorer, draw, explorer.slug
        self.form = SweepForm(explorer)

    def register_callbacks(self) -> None:
        """Connect form, clock and figure; called once per page module."""
        ids = self.form.id
        for axis in AXES:
            dash.callback(
                Output(ids(f"{axis}-start"), "value"),
                Output(ids(f"{axis}-stop"), "value"),
                Input(ids(f"{axis}-field"), "value"),
                prevent_initial_call=True,
            )(self.suggest)
        dash.callback(
            Output(ids("job"), "data"),
            Output(ids("done"), "data"),
            Output(ids("error"), "children"),
            Output(ids("text"), "children"),
            Output(ids("said"), "children"),
            Output(ids("bar"), "value"),
            Output(ids("bar"), "hidden"),
            Output(ids("cancel"), "hidden"),
            Output(ids("clock"), "max_intervals"),
            Input(ids("start"), "n_clicks"),
            Input(ids("cancel"), "n_clicks"),
            Input(ids("clock"), "n_intervals"),
            State(ids("job"), "data"),
            State(f"{self.slug}-answer", "data"),
            *(
                State(ids(f"{axis}-{part}"), "value")
                for axis in AXES
                for part in ("field", "start", "stop", "count")
            ),
            # The clock waits for its answer, or on a slow line no answer would be shown.
            running=[(Output(ids("clock"), "disabled"), True, False)],
            prevent_initial_call=True,
        )(self.run)
        dash.callback(
            Output(ids("result"), "hidden"),
            Output(ids("frame"), "children"),
            Output(ids("summary"), "children"),
            Output(ids("tables"), "data"),
            Output(ids("command"), "children"),
            Output(ids("quantity"), "options"),
            Output(ids("quantity"), "value"),
            Input(ids("done"), "data"),
            Input(ids("quantity"), "value"),
            prevent_initial_call=True,
        )(self.show)
        dash.callback(
            Output(ids("file"), "data"),
            Input(ids("csv"), "n_clicks"),
            State(ids("done"), "data"),
            prevent_initial_call=True,
        )(self.save)
        dash.clientside_callback(
            ClientsideFunction("explorer", "tables"),
            Output(ids("tables-done"), "data"),
            Input(ids("tables"), "data"),
            State(f"{self.slug}-spec", "data"),
            prevent_initial_call=True,
        )

    def suggest(self, name: Any) -> tuple[str, str]:
        """From where to where, once a field has been chosen."""
        if name not in self.form.fields:
            raise dash.exceptions.PreventUpdate
        return self.form.ends(str(name))

    def run(self, *given: Any) -> tuple[Any, ...]:
        """Start a sweep, see how far it is, or give it up, by which of the inputs has changed."""
        job, answer, *form = given[3:]
        asked = dash.ctx.triggered_id
        try:
            if asked == self.form.id("start"):
                surface, at = self._asked(answer, form)
                job = {"query": surface.query, "at": at, "watcher": f"sweep-{secrets.token_hex(8)}"}
            elif isinstance(job, dict):
                surface = Surface.from_query(self.slug, str(job.get("query")))
            else:
                raise dash.exceptions.PreventUpdate
        except (SweepError, ParamsError) as error:
            return self._told(job=None, error=f"This cannot be swept: {error}")
        work, watcher = _work(surface), str(job.get("watcher"))[:MOST_WATCHER_CHARACTERS]
        if asked == self.form.id("cancel"):
            desk().give_up_for_good(work, watcher=watcher)
        if desk().given_up(watcher):  # a tick of the clock may come in after the click
            return self._told(job=None, text="Cancelled", said="Cancelled")
        if desk().outcome(work) is not None:
            return self._told(job=None, done=job, said="Done")
        return self._watch(work, job, watcher)

    def _watch(self, work: Work, job: Any, watcher: str) -> tuple[Any, ...]:
        try:
            waiting = desk().have_done(work, watcher=watcher)
        except (QueueFullError, RunFailedError) as error:
            return self._told(job=None, error=f"Not swept: {error}")
        if waiting.job.state == "done":
            return self._told(job=None, done=job, said="Done")
        said = SAID["queued" if waiting.job.state == "queued" else "running"]
        text = progress_text(waiting, {PART: "Sweep"}, noun="point")
        share = waiting.job.done / waiting.job.of if waiting.job.of else 0
        return self._told(job=job, text=text, said=said, share=share)

    @staticmethod
    def _told(
        *,
        job: Any,
        done: Any = dash.no_update,
        error: str = "",
        text: str = "",
        said: str = "",
        share: float = 0,
    ) -> tuple[Any, ...]:
        """What :meth:`run` answers; the clock runs while there is a job."""
        over = job is None
        ticks = 0 if over else -1
        return job, done, error, text, said, str(round(share, 3)), over, over, ticks

    def _asked(self, answer: Any, form: Sequence[Any]) -> tuple[Surface, dict[str, Any]]:
        """The sweep of the form around the state of the page, and where that state lies in it."""
        query = answer.get("state") if isinstance(answer, dict) else ""
        state = self.explorer.params.from_query(str(query or ""))
        given = ["" if item is None else str(item) for item in form]
        x, y = (
            Range(name=name, start=start, stop=stop, count=count)
            for name, start, stop, count in (given[:4], given[4:])
        )
        for name in (x.name, y.name):
            if name not in self.form.fields:
                raise SweepError(f"{echo(name, 40)} is no field that can be swept here")
        surface = read_surface(self.explorer, state, x, y, on_cluster=bool(desk().scheduler))
        return surface, {name: getattr(state, name) for name in (x.name, y.name)}

    def show(self, done: Any, chosen: Any) -> tuple[Any, ...]:
        """The surface of what was swept, of one quantity."""
        surface, outcome, at = self._there(done)
        rows = read_rows(outcome)
        quantities = {item.headline.field: item for item in offered(surface, rows)}
        options = [
            {"label": item.headline.label, "value": name} for name, item in quantities.items()
        ]
        bad = [row.message for row in rows if row.message]
        if not quantities:
            summary = f"No point could be computed: {bad[0] if bad else 'no numbers'}"
            return False, [], summary, {}, surface.command, [], None
        quantity = quantities.get(chosen) or next(iter(quantities.values()))
        cells = cells_of(surface, rows, quantity)
        figure = dcc.Graph(
            id=self.form.id("figure"),
            figure=self.draw(surface, cells, quantity, at),
            config=GRAPH_CONFIG,
            responsive=True,
            className="graph",
        )
        label = {"data-figure-label": f"{quantity.headline.label} over two fields"}
        return (
            False,
            html.Div(figure, className="graph-frame", **label),
            _summary(surface, outcome, cells, bad),
            {"surface": table_data(surface_table(surface, cells, quantity))},
            surface.command,
            options,
            quantity.headline.field,
        )

    def save(self, clicks: Any, done: Any) -> dict[str, Any]:
        """Every point of what was swept, as CSV."""
        surface, outcome, _ = self._there(done)
        out = io.StringIO()
        csv_lines(surface.sweep, read_rows(outcome), outcome["names"], out)
        return {"content": out.getvalue(), "filename": f"{self.slug}-sweep.csv", "type": "text/csv"}

    def _there(self, done: Any) -> tuple[Surface, dict[str, Any], dict[str, Any]]:
        """What was swept, what came of it, and the state around which it was."""
        if not isinstance(done, dict) or not isinstance(done.get("at"), dict):
            raise dash.exceptions.PreventUpdate
        try:
            surface = Surface.from_query(self.slug, str(done.get("query")))
            outcome = desk().outcome(_work(surface))
            at = {axis.name: float(done["at"][axis.name]) for axis in surface.axes}
        except (SweepError, ParamsError, KeyError, TypeError, ValueError):
            raise dash.exceptions.PreventUpdate from None
        if outcome is None:
            raise dash.exceptions.PreventUpdate
        return surface, outcome, at


def _work(surface: Surface) -> Work:
    return Work(
        slug=surface.explorer.slug,
        part=PART,
        query=surface.query,
        estimate_s=surface.estimate_s,
    )


def _summary(surface: Surface, outcome: Mapping[str, Any], cells: Cells, bad: list[str]) -> str:
    """What the figure shows, in a sentence or two."""
    points, state = surface.sweep.grid.size, state_name(surface.state)
    around = "the defaults" if surface.state == type(surface.state)() else state
    text = (
        f"{group_digits(points)} points around {around}, computed in "
        f"{duration(outcome['seconds'], 2)}."
    )
    if cells.points > 1:
        text += f" Shown are means of {cells.points} neighbouring points; the CSV has every point."
    if bad:
        text += f" {counted(len(bad), 'point')} could not be computed: {bad[0]}."
    return text

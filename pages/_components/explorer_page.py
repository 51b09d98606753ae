"""The mould of every explorer page: layout and the one callback that answers it.

State flows one way round. A control changes; the script ``explorer.js`` puts
the wanted values into the request store, one request in flight at a time; the
callback here answers with verdict, figures, tables and the canonical query;
the script then rewrites the address and brings the controls into step. The
query codec exists once, in Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, State, dcc, html

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.parameters import Params, ParamsError, Problem
from foptrn_model.pins import MOST_PINS
from pages._components.answer import PERMALINK, guess_answer, state_answer, tour_answer
from pages._components.attached import AttachmentStore, AttachmentUnknownError
from pages._components.blocks import (
    compare_blocks,
    notice_list,
    pin_label,
    preset_bar,
    problem_list,
    table_data,
    takeaway_block,
    terms_line,
    working_blocks,
)
from pages._components.controls import (
    control_specs,
    controls,
    file_spec,
    group_names,
)
from pages._components.instant import instant_spec
from pages._components.plates import Plate, plate_element, plate_tabs
from pages._components.reading import Reading, read_query, read_request
from pages._components.talk import FIGURES_WAIT, guess_panel, tour_button, tour_panel
from pages._components.theme import light_to_dark

NO_FIGURE: dict[str, Any] = {"data": [], "layout": {}}
REPLACED = "pinned scenarios and earlier addresses on your own file now show the new file"


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """What a request is answered with; without an evaluation everything on the page stays.

    ``run`` says how far a simulation is; ``problems`` refuse the request.
    """

    evaluation: Evaluation | None
    pinned: Sequence[Evaluation] = ()
    run: dict[str, Any] | None = None
    notices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class ExplorerPage:
    """Ids, layout and callbacks of one explorer whose answers are there at once."""

    def __init__(
        self, explorer: Explorer, plates: Sequence[Plate], *, scripts: Sequence[str] = ()
    ) -> None:
        """``scripts`` make the model that answers in the browser while a slider moves."""
        self.explorer = explorer
        self.plates = tuple(plates)
        self.scripts = tuple(scripts)
        self.slug = explorer.slug
        self.files = AttachmentStore(explorer.attachment) if explorer.attachment else None

    def id(self, part: str) -> str:
        """The id of a part of this page; unique across pages by its prefix."""
        return f"{self.slug}-{part}"

    # Layout ----------------------------------------------------------------

    def layout(self, /, **query: Any) -> html.Div:
        """The page in the state that a query asks for, figures included."""
        reading, ready = self._open(query)
        assert reading.params is not None  # noqa: S101 - a link always has a nearest state
        evaluation, pinned = ready.evaluation, ready.pinned
        assert evaluation is not None  # noqa: S101 - a page opens on something
        notices = html.Div(
            notice_list(reading.notices), id=self.id("notices"), className="notices", role="alert"
        )
        connection = html.Div(
            id=self.id("connection"), className="notices connection", role="alert"
        )
        return html.Div(
            [
                html.Header(
                    [html.H1(self.explorer.question), tour_button(self.slug)], className="question"
                ),
                html.P(
                    evaluation.verdict, id=self.id("verdict"), className="verdict", role="status"
                ),
                terms_line(self.slug),
                guess_panel(self.slug, self.explorer.headlines[0]),
                tour_panel(self.slug),
                notices,
                connection,
                preset_bar(self.explorer),
                html.Div(
                    [
                        self._controls(reading.params),
                        html.Div(
                            [*self._progress(), self._figures(evaluation, pinned)],
                            className="results",
                            tabIndex=-1,  # where focus goes that a button of a run had
                        ),
                    ],
                    className="workbench",
                ),
                *self._below(reading.params),
                html.Section(
                    working_blocks(evaluation.working), id=self.id("working"), className="working"
                ),
                takeaway_block(self.slug),
                html.P(id=self.id("printed"), className="printed"),
                *self._stores(reading, ready.run),
            ],
            id=self.id("page"),
            className="explorer",
            **({"data-stale": "true"} if ready.run and ready.run["stale"] else {})
            | ({"data-guess": "asked"} if "verdict" in reading.view.hidden else {})
            | {
                "data-hide": " ".join(reading.view.hidden),
                "data-explorer": self.slug,
                "data-path": dash.get_relative_path(f"/{self.slug}"),
                "data-api": dash.get_relative_path(f"/api/v1/{self.slug}"),
            },
        )

    def _open(self, query: Mapping[str, Any]) -> tuple[Reading, Prepared]:
        """What a link asks for, and what the page opens on."""
        reading = read_query(self.explorer, query)
        assert reading.params is not None  # noqa: S101 - a link always has a nearest state
        return reading, self._prepare(reading, {})

    def _fit(self, reading: Reading) -> Reading:
        """The state that a link opens on, where some are too large to compute."""
        return reading

    def _prepare(self, reading: Reading, request: Mapping[str, Any]) -> Prepared:
        """Evaluate what a request asks for."""
        assert reading.params is not None  # noqa: S101 - refused readings are answered before
        return Prepared(
            evaluation=self.explorer.evaluate(reading.params),
            pinned=[self.explorer.evaluate(pin.params) for pin in reading.pins],
        )

    def _progress(self) -> list[Any]:
        """Where a page says how far a computation is."""
        return []

    def _below(self, params: Params) -> list[Any]:
        """What stands below controls and figures."""
        return []

    def _before(self, plate: Plate, evaluation: Evaluation) -> list[Any]:
        """What stands among the figures before one of them."""
        return []

    def _control_groups(self) -> tuple[str, ...]:
        """Groups of controls that stand beside the figures."""
        return group_names(self.explorer.params)

    def _controls(self, params: Params) -> html.Section:
        buttons = html.Div(
            [
                html.Button("Reset", id=self.id("reset"), **{"data-action": "reset"}),
                html.Button("Copy link", id=self.id("copy"), **{"data-action": "copy-link"}),
                html.Button(pin_label(0), id=self.id("pin"), **{"data-action": "pin"}),
                html.Span(id=self.id("copied"), className="copied", role="status"),
                html.A(
                    "Open in full",
                    id=self.id("open"),
                    href=dash.get_relative_path(f"/{self.slug}"),
                    target="_blank",
                    className="open-full",
                ),
            ],
            className="buttons",
        )
        return html.Section(
            [
                *controls(self.slug, params, self._control_groups(), self.explorer.attachment),
                buttons,
            ],
            className="controls",
            **{"aria-label": "Assumptions to change"},
        )

    def _figures(self, evaluation: Evaluation, pinned: Sequence[Evaluation]) -> html.Div:
        absent = self._absent(evaluation.params)
        plates: list[Any] = []
        for plate in self.plates:
            plates += self._before(plate, evaluation)
            hidden = plate.name in absent
            drawn = NO_FIGURE if hidden else plate.draw(evaluation, pinned)
            first = plate is self.plates[0]
            plates.append(plate_element(self.slug, plate, drawn, shown=first, hidden=hidden))
        compare = html.Section(
            compare_blocks(evaluation, pinned), id=self.id("compare"), className="compare"
        )
        return html.Div(
            [plate_tabs(self.slug, self.plates, absent), compare, FIGURES_WAIT, *plates],
            className="figures",
        )

    def _stores(self, reading: Reading, run: dict[str, Any] | None) -> list[dcc.Store]:
        spec = {
            "slug": self.slug,
            "fields": control_specs(self.explorer.params),
            "plates": [plate.name for plate in self.plates],
            "mostPins": MOST_PINS,
            "permalink": PERMALINK,
            "colours": light_to_dark(),
            "file": file_spec(self.explorer.attachment),
            "simulated": self.explorer.simulation is not None,
            "instant": instant_spec(self.slug, self.scripts),
        }
        stale = run is not None and run["stale"]
        answer = self._answer(
            reading,
            drawn=() if stale else self.plates,
            tabled=(),
            shown=None,
            restored=True,
            serial=0,
            run=run,
            step=reading.view.step,
        )
        return [
            dcc.Store(id=self.id("spec"), data=spec),
            dcc.Store(id=self.id("request")),
            dcc.Store(id=self.id("busy"), data=False),
            dcc.Store(id=self.id("answer"), data=answer),
            dcc.Store(id=self.id("tables"), data={}),
            *[dcc.Store(id=self.id(f"{name}-done")) for name in ("settle", "release", "tables")],
        ]

    # Callbacks -------------------------------------------------------------

    def register_callbacks(self) -> None:
        """Connect controls, server and address; called once per page module."""
        fields = self.explorer.params.specs()
        # No slider: its thumb is watched by the script of the page.
        inputs = [Input(self.id(name), "value") for name in fields]
        spec = State(self.id("spec"), "data")
        dash.clientside_callback(
            ClientsideFunction("explorer", "collect"),
            *inputs,
            spec,
            State(self.id("answer"), "data"),
        )
        for name, store in (("settle", "answer"), ("release", "busy"), ("tables", "tables")):
            # Only a callback with an output runs when the page opens.
            dash.clientside_callback(
                ClientsideFunction("explorer", name),
                Output(self.id(f"{name}-done"), "data"),
                Input(self.id(store), "data"),
                spec,
                *([State(self.id("verdict"), "children")] if name == "settle" else []),
            )
        dash.callback(
            Output(self.id("verdict"), "children"),
            Output(self.id("notices"), "children"),
            Output(self.id("working"), "children"),
            Output(self.id("compare"), "children"),
            Output(self.id("answer"), "data"),
            Output(self.id("tables"), "data"),
            *[Output(self.id(f"{plate.name}-figure"), "figure") for plate in self.plates],
            Input(self.id("request"), "data"),
            running=[(Output(self.id("busy"), "data"), True, False)],
            prevent_initial_call=True,
        )(self.respond)

    def respond(self, request: Any) -> tuple[Any, ...]:
        """Answer one request of the page: a state, or what is wrong with it.

        A quiet request draws what is missing of the same state; the words stay. Of a
        page's words ``told`` names those that are left: its own model said them, or nobody reads them.
        """
        request = request if isinstance(request, dict) else {}
        serial = request.get("serial")
        try:
            file = self.files.take(request.get("attached")) if self.files else None
        except AttachmentUnknownError:
            return self._refusal((), serial, send_file=True)
        except ParamsError as error:
            return self._refusal(error.problems, serial)
        reading = read_request(self.explorer, request, data=file[1] if file else None)
        if reading.params is None:
            return self._refusal(reading.problems, serial)
        if "query" in request:
            reading = self._fit(reading)
        assert reading.params is not None  # noqa: S101 - refused above
        ready = self._prepare(reading, request)
        if ready.problems:
            return self._refusal(ready.problems, serial)
        evaluation, pinned = ready.evaluation, ready.pinned
        # What is still to be computed keeps what it shows.
        there = self._there_of(ready) if evaluation else ()
        wanted = [p for p in self._named(request.get("plates"), self.plates) if p in there]
        tabled = [p for p in self._named(request.get("tables"), ()) if p in there]
        words: tuple[Any, ...] = (dash.no_update,) * 4
        told = request["told"] if isinstance(request.get("told"), list) else ()
        replaced = [REPLACED] if request.get("replaces") and reading.pins else []
        notices = notice_list([*reading.notices, *ready.notices, *replaced])
        if evaluation and not request.get("quiet"):
            words = (
                dash.no_update if "verdict" in told else evaluation.verdict,
                notices,
                dash.no_update if "working" in told else working_blocks(evaluation.working),
                compare_blocks(evaluation, pinned),
            )
        elif not request.get("poll") and not request.get("quiet"):
            words = (dash.no_update, notices, dash.no_update, dash.no_update)
        answer = self._answer(
            reading,
            drawn=wanted,
            tabled=tabled,
            shown=evaluation,
            restored="query" in request,
            serial=serial,
            digest=file[0] if file else None,
            run=ready.run,
            step=reading.view.step or request.get("tour"),
        )
        if "guess" in request:
            answer["guess"] = guess_answer(evaluation, request["guess"])
        return (
            *words,
            answer,
            {plate.name: table_data(evaluation.table(plate.table)) for plate in tabled}
            if evaluation
            else dash.no_update,
            *[
                self._drawn(plate, evaluation, pinned, serial)
                if evaluation and plate in wanted and plate.present(evaluation.params)
                else dash.no_update
                for plate in self.plates
            ],
        )

    def _drawn(
        self, plate: Plate, evaluation: Evaluation, pinned: Sequence[Evaluation], serial: Any
    ) -> dict[str, Any]:
        """A figure; one that the browser may have drawn anew meanwhile says what it answers."""
        drawn = plate.draw(evaluation, pinned)
        if not self.scripts or plate is not self.plates[0]:
            return drawn
        return {**drawn, "layout": {**drawn["layout"], "meta": serial}}

    def _absent(self, params: Params) -> list[str]:
        """Plates that there are not in a state."""
        return [plate.name for plate in self.plates if not plate.present(params)]

    def _named(self, names: Any, otherwise: Sequence[Plate]) -> tuple[Plate, ...]:
        """The plates a request names: those on screen while dragging, or with open tables."""
        if not isinstance(names, list):
            return tuple(otherwise)
        return tuple(plate for plate in self.plates if plate.name in names)

    def _there_of(self, ready: Prepared) -> tuple[Plate, ...]:
        """The plates whose numbers are there."""
        waiting = (ready.run or {}).get("waiting", ())
        return tuple(plate for plate in self.plates if plate.name not in waiting)

    def _refusal(
        self, problems: Sequence[Problem], serial: Any, *, send_file: bool = False
    ) -> tuple[Any, ...]:
        """What is wrong is said; everything else stays as it is.

        With ``send_file`` nothing is wrong, but this server does not know the page's file.
        """
        listed = [problem.as_dict() for problem in problems]
        answer = {"ok": False, "problems": listed, "serial": serial}
        if send_file:
            answer["sendFile"] = True
        kept = dash.no_update
        figures = [kept] * len(self.plates)
        notices = kept if send_file else problem_list(problems)
        return (kept, notices, kept, kept, answer, kept, *figures)

    def _answer(
        self,
        reading: Reading,
        *,
        drawn: Sequence[Plate],
        tabled: Sequence[Plate],
        shown: Evaluation | None,
        restored: bool,
        serial: Any,
        step: Any,
        digest: str | None = None,
        run: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        assert reading.params is not None  # noqa: S101 - refused readings have no answer
        return state_answer(self.explorer, reading.params, reading.pins) | {
            "digest": digest,
            "drawn": [plate.name for plate in drawn],
            "tabled": [plate.name for plate in tabled],
            "absent": self._absent(shown.params) if shown else None,
            "restored": restored,
            "run": run,
            "serial": serial,
            "tour": tour_answer(self.explorer, step),
        }

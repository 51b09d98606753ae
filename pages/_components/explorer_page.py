"""The mould of every explorer page: layout and the one callback that answers it.

State flows one way round. A control changes; the script ``explorer.js`` puts
the wanted values into the request store, one request in flight at a time; the
callback here answers with verdict, figures, tables and the canonical query;
the script then rewrites the address and brings the controls into step. The
query codec exists once, in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, State, dcc, html

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.parameters import Params, ParamsError, Problem, query_values
from pages._components.blocks import notice_list, table_data, working_blocks
from pages._components.controls import control_specs, control_values, controls, slider_names

GRAPH_CONFIG = {
    "displayModeBar": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "scrollZoom": False,
    "responsive": True,
    "doubleClick": "reset",
}

Figure = Callable[[Evaluation], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Plate:
    """One figure of a page: its name, its heading, how it is drawn, its table."""

    name: str
    title: str
    draw: Figure
    table: str


@dataclass(frozen=True)
class Reading:
    """A request understood: a valid state with notices, or the problems it has."""

    params: Params | None = None
    notices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class ExplorerPage:
    """Ids, layout and callbacks of one explorer."""

    def __init__(self, explorer: Explorer, plates: Sequence[Plate]) -> None:
        self.explorer = explorer
        self.plates = tuple(plates)
        self.slug = explorer.slug

    def id(self, part: str) -> str:
        """The id of a part of this page; unique across pages by its prefix."""
        return f"{self.slug}-{part}"

    # Layout ----------------------------------------------------------------

    def layout(self, /, **query: Any) -> html.Div:
        """The page in the state that a query asks for, figures included."""
        params, notices = self.explorer.params.nearest(query)
        evaluation = self.explorer.evaluate(params)
        return html.Div(
            [
                html.Header(
                    html.H1(self.explorer.question),
                    className="question",
                ),
                html.P(
                    evaluation.verdict, id=self.id("verdict"), className="verdict", role="status"
                ),
                html.Div(
                    notice_list(notices), id=self.id("notices"), className="notices", role="alert"
                ),
                html.Div(id=self.id("connection"), className="notices connection", role="alert"),
                html.Div(
                    [self._controls(params), self._figures(evaluation)], className="workbench"
                ),
                html.Section(
                    working_blocks(evaluation.working), id=self.id("working"), className="working"
                ),
                *self._stores(evaluation, notices),
            ],
            id=self.id("page"),
            className="explorer",
            **{
                "data-explorer": self.slug,
                "data-path": dash.get_relative_path(f"/{self.slug}"),
            },
        )

    def _controls(self, params: Params) -> html.Section:
        buttons = html.Div(
            [
                html.Button("Reset", id=self.id("reset"), **{"data-action": "reset"}),
                html.Button("Copy link", id=self.id("copy"), **{"data-action": "copy-link"}),
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
            [*controls(self.slug, params), buttons],
            className="controls",
            **{"aria-label": "Assumptions"},
        )

    def _figures(self, evaluation: Evaluation) -> html.Div:
        tabs = [
            html.Button(
                plate.title,
                id=self.id(f"show-{plate.name}"),
                **{
                    "data-action": "show-plate",
                    "data-plate": plate.name,
                    "aria-pressed": "true" if plate is self.plates[0] else "false",
                },
            )
            for plate in self.plates
        ]
        return html.Div(
            [
                html.Div(tabs, className="plate-tabs", role="group", **{"aria-label": "Figure"}),
                *[self._plate(plate, evaluation) for plate in self.plates],
            ],
            className="figures",
        )

    def _plate(self, plate: Plate, evaluation: Evaluation) -> html.Figure:
        return html.Figure(
            [
                html.Figcaption(plate.title, id=self.id(f"{plate.name}-title")),
                html.Div(
                    dcc.Graph(
                        id=self.id(f"{plate.name}-figure"),
                        figure=plate.draw(evaluation),
                        config=GRAPH_CONFIG,
                        responsive=True,
                        className="graph",
                    ),
                    className=f"graph-frame graph-{plate.name}",
                    **{"data-figure-label": plate.title},
                ),
                html.Details(
                    [
                        html.Summary("Table"),
                        html.Div(id=self.id(f"{plate.name}-table"), className="table-scroll"),
                    ],
                    className="twin",
                ),
            ],
            className="plate",
            **{
                "data-plate": plate.name,
                "data-shown": "true" if plate is self.plates[0] else "false",
            },
        )

    def _stores(self, evaluation: Evaluation, notices: Sequence[str]) -> list[dcc.Store]:
        spec = {"slug": self.slug, "fields": control_specs(self.explorer.params)}
        return [
            dcc.Store(id=self.id("spec"), data=spec),
            dcc.Store(id=self.id("request")),
            dcc.Store(id=self.id("busy"), data=False),
            dcc.Store(id=self.id("answer"), data=self._answer(evaluation.params, restored=True)),
            dcc.Store(id=self.id("tables"), data=self._tables(evaluation)),
        ]

    # Callbacks -------------------------------------------------------------

    def register_callbacks(self) -> None:
        """Connect controls, server and address; called once per page module."""
        fields = self.explorer.params.specs()
        inputs = [Input(self.id(name), "value") for name in fields]
        for name in slider_names(self.explorer.params):
            slider = self.id(f"{name}-slider")
            inputs += [Input(slider, "drag_value"), Input(slider, "value")]
        dash.clientside_callback(
            ClientsideFunction("explorer", "collect"),
            *inputs,
            State(self.id("spec"), "data"),
            State(self.id("answer"), "data"),
        )
        dash.clientside_callback(
            ClientsideFunction("explorer", "settle"),
            Input(self.id("answer"), "data"),
            State(self.id("spec"), "data"),
        )
        dash.clientside_callback(
            ClientsideFunction("explorer", "release"),
            Input(self.id("busy"), "data"),
            State(self.id("spec"), "data"),
        )
        dash.clientside_callback(
            ClientsideFunction("explorer", "tables"),
            *[Output(self.id(f"{plate.name}-table"), "children") for plate in self.plates],
            Input(self.id("tables"), "data"),
        )
        dash.callback(
            Output(self.id("verdict"), "children"),
            Output(self.id("notices"), "children"),
            Output(self.id("working"), "children"),
            Output(self.id("answer"), "data"),
            Output(self.id("tables"), "data"),
            *[Output(self.id(f"{plate.name}-figure"), "figure") for plate in self.plates],
            Input(self.id("request"), "data"),
            running=[(Output(self.id("busy"), "data"), True, False)],
            prevent_initial_call=True,
        )(self.respond)

    def respond(self, request: Any) -> tuple[Any, ...]:
        """Answer one request of the page: a state, or what is wrong with it."""
        state = self._understand(request if isinstance(request, dict) else {})
        if state.params is None:
            return self._refusal(state.problems)
        evaluation = self.explorer.evaluate(state.params)
        return (
            evaluation.verdict,
            notice_list(state.notices),
            working_blocks(evaluation.working),
            self._answer(state.params, restored="query" in request),
            self._tables(evaluation),
            *[plate.draw(evaluation) for plate in self.plates],
        )

    def _refusal(self, problems: Sequence[Problem]) -> tuple[Any, ...]:
        """What is wrong is said; everything else stays as it is."""
        answer = {"ok": False, "problems": [problem.as_dict() for problem in problems]}
        kept = [dash.no_update] * (1 + len(self.plates))
        return (dash.no_update, _problem_list(problems), dash.no_update, answer, *kept)

    def _understand(self, request: Mapping[str, Any]) -> Reading:
        """The nearest state of a link; of the controls, the state or its problems.

        A control that is wrong by itself is refused, so that what was typed
        stays where it is. One that clashes with another field wins, and the
        other field follows with a notice.
        """
        model = self.explorer.params
        try:
            if "query" in request:
                params, notices = model.nearest(query_values(str(request["query"])))
                return Reading(params, tuple(notices))
            given = request.get("values")
            values = model.from_controls(given if isinstance(given, dict) else {})
            return Reading(model.parse(values))
        except ParamsError as error:
            changed = request.get("changed")
            if "query" in request or any(item.param == changed for item in error.problems):
                return Reading(problems=error.problems)
            params, notices = model.nearest(values)
            return Reading(params, tuple(notices))

    def _answer(self, params: Params, *, restored: bool) -> dict[str, Any]:
        return {
            "ok": True,
            "query": params.to_query(),
            "values": control_values(params),
            "inactive": sorted(params.inactive()),
            "restored": restored,
        }

    def _tables(self, evaluation: Evaluation) -> list[dict[str, Any]]:
        return [table_data(evaluation.table(plate.table)) for plate in self.plates]


def _problem_list(problems: Sequence[Problem]) -> list[Any]:
    return [
        html.P("This value cannot be used; the last result stays:"),
        html.Ul([html.Li(problem.message) for problem in problems]),
    ]

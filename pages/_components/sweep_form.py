"""The form of a sweep over two fields, and the empty places of what comes of it."""

from __future__ import annotations

from dash import dcc, html

from foptrn_model.explorers import Explorer
from foptrn_model.fields import Spec
from foptrn_model.sweep.views import OFFERS
from foptrn_model.text import group_digits
from pages._components.blocks import snippet
from pages._components.controls import slider_names

POLL_MS = 500
AXES = {"x": "Across", "y": "Up"}


class SweepForm:
    """Ids and layout of one explorer's panel, and what it offers to sweep."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer, self.slug = explorer, explorer.slug
        self.offer = OFFERS[explorer.slug]

    def id(self, part: str) -> str:
        """The id of a part of this panel."""
        return f"{self.slug}-surface-{part}"

    @property
    def fields(self) -> dict[str, Spec]:
        """Fields that may be swept: numbers with a slider that the offer does not leave out."""
        specs = self.explorer.params.specs()
        names = slider_names(self.explorer.params)
        return {name: specs[name] for name in names if name not in self.offer.left_out}

    def layout(self) -> html.Section:
        """The panel before anything has been swept."""
        return html.Section(
            [
                html.H2("Sweep two fields"),
                html.P(self.offer.lead),
                html.Div(
                    [self._axis("x", self.offer.x), self._axis("y", self.offer.y)],
                    className="sweep-form",
                ),
                html.Div(
                    [
                        html.Button("Sweep", id=self.id("start"), className="pill"),
                        html.Button("Cancel", id=self.id("cancel"), className="pill", hidden=True),
                        html.Progress(
                            id=self.id("bar"), max="1", hidden=True,
                            **{"aria-label": "Progress of the sweep"},
                        ),
                        html.Span(id=self.id("text")),
                        # Read aloud when a sweep starts and ends, not at every point.
                        html.Span(id=self.id("said"), className="off-screen", role="status"),
                    ],
                    className="sweep-run",
                ),
                html.Div(id=self.id("error"), className="notices", role="alert"),
                self._result(),
                dcc.Interval(id=self.id("clock"), interval=POLL_MS, max_intervals=0),
                dcc.Store(id=self.id("job")),
                dcc.Store(id=self.id("done")),
                dcc.Store(id=self.id("tables")),
                dcc.Store(id=self.id("tables-done")),
                dcc.Download(id=self.id("file")),
            ],
            className="sweep-panel",
            **{"aria-label": "Sweep two fields"},
        )  # fmt: skip

    def _axis(self, axis: str, chosen: str) -> html.Div:
        start, stop = self.ends(chosen)
        options = [{"label": spec.label, "value": name} for name, spec in self.fields.items()]
        field = self.id(f"{axis}-field")
        boxes = [
            (f"{axis}-start", "From", start),
            (f"{axis}-stop", "to", stop),
            (f"{axis}-count", "Values", str(self.offer.count)),
        ]
        return html.Div(
            [
                html.Div(
                    [
                        html.Span(AXES[axis], id=f"{field}-label", className="control-label"),
                        dcc.Dropdown(
                            id=field, options=options, value=chosen, clearable=False,
                            searchable=False,
                        ),
                    ],
                    id=f"{field}-control",
                    className="control",
                    **{"data-label": AXES[axis]},
                ),
                *(
                    html.Div(
                        [
                            html.Label(label, htmlFor=self.id(name)),
                            dcc.Input(
                                id=self.id(name), type="text", value=text, autoComplete="off",
                                spellCheck=False, className="number-box",
                            ),
                        ],
                        className="sweep-box",
                    )
                    for name, label, text in boxes
                ),
            ],
            className="sweep-axis",
            role="group",
            **{"aria-label": AXES[axis]},
        )  # fmt: skip

    def _result(self) -> html.Div:
        quantity = self.id("quantity")
        return html.Div(
            [
                html.Div(
                    [
                        html.Span("Shown", id=f"{quantity}-label", className="control-label"),
                        dcc.Dropdown(id=quantity, clearable=False, searchable=False),
                    ],
                    id=f"{quantity}-control",
                    className="control",
                    **{"data-label": "Shown"},
                ),
                html.P(id=self.id("summary")),
                html.Div(id=self.id("frame")),
                html.Div(
                    [
                        html.Details(
                            [
                                html.Summary("Table"),
                                html.Div(
                                    id=self.id("table"), className="table-scroll", tabIndex=0,
                                    role="region", **{"aria-label": "Table of the surface"},
                                ),
                            ]
                        ),
                        html.Button("CSV, every point", id=self.id("csv"), className="pill"),
                    ],
                    className="sweep-foot",
                ),
                snippet("As a command", text_id=self.id("command"), copy_id=self.id("copy")),
            ],
            id=self.id("result"),
            className="sweep-result",
            hidden=True,
        )  # fmt: skip

    def ends(self, name: str) -> tuple[str, str]:
        """From where to where a field is swept at first, as text."""
        spec = self.fields[name]
        low, high = self.offer.ranges.get(name, (spec.floor or spec.low, spec.high))
        return group_digits(low), group_digits(high)

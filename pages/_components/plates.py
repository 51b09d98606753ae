"""Plates: a figure with its heading, its table and what can be taken away from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dash import dcc, html

from foptrn_model.explorers import Evaluation

GRAPH_CONFIG = {
    "displayModeBar": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "scrollZoom": False,
    "responsive": True,
    "doubleClick": "reset",
}

Draw = Callable[[Evaluation, Sequence[Evaluation]], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Plate:
    """One figure of a page.

    ``short`` is the title on an embed's switch. ``draw`` takes the current
    state and the pinned ones; ``table`` names the explorer's table with the
    same numbers; ``half`` figures stand side by side where there is room, ``third`` ones three in a row. ``drag`` names the field
    that a vertical line of the figure stands for, and that dragging it changes.
    ``part`` names the part of a simulation that the figure shows beyond the first.
    ``present`` says in which states there is such a figure.
    """

    name: str
    title: str
    short: str
    lead: str
    draw: Draw
    table: str
    half: bool = False
    third: bool = False
    drag: str = ""
    part: str = ""
    present: Callable[[Any], bool] = lambda params: True


def sensitivity_plate(draw: Draw, title: str = "What matters most") -> Plate:
    """The plate of an explorer's tornado."""
    return Plate(
        name="tornado",
        title=title,
        short="Sensitivity",
        lead="Each input halved and doubled within its bounds, the others kept.",
        draw=draw,
        table="tornado",
    )


def plate_element(
    slug: str, plate: Plate, figure: dict[str, Any], *, shown: bool, hidden: bool
) -> html.Figure:
    """A plate with its figure already drawn; ``shown`` is what an embed starts with."""
    name = f"{slug}-{plate.name}"
    downloads = [
        html.Button(
            label,
            id=f"{name}-{action}",
            **{
                "data-action": f"save-{action}",
                "data-plate": plate.name,
                "data-table": plate.table,
                "aria-label": f"{label} of: {plate.title}",
            },
        )
        for label, action in (("CSV", "csv"), ("PNG", "png"), ("SVG", "svg"))
    ]
    return html.Figure(
        [
            html.Figcaption(
                [html.H2(plate.title, id=f"{name}-title"), html.P(plate.lead)],
            ),
            html.Div(
                dcc.Graph(
                    id=f"{name}-figure",
                    figure=figure,
                    config=GRAPH_CONFIG,
                    responsive=True,
                    className="graph",
                ),
                className=f"graph-frame graph-{plate.name}",
                **{"data-figure-label": plate.title}
                | ({"data-drag-field": plate.drag} if plate.drag else {}),
            ),
            html.Div(
                [
                    html.Details(
                        [
                            html.Summary("Table"),
                            html.Div(
                                id=f"{name}-table",
                                className="table-scroll",
                                tabIndex=0,
                                role="region",
                                **{"aria-label": f"Table: {plate.title}"},
                            ),
                        ],
                        className="twin",
                        **{"data-plate": plate.name},
                    ),
                    html.Div(downloads, className="downloads"),
                ],
                className="plate-foot",
            ),
        ],
        id=f"{name}-plate",
        hidden=hidden,
        className="plate" + (" half" if plate.half else " third" if plate.third else ""),
        **{"data-plate": plate.name, "data-shown": "true" if shown else "false"},
    )


def plate_tabs(slug: str, plates: Sequence[Plate], absent: Sequence[str]) -> html.Div:
    """The switch between figures in an embed."""
    return html.Div(
        [
            html.Button(
                plate.short,
                id=f"{slug}-show-{plate.name}",
                hidden=plate.name in absent,
                **{
                    "data-action": "show-plate",
                    "data-plate": plate.name,
                    "aria-pressed": "true" if plate is plates[0] else "false",
                },
            )
            for plate in plates
        ],
        className="plate-tabs",
        role="group",
        **{"aria-label": "Figure"},
    )

"""Blocks of an explorer page: notices, working and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import html

from foptrn_model.tables import Column, Table
from foptrn_model.text import group_digits, percent, significant
from foptrn_model.working import Working

MOST_NOTICES = 8


def notice_list(notices: Sequence[str]) -> list[Any]:
    """What was replaced in a link or a state, in full sentences."""
    if not notices:
        return []
    shown = list(notices[:MOST_NOTICES])
    if len(notices) > MOST_NOTICES:
        shown.append(f"and {len(notices) - MOST_NOTICES} more")
    return [
        html.P("Some values could not be used. The nearest valid state is shown:"),
        html.Ul([html.Li(text) for text in shown]),
    ]


def working_blocks(working: Working) -> list[Any]:
    """Formulas with this state's numbers, assumptions by kind, sources."""
    steps = [
        html.Div(
            [
                html.Dt(step.name),
                html.Dd(
                    [
                        html.Span(step.formula, className="formula"),
                        html.Span(["with ", step.substituted], className="substituted"),
                        html.Strong(step.value, className="value"),
                        html.Span(step.source, className="source"),
                    ]
                ),
            ],
            className="step",
        )
        for step in working.steps
    ]
    assumptions = [
        html.Li([html.Span(item.kind, className=f"tag tag-{item.kind}"), item.text])
        for item in working.assumptions
    ]
    return [
        html.H2("Assumptions"),
        html.Ul(assumptions, className="assumptions"),
        html.H2("Working"),
        html.Dl(steps, className="steps"),
        html.H2("Sources"),
        html.Ul([html.Li(source) for source in working.sources], className="sources"),
    ]


def table_data(table: Table) -> dict[str, Any]:
    """A table as plain text cells; the browser makes the elements."""
    return {
        "title": table.title,
        "columns": [
            f"{column.label} ({column.unit})" if column.unit else column.label
            for column in table.columns
        ],
        "rows": [
            [_cell(column, value) for column, value in zip(table.columns, row, strict=True)]
            for row in table.rows
        ],
    }


def table_element(data: dict[str, Any]) -> html.Table:
    """The same table as elements, for the first layout."""
    head = html.Thead(html.Tr([html.Th(text, scope="col") for text in data["columns"]]))
    body = html.Tbody([html.Tr([html.Td(text) for text in row]) for row in data["rows"]])
    return html.Table([html.Caption(data["title"]), head, body])


def _cell(column: Column, value: Any) -> str:
    if isinstance(value, str):
        return value
    if column.percent:
        return percent(value)
    if isinstance(value, int):
        return group_digits(value)
    if abs(value) >= 10**column.digits:
        return group_digits(round(value))
    return significant(value, column.digits)

"""Blocks of an explorer page: notices, presets, comparison, working, take-away, tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import dash
from dash import html

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.glossary import BY_ANCHOR, TERMS
from foptrn_model.parameters import Problem, query_text
from foptrn_model.pins import MOST_PINS, PIN_LETTERS, state_name
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
        html.P("The nearest valid state is shown:"),
        html.Ul([html.Li(text) for text in shown]),
    ]


def problem_list(problems: Sequence[Problem]) -> list[Any]:
    """What is wrong with a request, while the last result stays."""
    return [
        html.P("This value cannot be used; the last result stays:"),
        html.Ul([html.Li(problem.message) for problem in problems]),
    ]


def glossary_link(anchor: str, text: str) -> Any:
    """A link to a glossary entry, or the plain text where there is no anchor."""
    if not anchor:
        return text
    return html.A(text, href=f"{dash.get_relative_path('/glossary')}#{anchor}", className="term")


def terms_line(slug: str) -> html.P:
    """The glossary entries that an explorer's verdict stands on."""
    parts: list[Any] = ["Terms: "]
    for anchor in TERMS[slug]:
        parts += [glossary_link(anchor, BY_ANCHOR[anchor].name), ", "]
    return html.P(parts[:-1], className="terms")


def preset_bar(explorer: Explorer) -> html.Div:
    """A button per published case; its story shows while the state is that case."""
    buttons = [
        html.Button(
            preset.label,
            id=f"{explorer.slug}-preset-{preset.name}",
            **{
                "data-action": "preset",
                "data-preset": preset.name,
                "data-query": preset.query,
                "aria-pressed": "false",
            },
        )
        for preset in explorer.presets
    ]
    return html.Div(
        [
            html.H2("Published cases", className="bar-title"),
            html.Div(buttons, className="preset-buttons"),
            *_shortcut_bar(explorer),
            html.P(id=f"{explorer.slug}-story", className="story", role="status"),
        ],
        className="presets",
    )


def _shortcut_bar(explorer: Explorer) -> list[Any]:
    """A button per shortcut; it sets a few values and leaves the others."""
    if not explorer.shortcuts.items:
        return []
    buttons = [
        html.Button(
            item.label,
            id=f"{explorer.slug}-shortcut-{item.name}",
            **{
                "data-action": "shortcut",
                "data-shortcut": item.name,
                "data-values": json.dumps(
                    {name: query_text(value) for name, value in item.values.items()}
                ),
                "aria-pressed": "false",
            },
        )
        for item in explorer.shortcuts.items
    ]
    return [
        html.H2(explorer.shortcuts.title, className="bar-title"),
        html.Div(buttons, className="preset-buttons"),
    ]


def compare_blocks(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> list[Any]:
    """The headline numbers of this state beside the pinned ones, with differences."""
    if not pinned:
        return []
    slug = evaluation.explorer.slug
    heads = [
        html.Th("", scope="col"),
        html.Th(["This state", _state_line(evaluation)], scope="col"),
    ]
    for index, pin in enumerate(pinned):
        actions = [
            html.Button(
                text,
                id=f"{slug}-{action}-{index}",
                **{
                    "data-action": action,
                    "data-index": str(index),
                    "aria-label": f"{text} scenario {PIN_LETTERS[index]}",
                },
            )
            for text, action in (("Show", "show-pin"), ("Remove", "unpin"))
        ]
        heads.append(
            html.Th(
                [PIN_LETTERS[index], _state_line(pin), html.Div(actions, className="pin-actions")],
                scope="col",
            )
        )
    rows = []
    for headline in evaluation.explorer.headlines:
        base = headline.value(evaluation.result)
        cells = [html.Th(headline.label, scope="row"), html.Td(headline.text(base))]
        for pin in pinned:
            value = headline.value(pin.result)
            difference = html.Span(headline.difference(value, base), className="difference")
            cells.append(html.Td([headline.text(value), difference]))
        rows.append(html.Tr(cells))
    return [
        html.H2("Pinned scenarios"),
        html.Div(
            html.Table(
                [
                    html.Caption("Headline numbers, and their difference from this state"),
                    html.Thead(html.Tr(heads)),
                    html.Tbody(rows),
                ]
            ),
            className="table-scroll",
            tabIndex=0,
            role="region",
            **{"aria-label": "Pinned scenarios"},
        ),
    ]


def _state_line(evaluation: Evaluation) -> html.Span:
    return html.Span(state_name(evaluation.params), className="state-line")


def takeaway_block(slug: str) -> html.Section:
    """Link, iframe, data, lines of Python and citation; the browser fills in the state."""
    buttons = [
        html.Button(text, id=f"{slug}-take-{action}", **{"data-action": action})
        for text, action in (
            ("Copy link", "copy-link"),
            ("Copy iframe", "copy-iframe"),
            ("Copy reveal.js slide", "copy-slide"),
            ("Offline slide", "save-offline"),
            ("CSV", "save-csv"),
            ("JSON", "save-json"),
        )
    ]
    snippets = [
        snippet(title, text_id=f"{slug}-{part}", copy_id=f"{slug}-copy-{part}")
        for title, part in (("As Python", "python"), ("Cite this", "cite"))
    ]
    return html.Section(
        [
            html.H2("Take away"),
            html.Div(
                [*buttons, html.Span(id=f"{slug}-taken", className="copied", role="status")],
                className="buttons",
            ),
            html.Div(snippets, className="snippets"),
        ],
        className="takeaway",
        **{"aria-label": "Take away"},
    )


def snippet(title: str, *, text_id: str, copy_id: str) -> html.Div:
    """Lines to be copied, under their title; what they are is filled in later."""
    copy = {
        "data-action": "copy-text", "data-source": text_id, "aria-label": f"Copy: {title}",
    }  # fmt: skip
    return html.Div(
        [
            html.Div(
                [html.H3(title), html.Button("Copy", id=copy_id, **copy)],
                className="snippet-head",
            ),
            html.Pre(id=text_id, tabIndex=0, role="region", **{"aria-label": title}),
        ],
        className="snippet",
    )


def pin_label(count: int) -> str:
    """What the button says that pins the current state."""
    return f"Pin this state ({count} of {MOST_PINS})" if count else "Pin this state"


def working_blocks(working: Working) -> list[Any]:
    """Formulas with this state's numbers, assumptions by kind, sources."""
    steps = [
        html.Div(
            [
                html.Dt(glossary_link(step.glossary, step.name)),
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

"""The glossary: every concept in a few sentences, with a state that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, dcc, html

from foptrn_model.explorers import EXPLORERS
from foptrn_model.glossary import BY_ANCHOR, BY_GROUP, Entry

MAX_SEARCH = 80
"""Letters of a search; a link with more is cut there."""

dash.register_page(
    __name__,
    path="/glossary",
    title="Glossary",
    description="Concepts of Fourier optics for training, each with a state that shows it.",
)


def layout(q: Any = "", **_: Any) -> html.Div:
    """A search field, and all entries by group; ``glossary.js`` hides those that do not match."""
    asked = q if isinstance(q, str) else ""
    return html.Div(
        [
            html.H1("Glossary"),
            html.Div(
                [
                    html.Label("Search the glossary", htmlFor="glossary-search"),
                    dcc.Input(
                        id="glossary-search",
                        type="search",
                        value=asked[:MAX_SEARCH],
                        maxLength=MAX_SEARCH,
                        autoComplete="off",
                        placeholder="such as fourier, noise, Nature",
                    ),
                    html.Button(
                        "Show all",
                        id="glossary-clear",
                        hidden=True,
                        **{"data-action": "clear-glossary"},
                    ),
                    html.P(id="glossary-count", className="count", role="status"),
                ],
                className="glossary-search",
                role="search",
            ),
            *[_group(name, entries) for name, entries in BY_GROUP.items()],
        ],
        id="glossary",
        className="home glossary",
        **{"data-path": dash.get_relative_path("/glossary")},
    )


def _group(name: str, entries: Sequence[Entry]) -> html.Section:
    anchor = f"group-{name.lower().replace(' ', '-')}"
    return html.Section(
        [html.H2(name, id=anchor), *[_entry(entry) for entry in entries]],
        className="entries",
        **{"aria-labelledby": anchor},
    )


def _entry(entry: Entry) -> html.Article:
    path = dash.get_relative_path(f"/{entry.explorer}")
    explorer = EXPLORERS[entry.explorer].title.removesuffix(" explorer")
    related: list[Any] = []
    for anchor in entry.related:
        related += [", " if related else "", html.A(BY_ANCHOR[anchor].name, href=f"#{anchor}")]
    return html.Article(
        [
            html.H3(
                [
                    html.Span(entry.title),
                    html.A(
                        "#",
                        href=f"#{entry.anchor}",
                        className="self-link",
                        title="Link to this entry",
                        **{"aria-label": f"Link to this entry: {entry.title}"},
                    ),
                ]
            ),
            html.P(entry.text, className="entry-text"),
            html.P(
                [
                    dcc.Link(
                        f"See it in {explorer}",
                        href=f"{path}?{entry.query}" if entry.query else path,
                    ),
                    html.Button(
                        "Copy link",
                        id=f"copy-{entry.anchor}",
                        **{
                            "data-action": "copy-entry",
                            "data-anchor": entry.anchor,
                            "aria-label": f"Copy link: {entry.title}",
                        },
                    ),
                ],
                className="entry-foot",
            ),
            html.P(["Related: ", *related], className="entry-related"),
            html.P(["Source: ", entry.source], className="source"),
        ],
        id=entry.anchor,
        className="entry",
    )


dash.clientside_callback(
    ClientsideFunction("glossary", "search"),
    Output("glossary-count", "children"),
    Input("glossary-search", "value"),
    Input("glossary-search", "n_submit"),
)

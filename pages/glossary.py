"""The glossary: every concept in a few sentences, with a state that shows it."""

from __future__ import annotations

from typing import Any

import dash
from dash import dcc, html

from foptrn_model.glossary import ENTRIES, Entry

dash.register_page(
    __name__,
    path="/glossary",
    title="Glossary",
    description="Concepts of Fourier optics for training, each with a state that shows it.",
)


def layout(**_: Any) -> html.Div:
    """All entries, in the order of the file."""
    return html.Div(
        [html.H1("Glossary"), *[_entry(entry) for entry in ENTRIES]], className="home glossary"
    )


def _entry(entry: Entry) -> html.Section:
    path = dash.get_relative_path(f"/{entry.explorer}")
    return html.Section(
        [
            html.H2(entry.title),
            html.P(entry.text),
            html.P(
                [
                    dcc.Link("See it", href=f"{path}?{entry.query}" if entry.query else path),
                    html.Span(f"Source: {entry.source}", className="source"),
                ],
                className="entry-foot",
            ),
        ],
        id=entry.anchor,
    )

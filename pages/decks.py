"""Decks: what each of them asks, and its slides; the decks themselves are documents of their own."""

from __future__ import annotations

from typing import Any

import dash
from dash import html

from foptrn_model.decks import Deck, decks

dash.register_page(
    __name__,
    path="/decks",
    title="Decks",
    description="Three talks with live explorers inside: every slide has its own address.",
)


def layout(**_: Any) -> html.Div:
    """Every deck with its question and a link to each slide."""
    return html.Div(
        [
            html.H1("Decks"),
            html.P(
                "Three talks with live explorers inside. Arrow keys move, O shows all slides, N the "
                "notes, S a speaker window, ? all keys. Every slide has its own address.",
                className="lead",
            ),
            *[_deck(deck) for deck in decks()],
        ],
        className="home decks",
    )


def _deck(deck: Deck) -> html.Section:
    # Plain links: a deck is no page of this app, so it has to be loaded.
    path = dash.get_relative_path(deck.path)
    return html.Section(
        [
            html.H2(html.A(deck.title, href=path)),
            html.P(deck.question),
            html.Ol(
                [
                    html.Li(html.A(slide.title, href=f"{path}#{anchor}"))
                    for anchor, slide in deck.numbered
                ]
            ),
        ]
    )

"""Home: the question, and the explorers with their answers in the default state."""

from __future__ import annotations

from typing import Any

import dash
from dash import dcc, html

from foptrn_model.explorers import EXPLORERS, Explorer

dash.register_page(
    __name__,
    path="/",
    title="Fourier Optics for Training",
    description="Could light help train large neural networks? Change every assumption and see.",
)


def layout(**_: Any) -> html.Div:
    """The question and a card per explorer."""
    return html.Div(
        [
            html.H1("Could light help train large neural networks?"),
            html.P(
                "A lens computes a Fourier transform for free. What that is worth for training "
                "depends on assumptions, so here you can change every one of them and see the "
                "answer recomputed at once.",
                className="lead",
            ),
            html.P(
                [
                    "New to this: the ",
                    _link("decks", "/decks"),
                    " tell it as three talks, and the ",
                    _link("glossary", "/glossary"),
                    " explains each concept. To check it: the ",
                    _link("results", "/results"),
                    " set every number beside what was published.",
                ],
                className="ways-in",
            ),
            html.Ul([_card(explorer) for explorer in EXPLORERS.values()], className="cards"),
        ],
        className="home",
    )


def _link(text: str, path: str) -> dcc.Link:
    return dcc.Link(text, href=dash.get_relative_path(path))


def _card(explorer: Explorer) -> html.Li:
    evaluation = explorer.evaluate(explorer.params())
    return html.Li(
        [
            html.H2(dcc.Link(explorer.question, href=dash.get_relative_path(f"/{explorer.slug}"))),
            html.P(evaluation.verdict, className="card-verdict"),
            html.P(explorer.summary, className="card-summary"),
        ]
    )

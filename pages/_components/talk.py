"""What a page has for teaching: the panel of its tour, and the guess before the verdict."""

from __future__ import annotations

from typing import Any

from dash import dcc, html

from foptrn_model.guesses import MOST_CHARACTERS, unit_of
from foptrn_model.headlines import Headline

FIGURES_WAIT = html.P("The figures follow once you have guessed.", className="figures-wait")
"""Stands in the place of the figures, which show what is to be guessed."""


def tour_button(slug: str) -> html.Button:
    """Opens the tour at its first step."""
    return html.Button(
        "Take the tour", id=f"{slug}-take-tour", className="pill", **{"data-action": "tour-start"}
    )


def tour_panel(slug: str) -> html.Section:
    """The tour's panel; the browser fills in the step and shows it."""
    buttons = [
        html.Button(
            text, id=f"{slug}-tour-{action}", className="pill", **{"data-action": f"tour-{action}"}
        )
        for text, action in (
            ("Back", "back"),
            ("Next", "next"),
            ("Keep this state", "keep"),
            ("End", "end"),
        )
    ]
    return html.Section(
        [
            html.Div(
                [
                    html.Span(id=f"{slug}-tour-count", className="tour-count"),
                    html.H2(id=f"{slug}-tour-title", tabIndex=-1),
                    html.P(id=f"{slug}-tour-text"),
                ],
                className="tour-words",
            ),
            html.P(
                "End returns to your own state.",
                id=f"{slug}-tour-returns",
                className="tour-returns",
            ),
            html.Div(buttons, className="tour-buttons"),
            # Read aloud at every step, with what it points at.
            html.Span(id=f"{slug}-tour-said", className="off-screen", role="status"),
        ],
        id=f"{slug}-tour",
        className="tour",
        hidden=True,
        **{"aria-label": "Tour"},
    )


def guess_panel(slug: str, headline: Headline) -> html.Section:
    """Stands in the place of a hidden verdict: a guess is asked for, then told how far off it was."""
    asked = [
        _guess_label(slug, headline),
        html.Div(
            [
                _guess_field(slug, headline),
                html.Button(
                    "Reveal", id=f"{slug}-reveal", className="pill", **{"data-action": "guess"}
                ),
                html.Button(
                    "Reveal without a guess",
                    id=f"{slug}-reveal-plain",
                    className="pill",
                    **{"data-action": "reveal"},
                ),
            ],
            className="guess-row",
        ),
        html.Div(id=f"{slug}-guess-error", className="control-error", role="alert"),
    ]
    told = [
        html.P(id=f"{slug}-guess-told", tabIndex=-1, role="status"),
        html.Button(
            "Guess again",
            id=f"{slug}-guess-again",
            className="pill",
            **{"data-action": "guess-again"},
        ),
    ]
    return html.Section(
        [html.Div(asked, className="guess-asked"), html.Div(told, className="guess-told")],
        className="guess",
        **{"aria-label": "Your guess"},
    )


def _guess_label(slug: str, headline: Headline) -> Any:
    unit = unit_of(headline)
    text = f"Your guess: {headline.label}" + (f" ({unit})" if unit else "")
    parts: dict[str, Any] = {"id": f"{slug}-guess-label", "className": "guess-label"}
    if headline.words:
        return html.Div(text, **parts)
    return html.Label(text, htmlFor=f"{slug}-guess", **parts)


def _guess_field(slug: str, headline: Headline) -> Any:
    """A box for a number; where the answer is one word of a few, those to choose from."""
    box = f"{slug}-guess"
    if not headline.words:
        return dcc.Input(
            id=box,
            type="text",
            maxLength=MOST_CHARACTERS,
            autoComplete="off",
            spellCheck=False,
            className="guess-box",
        )
    options = [{"label": label, "value": word} for word, label in headline.words.items()]
    return html.Div(
        dcc.RadioItems(id=box, options=options, inline=True, className="segmented"),
        id=f"{box}-control",
        className="control guess-words",
    )

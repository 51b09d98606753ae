"""What a page has for teaching: the panel of its tour, and the guess before the verdict."""

from __future__ import annotations

from dash import dcc, html

from foptrn_model.guesses import MOST_CHARACTERS, unit_of
from foptrn_model.headlines import Headline


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
        for text, action in (("Back", "back"), ("Next", "next"), ("End", "end"))
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
    """Stands in the place of a hidden verdict: a field for a guess, then how far off it was."""
    unit = unit_of(headline)
    box, choices = f"{slug}-guess", f"{slug}-guess-choices"
    field = dcc.Input(
        id=box,
        type="text",
        maxLength=MOST_CHARACTERS,
        autoComplete="off",
        spellCheck=False,
        className="guess-box",
        **({"list": choices} if headline.words else {}),
    )
    asked = [
        html.Label(
            f"Your guess: {headline.label}" + (f" ({unit})" if unit else ""),
            htmlFor=box,
            className="guess-label",
        ),
        html.Div(
            [
                field,
                html.Datalist(
                    [html.Option(value=word) for word in headline.words.values()], id=choices
                ),
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

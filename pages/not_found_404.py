"""What an unknown address shows."""

from __future__ import annotations

from typing import Any

import dash
from dash import dcc, html

dash.register_page(__name__, title="Not found")


def layout(**_: Any) -> html.Div:
    """Say so, and lead back."""
    return html.Div(
        [
            html.H1("There is no page at this address"),
            html.P(
                ["Start from the ", dcc.Link("home page", href=dash.get_relative_path("/")), "."]
            ),
        ],
        className="home",
    )

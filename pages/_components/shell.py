"""The shell around every page: name, navigation, theme, footer."""

from __future__ import annotations

import dash
from dash import dcc, html

from foptrn_model import __version__
from foptrn_model.explorers import EXPLORERS


def shell(commit: str = "") -> html.Div:
    """Header, the current page, footer; embed mode hides all but the page."""
    links = [
        dcc.Link(
            explorer.title.removesuffix(" explorer"),
            href=dash.get_relative_path(f"/{slug}"),
            className="nav-link",
        )
        for slug, explorer in EXPLORERS.items()
    ]
    links += [
        dcc.Link(name, href=dash.get_relative_path(f"/{name.lower()}"), className="nav-link")
        for name in ("Glossary", "Results", "Decks")
    ]
    theme = html.Button(
        html.Span("\u25d0", **{"aria-hidden": "true"}),
        id="shell-theme",
        className="icon-button",
        title="Switch between the light and the dark theme",
        **{"data-action": "theme", "aria-label": "Switch between the light and the dark theme"},
    )
    return html.Div(
        [
            html.A("Skip to the page", href="#page", className="skip-link"),
            html.Header(
                [
                    dcc.Link(
                        "Fourier Optics for Training",
                        href=dash.get_relative_path("/"),
                        className="brand",
                    ),
                    html.Nav(links, **{"aria-label": "Pages"}),
                    theme,
                ],
                className="shell-header",
            ),
            html.Main(dash.page_container, id="page", tabIndex=-1),
            html.Footer(
                [
                    f"Fourier Optics for Training {__version__}"
                    + (f", commit {commit}. " if commit else ". "),
                    html.A("API", href=dash.get_relative_path("/api/v1/")),
                ],
                className="shell-footer",
            ),
        ],
        className="shell",
    )

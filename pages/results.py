"""Results: every number the explorers state, computed now, beside what was published."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, dcc, html

from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.report import Report, report
from foptrn_model.report_row import MARKS, NONE, Row
from foptrn_model.report_text import COLUMNS, cells, link

dash.register_page(
    __name__,
    path="/results",
    title="Results",
    description="Every number of the explorers, computed now, beside what was published.",
)


def layout(explorer: Any = "", outside: Any = "", **_: Any) -> html.Div:
    """Summary, filters and downloads; ``results.js`` writes the rows, which are many."""
    found = report()
    chosen = explorer if isinstance(explorer, str) and explorer in EXPLORERS else ""
    notice = refused(explorer, outside)
    return html.Div(
        [
            html.H1("Results"),
            html.P(found.summary, className="lead"),
            html.P(found.origin, className="source"),
            html.P(notice, id="results-notice", className="notices", role="alert"),
            _filters(chosen, only_outside=outside == "1"),
            html.Div(id="results-rows", className="results-rows"),
            dcc.Store(id="results-data", data=results_data(found)),
            dcc.Store(id="results-done"),
        ],
        id="results",
        className="home results-page",
        **{"data-path": dash.get_relative_path("/results")},
    )


def refused(explorer: Any, outside: Any) -> str:
    """What an address asks for and cannot have, with what it may ask for; empty where all is well."""
    return " ".join(
        f"The address asks for {name}={str(asked)[:80]}, which is none of its values, so it is left "
        f"out. Allowed are: {', '.join(allowed)}."
        for name, asked, allowed in (
            ("explorer", explorer, EXPLORERS),
            ("outside", outside, ("1",)),
        )
        if asked and str(asked) not in allowed
    )


def _filters(chosen: str, *, only_outside: bool) -> html.Div:
    names = {"": "All explorers"} | {
        slug: explorer.title.removesuffix(" explorer") for slug, explorer in EXPLORERS.items()
    }
    downloads = [
        html.A(text, href=dash.get_relative_path(f"/api/v1/report{ending}"), download=name)
        for text, ending, name in (
            ("CSV", ".csv", "results.csv"),
            ("Markdown", ".md", "results.md"),
            ("JSON", "", "results.json"),
        )
    ]
    return html.Div(
        [
            html.Div(
                [
                    html.Button(
                        name,
                        id=f"results-show-{slug or 'all'}",
                        **{
                            "data-action": "results-explorer",
                            "data-slug": slug,
                            "aria-pressed": str(slug == chosen).lower(),
                        },
                    )
                    for slug, name in names.items()
                ]
                + [
                    html.Button(
                        "Only outside tolerance",
                        id="results-outside",
                        **{
                            "data-action": "results-outside",
                            "aria-pressed": str(only_outside).lower(),
                        },
                    )
                ],
                className="preset-buttons",
                role="group",
                **{"aria-label": "What is shown"},
            ),
            html.P(["Download: ", *downloads], className="results-downloads"),
            html.P(id="results-count", className="count", role="status"),
        ],
        className="results-filters",
    )


def results_data(found: Report) -> dict[str, Any]:
    """What the page shows, as texts: per explorer published rows, then states with headlines."""
    return {
        "columns": [label for _, label in COLUMNS],
        "explorers": [_explorer(explorer, found.of(slug)) for slug, explorer in EXPLORERS.items()],
    }


def _explorer(explorer: Explorer, rows: Sequence[Row]) -> dict[str, Any]:
    beside = [row for row in rows if row.published != NONE]
    alone = [row for row in rows if row.published == NONE]
    return {
        "slug": explorer.slug,
        "title": explorer.title,
        "question": explorer.question,
        "published": [
            {"cells": cells(row), "href": dash.get_relative_path(link(row)), "mark": row.mark}
            for row in beside
        ],
        "states": [
            {
                "state": row.state,
                "href": dash.get_relative_path(link(row)),
                "source": row.source,
                "mark": row.mark,
                "verdict": MARKS[row.mark],
                "numbers": [[item.quantity, item.computed] for item in (row, *rest)],
            }
            for row, *rest in (
                list(group) for _, group in groupby(alone, key=lambda row: (row.state, row.query))
            )
        ],
    }


dash.clientside_callback(
    ClientsideFunction("results", "show"),
    Output("results-done", "data"),
    Input("results-data", "data"),
)

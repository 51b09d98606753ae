"""The report as Markdown, CSV and JSON: the same rows and texts as the page's."""

from __future__ import annotations

import math
from typing import Any

from foptrn_model.explorers import EXPLORERS
from foptrn_model.report import Report
from foptrn_model.report_row import Row
from foptrn_model.tables import Column, Table

COLUMNS = (
    ("quantity", "Quantity"),
    ("state", "State"),
    ("computed", "Computed now"),
    ("published", "Published"),
    ("difference", "Difference"),
    ("relative", "Relative"),
    ("tolerance", "Tolerance"),
    ("verdict", "Verdict"),
    ("kind", "Kind"),
    ("source", "Source"),
)
"""Attribute of a row, and the heading of its column."""


def cells(row: Row) -> list[str]:
    """A row's texts, in the order of :data:`COLUMNS`."""
    return [getattr(row, name) for name, _ in COLUMNS]


def link(row: Row) -> str:
    """The explorer in the row's state, below the app's root."""
    return f"/{row.explorer}?{row.query}" if row.query else f"/{row.explorer}"


def as_markdown(report: Report) -> str:
    """The whole report; a state's cell links to the explorer there."""
    lines = ["# Results", "", report.summary, "", report.origin, ""]
    for slug, explorer in EXPLORERS.items():
        lines += [f"## {explorer.title}", "", _line([label for _, label in COLUMNS])]
        lines.append(_line(["---"] * len(COLUMNS)))
        for row in report.of(slug):
            texts = [_escaped(text) for text in cells(row)]
            texts[1] = f"[{texts[1]}]({link(row)})"
            lines.append(_line(texts))
        lines.append("")
    return "\n".join(lines)


def _line(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")


def as_csv(report: Report) -> str:
    """One line per row, with the numbers in full beside their texts."""
    names = (
        "explorer",
        "query",
        *[name for name, _ in COLUMNS],
        "value",
        "published_value",
        "mark",
    )
    table = Table(
        title="Results",
        columns=[Column(name=name, label=name) for name in names],
        rows=[[_plain(getattr(row, name), "") for name in names] for row in report.rows],
    )
    return table.to_csv()


def as_json(report: Report) -> dict[str, Any]:
    """The report as the API serves it; what JSON has no number for is null."""
    names = (
        "explorer",
        "query",
        *[name for name, _ in COLUMNS],
        "mark",
        "value",
        "published_value",
    )
    return {
        "version": report.version,
        "commit": report.commit,
        "computed": report.computed,
        "summary": report.summary,
        "rows": [{name: _plain(getattr(row, name), None) for name in names} for row in report.rows],
    }


def _plain(value: Any, otherwise: Any) -> Any:
    missing = value is None or (isinstance(value, float) and not math.isfinite(value))
    return otherwise if missing else value

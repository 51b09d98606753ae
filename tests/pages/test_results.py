"""The results page shows the report's rows, and the glossary page every entry."""

from __future__ import annotations

from typing import Any

import dash
import orjson
import pytest

from foptrn_model.glossary import ENTRIES
from foptrn_model.report import report
from foptrn_model.report_row import NONE
from foptrn_model.report_text import as_csv, as_markdown, cells


def page_layout(path: str, **query: str) -> Any:
    page = next(page for page in dash.page_registry.values() if page["path"] == path)
    return page["layout"](**query)


def by_id(tree: Any) -> dict[str, Any]:
    return {item.id: item for item in tree._traverse() if getattr(item, "id", None)}


def test_the_page_has_exactly_the_reports_rows_and_texts(app: dash.Dash) -> None:
    data = by_id(page_layout("/results"))["results-data"].data
    for explorer in data["explorers"]:
        rows = report().of(explorer["slug"])
        beside = [row for row in rows if row.published != NONE]
        assert [row["cells"] for row in explorer["published"]] == [cells(row) for row in beside]
        shown = [
            [name, state["state"], value, state["verdict"], state["source"]]
            for state in explorer["states"]
            for name, value in state["numbers"]
        ]
        alone = [row for row in rows if row.published == NONE]
        assert shown == [
            [row.quantity, row.state, row.computed, row.verdict, row.source] for row in alone
        ]
    counted = sum(
        len(explorer["published"]) + sum(len(state["numbers"]) for state in explorer["states"])
        for explorer in data["explorers"]
    )
    assert counted == len(report().rows)


def test_the_page_opens_with_the_filters_of_its_address(app: dash.Dash) -> None:
    found = by_id(page_layout("/results", explorer="masks", outside="1"))
    pressed = {name: getattr(item, "aria-pressed", "") for name, item in found.items()}
    assert pressed["results-show-masks"] == pressed["results-outside"] == "true"
    assert pressed["results-show-all"] == pressed["results-show-amdahl"] == "false"
    assert not found["results-notice"].children


@pytest.mark.parametrize(
    "query", [{"explorer": "foo"}, {"explorer": ["amdahl", "foo"]}, {"outside": "yes"}]
)
def test_a_filter_that_the_page_does_not_have_is_told(
    app: dash.Dash, query: dict[str, Any]
) -> None:
    found = by_id(page_layout("/results", **query))
    [(name, asked)] = query.items()
    assert f"{name}={asked}" in found["results-notice"].children
    allowed = "amdahl, " if name == "explorer" else "Allowed are: 1."
    assert allowed in found["results-notice"].children
    assert getattr(found["results-show-all"], "aria-pressed") == "true"


@pytest.mark.parametrize("query", ["", "noise", "<b>", "x" * 500])
def test_the_glossary_page_has_every_entry_and_keeps_the_search(app: dash.Dash, query: str) -> None:
    found = by_id(page_layout("/glossary", q=query))
    assert {entry.anchor for entry in ENTRIES} <= set(found)
    assert found["glossary-search"].value == query[:80]


def test_the_report_over_http(client: Any) -> None:
    answer = client.get("/api/v1/report")
    body = orjson.loads(answer.data)
    assert len(body["rows"]) == len(report().rows)
    assert body["summary"] == report().summary
    for ending, text in (("csv", as_csv(report())), ("md", as_markdown(report()))):
        answer = client.get(f"/api/v1/report.{ending}")
        assert answer.text == text
        assert f"results.{ending}" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize("path", ["report.xml", "report/rows", "report/rows.csv"])
def test_other_addresses_of_the_report_are_refused(client: Any, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert "unknown explorer" in answer.json["errors"][0]["message"]

"""What the browser computes of first figures, put into figures that Python drew of other states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from foptrn_model.explorers import EXPLORERS
from pages._figures.browser import live_data
from tests.browser.ported import differences, load, page_with_models, run, states

DRAWN = 200
TOLERANCE = 1e-9

CURVES = """([slug, states]) => {
  const model = foptrnModel[slug];
  return JSON.stringify(JSON.parse(states).map((given) => {
    const params = model.resolve(given);
    return model.curves(params, model.compute(params));
  }));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    with page_with_models(browser, site) as page:
        yield page


FIGURES = {
    "amdahl": ("amdahl_ledger", "ledger_figure"),
    "masks": ("masks_crossing", "crossing_figure"),
    "transit": ("transit_wan", "wan_figure"),
    "optical-dfa": ("optical_dfa_sweep", "width_figure"),
}
"""The module and the function that draw what an embed shows first."""
ROUNDING = (
    "amdahl_ledger",
    "masks_crossing",
    "transit_wan",
    "transit_ways",
    "marks",
    "optical_dfa_sweep",
    "optical_dfa_looks",
)
"""Modules that shorten numbers for the way to the browser."""


def updated(before: dict[str, Any], found: dict[str, Any], looks: dict[str, Any]) -> dict[str, Any]:
    """A drawn figure with what the browser computes of another state, as a page would do it."""
    layout = dict(before["layout"])
    for name in ("xaxis", "yaxis"):
        layout[name] = layout[name] | found["layout"][name]
    layout |= {part: found["layout"][part] for part in ("shapes", "annotations")}
    traces = looks | {trace["name"]: trace for trace in before["data"]}
    return {"data": [traces[name] | new for name, new in found["traces"].items()], "layout": layout}


@pytest.mark.parametrize("slug", FIGURES)
def test_first_figure(page: Page, slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure of any other state with the browser's numbers put in is the figure of this one."""
    for name in ROUNDING:
        module = import_module(f"pages._figures.{name}")
        monkeypatch.setattr(module, "rounded", lambda values, digits=5: list(map(float, values)))
    module, function = FIGURES[slug]
    draw = getattr(import_module(f"pages._figures.{module}"), function)
    data = json.loads(json.dumps(live_data(slug)))
    load(page, slug, data)
    given, wrong, before = states(slug, DRAWN), [], None
    for params, found in zip(given, run(page, slug, given, CURVES), strict=True):
        drawn = json.loads(json.dumps(draw(EXPLORERS[slug].evaluate(params), [])))
        drawn["layout"].setdefault("shapes", [])
        here = updated(before or drawn, found, data["figure"]["looks"])
        before = drawn
        assert [trace["name"] for trace in here["data"]] == [
            trace["name"] for trace in drawn["data"]
        ]
        for old, trace in zip(here["data"], drawn["data"], strict=True):
            if "customdata" not in found["traces"][trace["name"]]:
                # What is said under a pointer waits for the server's answer.
                old.pop("customdata", None), trace.pop("customdata", None)
        wrong += [
            f"{params.to_query()}{difference}"
            for difference in differences(here, drawn, tolerance=TOLERANCE)
        ]
    assert wrong == []

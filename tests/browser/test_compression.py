"""The compression page: a closed part that follows, a live run that a person starts, a slide."""

from __future__ import annotations

from playwright.sync_api import expect

from foptrn_model.explorers import COMPRESSION
from pages._jobs.desk import desk
from pages._jobs.table import job_key
from tests.browser.conftest import Tab
from tests.browser.steps import type_number

LIVE_LINES = (
    "count => document.querySelector('#compression-live-figure .js-plotly-plot').data.length"
    " === count"
)


def verdict_of(query: str) -> str:
    params = COMPRESSION.params.from_query(query)
    return COMPRESSION.verdict(params, COMPRESSION.compute(params))


def test_the_live_run_starts_when_asked_and_the_page_stays_live_meanwhile(tab: Tab) -> None:
    page = tab.open("/compression")
    page.wait_for_function(LIVE_LINES, arg=6)
    expect(page.locator("#compression-run")).to_be_hidden()
    type_number(page, "#compression-enob", "6.75")
    expect(page.locator("#compression-verdict")).to_have_text(verdict_of("enob=6.75"))
    expect(page.locator("#compression-run-text")).to_contain_text("has not been run")
    page.wait_for_function(LIVE_LINES, arg=1)
    page.click("#compression-run-again")
    expect(page.locator("#compression-run-text")).to_contain_text("Training: step")
    type_number(page, "#compression-keep", "0.0625")
    type_number(page, "#compression-samples", "8192")
    expect(page.locator("#compression-verdict")).to_have_text(verdict_of("enob=6.75&samples=8192"))
    expect(page.locator("#compression-run-text")).to_contain_text("Training: step")
    page.click("#compression-run-cancel")
    expect(page.locator("#compression-run-text")).to_contain_text("Cancelled")
    # Once somebody has run it, it is there for everybody.
    part = COMPRESSION.simulation.parts["live"]
    outcome = COMPRESSION.simulation.stored("live", part.query(COMPRESSION.params()))
    key = job_key("compression", "live", part.query(COMPRESSION.params(enob=6.75)))
    desk().table.finish(key, outcome, 1.0)
    page.click("#compression-run-again")
    expect(page.locator("#compression-run")).to_be_hidden()
    page.wait_for_function(LIVE_LINES, arg=6)

"""The optical DFA page: an experiment in the background while the closed form stays live, a slide."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from foptrn_model.explorers import OPTICAL_DFA
from tests.browser.conftest import Tab
from tests.browser.steps import query_of, type_number
from tests.browser.test_looks import overflow


def expect_verdict(page: Page, query: str) -> None:
    params = OPTICAL_DFA.params.from_query(query)
    verdict = OPTICAL_DFA.verdict(params, OPTICAL_DFA.compute(params))
    expect(page.locator("#optical-dfa-verdict")).to_have_text(verdict)


def test_the_closed_form_stays_live_while_an_experiment_runs(tab: Tab) -> None:
    page = tab.open("/optical-dfa")
    panel = page.locator(".plate[data-plate=learning]")
    type_number(page, "#optical-dfa-seed", "91")
    expect(panel).to_have_attribute("data-stale", "true")
    expect(page.locator("#optical-dfa-run-text")).to_contain_text("step")
    type_number(page, "#optical-dfa-depth", "50")
    expect_verdict(page, "depth=50&seed=91")
    expect(panel).to_have_attribute("data-stale", "true")
    page.click("#optical-dfa-run-cancel")
    expect(page.locator("#optical-dfa-run-text")).to_contain_text("Cancelled")
    type_number(page, "#optical-dfa-depth", "60")
    expect_verdict(page, "depth=60&seed=91")
    expect(page.locator("#optical-dfa-run-text")).to_contain_text("Cancelled")
    expect(panel).to_have_attribute("data-stale", "true")
    type_number(page, "#optical-dfa-epochs", "2")
    page.wait_for_function(
        "() => document.querySelector('#optical-dfa-learning-figure .js-plotly-plot')"
        ".data[1].x.at(-1) === 2 && document.querySelector('#optical-dfa-run').hidden"
    )
    expect(panel).not_to_have_attribute("data-stale", "true")
    assert query_of(page) == "depth=60&epochs=2&seed=91"


def test_embed_fits_a_slide_with_every_figure(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(viewport={"width": 960, "height": 540})
    page = tab.open("/optical-dfa?embed=1")
    assert overflow(page) == []
    expect(page.locator(".panel-head")).to_be_hidden()
    page.click("#optical-dfa-show-learning")
    expect(page.locator("#optical-dfa-learning-figure")).to_be_visible()
    expect(page.locator("#optical-dfa-width-figure")).to_be_hidden()
    expect(page.locator("#optical-dfa-projection_noise")).to_be_visible()
    expect(page.locator("#optical-dfa-epochs")).to_be_hidden()
    assert overflow(page) == []

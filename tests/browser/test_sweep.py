"""The sweep panel: refused, cancelled, drawn, taken away."""

from __future__ import annotations

import csv

from playwright.sync_api import expect

from foptrn_model.explorers import OPTICAL_DFA
from tests.browser.conftest import Tab
from tests.browser.test_access import violations

PANEL = "#optical-dfa-surface-"


def test_two_fields_are_swept_around_the_state_of_the_page(tab: Tab) -> None:
    page = tab.open("/optical-dfa?batch=64")
    page.fill(f"{PANEL}x-count", "60")
    page.click(f"{PANEL}start")
    expect(page.locator(f"{PANEL}error")).to_contain_text("Width must take from 2 to 50")
    page.fill(f"{PANEL}x-start", "1000")
    page.fill(f"{PANEL}x-stop", "4000")
    page.fill(f"{PANEL}x-count", "2")
    page.fill(f"{PANEL}y-count", "3")
    page.click(f"{PANEL}start")
    expect(page.locator(f"{PANEL}summary")).to_contain_text("6 points around batch 64")
    expect(page.locator(f"{PANEL}error")).to_be_empty()
    page.wait_for_selector(f"{PANEL}figure .xtick text")
    page.locator(f"{PANEL}result summary").click()
    params = OPTICAL_DFA.params(batch=64, width=4000, frame_rate_hz=1_000_000)
    result = OPTICAL_DFA.compute(params)
    table = page.locator(f"{PANEL}table")
    headline = OPTICAL_DFA.headlines[0]
    last = headline.text(headline.value(result))
    expect(table.locator("tr:last-child td:last-child")).to_have_text(last)
    page.click(f"{PANEL}quantity")
    page.locator(".dash-dropdown-option", has_text=OPTICAL_DFA.headlines[2].label).click()
    other = OPTICAL_DFA.headlines[2].text(OPTICAL_DFA.headlines[2].value(result))
    expect(table.locator("tr:last-child td:last-child")).to_have_text(other)
    with page.expect_download() as download:
        page.click(f"{PANEL}csv")
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert len(rows) == 6
    assert float(rows[-1][headline.field]) == headline.value(result)
    assert violations(page) == []


def test_a_sweep_can_be_cancelled(tab: Tab) -> None:
    page = tab.open("/trainers")
    page.click("#trainers-surface-start")
    expect(page.locator("#trainers-surface-text")).to_contain_text("Sweep")
    expect(page.locator("#trainers-surface-bar")).to_be_visible()
    page.click("#trainers-surface-cancel")
    expect(page.locator("#trainers-surface-text")).to_have_text("Cancelled")
    expect(page.locator("#trainers-surface-cancel")).to_be_hidden()
    expect(page.locator("#trainers-surface-result")).to_be_hidden()

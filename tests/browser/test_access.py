"""Access: axe-core in both themes, the keyboard alone, reduced motion, paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Tab
from tests.browser.steps import each_theme, expect_one_sheet

AXE = Path(__file__).parent.parent / "vendor" / "axe.min.js"
PATHS = ("/", "/amdahl", "/amdahl?shape=custom&variant=block-circulant&pin=0.1.0~", "/glossary?q=fourier", "/results",
         "/no-such-page", "/amdahl?embed=1", "/amdahl?seq_len=0", "/masks?pin=0.1.0~gpus%3D1",
         "/transit?pin=0.1.0~wan_GBps%3D1", "/trainers?pin=0.1.0~",
         "/trainers?embed=1", "/backward?pin=0.1.0~",
         "/precision?pin=0.1.0~enob%3D12", "/optical-dfa?pin=0.1.0~depth%3D24",
         "/compression?pin=0.1.0~enob%3D12", "/amdahl?tour=3&hide=verdict", "/amdahl?embed=1&tour=4",
         "/decks")  # fmt: skip


def violations(page: Page, *rules: str) -> list[str]:
    """What axe-core finds, serious or critical, with the elements; by all its rules or by these."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    only = {"runOnly": list(rules)} if rules else {}
    found: Any = page.evaluate(
        "options => axe.run(document, options)", {"resultTypes": ["violations"], **only}
    )
    return [
        f"{item['id']}: {[node['target'] for node in item['nodes']][:4]}"
        for item in found["violations"]
        if item["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_serious_in_either_theme(tab: Tab, path: str) -> None:
    page = tab.open(path, status=404 if "no-such" in path else 200)
    for scheme in each_theme(page):
        # Nothing but colours is another theme's.
        rules = ["color-contrast"] if scheme == "dark" else []
        assert violations(page, *rules) == []


def test_axe_finds_nothing_with_everything_open(tab: Tab) -> None:
    page = tab.open("/amdahl?variant=block-circulant")
    for summary in page.locator(".help summary, .twin summary").all():
        if summary.is_visible():
            summary.click()
    expect(page.locator("#amdahl-conventions-table table")).to_be_visible()
    page.click("#amdahl-shape")
    assert violations(page) == []


def test_axe_itself_sees_a_fault(tab: Tab) -> None:
    page = tab.open("/")
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')"
    )
    assert any(item.startswith("button-name") for item in violations(page))


def test_the_verdict_is_a_live_region(tab: Tab) -> None:
    page = tab.open("/amdahl")
    expect(page.locator("#amdahl-verdict")).to_have_attribute("role", "status")
    expect(page.locator("#amdahl-notices")).to_have_attribute("role", "alert")


def test_reduced_motion_is_respected(new_tab: Callable[..., Tab]) -> None:
    page = new_tab(reduced_motion="reduce").open("/amdahl")
    moving = page.evaluate(
        "Array.from(document.querySelectorAll('body *')).filter(item => {"
        " const style = getComputedStyle(item);"
        " return style.transitionDuration.split(',').some(text => parseFloat(text) > 0)"
        " && style.transitionProperty !== 'none'; }).map(item => item.className)"
    )
    assert moving == []


@pytest.mark.parametrize(
    "query",
    [
        "amdahl?variant=block-circulant&fft_rate=0.0625&pin=0.1.0~&pin=0.1.0~variant%3Dhybrid"
        "&pin=0.1.0~",
        "masks?variant=block-circulant&conjugate_mask=reuse",
        "masks?pin=0.1.0~&pin=0.1.0~gpus%3D1&pin=0.1.0~order%3Dsequence-major",
        "masks?variant=block-circulant&conjugate_mask=reuse&pin=0.1.0~&pin=0.1.0~gpus%3D1"
        "&pin=0.1.0~order%3Dsequence-major",
        "backward?padding=false",
    ],
)
def test_paper_is_one_page_where_there_is_more(tab: Tab, query: str) -> None:
    slug = query.partition("?")[0]
    page = tab.open(f"/{query}")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect_one_sheet(page, slug, tab.site, format="A4", prefer_css_page_size=True)

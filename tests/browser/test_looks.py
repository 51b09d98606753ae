"""Looks that can be checked: themes, embed, narrow screens, the first paint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from dash.testing.composite import DashComposite
from playwright.sync_api import Page, expect
from werkzeug.wrappers import Response

from pages._components.theme import CHROME, CONCEPTS
from tests.browser.conftest import Tab, serving
from tests.browser.steps import go_to

THEME = "document.documentElement.dataset.theme"
DENSE_BAR = "#amdahl-ledger-figure .trace.bars:last-child .point path"


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[i : i + 2], 16) for i in (1, 3, 5)))


def fill(page: Page, selector: str) -> str:
    return str(page.locator(selector).first.evaluate("item => getComputedStyle(item).fill"))


def expect_theme(page: Page, scheme: str) -> None:
    page.wait_for_function(f"scheme => {THEME} === scheme", arg=scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == rgb(getattr(CHROME["ground"], scheme))
    assert fill(page, DENSE_BAR) == rgb(getattr(CONCEPTS["dense"], scheme))


def test_the_page_follows_the_system_until_told_otherwise(new_tab: Callable[..., Tab]) -> None:
    page = new_tab(color_scheme="dark").open("/amdahl")
    expect_theme(page, "dark")
    dark = {rgb(token.dark) for token in [*CHROME.values(), *CONCEPTS.values()]}
    used = page.evaluate(
        "Array.from(document.querySelectorAll('.js-plotly-plot text'))"
        ".filter(item => item.textContent).map(item => getComputedStyle(item).fill)"
    )
    assert len(used) > 30
    assert set(used) <= dark, "text in figures is readable in the dark"
    page.emulate_media(color_scheme="light")
    expect_theme(page, "light")
    page.click("[data-action=theme]")
    assert page.evaluate(THEME) == "dark"
    assert fill(page, DENSE_BAR) == rgb(CONCEPTS["dense"].dark)
    assert "theme=dark" in page.url
    page.goto(page.url.partition("?")[0])
    page.wait_for_selector(".main-svg")
    assert page.evaluate(THEME) == "dark"


def test_the_address_decides_the_theme(new_tab: Callable[..., Tab]) -> None:
    page = new_tab(color_scheme="dark").open("/amdahl?theme=light")
    assert page.evaluate(THEME) == "light"


def overflow(page: Page) -> Any:
    """Elements that scroll, or the document where it is larger than the window."""
    return page.evaluate(
        """() => {
          const root = document.scrollingElement;
          const found = Array.from(document.querySelectorAll('body *')).filter(item => {
            const style = getComputedStyle(item);
            const y = item.scrollHeight > item.clientHeight + 1 && /auto|scroll/.test(style.overflowY);
            const x = item.scrollWidth > item.clientWidth + 1 && /auto|scroll/.test(style.overflowX);
            return x || y;
          }).map(item => item.className);
          if (root.scrollHeight > innerHeight) found.push('page height ' + root.scrollHeight);
          if (root.scrollWidth > innerWidth) found.push('page width ' + root.scrollWidth);
          return found;
        }"""
    )


EMBEDS = {
    "amdahl": (
        ("variant", "seq_len", "open"),
        [f"variant={name}&fft_rate=0.0625" for name in ("hyena", "hybrid", "block-circulant")],
    ),
    "masks": (
        ("sequences_per_step", "frame_rate_hz", "overlap"),
        ["order=sequence-major&overlap=false&variant=hybrid"],
    ),
    "transit": (("wan_GBps", "band", "sync_every"), ["band=band-random-2d64&sync_every=30"]),
    "trainers": (
        ("phase_error_rad", "readout_noise"),
        ["phase_error_rad=0.6&task=rings&steps=10"],
    ),
    "backward": (
        ("n", "filter", "padding", "enob"),
        ["padding=false", "n=65536", "filter=impulse&padding=false"],
    ),
    "precision": (("enob", "passes", "planes"), ["distribution=student-t&enob=20&passes=4096"]),
    "compression": (("keep", "enob"), ["source=measured&tensor=delta&enob=6"]),
    "optical-dfa": (("width", "depth"), ["depth=60"]),
}
"""Of each explorer: what must be in view, and the states in which more or longer words stand."""
MAY_SCROLL = {"plate-tabs", "graph-frame graph-order"}
"""A row of buttons, which shows that it goes on; and a figure whose many rows need their height."""


@pytest.mark.parametrize("slug", EMBEDS)
def test_embed_fits_a_slide_without_scroll_bars(new_tab: Callable[..., Tab], slug: str) -> None:
    parts, queries = EMBEDS[slug]
    page = new_tab(viewport={"width": 960, "height": 540}).open(f"/{slug}?embed=1")
    expect(page.locator(".shell-header")).to_be_hidden()
    for query in ["", *queries]:
        go_to(page, f"embed=1&{query}")
        # Every figure of the first state, and of the others the one in view.
        for button in page.locator("[data-action=show-plate]").all()[: None if not query else 1]:
            if button.is_visible():
                button.click()
                expect(page.locator(".plate[data-shown=true]:visible")).to_have_count(1)
                assert [name for name in overflow(page) if name not in MAY_SCROLL] == []
        for part in ("verdict", *parts):
            box: Any = page.locator(f"#{slug}-{part}").bounding_box()
            assert box["y"] + box["height"] <= 540


def test_embed_shows_one_figure_at_a_time(new_tab: Callable[..., Tab]) -> None:
    page = new_tab(viewport={"width": 960, "height": 540}).open("/amdahl?embed=1")
    expect(page.locator("#amdahl-length-figure")).to_be_hidden()
    page.click("#amdahl-show-length")
    expect(page.locator("#amdahl-length-figure")).to_be_visible()
    expect(page.locator("#amdahl-ledger-figure")).to_be_hidden()
    box: Any = page.locator("#amdahl-length-figure .main-svg").first.bounding_box()
    assert box["height"] > 300
    assert overflow(page) == []


def test_open_in_full_leads_to_the_same_state(new_tab: Callable[..., Tab]) -> None:
    page = new_tab(viewport={"width": 960, "height": 540}).open("/amdahl?embed=1&seq_len=9000")
    page.locator("#amdahl-variant label", has_text="Hybrid").click()
    link = page.locator("#amdahl-open")
    expect(link).to_have_attribute("href", "/amdahl?seq_len=9000&variant=hybrid")


def test_on_a_phone_nothing_is_drawn_over_the_verdict(new_tab: Callable[..., Tab]) -> None:
    """It stays in view while the page scrolls, over controls as over figures."""
    page = new_tab(viewport={"width": 390, "height": 800}).open("/amdahl")
    covered = page.evaluate(
        "() => { const verdict = document.querySelector('.verdict'); const over = [];"
        " for (let top = 400; top < 2400; top += 100) { window.scrollTo(0, top);"
        "  const box = verdict.getBoundingClientRect();"
        "  for (let x = 20; x < 370; x += 25) {"
        "   const seen = document.elementFromPoint(x, box.top + box.height / 2);"
        "   if (seen !== verdict) over.push([top, x, seen.className]); } } return over; }"
    )
    assert covered == []


def test_a_turned_phone_keeps_legends_above_their_plots(new_tab: Callable[..., Tab]) -> None:
    page = new_tab(viewport={"width": 360, "height": 900}).open("/amdahl")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function(
        "() => Array.from(document.querySelectorAll('.js-plotly-plot')).every(plot => {"
        " const legend = plot.querySelector('.legend'); if (!legend) return true;"
        " const box = legend.getBoundingClientRect();"
        " const ground = plot.querySelector('.nsewdrag').getBoundingClientRect();"
        " const wide = plot.querySelector('.main-svg').getBoundingClientRect().width > 360;"
        " return wide && box.height > 0 && box.bottom <= ground.top + 6; })"
    )


def test_each_figure_has_its_table(tab: Tab) -> None:
    page = tab.open("/amdahl?variant=transformer")
    page.locator(".twin summary").first.click()
    row = page.locator("#amdahl-ledger-table tbody tr").first
    expect(row).to_contain_text("45,027,950,592")
    page.locator("#amdahl-variant label", has_text="Hybrid").click()
    page.fill("#amdahl-seq_len", "128")
    page.press("#amdahl-seq_len", "Enter")
    expect(page.locator("#amdahl-ledger-table tbody tr").nth(1)).to_contain_text("101,449,728")


def test_cross_site_frame_with_storage_denied(new_tab: Callable[..., Tab], site: str) -> None:
    slide = (
        f'<!DOCTYPE html><title>Slide</title><link rel="icon" href="data:,">'
        f'<iframe src="{site}/amdahl?embed=1" width="960" height="540" '
        'sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"></iframe>'
    )
    # localhost and 127.0.0.1 are different sites.
    with serving(Response(slide, content_type="text/html")) as port:
        tab = new_tab(viewport={"width": 1000, "height": 600})
        tab.hosts.add(f"localhost:{port}")
        tab.page.goto(f"http://localhost:{port}/")
        frame = tab.page.frame_locator("iframe")
        expect(frame.locator("#amdahl-ledger-figure .main-svg").first).to_be_visible()
        frame.locator("#amdahl-variant label", has_text="Hybrid").click()
        expect(frame.locator("#amdahl-verdict")).to_contain_text("hybrid")


def test_unknown_address(tab: Tab) -> None:
    page = tab.open("/no-such-page", status=404)
    expect(page.locator("h1")).to_have_text("There is no page at this address")


def test_selenium_smoke(dash_duo: DashComposite, site: str) -> None:
    # The same pages in the driver that Dash's own users have.
    dash_duo.server_url = site
    dash_duo.driver.get(f"{site}/amdahl")
    dash_duo.wait_for_element("#amdahl-ledger-figure .main-svg")
    dash_duo.wait_for_contains_text("#amdahl-verdict", "1.0014")
    dash_duo.find_element("#amdahl-preset-hybrid").click()
    dash_duo.wait_for_contains_text("#amdahl-verdict", "hybrid", timeout=30)
    assert dash_duo.get_logs() == []

"""Every page under hands: keys alone, fingers, five widths, paper; one load for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from foptrn_model.explorers import EXPLORERS
from tests.browser.conftest import Tab
from tests.browser.hands import (
    CUT_IN_FIGURES,
    DRAWN,
    MISSED,
    SMALL,
    TRAPS,
    WATCH,
    WIDER,
    focused,
    looked_at,
    middle,
    resize,
    swipe,
    tab_to,
    touching,
)
from tests.browser.steps import RUN_ENDED, expect_one_sheet
from tests.browser.test_decks import LIVE_ANCHOR, open_deck

WIDTHS = (360, 390, 768, 1280, 1920)
PAPER = {"width": "210mm", "height": "279mm"}
"""As narrow as A4 and as short as Letter: what fits here fits both."""
SLIDERS = {
    "amdahl": "seq_len", "masks": "sequences_per_step", "transit": "wan_GBps", "trainers": "phase_error_rad",
    "backward": "enob", "precision": "enob", "compression": "keep", "optical-dfa": "depth",
}  # fmt: skip
"""Of each explorer a slider whose first step changes the verdict."""
QUICK = {"trainers": "?seeds=1&steps=20"}
"""Where a change is a computation, one that takes no time."""
WITHOUT_FIGURES = ("/", "/glossary", "/results", "/decks", "/no-such-page")


def saves(page: Page, key: str) -> str:
    """The name of the file that a key saves."""
    with page.expect_download() as waiting:
        page.keyboard.press(key)
    return waiting.value.suggested_filename


def walk_by_keys(page: Page, slug: str) -> None:
    """Open, change, go back, pin, look up and take away; every stop of Tab shows itself."""
    page.evaluate(WATCH)
    verdict = page.locator(f"#{slug}-verdict")
    before = verdict.inner_text()
    page.keyboard.press("Tab")
    assert focused(page, ".skip-link")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused(page, f"#{slug}-take-tour"), "the link skips the head of the page"
    tab_to(page, "[data-action=theme]", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert focused(page, "[data-action=theme]")

    field = SLIDERS[slug]
    thumb = f"#{slug}-{field}-control [role=slider]"
    tab_to(page, thumb)
    page.keyboard.press("ArrowRight")
    expect(verdict).not_to_have_text(before)
    page.wait_for_function("field => new URLSearchParams(location.search).has(field)", arg=field)
    assert focused(page, thumb)
    # Alt with an arrow is the browser's own key for Back, and no arrow of the slider that has focus.
    value = str(page.locator(thumb).get_attribute("aria-valuenow"))
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.locator(thumb)).to_have_attribute("aria-valuenow", value)
    page.go_back()
    expect(verdict).to_have_text(before)
    page.wait_for_function("field => !new URLSearchParams(location.search).has(field)", arg=field)
    assert focused(page, thumb)

    tab_to(page, f"#{slug}-copy")
    page.keyboard.press("Enter")
    expect(page.locator(f"#{slug}-copied")).to_have_text("Link copied")
    tab_to(page, f"#{slug}-pin")
    page.keyboard.press("Space")
    table = page.locator(f"#{slug}-compare table")
    expect(table).to_be_visible()
    page.wait_for_function("() => new URLSearchParams(location.search).has('pin')")
    assert focused(page, f"#{slug}-pin")
    tab_to(page, f"#{slug}-unpin-0")
    page.keyboard.press("Enter")
    expect(table).to_have_count(0)
    assert focused(page, f"#{slug}-pin"), "a button that goes leaves focus beside it"

    tab_to(page, ".twin summary")
    page.keyboard.press("Enter")
    expect(page.locator(".twin[open] tbody tr").first).to_be_visible()
    page.keyboard.press("Tab")
    assert focused(page, ".twin[open] .table-scroll"), "keys scroll a table"
    tab_to(page, ".downloads [data-action=save-csv]")
    assert saves(page, "Enter").endswith(".csv")
    tab_to(page, ".downloads [data-action=save-svg]")
    assert saves(page, "Space").endswith(".svg")
    tab_to(page, f"#{slug}-take-save-json")
    assert saves(page, "Enter").endswith(".json")
    tab_to(page, ".shell-footer a")
    # Past the end it begins again, and what is left of the head comes by.
    tab_to(page, "[data-action=theme]")
    assert page.evaluate(MISSED) == []
    assert looked_at(page) == []


def expect_room_for_fingers(page: Page, slug: str) -> None:
    """On a phone everything can be hit, and a finger on a figure or a slider scrolls the page."""
    session = touching(page)
    assert page.evaluate(SMALL) == []
    assert page.evaluate(TRAPS) == []
    state = page.evaluate("location.search")
    on = [f"#{slug}-{SLIDERS[slug]}-control [role=slider]", "[data-drag-field]", ".js-plotly-plot"]
    for selector in on:
        if not page.locator(selector).count():
            continue
        at = middle(page, selector)
        from_y = page.evaluate("scrollY")
        swipe(session, page, at, y=-150)
        page.wait_for_function("before => scrollY > before + 50", arg=from_y)
    assert page.evaluate("location.search") == state, "scrolling changes nothing"


@pytest.mark.parametrize("slug", EXPLORERS)
def test_an_explorer_by_keys_on_paper_by_fingers_and_at_every_width(
    new_tab: Callable[..., Tab], slug: str
) -> None:
    tab = new_tab(permissions=["clipboard-read", "clipboard-write"], color_scheme="light")
    page = tab.open(f"/{slug}{QUICK.get(slug, '')}")
    page.wait_for_function(
        f"() => {{ const page = foptrn.onScreen(); return page && {RUN_ENDED}; }}"
    )
    walk_by_keys(page, slug)
    expect_one_sheet(page, slug, tab.site, **PAPER)
    resize(page, WIDTHS[0])
    page.wait_for_function(DRAWN)
    expect_room_for_fingers(page, slug)
    for width in WIDTHS:
        resize(page, width)
        page.wait_for_function(DRAWN)
        assert page.evaluate(WIDER) == [], width
        assert page.evaluate(CUT_IN_FIGURES) == [], width


@pytest.mark.parametrize("path", WITHOUT_FIGURES)
def test_a_page_without_figures_by_fingers_keys_and_at_every_width(
    new_tab: Callable[..., Tab], path: str
) -> None:
    tab = new_tab(viewport={"width": WIDTHS[0], "height": 900})
    page = tab.open(path, status=404 if "no-such" in path else 200)
    if path == "/results":
        expect(page.locator("#results-count")).to_contain_text("values shown")
    touching(page)
    assert page.evaluate(SMALL) == []
    for width in WIDTHS:
        resize(page, width)
        assert page.evaluate(WIDER) == [], width
    page.evaluate(WATCH)
    page.keyboard.press("Tab")
    assert focused(page, ".skip-link")
    page.keyboard.press("Enter")
    if path == "/glossary":
        tab_to(page, "#glossary-search")
        page.keyboard.type("hologram")
        expect(page.locator("#glossary-count")).to_contain_text("match")
        tab_to(page, "#glossary-clear")
        page.keyboard.press("Enter")
        expect(page.locator("#glossary-clear")).to_be_hidden()
        assert focused(page, "#glossary-search")
    elif path == "/results":
        tab_to(page, "#results-show-masks")
        page.keyboard.press("Enter")
        expect(page.locator("#results-amdahl")).to_be_hidden()
        assert focused(page, "#results-show-masks")
        tab_to(page, "[href$='/report.csv']")
        assert saves(page, "Enter") == "results.csv"
    else:
        tab_to(page, ".shell-footer a")
        tab_to(page, "[data-action=theme]")
        assert page.evaluate(MISSED) == []
    assert looked_at(page) == []


def test_a_finger_moves_a_slider_sideways_and_the_page_up(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = tab.open("/amdahl")
    session = page.context.new_cdp_session(page)
    thumb = page.locator("#amdahl-seq_len-control [role=slider]")
    root = "#amdahl-seq_len-control .dash-slider-root"
    value = str(thumb.get_attribute("aria-valuenow"))
    # Beside the thumb a finger that scrolls would otherwise have set it.
    x, y = middle(page, root)
    swipe(session, page, (x + 100, y), y=-150)
    page.wait_for_function("() => scrollY > 50")
    expect(thumb).to_have_attribute("aria-valuenow", value)
    x, y = middle(page, "#amdahl-seq_len-control [role=slider]")
    swipe(session, page, (x, y), x=80)
    expect(thumb).not_to_have_attribute("aria-valuenow", value)
    page.wait_for_function("() => location.search.includes('seq_len=')")
    moved = str(thumb.get_attribute("aria-valuenow"))
    x, y = middle(page, root)
    page.touchscreen.tap(x - 100, y)
    expect(thumb).not_to_have_attribute("aria-valuenow", moved)
    assert float(str(thumb.get_attribute("aria-valuenow"))) < float(moved)


def test_a_deck_scrolls_on_from_its_live_explorer(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = open_deck(tab, f"/decks/1#{LIVE_ANCHOR}", real=True)
    figure = page.locator(f"#{LIVE_ANCHOR} .live")
    expect(figure).to_have_attribute("data-state", "shown")
    inside = page.frame_locator(f"#{LIVE_ANCHOR} iframe")
    inside.locator(".plate[data-shown=true] .xtick text").first.wait_for()
    plot = inside.locator(".plate[data-shown=true] .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    box: Any = plot.bounding_box()
    session = page.context.new_cdp_session(page)
    from_y = page.evaluate("scrollY")
    swipe(session, page, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), y=-150)
    page.wait_for_function("before => scrollY > before + 50", arg=from_y)


def test_a_deck_leaves_the_key_for_back_to_the_browser(tab: Tab) -> None:
    page = open_deck(tab, "/decks/1#slide-03")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#slide-04'")
    page.keyboard.press("Alt+ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#slide-05'")

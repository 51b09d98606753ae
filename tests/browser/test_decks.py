"""Decks in a browser: every slide fits, the address follows, and the explorers inside obey."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from foptrn_model.decks import BUILDERS, deck
from foptrn_model.decks.slide import Live
from tests.browser.conftest import Tab
from tests.browser.test_access import violations

FIRST = next(iter(BUILDERS))
LIVE_ANCHOR, LIVE_SLIDE = next(
    (anchor, slide) for anchor, slide in deck(FIRST).numbered if isinstance(slide.blocks[0], Live)
)
LIVE = LIVE_SLIDE.blocks[0]
STAND_IN = """<!DOCTYPE html><html lang="en"><title>stand-in</title>
<div id="react-entry-point"><main><h1>stand-in</h1></main></div></html>"""

FAULTS = """() => {
  const slide = document.querySelector('.slides > section.present');
  const sheet = slide.querySelector('.sheet');
  const box = sheet.getBoundingClientRect();
  const found = [];
  const name = item => item.tagName + '.' + item.getAttribute('class') + ' '
    + item.textContent.trim().slice(0, 30);
  if (sheet.scrollWidth > sheet.clientWidth || sheet.scrollHeight > sheet.clientHeight)
    found.push('the sheet overflows');
  for (const item of sheet.querySelectorAll('*')) {
    const part = item.getBoundingClientRect();
    if (!part.width || !part.height || item.closest('figcaption')) continue;
    if (part.left < box.left - 1 || part.right > box.right + 1 || part.top < box.top - 1
        || part.bottom > box.bottom + 1) found.push('outside: ' + name(item));
    const drawing = item.closest('svg');
    if (item.parentElement.closest('.side') && !drawing) {
      const column = item.closest('.side').getBoundingClientRect();
      if (part.right > column.right + 1) found.push('wider than its column: ' + name(item));
    }
    const speaks = Array.from(item.childNodes).some(node => node.nodeType === 3 && node.data.trim());
    if (!speaks || item.closest('sup')) continue;
    const scale = drawing
      ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width
      : box.width / 1280;
    const size = parseFloat(getComputedStyle(item).fontSize) * scale;
    if (size < 15.9) found.push(Math.round(size) + ' px: ' + name(item));
  }
  const body = sheet.querySelector('.body').getBoundingClientRect();
  for (const side of sheet.querySelectorAll('.side')) {
    const part = side.getBoundingClientRect();
    if (part.top < body.top - 1 || part.bottom > body.bottom + 1) found.push('body overflows');
  }
  const foot = sheet.querySelector('footer').getBoundingClientRect();
  const bar = document.querySelector('.toolbar').getBoundingClientRect();
  if (foot.right > bar.left && foot.width && sheet.querySelector('footer').textContent)
    found.push('sources under the toolbar');
  return found;
}"""


def open_deck(tab: Tab, path: str, *, real: bool = False) -> Page:
    """Open a deck and wait until it is set up; its explorers are stand-ins unless ``real``."""
    if not real:
        tab.page.route(
            re.compile(r"[?&]embed=1"),
            lambda route: route.fulfill(body=STAND_IN, content_type="text/html"),
        )
    tab.page.goto(f"{tab.site}{path}")
    tab.page.wait_for_selector("html.ready", state="attached")
    return tab.page


def expect_slide(page: Page, anchor: str) -> None:
    """The slide that shows, and the address."""
    expect(page.locator("section.present")).to_have_attribute("id", anchor)
    page.wait_for_function("anchor => location.hash === '#' + anchor", arg=anchor)


@pytest.mark.parametrize("number", BUILDERS)
def test_every_slide_fits_and_has_its_address(tab: Tab, number: int) -> None:
    tab.page.set_viewport_size({"width": 1280, "height": 720})
    tab.page.emulate_media(reduced_motion="reduce")
    page = open_deck(tab, f"/decks/{number}")
    length = page.evaluate("history.length")
    for anchor, slide in deck(number).numbered:
        expect_slide(page, anchor)
        expect(page).to_have_title(f"{slide.title} \u00b7 {deck(number).title}")
        assert page.evaluate(FAULTS) == [], anchor
        page.keyboard.press("ArrowRight")
    assert page.evaluate("history.length") == length, "Back must leave the deck"


def test_the_walk_sees_faults(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 1280, "height": 720})
    page = open_deck(tab, f"/decks/{FIRST}#slide-02")
    assert page.evaluate(FAULTS) == []
    for rule in (".see { font-size: 12px !important }", ".bullets { margin-top: 500px }",
                 ".diagram svg { font-size: 8px !important }", "h2 { white-space: nowrap; width: 1400px }",
                 ".bullets { width: 700px }"):  # fmt: skip
        style = page.add_style_tag(content=rule)
        assert page.evaluate(FAULTS) != [], rule
        style.evaluate("item => item.remove()")


def test_a_phone_reads_a_column_without_scrolling_sideways(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(viewport={"width": 360, "height": 740})
    for number in BUILDERS:
        page = open_deck(tab, f"/decks/{number}")
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        targets: Any = page.evaluate(
            "Array.from(document.querySelectorAll('.toolbar > *'), item => item.getBoundingClientRect())"
            ".filter(box => box.width).map(box => Math.min(box.width, box.height))"
        )
        assert len(targets) >= 3
        assert min(targets) >= 40
    page = open_deck(tab, f"/decks/{FIRST}?x#{LIVE_ANCHOR}")
    expect(page.locator(f"#{LIVE_ANCHOR} h2")).to_be_in_viewport()
    figure = page.locator(f"#{LIVE_ANCHOR} .live")
    expect(figure).to_have_attribute("data-state", "shown")
    send(page, "{type: 'foptrn:height', explorer: 'amdahl', height: 987}")
    expect(figure).to_have_css("height", "987px")


def test_an_address_opens_its_slide_and_a_wrong_one_the_first(tab: Tab) -> None:
    page = open_deck(tab, f"/decks/{FIRST}#slide-05")
    expect_slide(page, "slide-05")
    page.evaluate("location.hash = '#slide-07'")
    expect_slide(page, "slide-07")
    page.goto("about:blank")
    page = open_deck(tab, f"/decks/{FIRST}#slide-99")
    expect_slide(page, "slide-01")


def send(page: Page, message: str) -> None:
    """A message from the window of the explorer on the live slide."""
    frame = page.frame(url=re.compile("embed=1"))
    assert frame is not None
    frame.evaluate(f"parent.postMessage({message}, location.origin)")


def test_a_live_explorer_shows_and_passes_its_keys_on(tab: Tab) -> None:
    page = open_deck(tab, f"/decks/{FIRST}?theme=dark#{LIVE_ANCHOR}", real=True)
    figure = page.locator(f"#{LIVE_ANCHOR} .live")
    expect(figure).to_have_attribute("data-state", "shown")
    inside = page.frame_locator(f"#{LIVE_ANCHOR} iframe")
    expect(inside.locator(f"#{LIVE.explorer}-verdict")).to_have_text(LIVE.verdict)
    expect(inside.locator("html")).to_have_attribute("data-theme", "dark")
    inside.locator(".plate[data-shown=true] .xtick text").first.wait_for()
    send(page, "{type: 'foptrn:ready', explorer: 'amdahl'}")
    expect(inside.locator(f"#{LIVE.explorer}-{LIVE.plate}-plate")).to_be_visible()
    page.evaluate("window.postMessage({type: 'foptrn:key', key: 'ArrowRight'}, location.origin)")
    send(page, "{type: 'foptrn:key', key: 'ArrowLeft'}")
    place = int(LIVE_ANCHOR[-2:])
    expect_slide(page, f"slide-{place - 1:02d}")  # the message of no explorer moved nothing
    send(page, "{type: 'foptrn:key', key: 'End'}")
    expect_slide(page, deck(FIRST).numbered[-1][0])


@pytest.mark.parametrize("at", [(200, 60), (60, 500)])
def test_a_click_on_blank_space_in_an_explorer_leaves_the_arrows_to_the_deck(
    tab: Tab, at: tuple[int, int]
) -> None:
    tab.page.set_viewport_size({"width": 1280, "height": 720})
    page = open_deck(tab, f"/decks/{FIRST}#{LIVE_ANCHOR}", real=True)
    expect(page.locator(f"#{LIVE_ANCHOR} .live")).to_have_attribute("data-state", "shown")
    page.locator(f"#{LIVE_ANCHOR} iframe").click(position={"x": at[0], "y": at[1]})
    place = int(LIVE_ANCHOR[-2:])
    page.keyboard.press("ArrowRight")
    expect_slide(page, f"slide-{place + 1:02d}")
    page.keyboard.press("ArrowLeft")
    expect_slide(page, LIVE_ANCHOR)


def test_a_live_explorer_that_fails_leaves_its_verdict(tab: Tab) -> None:
    tab.expected_failures = True
    tab.page.route(re.compile("embed=1"), lambda route: route.abort())
    page = open_deck(tab, f"/decks/{FIRST}#{LIVE_ANCHOR}", real=True)
    figure = page.locator(f"#{LIVE_ANCHOR} .live")
    expect(figure).to_have_attribute("data-state", "failed")
    expect(figure.locator(".said")).to_have_text(LIVE.verdict)
    expect(figure.locator(".said")).to_be_visible()
    expect(figure.locator("a")).to_have_attribute("href", LIVE.path)


def test_only_the_explorers_near_are_loaded(tab: Tab) -> None:
    page = open_deck(tab, f"/decks/{FIRST}")
    assert page.locator("iframe[src]").count() == 0
    page.keyboard.press("End")
    expect_slide(page, deck(FIRST).numbered[-1][0])
    assert page.locator("iframe[src]").count() == 0
    page.evaluate(f"location.hash = '#slide-{int(LIVE_ANCHOR[-2:]) - 1:02d}'")
    expect(page.locator(f"#{LIVE_ANCHOR} iframe[src]")).to_have_count(1)


def test_speaker_window_notes_help_and_overview(tab: Tab) -> None:
    page = open_deck(tab, f"/decks/{FIRST}#slide-03")
    slides = deck(FIRST).slides
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    speaker = opened.value
    expect(speaker.locator("section:visible h2")).to_have_text(slides[2].title)
    expect(speaker.locator("section:visible .next")).to_have_text(f"Next: {slides[3].title}")
    page.keyboard.press("ArrowRight")
    expect(speaker.locator("section:visible h2")).to_have_text(slides[3].title)
    speaker.click("[data-action=next]")
    expect_slide(page, "slide-05")
    speaker.close()

    page.keyboard.press("n")
    expect(page.locator(".notes-panel")).to_contain_text(slides[4].notes[0])
    page.keyboard.press("n")
    expect(page.locator(".notes-panel")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.locator("dialog.help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.help")).to_be_hidden()

    page.keyboard.press("o")
    expect(page.locator("dialog.overview > ol > li")).to_have_count(len(slides))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("dialog.overview")).to_be_hidden()
    expect_slide(page, "slide-06")


def test_paper_has_a_page_for_every_slide_and_for_its_notes(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(color_scheme="dark")
    page = open_deck(tab, f"/decks/{FIRST}?print-pdf&notes=1")
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == 2 * len(deck(FIRST).slides)
    assert page.locator("iframe[src]").count() == 0
    page.emulate_media(media="print")
    expect(page.locator(f"#{LIVE_ANCHOR} .said")).to_be_visible()
    expect(page.locator(".speaker-notes-pdf").first).to_contain_text(deck(FIRST).slides[0].notes[0])


def test_axe_finds_nothing_serious_in_a_deck(tab: Tab) -> None:
    for number, anchor in ((1, "slide-07"), (2, "slide-06"), (3, "slide-12")):
        for scheme in ("light", "dark"):
            page = open_deck(tab, f"/decks/{number}?theme={scheme}#{anchor}")
            assert violations(page) == [], (number, scheme)
    tab.page.keyboard.press("o")
    expect(tab.page.locator("dialog.overview")).to_be_visible()
    assert violations(tab.page) == []

"""Glossary and results in the browser: search, anchors, links, filters, narrow screens, paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from foptrn_model.glossary import ENTRIES
from foptrn_model.report import report
from foptrn_model.report_row import NONE
from tests.browser.conftest import Tab
from tests.browser.steps import expect_state

SEARCH = "#glossary-search"
COUNT = "#glossary-count"


def expect_marked(page: Page, anchor: str) -> None:
    """An entry is the address's target, in view, and nothing lies over its title."""
    page.wait_for_function(
        "anchor => { const entry = document.getElementById(anchor);"
        " if (!entry || !entry.matches(':target')) return false;"
        " const title = entry.querySelector('h3 span').getBoundingClientRect();"
        " const top = document.elementFromPoint(title.left + 4, title.top + title.height / 2);"
        " return top !== null && entry.contains(top); }",
        arg=anchor,
    )


@pytest.mark.parametrize("width", [360, 1280])
def test_an_address_with_an_anchor_opens_and_marks_its_entry(
    new_tab: Callable[..., Tab], width: int
) -> None:
    page = new_tab(viewport={"width": width, "height": 800}).open("/glossary#hologram")
    expect_marked(page, "hologram")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator("#hologram .entry-related a", has_text="Phase problem").click()
    expect_marked(page, "phase-problem")
    page.go_back()
    expect_marked(page, "hologram")


def test_terms_of_a_verdict_lead_to_their_entry_and_back_to_a_state(tab: Tab) -> None:
    page = tab.open("/masks")
    page.locator(".terms a", has_text="Layer-major scheduling").click()
    expect_marked(page, "layer-major-scheduling")
    page.goto(f"{tab.site}/amdahl")
    page.locator(".steps a.term", has_text="6N rule").click()
    expect_marked(page, "six-n-rule")
    page.locator("#six-n-rule").get_by_text("See it").click()
    expect_state(page, "variant=transformer")


def shown(page: Page) -> list[str]:
    found: Any = page.evaluate(
        "Array.from(document.querySelectorAll('.entry'), e => e.offsetParent ? e.id : '')"
        ".filter(Boolean)"
    )
    return list(found)


def test_search_filters_as_one_types_and_stays_in_the_address(tab: Tab) -> None:
    page = tab.open("/glossary?q=nature")
    expect(page.locator(SEARCH)).to_have_value("nature")
    expect(page.locator(COUNT)).to_contain_text("match \u201cnature\u201d")
    expect(page.locator(COUNT)).to_have_attribute("role", "status")
    assert "physics-aware-training" in shown(page)
    page.fill(SEARCH, "")
    page.focus(SEARCH)
    page.keyboard.type("FOURIER plane")
    words = [e.anchor for e in ENTRIES if all(
        word in f"{e.title} {e.text} {e.source}".lower() for word in ("fourier", "plane"))]  # fmt: skip
    expect(page.locator(COUNT)).to_contain_text(f"{len(words)} of {len(ENTRIES)} entries match")
    assert set(shown(page)) == set(words)
    page.wait_for_function("window.location.search === '?q=FOURIER+plane'")
    page.keyboard.press("Enter")
    expect_marked(page, shown(page)[0])
    page.fill(SEARCH, "zeppelin")
    expect(page.locator(COUNT)).to_contain_text("No entry matches \u201czeppelin\u201d")
    assert shown(page) == []
    page.click("#glossary-clear")
    expect(page.locator(COUNT)).to_have_text(f"{len(ENTRIES)} entries")
    expect(page.locator(SEARCH)).to_be_focused()
    page.wait_for_function("window.location.search === ''")


def test_a_related_entry_that_the_search_hides_is_scrolled_to(tab: Tab) -> None:
    page = tab.open("/glossary?q=noise")
    expect(page.locator(COUNT)).to_contain_text("match \u201cnoise\u201d")
    hidden = set(anchors := [entry.anchor for entry in ENTRIES]) - set(seen := shown(page))
    links = {e.anchor: [a for a in e.related if a in hidden] for e in ENTRIES if e.anchor in seen}
    # The farthest from the end that scrolling stops at, and below the first screen.
    target, origin = max(
        (min(anchors.index(a), len(anchors) - anchors.index(a)), a, e)
        for e, found in links.items() for a in found
    )[1:]  # fmt: skip
    page.locator(f"#{origin} .entry-related a[href$='#{target}']").click()
    expect_marked(page, target)
    expect(page.locator(SEARCH)).to_have_value("")


def test_an_anchor_that_the_search_hides_is_shown_all_the_same(tab: Tab) -> None:
    page = tab.open("/glossary?q=zeppelin#crest-factor")
    expect_marked(page, "crest-factor")
    expect(page.locator(SEARCH)).to_have_value("")
    page.fill(SEARCH, "hologram")
    expect(page.locator(COUNT)).to_contain_text("match \u201chologram\u201d")
    page.locator("nav a", has_text="Glossary").click()
    expect(page.locator(COUNT)).to_have_text(f"{len(ENTRIES)} entries")


def test_the_link_of_an_entry_can_be_copied(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(permissions=["clipboard-read", "clipboard-write"])
    page = tab.open("/glossary")
    page.click("#copy-crest-factor")
    expect(page.locator(COUNT)).to_contain_text("Link copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{tab.site}/glossary#crest-factor"
    assert page.locator("#crest-factor .self-link").get_attribute("href") == "#crest-factor"


def test_results_are_shown_filtered_and_lead_to_their_state(tab: Tab) -> None:
    page = tab.open("/results")
    total = len(report().rows)
    expect(page.locator("#results-count")).to_have_text(f"{total} values shown")
    written = page.locator(".published tbody tr").count() + page.locator(".state dd").count()
    unwritten = [row for row in report().rows if row.mark == "absent" and row.published == NONE]
    assert written + len(unwritten) == total
    expect(page.locator("[data-count]")).to_contain_text(f"{len(unwritten)} numbers of runs")
    page.click("#results-outside")
    expect(page.locator("#results-count")).to_have_text("1 value shown")
    expect(page.locator(".published tbody tr:visible")).to_contain_text("\u2260 not reproduced")
    page.click("#results-show-amdahl")
    expect(page.locator("#results-count")).to_have_text("No value lies outside its tolerance.")
    page.go_back()
    expect(page.locator("#results-count")).to_have_text("1 value shown")
    page.go_back()
    expect(page.locator("#results-count")).to_have_text(f"{total} values shown")
    expect(page.locator("#results-outside")).to_have_attribute("aria-pressed", "false")
    page.go_forward()
    expect(page.locator("#results-count")).to_have_text("1 value shown")
    page.click("#results-outside")
    page.click("#results-show-amdahl")
    expect(page.locator("#results-count")).to_have_text(
        f"{len(report().of('amdahl'))} values shown"
    )
    page.wait_for_function("window.location.search === '?explorer=amdahl'")
    expect(page.locator("#results-masks")).to_be_hidden()
    page.locator("nav a", has_text="Results").click()
    expect(page.locator("#results-masks")).to_be_visible()
    page.click("#results-show-amdahl")
    row = page.locator(".published tbody tr", has_text="block-circulant, 4,096 tokens")
    expect(row).to_contain_text("\u2713 within tolerance")
    expect(row).to_contain_text("9.7\u202f%")
    with page.expect_download() as saved:
        page.locator(".results-downloads a", has_text="Markdown").click()
    assert saved.value.suggested_filename == "results.md"
    row.locator("a").click()
    expect_state(page, "variant=block-circulant")


def test_a_value_out_of_tolerance_is_all_that_its_filter_leaves(tab: Tab) -> None:
    page = tab.open("/results")
    expect(page.locator("#results-count")).to_contain_text("values shown")
    page.evaluate("document.querySelectorAll('.published tbody tr')[1].dataset.mark = 'outside'")
    page.click("#results-outside")
    expect(page.locator("#results-count")).to_have_text("2 values shown")
    expect(page.locator(".published tbody tr:visible")).to_have_count(2)


def test_an_unknown_filter_is_told_until_another_is_chosen(tab: Tab) -> None:
    page = tab.open("/results?explorer=foo")
    notice = page.locator("#results-notice")
    expect(notice).to_contain_text("explorer=foo, which is none of its values")
    expect(notice).to_contain_text("amdahl, ")
    expect(page.locator("#results-count")).to_have_text(f"{len(report().rows)} values shown")
    page.click("#results-show-amdahl")
    expect(notice).to_be_empty()


def test_the_rows_of_the_results_are_printed_in_one_size(tab: Tab) -> None:
    page = tab.open("/results")
    row = page.locator(".published tbody tr").first
    expect(row).to_be_visible()
    page.emulate_media(media="print")
    sizes = row.locator("th, td").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell).fontSize)"
    )
    assert len(set(sizes)) == 1


def test_results_never_scroll_sideways(tab: Tab) -> None:
    page = tab.open("/results")
    expect(page.locator("#results-count")).to_contain_text("values shown")
    for width in (861, 900, 1120):  # where its rows change from cards to columns
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("wide => window.innerWidth === wide", arg=width)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width


def test_heads_of_a_long_table_stay_in_view(tab: Tab) -> None:
    page = tab.open("/results?explorer=transit")
    expect(page.locator("#results-count")).to_contain_text("values shown")
    page.locator("#results-rows section:visible .published tbody tr").nth(
        60
    ).scroll_into_view_if_needed()
    box: Any = page.locator("#results-rows section:visible thead th").first.bounding_box()
    assert 0 <= box["y"] < 40

"""Sliders under keys and pointers, where the page answers itself and where only the server does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Tab
from tests.browser.steps import asked_by, drag_thumb, expect_state, query_of, type_number
from tests.browser.test_instant import ANSWERS, open_instant

BITS = "#precision-enob-control [role=slider]"


def expect_one_more_entry(page: Page, before: int) -> None:
    page.wait_for_function(
        "() => { const page = foptrn.onScreen();"
        " return page.answer.serial === page.serial && !page.inFlight && location.search; }"
    )
    assert page.evaluate("window.history.length") == before + 1


def test_a_key_held_down_is_one_change_for_the_server(tab: Tab) -> None:
    page = tab.open("/precision")
    before = page.evaluate("window.history.length")
    page.focus(BITS)
    start = float(str(page.locator(BITS).get_attribute("aria-valuenow")))
    for _ in range(4):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    bits = float(str(page.locator(BITS).get_attribute("aria-valuenow")))
    assert bits > start
    expect_one_more_entry(page, before)
    assert query_of(page) == f"enob={bits:g}"


def test_one_press_of_a_key_is_one_request(tab: Tab) -> None:
    page = tab.open("/precision")
    page.focus(BITS)
    with page.expect_request(ANSWERS) as told:
        page.keyboard.press("ArrowRight")
    asked = asked_by(told.value)
    assert (asked["changed"], asked["drag"], asked["kept"]) == ("enob", False, False)
    page.wait_for_function("() => location.search")
    assert query_of(page) == f"enob={asked['values']['enob']}"


@pytest.mark.parametrize("slug", ["amdahl", "precision"])
def test_a_key_that_nobody_lets_go_of_is_a_change_all_the_same(tab: Tab, slug: str) -> None:
    """Aids that turn a slider need not tell that the key is up again."""
    page = tab.open(f"/{slug}")
    before = page.evaluate("window.history.length")
    page.locator(f"#{slug}-page .controls [role=slider]:visible").first.focus()
    page.keyboard.down("ArrowRight")
    page.wait_for_function("n => window.history.length === n + 1", arg=before)
    assert page.evaluate("window.location.search") != ""


def test_a_press_on_the_track_is_one_change(tab: Tab) -> None:
    page = open_instant(tab, "/amdahl")
    before = page.evaluate("window.history.length")
    thumb = page.locator("#amdahl-seq_len-control [role=slider]")
    box = thumb.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 120, box["y"] + box["height"] / 2)
    expect(thumb).not_to_have_attribute("aria-valuenow", "12")
    value = round(2 ** float(str(thumb.get_attribute("aria-valuenow"))))
    expect(page.locator("#amdahl-seq_len")).to_have_value(f"{value:,}")
    expect_state(page, f"seq_len={value}")
    expect_one_more_entry(page, before)


def test_what_was_refused_is_tried_again_when_a_slider_is_let_go(tab: Tab) -> None:
    page = open_instant(tab, "/amdahl?variant=block-circulant")
    type_number(page, "#amdahl-block_size", "3000")
    expect(page.locator("#amdahl-block_size-error")).to_contain_text("power of two")
    with page.expect_request(ANSWERS) as told:
        drag_thumb(page, 60, release=False)
    assert asked_by(told.value)["tried"] == []
    with page.expect_request(ANSWERS) as told:
        page.mouse.up()
    assert asked_by(told.value)["tried"] == ["block_size"]
    expect(page.locator("#amdahl-block_size-error")).to_contain_text("power of two")
    expect(page.locator("#amdahl-block_size")).to_have_value("3000")


@pytest.mark.parametrize(
    ("slug", "typed", "moved"),
    [("amdahl", "seq_len", "fft_constant"), ("precision", "enob", "passes")],
)
def test_a_wrong_number_is_not_bent_by_a_slider_moved_meanwhile(
    tab: Tab, slug: str, typed: str, moved: str
) -> None:
    """However soon the slider moves: the number is refused in its box, and the slider's change stands."""
    page = tab.open(f"/{slug}")
    box = page.locator(f"#{slug}-{typed}")
    thumb = page.locator(f"#{slug}-{moved}-control [role=slider]")
    box.fill("-5")
    thumb.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"#{slug}-{typed}-error")).to_contain_text("got -5")
    expect(box).to_have_value("-5")
    page.wait_for_function("name => new URLSearchParams(location.search).has(name)", arg=moved)
    assert typed not in query_of(page)

"""State on the page: dragging, typing, Back, links, and nothing stale."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from foptrn_model.explorers import AMDAHL
from tests.browser.conftest import Tab
from tests.browser.steps import (
    SEQ_LEN,
    THUMB,
    choose,
    drag_thumb,
    expect_state,
    query_of,
    take_time,
    type_number,
    verdict_of,
)

UPDATE = "**/_dash-update-component*"


def state_updates(tab: Tab) -> list[Any]:
    """Bodies of the requests that asked for a new state, as they are sent."""
    sent: list[Any] = []

    def note(request: Any) -> None:
        if "_dash-update-component" in request.url and "amdahl-request" in (
            request.post_data or ""
        ):
            sent.append(request)

    tab.page.on("request", note)
    return sent


def hold_the_first(page: Page) -> list[Route]:
    """Keeps the next update from the server until it is continued; those after it pass."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(UPDATE, hold)
    return held


def lengths(sent: list[Any]) -> list[str]:
    """The sequence length each request asked for."""
    return [json.loads(item.post_data)["inputs"][0]["value"]["values"]["seq_len"] for item in sent]


def test_default_view_needs_no_second_request(tab: Tab) -> None:
    sent = state_updates(tab)
    page = tab.open("/amdahl")
    expect_state(page, "")
    assert sent == []
    assert sum("_dash-update-component" in url for url in tab.requests) == 1


def test_the_page_comes_to_rest(tab: Tab) -> None:
    page = tab.open("/amdahl")
    page.wait_for_load_state("networkidle")
    sent = state_updates(tab)
    type_number(page, SEQ_LEN, "9000")
    expect_state(page, "seq_len=9000")
    page.wait_for_function(
        "() => document.querySelector('#amdahl-conventions-figure .js-plotly-plot')"
        ".data.at(-1).text[0].includes('52.1')"
    )
    quiet = page.evaluate(
        "() => new Promise(resolve => {"
        " const seen = () => performance.getEntriesByType('resource').length;"
        " const before = seen(); setTimeout(() => resolve(seen() - before), 1500); })"
    )
    assert quiet == 0, "figures off screen are drawn once, then nothing is asked for"
    assert len(sent) == 2


def test_dragging_changes_verdict_address_and_figure_before_the_release(tab: Tab) -> None:
    page = tab.open("/amdahl")
    drag_thumb(page, 80, release=False)
    page.wait_for_function("() => window.location.search.includes('seq_len=')")
    page.wait_for_function(
        "old => document.querySelector('#amdahl-verdict').textContent !== old", arg=verdict_of("")
    )
    length = AMDAHL.params.from_query(query_of(page)).seq_len
    assert length > 4096
    page.mouse.up()
    # The address follows a drag at the server's pace; the box is where the hand is.
    expect_state(page, "seq_len=" + page.locator(SEQ_LEN).input_value().replace(",", ""))


def test_a_drag_is_one_step_back(tab: Tab) -> None:
    page = tab.open("/amdahl")
    before = page.evaluate("window.history.length")
    drag_thumb(page, 90, steps=30)
    page.wait_for_function("n => window.history.length === n + 1", arg=before)
    page.go_back()
    expect_state(page, "")


def test_typing_a_number(tab: Tab) -> None:
    page = tab.open("/amdahl")
    type_number(page, SEQ_LEN, "100,000")
    expect_state(page, "seq_len=100000")
    expect(page.locator(THUMB)).to_have_attribute("aria-valuetext", "100,000 tokens")


def test_keys_move_sliders_and_choices(tab: Tab) -> None:
    page = tab.open("/amdahl")
    page.focus(THUMB)
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    expect_state(page, "seq_len=8192")
    page.keyboard.press("Home")
    expect_state(page, "seq_len=128")
    page.locator("#amdahl-variant input:checked").focus()
    page.keyboard.press("ArrowDown")
    expect_state(page, "seq_len=128&variant=hybrid")
    page.focus("#amdahl-preset-block-circulant")
    page.keyboard.press("Enter")
    expect_state(page, "variant=block-circulant")


def test_back_and_forward_restore_each_state_and_keep_focus(tab: Tab) -> None:
    page = tab.open("/amdahl")
    choose(page, "Block-circulant")
    expect_state(page, "variant=block-circulant")
    take_time(page)
    type_number(page, SEQ_LEN, "9000")
    expect_state(page, "seq_len=9000&variant=block-circulant")
    page.evaluate("document.querySelector('#amdahl-page').dataset.kept = 'yes'")
    page.go_back()
    expect_state(page, "variant=block-circulant")
    expect(page.locator(SEQ_LEN)).to_be_focused()
    page.go_back()
    expect_state(page, "")
    page.go_forward()
    page.go_forward()
    expect_state(page, "seq_len=9000&variant=block-circulant")
    expect(page.locator(SEQ_LEN)).to_be_focused()
    # The page was restored, not rebuilt.
    assert page.evaluate("document.querySelector('#amdahl-page').dataset.kept") == "yes"


def test_leaving_and_coming_back(tab: Tab) -> None:
    page = tab.open("/amdahl?seq_len=9000")
    page.click(".brand")
    expect(page.locator("h1")).to_have_text("Could light help train large neural networks?")
    page.go_back()
    expect_state(page, "seq_len=9000")
    choose(page, "Hybrid")
    expect_state(page, "seq_len=9000&variant=hybrid")


def test_the_navigation_leads_to_the_default_state(tab: Tab) -> None:
    page = tab.open("/amdahl?seq_len=9000")
    page.click(".nav-link")
    expect_state(page, "")


def test_reset_is_undone_by_back(tab: Tab) -> None:
    page = tab.open("/amdahl?seq_len=9000&variant=hybrid")
    page.click("#amdahl-reset")
    expect_state(page, "")
    page.go_back()
    expect_state(page, "seq_len=9000&variant=hybrid")


def test_a_link_with_bad_values_opens_with_a_notice(tab: Tab) -> None:
    page = tab.open("/amdahl?seq_len=0&variant=rnn&d_model=512&block_size=300&who=me&fft_rate=NaN")
    notices = page.locator("#amdahl-notices")
    for name in ("seq_len", "variant", "d_model", "block_size", "who", "fft_rate"):
        expect(notices).to_contain_text(name)
    expect(notices).to_contain_text("128 to 1,048,576")
    expect_state(page, "seq_len=128")


def test_wrong_input_is_explained_and_kept(tab: Tab) -> None:
    page = tab.open("/amdahl?seq_len=9000")
    for text in ("abc", "0", "-5", "1e99", "NaN", ""):
        type_number(page, SEQ_LEN, text)
        error = page.locator("#amdahl-seq_len-error")
        expect(error).to_contain_text("seq_len must be a whole number from 128 to 1,048,576")
        expect(error).to_contain_text(text or "nothing")
        expect(page.locator(SEQ_LEN)).to_have_value(text)
        assert query_of(page) == "seq_len=9000"
        expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of("seq_len=9000"))
    # Another change goes on from the last good state, and the mistake stays to be mended.
    choose(page, "Hybrid")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of("seq_len=9000&variant=hybrid"))
    expect(page.locator("#amdahl-seq_len-error")).to_contain_text("nothing")
    expect(page.locator(SEQ_LEN)).to_have_value("")
    type_number(page, SEQ_LEN, "9001")
    expect_state(page, "seq_len=9001&variant=hybrid")
    expect(page.locator("#amdahl-seq_len-error")).to_be_empty()


def test_custom_shape_starts_from_the_one_on_screen(tab: Tab) -> None:
    page = tab.open("/amdahl?shape=gpt2-small")
    expect(page.locator("#amdahl-d_model")).to_be_hidden()
    page.click("#amdahl-shape")
    page.get_by_text("Custom", exact=True).click()
    expect(page.locator("#amdahl-d_model")).to_be_visible()
    expect(page.locator("#amdahl-d_model")).to_have_value("768")
    type_number(page, "#amdahl-d_model", "770")
    expect(page.locator("#amdahl-d_model-error")).to_contain_text("multiple of n_heads 12")
    type_number(page, "#amdahl-d_model", "1536")
    page.wait_for_function("() => window.location.search.includes('d_model=1536')")
    expect_state(page, query_of(page))


def test_a_clash_with_another_field_is_settled_with_a_notice(tab: Tab) -> None:
    page = tab.open("/amdahl?block_size=2048&variant=block-circulant")
    page.click("#amdahl-shape")
    page.get_by_text("Llama-2-7B", exact=True).click()
    expect(page.locator("#amdahl-notices")).to_contain_text("block_size must be a power of two")
    expect_state(page, "shape=llama2-7b&variant=block-circulant")
    expect(page.locator("#amdahl-block_size")).to_have_value("256")


def test_a_slow_answer_never_overwrites_a_newer_one(tab: Tab) -> None:
    page = tab.open("/amdahl")
    sent = state_updates(tab)
    held = hold_the_first(page)
    with page.expect_request(UPDATE):
        type_number(page, SEQ_LEN, "1000")
    type_number(page, SEQ_LEN, "2000")
    type_number(page, SEQ_LEN, "3000")
    page.wait_for_function("() => document.querySelector('#amdahl-seq_len').value === '3000'")
    assert len(sent) == 1, "one request in flight at a time"
    held[0].continue_()
    expect_state(page, "seq_len=3000")
    assert [length for length in lengths(sent) if length == "2000"] == [], "skipped, not queued"
    assert lengths(sent)[0] == "1000"


@pytest.mark.parametrize(
    ("mistake", "selector"), [("0.5", "#amdahl-block_size"), ("many", SEQ_LEN)]
)
def test_a_mistake_meanwhile_leaves_one_state_everywhere(
    tab: Tab, mistake: str, selector: str
) -> None:
    """An edit made while an answer is awaited outlives a mistake made before it comes."""
    page = tab.open("/amdahl?variant=block-circulant")
    held = hold_the_first(page)
    with page.expect_request(UPDATE):
        type_number(page, SEQ_LEN, "9000")
    type_number(page, selector, mistake)
    held[0].continue_()
    error = page.locator(f"{selector}-error")
    expect(error).to_contain_text(mistake)
    query = "variant=block-circulant&seq_len=9000"
    page.wait_for_function("() => window.location.search.includes('seq_len=9000')")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(query))
    expect(page.locator("#amdahl-python")).to_contain_text("9000")
    expect(page.locator(selector)).to_have_value(mistake)
    expect(error).to_contain_text(mistake)
    type_number(page, SEQ_LEN, "9001")
    expect_state(page, "seq_len=9001&variant=block-circulant")
    if selector == SEQ_LEN:
        expect(error).to_be_empty()
    else:
        # Another field's edit mends nothing here: what was typed and why it is wrong both stay.
        expect(page.locator(selector)).to_have_value(mistake)
        expect(error).to_contain_text(mistake)


def test_a_table_or_a_pin_meanwhile_never_brings_an_older_state_back(tab: Tab) -> None:
    page = tab.open("/amdahl")
    held = hold_the_first(page)
    with page.expect_request(UPDATE):
        type_number(page, SEQ_LEN, "9000")
    page.locator(".twin summary").first.click()
    page.click("#amdahl-pin")
    held[0].continue_()
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of("seq_len=9000"))
    expect(page.locator("#amdahl-compare table")).to_be_visible()
    attention = 3 * 2 * 4096 * 9001 * 32  # scores and values of 32 layers, forward and twice back
    expect(page.locator("#amdahl-ledger-table")).to_contain_text(f"{attention:,}")
    page.wait_for_function("() => window.location.search.startsWith('?seq_len=9000&pin=')")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of("seq_len=9000"))


def test_a_failing_server_is_reported_and_recovered_from(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab()
    tab.expected_failures = True  # the browser reports the status itself
    page = tab.open("/amdahl")
    page.route(UPDATE, lambda route: route.fulfill(status=500, body="no"))
    type_number(page, SEQ_LEN, "1000")
    expect(page.locator("#amdahl-connection")).to_contain_text("could not answer")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(""))
    page.unroute(UPDATE)
    expect_state(page, "seq_len=1000")  # asked again by the page itself
    expect(page.locator("#amdahl-connection")).to_be_empty()
    type_number(page, SEQ_LEN, "2000")
    expect_state(page, "seq_len=2000")
    expect(page.locator("#amdahl-connection")).to_be_empty()


def test_a_copied_link_reproduces_the_state_and_the_theme(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(permissions=["clipboard-read", "clipboard-write"], color_scheme="light")
    page = tab.open("/amdahl")
    choose(page, "Block-circulant")
    expect_state(page, "variant=block-circulant")
    type_number(page, SEQ_LEN, "9000")
    type_number(page, "#amdahl-fft_rate", "0.0625")
    expect_state(page, "fft_rate=0.0625&seq_len=9000&variant=block-circulant")
    page.click("[data-action=theme]")
    page.click("#amdahl-copy")
    expect(page.locator("#amdahl-copied")).to_have_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    other = new_tab(color_scheme="light")
    other.open(link.removeprefix(other.site))
    expect_state(other.page, "fft_rate=0.0625&seq_len=9000&variant=block-circulant")
    assert other.page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(other.page.locator("#amdahl-notices")).to_be_empty()

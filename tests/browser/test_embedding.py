"""Embeds: parts left out, what they tell the page that holds them, and a real reveal.js deck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect
from werkzeug.wrappers import Request, Response

from foptrn_model.tours import TOURS
from tests.browser.conftest import Tab, serving
from tests.browser.steps import query_of, verdict_of
from tests.browser.test_looks import overflow

REVEAL = Path(__file__).parents[2] / "assets" / "vendor" / "reveal"
SLIDE = {"width": 960, "height": 540}
HOLDER = """<!DOCTYPE html><title>Holder</title><link rel="icon" href="data:,">
<iframe src="{site}/amdahl?embed=1" width="960" height="540"
  sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"></iframe>
<script>
  window.said = [];
  const frame = document.querySelector("iframe");
  window.addEventListener("message", (event) => {{
    if (event.source !== frame.contentWindow || event.origin !== "{site}") return;
    window.said.push(event.data);
    if (event.data.type === "foptrn:height") frame.height = event.data.height;
  }});
  const post = (message) => frame.contentWindow.postMessage(message, "{site}");
</script>"""
DECK = """<!DOCTYPE html><html><head><title>Deck</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="reveal.css"></head><body>
<div class="reveal"><div class="slides">
<section><h2>First</h2></section>{slide}<section><h2>Last</h2></section></div></div>
<script src="reveal.js"></script>
<script>Reveal.initialize({{ width: 1000, height: 600, transition: "none", preloadIframes: true }});</script>
</body></html>"""
SAID = "wanted => window.said.some(item => Object.entries(wanted).every(([k, v]) => item[k] === v))"


@pytest.mark.parametrize("hide", ["controls", "figures,verdict", "controls,figures,verdict"])
def test_what_is_hidden_leaves_its_room_to_the_rest(new_tab: Callable[..., Tab], hide: str) -> None:
    tab = new_tab(viewport=SLIDE)
    page = tab.page
    page.goto(f"{tab.site}/amdahl?embed=1&hide={hide}&variant=block-circulant&fft_rate=0.0625")
    page.wait_for_function(
        "() => document.querySelector('#amdahl-python')?.textContent.includes('block-circulant')"
    )
    for part, selector in (
        ("controls", ".controls"),
        ("figures", ".figures"),
        ("verdict", ".verdict"),
    ):
        expect(page.locator(selector)).to_be_visible(visible=part not in hide)
    assert overflow(page) == []
    if "controls" in hide and "figures" not in hide:
        page.wait_for_function(
            "() => document.querySelector('#amdahl-ledger-figure .main-svg')?.clientWidth > 900"
        )


def test_an_embedded_tour_fits_a_slide(new_tab: Callable[..., Tab]) -> None:
    slug = "trainers"  # the longest verdict, and a figure that comes with its state
    steps = len(TOURS[slug])
    page = new_tab(viewport=SLIDE).open(f"/{slug}?embed=1&tour={steps - 1}")
    for number in (steps - 1, steps):
        expect(page.locator(f"#{slug}-tour-count")).to_have_text(f"Step {number} of {steps}")
        expect(page.locator("[data-pointed]")).to_be_in_viewport(ratio=1)
        assert [item for item in overflow(page) if "plate-tabs" not in item] == []
        if number < steps:
            page.click(f"#{slug}-tour-next")


def test_a_row_that_scrolls_sideways_shows_it(new_tab: Callable[..., Tab]) -> None:
    page = new_tab(viewport={"width": 390, "height": 800}).open("/amdahl")
    row = page.locator(".shell-header nav")
    expect(row).to_have_attribute("data-more", "after")
    assert "gradient" in row.evaluate("item => getComputedStyle(item).maskImage")
    row.evaluate("item => item.scrollTo({ left: 40 })")
    expect(row).to_have_attribute("data-more", "before after")
    row.evaluate("item => item.scrollTo({ left: item.scrollWidth })")
    expect(row).to_have_attribute("data-more", "before")


@contextmanager
def held(tab: Tab, answer: Any, path: str = "/") -> Iterator[Page]:
    """A page on another site than the app's: localhost and 127.0.0.1 are two."""
    with serving(answer) as port:
        tab.hosts.add(f"localhost:{port}")
        tab.page.goto(f"http://localhost:{port}{path}")
        yield tab.page


def explorer_in(page: Page, site: str) -> Frame:
    return next(frame for frame in page.frames if frame.url.startswith(site))


def last_state(page: Page) -> Any:
    return page.evaluate("window.said.filter(item => item.type === 'foptrn:state').at(-1)")


def test_the_holding_page_sets_values_and_is_told(new_tab: Callable[..., Tab], site: str) -> None:
    tab = new_tab(viewport={"width": 1000, "height": 700})
    with held(tab, Response(HOLDER.format(site=site), content_type="text/html")) as page:
        page.wait_for_function(SAID, arg={"type": "foptrn:state", "query": ""})
        assert page.evaluate("window.said[0]") == {"type": "foptrn:ready", "explorer": "amdahl"}
        assert last_state(page)["verdict"] == verdict_of("")
        # Two messages at once end in one state with both.
        page.evaluate("post({set: {seq_len: 9000}}); post({set: {variant: 'hybrid'}})")
        wanted = "seq_len=9000&variant=hybrid"
        page.wait_for_function(SAID, arg={"type": "foptrn:state", "query": wanted})
        assert last_state(page)["verdict"] == verdict_of(wanted)
        frame = explorer_in(page, site)
        expect(frame.locator("#amdahl-seq_len")).to_have_value("9,000")

        def refused(message: str) -> Any:
            page.evaluate("window.said.length = 0")
            page.evaluate(f"post({message})")
            page.wait_for_function(SAID, arg={"type": "foptrn:refused"})
            return page.evaluate("window.said.find(item => item.type === 'foptrn:refused').errors")

        [error] = refused("{set: {seq_len: 1, variant: 'transformer'}}")
        assert error["param"] == "seq_len"
        assert "from 128 to 1,048,576, got 1" in error["message"]
        expect(frame.locator("#amdahl-seq_len-error")).to_contain_text("from 128 to 1,048,576")
        [error] = refused("{set: {colour: 1}}")
        assert "colour is not a parameter here; known: variant, seq_len" in error["message"]
        expect(frame.locator("#amdahl-notices")).to_contain_text("colour is not a parameter here")
        assert refused("{set: {seq_len: {}}}")[0]["param"] == "seq_len"
        assert refused("{set: [1]}")[0]["param"] == "set"
        assert refused("{set: {variant: 'x'.repeat(5000)}}")[0]["param"] == "variant"
        # One without a use beside one with: the first is named, the second holds.
        [error] = refused("{set: {gated_mlp: false, variant: 'hyena'}}")
        assert error["param"] == "gated_mlp"
        page.wait_for_function(SAID, arg={"type": "foptrn:state", "query": "seq_len=9000"})
        page.evaluate("post({set: {variant: 'hybrid'}})")
        page.wait_for_function(SAID, arg={"type": "foptrn:state", "query": wanted})
        # None of the rest counted, and what follows starts from the last good state.
        page.evaluate("post({set: {fft_rate: 0.5}})")
        wanted = f"fft_rate=0.5&{wanted}"
        page.wait_for_function(SAID, arg={"type": "foptrn:state", "query": wanted})
        expect(frame.locator("#amdahl-seq_len-error")).to_be_empty()
        # From anyone else nothing is taken: the frame itself is not its parent.
        frame.evaluate("window.postMessage({set: {seq_len: 500}}, '*')")
        page.evaluate("post({set: {seq_len: 1000}})")
        page.wait_for_function(
            SAID, arg={"type": "foptrn:state", "query": wanted.replace("9000", "1000")}
        )
        assert page.evaluate("window.said.every(item => !(item.query || '').includes('=500'))")
        # The height that it asks for is its own, whatever the height that it has.
        asked = page.evaluate("Number(frame.height)")
        assert 300 < asked < 600
        page.evaluate("frame.height = 900; window.said.length = 0; post({set: {seq_len: 1001}})")
        page.wait_for_function(
            SAID, arg={"type": "foptrn:state", "query": wanted.replace("9000", "1001")}
        )
        page.wait_for_function(
            "() => window.said.every(item => item.type !== 'foptrn:height' || item.height < 600)"
        )


def test_a_page_that_is_not_held_takes_no_messages(tab: Tab) -> None:
    page = tab.open("/amdahl?embed=1")
    page.evaluate("window.postMessage({set: {seq_len: 500}}, '*')")
    page.locator("#amdahl-variant label", has_text="Hybrid").click()
    page.wait_for_function("() => location.search.includes('variant=hybrid')")
    assert "seq_len" not in query_of(page)


def test_a_reveal_deck_moves_on_after_a_click_into_the_explorer(
    new_tab: Callable[..., Tab], site: str
) -> None:
    author = new_tab(permissions=["clipboard-read", "clipboard-write"])
    author.open("/amdahl?seq_len=9000")
    author.page.click("#amdahl-take-copy-slide")
    expect(author.page.locator("#amdahl-taken")).to_have_text("Slide copied")
    slide = author.page.evaluate("navigator.clipboard.readText()")
    assert slide.count("<section>") == 1

    @Request.application
    def deck(request: Request) -> Response:
        file = REVEAL / request.path.strip("/")
        if file.is_file():
            kind = "text/css" if file.suffix == ".css" else "text/javascript"
            return Response(file.read_bytes(), content_type=kind)
        return Response(DECK.format(slide=slide + slide), content_type="text/html")

    tab = new_tab(viewport={"width": 1100, "height": 700})
    with held(tab, deck, "/#/1") as page:
        page.wait_for_function(
            "() => window.Reveal && Reveal.isReady() && Reveal.getIndices().h === 1"
        )
        inner = page.frame_locator("section.present iframe")
        expect(inner.locator("#amdahl-verdict")).to_have_text(verdict_of("seq_len=9000"))
        holder = page.wait_for_selector("section.present iframe")
        assert holder is not None
        frame = holder.content_frame()
        assert frame is not None
        assert frame.evaluate("Object.hasOwn(window, 'localStorage')"), "storage is denied here"

        def press_into(selector: str) -> None:
            """A click at its place on the screen; the deck scales the frame."""
            frame.wait_for_selector(selector)
            x, y = frame.eval_on_selector(
                selector,
                "item => { const box = item.getBoundingClientRect();"
                " return [box.x + box.width / 2, box.y + box.height / 2]; }",
            )
            left, top, scale = holder.evaluate(
                "item => { const box = item.getBoundingClientRect();"
                " return [box.x, box.y, box.width / item.offsetWidth]; }"
            )
            page.mouse.click(left + scale * x, top + scale * y)
            page.wait_for_function("() => document.activeElement.tagName === 'IFRAME'")

        at = "wanted => Reveal.getIndices().h === wanted"
        # A slider keeps its arrows and the deck stays.
        press_into("#amdahl-seq_len-control [role=slider]")
        page.keyboard.press("ArrowRight")
        expect(inner.locator("#amdahl-verdict")).not_to_have_text(verdict_of("seq_len=9000"))
        assert page.evaluate("Reveal.getIndices().h") == 1
        # Escape leaves it; a figure has no use for arrows. One press moves one slide, though two
        # slides listen.
        page.keyboard.press("Escape")
        press_into("#amdahl-ledger-figure .main-svg")
        page.keyboard.press("ArrowRight")
        page.wait_for_function(at, arg=2)
        # The keyboard is the deck's again.
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(at, arg=1)
        expect(inner.locator("#amdahl-verdict")).not_to_have_text(verdict_of("seq_len=9000"))
        # The deck sets a state.
        query = "seq_len=9000&variant=hybrid"
        page.evaluate(
            "site => document.querySelector('section.present iframe').contentWindow.postMessage("
            "{set: {seq_len: '9,000', variant: 'hybrid'}}, site)",
            site,
        )
        expect(inner.locator("#amdahl-verdict")).to_have_text(verdict_of(query))
    # Chromium warns of any sandboxed frame that has no address yet; the deck gives it later.
    tab.complaints[:] = [text for text in tab.complaints if "escape its sandboxing" not in text]


def test_keys_that_are_used_stay_and_others_are_passed_on(
    new_tab: Callable[..., Tab], site: str
) -> None:
    tab = new_tab(viewport={"width": 1000, "height": 700})
    with held(tab, Response(HOLDER.format(site=site), content_type="text/html")) as page:
        page.wait_for_function(SAID, arg={"type": "foptrn:state"})
        frame = explorer_in(page, site)

        def passed(selector: str, keys: list[str]) -> list[str]:
            frame.focus(selector)
            page.evaluate("window.said.length = 0")
            for key in [*keys, "F9"]:  # nothing uses it, so it says that all the others have come
                page.keyboard.press(key)
            page.wait_for_function(SAID, arg={"type": "foptrn:key", "key": "F9"})
            said: list[str] = page.evaluate(
                "window.said.filter(item => item.type === 'foptrn:key').map(item => item.key)"
            )
            return said[:-1]

        assert passed("#amdahl-copy", ["ArrowRight", "Shift", "b"]) == ["ArrowRight", "b"]
        assert passed("#amdahl-show-length", ["Enter", "Space", "ArrowLeft"]) == ["ArrowLeft"]
        assert passed("#amdahl-seq_len-control [role=slider]", ["Home", "PageUp", "n"]) == ["n"]
        assert passed("#amdahl-variant input:checked", ["ArrowDown", "PageDown"]) == ["PageDown"]
        frame.focus("#amdahl-seq_len")
        page.evaluate("window.said.length = 0")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("5")
        page.keyboard.press("Escape")
        page.wait_for_function(SAID, arg={"type": "foptrn:key", "key": "Escape"})
        assert len(page.evaluate("window.said.filter(item => item.type === 'foptrn:key')")) == 1
        expect(frame.locator("#amdahl-seq_len")).not_to_be_focused()

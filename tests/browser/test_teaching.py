"""Teaching: a tour by keyboard, its links, and a verdict that waits for a guess."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from foptrn_model.tours import TOURS, tell
from tests.browser.conftest import Tab
from tests.browser.steps import SEQ_LEN, choose, query_of, take_time, type_number, verdict_of

TOUR = "#amdahl-tour"
STEPS = len(TOURS["amdahl"])
CLEAR = """() => {
  const panel = document.querySelector('.tour').getBoundingClientRect();
  const item = document.querySelector('[data-pointed]');
  if (!item) return false;
  const box = (item.querySelector('.graph-frame') || item).getBoundingClientRect();
  const beside = box.right <= panel.left || box.left >= panel.right
    || box.bottom <= panel.top || box.top >= panel.bottom;
  return beside && box.top >= 0 && box.bottom <= innerHeight;
}"""


def expect_step(page: Page, number: int, slug: str = "amdahl") -> None:
    """Panel, verdict and address are at this step, and what it points at can be seen."""
    told = tell(slug, number)
    expect(page.locator(f"#{slug}-tour-count")).to_have_text(f"Step {number} of {told.of}")
    expect(page.locator(f"#{slug}-tour-title")).to_have_text(told.title)
    expect(page.locator(f"#{slug}-tour-text")).to_have_text(told.text)
    expect(page.locator(f"#{slug}-tour-said")).to_contain_text(told.text)
    kind, _, name = told.at.partition(":")
    at = kind if kind == "verdict" else f"{name}-{kind}"
    expect(page.locator("[data-pointed]")).to_have_id(f"{slug}-{at}")
    page.wait_for_function(CLEAR)
    query = "&".join(part for part in (told.query, f"tour={number}") if part)
    page.wait_for_function("wanted => location.search === '?' + wanted", arg=query)
    if slug == "amdahl":
        expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(told.query))


def test_a_tour_is_walked_by_keyboard_and_by_back(tab: Tab) -> None:
    page = tab.open("/amdahl")
    page.focus("#amdahl-take-tour")
    page.keyboard.press("Enter")
    expect_step(page, 1)
    expect(page.locator("#amdahl-tour-title")).to_be_focused()
    page.keyboard.press("Tab")
    for number in range(2, STEPS + 1):
        expect(page.locator("#amdahl-tour-next")).to_be_focused()
        take_time(page)
        page.keyboard.press("Enter")
        expect_step(page, number)
    expect(page.locator("#amdahl-tour-next")).to_be_hidden()
    expect(page.locator("#amdahl-tour-end")).to_be_focused()
    page.go_back()
    expect_step(page, STEPS - 1)
    # The text stays beside a state of the reader's own.
    type_number(page, SEQ_LEN, "9000")
    page.wait_for_function("() => location.search.includes('seq_len=9000')")
    expect(page.locator("#amdahl-tour-count")).to_have_text(f"Step {STEPS - 1} of {STEPS}")
    page.keyboard.press("Escape")
    expect(page.locator(TOUR)).to_be_hidden()
    expect(page.locator("[data-pointed]")).to_have_count(0)
    page.wait_for_function("() => location.search === ''")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(""))
    page.go_back()
    expect(page.locator(TOUR)).to_be_visible()


def test_the_end_of_a_tour_returns_to_the_readers_state_unless_they_keep_it(tab: Tab) -> None:
    page = tab.open("/amdahl?seq_len=2048")
    page.click("#amdahl-take-tour")
    expect_step(page, 1)
    page.click("#amdahl-tour-next")
    expect_step(page, 2)
    page.click("#amdahl-tour-end")
    page.wait_for_function("() => location.search === '?seq_len=2048'")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of("seq_len=2048"))
    expect(page.locator(SEQ_LEN)).to_have_value("2,048")
    expect(page.locator("#amdahl-take-tour")).to_be_focused()
    expect(page.locator("#amdahl-take-tour")).to_be_in_viewport()
    page.click("#amdahl-take-tour")
    expect_step(page, 1)
    page.click("#amdahl-tour-keep")
    expect(page.locator(TOUR)).to_be_hidden()
    page.wait_for_function("() => location.search === ''")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(""))


def test_what_gives_the_answer_away_waits_for_the_guess(tab: Tab) -> None:
    page = tab.open("/transit?hide=verdict&tour=2")
    expect(page.get_by_role("radio")).not_to_have_count(0)
    expect(page.get_by_text("The figures follow once you have guessed.")).to_be_visible()
    parts = [
        page.locator(part) for part in (".plate .graph", ".takeaway", ".tour", "#transit-take-tour")
    ]
    for part in parts:
        expect(part.locator("visible=true")).to_have_count(0)
    page.click("#transit-reveal")
    expect(page.locator("#transit-guess-error")).to_contain_text("Band at the switch")
    page.get_by_role("radiogroup", name="Your guess").get_by_text("Band at the switch").click()
    page.click("#transit-reveal")
    expect(page.locator("#transit-guess-told")).to_contain_text("You said Band at the switch")
    for part in parts:
        expect(part.first).to_be_visible()
    page.wait_for_function(
        "() => { const plot = document.querySelector('.plate .js-plotly-plot');"
        " return Math.round(plot._fullLayout.width) === plot.clientWidth; }"
    )


def test_a_link_to_a_step_opens_there_and_says_the_default_state(tab: Tab) -> None:
    page = tab.open("/amdahl?tour=2")
    expect_step(page, 2)
    page.click("#amdahl-reset")
    page.wait_for_function("() => location.search === '?variant=hyena&tour=2'")
    page.reload()
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(""))
    expect(page.locator("#amdahl-tour-count")).to_contain_text("Step 2")


def test_on_a_phone_the_panel_leaves_in_view_what_it_points_at(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    expect_step(tab.open("/optical-dfa?tour=3"), 3, "optical-dfa")


def test_a_verdict_waits_for_a_guess(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(permissions=["clipboard-read", "clipboard-write"])
    page = tab.open("/amdahl?hide=verdict")
    verdict, box = page.locator("#amdahl-verdict"), page.locator("#amdahl-guess")
    hidden = [page.locator(part) for part in (".verdict", ".working", ".compare", ".story")]
    choose(page, "Block-circulant")
    page.wait_for_function("() => location.search.includes('variant=block-circulant')")
    expect(verdict).to_have_text(verdict_of("variant=block-circulant"))
    for part in hidden:
        expect(part).to_be_hidden()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+c")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "Your guess" in copied
    assert verdict_of("variant=block-circulant") not in copied
    page.emulate_media(media="print")
    expect(verdict).to_be_hidden()
    page.emulate_media(media="screen")
    expect(page.get_by_label("Your guess: Bound on the speed-up, by time (\u00d7)")).to_have_id(
        "amdahl-guess"
    )
    type_number(page, "#amdahl-guess", "a lot")
    expect(page.locator("#amdahl-guess-error")).to_contain_text("a lot is no guess here")
    expect(verdict).to_be_hidden()
    box.fill("2x")
    page.click("#amdahl-reveal")
    expect(verdict).to_be_visible()
    expect(page.locator("#amdahl-guess-told")).to_contain_text("You said 2x; it is 1.11\u00d7")
    page.click("#amdahl-copy")
    link = "navigator.clipboard.readText()"
    page.wait_for_function(f"async () => (await {link}).includes('hide=verdict')")
    # Revealed it stays so; what was said of another state goes.
    choose(page, "Hybrid")
    expect(verdict).to_have_text(verdict_of("variant=hybrid"))
    expect(page.locator("#amdahl-guess-told")).to_be_empty()
    page.click("#amdahl-guess-again")
    expect(verdict).to_be_hidden()
    expect(box).to_have_value("")
    page.click("#amdahl-reveal-plain")
    expect(verdict).to_be_visible()
    assert query_of(page).startswith("variant=hybrid&hide=verdict")

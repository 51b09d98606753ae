"""Verdict and first figure while a slider moves: by the page's own model, settled by the server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from foptrn_model.explorers import EXPLORERS
from pages._plates import amdahl, masks, optical_dfa, transit
from tests.browser.conftest import Tab
from tests.browser.ported import differences
from tests.browser.steps import asked_by, drag_thumb, expect_state, query_of, verdict_of

ANSWERS = "**/_dash-update-component*"
DRAGGED = {
    "amdahl": ("seq_len", amdahl.PLATES),
    "masks": ("frame_rate_hz", masks.PLATES),
    "transit": ("wan_GBps", transit.PLATES),
    "optical-dfa": ("width", optical_dfa.PLATES),
}
SHOWN_DIGITS = 1e-4
"""Python sends the numbers of a figure with five digits."""


class Held:
    """Keeps the page's requests for answers until they are let go."""

    def __init__(self, page: Page) -> None:
        self.routes: list[Route] = []
        self.holding = True
        page.route(ANSWERS, self._keep)

    def _keep(self, route: Route) -> None:
        if self.holding:
            self.routes.append(route)
        else:
            route.continue_()

    def let_go(self) -> None:
        self.holding = False
        for route in self.routes:
            route.continue_()
        self.routes.clear()


def open_instant(tab: Tab, path: str) -> Page:
    """Open an explorer and wait until its model is there."""
    page = tab.open(path)
    page.wait_for_selector("[data-instant]", state="attached")
    return page


def verdict_at(slug: str, query: str) -> str:
    params = EXPLORERS[slug].params.from_query(query)
    return EXPLORERS[slug].verdict(params, EXPLORERS[slug].compute(params))


def expect_figure(page: Page, slug: str, query: str) -> None:
    """The first figure is that of a state, whoever drew it."""
    explorer, plate = EXPLORERS[slug], DRAWN[slug]
    drawn = plate.draw(explorer.evaluate(explorer.params.from_query(query)), [])
    plot = f"document.querySelector('#{slug}-{plate.name}-figure .js-plotly-plot')"
    page.wait_for_function(
        f"wanted => JSON.stringify({plot}.layout.annotations.map(note => note.text)) === wanted",
        arg=json.dumps(
            [note["text"] for note in drawn["layout"]["annotations"]],
            ensure_ascii=False,
            separators=(",", ":"),
        ),
    )
    shown = page.evaluate(f"{plot}.data.map(({{name, x, y}}) => ({{name, x, y}}))")
    wanted = [{part: trace[part] for part in ("name", "x", "y")} for trace in drawn["data"]]
    assert differences(shown, json.loads(json.dumps(wanted)), tolerance=SHOWN_DIGITS) == []


DRAWN = {slug: plates[0] for slug, (_, plates) in DRAGGED.items()}


def expect_settled(page: Page, slug: str) -> None:
    """The server has answered what was asked last, and its figure is there."""
    page.wait_for_function(
        "([slug, name]) => { const page = foptrn.onScreen();"
        " const plot = document.querySelector(`#${slug}-${name}-figure .js-plotly-plot`);"
        " return !page.local && page.answer.serial === page.serial && !page.inFlight"
        " && plot.layout.meta > 0 && plot.layout.meta <= page.serial; }",
        arg=[slug, DRAWN[slug].name],
    )
    expect(page.locator(f"#{slug}-verdict")).not_to_have_attribute("aria-busy", "true")


@pytest.mark.parametrize("slug", DRAGGED)
def test_a_drag_is_answered_by_the_page_itself(tab: Tab, slug: str) -> None:
    page = open_instant(tab, f"/{slug}")
    field, _ = DRAGGED[slug]
    held = Held(page)
    drag_thumb(page, -40, release=False, thumb=f"#{slug}-{field}-control [role=slider]")
    value = page.locator(f"#{slug}-{field}").input_value().replace(",", "")
    query = f"{field}={value}"
    assert value != str(EXPLORERS[slug].params.specs()[field].default)
    expect(page.locator(f"#{slug}-verdict")).to_have_text(verdict_at(slug, query))
    expect_figure(page, slug, query)
    assert query_of(page) == ""
    page.mouse.up()
    held.let_go()
    expect_settled(page, slug)
    expect(page.locator(f"#{slug}-verdict")).to_have_text(verdict_at(slug, query))
    expect_figure(page, slug, query)
    page.wait_for_function("wanted => window.location.search === '?' + wanted", arg=query)


def test_the_line_of_a_figure_is_answered_by_the_page_itself(tab: Tab) -> None:
    page = open_instant(tab, "/transit")
    held = Held(page)
    plot = page.locator("#transit-wan-figure .nsewdrag").first
    box: Any = plot.bounding_box()
    x = page.evaluate(
        "() => { const plot = document.querySelector('#transit-wan-figure .js-plotly-plot');"
        " const axis = plot._fullLayout.xaxis;"
        " return plot.getBoundingClientRect().left + axis._offset + axis.d2p(12.5); }"
    )
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x - 120, box["y"] + box["height"] / 2, steps=6)
    expect(page.locator("#transit-wan_GBps")).not_to_have_value("12.5")
    query = f"wan_GBps={page.locator('#transit-wan_GBps').input_value()}"
    expect(page.locator("#transit-verdict")).to_have_text(verdict_at("transit", query))
    expect_figure(page, "transit", query)
    page.mouse.up()
    held.let_go()
    expect_settled(page, "transit")
    expect_figure(page, "transit", query)


def test_without_its_model_a_page_goes_by_the_server(tab: Tab) -> None:
    tab.expected_failures = True  # the browser itself tells of a script that does not come
    tab.page.route("**/assets/model-*.js*", lambda route: route.abort())
    with tab.page.expect_event("requestfailed"):
        page = tab.open("/amdahl")
    drag_thumb(page, 60)
    page.wait_for_function("() => window.location.search.includes('seq_len')")
    expect_settled_by_server(page)
    assert page.locator("[data-instant]").count() == 0
    assert [text for text in tab.complaints if "ERR_FAILED" not in text] == []


def expect_settled_by_server(page: Page) -> None:
    page.wait_for_function(
        "() => { const page = foptrn.onScreen();"
        " return page.answer.serial === page.serial && !page.inFlight; }"
    )
    expect_state(page, query_of(page))


def test_a_late_answer_does_not_undo_what_is_newer(tab: Tab) -> None:
    page = open_instant(tab, "/amdahl")
    held = Held(page)
    page.focus("#amdahl-seq_len-control [role=slider]")
    with page.expect_request(ANSWERS):
        page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    query = f"seq_len={round(4096 * 2**0.5)}"
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(query))
    page.evaluate(
        "() => { window.said = new Set(); const look = () => {"
        " said.add(document.querySelector('#amdahl-verdict').textContent);"
        " requestAnimationFrame(look); }; look(); }"
    )
    # The next request goes once the answer to the first has come; that one is kept as well.
    with page.expect_request(ANSWERS):
        held.routes[0].continue_()
    page.wait_for_function("() => foptrn.onScreen().good.seq_len !== '4096'")
    expect_figure(page, "amdahl", query)
    held.routes.pop(0)
    held.let_go()
    expect_settled(page, "amdahl")
    expect_figure(page, "amdahl", query)
    assert page.evaluate("[...said]") == [verdict_of(query)]


def test_what_python_would_refuse_is_left_to_it(tab: Tab) -> None:
    query = "block_size=2048&variant=block-circulant"
    page = open_instant(tab, f"/amdahl?{query}")
    held = Held(page)
    page.focus("#amdahl-block_size-control [role=slider]")
    with page.expect_request(ANSWERS):
        page.keyboard.press("End")
    expect(page.locator("#amdahl-block_size")).to_have_value("4,096")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(query))
    held.let_go()
    expect(page.locator("#amdahl-block_size-error")).to_contain_text("must be a power of two")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(query))


def test_pinned_scenarios_are_drawn_by_the_server(tab: Tab) -> None:
    page = open_instant(tab, "/amdahl")
    page.click("#amdahl-pin")
    page.wait_for_function("() => window.location.search.includes('pin=')")
    held = Held(page)
    with page.expect_request(ANSWERS) as told:
        drag_thumb(page, 60, release=False)
    value = page.locator("#amdahl-seq_len").input_value().replace(",", "")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(f"seq_len={value}"))
    asked = asked_by(told.value)
    assert "verdict" in asked["told"]
    assert "ledger" in asked["plates"]
    page.mouse.up()
    held.let_go()
    expect_settled(page, "amdahl")


def test_a_key_held_down_is_one_change(tab: Tab) -> None:
    page = open_instant(tab, "/amdahl")
    before = page.evaluate("window.history.length")
    page.focus("#amdahl-seq_len-control [role=slider]")
    for _ in range(5):
        page.keyboard.down("ArrowRight")  # from the second on a repeat
    expect(page.locator("#amdahl-verdict")).to_have_text(
        verdict_of(f"seq_len={round(4096 * 2**0.625)}")
    )
    page.keyboard.up("ArrowRight")
    expect_settled(page, "amdahl")
    expect_state(page, f"seq_len={round(4096 * 2**0.625)}")
    assert page.evaluate("window.history.length") == before + 1

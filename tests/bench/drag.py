"""A slider dragged with a mouse: how long until verdict and first plot have followed.

Run by itself (``python -m tests.bench.drag``) it prints only this part.
"""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass

import dash
from playwright.sync_api import Page, sync_playwright

from app import create_app
from pages._figures.browser import SCRIPTS
from pages._server.settings import Settings
from tests.browser.conftest import CHROMIUM_FLAGS, chromium, serving

MOVES = 30
GAP_MS = 120
"""From one move to the next: about the pace at which the server's figures come."""
STEP_PX = 6
BUDGETS_MS = {"verdict text": 50, "redrawn plot": 150}

WATCH = """() => {
  const times = window.times = { "verdict text": [], "redrawn plot": [] };
  const open = { "verdict text": [], "redrawn plot": [] };
  const seen = (what) => {
    open[what].splice(0).forEach((start) => times[what].push(performance.now() - start));
  };
  document.addEventListener("pointermove", (event) => {
    if (event.buttons) Object.values(open).forEach((starts) => starts.push(event.timeStamp));
  }, true);
  new MutationObserver(() => seen("verdict text")).observe(
    document.querySelector(".verdict"), { characterData: true, childList: true, subtree: true });
  document.querySelector(".plate .js-plotly-plot").on("plotly_afterplot", () => seen("redrawn plot"));
}"""
"""A move counts until the next change, so that one passed over waits for what comes after it."""


@dataclass(frozen=True)
class Delays:
    """Milliseconds from a move of the pointer, by what has followed."""

    times: dict[str, list[float]]

    def at(self, what: str, percentile: int) -> float:
        return statistics.quantiles(self.times[what], n=100)[percentile - 1]


def drag(page: Page) -> Delays:
    """Drag the first slider of the page."""
    thumb = page.locator(".controls [role=slider]").first
    box = thumb.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + STEP_PX, y)
    page.wait_for_timeout(1000)  # what the first move sets going is done
    page.evaluate("() => Object.values(times).forEach((list) => { list.length = 0; })")
    for move in range(MOVES):
        # To and fro, to another value each time.
        page.mouse.move(x + STEP_PX * (2 + (move % 8 if move % 16 < 8 else 8 - move % 8)), y)
        page.wait_for_timeout(GAP_MS)
    page.wait_for_timeout(1000)
    times: dict[str, list[float]] = page.evaluate("() => structuredClone(times)")
    page.mouse.up()
    return Delays(times)


def report(app: dash.Dash) -> None:
    """Measure the explorers that answer in the browser, and print two lines for each."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'drag to ..., ms':<28}{'here p50':>10}{'p95':>7}{'server p50':>12}{'p95':>7}"
          f"{'ratio of p95':>14}{'budget p95':>12}")  # fmt: skip
    with serving(app.server) as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for slug in SCRIPTS:
            page.goto(f"http://127.0.0.1:{port}/{slug}")
            page.wait_for_selector("[data-instant]", state="attached")
            page.evaluate(WATCH)
            here = drag(page)
            page.wait_for_timeout(1000)  # the server's answer to the release
            page.evaluate("() => { foptrn.answerHere = () => null; }")
            server = drag(page)
            for what, budget in BUDGETS_MS.items():
                late = here.at(what, 95)
                print(
                    f"{slug + ', ' + what:<28}{here.at(what, 50):>10.0f}{late:>7.0f}"
                    f"{server.at(what, 50):>12.0f}{server.at(what, 95):>7.0f}"
                    f"{server.at(what, 95) / late:>14.1f}{budget:>12}  "
                    f"{'within' if late <= budget else 'OVER'}"
                )
        browser.close()


if __name__ == "__main__":
    report(create_app(Settings()))

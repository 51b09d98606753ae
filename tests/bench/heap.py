"""The browser's heap after 500 slider moves and 20 page switches, once what is of no use is collected.

Run by itself (``python -m tests.bench.heap``) it prints only this part.
"""

from __future__ import annotations

import os
from typing import Any

from playwright.sync_api import CDPSession, Page

from foptrn_model.explorers import EXPLORERS
from tests.bench.served import served_and_browsed

MOVES, SWITCHES = 500, 20
WARM_MOVES, WARM_SWITCHES = 1000, 48
"""Until then the heap grows by the code that the browser compiles, as snapshots of it show."""
MOVED = ("amdahl", "backward")
"""One that computes in the browser while a key is held, and one that only the server answers."""
FLAT_MB, FLAT_PERCENT = 1.0, 5.0
TURNS = 5
"""Moves one way before as many back: all end where they began, since another state has other labels."""
GAP_MS = 60
READ = {"JSHeapUsedSize": "heap, MB", "Nodes": "nodes", "JSEventListeners": "listeners"}


def main() -> None:
    """Print heap, nodes and listeners before and after, and whether they stayed level."""
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with served_and_browsed() as (server, browser):
        for slug in MOVED:
            page, session = opened(browser, f"{server.site}/{slug}")
            move(page, WARM_MOVES)
            before = measured(page, session)
            move(page, MOVES)
            tell(f"{slug}, {MOVES} moves", before, measured(page, session))
            page.close()
        page, session = opened(browser, f"{server.site}/amdahl")
        switch(page, WARM_SWITCHES)
        before = measured(page, session)
        switch(page, SWITCHES)
        tell(f"{SWITCHES} page switches", before, measured(page, session))


# Nothing here asks for a handle of an element, as wait_for_selector() gives: it would keep the whole
# page that it belongs to from being collected.


def opened(browser: Any, address: str) -> tuple[Page, CDPSession]:
    """A page whose figures are drawn."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.goto(address, wait_until="networkidle")
    page.locator(".plate[data-shown=true] .xtick text").first.wait_for()
    return page, session


def move(page: Page, times: int) -> None:
    """Press arrow keys on the first slider, to and fro, and wait until all is answered."""
    page.locator(".controls [role=slider]:visible").first.focus()
    for index in range(times):
        page.keyboard.press("ArrowRight" if index % (2 * TURNS) < TURNS else "ArrowLeft")
        page.wait_for_timeout(GAP_MS)
    page.wait_for_load_state("networkidle")


def switch(page: Page, times: int) -> None:
    """Go through the explorers by the navigation; ends where it began if ``times`` is a whole round."""
    slugs = list(EXPLORERS)
    for index in range(1, times + 1):
        # The last one is the page that was measured before.
        slug = slugs[0] if index == times else slugs[index % len(slugs)]
        page.locator(f".shell-header nav a[href$='/{slug}']").click()
        page.locator(f"#{slug}-page .plate[data-shown=true] .xtick text").first.wait_for()
        page.wait_for_load_state("networkidle")


def measured(page: Page, session: CDPSession) -> dict[str, float]:
    """What is left after everything of no use has been collected."""
    page.wait_for_timeout(1000)
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
        page.wait_for_timeout(200)
    found = {
        item["name"]: item["value"] for item in session.send("Performance.getMetrics")["metrics"]
    }
    return {name: found[name] / (1e6 if name == "JSHeapUsedSize" else 1) for name in READ}


def tell(what: str, before: dict[str, float], after: dict[str, float]) -> None:
    """One line per measure."""
    for name, unit in READ.items():
        grown = after[name] - before[name]
        percent = 100 * grown / before[name]
        flat = percent <= FLAT_PERCENT or (name == "JSHeapUsedSize" and grown <= FLAT_MB)
        print(f"{what + ': ' + unit:<46}{before[name]:>10.1f} ->{after[name]:>10.1f}"
              f"{percent:>+8.1f} %  {'flat' if flat else 'GROWS'}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

"""Web vitals of every page for somebody who was never here, on a throttled network.

LCP (when the largest part is drawn), CLS (how much jumps), INP (the slowest answer to a key, a
click or a choice). Run by itself (``python -m tests.bench.vitals``) it prints only this part.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, Page

from foptrn_model.explorers import EXPLORERS
from tests.bench.figure import Figure
from tests.bench.served import served_and_browsed

NETWORK = {"offline": False, "latency": 40, "downloadThroughput": 2.5e6, "uploadThroughput": 2.5e6}
"""20 Mbit/s, 40 ms."""
VIEWS: Mapping[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
              "device_scale_factor": 2},
}  # fmt: skip
LCP_S, CLS, INP_MS = 2.5, 0.1, 200
PRESSES = 6
REST_MS = 700
"""Between two acts of a person; long enough for what the first sets going."""

OBSERVE = """() => {
  const seen = window.vitals = { lcp: 0, lcpOf: "", shifts: [], acts: {} };
  const watch = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
  const named = (node) => node ? node.nodeName + (node.id ? "#" + node.id : "") + (node.className ? "." + node.className : "") : "";
  watch("largest-contentful-paint", (entry) => {
    seen.lcp = entry.startTime;
    seen.lcpOf = named(entry.element);
  });
  watch("layout-shift", (entry) => {
    if (!entry.hadRecentInput) seen.shifts.push({
      at: entry.startTime, value: entry.value, what: entry.sources.map((source) => named(source.node)) });
  });
  watch("event", (entry) => {
    if (!entry.interactionId) return;
    const before = seen.acts[entry.interactionId];
    if (!before || before.ms < entry.duration) {
      seen.acts[entry.interactionId] = { ms: entry.duration, what: entry.name + " " + named(entry.target) };
    }
  }, { durationThreshold: 16 });
}"""


def main() -> None:
    """Measure all pages and print a line per number; on a line of its own what is over comes from."""
    print(f"\n{os.cpu_count()} cores shared with the server, load {os.getloadavg()[0]:.1f}; "
          f"20 Mbit/s, 40 ms, cold cache")  # fmt: skip
    with served_and_browsed() as (server, browser):
        for view in VIEWS:
            for slug in ("", *EXPLORERS):
                measure(browser, f"{server.site}/{slug}", slug or "home", view)


def measure(browser: Browser, address: str, name: str, view: str) -> None:
    """Open one page in a context of its own, use it, and print what came."""
    context = browser.new_context(**VIEWS[view])
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    page.add_init_script(f"({OBSERVE})()")
    page.goto(address, wait_until="networkidle")
    if page.locator(".graph-frame").count():
        page.wait_for_selector(".plate[data-shown=true] .xtick text")
        page.locator("[role=slider][aria-label]").first.wait_for(state="attached")
    page.wait_for_timeout(REST_MS)
    opened = page.evaluate("() => structuredClone(vitals)")
    use(page)
    used = page.evaluate("() => structuredClone(vitals)")
    acts = sorted(used["acts"].values(), key=lambda act: -act["ms"])
    slowest = acts[0] if acts else {"ms": 0, "what": "nothing"}
    shifts = sorted(used["shifts"], key=lambda shift: -shift["value"])[:3]
    tell(f"{name}, {view}: LCP", opened["lcp"] / 1000, "s", LCP_S, opened["lcpOf"])
    moved = "; ".join(f"{shift['value']:.3f} {', '.join(shift['what'])}" for shift in shifts)
    tell(f"{name}, {view}: CLS", worst_window(used["shifts"]), "", CLS, moved)
    tell(f"{name}, {view}: INP of {len(acts)}", slowest["ms"], "ms", INP_MS, slowest["what"])
    context.close()


def tell(what: str, measured: float, unit: str, budget: float, cause: str) -> None:
    """One line, and what the number comes from where it is over its budget."""
    print(Figure(what, measured, unit, budget).line(), flush=True)
    if measured > budget:
        print(f"    {cause}")


def worst_window(shifts: list[dict[str, Any]]) -> float:
    """CLS: the largest sum of shifts less than 1 s apart within 5 s."""
    worst = total = start = last = 0.0
    for shift in shifts:
        if total and shift["at"] - last < 1000 and shift["at"] - start < 5000:
            total += shift["value"]
        else:
            start, total = shift["at"], shift["value"]
        last = shift["at"]
        worst = max(worst, total)
    return worst


def use(page: Page) -> None:
    """Keys, a drag, a choice, a table, a preset: what a page has of them."""
    thumb = page.locator(".controls [role=slider]:visible").first
    if thumb.count():
        thumb.scroll_into_view_if_needed()
        thumb.focus()
        for press in range(PRESSES):
            page.keyboard.press("ArrowRight" if press % 4 < 2 else "ArrowLeft")
            page.wait_for_timeout(REST_MS)
        drag(page, thumb.bounding_box())
    act(
        page,
        ".controls .segmented label:visible >> nth=-1",
        ".controls label input:visible >> nth=-1",
    )
    choose(page)
    act(page, ".twin summary:visible")
    act(page, "[data-action=preset]:visible >> nth=-1")
    act(page, "[data-action=theme]:visible")


def drag(page: Page, box: Any) -> None:
    """The mouse takes a thumb along."""
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=10)
    page.mouse.up()
    page.wait_for_timeout(REST_MS)


def act(page: Page, *places: str) -> None:
    """Press the first of these that there is."""
    for place in places:
        found = page.locator(place).first
        if found.count():
            found.click()
            page.wait_for_timeout(REST_MS)
            return


def choose(page: Page) -> None:
    """Open a list and take its second option."""
    lists = page.locator(".controls button.dash-dropdown:visible")
    if not lists.count():
        return
    lists.first.click()
    page.wait_for_timeout(REST_MS)
    with suppress(Exception):  # a list may have a single option
        page.locator("[role=option]:visible >> nth=1").click(timeout=2000)
    page.wait_for_timeout(REST_MS)


if __name__ == "__main__":
    main()

"""A page that has been left is not kept."""

from __future__ import annotations

import itertools

from tests.browser.conftest import Tab

LEFT = ("amdahl", "backward", "masks", "home")


def test_pages_that_were_left_are_collected(tab: Tab) -> None:
    """Each root is known by a weak reference; a handle of an element would keep its whole page."""
    tab.page.goto(f"{tab.site}/{LEFT[0]}")
    session = tab.context.new_cdp_session(tab.page)
    for slug, following in itertools.pairwise(LEFT):
        tab.page.locator(f"#{slug}-page .plate[data-shown=true] .xtick text").first.wait_for()
        tab.page.evaluate(
            "slug => (window.roots ||= []).push(new WeakRef(document.getElementById(`${slug}-page`)))",
            slug,
        )
        address = "" if following == "home" else following
        tab.page.locator(f".shell-header a[href='/{address}']").click()
    tab.page.locator("main h1", has_text="Could light help").wait_for()
    tab.page.wait_for_load_state("networkidle")
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    left = tab.page.evaluate("() => roots.map((root) => root.deref()?.id).filter(Boolean)")
    assert left == []

"""The transit page: a line to drag, bands to choose, a person's own curves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from foptrn_model.curves_file import read_curves
from foptrn_model.explorers import TRANSIT
from tests.browser.conftest import Tab
from tests.browser.steps import query_of

OWN = "method,step,val_loss\nadamw,100,4\nadamw,200,3\nmine,100,5\nmine,400,2\n"


def expect_verdict(page: Page, query: str, own: str = "") -> None:
    params = TRANSIT.params.from_query(query)
    if own:
        params = params.with_uploaded(read_curves(own), settle=True)
    expect(page.locator("#transit-verdict")).to_have_text(
        TRANSIT.verdict(params, TRANSIT.compute(params))
    )


def line_x(page: Page) -> float:
    """Where the line of the current rate stands in the window."""
    return float(
        page.evaluate(
            "() => { const plot = document.querySelector('#transit-wan-figure .js-plotly-plot');"
            " const axis = plot._fullLayout.xaxis;"
            " return plot.getBoundingClientRect().left + axis._offset"
            " + axis.d2p(plot.layout.shapes[0].x0); }"
        )
    )


def test_the_line_of_the_rate_can_be_dragged(tab: Tab) -> None:
    page = tab.open("/transit")
    box: Any = page.locator("#transit-wan-figure .nsewdrag").first.bounding_box()
    start, y = line_x(page), box["y"] + box["height"] / 2
    before = page.evaluate("window.history.length")
    page.mouse.move(start, y)
    page.mouse.down()
    page.mouse.move(start - 150, y, steps=8)
    page.wait_for_function("() => window.location.search.includes('wan_GBps')")
    page.mouse.up()
    page.wait_for_function("n => window.history.length === n + 1", arg=before)
    rate = float(page.locator("#transit-wan_GBps").input_value())
    assert 0.5 < rate < 4
    expect_verdict(page, f"wan_GBps={rate:g}")
    page.wait_for_function(
        "rate => document.querySelector('#transit-wan-figure .js-plotly-plot')"
        ".layout.shapes[0].x0 === rate",
        arg=rate,
    )
    assert line_x(page) == pytest.approx(start - 150, abs=3)
    page.go_back()
    expect(page.locator("#transit-wan_GBps")).to_have_value("12.5")
    expect_verdict(page, "")


def test_a_slow_drag_of_the_line_is_one_entry_of_the_history(tab: Tab) -> None:
    page = tab.open("/transit")
    # Every look at the clock finds a second gone, so no two changes are close in time.
    page.evaluate(
        "() => { let late = 0; const now = Date.now; Date.now = () => now() + ++late * 1000; }"
    )
    box: Any = page.locator("#transit-wan-figure .nsewdrag").first.bounding_box()
    start, y = line_x(page), box["y"] + box["height"] / 2
    before = page.evaluate("window.history.length")
    page.mouse.move(start, y)
    page.mouse.down()
    for left in (40, 80, 120):
        shown = page.url
        page.mouse.move(start - left, y)
        page.wait_for_function("shown => window.location.href !== shown", arg=shown)
        assert page.evaluate("window.history.length") == before
    page.mouse.up()
    page.wait_for_function("n => window.history.length === n + 1", arg=before)
    page.go_back()
    expect(page.locator("#transit-wan_GBps")).to_have_value("12.5")
    expect_verdict(page, "")


def test_elsewhere_in_the_figure_nothing_is_dragged(tab: Tab) -> None:
    page = tab.open("/transit")
    box: Any = page.locator("#transit-wan-figure .nsewdrag").first.bounding_box()
    page.mouse.move(line_x(page) + 80, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(line_x(page) + 200, box["y"] + 100, steps=4)
    page.mouse.up()
    expect(page.locator("#transit-wan_GBps")).to_have_value("12.5")


def test_a_band_is_chosen_from_those_of_the_curves(tab: Tab) -> None:
    page = tab.open("/transit")
    page.click("#transit-band")
    page.get_by_text("band-random-2d64", exact=True).click()
    expect_verdict(page, "band=band-random-2d64")


def test_zero_stands_at_the_left_end_of_a_logarithmic_slider(tab: Tab) -> None:
    page = tab.open("/transit")
    page.focus("#transit-latency_us-control [role=slider]")
    page.keyboard.press("Home")
    expect(page.locator("#transit-latency_us")).to_have_value("0")
    expect_verdict(page, "latency_us=0")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#transit-latency_us")).to_have_value("1")


def upload(page: Page, path: Path, contents: str | bytes) -> None:
    path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
    with page.expect_file_chooser() as chooser:
        page.click("#transit-choose-file")
    chooser.value.set_files(path)


def test_own_curves_are_kept_in_this_session(
    tab: Tab, new_tab: Callable[..., Tab], tmp_path: Path
) -> None:
    page = tab.open("/transit")
    upload(page, tmp_path / "mine.csv", OWN)
    expect(page.locator("#transit-file-name")).to_have_text("mine.csv")
    expect_verdict(page, "", OWN)
    page.wait_for_function("() => window.location.search.includes('curves=uploaded')")
    page.fill("#transit-target_loss", "2.5")
    page.press("#transit-target_loss", "Enter")
    expect_verdict(page, "target_loss=2.5", OWN)
    with page.expect_download() as download:
        page.click("#transit-loss-steps-csv")
    assert "mine,400,2" in Path(download.value.path()).read_text()
    query = query_of(page)
    page.reload()
    expect_verdict(page, "target_loss=2.5", OWN)
    expect(page.locator("#transit-file-name")).to_have_text("mine.csv")
    # The link opens on the published curves where the file is not.
    other = new_tab().open(f"/transit?{query}")
    expect(other.locator("#transit-notices")).to_contain_text("browser session")
    expect_verdict(other, "target_loss=2.5")


def test_a_bad_file_is_told_of_and_nothing_is_lost(tab: Tab, tmp_path: Path) -> None:
    page = tab.open("/transit?wan_GBps=2")
    for contents, words in (
        (OWN.replace("200,3", "200,three"), "row 3, column val_loss: must be a number, got three"),
        (b"a" * 2_000_000, "2.0 MB; the file must be at most 1 MB"),
    ):
        upload(page, tmp_path / "bad.csv", contents)
        expect(page.locator("#transit-curves-error")).to_contain_text(words)
        expect_verdict(page, "wan_GBps=2")
        expect(page.locator("#transit-curves input:checked")).to_have_value("published")
    assert query_of(page) == "wan_GBps=2"
    page.locator("#transit-curves label", has_text="Your own").click()
    expect(page.locator("#transit-curves-error")).to_contain_text("choose a file first")
    expect(page.locator("#transit-curves input:checked")).to_have_value("published")


def test_a_server_that_forgot_the_file_gets_it_again(tab: Tab, tmp_path: Path) -> None:
    import dash

    page = tab.open("/transit")
    upload(page, tmp_path / "mine.csv", OWN)
    expect_verdict(page, "", OWN)
    store = dash.page_registry["pages.transit"]["layout"].__self__.files
    store._kept.clear()
    page.fill("#transit-target_loss", "2.5")
    page.press("#transit-target_loss", "Enter")
    expect_verdict(page, "target_loss=2.5", OWN)

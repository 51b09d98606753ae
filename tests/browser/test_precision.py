"""The precision page: a dragged read-out, measured gradients, the histogram's grid, a slide."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from foptrn_model.explorers import PRECISION
from tests.browser.conftest import Tab


def expect_verdict(page: Page, query: str) -> None:
    params = PRECISION.params.from_query(query)
    verdict = PRECISION.verdict(params, PRECISION.compute(params))
    expect(page.locator("#precision-verdict")).to_have_text(verdict)


def test_more_bits_move_the_state_down_the_noise_line(tab: Tab) -> None:
    page = tab.open("/precision")
    page.focus("#precision-enob-control [role=slider]")
    page.keyboard.press("End")
    expect_verdict(page, "enob=20")
    page.wait_for_function(
        "() => document.querySelector('#precision-noise-figure .js-plotly-plot')"
        ".data.at(-1).x[0] === 20"
    )
    expect(page.locator("#precision-verdict")).to_contain_text("better than every format")


def test_measured_gradients_ask_for_their_layer(tab: Tab) -> None:
    page = tab.open("/precision?samples=4096")
    layer = page.locator("#precision-layer")
    expect(layer).to_be_hidden()
    page.locator("#precision-distribution label", has_text="Measured").click()
    expect_verdict(page, "distribution=measured&samples=4096")
    expect(layer).to_be_visible()
    page.locator("#precision-layer label", has_text="Last").click()
    expect_verdict(page, "distribution=measured&layer=last&samples=4096")


def test_zooming_shows_the_grid_of_a_fine_format(tab: Tab) -> None:
    grid = (
        "() => document.querySelector('#precision-histogram-figure .js-plotly-plot')"
        ".data.some(trace => trace.name === 'values of BF16')"
    )
    page = tab.open("/precision?samples=4096&show_format=BF16")
    assert page.evaluate(grid) is False
    page.fill("#precision-zoom", "64")
    page.press("#precision-zoom", "Enter")
    page.wait_for_function(grid)

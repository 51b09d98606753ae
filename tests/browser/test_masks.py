"""The masks page: push a slider until the answer flips, devices, the map in the dark."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from foptrn_model.explorers import MASKS
from pages._components.theme import BANDS
from tests.browser.conftest import Tab
from tests.browser.steps import each_theme
from tests.browser.test_looks import rgb

THUMB = "#masks-sequences_per_step-control [role=slider]"


def expect_verdict(page: Page, query: str) -> None:
    params = MASKS.params.from_query(query)
    verdict = MASKS.verdict(params, MASKS.compute(params))
    expect(page.locator("#masks-verdict")).to_have_text(verdict)


def test_pushing_the_slider_flips_the_answer(tab: Tab) -> None:
    page = tab.open("/masks")
    expect(page.locator("#masks-verdict")).to_contain_text("sets the pace")
    page.focus(THUMB)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#masks-verdict")).to_contain_text("hides behind")
    page.keyboard.press("Home")
    expect_verdict(page, "sequences_per_step=1")
    page.wait_for_function(
        "() => document.querySelector('#masks-crossing-figure .js-plotly-plot')"
        ".data.at(-1).x[0] === 1"
    )


def test_a_device_changes_the_rate_and_nothing_else(tab: Tab) -> None:
    page = tab.open("/masks?gpus=8&order=sequence-major")
    button = page.locator("#masks-shortcut-liquid-crystal")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect_verdict(page, "frame_rate_hz=30&gpus=8&order=sequence-major")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#masks-shortcut-dmd-8-bit")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#masks-story")).to_contain_text("30 frames a second")
    page.go_back()
    expect_verdict(page, "gpus=8&order=sequence-major")
    expect(page.locator("#masks-shortcut-dmd-8-bit")).to_have_attribute("aria-pressed", "true")


def test_fields_of_the_map_wear_their_tokens_in_either_theme(tab: Tab) -> None:
    page = tab.open("/masks")
    for scheme in each_theme(page):
        page.wait_for_selector("#masks-map-figure .contourfill path")
        fills = page.evaluate(
            "Array.from(document.querySelectorAll('#masks-map-figure .contourfill path, "
            "#masks-map-figure .contourbg path')).map(item => getComputedStyle(item).fill)"
        )
        assert set(fills) == {rgb(getattr(token, scheme)) for token in BANDS.values()}

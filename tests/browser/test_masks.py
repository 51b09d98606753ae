"""The masks page: push a slider until the answer flips, devices, the map in the dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from foptrn_model.explorers import MASKS
from pages._components.theme import BANDS
from tests.browser.conftest import Tab
from tests.browser.test_looks import overflow, rgb

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


def test_fields_of_the_map_wear_their_tokens_in_either_theme(new_tab: Callable[..., Tab]) -> None:
    for scheme in ("light", "dark"):
        page = new_tab(color_scheme=scheme).open("/masks")
        page.wait_for_selector("#masks-map-figure .contourfill path")
        fills = page.evaluate(
            "Array.from(document.querySelectorAll('#masks-map-figure .contourfill path, "
            "#masks-map-figure .contourbg path')).map(item => getComputedStyle(item).fill)"
        )
        assert set(fills) == {rgb(getattr(token, scheme)) for token in BANDS.values()}


@pytest.mark.parametrize("query", ["", "&order=sequence-major&overlap=false&variant=hybrid"])
def test_embed_fits_a_slide(new_tab: Callable[..., Tab], query: str) -> None:
    tab = new_tab(viewport={"width": 960, "height": 540})
    page = tab.open(f"/masks?embed=1{query}")
    assert overflow(page) == []
    for part in ("#masks-sequences_per_step", "#masks-frame_rate_hz", "#masks-overlap"):
        box: Any = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 540

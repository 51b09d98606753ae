"""Pins, presets and what is taken away, as a person does it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from foptrn_model.explorers import AMDAHL
from tests.browser.conftest import Tab
from tests.browser.steps import (
    SEQ_LEN,
    choose,
    each_theme,
    expect_state,
    query_of,
    take_time,
    type_number,
    verdict_of,
)

COMPARE = "#amdahl-compare"


def pin(page: Page, count: int) -> None:
    page.click("#amdahl-pin")
    page.wait_for_function(
        "n => new URLSearchParams(window.location.search).getAll('pin').length === n", arg=count
    )


def saved(page: Page, selector: str, folder: Path) -> Path:
    """Press a button that saves a file; the file."""
    with page.expect_download() as waiting:
        page.locator(selector).first.click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_a_link_with_two_pins_reproduces_in_a_fresh_browser(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab()
    page = tab.open("/amdahl")
    pin(page, 1)
    choose(page, "Block-circulant")
    page.wait_for_function("() => window.location.search.startsWith('?variant=block')")
    pin(page, 2)
    type_number(page, SEQ_LEN, "9000")
    expect(page.locator("#amdahl-verdict")).to_have_text(
        verdict_of("seq_len=9000&variant=block-circulant")
    )
    page.wait_for_function("() => window.location.search.includes('seq_len=9000')")
    link = query_of(page)
    here = page.locator(f"{COMPARE} table").inner_text()
    assert "0.143" in here
    assert "9.66" in here
    assert "points" in here
    fresh = new_tab().open(f"/amdahl?{link}")
    expect(fresh.locator(f"{COMPARE} table")).to_be_visible()
    assert fresh.locator(f"{COMPARE} table").inner_text() == here
    for figure, wanted in (("length", ["A: pinned", "B: pinned"]),):
        names = fresh.evaluate(
            f"document.querySelector('#amdahl-{figure}-figure .js-plotly-plot')"
            ".data.map(trace => trace.name)"
        )
        assert [name for name in names if name in wanted] == wanted
    assert "B: " in fresh.locator("#amdahl-ledger-figure").inner_text()


def test_pins_are_shown_removed_and_undone_by_back(tab: Tab) -> None:
    page = tab.open("/amdahl?variant=hybrid")
    pin(page, 1)
    take_time(page)
    page.click("#amdahl-reset")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(""))
    expect(page.locator(f"{COMPARE} table")).to_be_visible()
    take_time(page)
    page.click("#amdahl-show-pin-0")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of("variant=hybrid"))
    take_time(page)
    page.click("#amdahl-unpin-0")
    expect(page.locator(COMPARE)).to_be_empty()
    expect_state(page, "variant=hybrid")
    page.go_back()
    expect(page.locator(f"{COMPARE} table")).to_be_visible()


def test_three_pins_are_the_most(tab: Tab) -> None:
    page = tab.open("/amdahl")
    for count in (1, 2, 3):
        pin(page, count)
    expect(page.locator("#amdahl-pin")).to_be_disabled()


def test_a_preset_loads_its_case_and_says_its_story(tab: Tab) -> None:
    page = tab.open("/amdahl?seq_len=700")
    for preset in AMDAHL.presets:
        button = page.locator(f"#amdahl-preset-{preset.name}")
        expect(button).to_have_attribute("aria-pressed", "false")
        button.click()
        expect_state(page, preset.query)
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#amdahl-story")).to_contain_text(preset.story)
        type_number(page, SEQ_LEN, "701")
        expect(button).to_have_attribute("aria-pressed", "false")
        expect(page.locator("#amdahl-story")).to_be_empty()


def test_figures_off_screen_follow_when_the_hand_rests(tab: Tab) -> None:
    page = tab.open("/amdahl")
    choose(page, "Transformer")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of("variant=transformer"))
    page.wait_for_function(
        "() => document.querySelector('#amdahl-rate-figure .js-plotly-plot')"
        ".data.find(trace => trace.name === 'this state').y[0] === null"
    )


def test_saved_data_is_the_apis(tab: Tab, client: Any, tmp_path: Path) -> None:
    query = "seq_len=9000&variant=hybrid"
    page = tab.open(f"/amdahl?{query}")
    answer = saved(page, "#amdahl-take-save-json", tmp_path)
    assert answer.name == "amdahl_seq_len-9000_variant-hybrid.json"
    assert json.loads(answer.read_text()) == client.get(f"/api/v1/amdahl?{query}").json
    table = saved(page, "#amdahl-take-save-csv", tmp_path)
    assert table.name == "amdahl_seq_len-9000_variant-hybrid.csv"
    assert table.read_bytes() == client.get(f"/api/v1/amdahl.csv?{query}").data
    lengths = saved(page, "#amdahl-length-csv", tmp_path)
    assert lengths.name == "amdahl-length_seq_len-9000_variant-hybrid.csv"
    rows = list(csv.DictReader(io.StringIO(lengths.read_text())))
    assert any(row["seq_len"] == "9000" for row in rows)


def test_pictures_are_made_in_the_browser(tab: Tab, tmp_path: Path) -> None:
    page = tab.open("/amdahl?seq_len=9000")
    page.wait_for_selector("[data-instant=true]")  # its model comes later than the page
    before = len(tab.requests)
    picture = saved(page, "#amdahl-ledger-png", tmp_path)
    assert picture.name == "amdahl-ledger_seq_len-9000.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    grounds = {"light": "rgb(252, 252, 250)", "dark": "rgb(18, 22, 27)"}
    for scheme in each_theme(page):
        drawing = saved(page, "#amdahl-length-svg", tmp_path).read_text()
        assert drawing.startswith("<svg")
        assert "Static share and bound" in drawing
        assert grounds[scheme] in drawing
    sent = [url for url in tab.requests[before:] if not url.startswith(("data:", "blob:"))]
    assert sent == []


def test_snippets_hold_this_state(new_tab: Callable[..., Tab]) -> None:
    tab = new_tab(permissions=["clipboard-read", "clipboard-write"])
    page = tab.open("/amdahl?seq_len=9000")
    expect(page.locator("#amdahl-python")).to_contain_text("AmdahlParams(seq_len=9000)")
    expect(page.locator("#amdahl-cite")).to_contain_text(f"{tab.site}/amdahl?seq_len=9000")
    page.click("#amdahl-take-copy-iframe")
    expect(page.locator("#amdahl-taken")).to_have_text("Iframe copied")
    snippet = page.evaluate("navigator.clipboard.readText()")
    assert f'src="{tab.site}/amdahl?seq_len=9000&amp;embed=1&amp;theme=light"' in snippet
    assert 'sandbox="allow-scripts allow-same-origin' in snippet
    page.click("#amdahl-copy-python")
    expect(page.locator("#amdahl-taken")).to_have_text("Text copied")
    assert "compute_amdahl" in page.evaluate("navigator.clipboard.readText()")

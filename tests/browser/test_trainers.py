"""The trainers page: runs in the background, cancelling, the cap, a full queue, previews."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from playwright.sync_api import Page, expect

from foptrn_model.explorers import TRAINERS
from pages._jobs.desk import desk
from pages._jobs.table import MOST_WAITING, QueueFullError
from tests.browser.conftest import Tab
from tests.browser.steps import go_to, query_of, type_number

THUMB = "#trainers-phase_error_rad-control [role=slider]"
LONG = "layers=2&steps=5000"

# A test that needs to see a run under way takes a state that no other test computes: an outcome
# that is kept would be there at once.


def verdict_of(query: str) -> str:
    return TRAINERS.evaluate(TRAINERS.params.from_query(query)).verdict


def expect_result(page: Page, query: str) -> None:
    """Words and figures are those of this state, and nothing is running."""
    expect(page.locator("#trainers-verdict")).to_have_text(verdict_of(query))
    page.wait_for_function(
        "() => !document.querySelector('#trainers-page').dataset.stale"
        " && document.querySelector('#trainers-run').hidden"
    )


def expect_running(page: Page) -> None:
    expect(page.locator("#trainers-page")).to_have_attribute("data-stale", "true")
    expect(page.locator("#trainers-run-text")).to_contain_text("Training: step")
    expect(page.locator("#trainers-run-cancel")).to_be_visible()


def test_the_first_visit_shows_a_stored_result_and_runs_nothing(tab: Tab) -> None:
    page = tab.open("/trainers")
    expect_result(page, "")
    page.wait_for_load_state("networkidle")
    assert sum("_dash-update-component" in url for url in tab.requests) == 1
    assert page.locator(".js-plotly-plot .main-svg").count() >= 7


def test_a_change_runs_and_the_last_result_stays_dimmed_meanwhile(tab: Tab) -> None:
    page = tab.open("/trainers")
    type_number(page, "#trainers-steps", "1500")
    expect_running(page)
    expect(page.locator("#trainers-verdict")).to_have_text(verdict_of(""))
    assert query_of(page) == "steps=1500"
    type_number(page, "#trainers-steps", "40")
    expect_result(page, "steps=40")
    page.wait_for_function(
        "() => document.querySelector('#trainers-accuracy-figure .js-plotly-plot')"
        ".data[1].x.at(-1) === 40"
    )
    page.go_back()
    page.go_back()
    expect_result(page, "")


def test_a_mistake_during_a_run_neither_stops_nor_hides_it(tab: Tab) -> None:
    page = tab.open("/trainers?layers=1&seeds=2&steps=20")
    type_number(page, "#trainers-steps", "1600")
    expect_running(page)
    type_number(page, "#trainers-layers", "77")
    error = page.locator("#trainers-layers-error")
    expect(error).to_contain_text("77")
    expect(page.locator("#trainers-run")).to_be_hidden(timeout=30_000)
    expect_result(page, "layers=1&seeds=2&steps=1600")
    expect(page.locator("#trainers-layers")).to_have_value("77")
    expect(error).to_contain_text("77")


def test_cancel_ends_the_run(tab: Tab) -> None:
    page = tab.open(f"/trainers?{LONG}")
    expect_running(page)
    page.click("#trainers-run-cancel")
    expect(page.locator("#trainers-run-text")).to_contain_text("Cancelled")
    expect(page.locator("#trainers-run-again")).to_be_visible()
    params = TRAINERS.params.from_query(LONG)
    page.wait_for_function("() => document.querySelector('#trainers-run-cancel').hidden")
    assert desk().known(TRAINERS, "train", params) is None
    type_number(page, "#trainers-steps", "10")
    expect_result(page, "layers=2&steps=10")


def test_a_run_beyond_the_cap_is_refused_with_estimate_and_cap(tab: Tab) -> None:
    page = tab.open("/trainers?ports=8&steps=5000")
    expect(page.locator("#trainers-run-cancel")).to_be_visible()
    type_number(page, "#trainers-seeds", "64")
    expect(page.locator("#trainers-seeds-error")).to_contain_text("over the cap of 120 s")
    expect(page.locator("#trainers-seeds")).to_have_value("64")
    assert "seeds" not in query_of(page)
    # The message says to lower one of them, and the number typed is still wanted then.
    type_number(page, "#trainers-steps", "20")
    expect_result(page, "ports=8&seeds=64&steps=20")
    expect(page.locator("#trainers-seeds-error")).to_be_empty()
    page.click("#trainers-reset")
    expect_result(page, "")
    page.goto(f"{tab.site}/trainers?ports=8&steps=5000&seeds=64")
    expect(page.locator("#trainers-notices")).to_contain_text("over the cap of 120 s")


def test_a_full_queue_says_so_and_lets_in_later(tab: Tab) -> None:
    page = tab.open("/trainers")
    others = [TRAINERS.params.from_query(f"{LONG}&seed={index}") for index in range(MOST_WAITING)]
    table = desk().table
    for index, params in enumerate(others):
        query = TRAINERS.simulation.parts["train"].query(params)
        with suppress(QueueFullError):  # once runs of other tests have left it is full with ours
            table.submit("trainers", "train", query, watcher=f"other {index}", estimate_s=0.5)
    type_number(page, "#trainers-steps", "20")
    expect(page.locator("#trainers-run-text")).to_contain_text(
        "computations are running or waiting"
    )
    expect(page.locator("#trainers-verdict")).to_have_text(verdict_of(""))
    for index, params in enumerate(others):
        desk().leave(TRAINERS, "train", params, watcher=f"other {index}")
    # The page comes back when the queue said, within a minute.
    expect(page.locator("#trainers-verdict")).to_have_text(verdict_of("steps=20"), timeout=90_000)
    expect_result(page, "steps=20")


def test_dragging_shows_a_preview_and_the_release_runs_the_whole(tab: Tab) -> None:
    page = tab.open("/trainers?steps=100")
    expect_result(page, "steps=100")
    thumb = page.locator(THUMB)
    thumb.scroll_into_view_if_needed()
    box: Any = thumb.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=6)
    expect(page.locator("#trainers-run-text")).to_contain_text("preview")
    page.wait_for_function(
        "() => document.querySelector('#trainers-accuracy-figure .js-plotly-plot')"
        ".data[1].x.at(-1) === 60"
    )
    page.mouse.up()
    page.wait_for_function(
        "() => document.querySelector('#trainers-accuracy-figure .js-plotly-plot')"
        ".data[1].x.at(-1) === 100"
    )
    expect_result(page, query_of(page))


def test_the_sweep_follows_when_it_is_on_screen(tab: Tab) -> None:
    page = tab.open("/trainers?steps=20&sweep=readout_offset&seeds=2")
    page.locator("#trainers-sweep-figure").scroll_into_view_if_needed()
    page.wait_for_function(
        "() => document.querySelector('#trainers-sweep-figure .js-plotly-plot').data.length === 8"
    )
    page.locator(".plate[data-plate=sweep] .twin summary").click()
    expect(page.locator("#trainers-sweep-table tbody tr")).to_have_count(5)


def test_the_view_changes_without_a_run(tab: Tab) -> None:
    page = tab.open("/trainers")
    page.click("#trainers-show_trainer-control label >> text=In silico")
    page.wait_for_function("() => window.location.search.includes('show_trainer=in-silico')")
    expect_result(page, "show_trainer=in-silico")


def test_each_change_of_a_slider_is_one_step_back(tab: Tab) -> None:
    page = tab.open("/trainers?steps=20&seeds=1")
    expect_result(page, "seeds=1&steps=20")
    before = page.evaluate("window.history.length")
    page.focus(THUMB)
    page.keyboard.press("ArrowRight")
    expect_result(page, "phase_error_rad=0.31&seeds=1&steps=20")
    page.wait_for_function("n => window.history.length === n + 1", arg=before)
    page.go_back()
    expect_result(page, "seeds=1&steps=20")


def test_a_typed_number_moves_its_slider(tab: Tab) -> None:
    page = tab.open("/trainers?steps=20&seeds=1")
    type_number(page, "#trainers-phase_error_rad", "0.5")
    expect(page.locator(THUMB)).to_have_attribute("aria-valuenow", "0.5")


def test_a_pin_that_is_not_computed_yet_follows(tab: Tab) -> None:
    page = tab.open("/trainers?pin=0.1.0~phase_error_rad%3D0.47%26steps%3D30")
    expect(page.locator("#trainers-compare thead")).to_contain_text("phase error 0.47")
    page.wait_for_function("() => document.querySelector('#trainers-run').hidden")
    expect(page.locator("#trainers-verdict")).to_have_text(verdict_of(""))


def test_a_stack_brings_its_own_figures_and_a_mesh_takes_them_away(tab: Tab) -> None:
    page = tab.open("/trainers")
    expect(page.locator("#trainers-masks-plate")).to_be_hidden()
    page.click("[data-preset=stack-two-pixels]")
    query = (
        "batch=32&phase_error_rad=0&plant=diffractive&seeds=2&shift_px=2&sweep=shift_px&task=digits"
    )
    expect_result(page, query)
    for name in ("masks", "light", "flaws"):
        plate = page.locator(f"#trainers-{name}-plate")
        plate.scroll_into_view_if_needed()
        expect(plate.locator(".main-svg").first).to_be_visible()
    for name in ("phases", "errors", "maps"):
        expect(page.locator(f"#trainers-{name}-plate")).to_be_hidden()
    expect(page.locator("#trainers-layers-control")).to_be_hidden()
    page.wait_for_function(
        "() => document.querySelector('#trainers-light-figure .js-plotly-plot').data.length === 10"
    )
    page.locator("#trainers-digit").scroll_into_view_if_needed()
    type_number(page, "#trainers-digit", "7")
    expect_result(page, f"{query}&digit=7")
    page.click("#trainers-reset")
    expect_result(page, "")
    expect(page.locator("#trainers-phases-plate")).to_be_visible()
    expect(page.locator("#trainers-masks-plate")).to_be_hidden()


def test_an_embed_whose_figure_is_gone_shows_the_first(tab: Tab) -> None:
    page = tab.open("/trainers?embed=1")
    page.click("#trainers-show-maps")
    expect(page.locator("#trainers-maps-plate")).to_be_visible()
    go_to(page, "embed=1&plant=diffractive&task=digits")
    expect_result(page, "plant=diffractive&task=digits")
    expect(page.locator("#trainers-show-maps")).to_be_hidden()
    expect(page.locator("#trainers-accuracy-plate")).to_be_visible()

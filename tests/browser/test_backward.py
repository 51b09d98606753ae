"""The backward page: the padding switch, the longest signal, pictures in the dark, a slide."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from foptrn_model.explorers import BACKWARD
from pages._components.theme import BANDS
from pages._figures.backward_planes import FIELDS
from tests.browser.conftest import Tab
from tests.browser.steps import each_theme, type_number
from tests.browser.test_looks import rgb

PLATES = ("checks", "planes", "signals", "spectra", "leak", "length")


def expect_verdict(page: Page, query: str) -> None:
    params = BACKWARD.params.from_query(query)
    verdict = BACKWARD.verdict(params, BACKWARD.compute(params))
    expect(page.locator("#backward-verdict")).to_have_text(verdict)


def drawn(page: Page, plate: str, name: str) -> str:
    """A JavaScript expression for the trace of that name."""
    return (
        f"document.querySelector('#backward-{plate}-figure .js-plotly-plot')"
        f".data.find(trace => trace.name === '{name}')"
    )


def test_the_padding_switch_lets_the_future_leak(tab: Tab) -> None:
    page = tab.open("/backward")
    expect_verdict(page, "")
    assert page.evaluate(f"{drawn(page, 'checks', 'beyond its bound')}.y") == [None]
    page.locator("#backward-padding label", has_text="No").click()
    expect_verdict(page, "padding=false")
    expect(page.locator("#backward-verdict")).to_contain_text("right for the wrong layer")
    page.wait_for_function(f"{drawn(page, 'checks', 'beyond its bound')}.y.length === 7")
    page.go_back()
    expect_verdict(page, "")


def test_the_longest_signal_answers_and_says_what_it_compared(tab: Tab) -> None:
    page = tab.open("/backward")
    type_number(page, "#backward-n", "65536")
    expect_verdict(page, "n=65536")
    expect(page.locator("#backward-verdict")).to_contain_text("256 random outputs")


def test_pictures_wear_their_tokens_in_either_theme(tab: Tab) -> None:
    names = {token.light: token for token in BANDS.values()}
    page = tab.open("/backward")
    for scheme in each_theme(page):
        page.wait_for_selector("#backward-planes-figure .contourfill path")
        fills = page.evaluate(
            "Array.from(document.querySelectorAll('#backward-planes-figure .contourfill path, "
            "#backward-planes-figure .contourbg path')).map(item => getComputedStyle(item).fill)"
        )
        assert set(fills) == {rgb(getattr(names[field], scheme)) for field in FIELDS}

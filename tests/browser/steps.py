"""What the browser tests do and read on an explorer page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from playwright.sync_api import Page, Request, expect

from foptrn_model.explorers import AMDAHL

SEQ_LEN = "#amdahl-seq_len"
THUMB = "#amdahl-seq_len-control [role=slider]"
RUN_ENDED = "(!page.run || ['done', 'offered'].includes(page.run.state))"
"""Of a ``page`` in the browser: nothing is being computed for it in the background."""


def verdict_of(query: str) -> str:
    """The verdict the model gives for a state."""
    params = AMDAHL.params.from_query(query)
    return AMDAHL.verdict(params, AMDAHL.compute(params))


def query_of(page: Page) -> str:
    """The query in the address bar."""
    return str(page.evaluate("window.location.search")).lstrip("?")


def expect_state(page: Page, query: str) -> None:
    """Verdict, address, figure and controls all show this state."""
    params = AMDAHL.params.from_query(query)
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(query))
    page.wait_for_function(
        "wanted => window.location.search.replace(/[?&](theme|embed)=[^&]*/g, '')"
        ".replace(/^[?&]/, '') === wanted",
        arg=query,
    )
    expect(page.locator(SEQ_LEN)).to_have_value(f"{params.seq_len:,}")
    expect(page.locator(SEQ_LEN)).to_be_visible()
    page.wait_for_function(
        "([x]) => { const plot = document.querySelector('#amdahl-length-figure .js-plotly-plot');"
        " const state = plot && plot.data && plot.data.find(trace => trace.name === 'this state');"
        " return Boolean(state) && state.x[0] === x; }",
        arg=[params.seq_len],
    )


def asked_by(request: Request) -> dict[str, Any]:
    """What a request of the page for an answer asks."""
    [told] = request.post_data_json["inputs"]
    return dict(told["value"])


def go_to(page: Page, query: str) -> None:
    """Bring the page to another of its states as Back would, without loading it anew."""
    before = page.evaluate("() => foptrn.onScreen().serial")
    page.evaluate(
        "query => { history.pushState({}, '', `?${query}`);"
        " window.dispatchEvent(new PopStateEvent('popstate')); }",
        query,
    )
    page.wait_for_function(
        "before => { const page = foptrn.onScreen(); return page.serial > before && !page.inFlight"
        f" && page.answer.serial === page.serial && {RUN_ENDED}; }}",
        arg=before,
    )


def take_time(page: Page) -> None:
    """As if the last change were a while ago: changes closer together share an entry of the history."""
    page.evaluate("foptrn.onScreen().committedAt = 0")


def each_theme(page: Page) -> Iterator[Literal["light", "dark"]]:
    """The page in one theme and then in the other, as the system asks for it."""
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            "scheme => document.documentElement.dataset.theme === scheme", arg=scheme
        )
        yield scheme


def expect_one_sheet(page: Page, slug: str, site: str, **paper: Any) -> None:
    """Verdict, figures, state and address are on one sheet of paper."""
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(**paper))) == 1
    page.emulate_media(media="print")
    for part in (f"#{slug}-verdict", ".graph-frame >> nth=0", f"#{slug}-printed", ".assumptions"):
        expect(page.locator(part)).to_be_visible()
    expect(page.locator(f"#{slug}-printed")).to_contain_text(f"{site}/{slug}")
    box: Any = page.locator(".number-box input, input.number-box").first.bounding_box()
    assert box["width"] > 40, "inputs are part of what is printed"
    page.emulate_media(media="screen")


def type_number(page: Page, selector: str, text: str) -> None:
    page.fill(selector, text)
    page.press(selector, "Enter")


def choose(page: Page, label: str) -> None:
    """Press one of the variant's buttons."""
    page.locator("#amdahl-variant label", has_text=label).click()


def drag_thumb(
    page: Page, by_px: int, *, steps: int = 12, release: bool = True, thumb: str = THUMB
) -> None:
    """Drag a thumb, the sequence length's if none is named, sideways."""
    box: Any = page.locator(thumb).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by_px, y, steps=steps)
    if release:
        page.mouse.up()

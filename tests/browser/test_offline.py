"""Offline files opened from the disk: they ask for nothing and say what the model says."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import dash
import pytest
from playwright.sync_api import Browser, Page, expect

from foptrn_model.explorers import EXPLORERS
from foptrn_model.parameters import ParamsError
from pages._offline.live import SCRIPTS
from pages._offline.sweep import SWEEPS
from tests.browser.conftest import PATIENCE_MS
from tests.browser.test_access import violations

MOST_BYTES = 3_000_000
SLIDE = {"width": 960, "height": 540}


@pytest.fixture(scope="module")
def folder(app: dash.Dash, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every explorer's file as the server gives it, and a deck that holds one."""
    folder, client = tmp_path_factory.mktemp("offline"), app.server.test_client()
    for slug in EXPLORERS:
        answer = client.get(f"/offline/{slug}.html")
        assert answer.status_code == 200
        (folder / f"{slug}.html").write_bytes(answer.data)
    (folder / "deck.html").write_text(
        "<title>deck</title><script>addEventListener('message', (event) => "
        "{ document.title = [event.data.type, event.data.key, event.origin].join(' '); })</script>"
        "<iframe src='masks.html#gpus=64' width='960' height='540' sandbox='allow-scripts'></iframe>"
    )
    return folder


class File:
    """An offline file in a tab without a network, with everything it said and asked for."""

    def __init__(self, browser: Browser, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.context = browser.new_context(viewport=SLIDE, offline=True, **options)
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, name: str) -> Page:
        self.page.goto("about:blank")
        self.page.goto(f"{self.folder.as_uri()}/{name}")
        self.page.wait_for_selector("html[data-ready=true]")
        return self.page

    def close(self) -> None:
        self.context.close()
        assert self.complaints == []
        local = ("file:", "data:", "blob:", "about:")
        assert [url for url in self.requests if not url.startswith(local)] == []
        assert {url.partition("#")[0] for url in self.requests if url.startswith("file:")} <= {
            path.as_uri() for path in self.folder.iterdir()
        }


@pytest.fixture
def file(browser: Browser, folder: Path) -> Iterator[File]:
    opened = File(browser, folder)
    yield opened
    opened.close()


def verdict_of(slug: str, query: str) -> str:
    """The verdict that Python gives for a state."""
    explorer = EXPLORERS[slug]
    return explorer.evaluate(explorer.params.from_query(query)).verdict


def scroll_bars(page: Page) -> list[str]:
    """Elements whose contents do not fit, the document among them."""
    found: list[str] = page.evaluate(
        "() => [document.documentElement, ...document.querySelectorAll('body, main, .controls')]"
        ".filter(item => item.scrollHeight > item.clientHeight || item.scrollWidth > item.clientWidth)"
        ".map(item => item.tagName + '.' + item.className)"
    )
    return found


def test_every_file_is_small(folder: Path) -> None:
    sizes = {slug: (folder / f"{slug}.html").stat().st_size for slug in EXPLORERS}
    assert {slug: size for slug, size in sizes.items() if size >= MOST_BYTES} == {}
    assert {*SCRIPTS, *SWEEPS} == set(EXPLORERS)


def test_a_closed_form_is_computed_in_the_file(file: File) -> None:
    page = file.open("masks.html")
    expect(page.locator("#verdict")).to_have_text(verdict_of("masks", ""))
    assert scroll_bars(page) == []
    page.locator("#sequences_per_step").fill("4,000")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text(verdict_of("masks", "sequences_per_step=4000"))
    here = "graph => graph.data.find(trace => trace.name === 'this state').x[0]"
    assert page.locator("#graph").evaluate(here) == 4000
    assert page.evaluate("location.hash") == "#sequences_per_step=4000"
    # A slider gives what its box then says.
    page.locator("#sequences_per_step-control input[type=range]").press("ArrowRight")
    moved = page.locator("#sequences_per_step").input_value().replace(",", "")
    assert moved != "4000"
    expect(page.locator("#verdict")).to_have_text(
        verdict_of("masks", f"sequences_per_step={moved}")
    )
    page.click("#reset")
    expect(page.locator("#verdict")).to_have_text(verdict_of("masks", ""))
    assert page.evaluate("location.hash") == ""
    page.select_option("#panel", "Published cases")
    preset = EXPLORERS["masks"].presets[-1]
    page.get_by_role("button", name=preset.label, exact=True).click()
    expect(page.locator("#verdict")).to_have_text(verdict_of("masks", preset.query))
    expect(page.locator("#story")).to_contain_text(preset.story)


def test_what_is_wrong_is_said_and_the_last_result_stays(file: File) -> None:
    page = file.open("amdahl.html#variant=block-circulant&seq_len=8192")
    wanted = verdict_of("amdahl", "seq_len=8192&variant=block-circulant")
    expect(page.locator("#verdict")).to_have_text(wanted)
    page.locator("#seq_len").fill("none")
    page.keyboard.press("Enter")
    with pytest.raises(ParamsError) as refused:
        EXPLORERS["amdahl"].params.parse({"seq_len": "none"})
    expect(page.locator("#problem")).to_have_text(f"The last result stays: {refused.value}")
    expect(page.locator("#seq_len")).to_have_value("none")
    expect(page.locator("#verdict")).to_have_text(wanted)
    assert scroll_bars(page) == []
    # The figure makes room for the message.
    page.wait_for_function(
        "() => { const graph = document.querySelector('#graph'); const frame = graph.parentElement;"
        " return graph.getBoundingClientRect().bottom <= frame.getBoundingClientRect().bottom; }"
    )


CLASHES: dict[str, list[dict[str, str]]] = {
    "amdahl": [
        {"block_size": "300"},
        {"fft_rate": "1e9"},
        {"hyena_order": " 2.5"},
        {"seq_len": ""},
        {"shape": "custom", "d_model": "4100"},
        {"shape": "custom", "n_kv_heads": "3"},
        {"shape": "custom", "d_ff": "1,001"},
        {"gated_mlp": "perhaps"},
        {"seq_len": "0x10"},
        {"seq_len": "1" * 90},
        {"tokens_per_step": "\u22125"},
        {"fft_rate": "\u0007"},
    ],
    "transit": [
        {"band": "band-high"},
        {"band": "no-such-band"},
        {"curves": "measured", "band": "band-low-2d128"},
        {"latency_us": "-1"},
    ],
}
"""What cannot be set, by itself or beside something else."""


@pytest.mark.parametrize("slug", CLASHES)
def test_messages_are_those_of_python(file: File, slug: str) -> None:
    page, model = file.open(f"{slug}.html"), EXPLORERS[slug].params
    script = """async (given) => {
      const checks = foptrnOffline.checks(await foptrnOffline.open());
      const data = await foptrnOffline.open();
      const fields = Object.fromEntries(data.fields.map((field) => [field.name, field]));
      const read = Object.entries(given).map(([name, text]) => [name, checks.read(fields[name], text)]);
      const wrong = read.filter(([, { problem }]) => problem).map(([, { problem }]) => problem.message);
      const values = Object.fromEntries(read.map(([name, { value }]) => [name, value]));
      return wrong.length ? wrong : checks.clashes({ ...data.values, ...values }).map(({ message }) => message);
    }"""
    for given in CLASHES[slug]:
        try:
            model.parse(given)
            wanted: list[str] = []
        except ParamsError as error:
            wanted = [problem.message for problem in error.problems]
        assert page.evaluate(script, given) == wanted, given


def test_a_precomputed_sweep(file: File) -> None:
    page, explorer = file.open("precision.html"), EXPLORERS["precision"]
    expect(page.locator("#verdict")).to_have_text(verdict_of("precision", ""))
    assert scroll_bars(page) == []
    page.locator("#position").press("Home")
    low = SWEEPS["precision"].values[0]
    expect(page.locator("#verdict")).to_have_text(verdict_of("precision", f"enob={low}"))
    expect(page.locator("#position-value")).to_have_text(
        f"{low} {explorer.params.specs()['enob'].unit}"
    )
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#verdict")).to_have_text(
        verdict_of("precision", f"enob={SWEEPS['precision'].values[1]}")
    )
    page.get_by_role("button", name="Energy").click()
    expect(page.locator("#title")).to_have_text("Energy of conversion against digital energy")
    expect(page.locator("#told")).to_contain_text("A precomputed sweep of 13 states")
    page.goto(f"{page.url.partition('#')[0]}#position=99")
    expect(page.locator("#problem")).to_have_text(
        "position must be a whole number from 1 to 13, got 99"
    )


@pytest.mark.parametrize("slug", sorted({*SWEEPS, *SCRIPTS} - {"amdahl", "masks", "precision"}))
def test_every_other_file_opens_on_its_state(file: File, slug: str) -> None:
    page = file.open(f"{slug}.html")
    expect(page.locator("#verdict")).to_have_text(verdict_of(slug, ""))
    page.wait_for_selector("#graph .main-svg")
    assert scroll_bars(page) == []


@pytest.mark.parametrize(("slug", "scheme"), [("transit", "light"), ("trainers", "dark")])
def test_axe_finds_nothing_serious(browser: Browser, folder: Path, slug: str, scheme: Any) -> None:
    # The policy of the file holds for axe as well, unless the browser is told to pass it over.
    file = File(browser, folder, color_scheme=scheme, bypass_csp=True)
    assert violations(file.open(f"{slug}.html")) == []
    file.close()


def test_the_policy_lets_nothing_out(file: File) -> None:
    page = file.open("masks.html")
    page.evaluate("fetch('data:text/plain,x').then(() => {}, () => { window.held = true; })")
    page.wait_for_function("window.held")
    file.complaints.clear()  # the browser tells of what it held back


def test_keys_are_handed_to_the_deck_around(browser: Browser, folder: Path) -> None:
    file = File(browser, folder)
    file.page.goto((folder / "deck.html").as_uri())
    held: Any = file.page.frame_locator("iframe")
    expect(held.locator("#verdict")).to_have_text(verdict_of("masks", "gpus=64"))
    held.locator("h1").click()
    file.page.keyboard.press("PageDown")
    file.page.wait_for_function("document.title === 'foptrn:key PageDown null'")
    file.close()


def test_the_button_saves_the_state_on_screen(tab: Any, tmp_path: Path) -> None:
    page = tab.open("/amdahl?variant=hybrid")
    with page.expect_download() as saving:
        page.click("#amdahl-take-save-offline")
    assert saving.value.suggested_filename == "amdahl_variant-hybrid.html"
    saving.value.save_as(tmp_path / "kept.html")
    text = (tmp_path / "kept.html").read_text(encoding="utf-8")
    assert f"{tab.site}/amdahl?variant=hybrid" in text
    assert escape(verdict_of("amdahl", "variant=hybrid"), quote=False) in text

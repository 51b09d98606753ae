"""Behind a real nginx, at the root and on a sub-path that it keeps or strips, served by gunicorn."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
import requests
from playwright.sync_api import expect

from foptrn_model.explorers import EXPLORERS, TRAINERS
from pages._jobs.table import JobTable, job_key
from tests.browser.conftest import Tab
from tests.browser.served import PATIENCE_S, Served, all_served, until
from tests.browser.steps import drag_thumb, expect_state, query_of, type_number, verdict_of

COLD = 240
LINK = re.compile(r'(?:src|href)="([^"]+)"')


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Served]]:
    with all_served(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="module")
def site(servers: dict[str, Served], request: pytest.FixtureRequest) -> str:
    """What a tab opens: the mode that a test names, or the root."""
    return servers[getattr(request, "param", "root")].site


def test_no_cold_request_fails(servers: dict[str, Served], client: Any) -> None:
    """This must come first: nobody has asked these workers for anything yet.

    Scripts go first, since Dash refuses those that its first request has not made known; what a
    half-finished set-up would leave out of an answer shows beside the answers of this process.
    """
    links = [link for link in LINK.findall(client.get("/").text) if link.startswith("/")]
    scripts = [link for link in links if "_dash-component-suites" in link]
    paths = [*scripts, "/_dash-dependencies", *links, "/", "/_dash-layout", "/api/v1/amdahl"]
    address = servers["root"].gunicorn
    plain = {"Accept-Encoding": "identity"}  # compressing is not what this is about
    expected = {path: client.get(path).data for path in {*links, "/_dash-dependencies"}}
    policy = client.get("/").headers["Content-Security-Policy"]

    def fault(number: int) -> str:
        path = paths[number % len(paths)]
        answer = requests.get(address + path, headers=plain, timeout=PATIENCE_S)
        if answer.status_code != 200:
            return f"{path}: {answer.status_code}"
        if answer.headers["Content-Security-Policy"] != policy:
            return f"{path}: another policy"
        whole = path not in expected or answer.content == expected[path]
        return "" if whole else f"{path}: another body"

    with ThreadPoolExecutor(40) as people:
        faults = list(people.map(fault, range(COLD)))
    assert len(faults) == COLD
    assert [text for text in faults if text] == []


@pytest.mark.parametrize("site", ["root", "kept", "stripped"], indirect=True)
def test_an_explorer_works(new_tab: Callable[..., Tab], site: str) -> None:
    tab, base = new_tab(), urlsplit(site).path
    page = tab.open("/")
    page.locator("main a", has_text=EXPLORERS["amdahl"].question).click()
    page.wait_for_selector("#amdahl-length-figure .xtick text")
    expect_state(page, "")
    assert urlsplit(page.url).path == f"{base}/amdahl"
    before = page.evaluate("window.history.length")
    drag_thumb(page, 80)
    page.wait_for_function("n => window.history.length === n + 1", arg=before)
    query = query_of(page)
    expect_state(page, query)
    with page.expect_download() as download:
        page.click("#amdahl-take-save-csv")
    saved = Path(download.value.path()).read_bytes()
    assert saved == page.request.get(f"{site}/api/v1/amdahl.csv?{query}").body()
    assert "seq_len" in query
    api = page.locator("footer a", has_text="API").get_attribute("href")
    assert api == f"{base}/api/v1/"
    assert page.request.get(f"{site}/api/v1/").json()["openapi"] == "openapi.json"
    assert page.request.get(f"{site}/api/v1/amdahl?{query}").json()["verdict"] == verdict_of(query)
    term = page.locator(".working a.term").first
    anchor = str(term.get_attribute("href")).partition("#")[2]
    term.click()
    page.wait_for_url(f"{site}/glossary#{anchor}")
    expect(page.locator(f"#{anchor}")).to_be_visible()
    tab.open(f"/amdahl?{query}&embed=1")
    expect(page.locator("#amdahl-verdict")).to_have_text(verdict_of(query))
    expect(page.locator(".shell-header")).to_be_hidden()
    asked = [urlsplit(url) for url in tab.requests]
    assert [url for url in asked if url.netloc and not url.path.startswith(f"{base}/")] == []


@pytest.mark.parametrize("site", ["root", "kept", "stripped"], indirect=True)
def test_an_unknown_address_says_so_with_status_404(new_tab: Callable[..., Tab], site: str) -> None:
    tab = new_tab()
    tab.open("/no-such-page", status=404)
    expect(tab.page.locator("h1")).to_have_text("There is no page at this address")
    tab.page.locator("main a", has_text="home page").click()
    expect(tab.page.locator("h1")).to_have_text("Could light help train large neural networks?")
    assert tab.page.url == f"{site}/"


def test_no_embed_complains_or_violates_the_policy(tab: Tab) -> None:
    """Violations are errors of the console, on which a tab tells; test_access.py has the others."""
    for slug in ("optical-dfa", "compression"):
        tab.open(f"/{slug}?embed=1")
        assert tab.complaints == []


def test_nginx_compresses_and_keeps_what_does_not_change(servers: dict[str, Served]) -> None:
    site, log = servers["root"].site, servers["root"].log
    page = requests.get(f"{site}/", timeout=PATIENCE_S)
    (script,) = [link for link in LINK.findall(page.text) if "/assets/explorer.js" in link]
    for _ in range(2):
        answer = requests.get(
            site + script, headers={"Accept-Encoding": "gzip"}, timeout=PATIENCE_S
        )
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "immutable" in answer.headers["Cache-Control"]
    large = requests.get(f"{site}/amdahl?x={'a' * 7_001}", timeout=PATIENCE_S)
    assert (large.status_code, "longer than 7,000" in large.text) == (414, True)
    requests.get(f"{site}/api/v1/amdahl?seq_len=4321", timeout=PATIENCE_S)

    def lines() -> list[Any]:
        found = [line for line in log.read_text().splitlines() if line.startswith("{")]
        read = [json.loads(line) for line in found]
        return read if any(line["path"] == "/api/v1/amdahl" for line in read) else []

    read = until(lines)
    assert all(set(line) == {"time", "method", "path", "status", "ms", "bytes"} for line in read)
    assert "4321" not in log.read_text()
    plain = {"Accept-Encoding": "identity"}  # of those kept, too, which are compressed
    kept = requests.get(site + script, headers=plain, timeout=PATIENCE_S)
    assert "Content-Encoding" not in kept.headers
    assert kept.content == (Path(__file__).parents[2] / "assets" / "explorer.js").read_bytes()


def only_runner(server: Served) -> psutil.Process:
    """The one runner; on a busy machine a second may have been started, and finds the lock taken."""
    until(lambda: len(server.runners()) == 1)
    return server.runners()[0]


def test_killed_processes_lose_only_their_requests(
    servers: dict[str, Served], new_tab: Callable[..., Tab]
) -> None:
    """An open page waits for its run through it all. This must come last: it ends the server."""
    server = servers["root"]
    address = f"{server.gunicorn}/api/v1/trainers?seeds=2&layers=1&steps="
    first = requests.get(f"{address}3", timeout=PATIENCE_S)
    assert first.status_code == 200
    runner = only_runner(server)
    table, train = JobTable(server.state), TRAINERS.simulation.parts["train"]
    query = "layers=1&seeds=2&steps=900"
    key = job_key("trainers", "train", train.query(TRAINERS.params.from_query(query)))
    tab = new_tab()
    tab.expected_failures = True  # what a killed process was asked for comes to nothing
    page = tab.open(f"/trainers?{query}")
    until(lambda: (job := table.job(key)) and job.done > 0)
    before = server.workers()
    for worker in before:
        worker.kill()
    until(lambda: table.job(key).state == "done")
    answer = requests.get(f"{address}900", timeout=PATIENCE_S)
    assert answer.status_code == 200
    assert answer.json()["meta"]["wall_time_s"] == table.result(key)["seconds"]
    assert not {worker.pid for worker in before} & {worker.pid for worker in server.workers()}
    assert only_runner(server) == runner, "the workers' end was nothing to it"
    expect(page.locator("#trainers-verdict")).to_have_text(answer.json()["verdict"])
    type_number(page, "#trainers-steps", "3")
    expect(page.locator("#trainers-verdict")).to_have_text(first.json()["verdict"])
    runner.kill()
    until(lambda: not server.runners())
    until(lambda: requests.get(f"{address}4", timeout=PATIENCE_S).status_code == 200)
    another = only_runner(server)
    assert another != runner
    table.close()
    server.master.terminate()
    server.master.wait(PATIENCE_S)
    _, left = psutil.wait_procs([another], timeout=PATIENCE_S)
    assert left == []

"""Print what a page costs: model, callback, bytes, redraw, first load."""

from __future__ import annotations

import gzip
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import orjson
from playwright.sync_api import CDPSession, Page, sync_playwright

from app import create_app
from foptrn_model.explorers import EXPLORERS, Explorer
from pages._server.settings import Settings
from tests import updates
from tests.bench import drag, heap, torch_trainers, vitals
from tests.bench.figure import Figure
from tests.browser.conftest import CHROMIUM_FLAGS, chromium, serving

KEY_PRESSES = 30


def median_ms(call: Callable[[], Any], rounds: int = 200) -> float:
    """Median duration of a call in milliseconds, after a few calls to warm up."""
    for _ in range(5):
        call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def update_body(client: Any, slug: str, request: dict[str, Any]) -> dict[str, Any]:
    """What the browser posts for one change of state."""
    shapes = updates.shapes(client.get("/_dash-dependencies").json)
    return updates.update(shapes[f"{slug}-request"], [request])


def server_figures(client: Any, explorer: Explorer) -> list[Figure]:
    """Model, callback and response size of one explorer's default state."""
    slug, params = explorer.slug, explorer.params()
    body = orjson.dumps(update_body(client, slug, {"query": ""}))

    def post() -> Any:
        return client.post(updates.PATH, data=body, content_type="application/json")

    answer = post()
    if answer.status_code != 200:
        raise RuntimeError(f"{slug}: status {answer.status_code}")
    simulated = bool(explorer.simulation and explorer.simulation.main)
    model = (
        Figure(
            f"{slug}: default run, all four trainers, median",
            median_ms(lambda: explorer.compute(params), rounds=3) / 1000, "s", 4,
        )
        if simulated
        else Figure(
            f"{slug}: model call, median", median_ms(lambda: explorer.compute(params)), "ms", 2
        )
    )  # fmt: skip
    return [
        model,
        Figure(
            f"{slug}: callback with figures and JSON, median",
            median_ms(post),
            "ms",
            None if simulated else 20,
        ),
        Figure(f"{slug}: response of one update, raw", len(answer.data) / 1000, "kB"),
        Figure(f"{slug}: response, gzip", len(gzip.compress(answer.data)) / 1000, "kB", 60),
    ]


REDRAW = """async presses => {
  const thumb = document.querySelector('.controls [role=slider]');
  const plot = document.querySelector('.plate .js-plotly-plot');
  thumb.focus();
  const times = [];
  for (let index = 0; index < presses; index += 1) {
    const start = performance.now();
    const drawn = new Promise(resolve => {
      const done = () => { plot.removeListener('plotly_afterplot', done); requestAnimationFrame(resolve); };
      plot.on('plotly_afterplot', done);
    });
    thumb.dispatchEvent(new KeyboardEvent('keydown', {
      key: index % 6 < 3 ? 'ArrowRight' : 'ArrowLeft', bubbles: true,
    }));
    await drawn;
    times.push(performance.now() - start);
    await new Promise(resolve => setTimeout(resolve, 700));
  }
  return times;
}"""


def browser_figures(page: Page, session: CDPSession, site: str, slug: str) -> list[Figure]:
    """First load and redraw in headless Chromium on this machine."""
    received: list[float] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(f"{site}/{slug}", wait_until="networkidle")
    page.wait_for_selector(".xtick text")
    first_load = Figure(f"{slug}: first load, compressed", sum(received) / 1000, "kB", 1200)
    simulation = EXPLORERS[slug].simulation
    if simulation and simulation.main:
        return [first_load]  # a change starts a run; tests/bench measures that by itself
    times = page.evaluate(REDRAW, KEY_PRESSES)
    return [
        first_load,
        Figure(f"{slug}: slider to redrawn plot, median", statistics.median(times), "ms", 250),
        Figure(f"{slug}: slider to redrawn plot, 95th percentile",
               statistics.quantiles(times, n=20)[-1], "ms"),
    ]  # fmt: skip


def main() -> None:
    """Measure every explorer and print the table."""
    app = create_app(Settings())
    client = app.server.test_client()
    figures = [item for explorer in EXPLORERS.values() for item in server_figures(client, explorer)]
    with serving(app.server) as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        for slug in EXPLORERS:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            figures += browser_figures(page, session, f"http://127.0.0.1:{port}", slug)
            page.close()
        browser.close()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'what':<58}{'measured':>10} {'':<4}{'budget':>8}")
    print("\n".join(item.line() for item in figures))
    drag.report(app)
    vitals.main()
    heap.main()
    torch_trainers.main()


if __name__ == "__main__":
    main()

"""A live server in this process, headless Chromium, and a tab that tells on itself."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import urlsplit

import dash
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from selenium.webdriver.chrome.options import Options
from werkzeug.serving import make_server

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

PATIENCE_MS = 30_000
"""How long a test waits for what must come; nothing is asserted about speed."""
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in this folder, so that ``-m "not browser"`` leaves it out."""
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


def pytest_setup_options() -> Options:
    """Chromium's options for Dash's own test fixtures (a hook of dash.testing)."""
    options = Options()
    options.binary_location = chromium()
    for flag in CHROMIUM_FLAGS:
        options.add_argument(flag)
    return options


def chromium() -> str:
    path = shutil.which("chromium")
    assert path, "chromium is missing; make test installs it"
    return path


@contextmanager
def serving(application: Any) -> Iterator[int]:
    """Serve a WSGI application on a free port of this machine; gives the port."""
    server = make_server("127.0.0.1", 0, application, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()


@pytest.fixture(scope="session")
def site(app: dash.Dash) -> Iterator[str]:
    """Address of a live server; it ends with this process."""
    with serving(app.server) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Playwright lifts a browser limit on address changes that people have; put it back.
        launched = playwright.chromium.launch(
            executable_path=chromium(),
            args=list(CHROMIUM_FLAGS),
            ignore_default_args=["--disable-ipc-flooding-protection"],
        )
        yield launched
        launched.close()


class Tab:
    """A page in its own context, with everything it said and asked for."""

    def __init__(self, browser: Browser, site: str, **options: Any) -> None:
        self.context = browser.new_context(
            viewport=options.pop("viewport", {"width": 1280, "height": 900}), **options
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.site = site
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.hosts = {urlsplit(site).netloc}
        self.expected_failures = False
        self.absent: set[str] = set()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message: Any) -> None:
        # Chromium tells of a document's status 404 as of an error.
        if message.type in ("error", "warning") and message.location["url"] not in self.absent:
            self.complaints.append(message.text)

    def open(self, path: str, *, status: int = 200) -> Page:
        """Open a path and wait until its figures, if any, are drawn."""
        if status == 404:
            self.absent.add(f"{self.site}{path}")
        answer = self.page.goto(f"{self.site}{path}")
        assert answer is None or answer.status == status
        self.page.wait_for_selector("main h1", state="attached")
        if self.page.locator(".graph-frame").count():
            # Behind a guess they are drawn and covered.
            state: Literal["attached", "visible"] = (
                "attached" if "hide=verdict" in path else "visible"
            )
            self.page.wait_for_selector(".plate[data-shown=true] .xtick text", state=state)
            self.page.wait_for_selector("[role=slider][aria-label]", state="attached")
        return self.page

    def close(self) -> None:
        self.context.close()
        if not self.expected_failures:
            assert self.complaints == []
        strangers = [
            url
            for url in self.requests
            if urlsplit(url).netloc not in self.hosts
            and urlsplit(url).scheme not in ("data", "blob")
        ]
        assert strangers == []


@pytest.fixture
def new_tab(browser: Browser, site: str) -> Iterator[Callable[..., Tab]]:
    """Opens tabs; when the test ends, each must have kept quiet and stayed on the host."""
    tabs: list[Tab] = []

    def make(**options: Any) -> Tab:
        tabs.append(Tab(browser, site, **options))
        return tabs[-1]

    yield make
    for tab in tabs:
        tab.close()


@pytest.fixture
def tab(new_tab: Callable[..., Tab]) -> Tab:
    return new_tab()

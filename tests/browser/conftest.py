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
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
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


# Playwright lifts a browser limit on address changes that people have; put it back.
LAUNCH: dict[str, Any] = {
    "args": list(CHROMIUM_FLAGS),
    "ignore_default_args": ["--disable-ipc-flooding-protection"],
}
OF_A_PAGE = {"viewport", "color_scheme", "reduced_motion", "permissions"}
"""What a tab of a browser in use can be given; anything else takes a browser of its own."""


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=chromium(), **LAUNCH)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def used_browser(
    playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """A browser that has been here before: it keeps files and compiled scripts, half of a load."""
    context = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"), executable_path=chromium(), **LAUNCH
    )
    yield context
    context.close()


class Tab:
    """A page in its own context, with everything it said and asked for."""

    def __init__(
        self, context: BrowserContext, site: str, *, own: bool = True, **options: Any
    ) -> None:
        self.context, self.own = context, own
        context.set_default_timeout(PATIENCE_MS)
        context.grant_permissions(options.get("permissions", []))
        self.page: Page = context.new_page()
        self.page.set_viewport_size(options.get("viewport", {"width": 1280, "height": 900}))
        self.page.emulate_media(
            color_scheme=options.get("color_scheme", "light"),
            reduced_motion=options.get("reduced_motion", "no-preference"),
        )
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
        if self.own:
            self.context.close()
        else:
            self._tidy()
        if not self.expected_failures:
            assert self.complaints == []
        strangers = [
            url
            for url in self.requests
            if urlsplit(url).netloc not in self.hosts
            and urlsplit(url).scheme not in ("data", "blob")
        ]
        assert strangers == []

    def _tidy(self) -> None:
        """Leave the browser as it was found, but for its cache."""
        first, *others = self.context.pages
        for page in others:
            page.close()
        self.context.clear_permissions()
        session = self.context.new_cdp_session(first)
        for host in self.hosts:
            origin = {"origin": f"http://{host}", "storageTypes": "cookies,local_storage"}
            session.send("Storage.clearDataForOrigin", origin)
        session.detach()


@pytest.fixture
def new_tab(request: pytest.FixtureRequest, site: str) -> Iterator[Callable[..., Tab]]:
    """Opens tabs; when the test ends, each must have kept quiet and stayed on the host.

    Tabs beyond the first are another person's: they share nothing with it.
    """
    tabs: list[Tab] = []

    def make(**options: Any) -> Tab:
        own = bool(tabs) or not options.keys() <= OF_A_PAGE
        if own:
            kept = {name: options.pop(name) for name in list(options) if name not in OF_A_PAGE}
            context = request.getfixturevalue("browser").new_context(**kept)
        else:
            context = request.getfixturevalue("used_browser")
        tabs.append(Tab(context, site, own=own, **options))
        return tabs[-1]

    yield make
    for tab in tabs:
        tab.close()


@pytest.fixture
def tab(new_tab: Callable[..., Tab]) -> Tab:
    return new_tab()

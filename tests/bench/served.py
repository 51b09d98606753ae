"""What is measured in a browser: the server as a site runs it, and Chromium."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS, chromium
from tests.browser.served import PATIENCE_S, Served, gunicorn_alone


@contextmanager
def served_and_browsed() -> Iterator[tuple[Served, Browser]]:
    """A server that has answered once, and a browser that was never there."""
    with (
        tempfile.TemporaryDirectory() as folder,
        gunicorn_alone(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        requests.get(server.site, timeout=PATIENCE_S)
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        yield server, browser
        browser.close()

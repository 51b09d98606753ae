"""Shared by all tests: a repeatable Hypothesis profile, and one app for the whole run."""

from __future__ import annotations

from pathlib import Path

import dash
import flask.testing
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,  # speed is the benchmark's business, never a test's
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")

LONG = ("browser/test_walk.py", "browser/test_served.py", "browser/", "sweep/", "jobs/", "")
"""Where tests take long, the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files: of two processes neither then waits for the other at the end."""

    def place(item: pytest.Item) -> int:
        path = item.path.relative_to(Path(__file__).parent).as_posix()
        return next(place for place, start in enumerate(LONG) if path.startswith(start))

    items.sort(key=place)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> dash.Dash:
    """The app, with a folder of its own; Dash keeps pages in a global, so one is built."""
    from app import create_app
    from pages._server.settings import Settings

    folder = tmp_path_factory.mktemp("state")
    return create_app(Settings(state_dir=str(folder), job_slots=1))


@pytest.fixture(scope="session")
def client(app: dash.Dash) -> flask.testing.FlaskClient:
    """A client without a browser."""
    return app.server.test_client()

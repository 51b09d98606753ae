"""``make fuzz``: ten thousand requests that nobody should send, and what came back."""

from __future__ import annotations

import sys
import tempfile
from unittest import mock

from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings

from app import create_app
from pages._jobs import desk
from pages._server import api
from pages._server.settings import Settings
from tests.fuzz.described import check_description
from tests.fuzz.requests import FAMILIES, Asked, Counts, check, idle, learn

REQUESTS = 10_000
FROM_DESCRIPTION = 3_000


def main() -> int:
    """Send them all; the first failure ends it with the smallest request that shows it."""
    counts = Counts()
    with tempfile.TemporaryDirectory() as folder:
        application = create_app(Settings(state_dir=folder)).server
        client = application.test_client()
        learn(client)
        for owner, name, value in idle(desk, api):
            mock.patch.object(owner, name, value).start()
        for family in FAMILIES:
            send_all(client, family, counts)
            tell(counts, family)
        check_description(application, FROM_DESCRIPTION, counts)
        tell(counts, "OpenAPI, schemathesis")
    total = sum(sum(found.values()) for found in counts.statuses.values())
    failed = sum(found[500] for found in counts.statuses.values())
    print(f"{total} requests, {failed} with status 500")
    return 0


def send_all(client: FlaskClient, family: str, counts: Counts) -> None:
    """One family's share."""

    @settings(
        max_examples=-(-REQUESTS // len(FAMILIES)),
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(FAMILIES[family]())
    def run(asked: Asked) -> None:
        counts.note(family, check(client, asked))

    run()


def tell(counts: Counts, family: str) -> None:
    """One line per family."""
    found = counts.statuses[family]
    parts = ", ".join(f"{status}: {number}" for status, number in sorted(found.items()))
    print(f"{family:<24}{sum(found.values()):>6} requests   {parts}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

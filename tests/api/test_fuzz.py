"""A few hundred of the requests that ``make fuzz`` sends by the ten thousand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from pages._jobs import desk
from pages._server import api
from tests.fuzz.requests import FAMILIES, check, idle, learn


@pytest.mark.parametrize("family", FAMILIES)
def test_no_request_is_a_failure(client: Any, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    learn(client)
    for owner, name, value in idle(desk, api):
        monkeypatch.setattr(owner, name, value)

    @settings(
        max_examples=40,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(FAMILIES[family]())
    def send(asked: Any) -> None:
        check(client, asked)

    send()

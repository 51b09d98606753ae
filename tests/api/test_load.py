"""The person of ``make load`` keeps to what pages ask and the server answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from foptrn_model.explorers import EXPLORERS
from pages._jobs import desk
from tests.load.person import Person, kind_of

ANSWER_S = 0.4


class Direct:
    """A line that goes to the app itself; time passes by pausing and by asking."""

    def __init__(self, client: Any) -> None:
        self.client, self.now = client, 0.0
        self.found: list[tuple[str, str]] = []

    def ask(
        self, kind: str, path: str, *, body: Any = None, judge: Callable[[bytes], str] | None = None
    ) -> bytes | None:
        """See ``Line``."""
        self.now += ANSWER_S
        if body is None:
            answer = self.client.get(path)
        else:
            answer = self.client.post(
                path, data=orjson.dumps(body), content_type="application/json"
            )
        fault = judge(answer.data) if judge and answer.status_code == 200 else ""
        self.found.append((kind, fault or str(answer.status_code)))
        return answer.data if answer.status_code == 200 else None

    def note(self, kind: str, seconds: float) -> None:
        """See ``Line``."""
        self.found.append((kind, "200"))

    def pause(self, seconds: float) -> None:
        """See ``Line``."""
        self.now += seconds

    def clock(self) -> float:
        """See ``Line``."""
        return self.now


@pytest.mark.parametrize("slug", EXPLORERS)
def test_a_person_asks_for_what_a_page_would(
    client: Any, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drag, its release and what follows; runs stay in the queue, since nothing computes them."""
    monkeypatch.setattr(desk.Desk, "_ensure_runner", lambda self: None)
    line = Direct(client)
    cold = {slug: [f"/{slug}", "/_dash-layout", "/_dash-dependencies"]}
    person = Person(line, slug=slug, seed=1, cold=cold)
    person.arrive()
    person.drag()
    assert {kind_of(path) for path in cold[slug]} == {"document", "layout"}
    assert {found for _, found in line.found} == {"200"}, line.found
    kinds = {kind for kind, _ in line.found}
    assert {"page", f"{slug}: drag", f"{slug}: rest"} - kinds == (
        {f"{slug}: rest"} if person.trains else set()
    )
    if person.trains:
        assert {f"{slug}: poll", f"{slug}: cancel"} <= kinds

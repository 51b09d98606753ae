"""Desks and tables in folders of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from pages._jobs.desk import Desk
from pages._jobs.table import JobTable

PATIENCE_S = 60.0
"""How long a test waits for what must come; nothing is asserted about speed."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[JobTable]:
    made = JobTable(tmp_path)
    yield made
    made.close()


@pytest.fixture
def new_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Makes desks on one folder; their runners end with the test."""
    before = set(psutil.Process().children())
    desks: list[Desk] = []

    def make(slots: int = 1, **options: str) -> Desk:
        desks.append(Desk(tmp_path, slots, **options))
        return desks[-1]

    yield make
    ours = [child for child in psutil.Process().children() if child not in before]
    for child in ours:
        with suppress(psutil.NoSuchProcess):  # a runner that found another ends by itself
            for process in [*child.children(recursive=True), child]:
                process.kill()
    psutil.wait_procs(ours, timeout=PATIENCE_S)
    for desk in desks:
        desk.table.close()

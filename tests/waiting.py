"""Waiting for what must come, in tests that watch other processes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any


def until(condition: Callable[[], Any], patience_s: float) -> Any:
    """What a condition gives once it gives something."""
    deadline = time.monotonic() + patience_s
    pause = threading.Event()
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never came"
        pause.wait(0.02)
    return found

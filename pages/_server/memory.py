"""How the C library of a server's processes keeps memory: glibc's; others do not do these things."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

ARENAS = (-8, 2)
AT_ONCE = (-3, 256 * 1024)
"""M_ARENA_MAX, and M_MMAP_THRESHOLD in bytes."""
TRIM_S = 20.0


def _library(name: str) -> Any:
    """A function of the C library, where it has it."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


def give_back_large_arrays() -> None:
    """Have what a large array took go back to the system as soon as the array is gone.

    By itself glibc keeps memory for each thread, and ever larger pieces of it: up to the largest
    array there was. Eight threads then hold some 200 MB that nobody uses. Forked processes
    inherit this.
    """
    set_option = _library("mallopt")
    for option, value in (ARENAS, AT_ONCE):
        if set_option is not None:
            set_option(option, value)


def give_back_now_and_then() -> None:
    """Have the small pieces that are free between others go back as well, from a thread; takes ms."""
    trim = _library("malloc_trim")
    if trim is None:
        return

    def run() -> None:
        pause = threading.Event()
        while not pause.wait(TRIM_S):
            trim(0)

    threading.Thread(target=run, name="memory", daemon=True).start()

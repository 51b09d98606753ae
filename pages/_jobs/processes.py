"""Processes of this machine: whether one lives, and dying with the one that made it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

DIES_WITH_PARENT = 1
"""Linux: PR_SET_PDEATHSIG."""


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return sys.platform != "linux"  # elsewhere there is nothing to read
    return state.rpartition(")")[2].split()[0] not in ("Z", "X")


def die_with_parent() -> None:
    """Have the system kill this process when the one that made it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(DIES_WITH_PARENT, signal.SIGKILL)

"""The commit that this code was at, for whoever says which code made a number."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
COMMIT_FILE = "COMMIT"
"""A build without git, such as a container's, may leave the commit in this file."""
SHORT = 10
_told: list[str] = []


def commit(told: str = "", root: Path = ROOT) -> str:
    """The commit in short: as told, from the file, from git, or nothing where none knows."""
    return (told or _from_file(root) or _from_git(root))[:SHORT]


def tell(told: str) -> None:
    """Keep the commit that a setting names, for :func:`known_commit`; empty forgets it."""
    _told[:] = [told] if told else []


def known_commit() -> str:
    """The commit for a report or a record: "unknown" where none knows."""
    return commit("".join(_told)) or "unknown"


def _from_file(root: Path) -> str:
    try:
        text = (root / COMMIT_FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return text if re.fullmatch(r"[0-9a-f]{7,40}", text) else ""


def _from_git(root: Path) -> str:
    if not (root / ".git").exists():  # or a repository around this folder would answer
        return ""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""

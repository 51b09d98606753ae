"""Which version runs here, and from which commit."""

from __future__ import annotations

from foptrn_model import __version__
from foptrn_model.code_commit import commit


def release(told: str = "") -> str:
    """Version and, where it is known, commit."""
    known = commit(told)
    return f"{__version__} ({known})" if known else __version__

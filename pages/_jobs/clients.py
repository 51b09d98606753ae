"""On whose behalf the request at hand asks for computations."""

from __future__ import annotations

from contextvars import ContextVar

_asking: ContextVar[str] = ContextVar("asking", default="")


def ask_for(address: str) -> None:
    """Say whose request this is; it holds for this thread's request."""
    _asking.set(address)


def asking() -> str:
    """The address that the request at hand comes from; empty outside of requests."""
    return _asking.get()

"""Response headers: what a page may load, who may frame it, what may be cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import flask

YEAR_S = 31_536_000


def install_headers(
    server: flask.Flask, *, frame_ancestors: str, script_hashes: Callable[[], Sequence[str]]
) -> None:
    """Add the headers to every response.

    ``script_hashes`` is asked once, at the first response, when every inline
    script of Dash is known.
    """

    @cache
    def policy() -> str:
        hashes = " ".join(script_hashes())
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src 'self' {hashes}",
                # Dash, its components and plotly.js write inline styles.
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' data: blob:",
                "font-src 'self'",
                "connect-src 'self'",
                "frame-src 'self'",  # the explorers in a deck
                "base-uri 'none'",
                "form-action 'none'",
                f"frame-ancestors {_ancestors(frame_ancestors)}",
            )
        )

    @server.after_request
    def add_headers(response: flask.Response) -> flask.Response:
        response.headers["Content-Security-Policy"] = policy()
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        # Dash stamps a file's time of change into its address (?m=), so such a copy never ages.
        if "/assets/" in flask.request.path and "m" in flask.request.args:
            response.headers["Cache-Control"] = f"public, max-age={YEAR_S}, immutable"
        return response


def _ancestors(allowed: str) -> str:
    """Who may frame a page: who is allowed, and this site itself, whose decks do."""
    others = [source for source in allowed.split() if source not in ("'none'", "'self'")]
    return allowed if "*" in others else " ".join(["'self'", *others])

"""Bounds on what one request may be, and on whose behalf it asks."""

from __future__ import annotations

import flask

from pages._jobs.clients import ask_for

MAX_BODY_BYTES = 2_000_000
"""A file of 1 MB in the letters of JSON, and a request around it."""
MAX_QUERY_BYTES = 7_000
"""Below what gunicorn and nginx take as a request line (8 kB), so that ours is the answer."""


def install_limits(server: flask.Flask) -> None:
    """Refuse what is too large before anything reads it."""
    server.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES

    @server.before_request
    def check() -> None:
        # The address is the connection's, or what trusted proxies say of it.
        ask_for(flask.request.remote_addr or "")
        if len(flask.request.query_string) > MAX_QUERY_BYTES:
            flask.abort(414, f"The query is longer than {MAX_QUERY_BYTES:,} characters.")

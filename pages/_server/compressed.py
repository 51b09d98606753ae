"""Scripts and styles are compressed once per process, as well as it can be done, not for each visitor.

A first visit takes some 3 MB of them; forty people who open a page at once would otherwise each
wait for theirs to be compressed. Browsers ask for brotli over https only, so gzip matters as much.
"""

from __future__ import annotations

import gzip
import re
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import brotli
import flask

FOLDERS = ("assets/", "_dash-component-suites/")
TYPES = ("text/javascript", "application/javascript", "text/css")
LEAST_BYTES = 500
LINK = re.compile(r'(?:src|href)="([^"]+)"')
CODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=9),
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
}
"""In order of preference."""

_one_at_a_time = threading.Lock()


@lru_cache(maxsize=256)
def _once(body: bytes, coding: str) -> bytes:
    return CODINGS[coding](body)


def compressed(body: bytes, coding: str) -> bytes:
    """A body in a coding; the same one again costs nothing.

    Kept by what it holds, so that no address, however written, adds to what is kept.
    """
    with _one_at_a_time:
        return _once(body, coding)


def install_compressed(server: flask.Flask, *, prefix: str) -> None:
    """Send scripts and styles below ``prefix`` in the best coding that a browser takes."""
    folders = tuple(prefix + folder for folder in FOLDERS)

    @server.after_request
    def pack(response: flask.Response) -> flask.Response:
        request = flask.request
        if not request.path.startswith(folders) or response.status_code != 200:
            return response
        response.vary.add("Accept-Encoding")
        coding = request.accept_encodings.best_match(CODINGS)
        if coding is None or response.mimetype not in TYPES:
            return response
        response.direct_passthrough = False
        body = response.get_data()
        if len(body) < LEAST_BYTES:
            return response
        response.set_data(compressed(body, coding))
        response.headers["Content-Encoding"] = coding
        tag, weak = response.get_etag()
        if tag and not weak:
            response.set_etag(f"{tag}:{coding}")
            response.make_conditional(request)
        return response


def prepare(server: flask.Flask, document: str, *, routes_path: str, base_path: str) -> None:
    """Compress what a document loads before anyone asks for it."""
    client: Any = server.test_client()
    for link in LINK.findall(document):
        for coding in CODINGS:
            path = routes_path + link.removeprefix(base_path)
            client.get(path, headers={"Accept-Encoding": coding}).close()

"""One line of JSON per request: enough to see load and faults, nothing of the person.

A line has no address, no user agent, no query and nothing of a body, so a file
that was sent, or a state that was looked at, never reaches it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

MAX_PATH = 200


def to_stdout(line: str) -> None:
    """Write one line at once, so that those of other threads and processes stay whole."""
    os.write(sys.stdout.fileno(), line.encode())


class AccessLog:
    """WSGI middleware that tells of every request when its answer has been sent."""

    def __init__(self, application: Any, write: Callable[[str], object] = to_stdout) -> None:
        self.application, self.write = application, write

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        started, status = time.perf_counter(), "500"

        def note(line: str, *rest: Any) -> Any:
            nonlocal status
            status = line.partition(" ")[0]
            return start_response(line, *rest)

        body, sent = self.application(environ, note), 0

        def pieces() -> Iterator[bytes]:
            nonlocal sent
            try:
                for piece in body:
                    sent += len(piece)
                    yield piece
            finally:
                if hasattr(body, "close"):
                    body.close()
                path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
                path = path.encode("latin-1").decode("utf-8", "replace")  # as WSGI has it
                line = {
                    "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                    "method": environ["REQUEST_METHOD"],
                    "path": path[:MAX_PATH],
                    "status": int(status),
                    "ms": round(1000 * (time.perf_counter() - started), 1),
                    "bytes": sent,
                }
                self.write(json.dumps(line) + "\n")

        return _Closed(pieces())


class _Closed:
    """A body whose line is written even where the server takes nothing of it, as for HEAD."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._begun = pieces, False

    def __iter__(self) -> Iterator[bytes]:
        self._begun = True
        return self._pieces

    def close(self) -> None:
        if not self._begun:
            next(self._pieces, None)
        self._pieces.close()  # type: ignore[attr-defined]

"""People as threads: ``python -m tests.load.crowd ADDRESS PEOPLE SECONDS COLD ROWS``.

A process of its own, so that what it costs is not the server's. COLD is a file of JSON with what a
cold browser asks for; a row of JSON per request goes to the file ROWS.
"""

from __future__ import annotations

import gzip
import http.client
import select
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import orjson

from foptrn_model.explorers import EXPLORERS, TRAINERS
from tests.load.person import Person

ARRIVE_PER_S = 4
TRAINING = 0.1
"""This share of all people runs trainers; the others spread evenly over the other explorers."""
TIMEOUT_S = 60.0
STALE_S = 0.02
"""A kept connection that fails so soon was being closed by the server; browsers send again."""


class LeftError(Exception):
    """Raised in a person's thread when the time is over."""


class Connection:
    """One person's way to the server, kept open as browsers do."""

    def __init__(self, address: str, number: int, over: threading.Event, rows: IO[bytes]) -> None:
        """``over`` ends the person's stay; each has an address of their own before the proxy."""
        self.over, self.rows = over, rows
        host = address.removeprefix("http://")
        self._http = http.client.HTTPConnection(host, timeout=TIMEOUT_S)
        self._headers = {
            "Accept-Encoding": "gzip, deflate",  # all that browsers ask for without https
            "Content-Type": "application/json",
            "X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}",
        }

    def ask(
        self, kind: str, path: str, *, body: Any = None, judge: Callable[[bytes], str] | None = None
    ) -> bytes | None:
        """See ``Line``."""
        if self.over.is_set():
            raise LeftError
        began, content = time.time(), None
        sent = None if body is None else orjson.dumps(body)
        try:
            status, content = self._exchange(path, sent)
        except (OSError, http.client.HTTPException) as error:
            self._http.close()
            outcome = f"lost: {error!r}"
        else:
            if status != 200:
                content, outcome = None, f"error: status {status}"
            else:
                outcome = judge(content) if judge else ""
        self._row(kind, began, time.time() - began, outcome)
        return content

    def _exchange(self, path: str, sent: bytes | None) -> tuple[int, bytes]:
        began, kept = time.monotonic(), self._http.sock is not None
        if kept and select.select([self._http.sock], [], [], 0)[0]:
            self._http.close()  # the server has closed it meanwhile
            kept = False
        try:
            return self._once(path, sent)
        except (ConnectionError, http.client.RemoteDisconnected):
            if not kept or time.monotonic() - began > STALE_S:
                raise
            self._http.close()
            return self._once(path, sent)

    def _once(self, path: str, sent: bytes | None) -> tuple[int, bytes]:
        method = "GET" if sent is None else "POST"
        self._http.request(method, path, body=sent, headers=self._headers)
        answer = self._http.getresponse()
        content = answer.read()
        if answer.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return answer.status, content

    def note(self, kind: str, seconds: float) -> None:
        """See ``Line``."""
        self._row(kind, time.time() - seconds, seconds, "")

    def pause(self, seconds: float) -> None:
        """See ``Line``."""
        if self.over.wait(seconds):
            raise LeftError

    def clock(self) -> float:
        """See ``Line``."""
        return time.monotonic()

    def _row(self, kind: str, at: float, seconds: float, outcome: str) -> None:
        row = {"kind": kind, "at": at, "ms": 1000 * seconds, "outcome": outcome}
        self.rows.write(orjson.dumps(row) + b"\n")


def stay(line: Connection, slug: str, seed: int, cold: Mapping[str, Sequence[str]]) -> None:
    """Arrive, and take turn after turn until the time is over."""
    try:
        person = Person(line, slug=slug, seed=seed, cold=cold)
        person.arrive()
        while True:
            person.turn()
    except LeftError:
        pass


def places(people: int) -> list[str]:
    """At which explorer each begins: a tenth at the trainers, the others evenly."""
    training = round(people * TRAINING)
    others = [slug for slug in EXPLORERS if slug != TRAINERS.slug]
    found = [others[index % len(others)] for index in range(people - training)]
    for index in range(training):
        found.insert(index * people // training, TRAINERS.slug)
    return found


def main(address: str, people: str, seconds: str, cold: str, rows: str) -> int:
    """Let them all in, and out again after the time; gives how many stumbled."""
    asked, over = orjson.loads(Path(cold).read_bytes()), threading.Event()
    stumbled: list[threading.ExceptHookArgs] = []
    usual = threading.excepthook
    threading.excepthook = lambda told: (stumbled.append(told), usual(told))[1]
    ends = time.monotonic() + float(seconds)
    with Path(rows).open("wb") as written:
        threads = []
        for number, slug in enumerate(places(int(people))):
            line = Connection(address, number, over, written)
            threads.append(threading.Thread(target=stay, args=(line, slug, number, asked)))
            threads[-1].start()
            time.sleep(1 / ARRIVE_PER_S)
        time.sleep(max(0.0, ends - time.monotonic()))
        over.set()
        for thread in threads:
            thread.join()
    return len(stumbled)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

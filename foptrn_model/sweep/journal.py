"""What a sweep has computed so far, kept beside its output so that nothing is computed twice.

A journal is a text file of JSON lines: a header that says of which sweep it is,
then a line per point in the order in which they came, and before them the
names of their values. Memory holds a byte and an offset per point, never the
points themselves. A line that was cut short by a kill is dropped.
"""

from __future__ import annotations

import fcntl
import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.points import Plain, Row, Sweep

FORMAT = 1


class Journal:
    """The points of one sweep that are there; one process at a time has it open."""

    def __init__(self, path: Path, sweep: Sweep) -> None:
        """Open or begin it; raises SweepError for another sweep's, a damaged or a used one."""
        self.path, self.sweep = path, sweep
        self.size = sweep.grid.size
        self.present = bytearray(self.size)
        self.count = self.bad = 0
        self.kinds: dict[str, set[str]] = {}
        """Name of a value -> the kinds it has come in, names in the order they came."""
        self._offsets = array("q", [0]) * self.size
        self._names: list[tuple[str, ...]] = []
        self._place: dict[tuple[str, ...], int] = {}
        self._end = 0
        self._file: BinaryIO = _opened(path)
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def append(self, batch: Plain) -> None:
        """Keep a batch; a point that is there already is not kept twice."""
        lines: list[bytes] = []
        at = self._end
        for number, shape, message, values in batch["rows"]:
            if self.present[number]:
                continue
            names = tuple(batch["names"][shape])
            if names not in self._place:
                lines.append(orjson.dumps({"names": names}) + b"\n")
                at += len(lines[-1])
                self._learn(names)
            lines.append(orjson.dumps([number, self._place[names], message, values]) + b"\n")
            self._note(number, at, names, message, values)
            at += len(lines[-1])
        try:
            self._file.seek(self._end)
            self._file.write(b"".join(lines))
            self._file.flush()
        except OSError as error:
            raise SweepError(f"cannot write {self.path}: {error.strerror or error}") from None
        self._end = at

    def rows(self) -> Iterator[Row]:
        """Every point that is there, in the order of the grid."""
        for number in range(self.size):
            if self.present[number]:
                self._file.seek(self._offsets[number])
                _, place, message, values = orjson.loads(self._file.readline())
                named = dict(zip(self._names[place], values, strict=True))
                yield Row(number=number, values=named, message=message)

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """Delete it: everything in it has been written elsewhere."""
        self.path.unlink()
        self.close()

    # Reading what an earlier start has left ----------------------------------------

    def _read(self) -> None:
        header = {"format": FORMAT, "sweep": self.sweep.plain}
        first = self._file.readline()
        if not first.endswith(b"\n"):
            if first and not orjson.dumps(header).startswith(first):
                raise SweepError(f"{self.path} is not a journal of a sweep: choose another --out")
            first = orjson.dumps(header) + b"\n"
            self._file.seek(0)
            self._file.truncate()
            self._file.write(first)
            self._file.flush()
        self._check(first, orjson.loads(orjson.dumps(header)))
        self._end = len(first)
        for line in self._file:
            if not line.endswith(b"\n") or not self._take(line):
                break
            self._end += len(line)
        rest = self._file.seek(0, os.SEEK_END) - self._end
        self._file.seek(self._end)
        if rest and len(self._file.readline()) < rest:
            raise SweepError(
                f"{self.path} is damaged after {self.count} points: remove it and start anew"
            )
        self._file.truncate(self._end)

    def _take(self, line: bytes) -> bool:
        """Take in one line; False for one that makes no sense."""
        try:
            found = orjson.loads(line)
            if isinstance(found, dict):
                self._learn(tuple(found["names"]))
                return True
            number, place, message, values = found
            names = self._names[place]
            if len(names) != len(values) or not 0 <= number < self.size:
                return False
        except (ValueError, KeyError, IndexError, TypeError):
            return False
        if not self.present[number]:
            self._note(number, self._end, names, message, values)
        return True

    def _check(self, line: bytes, wanted: Plain) -> None:
        try:
            found = orjson.loads(line)
            theirs = found["sweep"]
            same_format = found["format"] == FORMAT
        except (ValueError, KeyError, TypeError):
            raise SweepError(
                f"{self.path} is not a journal of a sweep: choose another --out"
            ) from None
        if same_format and theirs == wanted["sweep"]:
            return
        differing = [name for name, value in wanted["sweep"].items() if theirs.get(name) != value]
        if not same_format or {"version", "code"} & set(differing):
            because = "was begun with another version of the model"
        else:
            because = f"belongs to another sweep (its {_listed(differing, theirs, wanted)} differ)"
        raise SweepError(f"{self.path} {because}: remove it or choose another --out")

    def _learn(self, names: tuple[str, ...]) -> None:
        self._place.setdefault(names, len(self._names))
        self._names.append(names)

    def _note(
        self, number: int, offset: int, names: tuple[str, ...], message: str, values: list[Any]
    ) -> None:
        self.present[number] = 1
        self._offsets[number] = offset
        self.count += 1
        self.bad += bool(message)
        for name, value in zip(names, values, strict=True):
            self.kinds.setdefault(name, set()).add(type(value).__name__)


def _listed(differing: list[str], theirs: Plain, wanted: Plain) -> str:
    """What differs, fields of the state by their own names."""
    ours = wanted["sweep"]
    if differing == ["base"] and isinstance(theirs.get("base"), dict):
        names = [name for name, value in ours["base"].items() if theirs["base"].get(name) != value]
        return ", ".join(names) or "fields"
    return ", ".join(differing)


def _opened(path: Path) -> BinaryIO:
    try:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SweepError(f"--out: cannot write {path}: {reason}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise SweepError(f"another command is writing {path}") from None
    return file

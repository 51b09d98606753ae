"""The finished sweep as a file: every point in the order of the grid, one row each.

Rows come one by one from the journal, so that a large sweep takes no memory
here either. In CSV a word such as "never" stands in the place of the number
that does not exist. A column of a Parquet file has one type, so there such
words stand in a column beside it, named ``<name>.word``.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.journal import Journal
from foptrn_model.sweep.points import Row, Sweep
from foptrn_model.tables import plain_number

SUFFIXES = (".csv", ".parquet")
ROW_GROUP = 10_000
NUMBERS = {"int", "float"}
WORD = ".word"
STATE, MESSAGE = "state", "message"


def check_output(path: Path) -> None:
    """Refuse, before anything is computed, what could not be written in the end."""
    if path.suffix not in SUFFIXES:
        raise SweepError(f"--out must end in {' or '.join(SUFFIXES)}, got {path}")
    if path.exists():
        raise SweepError(f"--out: {path} is there already: remove it or choose another name")
    if path.suffix == ".parquet":
        _pyarrow()


def write_sweep(journal: Journal, path: Path) -> None:
    """Write everything that the journal holds; the file appears once it is whole."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    write = _write_csv if path.suffix == ".csv" else _write_parquet
    try:
        write(journal, unfinished)
        os.replace(unfinished, path)
    except OSError as error:
        raise SweepError(f"--out: cannot write {path}: {error.strerror or error}") from None


def headings(sweep: Sweep, names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Columns that say which point a row is and how it fared, and the heading of every value."""
    first = [*(axis.name for axis in sweep.grid.axes), STATE, MESSAGE]
    return first, {name: f"result.{name}" if name in first else name for name in names}


def csv_lines(sweep: Sweep, rows: Iterable[Row], names: Sequence[str], out: IO[str]) -> None:
    """Rows as comma-separated text, with a line of headings."""
    first, heads = headings(sweep, names)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*first, *heads.values()])
    for row in rows:
        point = sweep.grid.point(row.number).values()
        values = [row.values.get(name) for name in names]
        shown = (_cell(value) for value in (*point, row.state, row.message, *values))
        writer.writerow(list(shown))


def _cell(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else plain_number(value)


def _write_csv(journal: Journal, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv_lines(journal.sweep, journal.rows(), list(journal.kinds), file)


def _write_parquet(journal: Journal, path: Path) -> None:
    pyarrow, parquet = _pyarrow()
    sweep = journal.sweep
    _, heads = headings(sweep, journal.kinds)
    columns: dict[str, Any] = {}
    for axis in sweep.grid.axes:
        columns[axis.name] = _type(pyarrow, {type(value).__name__ for value in axis.values})
    columns |= {STATE: pyarrow.string(), MESSAGE: pyarrow.string()}
    for name, kinds in journal.kinds.items():
        if _mixed(kinds):
            columns[heads[name]] = pyarrow.float64()
            columns[heads[name] + WORD] = pyarrow.string()
        else:
            columns[heads[name]] = _type(pyarrow, kinds)
    told = {"sweep": json.dumps(sweep.plain)}
    schema = pyarrow.schema(list(columns.items()), metadata=told)
    with parquet.ParquetWriter(path, schema) as writer:
        for group in _grouped(journal.rows()):
            listed: dict[str, list[Any]] = {name: [] for name in columns}
            for row in group:
                values = dict.fromkeys(columns) | sweep.grid.point(row.number)
                values |= {STATE: row.state, MESSAGE: row.message}
                for name, value in row.values.items():
                    word = isinstance(value, str) and _mixed(journal.kinds[name])
                    values[heads[name] + WORD if word else heads[name]] = value
                for name, value in values.items():
                    listed[name].append(_fitting(columns[name], pyarrow, value))
            writer.write_table(pyarrow.table(listed, schema=schema))


def _grouped(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while group := list(islice(rows, ROW_GROUP)):
        yield group


def _mixed(kinds: set[str]) -> bool:
    """Whether numbers and words share a column."""
    return "str" in kinds and bool(kinds & NUMBERS)


def _type(pyarrow: Any, kinds: set[str]) -> Any:
    found = kinds - {"NoneType"}
    if found == {"int"}:
        return pyarrow.int64()
    if found == {"bool"}:
        return pyarrow.bool_()
    return pyarrow.float64() if found and found <= NUMBERS else pyarrow.string()


def _fitting(column: Any, pyarrow: Any, value: Any) -> Any:
    if value is None:
        return None
    if column == pyarrow.float64():
        return float(value)
    return str(value) if column == pyarrow.string() else value


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415 - needed for Parquet alone, and slow to load
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise SweepError(
            "--out: Parquet files need the sweep extra: python -m pip install -e '.[sweep]'"
        ) from None
    return pyarrow, parquet

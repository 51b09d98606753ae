"""A person's own loss curves, read from CSV row by row.

The file has a header ``method,step,val_loss``, in any order, and ``seed`` if
several runs of a method are to be averaged. Commas, semicolons or tabs separate
cells; with the last two a decimal comma is read as well.
"""

from __future__ import annotations

import csv
import io
import math
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foptrn_model.curves import BASELINE, Curve, LossCurves
from foptrn_model.fields import MAX_NAME, echo
from foptrn_model.text import group_digits

MAX_BYTES = 1_000_000
MAX_ROWS = 50_000
MAX_METHODS = 100
MAX_STEP = 10**9
MAX_LOSS = 1e9

COLUMNS = ("method", "step", "val_loss")
SEED = "seed"
EXPECTED = "method,step,val_loss (and seed, if several runs are to be averaged)"

_NUMBER = re.compile(r"[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][+-]?\d{1,3})?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d{1,30},\d{1,30}([eE][+-]?\d{1,3})?", re.ASCII)
_NOT_FINITE = ("nan", "inf", "infinity")


class CurvesError(ValueError):
    """Raised for the first thing wrong with a file; ``row`` counts lines from 1, the header's."""

    def __init__(
        self, reason: str, *, row: int | None = None, column: str = "", value: str | None = None
    ) -> None:
        self.reason, self.row, self.column = reason, row, column
        self.value = None if value is None else echo(value)
        where = [f"row {group_digits(row)}"] if row else []
        where += [f"column {column}"] if column else []
        got = "" if value is None else f", got {self.value}"
        super().__init__(f"{', '.join(where)}: {reason}{got}" if where else reason + got)


@dataclass(frozen=True, kw_only=True)
class _Row:
    line: int
    method: str
    seed: str
    step: int
    loss: float


def read_curves(text: str | bytes) -> LossCurves:
    """Read loss curves as a person has them.

    A mark at the start that gives the byte order, any line ends, quoted cells,
    blank lines and rows of empty cells, and spaces around cells do not matter;
    rows may come in any order. AdamW is found in any case ("AdamW"). Without a
    ``seed`` column a method may have one row per step; with it, every seed of a
    method must have been evaluated at the same steps, so that each mean is over
    the same runs, and their sample standard deviation is kept.

    Raises
    ------
    CurvesError
        Naming row, column, value and reason of the first thing wrong: a size
        above 1 MB or 50,000 rows, a header without the columns, a cell that is
        missing or not a number, NaN or infinity, a step that is not a whole
        number from 1, a step twice, no AdamW, or no method beside it and top-k.
    """
    decoded = _decode(text)
    if not decoded.strip():
        raise CurvesError(f"the file is empty; its header should be {EXPECTED}")
    lines = _cells(decoded)
    # Text such as a lone quote has characters but no cell.
    header_line, header, separator = next(lines, (1, [""], ","))
    places = _places(header_line, header)
    rows: list[_Row] = []
    decimal_mark = ""
    for line, cells, _ in lines:
        if not any(cells):
            continue
        if len(rows) == MAX_ROWS:
            raise CurvesError(f"a file may have at most {group_digits(MAX_ROWS)} rows", row=line)
        named = _named_cells(line, cells, places)
        decimal_mark = _one_decimal_mark(line, named["val_loss"], separator, decimal_mark)
        rows.append(_read_row(line, named, decimal_mark))
    if not rows:
        raise CurvesError("the file has a header but no rows")
    return LossCurves(curves=_grouped(rows), origin="your own file")


def _decode(text: str | bytes) -> str:
    limit = f"the file must be at most {MAX_BYTES // 10**6} MB"
    if len(text) > MAX_BYTES:
        raise CurvesError(limit)
    try:
        data = text.encode() if isinstance(text, str) else text
        if len(data) > MAX_BYTES:
            raise CurvesError(limit)
        return data.decode("utf-8-sig")
    except UnicodeError:
        raise CurvesError("the file must be text in UTF-8; save it as CSV UTF-8") from None


def _cells(text: str) -> Iterator[tuple[int, list[str], str]]:
    """Line number, stripped cells and separator of every row from the header on."""
    separator = ","
    first = next(line for line in text.splitlines() if line.strip())
    for candidate in (";", "\t"):
        if candidate in first:
            separator = candidate
            break
    # Universal newlines: files of old spreadsheets end their lines with a lone return.
    reader = csv.reader(io.StringIO(text, newline=None), delimiter=separator)
    try:
        line, started = 1, False
        for cells in reader:
            started = started or any(cell.strip() for cell in cells)
            if started:
                yield line, [cell.strip() for cell in cells], separator
            line = reader.line_num + 1  # where the next row starts; a quoted cell may hold lines
    except csv.Error as error:
        raise CurvesError(f"not readable as CSV ({error})", row=reader.line_num) from None


def _places(line: int, header: Sequence[str]) -> dict[str, int]:
    """Column name -> index; empty names at the end are a spreadsheet's, and ignored."""
    names = [name.casefold() for name in header]
    while names and not names[-1]:
        names.pop()
    known = (*COLUMNS, SEED)
    wrong = next((name for name in names if name not in known), None)
    if wrong is not None:
        raise CurvesError(f"the header must be {EXPECTED}", row=line, value=",".join(header))
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise CurvesError(
            f"the header must be {EXPECTED}; missing {', '.join(missing)}",
            row=line,
            value=",".join(header),
        )
    if len(set(names)) < len(names):
        raise CurvesError("the header names a column twice", row=line, value=",".join(header))
    return {name: index for index, name in enumerate(names)}


def _named_cells(line: int, cells: Sequence[str], places: dict[str, int]) -> dict[str, str]:
    if any(cells[len(places) :]):
        raise CurvesError(
            f"must have {len(places)} cells, got {len(cells)}; a decimal comma needs "
            "semicolons or tabs between cells",
            row=line,
        )
    named = {name: cells[index] if index < len(cells) else "" for name, index in places.items()}
    for name, cell in named.items():
        if not cell:
            raise CurvesError("the cell is missing", row=line, column=name)
    return named


def _one_decimal_mark(line: int, cell: str, separator: str, mark: str) -> str:
    """The file's decimal mark so far; a comma is one only where it cannot separate cells."""
    here = "." if "." in cell else ","
    if here == "," and (separator == "," or not _DECIMAL_COMMA.fullmatch(cell)):
        return mark
    if mark and here != mark:
        raise CurvesError(
            "write all decimals with a point, or all with a comma",
            row=line,
            column="val_loss",
            value=cell,
        )
    return here


def _read_row(line: int, named: dict[str, str], decimal_mark: str) -> _Row:
    loss = named["val_loss"]
    if decimal_mark == "," and _DECIMAL_COMMA.fullmatch(loss):
        loss = loss.replace(",", ".")
    method = _name(line, "method", named["method"])
    return _Row(
        line=line,
        method=BASELINE if method.casefold() == BASELINE else method,
        seed=_name(line, SEED, named[SEED]) if SEED in named else "",
        step=_step(line, named["step"], decimal_mark),
        loss=_loss(line, loss),
    )


def _name(line: int, column: str, cell: str) -> str:
    if len(cell) > MAX_NAME or not cell.isprintable():
        reason = f"must be 1 to {MAX_NAME} printable characters"
        raise CurvesError(reason, row=line, column=column, value=cell)
    return cell


def _step(line: int, cell: str, decimal_mark: str) -> int:
    if decimal_mark == "," and "." in cell:
        # A point that groups thousands would be read as a decimal one.
        reason = "write whole numbers without points where losses have decimal commas"
        raise CurvesError(reason, row=line, column="step", value=cell)
    number = _number(line, "step", cell)
    if number != math.floor(number) or not 1 <= number <= MAX_STEP:
        reason = f"must be a whole number from 1 to {group_digits(MAX_STEP)}"
        raise CurvesError(reason, row=line, column="step", value=cell)
    return int(number)


def _loss(line: int, cell: str) -> float:
    number = _number(line, "val_loss", cell)
    if not 0 <= number <= MAX_LOSS:
        reason = f"must be from 0 to {group_digits(int(MAX_LOSS))}"
        raise CurvesError(reason, row=line, column="val_loss", value=cell)
    return number


def _number(line: int, column: str, cell: str) -> float:
    if _NUMBER.fullmatch(cell):
        return float(cell)
    bare = cell.lstrip("+-").casefold()
    reason = (
        "must be finite; leave out what follows after a run diverged"
        if bare in _NOT_FINITE
        else "must be a number"
    )
    raise CurvesError(reason, row=line, column=column, value=cell)


def _grouped(rows: Sequence[_Row]) -> tuple[Curve, ...]:
    """Rows by method and seed; checks what only shows between rows."""
    runs: dict[str, dict[str, dict[int, _Row]]] = {}
    for row in rows:
        by_seed = runs.setdefault(row.method, {})
        if len(runs) > MAX_METHODS:
            reason = f"a file may have at most {MAX_METHODS} methods"
            raise CurvesError(reason, row=row.line, column="method", value=row.method)
        run = by_seed.setdefault(row.seed, {})
        if row.step in run:
            run_name = f"{row.method}, seed {row.seed}" if row.seed else row.method
            raise CurvesError(
                f"{run_name} has this step already in row {group_digits(run[row.step].line)}",
                row=row.line,
                column="step",
                value=str(row.step),
            )
        run[row.step] = row
    curves = LossCurves(
        curves=tuple(_curve(method, list(by_seed.values())) for method, by_seed in runs.items()),
        origin="",
    )
    if BASELINE not in curves:
        raise CurvesError(f"no method is named {BASELINE}, which the others are compared with")
    if not curves.bands:
        raise CurvesError(
            f"no method is left for a band: name at least one beside {BASELINE} and topk"
        )
    return curves.curves


def _curve(method: str, runs: Sequence[dict[int, _Row]]) -> Curve:
    steps = sorted(runs[0])
    for run in runs[1:]:
        apart = run.keys() ^ runs[0].keys()
        if apart:
            step = min(apart)
            row = next(iter(run.values()))
            raise CurvesError(
                f"every seed of {method} must have the same steps; step {group_digits(step)} is "
                f"missing for seed {row.seed if step not in run else _seed_of(runs[0])}",
                row=(run.get(step) or row).line,
                column=SEED,
            )
    losses = [[run[step].loss for run in runs] for step in steps]
    return Curve(
        method=method,
        steps=tuple(steps),
        loss=tuple(math.fsum(values) / len(values) for values in losses),
        sd=tuple(statistics.stdev(values) for values in losses) if len(runs) > 1 else None,
        seeds=len(runs),
    )


def _seed_of(run: dict[int, _Row]) -> str:
    return next(iter(run.values())).seed

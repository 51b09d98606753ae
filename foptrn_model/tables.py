"""Tables: the same numbers for a page, a CSV file and a screen reader."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column: ``name`` heads the CSV, ``label`` and ``unit`` the page's table."""

    name: str
    label: str
    unit: str = ""
    digits: int = 4
    percent: bool = False


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns and rows of plain values; a row has one value per column."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]

    def to_csv(self) -> str:
        """Comma-separated text with a header line, full precision, CRLF line ends."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow([column.name for column in self.columns])
        writer.writerows([[plain_number(value) for value in row] for row in self.rows])
        return out.getvalue()


def plain_number(value: Any) -> Any:
    """A float that is a whole number as an int, so that it prints exactly."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    return value

"""Nine small plots of the backward explorer: a row per pass, from input past the mask to output."""

from __future__ import annotations

from typing import Any

from foptrn_model.backward_series import PassView
from pages._components.theme import DATA_BY_DATA, DENSE, TEXT, WEIGHT_MASKED
from pages._figures.base import FONT, SMALL, axis, note

ROWS, COLUMNS = 3, 3
COLUMN_GAP, ROW_GAP = 0.04, 0.1
SHORT = {
    "forward": "Forward", "input_gradient": "Input grad.", "filter_gradient": "Filter grad."
}  # fmt: skip
"""Names of the rows that fit above a small plot on a phone."""


def mask_color(view: PassView) -> str:
    """A weight's mask and one of data wear the colours they have everywhere."""
    return WEIGHT_MASKED.light if view.static else DATA_BY_DATA.light


def colors(view: PassView) -> tuple[str, str, str]:
    """Colours of a row: input, mask, output."""
    return DENSE.light, mask_color(view), TEXT.light


def place(row: int, column: int) -> dict[str, str]:
    """The axes of one plot, as a trace names them."""
    number = row * COLUMNS + column + 1
    suffix = "" if number == 1 else str(number)
    return {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}


def grid(x: dict[str, Any], y: dict[str, Any], x_title: str, y_title: str) -> dict[str, Any]:
    """Axes of all nine; only the outer ones carry ticks, and the middle ones titles."""
    axes: dict[str, Any] = {}
    width = (1 - (COLUMNS - 1) * COLUMN_GAP) / COLUMNS
    height = (1 - ROWS * ROW_GAP) / ROWS
    for row in range(ROWS):
        for column in range(COLUMNS):
            names = place(row, column)
            suffix = names["xaxis"][1:]
            left = column * (width + COLUMN_GAP)
            bottom = (ROWS - 1 - row) * (height + ROW_GAP)
            axes[f"xaxis{suffix}"] = (
                axis(x_title if (row, column) == (ROWS - 1, 1) else "")
                | {"anchor": names["yaxis"], "domain": [left, min(left + width, 1)]}
                | {"showticklabels": row == ROWS - 1, "automargin": False, "nticks": 4}
                | x
            )
            axes[f"yaxis{suffix}"] = (
                axis(y_title if (row, column) == (1, 0) else "")
                | {"anchor": names["xaxis"], "domain": [bottom, bottom + height]}
                | {"showticklabels": column == 0, "automargin": False, "nticks": 4}
                | y
            )
    return axes


def label(row: int, column: int, text: str, color: str) -> dict[str, Any]:
    """What a plot shows, above its left corner."""
    names = place(row, column)
    return note(
        text, x=0, y=1, xref=f"{names['xaxis']} domain", yref=f"{names['yaxis']} domain",
        xanchor="left", yanchor="bottom", yshift=1,
    ) | {"font": {"size": SMALL, "color": color, "family": FONT}}  # fmt: skip

"""The three 4f passes as pictures: input plane, Fourier plane with its mask, output plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.convolution import Real
from foptrn_model.explorers import Evaluation
from pages._components.theme import BANDS, DENSE, TEXT
from pages._figures.backward_grid import COLUMNS, ROWS, SHORT, label, mask_color, place
from pages._figures.base import figure
from pages._figures.packed import packed

FIELDS = [
    BANDS[name].light
    for name in (
        "digital-4",
        "digital-3",
        "digital-2",
        "digital-1",
        "masks-2",
        "masks-3",
        "masks-4",
    )
]
"""From the most negative to the most positive; what is near zero wears the middle one."""
STEPS = 70
"""Whole numbers from -STEPS to STEPS stand for a value over its peak: few bytes."""
OUT = {"forward": "y", "input_gradient": "dX", "filter_gradient": "dK"}
LIGHT = {"forward": "u", "input_gradient": "g", "filter_gradient": "g"}
MASK = {"forward": "H", "input_gradient": "conj H", "filter_gradient": "conj U"}


def planes_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """A row per pass; fields are signed, grey below zero and blue above."""
    traces: list[dict[str, Any]] = []
    labels, shapes = [], []
    axes: dict[str, Any] = {}
    for row, view in enumerate(evaluation.series.views):
        plane = view.plane
        length = plane.input.shape[0]
        mask = np.fft.fftshift(plane.mask.imag)
        for column, values in enumerate((plane.input, mask, plane.output)):
            names = place(row, column)
            traces.append(_field(values) | names)
            axes |= _axes(row, column, length)
            if column != 1:
                kept = plane.kept if column == 2 else evaluation.series.views[0].plane.kept
                shapes.append(_frame(names, kept))
        labels += [
            label(row, 0, f"<b>{SHORT[view.name]}</b>: {LIGHT[view.name]}", TEXT.light),
            label(row, 1, f"Im {MASK[view.name]}: {'weight' if view.static else 'data'}",
                  mask_color(view)),
            label(row, 2, f"{OUT[view.name]}, output", DENSE.light),
        ]  # fmt: skip
    return figure(
        traces,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        annotations=labels,
        shapes=shapes,
        **axes,
    )


def _field(values: Real) -> dict[str, Any]:
    last = len(FIELDS) - 1
    peak = float(np.abs(values).max()) or 1.0
    step = 2 * STEPS // len(FIELDS)
    # The square root keeps what is weak visible.
    strength = np.sign(values) * np.sqrt(np.abs(values) / peak)
    return {
        "type": "contour",
        "z": packed(STEPS * strength, signed=True),
        "contours": {"start": -STEPS + step, "end": STEPS - step, "size": step},
        "autocontour": False,
        # Stops at equal distances give each field between two contours exactly its token.
        "colorscale": [[index / last, color] for index, color in enumerate(FIELDS)],
        "line": {"width": 0},
        "showscale": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _axes(row: int, column: int, length: int) -> dict[str, Any]:
    names = place(row, column)
    gap, head = 0.03, 0.05
    width = (1 - (COLUMNS - 1) * gap) / COLUMNS
    height = 1 / ROWS
    bottom = (ROWS - 1 - row) * height
    hidden = {"visible": False, "fixedrange": True, "title": {"text": ""}}
    return {
        f"xaxis{names['xaxis'][1:]}": hidden
        | {
            "domain": [column * (width + gap), min(column * (width + gap) + width, 1)],
            "anchor": names["yaxis"],
            "range": [0, length - 1],
            "constrain": "domain",
            "constraintoward": "left",
        },
        f"yaxis{names['yaxis'][1:]}": hidden
        | {
            "domain": [bottom, bottom + height - head],
            "anchor": names["xaxis"],
            "range": [length - 1, 0],
            "scaleanchor": names["xaxis"],
            "constrain": "domain",
            "constraintoward": "bottom",
        },
    }


def _frame(names: dict[str, str], kept: int) -> dict[str, Any]:
    """Where light is loaded or read: a square at the origin."""
    return {
        "type": "rect",
        "xref": names["xaxis"],
        "yref": names["yaxis"],
        "x0": 0,
        "y0": 0,
        "x1": kept - 0.5,
        "y1": kept - 0.5,
        "line": {"color": TEXT.light, "width": 1.2, "dash": "dot"},
    }

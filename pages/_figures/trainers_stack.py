"""A diffractive stack: its masks, its light from input to detectors, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.photonics.mesh import Real
from foptrn_model.text import percent, significant
from foptrn_model.trainers_params import TRAINER_LABELS
from foptrn_model.trainers_stack_views import StackPicture, plane_names
from pages._components.theme import (
    DATA_BY_DATA,
    LINE,
    MUTED,
    SURFACE,
    TEXT,
    TRANSFORM,
    WEIGHT_MASKED,
)
from pages._figures.base import CLEAR, SMALL, axis, figure, legend_above, note, outlined, rounded
from pages._figures.packed import packed

PHASES = (SURFACE, TRANSFORM, TEXT, DATA_BY_DATA, SURFACE)
"""Colours of a turn; both of its ends wear the same one."""
LIGHT = (TEXT, TRANSFORM, WEIGHT_MASKED, SURFACE)
"""From dark to bright, as on a camera, in either theme."""
BYTE = 255
MOST_COLUMNS = 5
GAP, HEAD = 0.02, 0.09
LEAST_REACH_PX = 1.0
MOST_NAMED = 4
FEW_PLANES = 6
"""Planes of which each has room for its name."""


def masks_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Every mask as training left it, a pixel as dark as its phase is far from a whole turn."""
    stack: StackPicture = evaluation.series.stack
    count = len(stack.set_rad)
    grid = Grid(count)
    traces, labels = [], []
    for index, phases in enumerate(stack.set_rad):
        bar = {"showscale": True, "colorbar": _turn_bar()} if index == 0 else {}
        traces.append(
            _picture(BYTE * phases / (2 * np.pi), PHASES, f"mask {index + 1}")
            | grid.names(index) | bar
        )  # fmt: skip
        labels.append(grid.label(index, f"mask {index + 1}"))
    return figure(
        traces,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        annotations=labels,
        **grid.axes(stack.set_rad.shape[-1]),
    )


def _turn_bar() -> dict[str, Any]:
    return {
        "thickness": 10, "len": 0.86, "x": 1.01, "y": 0.94, "yanchor": "top", "outlinewidth": 0, "tickvals": [0, BYTE / 2, BYTE],
        "ticktext": ["0", "\u03c0", "2\u03c0 rad"], "tickfont": {"size": SMALL, "color": MUTED.light},
        "title": {"text": ""},
    }  # fmt: skip


def light_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """The shown input on its way, above on the model and below on the hardware."""
    stack: StackPicture = evaluation.series.stack
    planes = len(stack.model)
    grid = Grid(2 * planes, columns=planes)
    names = plane_names(evaluation.params.masks)
    side = stack.model.shape[-1]
    traces, labels, shapes = [], [], []
    seen = evaluation.series.readings
    for row, (machine, powers, read) in enumerate(
        (("model", stack.model, seen.model), ("hardware", stack.hardware, seen.hardware))
    ):
        for column, power in enumerate(powers):
            index = row * planes + column
            brightest = max(float(stack.model[column].max()), float(stack.hardware[column].max()))
            bright = BYTE * np.sqrt(power / brightest)
            name = f"{names[column]}, {machine}"
            traces.append(_picture(bright, LIGHT, name) | grid.names(index))
            words = f"<b>{machine}</b>" if column == 0 else names[column]
            if planes > FEW_PLANES and column:
                words = str(column) if column < planes - 1 else "end"
            labels.append(grid.label(index, words))
        winner = int(np.argmax(read))
        for place, covered in enumerate(stack.covered):
            shapes.append(
                _frame(grid.names(index), covered, side, place == winner)
            )  # fmt: skip
    return figure(
        traces,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        annotations=labels,
        shapes=shapes,
        **grid.axes(side),
    )


def _frame(names: dict[str, str], covered: Real, side: int, winner: bool) -> dict[str, Any]:
    """A detector's outline; that of the class which is read stands out."""
    rows, columns = np.nonzero(covered)
    scale = side / covered.shape[-1]
    return {
        "type": "rect",
        "xref": names["xaxis"],
        "yref": names["yaxis"],
        "x0": float(scale * columns.min() - 0.5),
        "x1": float(scale * (columns.max() + 1) - 0.5),
        "y0": float(scale * rows.min() - 0.5),
        "y1": float(scale * (rows.max() + 1) - 0.5),
        # The picture is the same in both themes; so must be what stands out from it.
        "line": {"color": DATA_BY_DATA.light, "width": 3.2 if winner else 1},
    }


def flaws_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Where each mask lies above, how long each gap is below."""
    stack: StackPicture = evaluation.series.stack
    down, right = stack.shift_px.T
    reach = 1.35 * max(LEAST_REACH_PX, float(np.abs(stack.shift_px).max()))
    names = [str(number) for number in range(1, len(down) + 1)]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": "centre of a mask",
            "x": rounded(right, 4),
            "y": rounded(-down, 4),
            "text": _labels(stack.shift_px),
            "textposition": "top center",
            "textfont": {"size": SMALL, "color": TEXT.light},
            "marker": outlined(TRANSFORM.light, 12),
            "customdata": names,
            "hovertemplate": "mask %{customdata}: %{x:.3~g} px right, %{y:.3~g} px up<extra></extra>",
        },
        {
            "type": "scatter", "mode": "markers+text", "name": "axis", "x": [0], "y": [0],
            "marker": {"symbol": "cross-thin", "size": 16,
                       "line": {"width": 1.5, "color": MUTED.light}},
            "text": ["axis"], "textposition": "bottom center",
            "textfont": {"size": SMALL, "color": MUTED.light},
            "hoverinfo": "skip",
        },
        {
            "type": "bar",
            "name": "error of a gap",
            "x": [*(f"to {name}" for name in names), "to detectors"],
            "y": rounded(100 * stack.distance_error, 4),
            "marker": {"color": DATA_BY_DATA.light},
            "xaxis": "x2",
            "yaxis": "y2",
            "hovertemplate": "gap %{x}: %{y:.3~g} %<extra></extra>",
        },
    ]  # fmt: skip
    worst = max(1.0, 115 * float(np.abs(stack.distance_error).max()))
    off = float(np.sqrt(np.mean(np.square(stack.error_rad))))
    return figure(
        traces,
        margin={"l": 56, "r": 12, "t": 26, "b": 48},
        xaxis=axis("Masks, to the right (px)", range=[-reach, reach], domain=[0, 1], zeroline=True,
                   zerolinecolor=LINE.light, anchor="y"),
        yaxis=axis("Up (px)", range=[-reach, reach], scaleanchor="x", constrain="domain",
                   constraintoward="top", zeroline=True, zerolinecolor=LINE.light,
                   domain=[0.42, 1], anchor="x"),
        xaxis2=axis("Gap (from plane to plane)", domain=[0, 1], anchor="y2", type="category"),
        yaxis2=axis("Too long (%)", range=[-worst, worst], anchor="x2", zeroline=True, nticks=4,
                    zerolinecolor=MUTED.light, domain=[0, 0.24]),
        annotations=[
            note(f"phases off by {significant(off)} rad RMS", x=1, y=1, xref="paper", yref="paper",
                 xanchor="right", yanchor="bottom", yshift=2)
            | {"font": {"size": SMALL, "color": MUTED.light}}
        ],
    )  # fmt: skip


def _labels(shift_px: Real) -> list[str]:
    """A name for every mask; one for all where they lie on each other."""
    if not shift_px.any():
        return ["all masks" if len(shift_px) > 1 else "mask 1", *([""] * (len(shift_px) - 1))]
    few = len(shift_px) <= MOST_NAMED
    return [f"mask {n}" if few else str(n) for n in range(1, len(shift_px) + 1)]


class Grid:
    """Square plots in rows, as many to a row as fit."""

    def __init__(self, count: int, columns: int = 0) -> None:
        self._count, self._columns = count, columns or min(count, MOST_COLUMNS)
        self._rows = -(-count // self._columns)

    def names(self, index: int) -> dict[str, str]:
        """The axes of one plot, as a trace names them."""
        suffix = "" if index == 0 else str(index + 1)
        return {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}

    def _domains(self, index: int) -> tuple[list[float], list[float]]:
        row, column = divmod(index, self._columns)
        width = (1 - (self._columns - 1) * GAP) / self._columns
        height = 1 / self._rows
        left, top = column * (width + GAP), 1 - row * height
        # Room for a label above each row.
        return [left, min(left + width, 1)], [max(top - height, 0), top - HEAD]

    def axes(self, side: int) -> dict[str, Any]:
        """Axes without ticks, rows counted from the top, pixels square."""
        found: dict[str, Any] = {}
        hidden = {"visible": False, "fixedrange": True, "title": {"text": ""}}
        for index in range(self._count):
            names, (across, up) = self.names(index), self._domains(index)
            found[f"xaxis{names['xaxis'][1:]}"] = hidden | {
                "domain": across, "anchor": names["yaxis"], "range": [-0.5, side - 0.5],
                "constrain": "domain", "constraintoward": "left",
            }  # fmt: skip
            found[f"yaxis{names['yaxis'][1:]}"] = hidden | {
                "domain": up, "anchor": names["xaxis"], "range": [side - 0.5, -0.5],
                "scaleanchor": names["xaxis"], "constrain": "domain", "constraintoward": "top",
            }  # fmt: skip
        return found

    def label(self, index: int, text: str) -> dict[str, Any]:
        """A heading above one plot."""
        names = self.names(index)
        return note(
            text, x=0, y=1, xref=f"{names['xaxis']} domain", yref=f"{names['yaxis']} domain",
            xanchor="left", yanchor="bottom", yshift=1,
        ) | {"font": {"size": SMALL, "color": TEXT.light}}  # fmt: skip


def _picture(bytes_: Real, tokens: Sequence[Any], name: str) -> dict[str, Any]:
    last = len(tokens) - 1
    return {
        "type": "heatmap",
        "name": name,
        "z": packed(np.clip(bytes_, 0, BYTE), signed=False),
        "zmin": 0,
        "zmax": BYTE,
        "colorscale": [[index / last, token.light] for index, token in enumerate(tokens)],
        "showscale": False,
        "hoverinfo": "skip",
    }


def detectors_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """What every class's detector reads of the shown input, model beside hardware."""
    params, seen = evaluation.params, evaluation.series.readings
    classes = [str(label) for label in range(len(seen.model))]
    ticks = [f"<b>{name}</b>" if name == str(seen.label) else name for name in classes]
    traces = []
    for machine, values, fill in (
        ("on the model", seen.model, CLEAR),
        ("on the hardware", seen.hardware, TRANSFORM.light),
    ):
        best = np.flatnonzero(values == values.max())
        words = f"reads {best[0]}" if len(best) == 1 else "reads no class"
        traces.append(
            {
                "type": "bar",
                "name": f"{machine}: {words}",
                "x": classes,
                "y": rounded(100 * values, 4),
                "marker": {"color": fill, "line": {"color": TEXT.light, "width": 1.4}},
                "customdata": [percent(float(value)) for value in values],
                "hovertemplate": f"class %{{x}}, {machine}: %{{customdata}}<extra></extra>",
            }
        )
    shown = (
        f"point ({significant(params.input_x)}, {significant(params.input_y)})"
        if seen.label is None
        else f"digit {seen.label}"
    )
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 12, "t": 8, "b": 48},
        xaxis=axis(f"Class (input: {shown}; {TRAINER_LABELS[params.show_trainer].lower()})",
                   type="category", tickvals=classes, ticktext=ticks),
        yaxis=axis("Power read (% of the light sent in)", rangemode="tozero"),
        bargap=0.25,
    )  # fmt: skip

"""Who is fastest by depth and width, and the inverse question of the frame rate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.optical_dfa import METHOD_LABELS, OpticalDfaResult
from foptrn_model.optical_dfa_memory import Method
from foptrn_model.optical_dfa_params import EXPERIMENT_FIELDS
from foptrn_model.optical_dfa_series import CrossoverMap, NeededRates
from foptrn_model.published import published_values
from foptrn_model.text import compact, si
from pages._components.theme import ACCENT, BANDS, GROUND, MUTED, TEXT, TRANSFORM
from pages._figures.base import (
    decade_axis,
    figure,
    legend_above,
    note,
    rounded,
)
from pages._figures.marks import state_mark
from pages._figures.optical_dfa_looks import LOOKS, pin_marks
from pages._figures.packed import packed

ROOM_FOR_NEVER = 0.4
"""Share of the axis from which the field of widths without an answer carries its name."""
STEP_HUNDREDTHS = 20
"""Hundredths of a decade of the ratio between two fields: a factor of 1.6."""
LEVEL = 5e-3
"""Relative difference below which two steps are said to take equally long."""
EQUAL_NAMES: dict[Method, str] = {"bp": "light = backprop.", "dfa": "light = GPU DFA"}


def map_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Light against the faster method on the GPU, lines where steps are equal, walls, the state."""
    params, result = evaluation.params, evaluation.result
    found: CrossoverMap = evaluation.series.map
    traces = [
        *_fields(found), *_wall_lines(found), *_equal_lines(found),
        *_published_crossover(evaluation),
        *pin_marks(
            [(pin.params, pin.params.width, pin.params.depth, _words(pin.result)) for pin in pinned],
            found.width[-1] / found.width[0], found.depth[-1] / found.depth[0],
        ),
        state_mark(params.width, params.depth, _words(result), cliponaxis=False),
    ]  # fmt: skip
    corners = ((3, 3, 0.015, "left", 0.02, "bottom"), (-4, -4, 0.985, "right", 0.98, "top"))
    labels = [
        note(f"<b>{_fastest(found, row, column)}</b>", x=x, y=y, xref="paper", yref="paper",
             xanchor=xanchor, yanchor=yanchor)
        for row, column, x, xanchor, y, yanchor in corners
    ]  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Width (neurons), log scale", found.width[0], found.width[-1]),
        yaxis=decade_axis("Depth (layers, log scale)", found.depth[0], found.depth[-1]),
        annotations=labels,
    )


def _fastest(found: CrossoverMap, row: int, column: int) -> str:
    """Who is fastest at one place; both methods on the GPU where they take equally long."""
    method = found.fastest[row, column].item()
    if method == "odfa":
        return "Light fastest"
    if math.isclose(
        found.step_s["bp"][row, column], found.step_s["dfa"][row, column], rel_tol=LEVEL
    ):
        return "GPU fastest, either way"
    return f"{METHOD_LABELS[method]} fastest"


def _words(result: OpticalDfaResult) -> str:
    return (
        f"{METHOD_LABELS[result.fastest]} is fastest; optical step "
        f"{compact(result.optical_over_bp)}\u00d7 backpropagation's, "
        f"{compact(result.optical_over_dfa)}\u00d7 GPU DFA's"
    )


def _published_crossover(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Published crossovers in width, each at the depth of its case; none in other circumstances."""
    model, free = evaluation.explorer.params, {"depth", "width", *EXPERIMENT_FIELDS}
    here = evaluation.params.model_dump(exclude=free)
    cases = [
        (value, model.parse(value.raw_params()))
        for value in published_values(evaluation.explorer.slug)
        if value.field == "crossover_width"
    ]
    return [
        {
            "type": "scatter", "mode": "markers", "name": "published",
            "x": [value.published],
            "y": [case.resolved()["depth"]],
            "marker": {"symbol": "diamond-open", "size": 17, "color": MUTED.light,
                       "line": {"width": 2, "color": TEXT.light}},
            "hovertemplate": f"Published: {value.quantity}, {value.state}: width "
            f"{value.published:,.0f} (source: {value.source})<extra></extra>",
        }
        for value, case in cases
        if case.model_dump(exclude=free) == here
    ]  # fmt: skip


def _fields(found: CrossoverMap) -> list[dict[str, Any]]:
    colors = [token.light for token in BANDS.values()]
    last = len(colors) - 1
    edge = STEP_HUNDREDTHS * (len(colors) - 2) / 2
    over_bp, over_dfa = found.over_optical("bp"), found.over_optical("dfa")
    fields = {
        "type": "contour",
        "x": rounded(found.finer_width, 4),
        "y": rounded(found.finer_depth, 4),
        "z": packed(np.clip(100 * np.log10(found.field), -127, 127), signed=True),
        "autocontour": False,
        "showscale": False,
        "showlegend": False,
        "contours": {"start": -edge, "end": edge, "size": STEP_HUNDREDTHS},
        "colorscale": [[index / last, color] for index, color in enumerate(colors)],
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    # What a pointer finds lies on a coarser grid, unseen.
    said = {
        "type": "heatmap",
        "x": rounded(found.width, 4),
        "y": rounded(found.depth, 4),
        "z": packed(np.zeros_like(over_bp), signed=False),
        "opacity": 0,
        "showscale": False,
        "showlegend": False,
        "text": [
            [f"{one:.3g}\u00d7, GPU DFA {other:.3g}\u00d7" for one, other in zip(*row, strict=True)]
            for row in zip(over_bp.tolist(), over_dfa.tolist(), strict=True)
        ],
        "hovertemplate": "%{y:.3s} layers of %{x:.3s}:<br>backpropagation takes %{text} "
        "the optical step<extra></extra>",
    }
    return [fields, said]


def _equal_lines(found: CrossoverMap) -> list[dict[str, Any]]:
    """Where light draws level with each other method, upwards or back."""
    lines, depth = [], rounded(found.finer_depth, 4)
    for method, name in EQUAL_NAMES.items():
        x: list[float | None] = []
        y: list[float | None] = []
        for row in found.equal[method]:
            there = np.isfinite(row)
            if there.any():
                x += [*(wide if ok else None for wide, ok in zip(rounded(row, 4), there, strict=True)),
                      None]  # fmt: skip
                y += [*depth, None]
        lines.append(
            {
                "type": "scatter", "mode": "lines", "name": name, "x": x, "y": y,
                "line": {"color": TEXT.light if method == "bp" else LOOKS[method].color,
                         "width": 2.5, "dash": "solid" if method == "bp" else LOOKS[method].dash},
                "hovertemplate": f"{name}: width %{{x:,.0f}} at %{{y:.3s}} layers<extra></extra>",
            }
        )  # fmt: skip
    return lines


def _wall_lines(found: CrossoverMap) -> list[dict[str, Any]]:
    low, high = float(found.width[0]), float(found.width[-1])
    lines = []
    for method, name in (("bp", "wall, backprop."), ("odfa", "wall, light")):
        walls = found.walls[method]  # type: ignore[index]
        lines.append(
            {
                "type": "scatter", "mode": "lines", "name": name,
                "x": [wall if low <= wall <= high else None for wall in rounded(walls, 4)],
                "y": rounded(found.finer_depth, 4),
                "line": {"color": LOOKS[method].color, "width": 1.3, "dash": LOOKS[method].dash
                         if method == "bp" else "dot"},
                "hovertemplate": f"{name}: width %{{x:,.0f}} at %{{y:.3s}} layers<extra></extra>",
            }
        )  # fmt: skip
    return lines


def needed_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """The frame rate that breaks even over width; where the camera is slower there is none."""
    params, result = evaluation.params, evaluation.result
    found: NeededRates = evaluation.series.needed
    widths = found.width.tolist()
    finite = [rate if math.isfinite(rate) else None for rate in found.needed_hz.tolist()]
    here = result.frame_rate_to_break_even_hz
    rates = [rate for rate in finite if rate is not None]
    shown = [*rates, *found.camera_hz.tolist(), params.frame_rate_hz]
    low, high = min(shown) / 3, max(shown) * 3
    never = [width for width, rate in zip(widths, finite, strict=True) if rate is None]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines", "name": "needed to draw level",
            "x": widths, "y": [None if rate is None else rounded([rate])[0] for rate in finite],
            "line": {"color": TRANSFORM.light, "width": 3},
            "hovertemplate": "%{y:.3s}Hz draws level at width %{x:,}<extra></extra>",
        },
        {
            "type": "scatter", "mode": "lines", "name": "camera follows up to",
            "x": widths, "y": rounded(found.camera_hz.tolist()),
            "line": {"color": MUTED.light, "width": 2, "dash": "dot"},
            "hovertemplate": "the camera follows up to %{y:.3s}Hz at width %{x:,}<extra></extra>",
        },
        {
            "type": "scatter", "mode": "lines", "name": "frame rate here",
            "x": [widths[0], widths[-1]], "y": [params.frame_rate_hz] * 2,
            "line": {"color": ACCENT.light, "width": 1.5, "dash": "dash"}, "hoverinfo": "skip",
        },
        state_mark(params.width, params.frame_rate_hz,
                   f"{si(params.frame_rate_hz, 'Hz')}; drawing level takes "
                   f"{here if isinstance(here, str) else si(here, 'Hz')}", cliponaxis=False),
    ]  # fmt: skip
    text = "never" if isinstance(here, str) else si(here, "Hz")
    labels = [
        note(f"needed here: {text}", x=0.99, y=0.98, xref="paper", yref="paper", xanchor="right",
             yanchor="top", color=ACCENT.light, bgcolor=GROUND.light)
    ]  # fmt: skip
    shapes = []
    if never:
        inside = [width for width in widths if width not in set(never)]
        edge = inside[0] if inside else widths[-1]
        shapes.append(
            {
                "type": "rect", "xref": "x", "yref": "paper", "layer": "below",
                "x0": widths[0], "x1": edge, "y0": 0, "y1": 1,
                "fillcolor": MUTED.light, "opacity": 0.12, "line": {"width": 0},
            }
        )  # fmt: skip
        if math.log(edge / widths[0]) > ROOM_FOR_NEVER * math.log(widths[-1] / widths[0]):
            labels.append(
                note("never: reading<br>the camera alone<br>takes too long",
                     x=(math.log10(widths[0]) + math.log10(edge)) / 2, y=0.1, yref="paper",
                     yanchor="bottom", color=MUTED.light)
            )  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Width (neurons), log scale", widths[0], widths[-1]),
        yaxis=decade_axis("Frame rate (Hz, log scale)", low, high),
        shapes=shapes,
        annotations=labels,
    )

"""Who wins by depth and width; the inverse question of the frame rate; a step's parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.optical_dfa import METHOD_LABELS, METHODS, TERMS, step_terms
from foptrn_model.optical_dfa_params import EXPERIMENT_FIELDS
from foptrn_model.optical_dfa_series import CrossoverMap, NeededRates
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.published import published_values
from foptrn_model.text import compact, duration, si
from pages._components.theme import ACCENT, BANDS, GROUND, MUTED, TEXT, TRANSFORM
from pages._figures.base import (
    SMALL,
    axis,
    decade_axis,
    figure,
    legend_above,
    note,
    rounded,
)
from pages._figures.marks import pin_mark, state_mark
from pages._figures.optical_dfa_looks import LOOKS
from pages._figures.optical_dfa_sweep import REGIME_LABELS

ROOM_FOR_NEVER = 0.4
"""Share of the axis from which the field of widths without an answer carries its name."""
STEP = 0.2
"""Decades of the ratio between two fields: a factor of 1.6."""
TONES = {
    "launch": 0.35, "compute": 0.75, "memory-bandwidth": 0.55, "offload": 1.0, "frame-rate": 0.75,
    "camera": 0.5,
}  # fmt: skip
"""Depth of tone of each part; neighbours differ, and long ones carry their names."""
ROOM_IN_BAR = 0.28
"""Share of the longest bar from which a part carries its name."""


def map_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Fields of the ratio of both steps, the line where they are equal, walls, the state."""
    params, result = evaluation.params, evaluation.result
    found: CrossoverMap = evaluation.series.map
    words = f"optical step {compact(result.optical_over_bp)}\u00d7 backpropagation's"
    traces = [
        *_fields(found), *_wall_lines(found),
        *(
            pin_mark(
                letter, pin.params, pin.params.width, pin.params.depth,
                f"optical step {compact(pin.result.optical_over_bp)}\u00d7 backpropagation's",
            )
            for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
        ),
        *_published_crossover(evaluation),
        state_mark(params.width, params.depth, words, cliponaxis=False),
    ]  # fmt: skip
    corner = {"xref": "paper", "yref": "paper"}
    labels = []
    if float(found.ratio[3, 3]) < 1:
        labels.append(note("<b>Backpropagation wins</b>", x=0.015, y=0.02, xanchor="left",
                           yanchor="bottom", **corner))  # fmt: skip
    if float(found.ratio[-4, -4]) > 1:
        labels.append(note("<b>Light wins</b>", x=0.985, y=0.98, xanchor="right", yanchor="top",
                           **corner))  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Width (neurons), log scale", found.width[0], found.width[-1]),
        yaxis=decade_axis("Depth (layers, log scale)", found.depth[0], found.depth[-1]),
        annotations=labels,
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
    edge = STEP * (len(colors) - 2) / 2
    return [
        {
            "type": "contour",
            "x": rounded(found.width, 4),
            "y": rounded(found.depth, 4),
            "z": np.log10(found.ratio).round(3).tolist(),
            "autocontour": False,
            "showscale": False,
            "showlegend": False,
            "contours": {"start": -edge, "end": edge, "size": STEP},
            "colorscale": [[index / last, color] for index, color in enumerate(colors)],
            "line": {"width": 0},
            "text": [[f"{ratio:.3g}" for ratio in line] for line in found.ratio.tolist()],
            "hovertemplate": "%{y:.3s} layers of %{x:.3s}:<br>backpropagation takes %{text}\u00d7 "
            "the optical step<extra></extra>",
        },
        {
            "type": "scatter", "mode": "lines", "name": "equal times",
            "x": [None if math.isnan(x) else x for x in rounded(found.equal, 4)],
            "y": rounded(found.depth, 4), "line": {"color": TEXT.light, "width": 2.5},
            "hovertemplate": "equal times: width %{x:,.0f} at %{y:.3s} layers<extra></extra>",
        },
    ]  # fmt: skip


def _wall_lines(found: CrossoverMap) -> list[dict[str, Any]]:
    low, high = float(found.width[0]), float(found.width[-1])
    lines = []
    for method, name in (("bp", "wall, backprop."), ("odfa", "wall, light")):
        walls = found.walls[method]  # type: ignore[index]
        lines.append(
            {
                "type": "scatter", "mode": "lines", "name": name,
                "x": [wall if low <= wall <= high else None for wall in rounded(walls, 4)],
                "y": rounded(found.depth, 4),
                "line": {"color": LOOKS[method].color, "width": 1.8, "dash": LOOKS[method].dash
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
                note("never: reading the camera<br>alone takes too long",
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


def parts_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """What each method's step goes to in this state, as stacked bars."""
    params, result = evaluation.params, evaluation.result
    terms = step_terms(params, params.depth, params.width)
    labels = [METHOD_LABELS[method] for method in METHODS]
    most = max(result.step_time_s.values())
    # One unit for the axis, whatever the state: seconds, or the thousandth that fits.
    power = min(max(-(math.floor(math.log10(most)) // 3), 0), 4)
    scale, unit = 1000.0**power, ("s", "ms", "\u00b5s", "ns", "ps")[power]
    traces = []
    for term in TERMS:
        seconds = [float(terms[method][term]) for method in METHODS]
        if not any(seconds):
            continue
        traces.append(
            {
                "type": "bar", "orientation": "h", "name": REGIME_LABELS[term], "y": labels,
                "x": rounded([scale * value for value in seconds]),
                "marker": {
                    "color": [LOOKS[method].color for method in METHODS],
                    "opacity": TONES[term], "line": {"width": 1, "color": GROUND.light},
                },
                "text": [
                    REGIME_LABELS[term] if value > ROOM_IN_BAR * most else ""
                    for value in seconds
                ],
                "textposition": "inside", "insidetextanchor": "middle", "textangle": 0,
                "constraintext": "none",
                "textfont": {"size": SMALL, "color": GROUND.light},
                "showlegend": False,
                "customdata": [
                    f"{label}, {REGIME_LABELS[term]}: {duration(value)}"
                    for label, value in zip(labels, seconds, strict=True)
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )  # fmt: skip
    return figure(
        traces,
        barmode="stack",
        bargap=0.4,
        margin={"l": 8, "r": 16, "t": 8, "b": 44},
        xaxis=axis(f"Time per step ({unit})", range=[0, 1.35 * scale * most]),
        yaxis=axis("", autorange="reversed", showgrid=False, ticklen=0),
        annotations=[
            note(
                f"<b>{duration(result.step_time_s[method])}</b>",
                x=scale * result.step_time_s[method], y=METHODS.index(method),
                xanchor="left", xshift=6, color=LOOKS[method].color,
            )
            for method in METHODS
        ],
    )  # fmt: skip

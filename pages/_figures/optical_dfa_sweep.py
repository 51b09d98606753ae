"""Time and energy per step over width and depth: three methods, regimes, the memory wall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.optical_dfa import METHOD_LABELS, METHODS, Method
from foptrn_model.optical_dfa_series import Sweep
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import compact, duration, group_digits
from pages._components.theme import ACCENT, GROUND, MUTED, TEXT, TRANSFORM
from pages._figures.base import (
    SMALL,
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    pointer,
    time_axis,
)
from pages._figures.marks import pin_mark, state_mark
from pages._figures.optical_dfa_looks import LOOKS, method_line

STRIPS = 0.23
"""Share of the height that the regimes' strips take below the plot."""
REGIME_LABELS = {
    "launch": "launches", "compute": "arithmetic", "memory-bandwidth": "memory rate",
    "offload": "offload", "frame-rate": "frames", "camera": "camera",
}  # fmt: skip
REGIME_OPACITY = {
    "launch": 0.10, "compute": 0.24, "memory-bandwidth": 0.38, "offload": 0.58,
    "frame-rate": 0.12, "camera": 0.34,
}  # fmt: skip
"""Strips differ in depth of tone and carry their names."""
ROOM_FOR_NAME = 0.1
"""Share of the axis per strip below which its name is left out."""
ROOM_FOR_LABEL = 0.72
NEARLY_HALF = 0.45
"""Share of the axis from which a label stands left of its mark."""
FAR = 0.7
"""Share of the axis beyond which a crossing's label stands left of it."""
SHORT_NAMES = {"bp": "backprop.", "dfa": "GPU DFA", "odfa": "optical"}
FREE = {"width", "depth"}


def width_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Seconds per step over width at this depth."""
    return _sweep_figure(evaluation, pinned, evaluation.series.by_width, "Width (neurons)")


def depth_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Seconds per step over depth at this width."""
    return _sweep_figure(evaluation, pinned, evaluation.series.by_depth, "Depth (layers)")


def _sweep_figure(
    evaluation: Evaluation, pinned: Sequence[Evaluation], sweep: Sweep, title: str
) -> dict[str, Any]:
    params, result = evaluation.params, evaluation.result
    sizes = sweep.sizes.tolist()
    here = getattr(params, sweep.along)
    low = min(float(line.min()) for line in sweep.step_s.values()) / 2
    high = max(float(line.max()) for line in sweep.step_s.values()) * 2
    traces = [
        method_line(
            method, METHOD_LABELS[method], sizes, sweep.step_s[method].tolist(),
            f"%{{y:.3s}}s at {sweep.along} %{{x:,}}",
        )
        for method in METHODS
    ]  # fmt: skip
    traces += [
        pin_mark(
            letter, pin.params, getattr(pin.params, sweep.along), pin.result.step_time_s["odfa"],
            f"optical step {duration(pin.result.step_time_s['odfa'])}, "
            f"{compact(pin.result.optical_over_bp)}\u00d7 backpropagation's",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    crossing = getattr(result, f"crossover_{sweep.along}")
    inside = isinstance(crossing, int) and sizes[0] < crossing <= sizes[-1]
    if inside:
        at = sizes.index(crossing)
        traces.append(_crossing_mark(sweep, crossing, float(sweep.step_s["odfa"][at])))
    traces.append(
        state_mark(
            here, result.step_time_s["odfa"],
            f"optical step {duration(result.step_time_s['odfa'])}, "
            f"{compact(result.optical_over_bp)}\u00d7 backpropagation's",
            cliponaxis=False,
        )
    )  # fmt: skip
    traces += [_strip_hover(sweep, place, method) for place, method in enumerate(METHODS)]
    shapes, strip_labels = _strips(sweep)
    walls, wall_labels = _walls(sweep)
    edge = [math.log10(sizes[0]), math.log10(sizes[-1])]
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 70, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis(f"{title}, log scale", sizes[0], sizes[-1], anchor="y2"),
        yaxis=time_axis("Time per step", low, high, domain=[STRIPS + 0.03, 1]),
        yaxis2={
            "title": {"text": ""}, "domain": [0, STRIPS], "range": [0, len(METHODS)], "fixedrange": True,
            "showgrid": False, "zeroline": False, "automargin": True,
            "tickvals": [len(METHODS) - place - 0.5 for place in range(len(METHODS))],
            "ticktext": [SHORT_NAMES[method] for method in METHODS],
            "tickfont": {"size": SMALL, "color": MUTED.light},
        },
        shapes=[*_winning(sweep), *shapes, *walls],
        annotations=[
            *strip_labels, *wall_labels,
            *_labels(evaluation, sweep, (low, high), edge, crossing if inside else None),
        ],
    )  # fmt: skip


def _crossing_mark(sweep: Sweep, crossing: int, seconds: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "light first wins",
        "x": [crossing],
        "y": [float(f"{seconds:.5g}")],
        "marker": outlined(TEXT.light, 14, "diamond"),
        "customdata": [f"Light first wins at {sweep.along} {group_digits(crossing)}"],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _winning(sweep: Sweep) -> list[dict[str, Any]]:
    """Shades the sizes at which the optical step is shorter than backpropagation's."""
    wins = (sweep.step_s["odfa"] < sweep.step_s["bp"]).tolist()
    return [
        {
            "type": "rect", "xref": "x", "yref": "y domain", "layer": "below",
            "x0": start, "x1": end, "y0": 0, "y1": 1,
            "fillcolor": TRANSFORM.light, "opacity": 0.09, "line": {"width": 0},
        }
        for won, start, end in _runs(sweep.sizes.tolist(), wins)
        if won
    ]  # fmt: skip


def _runs(sizes: Sequence[int], values: Sequence[Any]) -> list[tuple[Any, float, float]]:
    """Stretches of equal values as (value, from, to); they meet halfway between sizes."""
    found: list[tuple[Any, float, float]] = []
    place = 0
    for value, group in groupby(values):
        count = len(list(group))
        start = sizes[0] if not place else math.sqrt(sizes[place - 1] * sizes[place])
        after = place + count
        end = sizes[-1] if after == len(sizes) else math.sqrt(sizes[after - 1] * sizes[after])
        found.append((value, start, end))
        place = after
    return found


def _strips(sweep: Sweep) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A strip per method: which term is the largest, by tone and by name."""
    shapes, labels = [], []
    sizes = sweep.sizes.tolist()
    whole = math.log(sizes[-1] / sizes[0])
    for place, method in enumerate(METHODS):
        bottom = len(METHODS) - place - 1
        for regime, start, end in _runs(sizes, sweep.regime[method].tolist()):
            shapes.append(
                {
                    "type": "rect", "xref": "x", "yref": "y2", "x0": start, "x1": end,
                    "y0": bottom + 0.08, "y1": bottom + 0.92, "layer": "below",
                    "fillcolor": LOOKS[method].color, "opacity": REGIME_OPACITY[regime],
                    "line": {"width": 0},
                }
            )  # fmt: skip
            if math.log(end / start) / whole > ROOM_FOR_NAME:
                labels.append(
                    note(
                        REGIME_LABELS[regime], x=(math.log10(start) + math.log10(end)) / 2,
                        y=bottom + 0.5, yref="y2", font={"size": 11, "color": TEXT.light},
                    )
                )  # fmt: skip
    return shapes, labels


def _strip_hover(sweep: Sweep, place: int, method: Method) -> dict[str, Any]:
    """Unseen points on a strip that say the regime at each size."""
    sizes = sweep.sizes.tolist()
    return {
        "type": "scatter", "mode": "markers", "yaxis": "y2", "showlegend": False,
        "x": sizes, "y": [len(METHODS) - place - 0.5] * len(sizes),
        "marker": {"size": 12, "opacity": 0, "color": LOOKS[method].color},
        "customdata": [REGIME_LABELS[regime] for regime in sweep.regime[method].tolist()],
        "hovertemplate": f"{METHOD_LABELS[method]} at {sweep.along} %{{x:,}}: mostly "
        "%{customdata}<extra></extra>",
    }  # fmt: skip


def _walls(sweep: Sweep) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines from where on a step no longer fits; methods with nearly the same one share it."""
    shapes, labels = [], []
    low, high = int(sweep.sizes[0]), int(sweep.sizes[-1])
    close = (high / low) ** 0.015
    groups: list[tuple[float, list[str]]] = []
    for method in METHODS:
        wall = sweep.walls[method]
        if not low < wall < high:
            continue
        if groups and max(wall, groups[-1][0]) / min(wall, groups[-1][0]) < close:
            groups[-1][1].append(SHORT_NAMES[method])
        else:
            groups.append((wall, [SHORT_NAMES[method]]))
    for index, (wall, names) in enumerate(groups):
        shapes.append(
            {
                "type": "line", "xref": "x", "yref": "paper", "x0": wall, "x1": wall, "y0": 0,
                "y1": 1, "line": {"color": MUTED.light, "width": 1.3, "dash": "dot"},
            }
        )  # fmt: skip
        # One name on either side, so that neighbours do not lie on each other.
        left = index == 0
        labels.append(
            note(
                "memory wall:<br>" + ", ".join(names), x=math.log10(wall), y=0.99,
                yref="paper", yanchor="top", xanchor="right" if left else "left",
                align="right" if left else "left", xshift=-4 if left else 4, bgcolor=GROUND.light,
                font={"size": 11, "color": MUTED.light},
            )
        )  # fmt: skip
    return shapes, labels


def _labels(
    evaluation: Evaluation,
    sweep: Sweep,
    span: tuple[float, float],
    edge: list[float],
    crossing: int | None,
) -> list[dict[str, Any]]:
    params, result = evaluation.params, evaluation.result
    here, seconds = getattr(params, sweep.along), result.step_time_s["odfa"]
    raised = math.log(seconds / span[0]) / math.log(span[1] / span[0])
    late = (math.log10(here) - edge[0]) / (edge[1] - edge[0]) > NEARLY_HALF
    labels = [
        pointer(
            f"this state:<br>{duration(seconds)}", x=math.log10(here), y=math.log10(seconds),
            color=ACCENT.light, ax=-30 if late else 26, align="left",
            ay=48 if raised > ROOM_FOR_LABEL else -48,
        )
    ]  # fmt: skip
    if crossing is None:
        word = getattr(result, f"crossover_{sweep.along}")
        said = group_digits(word) if isinstance(word, int) else word
        labels.append(
            note(f"light first wins: {said}", x=0.99, xref="paper", y=STRIPS + 0.05, yref="paper",
                 xanchor="right", yanchor="bottom", bgcolor=GROUND.light)
        )  # fmt: skip
        return labels
    at = sweep.sizes.tolist().index(crossing)
    far = (math.log10(crossing) - edge[0]) / (edge[1] - edge[0]) > FAR
    labels.append(
        pointer(
            f"light first<br>wins: {group_digits(crossing)}", x=math.log10(crossing),
            y=math.log10(float(sweep.step_s["odfa"][at])), ax=-40 if far else 34, ay=46,
        )
    )  # fmt: skip
    return labels


def energy_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Joules per step over width at this depth."""
    params, result = evaluation.params, evaluation.result
    sweep: Sweep = evaluation.series.by_width
    watts = {"bp": params.gpu_W, "dfa": params.gpu_W, "odfa": params.gpu_W + params.opu_W}
    joules = {method: (sweep.step_s[method] * watts[method]).tolist() for method in METHODS}
    sizes = sweep.sizes.tolist()
    low = min(min(line) for line in joules.values()) / 2
    high = max(max(line) for line in joules.values()) * 2
    here = result.energy_J["odfa"]
    traces = [
        method_line(method, METHOD_LABELS[method], sizes, joules[method],
                    "%{y:.3s}J at width %{x:,}")
        for method in METHODS
    ]  # fmt: skip
    traces += [
        pin_mark(letter, pin.params, pin.params.width, pin.result.energy_J["odfa"],
                 f"optical step {compact(pin.result.energy_J['odfa'])} J")
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    traces.append(
        state_mark(params.width, here, f"optical step {compact(here)} J, backpropagation "
                   f"{compact(result.energy_J['bp'])} J", cliponaxis=False)
    )  # fmt: skip
    raised = math.log(here / low) / math.log(high / low)
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Width (neurons), log scale", sizes[0], sizes[-1]),
        yaxis=decade_axis("Energy per step (J, log scale)", low, high),
        annotations=[
            pointer(
                f"this state:<br>{compact(here)} J", x=math.log10(params.width), y=math.log10(here),
                color=ACCENT.light, ax=-30 if params.width > math.sqrt(sizes[0] * sizes[-1]) else 30,
                ay=44 if raised > ROOM_FOR_LABEL else -44,
            )
        ],
    )  # fmt: skip

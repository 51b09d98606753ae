"""What lies under and across the lines of a sweep: regimes, who is ahead, memory and camera limits.

Borders between sizes are those of the sweep, which holds both sides of each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from foptrn_model.optical_dfa import METHOD_LABELS, METHODS
from foptrn_model.optical_dfa_memory import Method
from foptrn_model.optical_dfa_series import Sweep
from pages._components.theme import MUTED, TEXT, TRANSFORM
from pages._figures.base import note
from pages._figures.optical_dfa_looks import LOOKS

STRIPS = 0.23
"""Share of the height that the regimes' strips take below the plot."""
REGIME_LABELS = {
    "launch": "launches", "compute": "arithmetic", "memory-bandwidth": "memory rate",
    "offload": "offload", "frame-rate": "frames", "camera": "camera",
}  # fmt: skip
NARROW = {"launch": "launch", "compute": "FLOP", "memory-bandwidth": "memory"}
"""Shorter names, for strips of a phone's width."""
REGIME_OPACITY = {
    "launch": 0.10, "compute": 0.24, "memory-bandwidth": 0.38, "offload": 0.58,
    "frame-rate": 0.12, "camera": 0.34,
}  # fmt: skip
"""Strips differ in depth of tone and carry their names."""
ROOM_PER_LETTER = 0.03
"""Share of the axis that a letter takes on a phone; a strip shorter than its name has none."""
AHEAD_OPACITY = {"bp": 0.05, "dfa": 0.07}
"""Where light beats either; where it beats both, they add up."""
NEAR_EDGE = 0.3
"""Share of the axis within which a label of a wall stands on the wall's inner side."""
SHORT_NAMES = {"bp": "backprop.", "dfa": "GPU DFA", "odfa": "optical"}


def ahead(sweep: Sweep) -> list[dict[str, Any]]:
    """Shades the sizes at which the optical step is shorter than each of the others."""
    return [
        won_shape(method, start, end)
        for method in AHEAD_OPACITY
        for won, start, end in _runs(
            sweep.sizes.tolist(),
            (sweep.step_s["odfa"] < sweep.step_s[method]).tolist(),  # type: ignore[index]
        )
        if won
    ]


def won_shape(method: str, start: float = 0, end: float = 0) -> dict[str, Any]:
    """Shades where the optical step is shorter than a method's."""
    return {
        "type": "rect", "xref": "x", "yref": "y domain", "layer": "below",
        "x0": start, "x1": end, "y0": 0, "y1": 1,
        "fillcolor": TRANSFORM.light, "opacity": AHEAD_OPACITY[method], "line": {"width": 0},
    }  # fmt: skip


def strip_shape(method: Method, regime: str, start: float = 0, end: float = 0) -> dict[str, Any]:
    """A part of a method's strip over which one term is the largest."""
    bottom = _bottom(method)
    return {
        "type": "rect", "xref": "x", "yref": "y2", "x0": start, "x1": end,
        "y0": bottom + 0.08, "y1": bottom + 0.92, "layer": "below",
        "fillcolor": LOOKS[method].color, "opacity": REGIME_OPACITY[regime],
        "line": {"width": 0},
    }  # fmt: skip


def strip_label(method: Method, text: str = "", x: float = 0) -> dict[str, Any]:
    """The name of a regime on a method's strip."""
    return note(
        text, x=x, y=_bottom(method) + 0.5, yref="y2", font={"size": 11, "color": TEXT.light}
    )


def _bottom(method: Method) -> int:
    return len(METHODS) - METHODS.index(method) - 1


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


def strips(sweep: Sweep) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A strip per method: which term is the largest, by tone and by name."""
    shapes, labels = [], []
    sizes = sweep.sizes.tolist()
    whole = math.log(sizes[-1] / sizes[0])
    for method in METHODS:
        for regime, start, end in _runs(sizes, sweep.regime[method].tolist()):
            shapes.append(strip_shape(method, regime, start, end))
            share = math.log(end / start) / whole
            names = (REGIME_LABELS[regime], NARROW.get(regime, REGIME_LABELS[regime]))
            name = next((one for one in names if len(one) * ROOM_PER_LETTER < share), "")
            if name:
                middle = (math.log10(start) + math.log10(end)) / 2
                labels.append(strip_label(method, name, middle))
    return shapes, labels


def strip_hover(sweep: Sweep, method: Method) -> dict[str, Any]:
    """Unseen points on a strip that say the regime at each size."""
    sizes = sweep.sizes.tolist()
    return {
        "type": "scatter", "mode": "markers", "yaxis": "y2", "showlegend": False,
        "name": f"strip of {METHOD_LABELS[method]}",
        "x": sizes, "y": [_bottom(method) + 0.5] * len(sizes),
        "marker": {"size": 12, "opacity": 0, "color": LOOKS[method].color},
        "customdata": [REGIME_LABELS[regime] for regime in sweep.regime[method].tolist()],
        "hovertemplate": f"{METHOD_LABELS[method]} at {sweep.along} %{{x:,}}: mostly "
        "%{customdata}<extra></extra>",
    }  # fmt: skip


def limits(sweep: Sweep) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines from where on a step no longer fits, and from where on the camera has too few rows."""
    low, high = int(sweep.sizes[0]), int(sweep.sizes[-1])
    shapes, labels = [], []

    def place(size: float) -> float:
        return math.log(size / low) / math.log(high / low)

    sides: dict[bool, list[tuple[float, list[str]]]] = {True: [], False: []}
    for index, (wall, names) in enumerate(_walls(sweep, low, high)):
        shapes.append(wall_line(wall))
        # One name on either side, so that neighbours do not lie on each other, and none over an edge.
        left = place(wall) > (NEAR_EDGE if index == 0 else 1 - NEAR_EDGE)
        sides[left].append((wall, names))
    for left, walls in sides.items():
        if not walls:
            continue
        at = [wall for wall, _ in walls]
        named = [", ".join(names) for _, names in walls] if len(walls) > 1 else walls[0][1]
        text = f"memory wall{'s' if len(walls) > 1 else ''}:<br>" + "<br>".join(named)
        labels.append(wall_label(left, text, math.log10(min(at) if left else max(at))))
    if low < sweep.full_camera < high:
        shapes.append(camera_line(sweep.full_camera))
        labels.append(camera_label(math.log10(sweep.full_camera)))
    return shapes, labels


def _walls(sweep: Sweep, low: float, high: float) -> list[tuple[float, list[str]]]:
    """Walls within the figure; methods with nearly the same one share it."""
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
    return groups


def wall_label(left: bool, text: str = "", x: float = 0) -> dict[str, Any]:
    """Names of walls, left or right of the nearest one."""
    return note(
        text, x=x, y=0.99, yref="paper", yanchor="top", xanchor="right" if left else "left",
        align="right" if left else "left", xshift=-4 if left else 4,
        font={"size": 11, "color": MUTED.light},
    )  # fmt: skip


def camera_label(x: float = 0) -> dict[str, Any]:
    """The name of the line beyond which the camera has too few rows."""
    return note(
        "camera full", x=x, y=STRIPS + 0.3, yref="paper", yanchor="bottom", xanchor="right",
        xshift=-2, textangle=-90, font={"size": 11, "color": TRANSFORM.light},
    )  # fmt: skip


def wall_line(size: float = 0) -> dict[str, Any]:
    """Where on a step no longer fits."""
    return _line(size, MUTED.light)


def camera_line(size: float = 0) -> dict[str, Any]:
    """Where on the camera has too few rows."""
    return _line(size, TRANSFORM.light)


def _line(size: float, color: str) -> dict[str, Any]:
    return {
        "type": "line", "xref": "x", "yref": "paper", "x0": size, "x1": size, "y0": 0, "y1": 1,
        "line": {"color": color, "width": 1.3, "dash": "dot"},
    }  # fmt: skip

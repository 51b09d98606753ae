"""Bits that match a format, by how far a distribution's peak lies from its RMS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.number_formats import FORMAT_NAMES
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.planes import UNIFORM
from foptrn_model.precision_series import CrestPoint
from foptrn_model.text import group_digits, significant
from pages._components.theme import ACCENT, GROUND, LINE, MUTED
from pages._figures.base import SMALL, axis, figure, note, outlined, rounded
from pages._figures.marks import pin_mark
from pages._figures.precision_looks import LOOKS, color, end_labels, label

NAMES = {
    "gaussian": "Gaussian",
    "laplace": "Laplace",
    "student-t": "Student-t",
    "measured": "measured",
}
TICKS = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1_000)
ROOM_BETWEEN_NAMES = 0.09
"""Decades of crest factor below which two distributions' names stand one above the other."""


def crest_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """A point per distribution and format; a doubled crest factor costs a bit."""
    points: tuple[CrestPoint, ...] = evaluation.series.crest
    here = evaluation.params.distribution
    crests = [point.sample.crest[1] for point in points]
    low, high = min(crests) / 1.35, max(crests) * 1.35
    traces = [_rule(name, evaluation, low, high) for name in FORMAT_NAMES]
    traces += [_points(name, points, here) for name in FORMAT_NAMES]
    traces += [
        pin_mark(
            letter, pin.params, pin.result.crest, pin.result.formats["E5M2"].enob_to_match,
            f"crest factor {significant(pin.result.crest)}, FP8 E5M2 "
            f"{significant(pin.result.formats['E5M2'].enob_to_match)} bit",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    ends = {
        name: _rule_bits(evaluation.result.formats[name].relative_rms, high)
        for name in FORMAT_NAMES
    }
    bits = [point.sample.enob_to_match(name) for point in points for name in FORMAT_NAMES]
    bottom, top = min([*bits, *ends.values()]) - 0.8, max([*bits, *ends.values()]) + 2.2
    ticks = [tick for tick in TICKS if low <= tick <= high]
    return figure(
        traces,
        margin={"l": 56, "r": 84, "t": 10, "b": 48},
        xaxis=axis(
            "Crest factor, peak over RMS (log scale)", type="log",
            range=[math.log10(low), math.log10(high)],
            tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks],
        ),
        yaxis=axis("ENOB that matches (bit)", range=[bottom, top]),
        shapes=[_column(point, here) for point in points],
        annotations=[
            *_names(points, here, top),
            *end_labels(ends, gap=(top - bottom) * 0.055),
        ],
    )  # fmt: skip


def _rule_bits(relative_rms: float, crest: float) -> float:
    return math.log2(crest * UNIFORM / relative_rms)


def _rule(name: str, evaluation: Evaluation, low: float, high: float) -> dict[str, Any]:
    """What the crest factor alone would make of this state's error."""
    error = evaluation.result.formats[name].relative_rms
    return {
        "type": "scatter",
        "mode": "lines",
        "name": f"{label(name)}, same error",
        "x": rounded([low, high]),
        "y": rounded([_rule_bits(error, low), _rule_bits(error, high)]),
        "line": {"color": color(name), "width": 1, "dash": LOOKS[name][0]},
        "hoverinfo": "skip",
    }


def _points(name: str, points: Sequence[CrestPoint], here: str) -> dict[str, Any]:
    bits = [point.sample.enob_to_match(name) for point in points]  # type: ignore[arg-type]
    quartiles = [point.sample.enob[name] for point in points]  # type: ignore[index]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": label(name),
        "x": rounded([point.sample.crest[1] for point in points]),
        "y": rounded(bits),
        "error_y": {
            "type": "data", "symmetric": False, "thickness": 1.5, "width": 0,
            "color": color(name),
            "array": rounded(max(q[2] - bit, 0.0) for q, bit in zip(quartiles, bits, strict=True)),
            "arrayminus": rounded(
                max(bit - q[0], 0.0) for q, bit in zip(quartiles, bits, strict=True)
            ),
        },
        "marker": outlined(color(name), 11, LOOKS[name][1])
        | {
            "size": [14 if point.distribution == here else 10 for point in points],
            "opacity": 1,
        },
        "customdata": [
            f"{label(name)} on {NAMES[point.distribution]} gradients: {significant(bit)} bit<br>"
            f"quartiles {significant(q[0])} and {significant(q[2])}, {point.draws} draws of "
            f"{group_digits(point.sample.values)} values"
            for point, bit, q in zip(points, bits, quartiles, strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }  # fmt: skip


def _column(point: CrestPoint, here: str) -> dict[str, Any]:
    chosen = point.distribution == here
    return {
        "type": "line", "xref": "x", "yref": "paper", "layer": "below",
        "x0": point.sample.crest[1], "x1": point.sample.crest[1], "y0": 0, "y1": 1,
        "line": {
            "color": ACCENT.light if chosen else LINE.light,
            "width": 1, "dash": "dot" if chosen else "solid",
        },
    }  # fmt: skip


def _names(points: Sequence[CrestPoint], here: str, top: float) -> list[dict[str, Any]]:
    labels, last, level = [], -math.inf, 0
    for point in sorted(points, key=lambda item: item.sample.crest[1]):
        place = math.log10(point.sample.crest[1])
        level = level + 1 if place - last < ROOM_BETWEEN_NAMES else 0
        last = place
        chosen = point.distribution == here
        token = ACCENT if chosen else MUTED
        text = NAMES[point.distribution]
        labels.append(
            note(
                f"<b>{text}</b>" if chosen else text, x=place, y=1, yref="paper",
                yanchor="top", yshift=-16 * level, color=token.light, bgcolor=GROUND.light,
            )
            | {"font": {"size": SMALL + 1, "color": token.light}}
        )  # fmt: skip
    return labels

"""Our runs beside the published ones: the order of the methods, and optics over ENOB."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.compression_order import Ordering
from foptrn_model.compression_reference import counterpart
from foptrn_model.compression_series import CompressionSeries
from foptrn_model.compression_words import method_label, optics_of, short_label
from foptrn_model.explorers import Evaluation
from foptrn_model.text import significant
from pages._components.theme import ACCENT, DENSE, GROUND, MUTED, TEXT
from pages._figures.base import SMALL, Look, axis, figure, legend_above, note, outlined, rounded
from pages._figures.compression_looks import (
    ADAMW_LOOK,
    EXACT_LOOK,
    SELECTOR_LOOKS,
    SENT_LOOK,
)
from pages._figures.compression_training import state_line

USUAL_PLANES = 8
NO_NOISE_AT = 14.0
"""Where runs without read-out noise stand on the axis of ENOB."""
TICKS = [2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]


def order_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Final losses from the lowest of ours, the published one of the same method beside it."""
    order: Ordering = evaluation.series.order
    placed = list(order.placed)
    heights = [-index for index in range(len(placed))]
    known = [(item, at) for item, at in zip(placed, heights, strict=True) if item.published]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines", "showlegend": False, "hoverinfo": "skip",
            "x": [x for item, _ in known for x in (item.ours.mean, item.published, None)],
            "y": [y for _, at in known for y in (at, at, None)],
            "line": {"color": MUTED.light, "width": 1},
        },
        {
            "type": "scatter", "mode": "markers", "name": "published (nat per token)",
            "x": [item.published for item, _ in known], "y": [at for _, at in known],
            "marker": {
                "symbol": "diamond-open", "size": 13, "color": MUTED.light,
                "line": {"width": 2, "color": TEXT.light},
            },
            "customdata": [item.published_method for item, _ in known],
            "hovertemplate": "published %{customdata}: %{x:.4~g}<extra></extra>",
        },
        {
            "type": "scatter", "mode": "markers", "name": "ours (nat per byte)",
            "x": rounded([item.ours.mean for item in placed]), "y": heights,
            "marker": outlined(ACCENT.light, 11)
            | {"color": [_look(item.method).color for item in placed]},
            "customdata": [method_label(item.method) for item in placed],
            "hovertemplate": "%{customdata}: %{x:.4~g}<extra></extra>",
        },
    ]  # fmt: skip
    highest = max(max(item.ours.mean, item.published or 0) for item in placed)
    lowest = min(min(item.ours.mean, item.published or 9) for item in placed)
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 132, "r": 16, "t": 8, "b": 48},
        xaxis=_loss_axis("Final validation loss (log scale)", lowest, highest, tickangle=0),
        yaxis=axis(
            "", range=[-len(placed) + 0.4, 0.6], tickvals=heights,
            ticktext=[short_label(item.method) for item in placed],
        ) | {"tickfont": {"size": 11, "color": MUTED.light}},
    )  # fmt: skip


def _look(method: str) -> Look:
    if method.startswith("optics"):
        return SENT_LOOK if optics_of(method).feedback == "sent" else EXACT_LOOK
    if method == "adamw":
        return ADAMW_LOOK
    word = method.removeprefix("band-").partition("-")[0]
    return SELECTOR_LOOKS.get({"calib": "calibrated"}.get(word, word), Look(DENSE.light, "", "x"))


def _loss_axis(title: str, low: float, high: float, **options: Any) -> dict[str, Any]:
    ticks = [tick for tick in TICKS if low / 1.3 <= tick <= high * 1.3]
    return axis(
        title, type="log", range=[math.log10(low / 1.2), math.log10(high * 1.15)],
        tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks], **options,
    )  # fmt: skip


def divergence_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Final loss over ENOB with either feedback, the exact band as a line, published ends open."""
    series: CompressionSeries = evaluation.series
    final = series.measured.final
    traces: list[dict[str, Any]] = []
    heights: list[float] = []
    for feedback, look in (("sent", SENT_LOOK), ("exact", EXACT_LOOK)):
        points = []
        for run in series.optics_runs():
            optics = optics_of(run.method)
            usual = optics.planes == USUAL_PLANES and not optics.full_scale_every
            if optics.feedback == feedback and usual:
                points.append((optics.enob or NO_NOISE_AT, final[run.method].mean, run.method))
        points.sort()
        beside = [
            (x, found[1]) for x, _, method in points if (found := counterpart(method)) is not None
        ]
        heights += [y for _, y, _ in points] + [y for _, y in beside]
        traces += [
            {
                "type": "scatter", "mode": "lines+markers", "name": f"{feedback}, ours",
                "x": [x for x, _, _ in points], "y": rounded([y for _, y, _ in points]),
                "line": {"color": look.color, "width": 2, "dash": look.dash},
                "marker": outlined(look.color, 10, look.symbol.replace("x", "circle")),
                "customdata": [method_label(method) for _, _, method in points],
                "hovertemplate": "%{customdata}: %{y:.4~g}<extra></extra>",
            },
            {
                "type": "scatter", "mode": "markers", "name": f"{feedback}, published",
                "x": [x for x, _ in beside], "y": rounded([y for _, y in beside]),
                "marker": {
                    "symbol": "diamond-open", "size": 13, "color": look.color,
                    "line": {"width": 2, "color": look.color},
                },
                "hovertemplate": f"published, {feedback}: %{{y:.4~g}}<extra></extra>",
            },
        ]  # fmt: skip
    band = final["band-low-1d256"].mean
    heights.append(band)
    params = evaluation.params
    at = params.enob or NO_NOISE_AT
    shown = 5 <= at <= NO_NOISE_AT + 1
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 16, "t": 8, "b": 48},
        xaxis=axis(
            "ENOB of the read-out (bit)", range=[5, NO_NOISE_AT + 1],
            tickvals=[6, 8, 10, 12, NO_NOISE_AT], ticktext=["6", "8", "10", "12", "no noise"],
        ),
        yaxis=_loss_axis("Final validation loss (nat, log scale)", min(heights), max(heights)),
        shapes=[
            {
                "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": band,
                "y1": band, "layer": "below", "line": {"color": MUTED.light, "width": 1},
            },
            *([state_line(at)] if shown else []),
        ],
        annotations=[
            note(
                f"exact band, ours {significant(band)}", x=0.01, xref="paper", y=math.log10(band),
                xanchor="left", yanchor="top", color=MUTED.light,
                bgcolor=GROUND.light,
            ) | {"font": {"size": SMALL, "color": MUTED.light}}
        ],
    )  # fmt: skip

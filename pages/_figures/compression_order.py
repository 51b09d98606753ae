"""Our runs beside the published ones: the order of the methods, and optics over ENOB."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from foptrn_model.compression_order import Ordering, Placed
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
FIXED_SYMBOL, RESET_SYMBOL = "diamond-open", "square-open"
"""Published runs: like ours beside them, and with a full scale set anew where ours keeps its own."""
MOST_SHOWN = 30.0
"""Published runs that ended above it are drawn here, as arrows with their number."""
TICKS = [2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]


def order_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Final losses from the lowest of ours, the published one of the same method beside it."""
    order: Ordering = evaluation.series.order
    placed = list(order.placed)
    heights = [-index for index in range(len(placed))]
    known = [
        (item, item.published, at)
        for item, at in zip(placed, heights, strict=True)
        if item.published is not None
    ]
    beyond = [found for found in known if found[1] > MOST_SHOWN]
    shown = [found for found in known if found[1] <= MOST_SHOWN]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines", "showlegend": False, "hoverinfo": "skip",
            "x": [x for item, end, _ in known for x in (item.ours.mean, min(end, MOST_SHOWN), None)],
            "y": [y for _, _, at in known for y in (at, at, None)],
            "line": {"color": MUTED.light, "width": 1},
        },
        *(
            {
                "type": "scatter", "mode": "markers", "name": name,
                "x": [end for item, end, _ in shown if item.stand_in == stand_in],
                "y": [at for item, _, at in shown if item.stand_in == stand_in],
                "marker": _open_marker(symbol, TEXT.light),
                "customdata": [
                    item.published_method for item, _, _ in shown if item.stand_in == stand_in
                ],
                "hovertemplate": "published %{customdata}: %{x:.4~g}<extra></extra>",
            }
            for name, symbol, stand_in in (
                ("published (nat per token)", FIXED_SYMBOL, False),
                ("published, but re-set", RESET_SYMBOL, True),
            )
        ),
        {
            "type": "scatter", "mode": "markers+text", "showlegend": False,
            "x": [MOST_SHOWN] * len(beyond), "y": [at for _, _, at in beyond],
            "text": [f"{end:.0f}" for _, end, _ in beyond], "textposition": "middle right",
            "cliponaxis": False,  # the numbers stand in the margin, however narrow the page
            "textfont": {"size": 11, "color": MUTED.light},
            "marker": {"symbol": "triangle-right", "size": 9, "color": TEXT.light},
            "customdata": [[item.published_method, significant(end, 4)] for item, end, _ in beyond],
            "hovertemplate": "published %{customdata[0]}: %{customdata[1]}<extra></extra>",
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
    lowest = min(min(item.ours.mean, item.published or 9) for item in placed)
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 132, "r": 40, "t": 8, "b": 48},
        xaxis=_loss_axis(
            "Final validation loss (log scale)", lowest, MOST_SHOWN, room=1.06, tickangle=0
        ),
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


def _open_marker(symbol: str, color: str) -> dict[str, Any]:
    return {"symbol": symbol, "size": 11, "color": color, "line": {"width": 2, "color": color}}


def _loss_axis(
    title: str, low: float, high: float, room: float = 1.15, **options: Any
) -> dict[str, Any]:
    ticks = [tick for tick in TICKS if low / 1.3 <= tick <= high * 1.3]
    return axis(
        title, type="log", range=[math.log10(low / 1.2), math.log10(high * room)],
        tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks], **options,
    )  # fmt: skip


def _published(
    look: Look, beside: list[tuple[float, float, Placed]], known: set[str]
) -> Iterator[dict[str, Any]]:
    """Published ends over ENOB, those with a full scale set anew as squares.

    The legend names a symbol once; ``known`` are those that it has.
    """
    for stand_in, symbol, words in (
        (False, FIXED_SYMBOL, "published"), (True, RESET_SYMBOL, "published, re-set")
    ):  # fmt: skip
        found = [each for each in beside if each[2].stand_in == stand_in]
        if found:
            yield {
                "type": "scatter", "mode": "markers", "name": words, "showlegend": words not in known, "legendrank": 1_001,
                "x": [x for x, _, _ in found], "y": rounded([y for _, y, _ in found]),
                "marker": _open_marker(symbol, look.color),
                "customdata": [item.published_method for _, _, item in found],
                "hovertemplate": "published %{customdata}: %{y:.4~g}<extra></extra>",
            }  # fmt: skip
            known.add(words)


def divergence_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Final loss over ENOB with either feedback, the exact band as a line, published ends open.

    Ours keep their full scale. A published run that set its own anew has another symbol.
    """
    series: CompressionSeries = evaluation.series
    final = series.measured.final
    placed = {item.method: item for item in series.order.placed}
    traces: list[dict[str, Any]] = []
    heights: list[float] = []
    known: set[str] = set()
    for feedback, look in (("sent", SENT_LOOK), ("exact", EXACT_LOOK)):
        points = []
        for run in series.optics_runs():
            optics = optics_of(run.method)
            usual = optics.planes == USUAL_PLANES and not optics.full_scale_every
            if optics.feedback == feedback and usual:
                points.append((optics.enob or NO_NOISE_AT, final[run.method].mean, run.method))
        points.sort()
        beside = [
            (x, published, placed[method])
            for x, _, method in points
            if (published := placed[method].published) is not None
        ]
        heights += [y for _, y, _ in points] + [y for _, y, _ in beside]
        traces += [
            {
                "type": "scatter", "mode": "lines+markers", "name": f"{feedback}, ours",
                "x": [x for x, _, _ in points], "y": rounded([y for _, y, _ in points]),
                "line": {"color": look.color, "width": 2, "dash": look.dash},
                "marker": outlined(look.color, 10, look.symbol.replace("x", "circle")),
                "customdata": [method_label(method) for _, _, method in points],
                "hovertemplate": "%{customdata}: %{y:.4~g}<extra></extra>",
            },
            *_published(look, beside, known),
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
        yaxis=_loss_axis("Final validation loss (nat, log scale)", min(heights) / 1.2, max(heights)),
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

"""Our own training runs: loss by step and by bytes, the delta's band, clipping, spread over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.compression_series import CompressionSeries
from foptrn_model.compression_words import method_label
from foptrn_model.curves import Curve
from foptrn_model.demo.methods import method_named
from foptrn_model.explorers import Evaluation
from foptrn_model.measured_runs import MeasuredRuns
from pages._components.theme import ACCENT, MUTED
from pages._figures.base import (
    SMALL,
    Look,
    axis,
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    rounded,
)
from pages._figures.compression_looks import (
    ADAMW_LOOK,
    EXACT_BAND_LOOK,
    EXACT_LOOK,
    MAIN_LOOKS,
    SELECTOR_LOOKS,
    SENT_LOOK,
    line,
    right_labels,
)

LOSS_TITLE = "Validation loss (nat per byte)"
START_LOSS = 5.6
"""Just above where every run starts; what diverges leaves the picture there."""
LABEL_GAP = 0.17
SHARE_METHODS = ("topk-2d64", "calib-2d64", "band-random-2d64", "band-zigzag-2d64",
                 "band-low-2d64", "band-high-2d64")  # fmt: skip


def steps_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Mean loss by step, one sd over seeds as a band."""
    measured: MeasuredRuns = evaluation.series.measured
    traces: list[dict[str, Any]] = []
    ends: list[tuple[str, str, float]] = []
    for method, (name, look) in _shown(measured).items():
        curve = measured.curves[method]
        if curve.sd:
            traces.append(_spread(curve, look))
        traces.append(
            line(list(curve.steps), rounded(curve.loss), look, name, "%{y:.4~g} at step %{x:,}")
        )
        ends.append((name, look.color, min(curve.loss[-1], START_LOSS)))
    steps = measured.settings.steps
    return _losses(traces, ends, axis("Steps (count)", range=[0, steps], nticks=7))


def bytes_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """The same by what a worker has sent."""
    measured: MeasuredRuns = evaluation.series.measured
    traces: list[dict[str, Any]] = []
    sent: list[float] = []
    for method, (name, look) in _shown(measured).items():
        curve, each = measured.curves[method], measured.bytes_per_step(method)
        moved = [each * step for step in curve.steps]
        sent += [moved[0], moved[-1]]
        traces.append(
            line(rounded(moved), rounded(curve.loss), look, name, "%{y:.4~g} after %{x:.3s}B")
        )
    low, high = min(sent) / 1.5, max(sent) * 1.5
    figure_ = _losses(traces, [], decade_axis("Sent by a worker (B, log scale)", low, high))
    figure_["layout"] |= {"showlegend": True, "legend": legend_above()}
    figure_["layout"]["margin"]["r"] = 16
    return figure_


def _shown(measured: MeasuredRuns) -> dict[str, tuple[str, Look]]:
    return {name: found for name, found in MAIN_LOOKS.items() if name in measured.methods}


def _losses(
    traces: list[dict[str, Any]], ends: list[tuple[str, str, float]], xaxis: dict[str, Any]
) -> dict[str, Any]:
    lowest = min(value for trace in traces for value in trace["y"])
    return figure(
        traces,
        margin={"l": 52, "r": 96 if ends else 16, "t": 8, "b": 48},
        xaxis=xaxis,
        yaxis=axis(LOSS_TITLE, range=[lowest - 0.15, START_LOSS]),
        annotations=right_labels(ends, gap=LABEL_GAP),
    )


def _spread(curve: Curve, look: Look) -> dict[str, Any]:
    sd = curve.sd or ()
    high = [loss + apart for loss, apart in zip(curve.loss, sd, strict=True)]
    low = [loss - apart for loss, apart in zip(curve.loss, sd, strict=True)]
    return {
        "type": "scatter", "mode": "lines", "showlegend": False,
        "x": [*curve.steps, *curve.steps[::-1]], "y": rounded([*high, *low[::-1]]),
        "fill": "toself", "fillcolor": look.color, "opacity": 0.25,
        "line": {"width": 0, "color": look.color}, "hoverinfo": "skip",
    }  # fmt: skip


def live_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """The live experiment; empty axes with a word until it has been run."""
    series: CompressionSeries = evaluation.series
    traces: list[dict[str, Any]] = []
    ends: list[tuple[str, str, float]] = []
    for run in series.live_runs:
        name, look = _live_look(run.method)
        traces.append(
            line(
                list(run.steps), rounded(run.val_loss), look, name,
                f"%{{y:.4~g}} at step %{{x:,}} ({method_label(run.method)})",
            )
        )  # fmt: skip
        ends.append((name, look.color, min(run.val_loss[-1], START_LOSS)))
    last = max((run.steps[-1] for run in series.live_runs), default=1)
    if traces:
        return _losses(traces, ends, axis("Steps (count)", range=[0, last], nticks=7))
    empty = {"type": "scatter", "mode": "lines", "x": [None], "y": [None], "hoverinfo": "skip"}
    return figure(
        [empty],
        xaxis=axis("Steps (count)", range=[0, 120]),
        yaxis=axis(LOSS_TITLE, range=[2, START_LOSS]),
        annotations=[
            note(
                "Not run with these settings yet:<br>press Run above", x=0.5, y=0.5, xref="paper",
                yref="paper", color=MUTED.light,
            )
        ],
    )  # fmt: skip


def _live_look(method: str) -> tuple[str, Look]:
    found = method_named(method)
    if found.optics is not None:
        sent = found.optics.feedback == "sent"
        return ("optics, sent", SENT_LOOK) if sent else ("optics, exact", EXACT_LOOK)
    if found.selector is None:
        return "AdamW", ADAMW_LOOK
    if found.selector == "low":
        return "low band", EXACT_BAND_LOOK
    return ("top-k" if found.selector == "topk" else found.selector), SELECTOR_LOOKS[found.selector]


def share_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """How much of the delta's energy lies where a method sends, step by step."""
    measured: MeasuredRuns = evaluation.series.measured
    traces = []
    for method in SHARE_METHODS:
        runs = measured.of(method)
        if not runs:
            continue
        selector = method_named(method).selector or "low"
        name = {"topk": "top-k", "zigzag": "zig-zag"}.get(selector, selector)
        shares = [100 * (share or 0) for share in runs[0].own_share]
        traces.append(
            line(
                list(runs[0].steps), rounded([max(share, 1e-5) for share in shares], 3),
                SELECTOR_LOOKS[selector], name, "%{y:.3g} % at step %{x:,}",
            )
        )  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 64, "r": 16, "t": 8, "b": 48},
        xaxis=axis("Steps (count)", range=[0, measured.settings.steps], nticks=7),
        yaxis=decade_axis(
            "Delta's energy where it is sent (%)", 1e-4, 100, lambda power: f"{power:g}"
        ),
        shapes=[_kept_line(100 * measured.settings.keep)],
    )


def _kept_line(height: float) -> dict[str, Any]:
    return {
        "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": height, "y1": height,
        "layer": "below", "line": {"color": MUTED.light, "width": 1, "dash": "dot"},
    }  # fmt: skip


CLIP_METHODS = {
    "optics-1d256-enob8-planes8-sent": ("sent", SENT_LOOK),
    "optics-1d256-enob8-planes8-sent+agc100": (
        "sent, set every 100", Look(SENT_LOOK.color, "dash", "diamond-open")
    ),
    "optics-1d256-enob8-planes8-exact": ("exact", EXACT_LOOK),
    "optics-1d256-enob8-planes8-exact+agc100": (
        "exact, set every 100", Look(EXACT_LOOK.color, "dashdot", "x")
    ),
}  # fmt: skip


def clip_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Values beyond the full scale, step by step."""
    measured: MeasuredRuns = evaluation.series.measured
    traces = []
    for method, (name, look) in CLIP_METHODS.items():
        for run in measured.of(method)[:1]:
            shown = [
                (step, 100 * rate)
                for step, rate in zip(run.steps, run.clip_rate, strict=True)
                if rate is not None
            ]
            traces.append(
                line(
                    [step for step, _ in shown], rounded([rate for _, rate in shown], 3), look,
                    name, "%{y:.3g} % clipped at step %{x:,}",
                )
            )  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 16, "t": 8, "b": 48},
        xaxis=axis("Steps (count)", range=[0, measured.settings.steps], nticks=7),
        yaxis=axis("Values clipped (%)", rangemode="tozero"),
    )


def seeds_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Final losses of the methods that were trained from several seeds, a dot each."""
    measured: MeasuredRuns = evaluation.series.measured
    several = [found for found in measured.final.values() if len(found.losses) > 1]
    several.sort(key=lambda found: -found.mean)
    traces: list[dict[str, Any]] = []
    for height, found in enumerate(several):
        name, look = MAIN_LOOKS.get(found.method) or (
            "calibrated", SELECTOR_LOOKS["calibrated"]
        )  # fmt: skip
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": rounded(found.losses),
                "y": [height] * len(found.losses),
                "marker": outlined(look.color, 11, look.symbol.replace("x", "circle"))
                | {"opacity": 0.7},
                "customdata": [run.seed for run in measured.of(found.method)],
                "hovertemplate": f"{method_label(found.method)}, seed %{{customdata}}: "
                "%{x:.4~f}<extra></extra>",
            }
        )
    return figure(
        traces,
        margin={"l": 96, "r": 16, "t": 8, "b": 48},
        xaxis=axis("Final validation loss (nat per byte)", nticks=7),
        yaxis=axis(
            "", range=[-0.7, len(several) - 0.3], tickvals=list(range(len(several))),
            ticktext=[trace["name"] for trace in traces],
        ),
        annotations=[
            note(
                f"\u00b1 {found.sd:.3f}", x=found.mean, y=height, yshift=15, color=MUTED.light
            ) | {"font": {"size": SMALL, "color": MUTED.light}}
            for height, found in enumerate(several)
        ],
    )  # fmt: skip


def state_line(x: float) -> dict[str, Any]:
    """A vertical line where the state stands."""
    return {
        "type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "layer": "below", "line": {"color": ACCENT.light, "width": 1.5, "dash": "dot"},
    }  # fmt: skip

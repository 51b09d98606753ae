"""What training takes from the share, and what slow transforms give it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.amdahl import RateSweep
from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.explorers import Evaluation
from foptrn_model.ledger import VARIANTS
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import percent
from pages._components.theme import (
    CONCEPTS,
    DATA_BY_DATA,
    MUTED,
    SURFACE,
    TEXT,
    TRANSFORM,
)
from pages._figures.amdahl_length import DASHES
from pages._figures.base import SMALL, axis, figure, legend_above, note, rounded
from pages._figures.marks import pin_mark, published_marks, state_mark

LOG_TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
LABEL_RATE = 0.02
RATE_TICKS = {0.001: "1/1000", 0.01: "1/100", 0.0625: "1/16", 0.25: "1/4", 1: "1"}


def training_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Shares in training beside the share forward only, which is set to 100 %."""
    rows = [
        (VARIANT_LABELS[name], evaluation.series.variants[name])
        for name in VARIANTS
        if evaluation.series.variants[name].step.static
    ]
    rows += [
        (f"{letter}: pinned", pin.result.flop_per_token)
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
        if pin.result.static_share
    ]
    names = [name for name, _ in rows]
    forward = [flop.forward.static / flop.forward.total for _, flop in rows]
    step = [flop.step.static / flop.step.total for _, flop in rows]
    free = [(flop.step.static + flop.step.data_by_data) / flop.step.total for _, flop in rows]
    return figure(
        [
            _share_bars("forward only", names, forward, forward, color=MUTED.light),
            _share_bars("training step", names, step, forward, color=TRANSFORM.light),
            _share_bars(
                "with data-by-data", names, free, forward, color=DATA_BY_DATA.light, pattern="x"
            ),
        ],
        barmode="group",
        bargap=0.28,
        bargroupgap=0.08,
        showlegend=True,
        legend=legend_above() | {"traceorder": "normal"},
        margin={"l": 8, "r": 12, "t": 8, "b": 44},
        xaxis=axis("Relative to forward only (%)", range=[0, 124]),
        yaxis=axis("", autorange="reversed", showgrid=False, ticklen=0),
    )


def _share_bars(
    name: str,
    rows: Sequence[str],
    shares: Sequence[float],
    forward: Sequence[float],
    *,
    color: str,
    pattern: str = "",
) -> dict[str, Any]:
    texts = [percent(share) for share in shares]
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "x": rounded([100 * share / base for share, base in zip(shares, forward, strict=True)]),
        "y": list(rows),
        "marker": {
            "color": color,
            "line": {"width": 0},
            "pattern": {"shape": pattern, "bgcolor": color, "fgcolor": SURFACE.light,
                        "solidity": 0.18, "size": 7},
        },
        "text": texts,
        "textposition": "outside",
        "cliponaxis": False,
        "textfont": {"size": SMALL, "color": TEXT.light},
        "customdata": [f"{row}, {name}: {text}" for row, text in zip(rows, texts, strict=True)],
        "hovertemplate": "%{customdata}<extra></extra>",
    }  # fmt: skip


def rate_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Share of the time over the rate of transforms, for a step and forward only."""
    rates: RateSweep = evaluation.series.rates
    params, result = evaluation.params, evaluation.result
    traces = []
    for variant in VARIANTS:
        if rates.step[variant].any():
            traces.append(_rate_line(variant, rates, "step", width=2.5, dash=DASHES[variant]))
    if result.static_share:
        traces.append(_rate_line(params.variant, rates, "forward", width=1.2, dash="dashdot"))
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        share = pin.result.time_weighted_share
        where = pin.params.fft_rate
        traces.append(
            pin_mark(letter, pin.params, where, 100 * share, f"{percent(share)} of the time")
        )
    traces += published_marks(
        evaluation,
        field="forward_time_weighted_share",
        along="fft_rate",
        free={"fft_rate", "tokens_per_step"},
        name="published (forward only)",
        scale=100,
    )
    share = result.time_weighted_share
    traces.append(state_mark(params.fft_rate, 100 * share, f"{percent(share)} of the time"))
    lowest = min(100 * float(rates.step[name].min()) for name in VARIANTS if rates.step[name].any())
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 16, "t": 8, "b": 48},
        xaxis=axis(
            "Rate of transforms (fraction of the dense rate)",
            type="log",
            range=[-3.05, 0.05],
            tickvals=list(RATE_TICKS),
            ticktext=list(RATE_TICKS.values()),
        ),
        yaxis=axis(
            "Static share of the time (%)",
            type="log",
            range=[math.log10(lowest / 1.6), math.log10(150)],
            tickvals=LOG_TICKS,
            ticktext=[f"{tick:g}" for tick in LOG_TICKS],
        ),
        annotations=[
            note(
                f"<b>{VARIANT_LABELS[name]}</b>",
                x=math.log10(LABEL_RATE),
                y=math.log10(
                    100 * float(rates.step[name][abs(rates.fft_rate - LABEL_RATE).argmin()])
                ),
                color=CONCEPTS[name].light,
                xanchor="right" if name == "hybrid" else "left",
                yanchor="top" if name == "hybrid" else "bottom",
                xshift=-8 if name == "hybrid" else 8,
                yshift=0 if name == "hybrid" else 8,
            )
            for name in VARIANTS
            if rates.step[name].any()
        ],
    )


def _rate_line(
    variant: str, rates: RateSweep, part: str, *, width: float, dash: str
) -> dict[str, Any]:
    shares = getattr(rates, part)[variant]
    words = "of the step's time" if part == "step" else "of the forward pass's time"
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "forward only" if part == "forward" else VARIANT_LABELS[variant],
        "showlegend": part == "forward",
        "x": rounded(rates.fft_rate),
        "y": rounded(100 * shares),
        "line": {"color": CONCEPTS[variant].light, "width": width, "dash": dash},
        "customdata": [f"{VARIANT_LABELS[variant]}: {percent(share)} {words}" for share in shares],
        "hovertemplate": "%{customdata}<extra></extra>",
    }

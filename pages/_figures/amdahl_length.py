"""Static share and bound over sequence length, with the state, pins and published points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.amdahl import LengthSweep
from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.explorers import Evaluation
from foptrn_model.ledger import VARIANTS
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import group_digits, percent, speed_up
from pages._components.theme import ACCENT, CONCEPTS, MUTED
from pages._figures.base import (
    axis,
    figure,
    legend_above,
    note,
    pointer,
    rounded,
)
from pages._figures.marks import pin_mark, published_marks, state_mark

DASHES = {"hyena": "solid", "hybrid": "dash", "block-circulant": "dot"}
LABEL_ABOVE = {"hyena": True, "hybrid": False, "block-circulant": True}
LABEL_AT = 90_000  # tokens: in the middle of an octave, where lines lie apart
LENGTH_TICKS = {2**power: text for power, text in zip(
    range(7, 21, 2), ("128", "512", "2k", "8k", "32k", "128k", "512k"), strict=True
)}  # fmt: skip
BOUND_TICKS = (
    1.0001,
    1.0002,
    1.0005,
    1.001,
    1.002,
    1.005,
    1.01,
    1.02,
    1.05,
    1.1,
    1.2,
    1.5,
    2,
    5,
    10,
)
NOT_IN_SHARE = {"variant", "seq_len", "fft_rate", "tokens_per_step"}
"""Params that a published share does not depend on, besides its own state."""


def length_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Static share of each variant over sequence length; the bound on the right."""
    sweep: LengthSweep = evaluation.series.sweep
    shown = [variant for variant in VARIANTS if sweep.static_share[variant].any()]
    values = [100 * sweep.static_share[variant] for variant in shown]
    low = min(float(value.min()) for value in values) / 2.2
    high = max(float(value.max()) for value in values) * 1.7
    lengths = sweep.seq_len.tolist()
    traces = [_length_line(variant, lengths, sweep) for variant in shown]
    traces += _pin_traces(pinned)
    traces += published_marks(
        evaluation,
        field="static_share",
        along="seq_len",
        free=NOT_IN_SHARE,
        name="published",
        scale=100,
    )
    result = evaluation.result
    traces.append(
        state_mark(
            evaluation.params.seq_len,
            100 * result.static_share,
            f"{percent(result.static_share)} static, at most {speed_up(result.amdahl_bound)}\u00d7",
            yaxis="y2",  # the right axis is drawn only where a trace lies on it
        )
    )
    log_range = [math.log10(low), math.log10(high)]
    bounds = [bound for bound in BOUND_TICKS if low < 100 * (1 - 1 / bound) < high]
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 64, "t": 8, "b": 48},
        xaxis=axis(
            "Sequence length (tokens)",
            type="log",
            range=[math.log10(lengths[0]) - 0.03, math.log10(lengths[-1]) + 0.03],
            tickvals=list(LENGTH_TICKS),
            ticktext=list(LENGTH_TICKS.values()),
        ),
        yaxis=axis(
            "Static share of the step (%)",
            type="log",
            range=log_range,
            tickvals=[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100],
            ticktext=[
                "0.01",
                "0.02",
                "0.05",
                "0.1",
                "0.2",
                "0.5",
                "1",
                "2",
                "5",
                "10",
                "20",
                "50",
                "100",
            ],
        ),
        yaxis2=axis(
            "Bound, by FLOP (\u00d7)",
            type="log",
            range=log_range,
            overlaying="y",
            side="right",
            showgrid=False,
            tickvals=[100 * (1 - 1 / bound) for bound in bounds],
            ticktext=[f"{bound:g}" for bound in bounds],
        ),
        annotations=[_line_label(variant, sweep) for variant in shown]
        + [_nothing_label(log_range)]
        + _state_label(evaluation, log_range),
    )


def _length_line(variant: str, lengths: list[int], sweep: LengthSweep) -> dict[str, Any]:
    shares, bounds = sweep.static_share[variant], sweep.amdahl_bound[variant]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": VARIANT_LABELS[variant],
        "showlegend": False,
        "x": lengths,
        "y": rounded(100 * shares),
        "line": {"color": CONCEPTS[variant].light, "width": 2.5, "dash": DASHES[variant]},
        "customdata": [
            f"{VARIANT_LABELS[variant]}, {group_digits(length)} tokens<br>"
            f"{percent(share)} static, at most {speed_up(bound)}\u00d7"
            for length, share, bound in zip(lengths, shares, bounds, strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _line_label(variant: str, sweep: LengthSweep) -> dict[str, Any]:
    """The variant's name off its line, clear of the steps near it."""
    above = LABEL_ABOVE[variant]
    near = abs(np.log2(sweep.seq_len / LABEL_AT)) < 1
    share = sweep.static_share[variant][near]
    return note(
        f"<b>{VARIANT_LABELS[variant]}</b>",
        x=math.log10(LABEL_AT),
        y=math.log10(100 * float(share.max() if above else share.min())),
        color=CONCEPTS[variant].light,
        xanchor="center",
        yanchor="bottom" if above else "top",
        yshift=3 if above else -3,
    )


def _nothing_label(log_range: list[float]) -> dict[str, Any]:
    return note(
        "Transformer: 0 at every length",
        x=0.01,
        y=log_range[0],
        xref="paper",
        xanchor="left",
        yanchor="bottom",
        color=CONCEPTS["transformer"].light,
        yshift=4,
    )


def _state_label(evaluation: Evaluation, log_range: list[float]) -> list[dict[str, Any]]:
    result, params = evaluation.result, evaluation.params
    if result.static_share == 0:
        return []
    x, y = math.log10(params.seq_len), math.log10(100 * result.static_share)
    left, low = params.seq_len < 16_384, y < sum(log_range) / 2
    return [
        pointer(
            f"{percent(result.static_share)}, {speed_up(result.amdahl_bound)}\u00d7 by FLOP",
            x=x,
            y=y,
            color=ACCENT.light,
            ax=20 if left else -20,
            ay=-84 if low else 64,
        )
    ]


def _pin_traces(pinned: Sequence[Evaluation]) -> list[dict[str, Any]]:
    """A thin line and a lettered marker for each pinned scenario."""
    traces = []
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        if pin.result.static_share == 0:
            continue
        sweep, variant = pin.series.sweep, pin.params.variant
        quiet = {"color": MUTED.light, "width": 1, "dash": DASHES[variant]}
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "showlegend": False,
                "x": sweep.seq_len.tolist(),
                "y": rounded(100 * sweep.static_share[variant]),
                "line": quiet,
                "hoverinfo": "skip",
            }
        )
        share = pin.result.static_share
        traces.append(
            pin_mark(
                letter, pin.params, pin.params.seq_len, 100 * share, f"{percent(share)} static"
            )
        )
    return traces

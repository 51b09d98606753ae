"""What a kick to the last input does to earlier outputs, with padding and without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.backward import Leak
from foptrn_model.backward_series import extremes, largest
from foptrn_model.convolution import Real
from foptrn_model.explorers import Evaluation
from foptrn_model.text import compact
from pages._components.theme import ACCENT, DENSE, MUTED, SWITCH, TEXT, WARNING
from pages._figures.backward_errors import LEAST
from pages._figures.base import SMALL, axis, figure, legend_above, note, rounded

TOP = [0.56, 0.93]
BOTTOM = [0.0, 0.42]


def leak_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Outputs before and after the kick above, their difference below."""
    params, leaks = evaluation.params, evaluation.series.leaks
    here: Leak = leaks[params.padding]
    peak = float(np.abs(here.y[:-1]).max())
    traces = [
        _output("y before", here.y[:-1], DENSE.light, "solid", 2.5),
        _output("y after the kick", here.y_kicked[:-1], ACCENT.light, "dot", 1.5),
        _change("change, padded", leaks[True].change, SWITCH.light, "solid"),
        _change("change, not padded", leaks[False].change, WARNING.light, "dash"),
    ]
    high = 1.1 * max(peak, float(np.abs(here.y_kicked[:-1]).max()))
    words = "padded" if params.padding else "not padded"
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 16, "t": 8, "b": 48},
        xaxis=axis("", range=[0, params.n], anchor="y", showticklabels=False, nticks=5),
        xaxis2=axis("Time (samples)", range=[0, params.n], anchor="y2", nticks=5),
        yaxis=axis("Output (1)", domain=TOP, range=[-high, high], nticks=4),
        yaxis2=axis(
            "Over the peak (log scale)",
            domain=BOTTOM,
            anchor="x2",
            type="log",
            range=[-17.5, 1],
            tickvals=[1e-16, 1e-8, 1],
            ticktext=["10\u207b\u00b9\u2076", "10\u207b\u2078", "1"],
        ),
        annotations=[
            _head(TOP, f"<b>This state, {words}</b>: last input raised by {compact(here.kick)}",
                  TEXT.light),
            _head(BOTTOM, f"Change: {compact(float(leaks[True].change.max()))} "
                  f"padded, {compact(float(leaks[False].change.max()))} not", MUTED.light),
        ],
    )  # fmt: skip


def _head(domain: list[float], text: str, color: str) -> dict[str, Any]:
    return note(
        text, x=0, y=domain[1], xref="paper", yref="paper", xanchor="left", yanchor="bottom"
    ) | {"font": {"size": SMALL, "color": color}}


def _output(name: str, values: Real, color: str, dash: str, width: float) -> dict[str, Any]:
    places, drawn = extremes(values)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": places,
        "y": rounded(drawn.tolist(), 4),
        "line": {"color": color, "width": width, "dash": dash},
        "hovertemplate": f"{name}[%{{x:,}}] = %{{y:.3g}}<extra></extra>",
    }


def _change(name: str, change: Real, color: str, dash: str) -> dict[str, Any]:
    """The largest change of every bin; what is equal to the last bit stands at the bottom."""
    places, values = largest(change)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": places,
        "y": rounded(np.maximum(values, LEAST).tolist(), 3),
        "line": {"color": color, "width": 2, "dash": dash},
        "xaxis": "x2",
        "yaxis": "y2",
        "hovertemplate": f"{name}, from sample %{{x:,}}: %{{y:.2g}}<extra></extra>",
    }

"""How far the routes are apart: every check with its bound, and the errors by length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.backward_series import PASS_NAMES
from foptrn_model.backward_tables import all_checks
from foptrn_model.backward_text import CHECK_LABELS
from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import compact
from pages._components.theme import (
    ACCENT,
    DATA_BY_DATA,
    DENSE,
    GROUND,
    MUTED,
    TEXT,
    TRANSFORM,
    WARNING,
)
from pages._figures.base import SMALL, axis, decade_axis, figure, legend_above, note, rounded
from pages._figures.marks import pin_mark

LEAST, MOST = 1e-17, 10.0
"""Ends of the error axis; what is equal to the last bit stands at the left end."""
POWERS = {1e-16: "10\u207b\u00b9\u2076", 1e-12: "10\u207b\u00b9\u00b2", 1e-8: "10\u207b\u2078",
          1e-4: "10\u207b\u2074", 1.0: "1"}  # fmt: skip
LENGTH_LOOKS = {
    "forward": (TRANSFORM.light, "solid", "circle"),
    "input_gradient": (DENSE.light, "dash", "square"),
    "filter_gradient": (DATA_BY_DATA.light, "dot", "diamond"),
}


def errors_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """A row per check: the difference as a dot, or a cross beyond the bound, and the bound."""
    checks = all_checks(evaluation.result)
    rows = list(range(len(checks)))
    looks = (
        ("within its bound", True, "circle", ACCENT.light),
        ("beyond its bound", False, "x", WARNING.light),
    )
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "bound",
            "x": rounded([bound for *_, bound in checks], 4),
            "y": rows,
            "marker": {
                "symbol": "line-ns-open",
                "size": 22,
                "color": MUTED.light,
                "line": {"width": 3},
            },
            "customdata": [f"{label}: bound {compact(bound)}" for label, _, _, bound in checks],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    ]
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        traces += [
            pin_mark(letter, pin.params, max(found, LEAST), row, f"{label}: {compact(found)}")
            | {"y": [row]}
            for row, (label, _, found, _) in enumerate(all_checks(pin.result))
        ]
    for name, within, symbol, color in looks:
        own = [row for row in rows if (checks[row][2] <= checks[row][3]) == within]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": rounded([max(checks[row][2], LEAST) for row in own] or [math.nan], 4)
                if own
                else [None],
                "y": own or [None],
                "marker": {
                    "symbol": symbol,
                    "size": 12,
                    "color": color,
                    "line": {"color": GROUND.light, "width": 1},
                },
                "cliponaxis": False,
                "customdata": [
                    f"{checks[row][1]}:<br>{compact(checks[row][2])}, bound "
                    f"{compact(checks[row][3])}"
                    for row in own
                ]
                or [""],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 84, "t": 8, "b": 48},
        xaxis=_error_axis("Difference over the peak (log scale)"),
        yaxis=axis(
            "",
            range=[len(rows) - 0.5, -0.5],
            tickvals=rows,
            ticktext=[label for label, *_ in checks],
        ),
        annotations=[
            note(
                f"<b>{compact(found)}</b>" if found > bound else compact(found),
                x=1, xref="paper", y=row, xanchor="left", xshift=8,
                color=WARNING.light if found > bound else TEXT.light,
            )
            for row, (_, _, found, bound) in enumerate(checks)
        ],
    )  # fmt: skip


def _error_axis(title: str) -> dict[str, Any]:
    return axis(
        title,
        type="log",
        range=[math.log10(LEAST), math.log10(MOST)],
        tickvals=list(POWERS),
        ticktext=list(POWERS.values()),
    )


def length_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """The three errors against direct sums over the length, and this state's worst."""
    sweep, result = evaluation.series.sweep, evaluation.result
    traces: list[dict[str, Any]] = []
    for name in PASS_NAMES:
        color, dash, symbol = LENGTH_LOOKS[name]
        label = CHECK_LABELS[name]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": label,
                "x": sweep.lengths.tolist(),
                "y": rounded([max(value, LEAST) for value in sweep.errors[name].tolist()], 4),
                "line": {"color": color, "width": 2, "dash": dash},
                "marker": {"symbol": symbol, "size": 7, "color": color},
                "hovertemplate": f"{label}, %{{x:,}} samples: %{{y:.2g}}<extra></extra>",
            }
        )
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        worst = _worst(pin)
        traces.append(pin_mark(letter, pin.params, pin.params.n, worst, compact(worst)))
    worst = _worst(evaluation)
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "this state, worst",
            "x": [evaluation.params.n],
            "y": rounded([worst], 4),
            "marker": {
                "symbol": "circle",
                "size": 13,
                "color": ACCENT.light,
                "line": {"color": GROUND.light, "width": 2},
            },
            "customdata": [f"This state: {compact(worst)}"],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    )
    bound = result.bounds.forward
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 16, "t": 8, "b": 48},
        xaxis=decade_axis("Length (samples, log scale)", 12, 90_000),
        yaxis=_error_axis("Over the peak (log scale)"),
        shapes=[
            {
                "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": bound,
                "y1": bound, "line": {"color": MUTED.light, "width": 1.5, "dash": "longdash"},
            }
        ],
        annotations=[
            note(
                f"bound of the forward pass, {compact(bound)}",
                x=0.01, xref="paper", y=math.log10(bound), xanchor="left", yanchor="bottom",
                color=MUTED.light,
            )
            | {"font": {"size": SMALL, "color": MUTED.light}}
        ],
    )  # fmt: skip


def _worst(evaluation: Evaluation) -> float:
    result = evaluation.result
    return max(result.checks.forward, result.largest_gradient_error, LEAST)

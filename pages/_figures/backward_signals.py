"""The three passes in one dimension: signals, and their spectra."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.backward import Differences
from foptrn_model.backward_series import PassView, extremes, mean_amplitude
from foptrn_model.explorers import Evaluation
from foptrn_model.text import compact, group_digits
from pages._components.theme import ACCENT, WARNING
from pages._figures.backward_grid import SHORT, colors, grid, label, place
from pages._figures.base import figure, legend_above, rounded

DIRECT_MARKS = 24
LEAST_POWER = -5
"""Power of ten of the peak; amplitudes below are drawn there."""


def signals_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Input, the other operand and output of each pass, each over its own peak."""
    series = evaluation.series
    state = series.routes
    traces: list[dict[str, Any]] = []
    labels = []
    for row, view in enumerate(series.views):
        for column, ((name, values), color) in enumerate(
            zip((view.light, view.mask, view.out), colors(view), strict=True)
        ):
            peak = float(np.abs(values).max())
            places, drawn = extremes(values)
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": name,
                    "showlegend": False,
                    "x": places,
                    "y": np.round(drawn / peak, 3).tolist(),
                    "line": {"color": color, "width": 1.2},
                    "hovertemplate": f"{name}[%{{x:,}}] = %{{y:.3f}} of {compact(peak)}"
                    "<extra></extra>",
                }
                | place(row, column)
            )
            labels.append(label(row, column, _title(view, column, name), color))
        peak = float(np.abs(view.out[1]).max())
        traces += [
            trace | place(row, 2)
            for trace in _second_routes(view, state.outputs, state.differences, peak, row)
        ]
    return figure(
        traces,
        showlegend=True,
        legend=legend_above() | {"y": 1.01},
        margin={"l": 52, "r": 12, "t": 8, "b": 44},
        annotations=labels,
        **grid(
            {
                "range": [-0.02 * evaluation.params.n, 1.02 * evaluation.params.n],
                "tickvals": [0, evaluation.params.n // 2],
                "ticktext": ["0", group_digits(evaluation.params.n // 2)],
            },
            {"range": [-1.15, 1.15], "tickvals": [-1, 0, 1]},
            "Time (samples)",
            "Over the peak (\u22121 to 1)",
        ),
    )


def _title(view: PassView, column: int, name: str) -> str:
    if column == 0:
        return f"<b>{SHORT[view.name]}</b>: {name}"
    if column == 1:
        return f"{name}, {'a weight' if view.static else 'data'}"
    return {"y": "y = h \u2217 u", "dX": "dX = g \u22c6 h", "dH": "dH = g \u22c6 u"}[name]


def _second_routes(
    view: PassView,
    outputs: Any,
    differences: tuple[Differences, Differences],
    peak: float,
    row: int,
) -> list[dict[str, Any]]:
    """Some of the direct sums, and the finite differences, on top of what the FFT gives."""
    some = np.linspace(0, outputs.size - 1, min(outputs.size, DIRECT_MARKS)).astype(int)
    traces = [
        _marks("direct sums", outputs[some], view.direct[some] / peak, "circle-open",
               ACCENT.light, shown=row == 0)
    ]  # fmt: skip
    if row:
        found = differences[row - 1]
        traces.append(
            _marks("finite differences", found.chosen, found.slope / peak, "diamond-open",
                   WARNING.light, shown=row == 1)
        )  # fmt: skip
    return traces


def _marks(name: str, x: Any, y: Any, symbol: str, color: str, *, shown: bool) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "showlegend": shown,
        "x": x.tolist(),
        "y": rounded(y.tolist(), 3),
        "marker": {"symbol": symbol, "size": 7, "color": color, "line": {"width": 1.5}},
        "hovertemplate": f"{name}[%{{x:,}}]: %{{y:.3f}} of the peak<extra></extra>",
    }


def spectra_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Spectrum of the light, the mask, and their product, each over its own peak."""
    traces: list[dict[str, Any]] = []
    labels = []
    least = 1.0
    for row, view in enumerate(evaluation.series.views):
        (light, left), (mask, right) = view.light_spectrum, view.mask_spectrum
        product = f"{light} \u00b7 {mask}"
        for column, (name, values, color) in enumerate(
            zip((light, mask, product), (left, right, left * right), colors(view), strict=True)
        ):
            frequencies, amplitudes = mean_amplitude(values)
            peak = float(amplitudes.max())
            shown = np.maximum(amplitudes / peak, 10.0**LEAST_POWER)
            least = min(least, float(shown.min()))
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": name,
                    "x": np.round(frequencies, 4).tolist(),
                    "y": rounded(shown.tolist(), 3),
                    "line": {
                        "color": color,
                        "width": 1.5,
                        "dash": "dot" if column == 1 and not view.static else "solid",
                    },
                    "hovertemplate": f"|{name}| at %{{x:.3f}} cycles/sample: %{{y:.2g}} of "
                    f"{compact(peak)}<extra></extra>",
                }
                | place(row, column)
            )
            labels.append(label(row, column, _spectrum_title(view, column, name), color))
    low = math.floor(math.log10(least) - 0.1)
    powers = range(low, 1, 1 if low > -3 else 2)
    return figure(
        traces,
        margin={"l": 56, "r": 12, "t": 8, "b": 44},
        annotations=labels,
        **grid(
            {"range": [0, 0.5], "tickvals": [0, 0.2, 0.4]},
            {
                "type": "log",
                "range": [low - 0.1, 0.3],
                "tickvals": [10.0**power for power in powers],
                "ticktext": [compact(10.0**power, 1).removeprefix("1\u00d7") for power in powers],
            },
            "Frequency (cycles/sample)",
            "Over the peak (log scale)",
        ),
    )


def _spectrum_title(view: PassView, column: int, name: str) -> str:
    if column == 0:
        return f"<b>{SHORT[view.name]}</b>: |{name}|"
    if column == 1:
        return f"|{name}|, {'static' if view.static else 'data'}"
    return f"|{name}|"

"""What selectors keep: over the share sent, on the chunk, and tensor by tensor."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.compression_series import CompressionSeries
from foptrn_model.compression_words import SELECTOR_LABELS, TENSOR_LABELS
from foptrn_model.demo.samples import TENSORS
from foptrn_model.demo.selectors import SELECTORS
from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import percent, significant
from pages._components.theme import (
    ACCENT,
    BLOCK_CIRCULANT,
    DATA_BY_DATA,
    GROUND,
    MUTED,
    TRANSFORM,
)
from pages._figures.base import SMALL, axis, decade_axis, figure, legend_above, outlined, rounded
from pages._figures.compression_looks import SELECTOR_LOOKS, line
from pages._figures.marks import pin_mark, state_mark

TENSOR_STYLES = {
    "momentum": (TRANSFORM.light, "circle", -0.24),
    "delta": (DATA_BY_DATA.light, "square", 0.0),
    "gradient": (BLOCK_CIRCULANT.light, "triangle-up", 0.24),
}
"""Colour, symbol and height beside the selector's line."""
FAINTEST_DB, BRIGHTEST_DB = -15, 10
"""Energies over the mean between which the map's colours run."""


def keep_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Captured energy over the share sent, a line per selector."""
    series: CompressionSeries = evaluation.series
    sweep, params = series.keep_sweep, evaluation.params
    keep = (100 * sweep.keep).tolist()
    traces = [
        line(
            rounded(keep, 4), rounded((100 * sweep.captured[name]).tolist(), 4),
            SELECTOR_LOOKS[name], SELECTOR_LABELS[name], "%{y:.3g} % of the energy in %{x:.3g} %",
        )
        for name in SELECTORS
    ]  # fmt: skip
    low, high = 100 * params.specs()["keep"].low, 100.0
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        share = pin.result.captured_energy[pin.params.show]
        traces.append(
            pin_mark(
                letter, pin.params, 100 * pin.result.kept / pin.result.points, 100 * share,
                f"{SELECTOR_LABELS[pin.params.show]} {percent(share)}",
            )
        )  # fmt: skip
    here = evaluation.result.captured_energy[params.show]
    at = 100 * evaluation.result.kept / evaluation.result.points
    traces.append(state_mark(at, 100 * here, f"{SELECTOR_LABELS[params.show]}, {percent(here)}"))
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 16, "t": 8, "b": 48},
        xaxis=decade_axis(
            "Coefficients kept (%, log scale)", low, high, lambda power: f"{power:g}"
        ),
        yaxis=axis("Captured energy (%)", range=[-3, 103]),
        shapes=[
            {
                "type": "line", "xref": "x", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1,
                "layer": "below", "line": {"color": ACCENT.light, "width": 1.5, "dash": "dot"},
            }
        ],
    )  # fmt: skip


def map_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Mean energy of every coefficient of a chunk, with the places that a selector takes."""
    series: CompressionSeries = evaluation.series
    if series.energy_map.ndim == 1:
        return _run_map(evaluation)
    energy_dB = np.rint(10 * np.log10(np.maximum(series.energy_map, 1e-9)))
    rows, columns = energy_dB.shape
    name = SELECTOR_LABELS[evaluation.params.show]
    traces: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            # As text that plotly.js decodes: each of the numbers would be looked at on the way.
            "z": {
                "dtype": "i1",
                "bdata": base64.b64encode(energy_dB.astype(np.int8).tobytes()).decode(),
                "shape": f"{rows}, {columns}",
            },
            "zmin": FAINTEST_DB,
            "zmax": BRIGHTEST_DB,
            # A heat map is a picture, which no style sheet recolours: it lets the ground through.
            "colorscale": [[0, _see_through(TRANSFORM.light, 0)], [1, _see_through(TRANSFORM.light, 1)]],
            "colorbar": {
                "title": {"text": "energy over the mean (dB)", "side": "right",
                          "font": {"size": SMALL, "color": MUTED.light}},
                "thickness": 12, "len": 0.9, "outlinewidth": 0, "dtick": 5,
                "tickfont": {"size": SMALL, "color": MUTED.light},
            },
            "hovertemplate": "row %{y}, column %{x}: %{z} dB<extra></extra>",
        },
        _outline(series.drawn_places, (rows, columns), name),
    ]  # fmt: skip
    return figure(
        traces,
        margin={"l": 52, "r": 8, "t": 8, "b": 48},
        xaxis=axis("Frequency along a row (index)", range=[-0.5, columns - 0.5], dtick=16)
        | {"constrain": "domain", "showgrid": False},
        yaxis=axis("Frequency down a column (index)", range=[rows - 0.5, -0.5], dtick=16)
        | {"scaleanchor": "x", "constrain": "domain", "showgrid": False},
    )


def _see_through(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def _outline(places: Any, shape: tuple[int, int], name: str) -> dict[str, Any]:
    """The border of the places that are taken, every edge between taken and not."""
    rows, columns = shape
    taken = np.zeros((rows + 2, columns + 2), dtype=bool)
    taken[1:-1, 1:-1].flat[places] = True
    x: list[float | None] = []
    y: list[float | None] = []
    # Edges above cells, then edges left of cells, each in straight pieces as long as they go.
    for row, found in enumerate(taken[1:, 1:-1] != taken[:-1, 1:-1]):
        for start, stop in _pieces(found):
            x += [start - 0.5, stop - 0.5, None]
            y += [row - 0.5, row - 0.5, None]
    for column, found in enumerate((taken[1:-1, 1:] != taken[1:-1, :-1]).T):
        for start, stop in _pieces(found):
            x += [column - 0.5, column - 0.5, None]
            y += [start - 0.5, stop - 0.5, None]
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": x, "y": y,
        "line": {"color": DATA_BY_DATA.light, "width": 1.5},
        "hoverinfo": "skip",
    }  # fmt: skip


def _pieces(found: Any) -> list[tuple[int, int]]:
    """Start and stop of every stretch of truth."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], found.astype(int), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _run_map(evaluation: Evaluation) -> dict[str, Any]:
    """The same for runs: energy over frequency, the taken places marked."""
    series: CompressionSeries = evaluation.series
    energy = np.maximum(series.energy_map, 1e-6)
    places = series.drawn_places
    name = SELECTOR_LABELS[evaluation.params.show]
    return figure(
        [
            {
                "type": "scatter", "mode": "lines", "name": "all coefficients",
                "x": list(range(len(energy))), "y": rounded(energy.tolist(), 3),
                "line": {"color": TRANSFORM.light, "width": 1.5},
                "hovertemplate": "coefficient %{x}: %{y:.3g} of the mean<extra></extra>",
            },
            {
                "type": "scatter", "mode": "markers", "name": f"taken by {name}",
                "x": places.tolist(), "y": rounded(energy[places].tolist(), 3),
                "marker": {"color": DATA_BY_DATA.light, "size": 6, "symbol": "square"},
                "hovertemplate": f"taken by {name}: %{{y:.3g}} of the mean<extra></extra>",
            },
        ],
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 16, "t": 8, "b": 48},
        xaxis=axis("Frequency (index)", range=[-2, len(energy) + 1]),
        yaxis=axis("Energy over the mean (log scale)", type="log", nticks=6),
    )  # fmt: skip


def tensors_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Ours filled, published open: what every selector keeps of each of our tensors."""
    series: CompressionSeries = evaluation.series
    heights: dict[str, int] = {name: -index for index, name in enumerate(SELECTORS)}
    traces: list[dict[str, Any]] = []
    for tensor in TENSORS:
        color, symbol, offset = TENSOR_STYLES[tensor]
        found = [item for item in series.by_tensor if item.tensor == tensor]
        known = [item for item in found if item.published is not None]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": TENSOR_LABELS[tensor],
                "x": rounded([100 * item.ours for item in found], 3),
                "y": [heights[item.selector] - offset for item in found],
                "marker": outlined(color, 11, symbol),
                "customdata": [SELECTOR_LABELS[item.selector] for item in found],
                "hovertemplate": f"{TENSOR_LABELS[tensor]}, %{{customdata}}: %{{x:.3g}} %"
                "<extra></extra>",
            }
        )
        if known:
            traces.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": "published (open)",
                    "showlegend": tensor == TENSORS[0],
                    "x": [round(100 * (item.published or 0), 2) for item in known],
                    "y": [heights[item.selector] - offset for item in known],
                    "marker": {
                        "symbol": "diamond-open",
                        "size": 14,
                        "color": color,
                        "line": {"width": 2, "color": color},
                    },
                    "customdata": [SELECTOR_LABELS[item.selector] for item in known],
                    "hovertemplate": f"published {TENSOR_LABELS[tensor]}, %{{customdata}}: "
                    "%{x:.3g} %<extra></extra>",
                }
            )
    kept = 100 * evaluation.result.kept / evaluation.result.points
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 88, "r": 16, "t": 8, "b": 48},
        xaxis=axis("Captured energy (%)", range=[-4, 104]),
        yaxis=axis(
            "", range=[-len(SELECTORS) + 0.4, 0.6], tickvals=list(heights.values()),
            ticktext=[SELECTOR_LABELS[name] for name in heights],
        ),
        shapes=[
            {
                "type": "line", "xref": "x", "yref": "paper", "x0": kept, "x1": kept, "y0": 0,
                "y1": 1, "layer": "below", "line": {"color": MUTED.light, "width": 1, "dash": "dot"},
            }
        ],
        annotations=[
            {
                "text": f"{significant(kept)} % kept", "x": kept, "y": 0.42, "yref": "y",
                "xanchor": "left", "yanchor": "middle", "showarrow": False, "xshift": 4,
                "bgcolor": GROUND.light, "font": {"size": SMALL, "color": MUTED.light},
            }
        ],
    )  # fmt: skip

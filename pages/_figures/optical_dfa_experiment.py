"""The live experiment: accuracy and alignment by epoch, and what noise does to the direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.optical_dfa_experiment import (
    ALIGNED,
    NOISE_LEVELS,
    TRAINER_LABELS,
    TRAINERS,
    Experiment,
)
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import significant
from pages._components.theme import GROUND, MUTED, TEXT
from pages._figures.base import SMALL, axis, figure, legend_above, note, outlined, rounded
from pages._figures.optical_dfa_looks import LOOKS, method_line

NOT_THERE = "Nothing has been computed for these settings yet"
"""True before, during and after a cancelled run."""
LABEL_GAP = 6.0
"""Percent that labels at the end of lines keep from each other."""
LAYER_TONES = (1.0, 0.8, 0.62, 0.48, 0.38, 0.3)


def learning_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Mean accuracy on held-out digits by epoch, the range over seeds shaded."""
    found: Experiment | None = evaluation.series.experiment
    if found is None:
        return _empty()
    epochs = found.epochs.tolist()
    traces: list[dict[str, Any]] = []
    for name in TRAINERS:
        accuracy = 100 * found.accuracy[name]
        traces.append(_range(name, epochs, accuracy))
        traces.append(
            method_line(name, TRAINER_LABELS[name], epochs, accuracy.mean(axis=1).tolist(),
                        "%{y:.3~g} % after %{x:.3~g} epochs")
        )  # fmt: skip
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        other: Experiment | None = pin.series.experiment
        if other is not None and pin.params != evaluation.params:
            mean = 100 * other.accuracy["odfa"].mean(axis=1)
            traces.append(
                method_line("odfa", f"{letter}: {TRAINER_LABELS['odfa']}", other.epochs.tolist(),
                            mean.tolist(), "%{y:.3~g} % after %{x:.3~g} epochs",
                            showlegend=False,
                            line={"color": LOOKS["odfa"].color, "width": 1, "dash": "dot"})
            )  # fmt: skip
    ends = _apart({name: 100 * float(found.final(name).mean()) for name in TRAINERS})
    last = epochs[-1]
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 64, "t": 8, "b": 48},
        xaxis=axis("Epoch (passes over the training digits)", range=[0, last],
                   tickvals=_epoch_ticks(last)),
        yaxis=axis("Accuracy on held-out digits (%)", range=[0, 103]),
        annotations=[
            note(
                f"<b>{significant(100 * float(found.final(name).mean()))} %</b>",
                x=last, y=ends[name], xanchor="left", xshift=6,
                font={"size": SMALL, "color": LOOKS[name].color},
            )
            for name in TRAINERS
        ],
    )  # fmt: skip


def alignment_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Angle between the signal at each hidden layer and the true gradient, by epoch."""
    found: Experiment | None = evaluation.series.experiment
    if found is None:
        return _empty()
    epochs = found.epochs.tolist()
    traces = []
    for name in ALIGNED:
        for layer, cosines in enumerate(found.cosine[name]):
            mean = cosines.mean(axis=1)
            angles = np.degrees(np.arccos(np.clip(mean, -1, 1))).tolist()
            traces.append(
                method_line(
                    name, f"{TRAINER_LABELS[name]}, layer {layer + 1}", epochs,
                    [angle if np.isfinite(angle) else None for angle in angles],
                    "%{y:.3~g}\u00b0 after %{x:.3~g} epochs",
                    opacity=LAYER_TONES[layer], showlegend=layer == 0,
                    legendgroup=name,
                )
                | ({"name": f"{TRAINER_LABELS[name]} (palest: last layer)"} if layer == 0 else {})
            )  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 20, "t": 8, "b": 48},
        xaxis=axis("Epoch (passes over the training digits)", range=[0, epochs[-1]],
                   tickvals=_epoch_ticks(epochs[-1])),
        yaxis=axis("Angle to the true gradient (degrees)", rangemode="normal"),
        shapes=[
            {
                "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 90, "y1": 90,
                "layer": "below", "line": {"color": MUTED.light, "width": 1, "dash": "dot"},
            }
        ],
        annotations=[
            note("90\u00b0: says nothing", x=0.99, xref="paper", y=90, xanchor="right",
                 yanchor="bottom", bgcolor=GROUND.light,
                 font={"size": SMALL, "color": MUTED.light})
        ],
    )  # fmt: skip


def dilution_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Cosine of digital DFA's signals under noise, measured, and the formula's lines."""
    found: Experiment | None = evaluation.series.experiment
    if found is None:
        return _empty()
    levels = np.linspace(0, NOISE_LEVELS[-1], 41)
    traces: list[dict[str, Any]] = []
    for layer, cosines in enumerate(found.diluted.mean(axis=2)):
        if not np.isfinite(cosines).all():
            continue
        first = layer == 0
        traces += [
            {
                "type": "scatter",
                "mode": "lines",
                "name": "cos\u2080 / \u221a(1 + n\u00b2)",
                "x": rounded(levels.tolist(), 3),
                "y": rounded((cosines[0] / np.sqrt(1 + levels**2)).tolist(), 4),
                "line": {"color": TEXT.light, "width": 1.5},
                "opacity": LAYER_TONES[layer],
                "showlegend": first,
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers",
                "name": "measured, a layer each",
                "x": list(NOISE_LEVELS),
                "y": rounded(cosines.tolist(), 4),
                "marker": outlined(LOOKS["dfa"].color, 10, LOOKS["dfa"].symbol),
                "opacity": LAYER_TONES[layer],
                "showlegend": first,
                "hovertemplate": f"layer {layer + 1}, noise %{{x}}\u00d7: cosine %{{y:.3f}}"
                "<extra></extra>",
            },
        ]
    here = evaluation.params.projection_noise
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 20, "t": 8, "b": 48},
        xaxis=axis("Projection noise n (\u00d7 RMS of the projection)", range=[-0.3, 10.3]),
        yaxis=axis("Cosine with the true gradient (1 is right)", rangemode="tozero"),
        shapes=[
            {
                "type": "line", "xref": "x", "yref": "paper", "x0": here, "x1": here, "y0": 0,
                "y1": 1, "layer": "below", "line": {"color": LOOKS["odfa"].color, "width": 1.5},
            }
        ],
        annotations=[
            note("noise here", x=here, y=1, yref="paper", yanchor="top",
                 xanchor="right" if here > 8 else "left",
                 xshift=-5 if here > 8 else 5, color=LOOKS["odfa"].color)
        ],
    )  # fmt: skip


def _range(name: str, epochs: list[float], accuracy: Any) -> dict[str, Any]:
    color = LOOKS[name].color
    return {
        "type": "scatter", "mode": "lines", "showlegend": False,
        "x": rounded([*epochs, *epochs[::-1]], 4),
        "y": rounded([*accuracy.max(axis=1), *accuracy.min(axis=1)[::-1]], 4),
        "fill": "toself", "fillcolor": color, "opacity": 0.14,
        "line": {"width": 0, "color": color}, "hoverinfo": "skip",
    }  # fmt: skip


def _epoch_ticks(last: float) -> list[int]:
    step = max(1, round(last / 5))
    return list(range(0, int(last) + 1, step))


def _apart(ends: dict[Any, float]) -> dict[Any, float]:
    """Heights of labels, pushed apart downwards from the highest, and back up from the bottom."""
    placed: dict[Any, float] = {}
    last = 200.0
    for name, value in sorted(ends.items(), key=lambda item: -item[1]):
        last = min(value, last - LABEL_GAP)
        placed[name] = last
    lowest = min(placed.values())
    return {name: value + max(2 - lowest, 0) for name, value in placed.items()}


def _empty() -> dict[str, Any]:
    return figure(
        [],
        xaxis=axis("", visible=False),
        yaxis=axis("", visible=False),
        annotations=[note(NOT_THERE, x=0.5, y=0.5, xref="paper", yref="paper", color=MUTED.light)],
    )

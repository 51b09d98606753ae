"""Training by step: accuracy on the hardware, and how far each gradient points the right way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.trainers_params import TRAINER_LABELS
from pages._components.theme import LINE, MUTED
from pages._figures.base import axis, figure, legend_above, rounded
from pages._figures.trainers_looks import LOOKS, quartile_band


def accuracy_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Median accuracy on the hardware over steps, with the middle half of the seeds."""
    result = evaluation.result
    traces: list[dict[str, Any]] = []
    for name, found in result.trainers.items():
        percent = {
            part: [100 * value for value in getattr(found.accuracy, part)]
            for part in ("median", "q1", "q3")
        }
        traces.append(quartile_band(name, result.steps, percent["q1"], percent["q3"]))
        traces.append(_line(name, result.steps, percent["median"], "%{y:.3~g} % on the hardware"))
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        for name, found in pin.result.trainers.items():
            traces.append(
                _line(
                    name, pin.result.steps, [100 * value for value in found.accuracy.median],
                    f"{letter}: %{{y:.3~g}} %",
                )
                | {"showlegend": False, "line": {"color": LOOKS[name].color, "width": 1,
                                                 "dash": LOOKS[name].dash}}
            )  # fmt: skip
    return _by_step(traces, axis("Test accuracy on the hardware (%)", range=[0, 102]))


def cosine_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Cosine between each trainer's gradient and the hardware's true one, median over seeds."""
    result = evaluation.result
    traces = [
        _line(name, result.steps, found.gradient_cosine, "cosine %{y:.3f}")
        for name, found in result.trainers.items()
    ]
    built = _by_step(
        traces, axis("Cosine with the true gradient (1 is right)", range=[-1.05, 1.05])
    )
    built["layout"]["shapes"] = [
        {
            "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": 0, "layer": "below",
            "line": {"color": MUTED.light, "width": 1, "dash": "dot"},
        }
    ]  # fmt: skip
    return built


def _line(name: str, steps: Sequence[float], values: Sequence[float], hover: str) -> dict[str, Any]:
    look = LOOKS[name]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": TRAINER_LABELS[name],
        "x": list(steps),
        "y": rounded(values, 4),
        "line": {"color": look.color, "width": 2.6, "dash": look.dash},
        "hovertemplate": f"{TRAINER_LABELS[name]}, step %{{x}}<br>{hover}<extra></extra>",
    }


def _by_step(traces: list[dict[str, Any]], yaxis: dict[str, Any]) -> dict[str, Any]:
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 20, "t": 8, "b": 48},
        xaxis=axis("Training step (count)", rangemode="tozero", zerolinecolor=LINE.light),
        yaxis=yaxis,
    )

"""Tables of the trainers page."""

from __future__ import annotations

from typing import Any

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.tables import Column, Table
from foptrn_model.trainers import TrainersParams, TrainersResult
from foptrn_model.trainers_presets import TRAINER_LABELS
from foptrn_model.trainers_text import DUAL_ADAPTIVE
from foptrn_model.trainers_views import ImperfectionSweep

CONTEXT_ACCURACY = (
    ("none", 0.968, None, None),
    ("0.04 rad", 0.887, 0.936, 0.963),
    ("0.10 rad", 0.597, 0.703, 0.870),
)
"""MNIST, 3 layers of 64 ports (arXiv 2212.06141): direct, physics-aware, dual adaptive."""


def accuracy_table(params: TrainersParams, result: TrainersResult, series: Any = None) -> Table:
    """Final accuracy of every trainer on both machines."""
    statistics = ("mean", "median", "q1", "q3")
    columns = [Column(name="trainer", label="Trainer")]
    for machine in ("hardware", "model"):
        columns += [
            Column(name=f"{machine}_{name}", label=f"{machine.capitalize()}, {name}", percent=True)
            for name in statistics
        ]
    columns.append(Column(name="reality_gap", label="Reality gap", percent=True))
    rows = []
    for trainer in TRAINERS:
        reached = result.trainers[trainer]
        summaries = (reached.hardware_accuracy, reached.model_accuracy)
        values = [getattr(summary, name) for summary in summaries for name in statistics]
        rows.append([trainer, *values, reached.reality_gap])
    return Table(title="Accuracy on test samples after training", columns=columns, rows=rows)


def curves_table(params: TrainersParams, result: TrainersResult, series: Any = None) -> Table:
    """Accuracy, loss and gradient cosine of every trainer by step."""
    columns = [Column(name="step", label="Step")]
    values: list[tuple[float, ...]] = []
    for trainer in TRAINERS:
        reached, name, label = (
            result.trainers[trainer],
            trainer.replace("-", "_"),
            TRAINER_LABELS[trainer],
        )
        for part, of, is_percent in (
            ("accuracy", reached.accuracy, True),
            ("loss", reached.loss, False),
        ):
            for statistic in ("median", "q1", "q3"):
                columns.append(
                    Column(
                        name=f"{name}_{part}_{statistic}",
                        label=f"{label}, {part}, {statistic}",
                        percent=is_percent,
                    )
                )
                values.append(getattr(of, statistic))
        columns.append(Column(name=f"{name}_cosine", label=f"{label}, gradient cosine"))
        values.append(reached.gradient_cosine)
    rows = [list(row) for row in zip(result.steps, *values, strict=True)]
    return Table(title="Training by step, over seeds", columns=columns, rows=rows)


def context_table(params: TrainersParams, result: TrainersResult, series: Any = None) -> Table:
    """Published accuracies at another scale, for context."""
    return Table(
        title=f"MNIST with 3 layers of 64 ports, for context ({DUAL_ADAPTIVE})",
        columns=(
            Column(name="phase_error", label="Phase error"),
            Column(name="direct", label="Deployed directly", percent=True),
            Column(name="physics_aware", label="Physics-aware", percent=True),
            Column(name="dual_adaptive", label="Dual adaptive", percent=True),
        ),
        rows=[
            [error, *("not applicable" if value is None else value for value in accuracies)]
            for error, *accuracies in CONTEXT_ACCURACY
        ],
    )


def sweep_table(swept: ImperfectionSweep) -> Table:
    """Mean final accuracy of every trainer against one imperfection."""
    columns = [Column(name=swept.field, label=swept.field)]
    values: list[list[float]] = []
    for trainer in TRAINERS:
        for machine, by_trainer in (
            ("hardware", swept.hardware_accuracy),
            ("model", swept.model_accuracy),
        ):
            columns.append(
                Column(
                    name=f"{trainer.replace('-', '_')}_{machine}",
                    label=f"{TRAINER_LABELS[trainer]}, {machine}",
                    percent=True,
                )
            )
            values.append([summary.mean for summary in by_trainer[trainer]])
    rows = [list(row) for row in zip(swept.values, *values, strict=True)]
    return Table(title="Mean accuracy after training, by imperfection", columns=columns, rows=rows)

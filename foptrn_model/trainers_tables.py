"""Tables of the trainers page."""

from __future__ import annotations

from typing import Any

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.tables import Column, Table
from foptrn_model.trainers import TrainersResult
from foptrn_model.trainers_params import SWEEP_LABELS, TRAINER_LABELS, TrainersParams
from foptrn_model.trainers_stack_views import StackPicture, plane_names
from foptrn_model.trainers_views import ImperfectionSweep
from foptrn_model.trainers_working import DUAL_ADAPTIVE

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


def sweep_table(params: TrainersParams, result: TrainersResult, series: Any) -> Table:
    """Mean final accuracy of every trainer against one imperfection; no rows until computed."""
    swept: ImperfectionSweep | None = series.swept
    columns = [Column(name=params.sweep, label=SWEEP_LABELS[params.sweep])]
    values: list[list[float]] = []
    for trainer in TRAINERS:
        for machine in ("hardware", "model"):
            columns.append(
                Column(
                    name=f"{trainer.replace('-', '_')}_{machine}",
                    label=f"{TRAINER_LABELS[trainer]}, {machine}",
                    percent=True,
                )
            )
            if swept is not None:
                by_trainer = getattr(swept, f"{machine}_accuracy")
                values.append([summary.mean for summary in by_trainer[trainer]])
    rows = [] if swept is None else [list(row) for row in zip(swept.values, *values, strict=True)]
    return Table(title="Mean accuracy after training, by imperfection", columns=columns, rows=rows)


def mesh_table(params: TrainersParams, result: TrainersResult, series: Any) -> Table:
    """Every interferometer of the meshes shown: where it sits, how it is set, how far it is off."""
    rows = []
    for layer, picture in enumerate(series.pictures, start=1):
        rows += [
            [layer, *row]
            for row in zip(
                (picture.column + 1).tolist(), (picture.top + 1).tolist(),
                picture.theta_rad.tolist(),
                picture.phi_rad.tolist(), picture.theta_error_rad.tolist(),
                picture.phi_error_rad.tolist(), strict=True,
            )
        ]  # fmt: skip
    return Table(
        title=f"Interferometers after training {TRAINER_LABELS[params.show_trainer].lower()}",
        columns=(
            Column(name="layer", label="Layer"),
            Column(name="column", label="Column"),
            Column(name="upper_port", label="Upper port"),
            Column(name="theta_rad", label="Theta", unit="rad"),
            Column(name="phi_rad", label="Phi", unit="rad"),
            Column(name="theta_error_rad", label="Theta error", unit="rad"),
            Column(name="phi_error_rad", label="Phi error", unit="rad"),
        ),
        rows=rows,
    )


def maps_table(params: TrainersParams, result: TrainersResult, series: Any) -> Table:
    """The score of one class over the plane, by trainer, on the first device; none for digits."""
    names = [name.replace("-", "_") for name in TRAINERS]
    rows = []
    maps = series.maps
    if maps:
        first = maps[TRAINERS[0]]
        for row, y in enumerate(first.y.tolist()):
            for column, x in enumerate(first.x.tolist()):
                rows.append([x, y, *(float(maps[name].hardware[row, column]) for name in TRAINERS)])
    return Table(
        title="Score of class 1 over the plane, on the first device",
        columns=(
            Column(name="x", label="x"),
            Column(name="y", label="y"),
            *(
                Column(name=name, label=label)
                for name, label in zip(names, TRAINER_LABELS.values(), strict=True)
            ),
        ),
        rows=rows,
    )


def detectors_table(params: TrainersParams, result: TrainersResult, series: Any) -> Table:
    """What every class's detector reads of the input that is shown."""
    seen = series.readings
    rows = [
        [label, hardware, model]
        for label, (hardware, model) in enumerate(
            zip(seen.hardware.tolist(), seen.model.tolist(), strict=True)
        )
    ]
    return Table(
        title="Power that each class's detector reads of the input shown, without noise",
        columns=(
            Column(name="class", label="Class"),
            Column(name="hardware", label="On the hardware", percent=True),
            Column(name="model", label="On the model", percent=True),
        ),
        rows=rows,
    )


def masks_table(params: TrainersParams, result: TrainersResult, series: Any) -> Table:
    """The phases set on every mask, pixel by pixel; none of a mesh."""
    stack: StackPicture | None = series.stack
    phases = [] if stack is None else stack.set_rad.round(3).tolist()
    rows = [
        [mask, row, *values]
        for mask, plane in enumerate(phases, start=1)
        for row, values in enumerate(plane, start=1)
    ]
    columns = [Column(name="mask", label="Mask"), Column(name="row", label="Row")]
    return Table(
        title=f"Phases after training {TRAINER_LABELS[params.show_trainer].lower()}, rad",
        columns=[*columns, *_pixels(rows, len(columns), unit="rad")],
        rows=rows,
    )


def light_table(params: TrainersParams, result: TrainersResult, series: Any) -> Table:
    """The power of the shown input in every plane, on the model and on the hardware."""
    stack: StackPicture | None = series.stack
    rows: list[list[Any]] = []
    if stack is not None:
        for machine, planes in (("model", stack.model), ("hardware", stack.hardware)):
            for name, plane in zip(plane_names(params.masks), planes, strict=True):
                rows += [
                    [machine, name, row, *(float(f"{value:.3g}") for value in values)]
                    for row, values in enumerate(plane.tolist(), start=1)
                ]
    columns = [
        Column(name="machine", label="Machine"),
        Column(name="plane", label="Plane"),
        Column(name="row", label="Row"),
    ]
    halved = stack is not None and stack.model.shape[-1] < params.pixels
    return Table(
        title="Light of the input shown, as a share of what enters"
        + (", summed over 2 by 2 pixels" if halved else ""),
        columns=[*columns, *_pixels(rows, len(columns))],
        rows=rows,
    )


def _pixels(rows: list[list[Any]], first: int, unit: str = "") -> list[Column]:
    width = len(rows[0]) - first if rows else 0
    return [Column(name=f"pixel_{n}", label=str(n), unit=unit) for n in range(1, width + 1)]


def flaws_table(params: TrainersParams, result: TrainersResult, series: Any) -> Table:
    """Where every mask of the first device lies, and how long the gap before it is."""
    stack: StackPicture | None = series.stack
    rows: list[list[Any]] = []
    if stack is not None:
        shifts = [*stack.shift_px.tolist(), None]
        for name, shift, error in zip(
            plane_names(params.masks)[1:], shifts, stack.distance_error.tolist(), strict=True
        ):
            right: Any = "not applicable"
            up: Any = "not applicable"
            if shift:
                right, up = shift[1], -shift[0]
            gap_mm = round(params.mask_spacing_mm * (1 + error), 6)
            rows.append([name, right, up, gap_mm, error])
    return Table(
        title="What is wrong with the first device",
        columns=(
            Column(name="plane", label="Plane"),
            Column(name="right_px", label="To the right", unit="px"),
            Column(name="up_px", label="Up", unit="px"),
            Column(name="gap_mm", label="Gap before it", unit="mm"),
            Column(name="distance_error", label="Gap's error", percent=True),
        ),
        rows=rows,
    )


TRAINERS_TABLES = {
    "accuracy": accuracy_table,
    "curves": curves_table,
    "sweep": sweep_table,
    "maps": maps_table,
    "mesh": mesh_table,
    "masks": masks_table,
    "light": light_table,
    "flaws": flaws_table,
    "detectors": detectors_table,
    "context": context_table,
}

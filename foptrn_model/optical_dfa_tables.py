"""Tables of the optical DFA explorer: the numbers of each figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from foptrn_model import sensitivity
from foptrn_model.optical_dfa import METHOD_LABELS, METHODS, TERMS, OpticalDfaResult, step_terms
from foptrn_model.optical_dfa_constants import constants_of
from foptrn_model.optical_dfa_experiment import ALIGNED, NOISE_LEVELS, TRAINER_LABELS, TRAINERS
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.optical_dfa_series import OpticalDfaSeries, Sweep
from foptrn_model.tables import Column, Table

Make = Callable[[OpticalDfaParams, OpticalDfaResult, OpticalDfaSeries], Table]


def methods_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """This state by method: the terms of its time, memory, energy, regime."""
    terms = step_terms(params, params.depth, params.width)
    rows = [
        [
            METHOD_LABELS[method],
            *(float(terms[method][name]) for name in TERMS),
            result.step_time_s[method],
            result.memory_bytes[method],
            result.energy_J[method],
            result.regime[method],
        ]
        for method in METHODS
    ]
    return Table(
        title="A step by what its time goes to",
        columns=(
            Column(name="method", label="Method"),
            *(
                Column(name=f"{name.replace('-', '_')}_s", label=name.capitalize(), unit="s")
                for name in TERMS
            ),
            Column(name="step_s", label="Step", unit="s"),
            Column(name="memory_bytes", label="Memory", unit="B"),
            Column(name="energy_J", label="Energy", unit="J"),
            Column(name="regime", label="Largest term"),
        ),
        rows=rows,
    )


def _sweep_table(found: Sweep, label: str) -> Table:
    columns = [Column(name=found.along, label=label)]
    values: list[list[Any]] = [found.sizes.tolist()]
    for method in METHODS:
        name = METHOD_LABELS[method]
        columns += [
            Column(name=f"{method}_step_s", label=name, unit="s"),
            Column(name=f"{method}_memory_bytes", label=f"{name}, memory", unit="B"),
            Column(name=f"{method}_regime", label=f"{name}, largest term"),
        ]
        values += [
            found.step_s[method].tolist(),
            found.memory_bytes[method].tolist(),
            found.regime[method].tolist(),
        ]
    return Table(
        title=f"Seconds per step by {found.along}",
        columns=columns,
        rows=[list(row) for row in zip(*values, strict=True)],
    )


def width_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Every method over width at this depth."""
    return _sweep_table(series.by_width, "Width")


def depth_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Every method over depth at this width."""
    return _sweep_table(series.by_depth, "Depth")


def map_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Both other methods' steps over the optical one by depth and width, and who is fastest."""
    found = series.map
    ratios = (found.over_optical("bp"), found.over_optical("dfa"))
    depth, width = np.meshgrid(found.depth, found.width, indexing="ij")
    columns = [values.ravel().tolist() for values in (depth, width, *ratios)]
    fastest = [METHOD_LABELS[method] for method in found.fastest.ravel().tolist()]
    return Table(
        title="Steps on the GPU over the optical one; above 1 light is faster",
        columns=(
            Column(name="depth", label="Depth"),
            Column(name="width", label="Width"),
            Column(name="bp_over_optical", label="Backpropagation / optical", unit="\u00d7"),
            Column(name="dfa_over_optical", label="DFA on the GPU / optical", unit="\u00d7"),
            Column(name="fastest", label="Fastest"),
        ),
        rows=[list(row) for row in zip(*columns, fastest, strict=True)],
    )


def energy_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Energy per step over width."""
    found = series.by_width
    watts = {"bp": params.gpu_W, "dfa": params.gpu_W, "odfa": params.gpu_W + params.opu_W}
    columns = [
        found.sizes.tolist(),
        *((found.step_s[method] * watts[method]).tolist() for method in METHODS),
    ]
    return Table(
        title="Energy per step by width",
        columns=(
            Column(name="width", label="Width"),
            *(
                Column(name=f"{method}_J", label=METHOD_LABELS[method], unit="J")
                for method in METHODS
            ),
        ),
        rows=[list(row) for row in zip(*columns, strict=True)],
    )


def needed_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """The frame rate that breaks even, over width, and what the camera follows."""
    found = series.needed
    return Table(
        title="Frame rate at which an optical step takes as long as backpropagation's",
        columns=(
            Column(name="width", label="Width"),
            Column(name="needed_hz", label="Needed", unit="Hz"),
            Column(name="camera_hz", label="Highest that the camera follows", unit="Hz"),
        ),
        rows=[
            [width, needed if np.isfinite(needed) else "never", camera]
            for width, needed, camera in zip(
                found.width.tolist(), found.needed_hz.tolist(), found.camera_hz.tolist(),
                strict=True,
            )
        ],
    )  # fmt: skip


def constants_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Every constant of the closed form: published or inferred, and by whom."""
    return Table(
        title="Constants of the time and memory model",
        columns=(
            Column(name="constant", label="Constant"),
            Column(name="value", label="Here"),
            Column(name="default", label="Default"),
            Column(name="unit", label="Unit"),
            Column(name="kind", label="Kind of the default"),
            Column(name="source", label="Source"),
        ),
        rows=[
            [item.label, item.value, item.default, item.unit, item.kind, item.source]
            for item in constants_of(params)
        ],
    )


def tornado_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """The optical step over backpropagation's with each input halved and doubled."""
    return sensitivity.tornado_table(
        series.tornado,
        "Optical step over backpropagation's, each input halved and doubled within its bounds",
    )


# The experiment ------------------------------------------------------------------------


def experiment_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Accuracy after training by trainer; no rows until it has been run."""
    found = series.experiment
    rows = [] if found is None else [
        [TRAINER_LABELS[name], *(float(part(found.final(name))) for part in (np.mean, np.min, np.max))]
        for name in TRAINERS
    ]  # fmt: skip
    return Table(
        title="Accuracy on held-out digits after training, over seeds",
        columns=(
            Column(name="trainer", label="Trainer"),
            Column(name="mean", label="Mean", percent=True),
            Column(name="least", label="Least", percent=True),
            Column(name="most", label="Most", percent=True),
        ),
        rows=rows,
    )


def learning_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Mean accuracy of every trainer by epoch."""
    found = series.experiment
    columns = [] if found is None else [
        found.epochs.tolist(), *(found.accuracy[name].mean(axis=1).tolist() for name in TRAINERS)
    ]  # fmt: skip
    return Table(
        title="Mean accuracy on held-out digits by epoch",
        columns=(
            Column(name="epoch", label="Epoch"),
            *(
                Column(name=name, label=TRAINER_LABELS[name], percent=True)
                for name in TRAINERS
            ),
        ),
        rows=[list(row) for row in zip(*columns, strict=True)],
    )  # fmt: skip


def alignment_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Mean cosine between signal and true gradient by epoch, trainer and hidden layer."""
    found = series.experiment
    layers = range(params.hidden_layers)
    names = [(name, layer) for name in ALIGNED for layer in layers]
    columns = [] if found is None else [
        found.epochs.tolist(),
        *(found.cosine[name][layer].mean(axis=1).tolist() for name, layer in names),
    ]  # fmt: skip
    return Table(
        title="Cosine between the signal at each hidden layer and the true gradient, mean of seeds",
        columns=(
            Column(name="epoch", label="Epoch"),
            *(
                Column(
                    name=f"{name}_layer_{layer + 1}",
                    label=f"{TRAINER_LABELS[name]}, layer {layer + 1}",
                )
                for name, layer in names
            ),
        ),
        rows=[[_number(value) for value in row] for row in zip(*columns, strict=True)],
    )


def dilution_table(
    params: OpticalDfaParams, result: OpticalDfaResult, series: OpticalDfaSeries
) -> Table:
    """Cosines of digital DFA's trained networks under noise, beside the formula's."""
    found = series.experiment
    rows = []
    if found is not None:
        for layer, cosines in enumerate(found.diluted.mean(axis=2), start=1):
            rows += [
                [layer, level, _number(cosine), _number(cosines[0] / np.hypot(1, level))]
                for level, cosine in zip(NOISE_LEVELS, cosines.tolist(), strict=True)
            ]
    return Table(
        title="What projection noise does to the direction after training",
        columns=(
            Column(name="layer", label="Hidden layer"),
            Column(name="noise", label="Noise", unit="\u00d7 RMS"),
            Column(name="cosine", label="Cosine, measured"),
            Column(name="formula", label="cos\u2080 / \u221a(1 + n\u00b2)"),
        ),
        rows=rows,
    )


def _number(value: float) -> float | str:
    return float(value) if np.isfinite(value) else "not applicable"


OPTICAL_DFA_TABLES: dict[str, Make] = {
    "methods": methods_table,
    "width": width_table,
    "depth": depth_table,
    "map": map_table,
    "energy": energy_table,
    "needed": needed_table,
    "constants": constants_table,
    "tornado": tornado_table,
    "experiment": experiment_table,
    "learning": learning_table,
    "alignment": alignment_table,
    "dilution": dilution_table,
}

"""Tables of rare syncs: sweeps over H, and the published bandwidths and utilisations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from foptrn_model.diloco import INTELLECT_1
from foptrn_model.tables import Column, Table
from foptrn_model.transit import NOT_REACHED, TransitResult
from foptrn_model.transit_params import TransitParams
from foptrn_model.transit_series import TransitSeries
from foptrn_model.transit_step import WAYS
from foptrn_model.transit_words import WAY_LABELS


def sync_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """Step time, time to the target and utilisation of every way, by steps per sync."""
    sweep = series.sync
    return table_by_way(
        "Step time, time to the target and utilisation by steps per sync",
        Column(name="sync_every", label="Steps per sync"),
        sweep.sync_every,
        {
            "step_time_s_": (Column(name="", label=", step", unit="s"), sweep.step_time_s),
            "time_s_": (Column(name="", label=", time", unit="s"), sweep.time_s),
            "utilisation_": (Column(name="", label=", use", percent=True), sweep.utilisation),
        },
    )


def bandwidth_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """All 75 published bandwidths beside ours, with every deviation in steps of their grid."""
    return Table(
        title="Bandwidth for a compute utilisation, published and by the closed form",
        columns=(
            Column(name="model", label="Model"),
            Column(name="step_time_s", label="Step", unit="s"),
            Column(name="sync_every", label="Steps per sync"),
            Column(name="utilisation", label="Utilisation", percent=True),
            Column(name="published_Gbps", label="Published", unit="Gb/s"),
            Column(name="published_is", label="Published is"),
            Column(name="ours_Gbps", label="Ours", unit="Gb/s"),
            Column(name="deviation_grid_steps", label="Deviation", unit="grid steps"),
            Column(name="within_one_step", label="Within one step"),
        ),
        rows=[
            [
                entry.model,
                entry.step_time_s,
                entry.sync_every,
                entry.utilisation,
                entry.published_Gbps,
                "at least" if entry.at_least else "read on the grid",
                entry.ours_Gbps,
                entry.deviation_grid_steps,
                "yes" if entry.within_one_step else "no",
            ]
            for entry in series.diloco
        ],
    )


def utilisation_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """Bandwidth that overlapped DiLoCo needs in this state, by utilisation and cadence."""
    sweep = series.utilisation
    columns = [Column(name="utilisation", label="Utilisation", percent=True)]
    columns += [
        Column(name=f"needed_Gbps_h{every}", label=f"H = {every:,}", unit="Gb/s")
        for every in sweep.needed_Gbps
    ]
    values = [sweep.utilisation.tolist(), *(row.tolist() for row in sweep.needed_Gbps.values())]
    return Table(
        title="Bandwidth between data centres that overlapped DiLoCo needs",
        columns=columns,
        rows=[list(row) for row in zip(*values, strict=True)],
    )


def intellect_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """INTELLECT-1's compute utilisation, computed from its times and as published."""
    return Table(
        title="INTELLECT-1: compute utilisation",
        columns=(
            Column(name="nodes", label="Nodes"),
            Column(name="compute_s", label="Computing", unit="s"),
            Column(name="sync_s", label="Sync", unit="s"),
            Column(name="utilisation", label="Utilisation", percent=True),
            Column(name="published_utilisation", label="Published", percent=True),
        ),
        rows=[
            [run.where, run.compute_s, run.sync_s, run.utilisation, run.published_percent / 100]
            for run in INTELLECT_1
        ],
    )


def table_by_way(
    title: str,
    first: Column,
    along: Any,
    parts: Mapping[str, tuple[Column, Mapping[str, Any]]],
) -> Table:
    """A table along an axis, with one column of each part for every way that has it."""
    columns, values = [first], [along.tolist()]
    for way in WAYS:
        for prefix, (column, arrays) in parts.items():
            if way in arrays:
                columns.append(
                    Column(
                        name=prefix + way.replace("-", "_"),
                        label=WAY_LABELS[way] + column.label,
                        unit=column.unit,
                        percent=column.percent,
                    )
                )
                values.append(
                    [NOT_REACHED if math.isnan(value) else value for value in arrays[way].tolist()]
                )
    rows = [list(row) for row in zip(*values, strict=True)]
    return Table(title=title, columns=columns, rows=rows)

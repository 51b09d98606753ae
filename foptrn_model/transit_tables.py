"""Tables of the transit explorer: the same numbers for a page, a CSV file and a screen reader."""

from __future__ import annotations

from foptrn_model import sensitivity
from foptrn_model.tables import Column, Table
from foptrn_model.transit import TransitResult
from foptrn_model.transit_params import TransitParams
from foptrn_model.transit_series import TransitSeries
from foptrn_model.transit_sync_tables import (
    bandwidth_table,
    intellect_table,
    sync_table,
    table_by_way,
    utilisation_table,
)
from foptrn_model.transit_words import WIRE_LABELS


def ways_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """All ways of syncing in this state, with their break-even against dense AdamW."""
    rows = []
    for name, way in result.ways.items():
        even = result.break_even.get(name)
        rows.append(
            [
                name,
                way.method,
                way.steps,
                "yes" if way.at_first_evaluation else "no",
                way.step_time_s,
                way.time_s,
                way.energy_J,
                way.wan_bytes,
                way.fabric_bytes,
                way.utilisation,
                way.needed_GBps,
                even.kind if even else "",
                "" if even is None or even.GBps is None else even.GBps,
                (even.wins if even else None) or "",
            ]
        )
    return Table(
        title="Ways of syncing: steps, time and energy to the target loss",
        columns=(
            Column(name="way", label="Way"),
            Column(name="method", label="Curve"),
            Column(name="steps", label="Steps"),
            Column(name="at_first_evaluation", label="At most"),
            Column(name="step_time_s", label="Step", unit="s"),
            Column(name="time_s", label="Time", unit="s"),
            Column(name="energy_J", label="Energy", unit="J"),
            Column(name="wan_bytes", label="WAN, per centre and sync", unit="bytes"),
            Column(name="fabric_bytes", label="Fabric, per worker and sync", unit="bytes"),
            Column(name="utilisation", label="Utilisation", percent=True),
            Column(name="needed_GBps", label="WAN rate for the wanted one", unit="GB/s"),
            Column(name="break_even", label="Break-even"),
            Column(name="break_even_GBps", label="at", unit="GB/s"),
            Column(name="wins", label="Wins"),
        ),
        rows=rows,
    )


def wan_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """Time to the target of every way, by WAN rate."""
    return table_by_way(
        "Time to the target loss by WAN rate",
        Column(name="wan_GBps", label="WAN rate", unit="GB/s"),
        series.wan.wan_GBps,
        {"time_s_": (Column(name="", label="", unit="s"), series.wan.time_s)},
    )


def step_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """The time of a step by way, split into what it is spent on."""
    return Table(
        title="Time of a step by part",
        columns=(
            Column(name="way", label="Way"),
            Column(name="compute_s", label="Compute", unit="s"),
            Column(name="latency_s", label="Latency", unit="s"),
            Column(name="fabric_s", label="Fabric", unit="s"),
            Column(name="wan_s", label="WAN", unit="s"),
            Column(name="step_time_s", label="Step", unit="s"),
        ),
        rows=[
            [name, part.compute_s, part.latency_s, part.fabric_s, part.wan_s, part.total_s]
            for name, part in series.steps.items()
        ],
    )


def energy_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """The energy of a step by way, split into what draws it."""
    return Table(
        title="Energy of a step by part, all workers",
        columns=(
            Column(name="way", label="Way"),
            Column(name="compute_J", label="Computing", unit="J"),
            Column(name="waiting_J", label="Waiting", unit="J"),
            Column(name="fabric_J", label="Fabric", unit="J"),
            Column(name="wan_J", label="WAN", unit="J"),
            Column(name="step_energy_J", label="Step", unit="J"),
        ),
        rows=[
            [name, part.compute_J, part.waiting_J, part.fabric_J, part.wan_J, part.total]
            for name, part in series.energy.items()
        ],
    )


def curve_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """Every way's loss over steps, time and bytes."""
    rows = []
    for name, path in series.paths.items():
        columns = (
            path.steps,
            path.loss,
            path.low,
            path.high,
            path.time_s,
            path.wan_bytes,
            path.fabric_bytes,
        )
        rows += [
            [name, path.method, *row]
            for row in zip(*(column.tolist() for column in columns), strict=True)
        ]
    return Table(
        title="Validation loss by step, time and bytes",
        columns=(
            Column(name="way", label="Way"),
            Column(name="method", label="Curve"),
            Column(name="step", label="Step"),
            Column(name="loss", label="Loss"),
            Column(name="loss_minus_sd", label="Less one sd"),
            Column(name="loss_plus_sd", label="Plus one sd"),
            Column(name="time_s", label="Time", unit="s"),
            Column(name="wan_bytes", label="WAN, per centre", unit="bytes"),
            Column(name="fabric_bytes", label="Fabric, per worker", unit="bytes"),
        ),
        rows=rows,
    )


def replica_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """Bytes that a worker sends and receives in one flat group, by replica count."""
    sweep = series.replicas
    columns = [Column(name="replicas", label="Replicas")]
    values = [sweep.replicas.tolist()]
    for name, wire in sweep.moved.items():
        for way, moved in (("sent", wire.sent), ("received", wire.received)):
            columns.append(
                Column(
                    name=f"{name.replace('-', '_')}_{way}_bytes",
                    label=f"{WIRE_LABELS[name]}, {way}",
                    unit="bytes",
                )
            )
            values.append(moved.tolist())
    rows = [list(row) for row in zip(*values, strict=True)]
    return Table(
        title="Wire bytes of a worker by replica count, per sync", columns=columns, rows=rows
    )


def topology_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """What each way puts on the links of the cluster in one sync."""
    return Table(
        title="Bytes of one sync on each link",
        columns=(
            Column(name="way", label="Way"),
            Column(name="datacentres", label="Data centres"),
            Column(name="workers_per_dc", label="Workers in each"),
            Column(name="wan_rounds", label="WAN rounds"),
            Column(name="worker_bytes", label="Worker's port", unit="bytes"),
            Column(name="fabric_bytes", label="Fabric of a centre", unit="bytes"),
            Column(name="wan_bytes", label="WAN of a centre", unit="bytes"),
            Column(name="total_bytes", label="All links", unit="bytes"),
        ),
        rows=[
            [
                name,
                links.datacentres,
                links.workers_per_dc,
                links.wan_rounds,
                links.worker_bytes,
                links.fabric_bytes,
                links.wan_bytes,
                links.total_bytes,
            ]
            for name, links in series.links.items()
        ],
    )


def tornado_table(params: TransitParams, result: TransitResult, series: TransitSeries) -> Table:
    """How many times shorter a step is with the band, each input halved and doubled."""
    return sensitivity.tornado_table(
        series.tornado,
        "AdamW's step over the gathered band's, each input halved and doubled",
    )


TRANSIT_TABLES = {
    "ways": ways_table,
    "wan": wan_table,
    "step": step_table,
    "energy": energy_table,
    "curves": curve_table,
    "replicas": replica_table,
    "sync": sync_table,
    "bandwidth": bandwidth_table,
    "utilisation": utilisation_table,
    "intellect": intellect_table,
    "topology": topology_table,
    "tornado": tornado_table,
}

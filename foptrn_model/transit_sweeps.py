"""What the transit figures show beyond the result: one quantity varied, all ways beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foptrn_model.break_even import SEARCH_HIGH_GBPS, SEARCH_LOW_GBPS
from foptrn_model.collectives import (
    WireBytes,
    crossing_replicas,
    multicast_all_gather,
    nvls_all_reduce,
    replicas_past_crossing,
    ring_all_gather,
    ring_all_reduce,
)
from foptrn_model.diloco import compute_utilisation, needed_bandwidth_bps
from foptrn_model.transit import loss_factor, method_of, steps_to_target
from foptrn_model.transit_params import TransitParams
from foptrn_model.transit_step import WAYS, payloads, step_parts, traffic

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POINTS_PER_DECADE = 20
SYNC_POINTS_PER_DECADE = 12
REPLICA_POINTS_PER_OCTAVE = 4
LEAST_LARGEST_RING = 1024
UTILISATIONS = np.round(np.linspace(0.5, 0.99, 50), 4)
MOST_PATH_POINTS = 500
"""Evaluations of one curve that are shown: an own file may hold 50,000."""
PUBLISHED_CADENCES = (1, 10, 50, 100, 300)


@dataclass(frozen=True, kw_only=True)
class WanSweep:
    """Time to the target over the WAN rate, shape (n,); ways that never get there are left out."""

    wan_GBps: Floats
    time_s: dict[str, Floats]


def spaced_rates() -> Floats:
    """WAN rates [GB/s] where break-even is looked for, evenly on a logarithmic axis."""
    decades = np.log10(SEARCH_HIGH_GBPS / SEARCH_LOW_GBPS)
    return np.geomspace(SEARCH_LOW_GBPS, SEARCH_HIGH_GBPS, round(decades * POINTS_PER_DECADE) + 1)


def wan_sweep(params: TransitParams) -> WanSweep:
    """Vary the WAN rate where break-even is looked for; the state's own rate is among them."""
    rates = np.union1d(spaced_rates(), [params.wan_GBps])
    parts = step_parts(params, wan_GBps=rates)
    found = steps_to_target(params)
    return WanSweep(
        wan_GBps=rates,
        time_s={
            name: crossing.step * np.broadcast_to(parts[name].total_s, rates.shape)
            for name, crossing in found.items()
            if crossing is not None
        },
    )


@dataclass(frozen=True, kw_only=True)
class SyncSweep:
    """Step time, time to the target and utilisation over the steps per sync H, shape (n,).

    ``time_s`` leaves ways out that never reach the target; where a loss
    penalty puts it out of reach above H = 1, the times there are NaN.
    """

    sync_every: Ints
    step_time_s: dict[str, Floats]
    time_s: dict[str, Floats]
    utilisation: dict[str, Floats]


def sync_sweep(params: TransitParams) -> SyncSweep:
    """Vary H over its whole range; steps to the target change only by the loss penalty."""
    spec = params.specs()["sync_every"]
    decades = np.log10(spec.high / spec.low)
    grid = np.geomspace(spec.low, spec.high, round(decades * SYNC_POINTS_PER_DECADE) + 1)
    every = np.union1d(np.round(grid).astype(np.int64), [params.sync_every])
    parts = step_parts(params, sync_every=every)
    total = {name: part.total_s + np.zeros(every.shape) for name, part in parts.items()}
    always, rarely = steps_to_target(params, 1), steps_to_target(params, 2)
    time_s = {}
    for name in WAYS:
        first, later = always[name], rarely[name]
        if first is not None:
            steps = np.full(every.shape, np.nan if later is None else later.step)
            steps[every == 1] = first.step
            time_s[name] = steps * total[name]
    return SyncSweep(
        sync_every=every,
        step_time_s=total,
        time_s=time_s,
        utilisation={
            name: compute_utilisation(part.compute_s, part.exposed_s + np.zeros(every.shape))
            for name, part in parts.items()
        },
    )


@dataclass(frozen=True, kw_only=True)
class ReplicaSweep:
    """Wire bytes of a worker over the replica count, shape (n,), and where all-gathers overtake.

    ``equal_at`` maps a method to the real count at which its all-gather moves
    as much as the dense ring all-reduce, ``past`` to the first whole one at
    which it moves more.
    """

    replicas: Ints
    moved: dict[str, WireBytes]
    equal_at: dict[str, float]
    past: dict[str, int]


def replica_sweep(params: TransitParams) -> ReplicaSweep:
    """Vary the size of one flat ring from 2, far enough to show the crossings that are near."""
    sent = payloads(params)
    gathered = {"topk": sent.topk, "band": sent.band}
    here = params.datacentres * params.workers_per_dc
    equal_at = {name: crossing_replicas(sent.dense, size) for name, size in gathered.items()}
    past = {name: replicas_past_crossing(sent.dense, size) for name, size in gathered.items()}
    shown = [count for count in past.values() if count <= 8 * LEAST_LARGEST_RING]
    largest = max([LEAST_LARGEST_RING, here, *(2 * count for count in shown)])
    count = round(np.log2(largest / 2) * REPLICA_POINTS_PER_OCTAVE) + 1
    grid = np.round(np.geomspace(2, largest, count)).astype(np.int64)
    replicas = np.unique(np.concatenate([grid, shown, [max(here, 2)]])).astype(np.int64)
    return ReplicaSweep(
        replicas=replicas,
        moved={
            "adamw-ring": ring_all_reduce(sent.dense, replicas),
            "adamw-nvls": nvls_all_reduce(sent.dense, replicas),
            "topk-ring": ring_all_gather(sent.topk, replicas),
            "topk-multicast": multicast_all_gather(sent.topk, replicas),
            "band-ring": ring_all_gather(sent.band, replicas),
            "band-summed-ring": ring_all_reduce(sent.band, replicas),
            "band-summed-nvls": nvls_all_reduce(sent.band, replicas),
        },
        equal_at=equal_at,
        past=past,
    )


@dataclass(frozen=True, kw_only=True)
class LossPath:
    """A way's loss over steps, time and bytes, shape (n,); low and high are one sd around it.

    Bytes are cumulative: over the WAN of one data centre, and on one worker's fabric.
    """

    method: str
    steps: Floats
    loss: Floats
    low: Floats
    high: Floats
    time_s: Floats
    wan_bytes: Floats
    fabric_bytes: Floats


def loss_paths(params: TransitParams) -> dict[str, LossPath]:
    """Every way's curve in this state; a way without a method in the curves is left out.

    Of a longer curve 500 evaluations are taken, evenly, the first and the last among them.
    """
    curves, moved, parts = params.loss_curves, traffic(params), step_parts(params)
    factor = loss_factor(params, params.sync_every)
    paths = {}
    for name in WAYS:
        method = method_of(params, name)
        if method is None:
            continue
        curve = curves[method]
        count = len(curve.steps)
        shown = np.linspace(0, count - 1, min(count, MOST_PATH_POINTS)).round().astype(int)
        steps = np.array(curve.steps, dtype=float)[shown]
        loss = factor * np.array(curve.loss)[shown]
        sd = factor * np.array(curve.sd)[shown] if curve.sd else np.zeros_like(loss)
        paths[name] = LossPath(
            method=method,
            steps=steps,
            loss=loss,
            low=loss - sd,
            high=loss + sd,
            time_s=steps * parts[name].total_s,
            wan_bytes=steps / params.sync_every * moved[name].wan_bytes,
            fabric_bytes=steps / params.sync_every * moved[name].fabric_bytes,
        )
    return paths


@dataclass(frozen=True, kw_only=True)
class UtilisationSweep:
    """Bandwidth [Gb/s] that overlapped DiLoCo needs over the utilisation, by steps per sync."""

    utilisation: Floats
    needed_Gbps: dict[int, Floats]


def utilisation_sweep(params: TransitParams) -> UtilisationSweep:
    """The published cadences and the state's own; none where a step takes no time to compute."""
    cadences = sorted({*PUBLISHED_CADENCES, params.sync_every}) if params.compute_ms else []
    needed: dict[int, Any] = {
        every: needed_bandwidth_bps(
            bits=8 * payloads(params).dense,
            replicas=params.datacentres,
            step_time_s=params.compute_ms * 1e-3,
            sync_every=every,
            utilisation=UTILISATIONS,
        )
        / 1e9
        for every in cadences
    }
    return UtilisationSweep(utilisation=UTILISATIONS, needed_Gbps=needed)


@dataclass(frozen=True, kw_only=True)
class Links:
    """Bytes of one sync on each link; all data centres are alike.

    ``worker_bytes`` crosses each worker's port, ``fabric_bytes`` all ports of a
    data centre, ``wan_bytes`` a data centre's WAN link.
    """

    datacentres: int
    workers_per_dc: int
    wan_rounds: int
    worker_bytes: float
    fabric_bytes: float
    wan_bytes: float

    @property
    def total_bytes(self) -> float:
        return self.datacentres * (self.fabric_bytes + self.wan_bytes)


def topology(params: TransitParams) -> dict[str, Links]:
    """What each way puts on the links of the cluster."""
    return {
        name: Links(
            datacentres=params.datacentres,
            workers_per_dc=params.workers_per_dc,
            wan_rounds=moved.wan_rounds,
            worker_bytes=moved.fabric_bytes,
            fabric_bytes=params.workers_per_dc * moved.fabric_bytes,
            wan_bytes=moved.wan_bytes,
        )
        for name, moved in traffic(params).items()
    }

"""Time and energy to a target loss, by the way in which data centres sync.

Steps to the target come from measured loss curves, so that a method that
sends less but learns slower shows both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from foptrn_model.break_even import BreakEven, TimeOverRate, find_break_even
from foptrn_model.curves import BASELINE, Crossing, first_crossing
from foptrn_model.diloco import compute_utilisation, needed_bandwidth_bps
from foptrn_model.transit_params import TransitParams
from foptrn_model.transit_step import (
    DENSE,
    TOPK,
    WAYS,
    EnergyParts,
    StepParts,
    Traffic,
    energy_parts,
    payloads,
    ring_bytes,
    step_parts,
    step_ratio,
    traffic,
)

NOT_REACHED, NOT_APPLICABLE, NEVER, ALWAYS = "not reached", "not applicable", "never", "always"

Word = str


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way of syncing: bytes are per sync, of a data centre's WAN and of a worker's fabric.

    Words stand where there is no number: "not reached" for a method that never
    meets the target, "not applicable" where the curves have no such method.
    ``at_first_evaluation`` flags steps that are an upper limit. ``needed_GBps``
    is the WAN rate for the wanted utilisation; "never" where latency and fabric
    alone take too long, "always" where nothing crosses the WAN.
    """

    method: str
    reached: bool
    at_first_evaluation: bool
    steps: float | Word
    step_time_s: float
    time_s: float | Word
    energy_J: float | Word
    wan_rounds: int
    wan_bytes: float
    fabric_bytes: float
    utilisation: float
    needed_GBps: float | Word


@dataclass(frozen=True, kw_only=True)
class TransitResult:
    """All ways in one state; ``ring`` is what a worker sends in a flat ring of all workers.

    Reductions say how many times less the named method moves than dense
    AdamW. ``band_step_ratio`` is how many times shorter a step is with the band
    gathered. ``diloco_Gbps`` is the bandwidth that overlapped DiLoCo would need
    between the data centres for the wanted utilisation.
    """

    ways: dict[str, Way]
    break_even: dict[str, BreakEven]
    fastest: str
    ring: dict[str, float]
    payload_bytes: dict[str, float]
    payload_reduction: dict[str, float]
    wire_reduction: dict[str, float | Word]
    band_step_ratio: float
    diloco_Gbps: float | Word


def compute_transit(params: TransitParams) -> TransitResult:
    """Evaluate every way in one state; raises ParamsError where uploaded curves are missing."""
    sent, moved = payloads(params), traffic(params)
    parts = step_parts(params)
    energy = energy_parts(params)
    steps = steps_to_target(params)
    ways = {
        name: _way(
            params,
            name,
            crossing=steps[name],
            moved=moved[name],
            parts=parts[name],
            energy=energy[name],
        )
        for name in WAYS
    }
    times = {name: _time_over_rate(params, ways[name], parts[name]) for name in WAYS}
    reached = [name for name in WAYS if ways[name].reached]
    ring = ring_bytes(params, params.datacentres * params.workers_per_dc)
    payload_bytes = {"adamw": sent.dense, "topk": sent.topk, "band": sent.band}
    return TransitResult(
        ways=ways,
        break_even={
            name: find_break_even(times[name], times[DENSE]) for name in WAYS if name != DENSE
        },
        fastest=min(reached, key=lambda name: float(ways[name].time_s), default=NOT_REACHED),
        ring=ring,
        payload_bytes=payload_bytes,
        payload_reduction={
            name: sent.dense / size for name, size in payload_bytes.items() if name != "adamw"
        },
        wire_reduction={
            name: ring["adamw"] / size if size else NOT_APPLICABLE
            for name, size in ring.items()
            if name != "adamw"
        },
        band_step_ratio=step_ratio(params).band_step_ratio,
        diloco_Gbps=_diloco_rate(params),
    )


def times_over_rate(params: TransitParams) -> dict[str, TimeOverRate | None]:
    """Each way's time to the target against the WAN rate; None where it is not reached."""
    result, parts = compute_transit(params), step_parts(params)
    return {name: _time_over_rate(params, result.ways[name], parts[name]) for name in WAYS}


# Steps and ways -----------------------------------------------------------------


def method_of(params: TransitParams, way: str) -> str | None:
    """The method whose curve a way follows; None where the curves have no top-k."""
    if way == DENSE:
        return BASELINE
    return params.loss_curves.topk if way == TOPK else params.band


def loss_factor(params: TransitParams, sync_every: int) -> float:
    """By how much a rare sync raises every loss."""
    return 1 + params.loss_penalty_percent / 100 if sync_every > 1 else 1.0


def steps_to_target(
    params: TransitParams, sync_every: int | None = None
) -> dict[str, Crossing | None]:
    """Where each way's curve first meets the target; None where it does not, or there is none."""
    every = params.sync_every if sync_every is None else sync_every
    curves = params.loss_curves
    target = params.target_loss / loss_factor(params, every)
    methods = {name: method_of(params, name) for name in WAYS}
    found = {
        method: first_crossing(curves[method], target)
        for method in set(methods.values())
        if method is not None
    }
    return {name: None if method is None else found[method] for name, method in methods.items()}


def _way(
    params: TransitParams,
    name: str,
    *,
    crossing: Crossing | None,
    moved: Traffic,
    parts: StepParts,
    energy: EnergyParts,
) -> Way:
    method = method_of(params, name)
    missing = NOT_APPLICABLE if method is None else NOT_REACHED
    steps = None if crossing is None else crossing.step
    return Way(
        method=method or NOT_APPLICABLE,
        reached=crossing is not None,
        at_first_evaluation=crossing is not None and crossing.at_first_evaluation,
        steps=missing if steps is None else steps,
        step_time_s=parts.total_s,
        time_s=missing if steps is None else steps * parts.total_s,
        energy_J=missing if steps is None else steps * energy.total,
        wan_rounds=moved.wan_rounds,
        wan_bytes=moved.wan_bytes,
        fabric_bytes=moved.fabric_bytes,
        utilisation=compute_utilisation(parts.compute_s, parts.exposed_s),
        needed_GBps=_needed_rate(params, moved, parts),
    )


def _time_over_rate(params: TransitParams, way: Way, parts: StepParts) -> TimeOverRate | None:
    if not way.reached:
        return None
    steps = float(way.steps)
    return TimeOverRate(
        fixed_s=steps * (parts.compute_s + parts.latency_s + parts.fabric_s),
        moved_B=steps * way.wan_bytes / params.sync_every,
    )


def _needed_rate(params: TransitParams, moved: Traffic, parts: StepParts) -> float | Word:
    """The WAN rate at which a way computes for the wanted share of the time."""
    left_s = (
        parts.compute_s * (1 / params.target_utilisation - 1) - parts.latency_s - parts.fabric_s
    )
    if moved.wan_bytes == 0:
        return ALWAYS if left_s >= 0 else NEVER
    if left_s <= 0:
        return NEVER
    needed = moved.wan_bytes / params.sync_every / left_s / 1e9
    return needed if math.isfinite(needed) else NEVER


def _diloco_rate(params: TransitParams) -> float | Word:
    if params.compute_ms == 0:
        return NEVER
    needed = needed_bandwidth_bps(
        bits=8 * payloads(params).dense,
        replicas=params.datacentres,
        step_time_s=params.compute_ms * 1e-3,
        sync_every=params.sync_every,
        utilisation=params.target_utilisation,
    )
    return float(needed) / 1e9

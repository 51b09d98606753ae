"""What a sync moves and what a step then takes: bytes, seconds and joules by way of syncing.

Every way pays its compute time each step, and each sync a latency per WAN
round, its bytes on the fabric and its bytes on the WAN, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from foptrn_model.collectives import ring_all_gather, ring_all_reduce
from foptrn_model.transit_params import TransitParams

DENSE, TOPK, BAND_GATHER, BAND_SWITCH = (
    "adamw-allreduce",
    "topk-allgather",
    "band-allgather",
    "band-switch",
)
WAYS = (DENSE, TOPK, BAND_GATHER, BAND_SWITCH)


@dataclass(frozen=True, kw_only=True)
class Payloads:
    """What one worker contributes to a sync [bytes]."""

    dense: float
    topk: float
    band: float


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """What one sync moves: rounds and bytes over the WAN of a centre, bytes of a worker's fabric."""

    wan_rounds: int
    wan_bytes: float
    fabric_bytes: float


@dataclass(frozen=True, kw_only=True)
class StepParts:
    """Where the time of a step goes [s]: numbers, or arrays over what is varied."""

    compute_s: Any
    latency_s: Any
    fabric_s: Any
    wan_s: Any

    @property
    def exposed_s(self) -> Any:
        return self.latency_s + self.fabric_s + self.wan_s

    @property
    def total_s(self) -> Any:
        return self.compute_s + self.exposed_s


@dataclass(frozen=True, kw_only=True)
class EnergyParts:
    """Energy of a step, all workers [J]: computing, waiting, fabric and WAN."""

    compute_J: Any
    waiting_J: Any
    fabric_J: Any
    wan_J: Any

    @property
    def total(self) -> Any:
        return self.compute_J + self.waiting_J + self.fabric_J + self.wan_J


# What a sync moves --------------------------------------------------------------


def payloads(params: TransitParams) -> Payloads:
    """Dense values, kept coefficients with their indices, and a band without any."""
    dense = params.n_params * params.bytes_per_value
    return Payloads(
        dense=dense,
        topk=params.n_params * params.keep * params.topk_bytes_per_coefficient,
        band=dense * params.keep,
    )


def traffic(params: TransitParams) -> dict[str, Traffic]:
    """What each way moves in one sync; nothing crosses the WAN of a single data centre."""
    sent, workers = payloads(params), params.workers_per_dc
    apart = params.datacentres > 1
    others = (params.datacentres - 1) * workers

    def reduced(payload: float) -> Traffic:
        # Summed in a ring inside each centre, then reduced up and broadcast down.
        return Traffic(
            wan_rounds=2 if apart else 0,
            wan_bytes=2 * payload if apart else 0.0,
            fabric_bytes=2 * (workers - 1) / workers * payload,
        )

    def gathered(payload: float) -> Traffic:
        # Every centre needs the payloads of all workers of all other centres.
        return Traffic(
            wan_rounds=1 if apart else 0,
            wan_bytes=others * payload,
            fabric_bytes=(workers - 1) * payload,
        )

    return {
        DENSE: reduced(sent.dense),
        TOPK: gathered(sent.topk),
        BAND_GATHER: gathered(sent.band),
        BAND_SWITCH: reduced(sent.band),
    }


def ring_bytes(params: TransitParams, replicas: Any) -> dict[str, Any]:
    """Wire bytes of a worker in one flat ring: sent, and as many received."""
    sent = payloads(params)
    return {
        "adamw": ring_all_reduce(sent.dense, replicas).sent,
        "topk": ring_all_gather(sent.topk, replicas).sent,
        "band": ring_all_gather(sent.band, replicas).sent,
    }


# Time and energy of a step ------------------------------------------------------


def step_parts(
    params: TransitParams, *, wan_GBps: Any = None, sync_every: Any = None
) -> dict[str, StepParts]:
    """Time of a step by way and part; a rate or H given as an array of shape (n,) is varied."""
    wan_Bps = (params.wan_GBps if wan_GBps is None else wan_GBps) * 1e9
    every = params.sync_every if sync_every is None else sync_every
    return {
        name: StepParts(
            compute_s=params.compute_ms * 1e-3,
            latency_s=moved.wan_rounds * params.latency_us * 1e-6 / every,
            fabric_s=moved.fabric_bytes / (params.fabric_GBps * 1e9) / every,
            wan_s=moved.wan_bytes / wan_Bps / every,
        )
        for name, moved in traffic(params).items()
    }


@dataclass(frozen=True, kw_only=True)
class StepRatio:
    """How many times shorter a step is with the band gathered than with dense AdamW."""

    band_step_ratio: float


def step_ratio(params: TransitParams) -> StepRatio:
    """The ratio of step times; curves and energy have no part in it."""
    parts = step_parts(params)
    dense_s, band_s = parts[DENSE].total_s, parts[BAND_GATHER].total_s
    # One worker that computes in no time has steps of none, whatever the way.
    return StepRatio(band_step_ratio=dense_s / band_s if band_s else 1.0)


def energy_parts(params: TransitParams) -> dict[str, EnergyParts]:
    """Energy of a step by way and part; workers draw the same power while they wait."""
    workers = params.datacentres * params.workers_per_dc
    power_W = workers * params.worker_W
    bit_J = 8e-12 / params.sync_every  # of a byte, at one pJ a bit, spread over the steps of a sync
    moved = traffic(params)
    return {
        name: EnergyParts(
            compute_J=power_W * parts.compute_s,
            waiting_J=power_W * parts.exposed_s,
            fabric_J=bit_J * workers * moved[name].fabric_bytes * params.fabric_pJ_per_bit,
            wan_J=bit_J * params.datacentres * moved[name].wan_bytes * params.wan_pJ_per_bit,
        )
        for name, parts in step_parts(params).items()
    }

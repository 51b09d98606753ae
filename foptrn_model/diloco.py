"""Syncing every H steps: what it costs in utilisation and what bandwidth it needs.

The closed form is that of simulators of DiLoCo at zero latency: the replicas'
ring all-reduce may hide behind the backward pass of the step that ends a round,
save for the last of K buckets, and only what does not hide idles the workers.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

BUCKETS = 128
"""Pieces in which gradients are sent while the backward pass still runs."""
BACKWARD_SHARE = 2 / 3
"""The backward pass as a share of a step: four of six FLOP per weight."""

GRID_LOW_GBPS, GRID_HIGH_GBPS, GRID_POINTS = 0.1, 1000.0, 50
GRID_STEP_DECADES = math.log10(GRID_HIGH_GBPS / GRID_LOW_GBPS) / (GRID_POINTS - 1)
"""Distance of two bandwidths that the published table can tell apart: a factor of 1.21."""

TABLE_BYTES_PER_VALUE = 2
TABLE_REPLICAS = 2
TABLE_SOURCE = "Charles et al., arXiv 2503.09799, table 6"
INTELLECT_SOURCE = "INTELLECT-1, arXiv 2412.01152"
LOSS_PENALTY_SOURCE = (
    "Charles et al., arXiv 2503.09799, table 4: +0.7, +2.0 and +3.9 % of the loss at 35 M "
    "parameters with 2, 4 and 8 replicas and H = 30, less for larger models"
)


def compute_utilisation(compute_s: Any, exposed_s: Any) -> Any:
    """Share of the time in which workers compute; 1 where a step takes no time at all.

    ``exposed_s`` is communication that does not overlap; both numbers or
    arrays that broadcast, in the same unit of time.
    """
    total = np.asarray(compute_s + exposed_s, dtype=float)
    share = np.divide(compute_s, total, out=np.ones_like(total), where=total > 0)
    return float(share) if share.ndim == 0 else share


def needed_bandwidth_bps(
    *,
    bits: ArrayLike,
    replicas: int,
    step_time_s: float,
    sync_every: ArrayLike,
    utilisation: ArrayLike,
    buckets: int = BUCKETS,
    backward_share: float = BACKWARD_SHARE,
) -> Any:
    """Bandwidth [bit/s] at which replicas compute for ``utilisation`` of the time.

    bits 2(1 - 1/M) / (T [H(1/CU - 1) + backward_share (1 - 1/K)]), with
    arguments that broadcast. Latency is zero; one replica needs none.

    Raises
    ------
    ValueError
        If the step time is not positive, or a utilisation not in (0, 1].

    References
    ----------
    After the simulations of A. Douillard et al., Streaming DiLoCo, arXiv
    2501.18512, and Charles et al., arXiv 2503.09799, section 5.1.
    """
    share = np.asarray(utilisation, dtype=float)
    if step_time_s <= 0:
        raise ValueError(f"step_time_s must be positive, got {step_time_s}")
    if np.any((share <= 0) | (share > 1)):
        raise ValueError(f"utilisation must be above 0 and at most 1, got {share.tolist()}")
    moved = np.asarray(bits, dtype=float) * 2 * (1 - 1 / replicas)
    idle_steps = np.asarray(sync_every, dtype=float) * (1 / share - 1)
    hidden_steps = backward_share * (1 - 1 / buckets)
    needed = moved / (step_time_s * (idle_steps + hidden_steps))
    return float(needed) if needed.ndim == 0 else needed


@dataclass(frozen=True, kw_only=True)
class DilocoEntry:
    """One entry of the published table beside ours.

    ``deviation_grid_steps`` counts steps of the grid from the published value
    to ours, positive where ours is larger. ``at_least`` marks the grid's end,
    where the published value is a lower bound.
    """

    model: str
    n_params: float
    step_time_s: float
    sync_every: int
    utilisation: float
    published_Gbps: float
    ours_Gbps: float
    deviation_grid_steps: float
    at_least: bool

    @property
    def within_one_step(self) -> bool:
        return abs(self.deviation_grid_steps) <= 1


@cache
def diloco_table() -> tuple[DilocoEntry, ...]:
    """All 75 published entries, each with the closed form's value and the deviation."""
    text = (files("foptrn_model") / "data" / "diloco.csv").read_text("utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return tuple(
        _entry(row, int(name.removeprefix("cu")) / 100, float(row[name]))
        for row in rows
        for name in row
        if name.startswith("cu")
    )


def _entry(row: dict[str, str], utilisation: float, published_Gbps: float) -> DilocoEntry:
    n_params, step_time_s = float(row["params"]), float(row["step_time_s"])
    sync_every = int(row["H"])
    ours_bps = needed_bandwidth_bps(
        bits=8 * TABLE_BYTES_PER_VALUE * n_params,
        replicas=TABLE_REPLICAS,
        step_time_s=step_time_s,
        sync_every=sync_every,
        utilisation=utilisation,
    )
    return DilocoEntry(
        model=row["model"],
        n_params=n_params,
        step_time_s=step_time_s,
        sync_every=sync_every,
        utilisation=utilisation,
        published_Gbps=published_Gbps,
        ours_Gbps=ours_bps / 1e9,
        deviation_grid_steps=math.log10(ours_bps / 1e9 / published_Gbps) / GRID_STEP_DECADES,
        at_least=published_Gbps >= GRID_HIGH_GBPS,
    )


@dataclass(frozen=True, kw_only=True)
class IntellectRun:
    """One spread of INTELLECT-1's nodes: 38 minutes of computing, then a sync."""

    where: str
    compute_s: float
    sync_s: float
    published_percent: float

    @property
    def utilisation(self) -> float:
        return float(compute_utilisation(self.compute_s, self.sync_s))


INTELLECT_1 = tuple(
    IntellectRun(where=where, compute_s=38 * 60, sync_s=sync_s, published_percent=percent)
    for where, sync_s, percent in (
        ("within the USA", 103, 95.7),
        ("USA and Europe", 382, 85.6),
        ("worldwide", 469, 83.0),
    )
)

diloco_table()  # read once, before workers fork and before anyone waits

"""Bytes on the wire of a collective operation, per worker, by how it is done."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, kw_only=True)
class WireBytes:
    """What one worker sends and receives [bytes]; numbers, or arrays over the replica count."""

    sent: Any
    received: Any


def ring_all_reduce(payload_bytes: float, replicas: ArrayLike) -> WireBytes:
    """Sum a payload that every worker holds, in a ring: 2(N - 1)/N payloads each way.

    Parameters
    ----------
    payload_bytes : float
        Size of what each worker contributes, and of the sum [bytes].
    replicas : int or array of int, shape (n,)
        Workers in the ring, at least 1; a single one sends nothing.

    References
    ----------
    P. Patarasuk and X. Yuan, J. Parallel Distrib. Comput. 69, 117 (2009).
    """
    count = _count(replicas)
    return _both_ways(2 * (count - 1) / count * payload_bytes)


def ring_all_gather(payload_bytes: float, replicas: ArrayLike) -> WireBytes:
    """Bring every worker's own payload to all others, in a ring: N - 1 payloads each way."""
    return _both_ways((_count(replicas) - 1) * payload_bytes)


def multicast_all_gather(payload_bytes: float, replicas: ArrayLike) -> WireBytes:
    """All-gather where the switch copies: a worker sends once and still receives N - 1 payloads."""
    count = _count(replicas)
    return WireBytes(
        sent=_plain((count > 1) * payload_bytes), received=_plain((count - 1) * payload_bytes)
    )


def switch_all_reduce(payload_bytes: float, replicas: ArrayLike) -> WireBytes:
    """All-reduce summed in the network: a payload up, the sum down, whatever the replica count.

    References
    ----------
    R. L. Graham et al., Scalable Hierarchical Aggregation Protocol, COMHPC (2016).
    """
    return _both_ways((_count(replicas) > 1) * payload_bytes)


def nvls_all_reduce(payload_bytes: float, replicas: ArrayLike) -> WireBytes:
    """All-reduce by NVLink SHARP: (n + 1)/n payloads each way.

    Each worker is handed the sum of its own shard, a payload's n-th, and
    spreads it by multicast: to the payload read from it comes one shard more.
    """
    count = _count(replicas)
    return _both_ways((count > 1) * (count + 1) / count * payload_bytes)


def crossing_replicas(reduce_bytes: float, gather_bytes: float) -> float:
    """Replica count at which an all-gather moves as much as a ring all-reduce.

    (N - 1) P = 2(N - 1)/N B holds at N = 2B/P; below two there is no crossing,
    for then the all-gather moves more from the start.
    """
    return 2 * reduce_bytes / gather_bytes


def replicas_past_crossing(reduce_bytes: float, gather_bytes: float) -> int:
    """The smallest whole replica count at which the all-gather moves more."""
    return max(2, math.floor(crossing_replicas(reduce_bytes, gather_bytes)) + 1)


def _count(replicas: ArrayLike) -> NDArray[np.float64]:
    count = np.asarray(replicas, dtype=np.float64)
    if np.any(count < 1):
        raise ValueError(f"replicas must be at least 1, got {count.tolist()}")
    return count


def _both_ways(moved: NDArray[Any]) -> WireBytes:
    """In a ring, and wherever a sum comes back, a worker receives what it sends."""
    return WireBytes(sent=_plain(moved), received=_plain(moved))


def _plain(moved: NDArray[Any]) -> Any:
    return float(moved) if np.ndim(moved) == 0 else moved

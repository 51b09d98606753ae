"""A slow oracle of the transit model: every message of every sync, counted and timed."""

from __future__ import annotations

from foptrn_model.transit_params import TransitParams


class Cluster:
    """Data centres of workers; bytes are noted on the links they cross."""

    def __init__(self, params: TransitParams) -> None:
        self.params = params
        self.centres = range(params.datacentres)
        self.workers = [
            (centre, worker) for centre in self.centres for worker in range(params.workers_per_dc)
        ]
        self.fabric = dict.fromkeys(self.workers, 0.0)
        self.wan = dict.fromkeys(self.centres, 0.0)
        self.rounds = 0

    def all_gather(self, payload: float) -> None:
        """Everyone's payload reaches every worker, over the WAN once per receiving centre."""
        for centre, worker in self.workers:
            for other, sender in self.workers:
                if other == centre and sender != worker:
                    self.fabric[centre, worker] += payload
        for centre in self.centres:
            for other, _ in self.workers:
                if other != centre:
                    self.wan[centre] += payload
        self.rounds = int(len(self.centres) > 1)

    def all_reduce(self, payload: float) -> None:
        """A ring in each centre, then each centre's sum up and the total down."""
        workers = self.params.workers_per_dc
        for centre, worker in self.workers:
            for _ in range(2 * (workers - 1)):
                self.fabric[centre, worker] += payload / workers
        if len(self.centres) > 1:
            for centre in self.centres:
                self.wan[centre] += payload  # reduced up
                self.wan[centre] += payload  # broadcast down
            self.rounds = 2


def simulate(params: TransitParams, way: str, steps: int) -> dict[str, float]:
    """Bytes of a sync, and time and energy of ``steps`` steps with a sync after every H of them."""
    cluster = Cluster(params)
    dense = params.n_params * params.bytes_per_value
    band = params.n_params * params.keep * params.bytes_per_value
    topk = params.n_params * params.keep * params.topk_bytes_per_coefficient
    if way == "adamw-allreduce":
        cluster.all_reduce(dense)
    elif way == "topk-allgather":
        cluster.all_gather(topk)
    elif way == "band-allgather":
        cluster.all_gather(band)
    else:
        cluster.all_reduce(band)
    time_s = link_J = 0.0
    for step in range(1, steps + 1):
        time_s += params.compute_ms / 1000
        if step % params.sync_every == 0:
            time_s += cluster.rounds * params.latency_us / 1e6
            time_s += max(cluster.fabric.values()) / params.fabric_GBps / 1e9
            time_s += max(cluster.wan.values()) / params.wan_GBps / 1e9
            for moved in cluster.fabric.values():
                link_J += moved * 8 * params.fabric_pJ_per_bit / 1e12
            for moved in cluster.wan.values():
                link_J += moved * 8 * params.wan_pJ_per_bit / 1e12
    idle_or_not_J = sum(params.worker_W * time_s for _ in cluster.workers)
    return {
        "wan_rounds": cluster.rounds,
        "wan_bytes": max(cluster.wan.values()),
        "fabric_bytes": max(cluster.fabric.values()),
        "time_s": time_s,
        "energy_J": idle_or_not_J + link_J,
    }

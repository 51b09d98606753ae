"""Strategies for states of the transit explorer."""

from hypothesis import strategies as st

from foptrn_model.curves import published_curves
from foptrn_model.transit import TransitParams


def _log(low, high):
    return st.floats(0, 1).map(lambda part: low * (high / low) ** part)


FIELDS = {
    "datacentres": st.integers(1, 64),
    "workers_per_dc": st.one_of(st.integers(1, 16), st.integers(1, 4096)),
    "wan_GBps": _log(0.001, 10_000),
    "fabric_GBps": _log(0.001, 10_000),
    "latency_us": st.one_of(st.just(0.0), _log(1, 1e6)),
    "compute_ms": st.one_of(st.just(0.0), _log(0.01, 1e6)),
    "sync_every": st.one_of(st.just(1), st.integers(1, 10_000)),
    "target_loss": st.floats(1.5, 5.5),
    "band": st.sampled_from(published_curves().bands),
    "n_params": st.integers(1000, 10**13),
    "bytes_per_value": st.floats(0.5, 8),
    "keep": _log(1e-5, 1),
    "topk_bytes_per_coefficient": st.floats(1, 16),
    "worker_W": st.floats(0, 1e5),
    "wan_pJ_per_bit": st.floats(0, 1e6),
    "fabric_pJ_per_bit": st.floats(0, 1e6),
    "loss_penalty_percent": st.one_of(st.just(0.0), st.floats(0, 20)),
    "target_utilisation": st.floats(0.01, 0.999),
}


@st.composite
def raw_transit_states(draw):
    """Some fields of a valid state; the others are left to their defaults."""
    names = draw(st.sets(st.sampled_from(sorted(FIELDS))))
    return {name: draw(FIELDS[name]) for name in sorted(names)}


def transit_states():
    """A valid TransitParams of any kind."""
    return raw_transit_states().map(lambda values: TransitParams(**values))

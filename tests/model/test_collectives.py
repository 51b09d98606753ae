"""Wire bytes of collectives against simulations that pass every chunk and count."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.collectives import (
    crossing_replicas,
    multicast_all_gather,
    nvls_all_reduce,
    replicas_past_crossing,
    ring_all_gather,
    ring_all_reduce,
    switch_all_reduce,
)

RINGS = [1, 2, 3, 4, 8, 13]


class Wire:
    """Counts what each worker sends and receives, one chunk at a time."""

    def __init__(self, workers):
        self.sent = [Fraction(0)] * workers
        self.received = [Fraction(0)] * workers

    def pass_on(self, source, target, size):
        self.sent[source] += size
        self.received[target] += size


def simulate_ring_all_reduce(values, payload):
    """Reduce-scatter, then all-gather, of vectors cut into one chunk per worker."""
    workers = len(values)
    wire, chunk = Wire(workers), Fraction(payload, workers)
    held = [list(row) for row in values]
    for turn in range(workers - 1):
        moving = [(w, (w - turn) % workers, held[w][(w - turn) % workers]) for w in range(workers)]
        for worker, index, value in moving:
            held[(worker + 1) % workers][index] += value
            wire.pass_on(worker, (worker + 1) % workers, chunk)
    for turn in range(workers - 1):
        moving = [
            (w, (w + 1 - turn) % workers, held[w][(w + 1 - turn) % workers]) for w in range(workers)
        ]
        for worker, index, value in moving:
            held[(worker + 1) % workers][index] = value
            wire.pass_on(worker, (worker + 1) % workers, chunk)
    return held, wire


def simulate_ring_all_gather(payload, workers):
    wire = Wire(workers)
    held = [{worker} for worker in range(workers)]
    newest = list(range(workers))
    for _ in range(workers - 1):
        moving = [(worker, newest[worker]) for worker in range(workers)]
        for worker, item in moving:
            neighbour = (worker + 1) % workers
            held[neighbour].add(item)
            newest[neighbour] = item
            wire.pass_on(worker, neighbour, payload)
    assert all(len(found) == workers for found in held)
    return wire


def simulate_nvls(payload, workers):
    """Each worker is sent the sum of its shard by the switch, and multicasts it."""
    sent, received = [Fraction(0)] * workers, [Fraction(0)] * workers
    shard = Fraction(payload, workers)
    for owner in range(workers):
        for worker in range(workers):
            sent[worker] += shard  # the switch reads the shard from all
        received[owner] += shard
        sent[owner] += shard
        for worker in range(workers):
            received[worker] += shard
    return sent, received


@pytest.mark.parametrize("workers", RINGS)
def test_ring_all_reduce_is_the_simulated_ring(workers):
    values = [[(worker + 1) * (index + 1) for index in range(workers)] for worker in range(workers)]
    held, wire = simulate_ring_all_reduce(values, payload=840)
    sums = [sum(row[index] for row in values) for index in range(workers)]
    assert held == [sums] * workers
    found = ring_all_reduce(840, workers)
    assert [found.sent] * workers == pytest.approx([float(size) for size in wire.sent])
    assert [found.received] * workers == pytest.approx([float(size) for size in wire.received])


@pytest.mark.parametrize("workers", RINGS)
def test_ring_all_gather_is_the_simulated_ring(workers):
    wire = simulate_ring_all_gather(7, workers)
    found = ring_all_gather(7, workers)
    assert [found.sent] * workers == wire.sent
    assert [found.received] * workers == wire.received


@pytest.mark.parametrize("workers", RINGS[1:])
def test_nvls_is_the_simulated_switch(workers):
    sent, received = simulate_nvls(840, workers)
    found = nvls_all_reduce(840, workers)
    assert [found.sent] * workers == pytest.approx([float(size) for size in sent])
    assert [found.received] * workers == pytest.approx([float(size) for size in received])


@pytest.mark.parametrize("workers", RINGS)
def test_a_switch_that_copies_or_sums_spares_the_sender(workers):
    copied, summed = multicast_all_gather(7, workers), switch_all_reduce(7, workers)
    assert (copied.sent, copied.received) == ((7, 7 * (workers - 1)) if workers > 1 else (0, 0))
    assert summed.sent == summed.received == (7 if workers > 1 else 0)


@pytest.mark.parametrize(
    "moved",
    [ring_all_reduce, ring_all_gather, multicast_all_gather, switch_all_reduce, nvls_all_reduce],
)
def test_one_worker_moves_nothing_and_arrays_are_the_numbers(moved):
    counts = np.array([1, 2, 5, 64])
    both = moved(1000, counts)
    assert both.sent[0] == both.received[0] == 0
    assert both.sent.tolist() == [moved(1000, int(count)).sent for count in counts]
    assert both.received.tolist() == [moved(1000, int(count)).received for count in counts]
    with pytest.raises(ValueError, match="replicas must be at least 1"):
        moved(1000, 0)


def test_ring_reduce_hardly_grows_while_gather_grows_without_end():
    assert ring_all_reduce(1, 10**6).sent == pytest.approx(2, rel=1e-5)
    assert nvls_all_reduce(1, 10**6).sent == pytest.approx(1, rel=1e-5)
    assert ring_all_gather(1, 10**6).sent == 10**6 - 1


def test_eight_workers_turn_8_and_16_times_smaller_payloads_into_2_and_4_times():
    dense = ring_all_reduce(16, 8).sent
    assert dense / ring_all_gather(16 / 8, 8).sent == 2
    assert dense / ring_all_gather(16 / 16, 8).sent == 4


def llama_topk(bytes_per_coefficient):
    n_params = 8_030_261_248
    return 2 * n_params, n_params * 32 / 4096 * bytes_per_coefficient


def test_published_crossings_of_a_llama_3_8b():
    assert round(crossing_replicas(*llama_topk(12))) == 43
    assert replicas_past_crossing(*llama_topk(12)) == 43
    assert crossing_replicas(*llama_topk(4)) == 128
    assert replicas_past_crossing(*llama_topk(4)) == 129


@given(dense=st.integers(1, 10**12), part=st.floats(1e-4, 3))
def test_past_the_crossing_and_only_there_the_gather_moves_more(dense, part):
    gather = dense * part
    past = replicas_past_crossing(dense, gather)
    assert ring_all_gather(gather, past).sent > ring_all_reduce(dense, past).sent * (1 - 1e-12)
    if past > 2:
        before = ring_all_reduce(dense, past - 1).sent
        assert ring_all_gather(gather, past - 1).sent <= before * (1 + 1e-12)
    here = crossing_replicas(dense, gather)
    if here >= 1:
        assert ring_all_gather(gather, here).sent == pytest.approx(
            ring_all_reduce(dense, here).sent, abs=1e-6 * dense
        )

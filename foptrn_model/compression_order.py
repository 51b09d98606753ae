"""Our own ordering of methods by final loss, beside the published one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from foptrn_model.compression_reference import counterpart, reference
from foptrn_model.demo.methods import method_named
from foptrn_model.measured_runs import MeasuredRuns, Spread, measured_runs

TIE_SDS = 2.0
"""Final losses closer than so many standard deviations of their difference count as equal."""


@dataclass(frozen=True, kw_only=True)
class Placed:
    """One method: our final loss and place, and the published ones where there are any."""

    method: str
    ours: Spread
    rank: int
    """From 1, among all of ours."""
    published_method: str = ""
    published: float | None = None
    small_check: float | None = None


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two methods whose published order is the other way round in ours."""

    published_better: Placed
    ours_better: Placed

    @property
    def gap(self) -> float:
        """How much lower our loss of the one is that was published to be worse."""
        return self.published_better.ours.mean - self.ours_better.ours.mean


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Pairs of two methods that both sides have: ordered alike, the other way round, or too close.

    ``tied`` are those that our spread over seeds cannot tell apart.
    """

    pairs: int
    same: int
    tied: int
    reversed_pairs: tuple[Pair, ...]


@dataclass(frozen=True, kw_only=True)
class Ordering:
    """Methods from the lowest of our final losses, and how the published orders agree.

    ``long`` are the published 3,000 steps, ``check`` is the published check with
    a small model.
    """

    placed: tuple[Placed, ...]
    long: Agreement
    check: Agreement


@cache
def ordering() -> Ordering:
    """The ordering of the runs that are kept with the project."""
    return ordering_of(measured_runs())


def ordering_of(runs: MeasuredRuns) -> Ordering:
    """Compare the final losses of runs with the published ones, pair by pair."""
    placed, sd = _placed(runs), spreads(runs)
    return Ordering(
        placed=placed,
        long=_agreement([(item, item.published) for item in placed], sd),
        check=_agreement([(item, item.small_check) for item in placed], sd),
    )


def _agreement(beside: Sequence[tuple[Placed, float | None]], sd: Mapping[str, float]) -> Agreement:
    same = tied = pairs = 0
    turned: list[Pair] = []
    both = [(item, theirs) for item, theirs in beside if theirs is not None]
    for (one, lower), (other, higher) in combinations(both, 2):  # ours: one is the lower
        if lower == higher:
            continue
        pairs += 1
        apart = TIE_SDS * math.hypot(sd[one.method], sd[other.method])
        if other.ours.mean - one.ours.mean < apart:
            tied += 1
        elif lower < higher:
            same += 1
        else:
            turned.append(Pair(published_better=other, ours_better=one))
    return Agreement(
        pairs=pairs, same=same, tied=tied,
        reversed_pairs=tuple(sorted(turned, key=lambda pair: -pair.gap)),
    )  # fmt: skip


def spreads(runs: MeasuredRuns) -> dict[str, float]:
    """Standard deviation over seeds by method; of one seed, the largest of its family's."""
    largest: dict[str, float] = {}
    for method, found in runs.final.items():
        family = method_named(method).family
        largest[family] = max(largest.get(family, 0.0), found.sd)
    return {
        method: found.sd if len(found.losses) > 1 else largest[method_named(method).family]
        for method, found in runs.final.items()
    }


def _placed(runs: MeasuredRuns) -> tuple[Placed, ...]:
    check = reference().small_check
    found: Sequence[Spread] = sorted(runs.final.values(), key=lambda spread: spread.mean)
    listed = []
    for rank, spread in enumerate(found, start=1):
        beside = counterpart(spread.method)
        listed.append(
            Placed(
                method=spread.method, ours=spread, rank=rank,
                published_method=beside[0] if beside else "",
                published=beside[1] if beside else None,
                small_check=check.get(spread.method),
            )
        )  # fmt: skip
    return tuple(listed)

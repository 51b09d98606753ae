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

    @property
    def stand_in(self) -> bool:
        """Whether the published run beside ours re-set its full scale, which ours did not."""
        return bool(self.published_method) and self.published_method != self.method

    @property
    def published_full_scale_every(self) -> int | None:
        """Steps after which the published run set its full scale anew; None without optics."""
        optics = method_named(self.published_method).optics if self.published_method else None
        return optics.full_scale_every if optics else None


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

    ``tied`` are those that our spread over seeds cannot tell apart; ``raw_same`` and
    ``raw_turned`` count by the means alone, without ties. ``methods`` are compared,
    ``one_seed`` of them ran from a single seed of ours.
    """

    methods: int
    one_seed: int
    pairs: int
    same: int
    tied: int
    reversed_pairs: tuple[Pair, ...]
    raw_same: int
    raw_turned: int


@dataclass(frozen=True, kw_only=True)
class StandIns:
    """Methods whose published run re-set its full scale, and the pairs that they enter."""

    methods: int
    pairs: int
    same: int
    tied: int
    turned: int


@dataclass(frozen=True, kw_only=True)
class Ordering:
    """Methods from the lowest of our final losses, and how the published orders agree.

    ``long`` are the published 3,000 steps, ``check`` is the published check with
    a small model. ``stand_ins`` are part of ``long``; ``borrowed_sd`` is what optics
    and bands of one seed take for their spread.
    """

    placed: tuple[Placed, ...]
    long: Agreement
    check: Agreement
    stand_ins: StandIns
    borrowed_sd: float

    def of(self, method: str) -> Placed:
        """The place of a method."""
        return next(item for item in self.placed if item.method == method)


@cache
def ordering() -> Ordering:
    """The ordering of the runs that are kept with the project."""
    return ordering_of(measured_runs())


def ordering_of(runs: MeasuredRuns) -> Ordering:
    """Compare the final losses of runs with the published ones, pair by pair."""
    placed, sd = _placed(runs), spreads(runs)
    long = _agreement([(item, item.published) for item in placed], sd)
    alike = _agreement([(item, item.published) for item in placed if not item.stand_in], sd)
    return Ordering(
        placed=placed,
        long=long,
        check=_agreement([(item, item.small_check) for item in placed], sd),
        stand_ins=StandIns(
            methods=long.methods - alike.methods, pairs=long.pairs - alike.pairs,
            same=long.same - alike.same, tied=long.tied - alike.tied,
            turned=len(long.reversed_pairs) - len(alike.reversed_pairs),
        ),
        borrowed_sd=max(sd[name] for name in sd if method_named(name).family == "band"),
    )  # fmt: skip


def _agreement(beside: Sequence[tuple[Placed, float | None]], sd: Mapping[str, float]) -> Agreement:
    same = tied = pairs = raw_same = 0
    turned: list[Pair] = []
    both = [(item, theirs) for item, theirs in beside if theirs is not None]
    for (one, lower), (other, higher) in combinations(both, 2):  # ours: one is the lower
        if lower == higher:
            continue
        pairs += 1
        raw_same += lower < higher
        apart = TIE_SDS * math.hypot(sd[one.method], sd[other.method])
        if other.ours.mean - one.ours.mean < apart:
            tied += 1
        elif lower < higher:
            same += 1
        else:
            turned.append(Pair(published_better=other, ours_better=one))
    return Agreement(
        methods=len(both), one_seed=sum(len(item.ours.losses) == 1 for item, _ in both),
        pairs=pairs, same=same, tied=tied, raw_same=raw_same, raw_turned=pairs - raw_same,
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

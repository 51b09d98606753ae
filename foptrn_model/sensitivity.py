"""What matters most: the result against each input, from half to double."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from foptrn_model.headlines import Headline
from foptrn_model.parameters import Params, Spec
from foptrn_model.tables import Column, Table


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One input's effect: the two values tried and the result at each."""

    name: str
    label: str
    low_value: float
    high_value: float
    low_result: float
    high_result: float

    def span(self, base: float) -> float:
        """The farthest that this input alone moves the result from ``base``."""
        return max(abs(self.low_result - base), abs(self.high_result - base))


@dataclass(frozen=True, kw_only=True)
class Tornado:
    """Bars from the widest to the narrowest around one headline of one state."""

    headline: Headline
    base: float
    bars: tuple[Bar, ...]


def tornado(
    params: Params,
    compute: Callable[[Any], Any],
    headline: Headline,
    *,
    skip: Collection[str] = (),
) -> Tornado:
    """Halve and double every number that has an effect in this state, those in ``skip`` aside.

    A value is kept within its field's bounds. Where it would clash with other
    fields (a width that heads do not divide), the nearest one without a clash
    is taken; an input with no other valid value is left out.
    """

    def measure(state: Params) -> float:
        value = headline.value(compute(state))
        if isinstance(value, str):
            raise TypeError(f"{headline.field} is {value!r}: only a number can be varied")
        return value

    base = measure(params)
    bars = []
    for spec in params.specs().values():
        if spec.kind not in ("int", "float") or spec.name in params.inactive():
            continue
        if spec.name in skip:
            continue
        here = params.resolved()[spec.name]
        low = _valid(params, spec, here / 2)
        high = _valid(params, spec, here * 2)
        values = [getattr(state, spec.name) if state else here for state in (low, high)]
        if values == [here, here]:
            continue
        results = [measure(state) if state else base for state in (low, high)]
        bars.append(
            Bar(
                name=spec.name,
                label=spec.label,
                low_value=values[0],
                high_value=values[1],
                low_result=results[0],
                high_result=results[1],
            )
        )
    return Tornado(
        headline=headline, base=base, bars=tuple(sorted(bars, key=lambda bar: -bar.span(base)))
    )


def tornado_table(found: Tornado, title: str) -> Table:
    """What a tornado shows, a row for each input."""
    headline = found.headline
    percent = headline.style == "percent"
    unit = "" if percent else headline.unit
    return Table(
        title=title,
        columns=(
            Column(name="input", label="Input"),
            Column(name="low_value", label="Halved to"),
            Column(name="low_result", label="Result when halved", unit=unit, percent=percent),
            Column(name="high_value", label="Doubled to"),
            Column(name="high_result", label="Result when doubled", unit=unit, percent=percent),
        ),
        rows=[
            [bar.name, bar.low_value, bar.low_result, bar.high_value, bar.high_result]
            for bar in found.bars
        ],
    )


def _valid(params: Params, spec: Spec, value: float) -> Params | None:
    """The state with one field moved; None where no other field may stay as it is."""
    value = min(max(value, spec.low), spec.high)
    moved = params.model_dump() | {spec.name: round(value) if spec.kind == "int" else value}
    state, _ = params.beside(moved)
    others = [name for name in moved if name != spec.name]
    same = all(getattr(state, name) == getattr(params, name) for name in others)
    return state if same else None

"""What the Amdahl page shows beyond the result: series for figures, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foptrn_model import sensitivity
from foptrn_model.amdahl import (
    AmdahlParams,
    AmdahlResult,
    LengthSweep,
    RateSweep,
    StepFlop,
    compute_amdahl,
    length_sweep,
    rate_sweep,
    variant_flop,
)
from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.conventions import PARTS, CountedBy, explain_conventions
from foptrn_model.headlines import TIME_SHARE
from foptrn_model.ledger import CLASSES, VARIANTS
from foptrn_model.sensitivity import Tornado, tornado
from foptrn_model.tables import Column, Table
from foptrn_model.text import si


@dataclass(frozen=True, kw_only=True)
class AmdahlSeries:
    """What the figures show beyond the result; each part is computed when first asked for.

    While dragging only two of six figures are drawn, and of a pinned state
    even less is shown.
    """

    params: AmdahlParams

    @cached_property
    def variants(self) -> dict[str, StepFlop]:
        """The ledger of every variant."""
        return variant_flop(self.params)

    @cached_property
    def sweep(self) -> LengthSweep:
        """Share and bound over sequence length."""
        return length_sweep(self.params)

    @cached_property
    def rates(self) -> RateSweep:
        """Share of the time over the rate of transforms."""
        return rate_sweep(self.params)

    @cached_property
    def conventions(self) -> dict[str, CountedBy]:
        """The dense transformer's step under every convention."""
        return explain_conventions(self.params.model_shape, self.params.seq_len)

    @cached_property
    def tornado(self) -> Tornado:
        """The share of the step's time with each input halved and doubled."""
        return tornado(self.params, compute_amdahl, TIME_SHARE)


def amdahl_series(params: AmdahlParams) -> AmdahlSeries:
    """Every variant, length, rate and convention around one state."""
    return AmdahlSeries(params=params)


def ledger_table(params: AmdahlParams, result: AmdahlResult, series: AmdahlSeries) -> Table:
    """FLOP per token of every variant, by class and direction."""
    rows = []
    for variant in VARIANTS:
        flop = series.variants[variant]
        by_direction = [asdict(flop.forward), asdict(flop.backward), asdict(flop.step)]
        for name in (*CLASSES, "total"):
            values = [direction[name] for direction in by_direction]
            rows.append([variant, name, *values, values[-1] / flop.step.total])
    return Table(
        title="FLOP per token by class and direction",
        columns=(
            Column(name="variant", label="Variant"),
            Column(name="flop_class", label="Class"),
            Column(name="forward_flop_per_token", label="Forward", unit="FLOP/token"),
            Column(name="backward_flop_per_token", label="Backward", unit="FLOP/token"),
            Column(name="step_flop_per_token", label="Step", unit="FLOP/token"),
            Column(name="share_of_step", label="Share of step", percent=True),
        ),
        rows=rows,
    )


def length_table(params: AmdahlParams, result: AmdahlResult, series: AmdahlSeries) -> Table:
    """Static share and bound of every variant, by sequence length."""
    sweep = series.sweep
    return _table_by_variant(
        "Static share and bound by sequence length",
        Column(name="seq_len", label="Tokens"),
        sweep.seq_len,
        (
            (Column(name="static_share_", label=" share", percent=True), sweep.static_share),
            (
                Column(name="amdahl_bound_", label=" bound", unit="\u00d7", digits=5),
                sweep.amdahl_bound,
            ),
        ),
    )


def training_table(params: AmdahlParams, result: AmdahlResult, series: AmdahlSeries) -> Table:
    """The share forward only, in training, and were data-by-data products free as well."""
    rows = []
    for variant in VARIANTS:
        flop = series.variants[variant]
        rows.append(
            [
                variant,
                flop.forward.static / flop.forward.total,
                flop.step.static / flop.step.total,
                (flop.step.static + flop.step.data_by_data) / flop.step.total,
            ]
        )
    return Table(
        title="Static share forward only and in training",
        columns=(
            Column(name="variant", label="Variant"),
            Column(name="forward_share", label="Forward only", percent=True),
            Column(name="training_share", label="Training step", percent=True),
            Column(
                name="training_share_with_data_by_data",
                label="Training, data-by-data included",
                percent=True,
            ),
        ),
        rows=rows,
    )


def rate_table(params: AmdahlParams, result: AmdahlResult, series: AmdahlSeries) -> Table:
    """Share of the time of every variant, by the rate of transforms."""
    rates = series.rates
    return _table_by_variant(
        "Static share of the time by FFT rate",
        Column(name="fft_rate", label="FFT rate"),
        rates.fft_rate,
        (
            (Column(name="step_", label=", step", percent=True), rates.step),
            (Column(name="forward_", label=", forward", percent=True), rates.forward),
        ),
    )


def _table_by_variant(
    title: str,
    first: Column,
    along: NDArray[Any],
    parts: Sequence[tuple[Column, dict[str, NDArray[np.float64]]]],
) -> Table:
    """A table along an axis, with one column of each part for every variant."""
    columns, values = [first], [along.tolist()]
    for variant in VARIANTS:
        for column, arrays in parts:
            columns.append(
                replace(
                    column,
                    name=column.name + variant.replace("-", "_"),
                    label=VARIANT_LABELS[variant] + column.label,
                )
            )
            values.append(arrays[variant].tolist())
    rows = [list(row) for row in zip(*values, strict=True)]
    return Table(title=title, columns=columns, rows=rows)


def conventions_table(params: AmdahlParams, result: AmdahlResult, series: AmdahlSeries) -> Table:
    """The dense transformer's step under every convention, each difference named."""
    megatron, reference = result.conventions.megatron, series.conventions["megatron"]
    return Table(
        title="FLOP per token of the dense transformer's step, by convention",
        columns=(
            Column(name="convention", label="Convention"),
            Column(name="flop_per_token", label="Step", unit="FLOP/token"),
            Column(name="over_megatron", label="Over Megatron-LM", percent=True),
            Column(name="difference", label="Difference from Megatron-LM"),
        ),
        rows=[
            [row.label, row.flop, row.flop / megatron - 1, name_differences(row, reference)]
            for row in series.conventions.values()
        ],
    )


def name_differences(row: CountedBy, reference: CountedBy) -> str:
    """Every difference between two conventions, with its size."""
    signs = {True: "+", False: "\u2212"}
    parts = [
        f"{PARTS[part]} {signs[flop > 0]}{si(abs(flop))}"
        for part, flop in row.differences(reference)
    ]
    return "; ".join(parts) or "the reference"


def tornado_table(params: AmdahlParams, result: AmdahlResult, series: AmdahlSeries) -> Table:
    """The share of the step's time with each input halved and doubled."""
    return sensitivity.tornado_table(
        series.tornado,
        "Share of the step's time with each input halved and doubled, within its bounds",
    )

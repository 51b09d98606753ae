"""What the Amdahl page shows beyond the result: series for figures, and tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass

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
    """What the figures show beyond the result."""

    variants: dict[str, StepFlop]
    sweep: LengthSweep
    rates: RateSweep
    conventions: dict[str, CountedBy]
    tornado: Tornado


def amdahl_series(params: AmdahlParams) -> AmdahlSeries:
    """Evaluate every variant, length, rate and convention around one state."""
    return AmdahlSeries(
        variants=variant_flop(params),
        sweep=length_sweep(params),
        rates=rate_sweep(params),
        conventions=explain_conventions(params.model_shape, params.seq_len),
        tornado=tornado(params, compute_amdahl, TIME_SHARE),
    )


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
    columns = [Column(name="seq_len", label="Tokens")]
    values = [sweep.seq_len.tolist()]
    for variant in VARIANTS:
        name, label = variant.replace("-", "_"), VARIANT_LABELS[variant]
        columns.append(Column(name=f"static_share_{name}", label=f"{label} share", percent=True))
        values.append(sweep.static_share[variant].tolist())
        columns.append(
            Column(name=f"amdahl_bound_{name}", label=f"{label} bound", unit="\u00d7", digits=5)
        )
        values.append(sweep.amdahl_bound[variant].tolist())
    return Table(
        title="Static share and bound by sequence length",
        columns=columns,
        rows=[list(row) for row in zip(*values, strict=True)],
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
    columns = [Column(name="fft_rate", label="FFT rate")]
    values = [rates.fft_rate.tolist()]
    for variant in VARIANTS:
        name, label = variant.replace("-", "_"), VARIANT_LABELS[variant]
        columns.append(Column(name=f"step_{name}", label=f"{label}, step", percent=True))
        values.append(rates.step[variant].tolist())
        columns.append(Column(name=f"forward_{name}", label=f"{label}, forward", percent=True))
        values.append(rates.forward[variant].tolist())
    return Table(
        title="Static share of the time by FFT rate",
        columns=columns,
        rows=[list(row) for row in zip(*values, strict=True)],
    )


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
    return Table(
        title="Share of the step's time with each input halved and doubled, within its bounds",
        columns=(
            Column(name="input", label="Input"),
            Column(name="low_value", label="Halved to"),
            Column(name="low_result", label="Share then", percent=True),
            Column(name="high_value", label="Doubled to"),
            Column(name="high_result", label="Share then", percent=True),
        ),
        rows=[
            [bar.name, bar.low_value, bar.low_result, bar.high_value, bar.high_result]
            for bar in series.tornado.bars
        ],
    )

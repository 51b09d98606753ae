"""Tables of the precision explorer: the numbers of each figure."""

from __future__ import annotations

from typing import Any

from foptrn_model.number_formats import FORMAT_NAMES
from foptrn_model.precision import OPTICAL_VARIANTS, PrecisionParams, PrecisionResult
from foptrn_model.precision_series import PrecisionSeries
from foptrn_model.tables import Column, Table


def formats_table(
    params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries
) -> Table:
    """Every format: error, ENOB that matches with quartiles, SQNR, passes."""
    return Table(
        title="Number formats on this state's gradients, medians over the draws",
        columns=(
            Column(name="format", label="Format"),
            Column(name="relative_rms", label="Error", unit="%", percent=True),
            Column(name="enob_to_match", label="ENOB that matches", unit="bit"),
            Column(name="enob_q1", label="Lower quartile", unit="bit"),
            Column(name="enob_q3", label="Upper quartile", unit="bit"),
            Column(name="sqnr_db", label="SQNR", unit="dB"),
            Column(name="passes_at_enob", label="Passes at this ENOB"),
        ),
        rows=[
            [
                name, found.relative_rms, found.enob_to_match, found.enob_q1, found.enob_q3,
                found.sqnr_db, found.passes_at_enob,
            ]
            for name, found in result.formats.items()
        ],
    )  # fmt: skip


def noise_table(params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries) -> Table:
    """Noise by ENOB, and which formats a read-out of it matches."""
    sweep, formats = series.noise, result.formats
    rows: list[list[Any]] = []
    for enob, one, averaged in zip(
        sweep.enob.tolist(), sweep.one_pass.tolist(), sweep.averaged.tolist(), strict=True
    ):
        matched = [name for name in FORMAT_NAMES if formats[name].relative_rms >= averaged]
        rows.append([enob, one, averaged, ", ".join(matched) or "none"])
    return Table(
        title="Noise of the read-out by ENOB",
        columns=(
            Column(name="enob", label="ENOB", unit="bit"),
            Column(name="noise_one_pass", label="Noise, one pass", unit="%", percent=True),
            Column(name="noise_averaged", label="Noise, as averaged", unit="%", percent=True),
            Column(name="matches", label="No worse than"),
        ),
        rows=rows,
    )


def crest_table(params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries) -> Table:
    """ENOB that matches each format, by distribution."""
    rows = [
        [
            point.distribution, point.sample.values, point.draws, point.sample.crest[1], name,
            point.sample.enob_to_match(name), point.sample.enob[name][0],
            point.sample.enob[name][2],
        ]
        for point in series.crest
        for name in FORMAT_NAMES
    ]  # fmt: skip
    return Table(
        title="ENOB that matches a format, by distribution",
        columns=(
            Column(name="distribution", label="Gradients"),
            Column(name="values", label="Values"),
            Column(name="draws", label="Draws"),
            Column(name="crest", label="Crest factor"),
            Column(name="format", label="Format"),
            Column(name="enob_to_match", label="ENOB that matches", unit="bit"),
            Column(name="enob_q1", label="Lower quartile", unit="bit"),
            Column(name="enob_q3", label="Upper quartile", unit="bit"),
        ),
        rows=rows,
    )


def passes_table(
    params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries
) -> Table:
    """Passes to average for each format, by ENOB."""
    columns = [series.noise.enob.tolist(), *series.passes.values()]
    return Table(
        title="Passes to average until a read-out matches a format",
        columns=(
            Column(name="enob", label="ENOB", unit="bit"),
            *(Column(name=f"passes_{name}", label=name) for name in series.passes),
        ),
        rows=[list(row) for row in zip(*columns, strict=True)],
    )


def histogram_table(
    params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries
) -> Table:
    """Share of the first draw per bin, and the format's values in it."""
    found = series.histogram
    edges = found.edges.tolist()
    rows = [
        [low, high, share, int(((found.grid >= low) & (found.grid < high)).sum())]
        for low, high, share in zip(edges[:-1], edges[1:], found.share.tolist(), strict=True)
    ]
    return Table(
        title=f"First draw by size, and values that {params.show_format} has there",
        columns=(
            Column(name="from_rms", label="From", unit="RMS"),
            Column(name="to_rms", label="To", unit="RMS"),
            Column(name="share", label="Share of values", unit="%", percent=True),
            Column(name="levels", label="Values of the format"),
        ),
        rows=rows,
    )


def planes_table(
    params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries
) -> Table:
    """Error of the emulated planes by their number."""
    sweep = series.planes
    columns = [sweep.planes, sweep.noise_factor, sweep.noiseless, sweep.read_out]
    return Table(
        title="White input through bit planes, lowest sixteenth of a 256-point DCT",
        columns=(
            Column(name="planes", label="Planes"),
            Column(name="noise_factor", label="Noise factor"),
            Column(name="noiseless", label="Error without noise", unit="%", percent=True),
            Column(name="read_out", label="Error as read out", unit="%", percent=True),
        ),
        rows=[list(row) for row in zip(*columns, strict=True)],
    )


def loop_table(params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries) -> Table:
    """Published runs with emulated planes; not recomputed."""
    return Table(
        title="Published training runs with emulated planes, last validation loss",
        columns=(
            Column(name="feedback", label="Error feedback"),
            Column(name="planes", label="Planes"),
            Column(name="enob", label="ENOB", unit="bit"),
            Column(name="steps", label="Steps"),
            Column(name="loss", label="Final loss"),
        ),
        rows=[[run.feedback, run.planes, run.enob, run.steps, run.loss] for run in series.loop],
    )


def conversion_table(
    params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries
) -> Table:
    """Energy per token by ENOB: converting, against computing."""
    sweep, found = series.conversion, result.conversion
    rows = [
        [
            variant, enob, joules, found[variant].digital_J_per_token,
            joules / found[variant].digital_J_per_token,
        ]
        for variant in OPTICAL_VARIANTS
        for enob, joules in zip(
            sweep.enob.tolist(), sweep.conversion_J[variant].tolist(), strict=True
        )
    ]  # fmt: skip
    return Table(
        title="Energy per token by ENOB",
        columns=(
            Column(name="variant", label="Variant"),
            Column(name="enob", label="ENOB", unit="bit"),
            Column(name="conversion_J", label="Conversion", unit="J"),
            Column(name="digital_J", label="Digital", unit="J"),
            Column(name="conversion_over_digital", label="Conversion / digital", unit="\u00d7"),
        ),
        rows=rows,
    )


def tornado_table(
    params: PrecisionParams, result: PrecisionResult, series: PrecisionSeries
) -> Table:
    """Hyena's break-even ENOB with each input halved and doubled."""
    return Table(
        title="Break-even ENOB of Hyena-2, each input halved and doubled within its bounds",
        columns=(
            Column(name="input", label="Input"),
            Column(name="low_value", label="Halved to"),
            Column(name="low_result", label="ENOB when halved", unit="bit"),
            Column(name="high_value", label="Doubled to"),
            Column(name="high_result", label="ENOB when doubled", unit="bit"),
        ),
        rows=[
            [bar.name, bar.low_value, bar.low_result, bar.high_value, bar.high_result]
            for bar in series.tornado.bars
            if bar.span(series.tornado.base)
        ],
    )


PRECISION_TABLES = {
    "formats": formats_table,
    "noise": noise_table,
    "crest": crest_table,
    "passes": passes_table,
    "histogram": histogram_table,
    "planes": planes_table,
    "loop": loop_table,
    "conversion": conversion_table,
    "tornado": tornado_table,
}

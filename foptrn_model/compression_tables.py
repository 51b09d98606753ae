"""Tables of the compression explorer: the numbers of each figure."""

from __future__ import annotations

from typing import Any

from foptrn_model import sensitivity
from foptrn_model.compression import CompressionParams, CompressionResult
from foptrn_model.compression_series import CompressionSeries
from foptrn_model.compression_words import SELECTOR_LABELS, optics_of
from foptrn_model.demo.selectors import SELECTORS
from foptrn_model.tables import Column, Table

STEP = Column(name="step", label="Step")
METHOD = Column(name="method", label="Method")
LOSS = Column(name="val_loss", label="Validation loss", unit="nat/byte", digits=5)


def selectors_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """What every selector captures in this state, and a worker's bytes per step."""
    sent = result.payload_bytes
    return Table(
        title="Selectors in this state, and their payload in the published model",
        columns=(
            Column(name="selector", label="Selector"),
            Column(name="captured", label="Captured energy", unit="%", percent=True),
            Column(name="kept", label="Kept in each chunk"),
            Column(name="of", label="of"),
            Column(name="payload_bytes", label="Payload", unit="bytes"),
            Column(name="payload_int64", label="with int64 indices", unit="bytes"),
        ),
        rows=[
            [
                SELECTOR_LABELS[name], share, result.kept, result.points,
                sent["topk"] if name == "topk" else sent["band"],
                sent["topk_int64"] if name == "topk" else "",
            ]
            for name, share in result.captured_energy.items()
        ],
    )  # fmt: skip


def keep_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """Captured energy by share kept."""
    sweep = series.keep_sweep
    columns = [sweep.keep.tolist(), *(sweep.captured[name].tolist() for name in SELECTORS)]
    return Table(
        title="Captured energy by share of coefficients kept",
        columns=(
            Column(name="keep", label="Kept", unit="%", percent=True),
            *(
                Column(name=name, label=SELECTOR_LABELS[name], unit="%", percent=True)
                for name in SELECTORS
            ),
        ),
        rows=[list(row) for row in zip(*columns, strict=True)],
    )


def map_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """The coefficients with most energy, and whether the selector drawn takes them."""
    energy = series.energy_map
    flat, width = energy.ravel(), energy.shape[-1]
    taken = set(series.drawn_places.tolist())
    most = (-flat).argsort(kind="stable")[:256].tolist()
    return Table(
        title="The 256 coefficients with most energy, over the mean of all",
        columns=(
            Column(name="row", label="Row"),
            Column(name="column", label="Column"),
            Column(name="energy", label="Energy over the mean"),
            Column(name="taken", label=f"Taken by {SELECTOR_LABELS[params.show]}"),
        ),
        rows=[
            [
                place // width if energy.ndim == 2 else 0, place % width, float(flat[place]),
                "yes" if place in taken else "no",
            ]
            for place in most
        ],
    )  # fmt: skip


def tensors_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """What selectors capture of our model's tensors, beside the published shares."""
    return Table(
        title="Captured energy of tensors of our run with a low band of 64 \u00d7 64, cut as "
        f"{params.chunk}, beside the published",
        columns=(
            Column(name="tensor", label="Tensor"),
            Column(name="selector", label="Selector"),
            Column(name="ours", label="Ours", unit="%", percent=True),
            Column(name="published", label="Published at 1/16", unit="%", percent=True),
        ),
        rows=[
            [
                found.tensor, SELECTOR_LABELS[found.selector], found.ours,
                "" if found.published is None else found.published,
            ]
            for found in series.by_tensor
        ],
    )  # fmt: skip


def live_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """The live experiment of this state; no rows until it has been run."""
    return Table(
        title="Live experiment with this state's chunks and optics",
        columns=(METHOD, STEP, LOSS),
        rows=[
            [run.method, step, loss]
            for run in series.live_runs
            for step, loss in zip(run.steps, run.val_loss, strict=True)
        ],
    )


def curves_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """Our measured runs: loss by step and by bytes, shares and clip rate."""
    measured = series.measured
    rows: list[list[Any]] = []
    for run in measured.runs:
        each = measured.bytes_per_step(run.method)
        for index, step in enumerate(run.steps):
            seen = (run.low_share, run.topk_share, run.own_share, run.clip_rate)
            rows.append(
                [
                    run.method, run.seed, step, run.val_loss[index], each * step,
                    *("" if found[index] is None else found[index] for found in seen),
                ]
            )  # fmt: skip
    return Table(
        title="Our own training runs",
        columns=(
            METHOD,
            Column(name="seed", label="Seed"),
            STEP,
            LOSS,
            Column(name="sent_bytes", label="Sent by a worker", unit="bytes"),
            Column(
                name="low_share", label="Delta in the low band, all workers", unit="%", percent=True
            ),
            Column(name="topk_share", label="Delta in top-k", unit="%", percent=True),
            Column(name="own_share", label="Delta in what is sent", unit="%", percent=True),
            Column(name="clip_rate", label="Clipped", unit="%", percent=True),
        ),
        rows=rows,
    )


def optics_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """Our runs through emulated optics, beside the published ends."""
    placed = {item.method: item for item in series.order.placed}
    rows: list[list[Any]] = []
    for run in series.optics_runs():
        optics, beside = optics_of(run.method), placed[run.method]
        clipped = [rate for rate in run.clip_rate if rate is not None]
        rows.append(
            [
                optics.feedback, optics.enob, optics.planes, optics.full_scale_every,
                beside.ours.mean, clipped[-1] if clipped else "",
                "" if beside.published is None else beside.published,
                _or_nothing(beside.published_full_scale_every),
                "" if beside.small_check is None else beside.small_check,
            ]
        )  # fmt: skip
    return Table(
        title="Emulated optics: final losses, ours in nat per byte, published in nat per token",
        columns=(
            Column(name="feedback", label="Feedback"),
            Column(name="enob", label="ENOB (0: no noise)", unit="bit"),
            Column(name="planes", label="Planes"),
            Column(name="full_scale_every", label="Ours: full scale set every", unit="steps"),
            Column(name="ours", label="Ours"),
            Column(name="clip_rate", label="Clipped at the end", unit="%", percent=True),
            Column(name="published", label="Published, 3,000 steps"),
            Column(
                name="published_full_scale_every", label="Published: full scale set every",
                unit="steps",
            ),
            Column(name="small_check", label="Published small check, 600 steps"),
        ),
        rows=rows,
    )  # fmt: skip


def _or_nothing(found: int | None) -> int | str:
    return "" if found is None else found


def order_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """Our ordering of all methods, the published ends beside it."""
    return Table(
        title="Methods from the lowest of our final losses, the published ends beside them",
        columns=(
            Column(name="rank", label="Place"),
            METHOD,
            Column(name="ours", label="Ours", unit="nat/byte"),
            Column(name="sd", label="Sd over seeds"),
            Column(name="seeds", label="Seeds"),
            Column(name="published", label="Published", unit="nat/token"),
            Column(name="published_method", label="Published as"),
            Column(name="small_check", label="Published small check"),
        ),
        rows=[
            [
                item.rank, item.method, item.ours.mean, item.ours.sd, len(item.ours.losses),
                "" if item.published is None else item.published, item.published_method,
                "" if item.small_check is None else item.small_check,
            ]
            for item in series.order.placed
        ],
    )  # fmt: skip


def pairs_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """Pairs of methods whose published order is the other way round in our runs."""
    return Table(
        title="Pairs that our runs order the other way round",
        columns=(
            Column(name="lower_ours", label="Lower in ours"),
            Column(name="ours_lower", label="Ours"),
            Column(name="published_higher", label="Published"),
            Column(name="published_higher_as", label="Published as"),
            Column(name="lower_published", label="Lower in the published"),
            Column(name="ours_higher", label="Ours"),
            Column(name="published_lower", label="Published"),
            Column(name="published_lower_as", label="Published as"),
        ),
        rows=[
            [
                found
                for item in (pair.ours_better, pair.published_better)
                for found in (item.method, item.ours.mean, item.published, item.published_method)
            ]
            for pair in series.order.long.reversed_pairs
        ],
    )  # fmt: skip


def sweep_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """Learning rates tried before the runs, and where each ended."""
    return Table(
        title="Learning rates tried, 200 steps each",
        columns=(METHOD, Column(name="rate", label="Learning rate"), LOSS),
        rows=[[run.method, run.rate, run.final_loss] for run in series.measured.sweep],
    )


def tornado_table(
    params: CompressionParams, result: CompressionResult, series: CompressionSeries
) -> Table:
    """The band's error with each input halved and doubled."""
    return sensitivity.tornado_table(
        series.tornado, "Error of the optical band, each input halved and doubled"
    )


COMPRESSION_TABLES = {
    "selectors": selectors_table,
    "keep": keep_table,
    "map": map_table,
    "tensors": tensors_table,
    "live": live_table,
    "curves": curves_table,
    "optics": optics_table,
    "order": order_table,
    "pairs": pairs_table,
    "sweep": sweep_table,
    "tornado": tornado_table,
}

"""The transit result in words: verdict and working."""

from __future__ import annotations

from foptrn_model.break_even import SEARCH_HIGH_GBPS, SEARCH_LOW_GBPS, BreakEven, crossing_rate
from foptrn_model.collectives import crossing_replicas
from foptrn_model.diloco import BACKWARD_SHARE, BUCKETS
from foptrn_model.text import THIN_SPACE, duration, group_digits, percent, si, significant
from foptrn_model.transit import (
    NOT_APPLICABLE,
    NOT_REACHED,
    TransitResult,
    Way,
    loss_factor,
    method_of,
    times_over_rate,
)
from foptrn_model.transit_assumptions import curves_params, transit_assumptions, transit_sources
from foptrn_model.transit_params import MEASURED, TransitParams
from foptrn_model.transit_step import (
    BAND_GATHER,
    BAND_SWITCH,
    DENSE,
    TOPK,
    WAYS,
    StepParts,
    step_parts,
    traffic,
)
from foptrn_model.transit_words import WAY_LABELS, counted, rate, sized, timed
from foptrn_model.working import Step, Working

SUBJECTS = {
    DENSE: "dense AdamW",
    TOPK: "top-k by all-gather",
    BAND_GATHER: "the gathered band",
    BAND_SWITCH: "the band summed at the switch",
}
SPEC_SOURCE = "time model of this explorer: parts one after the other, nothing overlaps"
CURVE_SOURCE = "mean over seeds, linear between evaluations to the first that meets the target"


def transit_verdict(params: TransitParams, result: TransitResult) -> str:
    """Who is first at the target, where a band would beat dense AdamW, and on whose curves."""
    sentence = _sentence(params, result)
    if params.curves != MEASURED:
        return sentence
    return (
        f"On the curves of our own small model ({group_digits(curves_params(params))} parameters, "
        f"losses in nat per byte): {sentence[0].lower()}{sentence[1:]}"
    )


def _sentence(params: TransitParams, result: TransitResult) -> str:
    target = f"a loss of {significant(params.target_loss, 4)}"
    if result.fastest == NOT_REACHED:
        lowest, method = min(_lowest_losses(params))
        raised = (
            f", raised by {group_digits(params.loss_penalty_percent)}{THIN_SPACE}% for rare syncs"
            if loss_factor(params, params.sync_every) > 1
            else ""
        )
        return (
            f"With {params.band} as the band no way of syncing reaches {target}: the lowest of the "
            f"methods compared is {significant(lowest, 4)}{raised}, by {method}."
        )
    first, dense = result.ways[result.fastest], result.ways[DENSE]
    subject = SUBJECTS[result.fastest]
    times = [way.time_s for way in result.ways.values()]
    if times.count(first.time_s) == len(times):
        return f"Every way of syncing is equally fast to {target}: {_after(first)}."
    sentence = f"{subject[0].upper()}{subject[1:]} is first at {target}, after {_after(first)}"
    if result.fastest != DENSE:
        sentence += (
            f" against {_after(dense)} for dense AdamW"
            if dense.reached
            else ", a loss that dense AdamW does not reach"
        )
    sentence += _about_bands(params, result)
    if params.sync_every > 1:
        sentence += (
            f", all this if steps to a loss stay the same with a sync every "
            f"{group_digits(params.sync_every)} steps"
            if params.loss_penalty_percent == 0
            else f", all this with losses {group_digits(params.loss_penalty_percent)}"
            f"{THIN_SPACE}% higher for a sync every {group_digits(params.sync_every)} steps"
        )
    return sentence + "."


def _after(way: Way) -> str:
    """A time, or at most a time where the target was met when first measured."""
    return ("at most " if way.at_first_evaluation else "") + timed(way.time_s)


def _about_bands(params: TransitParams, result: TransitResult) -> str:
    if not result.ways[BAND_GATHER].reached:
        return f"; {params.band} never gets there"
    if not result.ways[DENSE].reached:
        return ""
    gathered, switched = result.break_even[BAND_GATHER], result.break_even[BAND_SWITCH]
    if params.datacentres == 1:
        beats, does = (
            verb if found.kind == "always" else refused
            for found, verb, refused in (
                (gathered, "beats", "does not beat"),
                (switched, "does", "does not"),
            )
        )
        return (
            f"; within one data centre the gathered band {beats} AdamW, and summed at the switch "
            f"it {does}"
        )
    return (
        f"; at WAN rates from {SEARCH_LOW_GBPS:g} to {group_digits(SEARCH_HIGH_GBPS)}{THIN_SPACE}"
        f"GB/s the gathered band {beats_where(gathered, 'beats AdamW')}, and summed at the switch it "
        f"{beats_where(switched, 'does')}"
        + (
            ""
            if SEARCH_LOW_GBPS <= params.wan_GBps <= SEARCH_HIGH_GBPS
            else f" (the {rate(params.wan_GBps)} here lie outside)"
        )
    )


def beats_where(found: BreakEven, verb: str) -> str:
    """Never beats, always beats, or beats below a rate."""
    if found.GBps is None:
        return f"{found.kind} {verb}"
    return f"{verb} {found.wins} {rate(found.GBps)}"


def _lowest_losses(params: TransitParams) -> list[tuple[float, str]]:
    factor = loss_factor(params, params.sync_every)
    methods = {method_of(params, way) for way in WAYS} - {None}
    return [(factor * min(params.loss_curves[method].loss), method) for method in methods if method]


def transit_working(params: TransitParams, result: TransitResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    return Working(
        steps=[
            *_payload_steps(params, result),
            *_step_time_steps(params),
            *_target_steps(params, result),
            *_break_even_steps(params, result),
            *_ring_steps(params, result),
            *_share_steps(params, result),
        ],
        assumptions=transit_assumptions(params),
        sources=transit_sources(params),
    )


def _payload_steps(params: TransitParams, result: TransitResult) -> list[Step]:
    count, size = group_digits(params.n_params), group_digits(params.bytes_per_value)
    keep = group_digits(params.keep)
    coefficient = group_digits(params.topk_bytes_per_coefficient)
    source = "payload of one worker and one sync"
    return [
        Step(
            name="Dense payload B",
            formula="parameters \u00d7 bytes per value",
            substituted=f"{count} \u00d7 {size}",
            value=sized(result.payload_bytes["adamw"]),
            source=source,
        ),
        Step(
            name="Band's payload P",
            formula="B \u00d7 share kept",
            substituted=f"{sized(result.payload_bytes['adamw'])} \u00d7 {keep}",
            value=sized(result.payload_bytes["band"]),
            source=f"{source}; a fixed band needs no indices",
        ),
        Step(
            name="Top-k payload P\u2096",
            formula="parameters \u00d7 share kept \u00d7 bytes per coefficient",
            substituted=f"{count} \u00d7 {keep} \u00d7 {coefficient}",
            value=sized(result.payload_bytes["topk"]),
            source="Peng et al., DeMo, arXiv 2411.19870: value and index",
            glossary="demo",
        ),
    ]


def _step_time_steps(params: TransitParams) -> list[Step]:
    moved, parts = traffic(params), step_parts(params)
    every = group_digits(params.sync_every)
    return [
        Step(
            name=f"Step time: {WAY_LABELS[way]}",
            formula="c + (rounds \u00d7 L + fabric / f + WAN / w) / H",
            substituted=f"{group_digits(params.compute_ms)}{THIN_SPACE}ms + "
            f"({moved[way].wan_rounds} \u00d7 {group_digits(params.latency_us)}{THIN_SPACE}\u00b5s + "
            f"{sized(moved[way].fabric_bytes)} / {rate(params.fabric_GBps)} + "
            f"{sized(moved[way].wan_bytes)} / {rate(params.wan_GBps)}) / {every}",
            value=duration(parts[way].total_s),
            source=SPEC_SOURCE,
            glossary="time-to-loss",
        )
        for way in WAYS
    ]


def _target_steps(params: TransitParams, result: TransitResult) -> list[Step]:
    first = result.ways[DENSE if result.fastest == NOT_REACHED else result.fastest]
    name = WAY_LABELS[DENSE if result.fastest == NOT_REACHED else result.fastest]
    listed = [
        Step(
            name=f"Time to the target: {WAY_LABELS[way]}",
            formula="steps to the loss \u00d7 step time",
            substituted=f"{counted(found.steps)} \u00d7 {duration(found.step_time_s)}"
            f" to {group_digits(params.target_loss)}, curve {found.method}",
            value=timed(found.time_s)
            + (" at most: met when first measured" if found.at_first_evaluation else ""),
            source=CURVE_SOURCE,
            glossary="time-to-loss",
        )
        for way, found in result.ways.items()
    ]
    workers = params.datacentres * params.workers_per_dc
    every = group_digits(params.sync_every)
    energy = first.energy_J
    listed.append(
        Step(
            name=f"Energy to the target: {name}",
            formula="steps \u00d7 (N \u00d7 power \u00d7 step time + 8 (N \u00d7 fabric \u00d7 e_f + "
            "D \u00d7 WAN \u00d7 e_w) / H)",
            substituted=f"{counted(first.steps)} \u00d7 ({workers} \u00d7 {group_digits(params.worker_W)}"
            f"{THIN_SPACE}W \u00d7 {duration(first.step_time_s)} + 8 ({workers} \u00d7 "
            f"{sized(first.fabric_bytes)} \u00d7 {group_digits(params.fabric_pJ_per_bit)}{THIN_SPACE}pJ + "
            f"{params.datacentres} \u00d7 {sized(first.wan_bytes)} \u00d7 "
            f"{group_digits(params.wan_pJ_per_bit)}{THIN_SPACE}pJ) / {every})",
            value=energy if isinstance(energy, str) else si(energy, "J"),
            source="energy model of this explorer: bytes of a sync, both ends of a link",
            glossary="time-to-loss",
        )
    )
    return listed


def _break_even_steps(params: TransitParams, result: TransitResult) -> list[Step]:
    times = times_over_rate(params)
    dense, listed = times[DENSE], []
    for way, found in result.break_even.items():
        time = times[way]
        closed = crossing_rate(time, dense) if time and dense else None
        numbers = "a target not reached has no time; 0 crossings"
        if time and dense:
            numbers = (
                f"({si(time.moved_B, 'B')} \u2212 {si(dense.moved_B, 'B')}) / "
                f"({duration(dense.fixed_s)} \u2212 {duration(time.fixed_s)})"
                + (f" = {rate(closed)}" if closed else ": no positive rate")
            )
        listed.append(
            Step(
                name=f"Break-even with AdamW: {WAY_LABELS[way]}",
                formula="w = (b \u2212 b\u2032) / (a\u2032 \u2212 a), times being a + b / w",
                substituted=numbers,
                value=NOT_APPLICABLE
                if method_of(params, way) is None
                else beats_where(found, "wins"),
                source=f"bisection from {SEARCH_LOW_GBPS:g} to {group_digits(SEARCH_HIGH_GBPS)} "
                "GB/s; the closed form beside it",
                glossary="break-even-bandwidth",
            )
        )
    return listed


def _ring_steps(params: TransitParams, result: TransitResult) -> list[Step]:
    replicas = params.datacentres * params.workers_per_dc
    sizes = result.payload_bytes
    source = "ring all-reduce moves 2 (N \u2212 1) / N \u00d7 B each way, all-gather (N \u2212 1) P"
    return [
        Step(
            name=f"Replicas at which {label} moves as much as dense AdamW",
            formula="N = 2 B / P",
            substituted=f"2 \u00d7 {sized(sizes['adamw'])} / {sized(sizes[name])}; "
            f"here N = {group_digits(replicas)}",
            value=significant(crossing_replicas(sizes["adamw"], sizes[name])),
            source=source,
            glossary="wire-bytes",
        )
        for name, label in (("topk", "top-k"), ("band", "a gathered band"))
    ]


def _share_steps(params: TransitParams, result: TransitResult) -> list[Step]:
    parts: dict[str, StepParts] = step_parts(params)
    wanted = params.target_utilisation
    compute = f"{group_digits(params.compute_ms)}{THIN_SPACE}ms"
    needed = result.diloco_Gbps
    return [
        *(
            Step(
                name=f"Compute utilisation: {WAY_LABELS[way]}",
                formula="compute / (compute + exposed)",
                substituted=f"{compute} / ({compute} + {duration(parts[way].exposed_s)})",
                value=percent(result.ways[way].utilisation),
                source=SPEC_SOURCE,
                glossary="diloco",
            )
            for way in (DENSE, BAND_GATHER)
        ),
        Step(
            name="Bandwidth for the wanted utilisation, overlapped DiLoCo",
            formula="bits \u00d7 2 (1 \u2212 1/M) / (T [H (1/CU \u2212 1) + \u2154 (1 \u2212 1/K)])",
            substituted=f"{si(8 * result.payload_bytes['adamw'], 'b')}, M = {params.datacentres}, "
            f"T = {compute}, H = "
            f"{group_digits(params.sync_every)}, CU = {group_digits(wanted)}, K = {BUCKETS}, "
            f"\u2154 = {BACKWARD_SHARE:.4f}",
            value=needed if isinstance(needed, str) else si(needed * 1e9, "b/s"),
            source="Douillard et al., arXiv 2501.18512; Charles et al., arXiv 2503.09799",
            glossary="diloco",
        ),
    ]

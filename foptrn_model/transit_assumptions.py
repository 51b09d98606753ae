"""What the transit result rests on, and where its numbers come from."""

from __future__ import annotations

from foptrn_model.diloco import INTELLECT_SOURCE, LOSS_PENALTY_SOURCE, TABLE_SOURCE
from foptrn_model.measured_runs import measured_runs
from foptrn_model.text import group_digits, significant
from foptrn_model.transit_params import MEASURED, UPLOADED, TransitParams
from foptrn_model.working import Assumption

CURVES_PARAMS = 15_833_472
CURVES_WORKERS = 8
"""Of the model and cluster whose loss curves were published; ours has as many workers."""


def transit_assumptions(params: TransitParams) -> list[Assumption]:
    """Assumptions by kind; extrapolations are listed where the state makes them."""
    listed = [
        Assumption(
            kind="inferred",
            text="The default fabric rate (50 GB/s), latency (250 \u00b5s) and compute time "
            "(0.2825 ms) were not published: they are round constants that reproduce the "
            "published times.",
        ),
        Assumption(
            kind="convention",
            text="Compute, latency, fabric and WAN follow one another; nothing overlaps, except in "
            "the DiLoCo bandwidth, where the backward pass hides what it can.",
        ),
        Assumption(
            kind="convention",
            text="Dense AdamW and the summed band cross the WAN twice, up and down; gathered "
            "payloads cross once, from every worker to every other data centre.",
        ),
        Assumption(
            kind="convention",
            text="Steps are those of the mean curve, linear between evaluations, to the first "
            "evaluation at or below the target; a target met at the first evaluation gives that "
            "step, an upper limit.",
        ),
        Assumption(
            kind="generous",
            text="Transforms, picking coefficients and summing at a switch take no time, and a "
            "switch needs no more power than one that does not sum.",
        ),
        Assumption(
            kind="convention",
            text="Workers draw their power while they wait; a link's energy per bit counts both "
            "ends, 95 pJ being two 400ZR modules at about 47.5.",
        ),
        Assumption(kind="illustrative", text="The default energy of a bit on the fabric, 50 pJ."),
    ]
    return [*listed, *_extrapolations(params)]


def _extrapolations(params: TransitParams) -> list[Assumption]:
    found = []
    if params.sync_every > 1:
        penalty = params.loss_penalty_percent
        steps = (
            "Steps to a loss are assumed unchanged"
            if penalty == 0
            else f"Every loss is taken {group_digits(penalty)} % higher"
        )
        found.append(
            f"{steps} with a sync every {group_digits(params.sync_every)} steps: the curves were "
            "measured with one every step."
        )
    if params.curves != UPLOADED:
        size = curves_params(params)
        if params.n_params != size:
            found.append(
                f"The curves are those of a model of {group_digits(size)} parameters, not of this "
                "size."
            )
        if params.datacentres * params.workers_per_dc != CURVES_WORKERS:
            found.append(
                f"The curves were measured with {CURVES_WORKERS} workers; with another number the "
                "batch, and with it the steps, would differ."
            )
        if params.curves == MEASURED:
            found.append(
                "Losses of the measured curves are in nat per byte, those of the published ones in "
                "nat per token: a target for the one says nothing of the other. The measured runs "
                f"go from {significant(_highest(params), 3)} down to "
                f"{significant(_lowest(params), 3)}."
            )
        if params.keep != 0.0625:
            found.append("The curves were measured with one coefficient in 16 kept.")
    return [Assumption(kind="extrapolated", text=text) for text in found]


def curves_params(params: TransitParams) -> int:
    """Parameters of the model that stored curves were trained with."""
    return measured_runs().settings.model.size if params.curves == MEASURED else CURVES_PARAMS


def _highest(params: TransitParams) -> float:
    return params.loss_curves["adamw"].loss[0]


def _lowest(params: TransitParams) -> float:
    return min(min(curve.loss) for curve in params.loss_curves.curves)


def transit_sources(params: TransitParams) -> list[str]:
    """Where curves, formulas and published values come from."""
    return [
        params.loss_curves.origin,
        "B. Peng et al., DeMo: Decoupled Momentum Optimization, arXiv 2411.19870",
        "P. Patarasuk and X. Yuan, bandwidth-optimal all-reduce, J. Parallel Distrib. Comput. "
        "69, 117 (2009)",
        "A. Douillard et al., DiLoCo, arXiv 2311.08105; Streaming DiLoCo, arXiv 2501.18512",
        f"Bandwidths: {TABLE_SOURCE}",
        f"Loss penalty: {LOSS_PENALTY_SOURCE}",
        f"Utilisations: {INTELLECT_SOURCE}",
    ]

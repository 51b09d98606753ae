"""The live experiment: a short training run with a state's chunks and optics, in the background."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from foptrn_model.compression import (
    LIVE_FIELDS,
    CompressionParams,
    CompressionResult,
    compute_compression,
)
from foptrn_model.compression_series import CompressionSeries
from foptrn_model.demo.experiment import RATES
from foptrn_model.demo.methods import Method
from foptrn_model.demo.training import Settings, TrainingRun
from foptrn_model.simulation import Part, Progress, Simulation

LIVE = "live"
STEPS = 120
EVALUATE_EVERY = 10
STEP_S = 0.075
"""About what a step takes on one of two shared cores."""
CAP_S, PAGE_CAP_S = 20.0, 120.0
"""What the API computes for an answer; the live run is above, and left to page and command line."""


def live_methods(params: CompressionParams) -> list[Method]:
    """AdamW, top-k, the low and a random band, and the state's optics with both feedbacks."""
    return [
        Method(),
        *(Method(selector=name, chunk=params.chunk) for name in ("topk", "low", "random")),
        params.method("sent"),
        params.method("exact"),
    ]


def live_params(params: CompressionParams) -> CompressionParams:
    """What the live experiment depends on: everything else as it is by default."""
    return CompressionParams(**{name: getattr(params, name) for name in LIVE_FIELDS})


def estimate_live_s(params: CompressionParams) -> float:
    """About how long the live experiment takes [s]."""
    return STEP_S * STEPS * len(live_methods(params))


def run_live(params: CompressionParams, progress: Progress) -> dict[str, Any]:
    """Train every method from one seed; the outcome has their curves and the seconds it took."""
    started = time.perf_counter()
    methods = live_methods(params)
    settings = Settings(steps=STEPS, evaluate_every=EVALUATE_EVERY, keep=params.keep)
    runs = []
    for index, method in enumerate(methods):
        run = TrainingRun(settings, method, rate=RATES[method.family], seed=params.seed)
        for step in run.advance():
            progress(index * STEPS + step, len(methods) * STEPS)
        runs.append(run.record())
    return {"runs": runs, "seconds": round(time.perf_counter() - started, 3)}


def final_scalars(outcome: Mapping[str, Any]) -> dict[str, float]:
    """Every method's loss on held-out text at the end."""
    return {f"loss.{run['method']}": float(run["val_loss"][-1]) for run in outcome["runs"]}


def evaluate(
    params: CompressionParams, outcomes: Mapping[str, Any]
) -> tuple[CompressionResult, CompressionSeries]:
    """Result and series of a state, with the live experiment's outcome if it is there."""
    return compute_compression(params), CompressionSeries(params=params, live=outcomes.get(LIVE))


COMPRESSION_SIMULATION = Simulation(
    slug="compression",
    parts={
        LIVE: Part(
            label="Training",
            run=lambda params, progress: run_live(live_params(params), progress),
            query=lambda params: live_params(params).to_query(),
            estimate_s=estimate_live_s,
            on_demand=True,
            scalars=final_scalars,
        ),
    },
    needs={LIVE: LIVE},
    cap_s=CAP_S,
    page_cap_s=PAGE_CAP_S,
    costly=(),
    check=lambda params, cap_s: [],
    preview=lambda params: None,
    evaluate=evaluate,
    closed=True,
)


def compression_series(params: CompressionParams) -> CompressionSeries:
    """The series of a state, with what is stored of the live experiment."""
    return evaluate(params, COMPRESSION_SIMULATION.complete(params, {}))[1]

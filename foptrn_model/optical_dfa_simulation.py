"""The experiment beside the closed form as JSON: what is run, stored, and read again.

The result of this explorer is the closed form alone, the same whatever a
server has computed before. The experiment is a part of its own: tables ask for
it, and so does its own address in the API.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foptrn_model.optical_dfa import OpticalDfaResult, compute_optical_dfa
from foptrn_model.optical_dfa_experiment import ALIGNED, TRAINERS, Experiment, Training
from foptrn_model.optical_dfa_params import OpticalDfaParams, experiment_params
from foptrn_model.optical_dfa_series import OpticalDfaSeries
from foptrn_model.parameters import Problem
from foptrn_model.simulation import Part, Progress, Simulation
from foptrn_model.text import significant

CAP_S = 20.0
PART = "experiment"
DIGITS_OF_COSINE = 5

STEP_S, WEIGHT_S, UNIT_S, UPDATE_S = 2.2e-4, 1.5e-10, 5.3e-8, 1.0e-8
"""Seconds per step; per product, neuron and updated weight of a seed's four networks. Fitted to 14
measured states on one core, which lay between 0.7 and 1.2 times the estimate."""
DIGITS, DIGITS_TRAINED = 1_797, 1_347
EARLY_MEASUREMENTS = 4


def run_experiment(params: OpticalDfaParams, progress: Progress) -> dict[str, Any]:
    """Train; the outcome has every measurement, and the seconds it took."""
    started = time.perf_counter()
    training = Training(params)
    for done in training.advance():
        progress(done, training.steps)
    found = training.result()
    return {
        "epochs": found.epochs.tolist(),
        "accuracy": {name: found.accuracy[name].round(6).tolist() for name in TRAINERS},
        "cosine": {name: _listed(found.cosine[name]) for name in ALIGNED},
        "diluted": _listed(found.diluted),
        "seconds": round(time.perf_counter() - started, 3),
    }


def read_experiment(outcome: Mapping[str, Any]) -> Experiment:
    """The experiment of an outcome."""
    return Experiment(
        epochs=np.array(outcome["epochs"]),
        accuracy={name: np.array(outcome["accuracy"][name]) for name in TRAINERS},
        cosine={name: np.array(outcome["cosine"][name], dtype=float) for name in ALIGNED},
        diluted=np.array(outcome["diluted"], dtype=float),
    )


def final_scalars(outcome: Mapping[str, Any]) -> dict[str, float]:
    """What a finished experiment reached: mean, least and largest accuracy over seeds, and cosines.

    A cosine is that of the first hidden layer at the end, the mean over seeds.
    """
    found = read_experiment(outcome)
    scalars: dict[str, float] = {}
    for name in TRAINERS:
        final = found.final(name)
        scalars |= {
            f"accuracy.{name}.mean": float(final.mean()),
            f"accuracy.{name}.min": float(final.min()),
            f"accuracy.{name}.max": float(final.max()),
        }
    for name in ALIGNED:
        scalars[f"cosine.{name}"] = float(found.cosine[name][0, -1].mean())
    return scalars


def _listed(values: NDArray[np.float64]) -> Any:
    """Nested lists; what is not a number is None."""
    listed = values.round(DIGITS_OF_COSINE).astype(object)
    listed[np.isnan(values)] = None
    return listed.tolist()


def estimate_seconds(params: OpticalDfaParams) -> float:
    """About how long an experiment takes [s]."""
    width, layers = params.hidden_width, params.hidden_layers
    steps = max(DIGITS_TRAINED // params.train_batch, 1) * params.epochs
    samples = params.seeds * (
        steps * params.train_batch + (params.epochs + EARLY_MEASUREMENTS) * DIGITS
    )
    weights = 64 * width + (layers - 1) * width**2 + 10 * width
    return (
        STEP_S * steps
        + samples * (WEIGHT_S * weights + UNIT_S * layers * width)
        + UPDATE_S * steps * params.seeds * weights
    )


def check_cost(params: OpticalDfaParams, cap_s: float) -> list[Problem]:
    """A problem with the estimate and the cap where an experiment would take too long."""
    estimate = estimate_seconds(params)
    if estimate <= cap_s:
        return []
    message = (
        f"epochs {params.epochs}, seeds {params.seeds}, hidden_width {params.hidden_width} and "
        f"hidden_layers {params.hidden_layers} together would take about "
        f"{significant(estimate, 2)} s, over the cap of {significant(cap_s, 2)} s: lower one of them"
    )
    return [Problem(param="epochs", message=message, value=params.epochs)]


def evaluate(
    params: OpticalDfaParams, outcomes: Mapping[str, Any]
) -> tuple[OpticalDfaResult, OpticalDfaSeries]:
    """The closed form, and what figures show, with the experiment if it is there."""
    result = compute_optical_dfa(params)
    outcome = outcomes.get(PART)
    return result, OpticalDfaSeries(
        params=params,
        crossovers={
            "width": (result.crossover_width, result.crossover_width_dfa),
            "depth": (result.crossover_depth, result.crossover_depth_dfa),
        },
        experiment=read_experiment(outcome) if outcome else None,
    )


def optical_dfa_series(params: OpticalDfaParams) -> OpticalDfaSeries:
    """The series of a state, with the experiment if it is stored."""
    return evaluate(params, OPTICAL_DFA_SIMULATION.complete(params, {}))[1]


OPTICAL_DFA_SIMULATION = Simulation(
    slug="optical-dfa",
    parts={
        PART: Part(
            label="Experiment",
            run=lambda params, progress: run_experiment(experiment_params(params), progress),
            query=lambda params: experiment_params(params).to_query(),
            estimate_s=estimate_seconds,
            scalars=final_scalars,
        ),
    },
    needs=dict.fromkeys(("experiment", "learning", "alignment", "dilution"), PART),
    cap_s=CAP_S,
    page_cap_s=CAP_S,
    costly=("seeds", "hidden_width", "epochs", "hidden_layers"),
    check=check_cost,
    preview=lambda params: None,
    evaluate=evaluate,
    closed=True,
)

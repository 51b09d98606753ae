"""How long a training takes, before it is started."""

from __future__ import annotations

from foptrn_model.parameters import Problem
from foptrn_model.photonics.tasks import TEST_SAMPLES
from foptrn_model.photonics.training import evaluation_steps, runs_together
from foptrn_model.text import significant
from foptrn_model.trainers import TrainersParams, setup_of

# Seconds per unit of work, fitted to 33 measured states from 4 to 64 ports on one
# core; what was measured lay between 0.8 and 1.5 times the estimate.
# tests/bench/trainers_cost.py measures some of them again.
CALL_S, COLUMN_CALL_S = 3.3e-4, 6.4e-6
COLUMN_STEP_S, FIELD_STEP_S, PRODUCT_STEP_S = 1.33e-7, 9.7e-8, 1.09e-8
EVALUATION_CALL_S, LAYER_CALL_S = 2.0e-3, 2.5e-4
COLUMN_EVALUATION_S, FIELD_EVALUATION_S = 1.4e-7, 3.1e-8
RUN_S, START_S = 1.06e-3, 2.4e-6


def estimate_seconds(params: TrainersParams, values: int = 1) -> float:
    """About how long all trainers take together [s].

    Parameters
    ----------
    values : how many values of an imperfection a sweep tries.

    Notes
    -----
    Python's own time goes by calls: each cohort of runs makes the same ones
    whatever its arrays hold. The arrays' time goes by phases met by a mesh's
    correlation (ports cubed) and by fields (ports, samples).
    """
    ports, layers, batch = params.mesh_ports, params.layers, params.batch
    runs = params.seeds * values
    cohorts = -(-runs // runs_together(setup_of(params)))
    steps, evaluations = params.steps + 1, len(evaluation_steps(params.steps))
    meshes = runs * layers
    per_step = (
        (CALL_S + COLUMN_CALL_S * ports) * cohorts
        + COLUMN_STEP_S * meshes * ports**3
        + FIELD_STEP_S * meshes * ports * batch
        + PRODUCT_STEP_S * meshes * ports**2 * batch
    )
    per_evaluation = (
        (EVALUATION_CALL_S + LAYER_CALL_S * layers) * cohorts
        + COLUMN_EVALUATION_S * meshes * ports**3
        + FIELD_EVALUATION_S * meshes * ports * (batch + TEST_SAMPLES)
    )
    start = RUN_S * runs + START_S * meshes * ports**2
    return steps * per_step + evaluations * per_evaluation + start


def check_cost(params: TrainersParams, cap_s: float, values: int = 1) -> list[Problem]:
    """A problem with the estimate and the cap where a request would take too long."""
    estimate = estimate_seconds(params, values)
    if estimate <= cap_s:
        return []
    message = (
        f"steps {params.steps:,}, seeds {params.seeds}, ports {params.mesh_ports} and layers "
        f"{params.layers} together would take about {significant(estimate, 2)} s, over the cap "
        f"of {significant(cap_s, 2)} s: lower one of them"
    )
    return [Problem(param="steps", message=message, value=params.steps)]

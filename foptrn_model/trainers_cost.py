"""How long a training takes, before it is started."""

from __future__ import annotations

from foptrn_model.parameters import Problem
from foptrn_model.photonics.diffraction import grid_side
from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.mesh_training import runs_together
from foptrn_model.photonics.stack import Geometry
from foptrn_model.photonics.tasks import TEST_SAMPLES
from foptrn_model.photonics.training import evaluation_steps
from foptrn_model.text import significant
from foptrn_model.trainers import setup_of
from foptrn_model.trainers_params import TrainersParams

# Seconds per unit of work, fitted to 33 measured states from 4 to 64 ports on one
# core; what was measured lay between 0.8 and 1.5 times the estimate.
# tests/bench/trainers_cost.py measures some of them again.
CALL_S, COLUMN_CALL_S = 3.3e-4, 6.4e-6
COLUMN_STEP_S, FIELD_STEP_S, PRODUCT_STEP_S = 1.33e-7, 9.7e-8, 1.09e-8
EVALUATION_CALL_S, LAYER_CALL_S = 2.0e-3, 2.5e-4
COLUMN_EVALUATION_S, FIELD_EVALUATION_S = 1.4e-7, 3.1e-8
RUN_S, START_S = 1.06e-3, 2.4e-6

# The same for stacks, per image sent through one gap and per pixel of its plane.
IMAGE_S, PIXEL_S = 2.0e-6, 1.1e-8
STACK_STEP_S, START_STACK_S = 2.0e-3, 0.05


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
    if params.geometry is not None:
        return _estimate_stack_seconds(params, params.geometry, params.seeds * values)
    ports, layers, batch = params.mesh_ports, params.layers, params.batch
    runs = params.seeds * values
    cohorts = -(-runs // runs_together(setup_of(params)))
    steps, evaluations = params.steps + 1, len(evaluation_steps(setup_of(params)))
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


def _estimate_stack_seconds(params: TrainersParams, geometry: Geometry, runs: int) -> float:
    """About how long all trainers of a stack take [s].

    The time goes by images sent through a gap, and what each costs by the
    pixels of the plane in which it spreads.
    """
    gaps = geometry.masks + 1
    side = grid_side(geometry.pixels, geometry.spacing_m * (1 + params.distance_error))
    images_s = IMAGE_S + PIXEL_S * side**2
    forward, both = gaps, 2 * gaps - 1
    passes = 3 * both + forward + 1
    # Devices with noise read holograms, whose noise is as many numbers as there are pixels.
    per_step = STACK_STEP_S + passes * params.batch * images_s
    tested = len(TRAINERS) * (forward * TEST_SAMPLES + both * params.batch)
    evaluations = len(evaluation_steps(setup_of(params))) + 1
    steps = params.steps + 1
    return runs * (START_STACK_S + steps * per_step + evaluations * tested * images_s)


def check_cost(params: TrainersParams, cap_s: float, values: int = 1) -> list[Problem]:
    """A problem with the estimate and the cap where a request would take too long."""
    estimate = estimate_seconds(params, values)
    if estimate <= cap_s:
        return []
    size = (
        f"pixels {params.pixels} and masks {params.masks}"
        if params.geometry
        else f"ports {params.mesh_ports} and layers {params.layers}"
    )
    message = (
        f"steps {params.steps:,}, seeds {params.seeds}, batch {params.batch}, {size} together "
        f"would take about {significant(estimate, 2)} s, over the cap "
        f"of {significant(cap_s, 2)} s: lower one of them"
    )
    return [Problem(param="steps", message=message, value=params.steps)]

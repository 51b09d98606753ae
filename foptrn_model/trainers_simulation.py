"""The trainers explorer's computations as JSON: what is run, stored, and read again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.training import TrainedState
from foptrn_model.simulation import Part, Progress, Simulation
from foptrn_model.trainers import Band, Summary, TrainerResult, TrainersJob, TrainersResult
from foptrn_model.trainers_cost import check_cost, estimate_seconds
from foptrn_model.trainers_params import VIEW_FIELDS, TrainersParams, of_other_machine
from foptrn_model.trainers_places import Place
from foptrn_model.trainers_presets import TRAINERS_PRESETS
from foptrn_model.trainers_stack_views import StackPicture, stack_picture
from foptrn_model.trainers_views import (
    PLANE,
    DecisionMap,
    ImperfectionSweep,
    MeshPicture,
    Readings,
    decision_map,
    mesh_pictures,
    readings,
    sweep,
)

CAP_S, PAGE_CAP_S = 20.0, 120.0
PREVIEW_S = 0.2
PREVIEW_STEPS, PREVIEW_SEEDS = 60, 2
SWEEP_SEEDS, SWEEP_STACK_SEEDS, SWEEP_POINTS = 4, 2, 5
MAP_RESOLUTION = 33
STACK_DIGITS = 3
STORED = (
    "",
    "plant=diffractive",
    "plant=diffractive&task=digits",
    *(preset.query for preset in TRAINERS_PRESETS if "plant=diffractive" in preset.query),
)
"""The default, what one click on the machine leads to, and the stacks among the presets."""

SWEEP_TO = {
    "phase_error_rad": 0.6, "splitter_error_rad": 0.3, "crosstalk": 0.2, "drift_rad": 0.04,
    "readout_noise": 0.4, "readout_gain_error": 0.4, "readout_offset": 0.4,
    "readout_saturation": 1.0, "gradient_offset": 0.2, "shift_px": 2.0, "distance_error": 0.2,
}  # fmt: skip
"""How far each imperfection is swept from zero."""


# Training ------------------------------------------------------------------------


def training_params(params: TrainersParams) -> TrainersParams:
    """What a training depends on: not on the view, nor on another machine's fields."""
    return params.without({*VIEW_FIELDS, *of_other_machine(params.plant)})


def run_training(params: TrainersParams, progress: Progress) -> dict[str, Any]:
    """Train; the outcome has the result, the first seed's networks, and the seconds it took."""
    started = time.perf_counter()
    job = TrainersJob(params)
    for done in job.advance():
        progress(done, params.steps)
    state = job.state()
    first = {
        "phases": state.phases[:, :1],
        "hardware_accuracy": state.hardware_accuracy[:, :1],
        "model_accuracy": state.model_accuracy[:, :1],
    }
    # A stack's thousands of pixels are kept as exactly as anyone can see.
    digits = STACK_DIGITS if params.geometry else 17
    return {
        "result": asdict(job.result()),
        "state": {name: values.round(digits).tolist() for name, values in first.items()},
        "device": {
            name: values[:1].round(digits).tolist() for name, values in state.device.items()
        },
        "seconds": round(time.perf_counter() - started, 3),
    }


def read_result(outcome: Mapping[str, Any]) -> TrainersResult:
    """The result of a training's outcome."""
    result = outcome["result"]
    return TrainersResult(
        steps=tuple(result["steps"]),
        trainers={
            name: TrainerResult(
                hardware_accuracy=Summary(**found["hardware_accuracy"]),
                model_accuracy=Summary(**found["model_accuracy"]),
                reality_gap=found["reality_gap"],
                gradient_cosine=tuple(found["gradient_cosine"]),
                loss=_band(found["loss"]),
                accuracy=_band(found["accuracy"]),
            )
            for name, found in result["trainers"].items()
        },
    )


def _band(found: Mapping[str, Any]) -> Band:
    return Band(**{name: tuple(values) for name, values in found.items()})


# Sweep ---------------------------------------------------------------------------


def sweep_params(params: TrainersParams) -> TrainersParams:
    """What a sweep depends on: not on the value of what is swept, and on few seeds."""
    # The sweep is no view here: default values first, or its own would be lost.
    state = training_params(params).model_copy(update={"sweep": params.sweep})
    state = state.without([params.sweep])
    most = SWEEP_STACK_SEEDS if params.geometry else SWEEP_SEEDS
    return state.model_copy(update={"seeds": min(params.seeds, most)})


def run_sweep(params: TrainersParams, progress: Progress) -> dict[str, Any]:
    """Sweep from zero; the outcome is the sweep."""
    values = np.linspace(0, SWEEP_TO[params.sweep], SWEEP_POINTS).round(6).tolist()
    return asdict(sweep(params, params.sweep, values, progress))


def read_sweep(outcome: Mapping[str, Any]) -> ImperfectionSweep:
    """The sweep of an outcome."""

    def accuracies(name: str) -> dict[str, tuple[Summary, ...]]:
        return {
            trainer: tuple(Summary(**point) for point in points)
            for trainer, points in outcome[name].items()
        }

    return ImperfectionSweep(
        field=outcome["field"],
        values=tuple(outcome["values"]),
        hardware_accuracy=accuracies("hardware_accuracy"),
        model_accuracy=accuracies("model_accuracy"),
    )


# What the page shows -----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class TrainersSeries:
    """What the figures show beyond the result, of the first seed's networks and of the sweep.

    ``swept`` is None until it is computed, ``sweep_s`` about how long it takes.
    """

    params: TrainersParams
    outcome: Mapping[str, Any]
    swept_outcome: Mapping[str, Any] | None

    @cached_property
    def state(self) -> TrainedState:
        """The first seed's networks as training left them."""
        device = {name: np.array(values) for name, values in self.outcome["device"].items()}
        return TrainedState(
            device=device,
            **{name: np.array(values) for name, values in self.outcome["state"].items()},
        )

    @cached_property
    def swept(self) -> ImperfectionSweep | None:
        return None if self.swept_outcome is None else read_sweep(self.swept_outcome)

    @property
    def sweep_s(self) -> float:
        return estimate_sweep_s(self.params)

    @cached_property
    def maps(self) -> dict[str, DecisionMap]:
        """What every trainer's network makes of the plane; none where there is no plane."""
        if self.params.task not in PLANE:
            return {}
        return {
            name: decision_map(self.params, self.state, name, resolution=MAP_RESOLUTION)
            for name in TRAINERS
        }

    @cached_property
    def pictures(self) -> tuple[MeshPicture, ...]:
        """Every layer's mesh with the light of the chosen input; none of a stack."""
        if self.params.geometry is not None:
            return ()
        return mesh_pictures(self.params, self.state, Place(trainer=self.params.show_trainer))

    @cached_property
    def stack(self) -> StackPicture | None:
        """The stack with the light of the chosen input; None of meshes."""
        if self.params.geometry is None:
            return None
        return stack_picture(self.params, self.state, Place(trainer=self.params.show_trainer))

    @cached_property
    def readings(self) -> Readings:
        """What the detectors read of the chosen input."""
        return readings(self.params, self.state, self.params.show_trainer)


def evaluate(
    params: TrainersParams, outcomes: Mapping[str, Any]
) -> tuple[TrainersResult, TrainersSeries]:
    """Result and series of a training's outcome, and of a sweep's if there is one."""
    return read_result(outcomes["train"]), TrainersSeries(
        params=params, outcome=outcomes["train"], swept_outcome=outcomes.get("sweep")
    )


def estimate_sweep_s(params: TrainersParams) -> float:
    """About how long a sweep takes [s]."""
    return estimate_seconds(sweep_params(params), values=SWEEP_POINTS)


def stand_in(params: TrainersParams) -> TrainersParams:
    """A stored state of the same machine, to show while another one is computed."""
    if params.geometry is None:
        return TrainersParams()
    return TrainersParams(plant=params.plant, task="digits" if params.task == "digits" else "moons")


def preview(params: TrainersParams) -> TrainersParams | None:
    """The same with fewer steps and seeds, if that is quick enough to show while dragging."""
    small = training_params(params).model_copy(
        update={
            "steps": min(params.steps, PREVIEW_STEPS),
            "seeds": min(params.seeds, PREVIEW_SEEDS),
        }
    )
    return small if estimate_seconds(small) <= PREVIEW_S else None


TRAINERS_SIMULATION = Simulation(
    slug="trainers",
    parts={
        "train": Part(
            label="Training",
            run=lambda params, progress: run_training(training_params(params), progress),
            query=lambda params: training_params(params).to_query(),
            estimate_s=estimate_seconds,
        ),
        "sweep": Part(
            label="Sweep",
            run=lambda params, progress: run_sweep(sweep_params(params), progress),
            query=lambda params: sweep_params(params).to_query(),
            estimate_s=estimate_sweep_s,
        ),
    },
    needs={"sweep": "sweep"},
    cap_s=CAP_S,
    page_cap_s=PAGE_CAP_S,
    costly=("seeds", "steps", "batch", "layers", "masks", "pixels", "ports"),
    check=check_cost,
    preview=preview,
    evaluate=evaluate,
    stored_queries=STORED,
    stand_in=stand_in,
)


def trainers_series(params: TrainersParams) -> TrainersSeries:
    """The series of a state, stored or computed here."""
    return evaluate(params, TRAINERS_SIMULATION.complete(params, {}))[1]

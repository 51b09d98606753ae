"""Which trained network is looked at, and the stack it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from foptrn_model.photonics.gradients import TRAINERS, TrainerName
from foptrn_model.photonics.hardware import Run
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.stack import StackDevice
from foptrn_model.photonics.stack_passes import Stack
from foptrn_model.photonics.training import TrainedState
from foptrn_model.trainers_params import TrainersParams

MachineName = Literal["hardware", "model"]


@dataclass(frozen=True, kw_only=True)
class Place:
    """Which network is drawn: a trainer's, on a seed's device or the model."""

    trainer: TrainerName
    number: int = 0
    machine: MachineName = "hardware"


def check_number(state: TrainedState, number: int) -> None:
    """Raise ValueError for a seed that the state does not have."""
    last = len(state.device["phase_error"]) - 1
    if not 0 <= number <= last:
        raise ValueError(f"number must be from 0 to {last}, got {number}")


def stack_at(params: TrainersParams, state: TrainedState, place: Place) -> tuple[Stack, Real]:
    """One seed's stack as training left it, or the model, and its phases (masks, pixels, pixels)."""
    geometry = params.geometry
    if geometry is None:
        raise ValueError("plant must be diffractive where a stack is asked for, got mesh")
    check_number(state, place.number)
    side = geometry.pixels
    phases = state.phases[TRAINERS.index(place.trainer), place.number].reshape(-1, side, side)
    if place.machine == "model":
        return Stack(StackDevice.ideal(geometry)), phases
    left = {name: values[place.number] for name, values in state.device.items()}
    run = Run(number=place.number, imperfections=params.imperfections)
    return Stack(StackDevice.rebuilt(geometry, run, left)), phases

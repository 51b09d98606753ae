"""What the trainers page shows of a stack: its masks, what is wrong with it, and its light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.stack import illuminate
from foptrn_model.photonics.stack_passes import Detectors, Stack
from foptrn_model.photonics.training import TrainedState
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_places import Place, stack_at
from foptrn_model.trainers_views import shown_input, task_of

MOST_SHOWN_PIXELS = 48
"""Planes with more pixels a side are shown as sums over two by two."""


@dataclass(frozen=True, kw_only=True)
class StackPicture:
    """A stack to draw.

    Attributes
    ----------
    set_rad : shape (masks, pixels, pixels), the phases as set, within a turn.
    error_rad : the same shape, by how much the masks of the device differ.
    shift_px : shape (masks, 2), how far each mask lies down and to the right.
    distance_error : shape (masks + 1,), every gap's error as a fraction.
    covered : shape (classes, pixels, pixels), 1 where a detector is.
    hardware, model : shape (masks + 2, side, side); power of the shown input at
        the input, behind every mask, and at the detectors. A side is the
        pixels', or half of them where they are many.
    """

    set_rad: Real
    error_rad: Real
    shift_px: Real
    distance_error: Real
    covered: Real
    hardware: Real
    model: Real


def stack_picture(params: TrainersParams, state: TrainedState, place: Place) -> StackPicture:
    """One trained stack with the light of the input that is shown, on device and model.

    Raises ValueError for a mesh, and for a seed that the state does not have.
    """
    device, phases = stack_at(params, state, place)
    model, _ = stack_at(params, state, Place(trainer=place.trainer, machine="model"))
    fields = illuminate(shown_input(params, place.number)[:, None], params.pixels)

    def planes(stack: Stack) -> Real:
        behind, arriving = stack.forward(stack.masks(phases), fields.astype(np.complex64))
        powers = np.square(np.abs(np.concatenate([fields, *behind, arriving])))
        return pooled(powers.astype(float)) if params.pixels > MOST_SHOWN_PIXELS else powers

    set_rad = np.mod(phases, 2 * np.pi)
    return StackPicture(
        set_rad=set_rad,
        error_rad=device.device.actual(phases) - set_rad,
        shift_px=device.device.shift_px,
        distance_error=device.device.distance_error,
        covered=Detectors(task_of(params), params.pixels).covered,
        hardware=planes(device),
        model=planes(model),
    )


def plane_names(masks: int) -> list[str]:
    """What the planes of a stack are called, from input to detectors."""
    return ["input", *(f"mask {number}" for number in range(1, masks + 1)), "detectors"]


def pooled(powers: Real) -> Real:
    """Sums over two by two pixels, an odd row or column padded with nothing."""
    odd = powers.shape[-1] % 2
    even = np.pad(powers, ((0, 0), (0, odd), (0, odd)))
    planes, side = len(even), even.shape[-1] // 2
    return even.reshape(planes, side, 2, side, 2).sum(axis=(2, 4))

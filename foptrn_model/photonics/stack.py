"""A stack of phase masks: what lights it, what it is made of, what detects its light.

Every seed is another copy of the stack, put together a little wrong: masks that
are displaced sideways, gaps that are too long or too short, phases that are off.
What is wrong is drawn once and scaled by the imperfection's size, so a sweep over
the size follows one copy as it gets worse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foptrn_model.photonics.diffraction import Field, grid_side, transfer_function
from foptrn_model.photonics.hardware import PERFECT, Readout, Run
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.streams import generator, normals

LIT_SHARE = 0.75
"""Share of a plane's side that the input takes; the rest is dark around it."""

DETECTOR_SHARE = 0.125
"""A detector's side as a share of the plane's."""

ROWS = {2: (2,), 10: (3, 4, 3)}
"""Detectors by row, for as many classes."""

LEAST_GAP = 0.1
"""A gap keeps this share of its length, however wrong it is."""


@dataclass(frozen=True, kw_only=True)
class Geometry:
    """Masks of so many pixels a side, evenly spaced between input and detectors."""

    pixels: int
    masks: int
    spacing_m: float


def illuminate(inputs: Real, pixels: int) -> Field:
    """Inputs as fields, shape (patches, samples) to (samples, pixels, pixels).

    The inputs' amplitudes light as many equal patches of a square in the middle
    of the plane; their power is kept.
    """
    across = int(np.sqrt(len(inputs)))
    patch = min(max(1, round(LIT_SHARE * pixels / across)), pixels // across)
    first = (pixels - patch * across) // 2
    lit = slice(first, first + patch * across)
    images = inputs.T.reshape(-1, across, across) / patch
    fields = np.zeros((len(images), pixels, pixels), dtype=complex)
    fields[:, lit, lit] = images.repeat(patch, axis=1).repeat(patch, axis=2)
    return fields


def detectors(pixels: int, classes: int) -> Real:
    """Which pixels each class's detector covers, shape (classes, pixels, pixels), 1 or 0."""
    side = max(1, round(DETECTOR_SHARE * pixels))
    rows = ROWS[classes]
    covered = np.zeros((classes, pixels, pixels))
    place = 0
    for row, count in enumerate(rows):
        for column in range(count):
            top = round(pixels * (row + 1) / (len(rows) + 1) - side / 2)
            left = round(pixels * (column + 1) / (count + 1) - side / 2)
            covered[place, top : top + side, left : left + side] = 1
            place += 1
    return covered


class StackDevice:
    """One copy of a stack.

    Attributes
    ----------
    phase_error : shape (masks, pixels, pixels) [rad]; moves where there is drift.
    shift_px : shape (masks, 2), how far each mask lies down and to the right.
    distance_error : shape (masks + 1,), every gap's error as a fraction.
    """

    def __init__(
        self,
        geometry: Geometry,
        run: Run,
        *,
        phase_error: Real,
        shift_px: Real,
        distance_error: Real,
    ) -> None:
        self.geometry = geometry
        self.phase_error, self.shift_px, self.distance_error = phase_error, shift_px, distance_error
        self.readout = Readout([run])
        self._crosstalk = run.imperfections.crosstalk

    @classmethod
    def draw(cls, geometry: Geometry, run_seed: int, run: Run) -> StackDevice:
        """The copy of a run's seed: shifts of one length in any direction, normal errors else."""
        wrong, masks = run.imperfections, geometry.masks
        # Masks lead every draw, so that another mask leaves the earlier ones as they are.
        side = geometry.pixels
        phases = normals(run_seed, [run.number], "device-phases", (masks, side, side))[0]
        ways = generator(run_seed, run.number, "device-shifts").random(masks)
        gaps = normals(run_seed, [run.number], "device-distances", (masks + 1,))[0]
        directions = np.stack([np.sin(2 * np.pi * ways), np.cos(2 * np.pi * ways)], axis=1)
        return cls(
            geometry,
            run,
            phase_error=wrong.phase_error_rad * phases,
            shift_px=wrong.shift_px * directions,
            distance_error=np.maximum(wrong.distance_error * gaps, LEAST_GAP - 1),
        )

    @classmethod
    def ideal(cls, geometry: Geometry, number: int = 0) -> StackDevice:
        """The stack that a designer computes with: nothing wrong."""
        masks, side = geometry.masks, geometry.pixels
        return cls(
            geometry,
            Run(number=number, imperfections=PERFECT),
            phase_error=np.zeros((masks, side, side)),
            shift_px=np.zeros((masks, 2)),
            distance_error=np.zeros(masks + 1),
        )

    def left(self) -> dict[str, Real]:
        """What is wrong with this copy, by name; :meth:`rebuilt` takes it."""
        return {
            "phase_error": self.phase_error,
            "shift_px": self.shift_px,
            "distance_error": self.distance_error,
        }

    @classmethod
    def rebuilt(cls, geometry: Geometry, run: Run, left: Mapping[str, Real]) -> StackDevice:
        """A copy as :meth:`left` described it."""
        return cls(geometry, run, **left)

    def transfers(self) -> list[Field]:
        """A transfer function for every gap, in which the masks' displacements are.

        Each mask keeps its own axes, and what changes between two planes is how
        far their axes lie apart.
        """
        axes = np.vstack([np.zeros(2), self.shift_px, np.zeros(2)])
        found = []
        for gap, error in enumerate(self.distance_error):
            distance = self.geometry.spacing_m * (1 + float(error))
            down, right = axes[gap + 1] - axes[gap]
            reach = self.geometry.pixels + int(np.ceil(max(abs(down), abs(right))))
            side = grid_side(reach, distance)
            found.append(transfer_function(side, distance, (float(down), float(right))))
        return found

    def spread(self, phases: Real) -> Real:
        """Phases with what neighbouring pixels add, shape (..., pixels, pixels).

        Every pixel takes a fraction of each of its four neighbours' phases in
        place of as much of its own; at the edge there are fewer. The map is
        symmetric, so it also takes the gradient in the phases that the masks
        have to the gradient in those that were set.
        """
        if not self._crosstalk:
            return phases
        spread = phases.copy()
        for axis in (-2, -1):
            step = self._crosstalk / 4 * np.diff(phases, axis=axis)
            first, last = [slice(None)] * phases.ndim, [slice(None)] * phases.ndim
            first[axis], last[axis] = slice(None, -1), slice(1, None)
            spread[tuple(first)] += step
            spread[tuple(last)] -= step
        return spread

    def actual(self, phases: Real) -> Real:
        """The phases that the masks have when these are set; a pixel shows at most a turn."""
        return self.spread(np.mod(phases, 2 * np.pi)) + self.phase_error

    def drift(self, moves: Real) -> None:
        """Move every phase error by ``moves`` [rad]."""
        self.phase_error = self.phase_error + moves

"""Imperfect hardware: phases, splitters and read-out that differ from the model.

Every seed is another device. What is wrong with it is drawn once as standard
normal numbers and scaled by the imperfection's size, so a sweep over the size
follows one device as it gets worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from foptrn_model.photonics.mesh import MeshLayout, Real
from foptrn_model.photonics.streams import normals


@dataclass(frozen=True, kw_only=True)
class Imperfections:
    """How far a device is from its model.

    Attributes
    ----------
    phase_error_rad, splitter_error_rad
        Standard deviation of the static error of every phase (output phases
        too) and of both splitters of every MZI.
    crosstalk
        Fraction of a phase shifter's phase that each neighbour receives as
        well. Neighbours are the two shifters of one MZI; the same shifter of
        the next MZI above and below in the column; adjacent output phases.
    drift_rad
        Standard deviation of what every phase moves by from one step to the
        next, a random walk: rad per square root of steps.
    readout_noise
        RMS of the complex noise on every port's field after every layer, with
        an input of unit power as full scale; the RMS of the noise on a power
        that a detector at a shifter reads, with unit power as full scale.
    adc_bits
        Bits of the amplitude read after every layer, over 0 to 1; 0 for none.
    readout_gain_error, readout_offset, readout_saturation
        A field z is received as ``(1 + gain) z + offset``, noise included, and
        its amplitude r is read as ``r / (1 + saturation r)``.
    gradient_offset
        Added to every measured component of a gradient, in loss per radian.
    shift_px, distance_error
        Only of a stack of masks: how far each mask lies off its axis [px], and
        the standard deviation of every gap's error as a fraction of the gap.
        There, crosstalk is between pixels; see :mod:`foptrn_model.photonics.stack`.
    """

    phase_error_rad: float = 0.0
    splitter_error_rad: float = 0.0
    crosstalk: float = 0.0
    drift_rad: float = 0.0
    readout_noise: float = 0.0
    adc_bits: int = 0
    readout_gain_error: float = 0.0
    readout_offset: float = 0.0
    readout_saturation: float = 0.0
    gradient_offset: float = 0.0
    shift_px: float = 0.0
    distance_error: float = 0.0


PERFECT = Imperfections()
IMPERFECTIONS = tuple(field.name for field in fields(Imperfections))


@dataclass(frozen=True, kw_only=True)
class Run:
    """One simulated training: the number of its seed, and its device's imperfections."""

    number: int
    imperfections: Imperfections


class Readout:
    """What a coherent receiver makes of the fields of each run.

    Fields have shape (..., runs, 2 ports, samples), amplitudes half the ports.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        def of(name: str) -> Real:
            values = [float(getattr(run.imperfections, name)) for run in runs]
            return np.array(values)[:, None, None]

        self.gain = 1 + of("readout_gain_error")
        self._offset = of("readout_offset")
        self._saturation = of("readout_saturation")
        bits = of("adc_bits")
        self._steps = np.where(bits > 0, 2.0**bits - 1, 0.0)
        self.biased = bool(np.any(self.gain != 1) or np.any(self._offset))
        self.bends = bool(np.any(self._saturation))
        self.rounds = bool(np.any(self._steps))

    @property
    def exact(self) -> bool:
        """Whether every field is read as it is."""
        return not (self.biased or self.bends or self.rounds)

    def receive(self, fields: Real) -> Real:
        """The fields with gain and offset."""
        if not self.biased:
            return fields
        received = self.gain * fields
        received[..., : fields.shape[-2] // 2, :] += self._offset
        return received

    def slope_of_receiving(self, amplitude: Real) -> Real:
        """Derivative of the amplitude received, by that of a field without phase."""
        received = self.gain * amplitude + self._offset
        return np.asarray(self.gain * np.sign(received))

    def read(self, amplitude: Real) -> Real:
        """The amplitudes of received fields as read: saturated, then rounded."""
        if self.bends:
            amplitude = amplitude / (1 + self._saturation * amplitude)
        if self.rounds:
            steps = np.where(self._steps > 0, self._steps, 1.0)
            rounded = np.round(np.minimum(amplitude, 1) * steps) / steps
            amplitude = np.where(self._steps > 0, rounded, amplitude)
        return amplitude

    def slope(self, amplitude: Real) -> Real:
        """Derivative of :meth:`read`; rounding counts as the identity."""
        return (1 + self._saturation * amplitude) ** -2.0


class Devices:
    """The devices of several runs, each with the phases of every layer.

    Attributes
    ----------
    phase_error : shape (phases, layers, runs) [rad]; moves where there is drift.
    splitter_error : shape (mzis, 2, layers, runs) [rad].
    """

    def __init__(
        self,
        layout: MeshLayout,
        runs: Sequence[Run],
        *,
        phase_error: Real,
        splitter_error: Real,
    ) -> None:
        self.phase_error, self.splitter_error = phase_error, splitter_error
        self.readout = Readout(runs)
        self._crosstalk = np.array([run.imperfections.crosstalk for run in runs])
        self._neighbours = _neighbours(layout)

    @classmethod
    def draw(cls, layout: MeshLayout, layers: int, run_seed: int, runs: Sequence[Run]) -> Devices:
        """The device of every run's seed."""
        numbers = [run.number for run in runs]
        phase_sizes = np.array([run.imperfections.phase_error_rad for run in runs])
        arm_sizes = np.array([run.imperfections.splitter_error_rad for run in runs])
        # Layers lead the draw, so that another layer leaves the earlier ones as they are.
        phases = normals(run_seed, numbers, "device-phases", (layers, layout.phases))
        arms = normals(run_seed, numbers, "device-splitters", (layers, layout.mzis, 2))
        return cls(
            layout,
            runs,
            phase_error=np.ascontiguousarray(phases.transpose(2, 1, 0)) * phase_sizes,
            splitter_error=np.ascontiguousarray(arms.transpose(2, 3, 1, 0)) * arm_sizes,
        )

    def spread(self, phases: Real) -> Real:
        """Phases with what the neighbours add, shape (phases, ..., layers, runs).

        The map is symmetric, so it also takes the gradient in the phases that
        the shifters have to the gradient in those that were set.
        """
        if not np.any(self._crosstalk):
            return phases
        padded = np.concatenate([phases, np.zeros_like(phases[:1])])
        heat = np.zeros_like(phases)
        for neighbour in self._neighbours:
            heat += padded[neighbour]
        return phases + self._crosstalk * heat

    def actual(self, phases: Real) -> Real:
        """The phases that the shifters have when these are set, (phases, ..., layers, runs)."""
        error = self.phase_error
        extra = (1,) * (phases.ndim - error.ndim)
        return self.spread(phases) + error.reshape(len(error), *extra, *error.shape[1:])

    def drift(self, moves: Real) -> None:
        """Move every phase error by ``moves``, shape (runs, layers, phases) [rad]."""
        self.phase_error += moves.transpose(2, 1, 0)


def _neighbours(layout: MeshLayout) -> list[NDArray[np.intp]]:
    """For each phase its neighbours; the number of phases stands for none."""
    none, mzis = layout.phases, layout.mzis
    partner = np.full(none, none)
    above, below = np.full(none, none), np.full(none, none)
    partner[:mzis] = np.arange(mzis) + mzis
    partner[mzis : 2 * mzis] = np.arange(mzis)
    groups = [
        range(column.first + shift, column.last + shift)
        for column in layout.columns
        for shift in (0, mzis)
    ]
    for group in (*groups, range(2 * mzis, none)):
        above[group[1:]] = group[:-1]
        below[group[:-1]] = group[1:]
    return [partner, above, below]


class IdealModel:
    """The machine that a designer computes with: the same interface, nothing wrong."""

    def __init__(self, layout: MeshLayout, layers: int, runs: Sequence[Run]) -> None:
        self._shape = (layout.mzis, 2, layers, len(runs))
        self._readout = Readout([Run(number=run.number, imperfections=PERFECT) for run in runs])

    @property
    def splitter_error(self) -> Real:
        return np.zeros(self._shape)

    @property
    def readout(self) -> Readout:
        return self._readout

    def spread(self, phases: Real) -> Real:
        return phases

    def actual(self, phases: Real) -> Real:
        return phases

"""What the compression page shows beyond the result: sweeps, maps, and training runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foptrn_model import curves as loss_curves
from foptrn_model.compression import CompressionParams, CompressionResult, compute_compression
from foptrn_model.compression_order import Ordering, ordering
from foptrn_model.compression_presets import BAND_ERROR
from foptrn_model.compression_reference import reference
from foptrn_model.demo.captured import captured_energy, chunk_energy
from foptrn_model.demo.samples import TENSORS, Source
from foptrn_model.demo.selectors import SELECTORS, Selector, keep_count
from foptrn_model.measured_runs import MeasuredRun, MeasuredRuns, measured_runs, read_run
from foptrn_model.sensitivity import Tornado, tornado

KEEP_POINTS = 61
ALL_SAMPLES = 2**18
"""More values than the trained model has, so that all of them are looked into."""

Array = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class KeepSweep:
    """Captured share by share kept; ``captured`` by selector, arrays of the length of ``keep``."""

    keep: Array
    captured: dict[Selector, Array]


@dataclass(frozen=True, kw_only=True)
class Captured:
    """One share of energy, ours or published. ``tensor`` names what it is of."""

    selector: str
    tensor: str
    ours: float
    published: float | None


@dataclass(frozen=True, kw_only=True)
class CompressionSeries:
    """What the figures show beyond the result; each part is computed when first asked for.

    ``live`` is the live experiment's outcome, None until it has been run.
    """

    params: CompressionParams
    live: Mapping[str, Any] | None

    @cached_property
    def result(self) -> CompressionResult:
        return compute_compression(self.params)

    @property
    def measured(self) -> MeasuredRuns:
        """The runs that are kept with the project."""
        return measured_runs()

    @property
    def order(self) -> Ordering:
        """Our ordering of methods beside the published one."""
        return ordering()

    @property
    def published_final(self) -> dict[str, float]:
        """Last loss of each published curve, by method."""
        return {curve.method: curve.loss[-1] for curve in loss_curves.published_curves().curves}

    @property
    def own_final(self) -> dict[str, float]:
        """Mean final loss of each of our own runs, by method."""
        return {method: spread.mean for method, spread in self.measured.final.items()}

    @cached_property
    def keep_sweep(self) -> KeepSweep:
        """Captured energy over the share kept, the state's own among the points."""
        found = chunk_energy(self.params.drawn)
        spec = self.params.specs()["keep"]
        wanted = np.geomspace(max(spec.low, 1 / found.points), spec.high, KEEP_POINTS)
        counts = np.unique([keep_count(found.points, keep) for keep in (*wanted, self.params.keep)])
        return KeepSweep(
            keep=counts / found.points,
            captured={name: found.cumulative(name)[counts - 1] for name in SELECTORS},
        )

    @cached_property
    def energy_map(self) -> Array:
        """Mean energy of every coefficient over the mean of all, in the chunk's shape."""
        found = chunk_energy(self.params.drawn)
        energy = found.energy / found.chunks
        return np.asarray(energy / energy.mean()).reshape(found.shape)

    @cached_property
    def drawn_places(self) -> Array:
        """Positions that the selector drawn on the map takes, in rising order."""
        found = chunk_energy(self.params.drawn)
        return np.sort(found.order(self.params.show)[: self.result.kept])

    @cached_property
    def by_tensor(self) -> tuple[Captured, ...]:
        """What selectors capture of our trained model's tensors, beside what was published.

        At this state's chunk and share kept; published shares are for one in sixteen.
        """
        params, rows = self.params, []
        published = reference().captured if math.isclose(params.keep, 1 / 16) else {}
        for tensor in TENSORS:
            source = Source(
                name="measured", tensor=tensor, chunk=params.chunk, samples=ALL_SAMPLES, seed=0
            )
            for name, share in captured_energy(source, params.keep).items():
                rows.append(
                    Captured(
                        selector=name, tensor=tensor, ours=share,
                        published=published.get((params.chunk, tensor, name)),
                    )
                )  # fmt: skip
        return tuple(rows)

    @cached_property
    def live_runs(self) -> tuple[MeasuredRun, ...]:
        """The live experiment's runs; none until it has been run."""
        return tuple(map(read_run, self.live["runs"])) if self.live else ()

    def optics_runs(self) -> list[MeasuredRun]:
        """Our runs through emulated optics, the first seed of each method."""
        found = [self.measured.of(method)[0] for method in self.measured.methods]
        return [run for run in found if run.method.startswith("optics")]

    @cached_property
    def tornado(self) -> Tornado:
        """The band's error with each input halved and doubled."""
        # More samples or another seed would say the same again, and take longer.
        return tornado(self.params, _band_only, BAND_ERROR)


def _band_only(params: CompressionParams) -> dict[str, Any]:
    return vars(compute_compression(params))

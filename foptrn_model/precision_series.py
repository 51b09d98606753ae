"""What the precision page shows beyond the result: sweeps, histogram, other distributions."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foptrn_model import curves as loss_curves
from foptrn_model.gradient_samples import DISTRIBUTIONS, Distribution, first_draw
from foptrn_model.ledger import Variant
from foptrn_model.number_formats import FormatName, levels, scale_of
from foptrn_model.planes import MOST_PLANES, emulated_band, plane_noise_factor, read_out_rms
from foptrn_model.precision import (
    OPTICAL_VARIANTS,
    PrecisionParams,
    PrecisionResult,
    SampleSummary,
    compute_precision,
    conversions,
    noise_relative_rms,
    passes_needed,
    summary,
)
from foptrn_model.precision_presets import HYENA_BREAK_EVEN
from foptrn_model.sensitivity import Tornado, tornado

Real = NDArray[np.float64]

STEPS_PER_BIT = 4
BINS = 96
ROUNDING = 1e-12
LOOP_ENOB = LOOP_PLANES = 8
"""The published loops from which others differ in one of the two."""
OTHER_DRAWS = 5
OTHER_SAMPLES = 65_536
"""Distributions beside the state's are drawn less often, no larger than this and in powers of
two, so that dragging the size seldom draws them anew."""


@dataclass(frozen=True, kw_only=True)
class NoiseSweep:
    """Relative RMS noise over ENOB, arrays of shape (n,), in one pass and as averaged."""

    enob: Real
    one_pass: Real
    averaged: Real


@dataclass(frozen=True, kw_only=True)
class CrestPoint:
    """One distribution: what its crest factor makes each format worth."""

    distribution: Distribution
    draws: int
    sample: SampleSummary


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """The first draw in units of its RMS, with the chosen format's values in the window.

    ``share`` of all values per bin, shape (n,), over ``edges`` of shape (n + 1,).
    """

    edges: Real
    share: Real
    grid: Real

    @property
    def low(self) -> float:
        return float(self.edges[0])

    @property
    def high(self) -> float:
        return float(self.edges[-1])


@dataclass(frozen=True, kw_only=True)
class PlaneSweep:
    """Error of the emulated planes by their number, tuples of one length."""

    planes: tuple[int, ...]
    noiseless: tuple[float, ...]
    read_out: tuple[float, ...]
    noise_factor: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class LoopRun:
    """A published training run with emulated planes: its last validation loss."""

    enob: int
    planes: int
    feedback: str
    steps: int
    loss: float


@dataclass(frozen=True, kw_only=True)
class ConversionSweep:
    """Joules per token over ENOB, arrays of shape (n,)."""

    enob: Real
    conversion_J: dict[Variant, Real]


def loop_runs() -> tuple[LoopRun, ...]:
    """Runs of DeMo_Fixed_Band_Experiment whose band went through emulated optics."""
    curves, runs = loss_curves.published_curves(), []
    for method in curves.methods:
        named = re.fullmatch(r"optics-1d256-enob(\d+)-planes(\d+)-(.+)", method)
        if named:
            curve = curves[method]
            runs.append(
                LoopRun(
                    enob=int(named[1]), planes=int(named[2]), feedback=named[3],
                    steps=curve.steps[-1], loss=curve.loss[-1],
                )
            )  # fmt: skip
    return tuple(sorted(runs, key=lambda run: (run.feedback, run.planes, run.enob)))


def enob_range(params: PrecisionParams) -> Real:
    """The whole range of ENOB, the state's own value included."""
    spec = params.specs()["enob"]
    count = round((spec.high - spec.low) * STEPS_PER_BIT) + 1
    return np.union1d(np.linspace(spec.low, spec.high, count), [params.enob])


def histogram_of(params: PrecisionParams) -> Histogram:
    """Window of the first draw: all of it, or narrower towards one RMS."""
    sample = first_draw(params.source)
    peak, rms = sample.peak, sample.rms
    half, centre = peak / rms / params.zoom, 1 - 1 / params.zoom
    edges = np.linspace(centre - half, centre + half, BINS + 1)
    below = np.searchsorted(sample.values, edges[:-1] * rms)
    # The last bin holds its upper edge too, and with it a positive peak.
    until = np.searchsorted(sample.values, edges[-1] * rms * (1 + ROUNDING), side="right")
    grid = levels(params.show_format) / (scale_of(params.show_format, peak) * rms)
    inside = (grid >= edges[0] - ROUNDING) & (grid <= edges[-1] + ROUNDING)
    return Histogram(
        edges=edges,
        share=np.diff(np.append(below, until)) / sample.values.size,
        grid=grid[inside],
    )


@dataclass(frozen=True, kw_only=True)
class PrecisionSeries:
    """What the figures show beyond the result; each part is computed when first asked for."""

    params: PrecisionParams

    @cached_property
    def result(self) -> PrecisionResult:
        return compute_precision(self.params)

    @cached_property
    def noise(self) -> NoiseSweep:
        """Noise of the read-out over ENOB."""
        enob = enob_range(self.params)
        one = noise_relative_rms(self.result.crest, 0) * 2.0**-enob
        return NoiseSweep(enob=enob, one_pass=one, averaged=one / math.sqrt(self.params.passes))

    @cached_property
    def passes(self) -> dict[FormatName, list[int]]:
        """Passes that each format needs over the ENOB of :attr:`noise`."""
        return {
            name: [passes_needed(found.enob_to_match, enob) for enob in self.noise.enob.tolist()]
            for name, found in self.result.formats.items()
        }

    @cached_property
    def crest(self) -> tuple[CrestPoint, ...]:
        """The state's distribution and the others that can be drawn; a network is not
        trained unless the state asks for it."""
        params, points = self.params, []
        for distribution in DISTRIBUTIONS:
            if distribution == params.distribution:
                source, count = params.source, params.draws
            elif distribution == "measured":
                continue
            else:
                update: dict[str, Any] = {
                    "distribution": distribution,
                    "samples": min(2 ** (params.samples.bit_length() - 1), OTHER_SAMPLES),
                }
                source = params.model_copy(update=update).source
                count = min(params.draws, OTHER_DRAWS)
            points.append(
                CrestPoint(distribution=distribution, draws=count, sample=summary(source, count))
            )
        return tuple(points)

    @cached_property
    def histogram(self) -> Histogram:
        """The first draw and the grid of the chosen format."""
        return histogram_of(self.params)

    @cached_property
    def planes(self) -> PlaneSweep:
        """Emulated planes from one to sixteen, at this state's ENOB and passes."""
        counts = range(1, MOST_PLANES + 1)
        found = [emulated_band(count) for count in counts]
        noise = read_out_rms(found[0].full_scale, self.params.enob) / math.sqrt(self.params.passes)
        return PlaneSweep(
            planes=tuple(counts),
            noiseless=tuple(item.relative_rms() for item in found),
            read_out=tuple(item.relative_rms(noise) for item in found),
            noise_factor=tuple(plane_noise_factor(count) for count in counts),
        )

    @cached_property
    def loop(self) -> tuple[LoopRun, ...]:
        """Published training runs; nothing here is recomputed."""
        return loop_runs()

    @property
    def loop_loss_added(self) -> dict[int, float]:
        """Final loss of the published loops at ENOB 8, above that with 8 planes, by planes."""
        loops = {
            run.planes: run.loss
            for run in loop_runs()
            if run.feedback == "sent+agc100" and run.enob == LOOP_ENOB
        }
        return {planes: loss - loops[LOOP_PLANES] for planes, loss in loops.items()}

    @cached_property
    def conversion(self) -> ConversionSweep:
        """Energy of conversion over ENOB."""
        enob = enob_range(self.params)
        found = self.result.conversion
        return ConversionSweep(
            enob=enob,
            conversion_J={
                variant: found[variant].conversion_J_per_token * 2.0 ** (enob - self.params.enob)
                for variant in OPTICAL_VARIANTS
            },
        )

    @cached_property
    def tornado(self) -> Tornado:
        """Hyena's break-even ENOB with each input halved and doubled."""
        # Drawing samples anew for every bar would tell this number nothing.
        return tornado(self.params, _conversion_only, HYENA_BREAK_EVEN)


def _conversion_only(params: PrecisionParams) -> dict[str, Any]:
    return {"conversion": {name: vars(found) for name, found in conversions(params).items()}}


def precision_series(params: PrecisionParams) -> PrecisionSeries:
    """Sweeps, histogram and other distributions around one state."""
    return PrecisionSeries(params=params)

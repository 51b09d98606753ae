"""Samples that stand for gradients, and what each format makes of them, draw by draw."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from foptrn_model.digit_gradients import BATCHES_KEPT, LayerName, trained_gradients
from foptrn_model.kept import kept_within
from foptrn_model.number_formats import FORMAT_NAMES, FormatName, Real, rounded_to

Distribution = Literal["gaussian", "laplace", "student-t", "measured"]
DISTRIBUTIONS: tuple[Distribution, ...] = get_args(Distribution)
STUDENT_DEGREES = 4
MOST_DRAWS = BATCHES_KEPT
"""A measured draw is one batch's gradient, so there are no more draws than batches."""
BLOCK = 8_192
KEPT_BYTES = 2_100_000
"""Of first draws: four of the default size; to draw and sort the largest takes 60 ms."""
LEAST_ERROR = float(np.finfo(np.float64).eps)
"""Relative; a sample that a format holds exactly has no error to compare with."""


@dataclass(frozen=True)
class Source:
    """Where samples come from; everything about them follows from it."""

    distribution: Distribution
    samples: int
    seed: int
    layer: LayerName


@dataclass(frozen=True, kw_only=True)
class DrawStatistics:
    """One number per draw: crest factor, and each format's relative RMS error."""

    values: int
    crest: Real
    relative_rms: dict[FormatName, Real]


def draws(source: Source, count: int) -> list[Real]:
    """``count`` samples one after the other from ``default_rng(seed)``.

    A measured draw holds values of one batch's gradient, chosen at random
    without repeating any; a layer with fewer weights than asked for gives all.
    """
    rng = np.random.default_rng(source.seed)
    return [_draw(source, rng, index) for index in range(count)]


@dataclass(frozen=True, kw_only=True)
class SortedDraw:
    """A sample in rising order, so that any histogram of it is a few searches."""

    values: Real
    peak: float
    rms: float


@kept_within(KEPT_BYTES, lambda draw: draw.values.nbytes)
def first_draw(source: Source) -> SortedDraw:
    """The first sample; never changed once made."""
    values = np.sort(draws(source, 1)[0])
    return SortedDraw(
        values=values,
        peak=float(max(-values[0], values[-1])),
        rms=math.sqrt(float(np.dot(values, values)) / values.size),
    )


@lru_cache(maxsize=512)
def statistics(source: Source, count: int) -> DrawStatistics:
    """Crest factor and errors of each of ``count`` draws; kept, since they only depend on these."""
    rng = np.random.default_rng(source.seed)
    crest = np.empty(count)
    errors = {name: np.empty(count) for name in FORMAT_NAMES}
    values = 0
    for index in range(count):  # one draw at a time, so that memory stays that of one
        sample = _draw(source, rng, index)
        values = sample.size
        crest[index], found = measure(sample)
        for name, error in found.items():
            errors[name][index] = error
    return DrawStatistics(values=values, crest=crest, relative_rms=errors)


def measure(sample: Real) -> tuple[float, dict[FormatName, float]]:
    """Crest factor of a sample, and the relative RMS error of each format on it."""
    peak = float(np.abs(sample).max())
    square = 0.0
    wrong = dict.fromkeys(FORMAT_NAMES, 0.0)
    # Blocks that fit a core's cache take a third of the time that whole samples take.
    for start in range(0, sample.size, BLOCK):
        block = sample[start : start + BLOCK]
        square += float(np.dot(block, block))
        for name in FORMAT_NAMES:
            error = rounded_to(name, block, peak=peak)
            error -= block
            wrong[name] += float(np.dot(error, error))
    errors = {name: max(math.sqrt(found / square), LEAST_ERROR) for name, found in wrong.items()}
    return peak / math.sqrt(square / sample.size), errors


def _draw(source: Source, rng: np.random.Generator, index: int) -> Real:
    if source.distribution == "gaussian":
        return rng.standard_normal(source.samples)
    if source.distribution == "laplace":
        return rng.laplace(size=source.samples)
    if source.distribution == "student-t":
        return rng.standard_t(STUDENT_DEGREES, source.samples)
    whole = trained_gradients(source.seed).layers[source.layer][index].astype(np.float64)
    if source.samples >= whole.size:
        return whole
    chosen = whole[rng.permutation(whole.size)[: source.samples]]
    # Rectifiers leave some weights without a gradient; of nothing there is no crest factor.
    return chosen if chosen.any() else whole

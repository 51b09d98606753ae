"""Random numbers: one stream per seed and purpose.

A seed's numbers depend on nothing but the run's seed, its own number and what
they are for: not on how many seeds are computed together, by how many workers,
nor on which trainers run or which imperfections are on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foptrn_model.photonics.mesh import Real

Purpose = Literal[
    "start",
    "device-phases",
    "device-splitters",
    "feedback",
    "split",
    "train-uniform",
    "train-normal",
    "test-uniform",
    "test-normal",
    "readout-forward",
    "readout-backward",
    "readout-powers",
    "readout-test",
    "drift",
    "device-shifts",
    "device-distances",
]
_NUMBER = {purpose: number for number, purpose in enumerate(get_args(Purpose))}

BLOCK_VALUES = 1 << 17
"""Values drawn at once: few calls for small meshes, little memory for large ones."""


def generator(run_seed: int, number: int, purpose: Purpose) -> np.random.Generator:
    """The stream of seed ``number`` of a run for one purpose."""
    key = (number, _NUMBER[purpose])
    return np.random.default_rng(np.random.SeedSequence(run_seed, spawn_key=key))


def normals(
    run_seed: int, numbers: Sequence[int], purpose: Purpose, shape: tuple[int, ...]
) -> Real:
    """Standard normal numbers of each seed, shape (seeds, *shape)."""
    drawn = [generator(run_seed, number, purpose).standard_normal(shape) for number in numbers]
    return np.stack(drawn)


class Stream:
    """An endless sequence of arrays, one slice per run.

    Values are drawn in blocks, yet in the same order whatever the block.

    Parameters
    ----------
    numbers : the seed of each run; runs that share a seed share its numbers.
    shape : of each run's part of one item.
    scale : standard deviation of each run; None draws uniformly from [0, 1).
    """

    def __init__(
        self,
        run_seed: int,
        numbers: Sequence[int],
        purpose: Purpose,
        shape: tuple[int, ...],
        scale: Real | None,
    ) -> None:
        distinct = sorted(set(numbers))
        self._generators = [generator(run_seed, number, purpose) for number in distinct]
        self._run: NDArray[np.intp] | None = None
        if list(numbers) != distinct:
            self._run = np.array([distinct.index(number) for number in numbers])
        self._scale = None if scale is None else scale.reshape(-1, *(1,) * (len(shape) + 1))
        items = max(1, min(32, BLOCK_VALUES // max(1, len(numbers) * int(np.prod(shape)))))
        self._drawn = np.empty((len(distinct), items, *shape))
        self._block = self._drawn
        self._next = items

    def take(self) -> Real:
        """The next item, shape (runs, *shape); valid until the next call."""
        if self._next == self._drawn.shape[1]:
            self._refill()
        item: Real = self._block[:, self._next]
        self._next += 1
        return item

    def _refill(self) -> None:
        for source, part in zip(self._generators, self._drawn, strict=True):
            if self._scale is None:
                source.random(out=part)
            else:
                source.standard_normal(out=part)
        self._block = self._drawn if self._run is None else self._drawn[self._run]
        if self._scale is not None:
            self._block *= self._scale
        self._next = 0

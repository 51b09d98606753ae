"""Which coefficients of a chunk are sent.

Positions are numbered along the flattened chunk. A fixed selector is an order
of positions, of which the first k are sent; top-k looks at the values.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Selector = Literal["topk", "low", "zigzag", "high", "random", "calibrated"]
SELECTORS: tuple[Selector, ...] = get_args(Selector)
FIXED: tuple[Selector, ...] = ("low", "zigzag", "high", "random")
"""Selectors that know nothing of the data."""
RANDOM_SEED = 20_260

Array = NDArray[Any]
Places = NDArray[np.intp]


def keep_count(points: int, keep: float) -> int:
    """Coefficients sent of a chunk: the share asked for, and at least one."""
    return max(1, round(points * keep))


@lru_cache(maxsize=64)
def fixed_order(selector: Selector, shape: tuple[int, ...], seed: int = RANDOM_SEED) -> Places:
    """Positions of a chunk in the order in which a fixed selector takes them; not to be changed.

    ``low`` grows as a block in the corner of the lowest frequencies (a square
    whenever k is a square), ``high`` in the opposite corner; ``zigzag`` takes
    the lowest i + j; ``random`` is one permutation for all chunks and workers.
    """
    points = math.prod(shape)
    if selector == "random":
        return np.random.default_rng([seed, points]).permutation(points)
    # Fractions of the side, so that a block of a tile that is not square has the tile's shape.
    grid = np.indices(shape).reshape(len(shape), points)
    share = (grid + 1) / np.array(shape)[:, None]
    if selector == "high":
        share = (np.array(shape)[:, None] - grid) / np.array(shape)[:, None]
    if selector in ("low", "high"):
        return np.lexsort((grid[0], share.sum(axis=0), share.max(axis=0)))
    if selector == "zigzag":
        return np.lexsort((grid[0], grid.sum(axis=0)))
    raise ValueError(f"selector must be one of {', '.join(FIXED)}, got {selector}")


def calibrated_order(energy: Array) -> Places:
    """Positions by falling mean energy, as measured in a calibration window; shape (points,)."""
    return np.argsort(-energy, kind="stable")


def topk_places(coefficients: Array, count: int) -> Places:
    """The positions of the ``count`` largest magnitudes of each chunk, shape (..., count)."""
    points = coefficients.shape[-1]
    if count == points:
        return np.broadcast_to(np.arange(points), coefficients.shape)
    found = np.argpartition(np.abs(coefficients), points - count, axis=-1)
    return np.asarray(found[..., points - count :])


def captured_share(coefficients: Array, places: Array) -> float:
    """Share of the energy of chunks (..., points) that lies at these positions.

    ``places`` is (count,) for all chunks, or (..., count) chunk by chunk.
    """
    whole = float(np.square(coefficients, dtype=np.float64).sum())
    if places.ndim == 1:
        kept = coefficients[..., places]
    else:
        kept = np.take_along_axis(coefficients, places, axis=-1)
    return float(np.square(kept, dtype=np.float64).sum()) / whole if whole else 0.0

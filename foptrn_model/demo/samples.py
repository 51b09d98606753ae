"""Chunks to look into: white noise, smooth noise, or tensors of our own training run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foptrn_model.demo.chunks import SIDES, ChunkKind, ChunkLayout
from foptrn_model.demo.training import Settings
from foptrn_model.kept import kept_within

SourceName = Literal["white", "smooth", "measured"]
TensorName = Literal["momentum", "delta", "gradient"]
SOURCES: tuple[SourceName, ...] = get_args(SourceName)
TENSORS: tuple[TensorName, ...] = get_args(TensorName)

NEIGHBOUR_CORRELATION = 0.95
"""Of smooth noise, along either axis."""
MEASURED_FILE = "measured_tensors.npz"
LEAST_CHUNKS = 2
"""A calibrated band is fitted to one half of the chunks and scored on the other."""
KEPT_BYTES = 4_200_000
"""Of chunks: four sources of the default size. To draw a larger one takes little beside its use."""

Array = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where chunks come from; everything about them follows from it.

    Of drawn noise ``tensor`` says nothing and is "momentum".
    """

    name: SourceName
    tensor: TensorName
    chunk: ChunkKind
    samples: int
    seed: int


def chunk_count(chunk: ChunkKind, samples: int) -> int:
    """Chunks that so many values make: whole tiles of a square, or whole runs; at least two."""
    side = SIDES[chunk]
    if chunk == "2d-64":
        return max(LEAST_CHUNKS, (int(samples**0.5) // side) ** 2)
    return max(LEAST_CHUNKS, samples // side)


@kept_within(KEPT_BYTES, lambda chunks: chunks.nbytes)
def chunks_of(source: Source) -> Array:
    """The chunks of a source, shape (count, *shape), float32; not to be changed."""
    if source.name == "measured":
        return _measured(source)
    side = SIDES[source.chunk]
    shape = (side, side) if source.chunk == "2d-64" else (side,)
    rng = np.random.default_rng(source.seed)
    drawn = rng.standard_normal(
        (chunk_count(source.chunk, source.samples), *shape), dtype=np.float32
    )
    return drawn if source.name == "white" else smoothed(drawn)


def smoothed(white: Array) -> Array:
    """White chunks made into ones whose neighbours correlate, r^|i - j| along every axis."""
    for axis in range(1, white.ndim):
        root = correlation_root(white.shape[axis]).astype(white.dtype)
        white = np.moveaxis(np.moveaxis(white, axis, -1) @ root.T, -1, axis)
    return np.ascontiguousarray(white)


@lru_cache(maxsize=4)
def correlation_root(side: int) -> Array:
    """The lower triangle whose square is the correlation of so many neighbours."""
    place = np.arange(side)
    apart = np.abs(place[:, None] - place)
    return np.asarray(np.linalg.cholesky(NEIGHBOUR_CORRELATION**apart))


@cache
def measured_tensors() -> dict[str, Array]:
    """Tensors of the training run, each of shape (parameters,), in units of their RMS."""
    path = files("foptrn_model") / "data" / MEASURED_FILE
    with path.open("rb") as file, np.load(file) as kept:
        return {name: kept[name].astype(np.float32) for name in TENSORS}


@lru_cache(maxsize=4)
def measured_layout(chunk: ChunkKind) -> ChunkLayout:
    """How the trained model's tensors are cut."""
    return ChunkLayout(Settings().model.shapes, chunk)


def _measured(source: Source) -> Array:
    layout = measured_layout(source.chunk)
    group = layout.groups[0]  # the matrices'; the few vectors are left out
    found = layout.chunks(layout.chunked(measured_tensors()[source.tensor]), group)
    # Mixed, so that both halves of a calibration hold chunks of every tensor.
    order = np.random.default_rng(source.seed).permutation(group.count)
    wanted = min(group.count, max(LEAST_CHUNKS, source.samples // group.points))
    return np.ascontiguousarray(found[order[:wanted]])

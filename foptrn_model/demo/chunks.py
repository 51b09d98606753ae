"""Chunks of parameter tensors and their orthonormal DCT-II.

A matrix is cut into tiles, or flattened into runs; a vector always into runs.
The side of a chunk is the largest divisor of the dimension that is not above
the side asked for, so that every chunk is whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import fft

ChunkKind = Literal["2d-64", "1d-256", "1d-64"]
CHUNK_KINDS: tuple[ChunkKind, ...] = get_args(ChunkKind)
SIDES: dict[ChunkKind, int] = {"2d-64": 64, "1d-256": 256, "1d-64": 64}

Array = NDArray[Any]
Shape = tuple[int, ...]


def chunk_side(size: int, most: int) -> int:
    """The largest divisor of ``size`` that is not above ``most``."""
    return next(side for side in range(min(size, most), 0, -1) if size % side == 0)


def chunk_shape(shape: Shape, kind: ChunkKind) -> Shape:
    """The shape of a tensor's chunks: (side, side) of tiles, (points,) of runs."""
    most = SIDES[kind]
    if kind == "2d-64" and len(shape) == 2:
        return tuple(chunk_side(size, most) for size in shape)
    return (chunk_side(math.prod(shape), most),)


def transformed(chunks: Array, axes: int) -> Array:
    """The orthonormal DCT-II over the last ``axes`` axes."""
    return np.asarray(fft.dctn(chunks, axes=tuple(range(-axes, 0)), norm="ortho"))


def restored(coefficients: Array, axes: int) -> Array:
    """The inverse of :func:`transformed`."""
    return np.asarray(fft.idctn(coefficients, axes=tuple(range(-axes, 0)), norm="ortho"))


def whole_transform_full_scale(shape: Shape) -> float:
    """Largest output of a chunk's transform for inputs of zeros and ones: max_i sum_j |T_ij|.

    A separable transform's is the product of its sides' (16 for 256 points, 64
    for 64 x 64).
    """
    scale = 1.0
    for side in shape:
        matrix = fft.dct(np.eye(side), axis=0, norm="ortho")
        scale *= float(np.abs(matrix).sum(axis=1).max())
    return scale


@dataclass(frozen=True, kw_only=True)
class ChunkGroup:
    """All chunks of one shape: where they lie in a chunked vector, and whose they are."""

    shape: Shape
    start: int
    stop: int
    tensor: NDArray[np.intp]
    """The tensor of each chunk, shape (count,)."""

    @property
    def points(self) -> int:
        return math.prod(self.shape)

    @property
    def count(self) -> int:
        return len(self.tensor)


class ChunkLayout:
    """How tensors, laid out one after the other in a flat vector, are cut into chunks.

    ``chunked`` reorders a vector of all parameters so that chunks lie in one
    piece, those of one shape together; ``flat`` undoes it. Leading axes
    (workers) stay.
    """

    def __init__(self, shapes: Sequence[Shape], kind: ChunkKind) -> None:
        self.shapes = tuple(shapes)
        self.kind = kind
        pieces: dict[Shape, list[tuple[int, Array]]] = {}
        start = 0
        for index, shape in enumerate(self.shapes):
            size = math.prod(shape)
            places = np.arange(start, start + size)
            side = chunk_shape(shape, kind)
            if len(side) == 2:
                rows, columns = shape
                tiles = places.reshape(rows // side[0], side[0], columns // side[1], side[1])
                places = tiles.transpose(0, 2, 1, 3).ravel()
            pieces.setdefault(side, []).append((index, places))
            start += size
        self.size = start
        groups, orders, begin = [], [], 0
        for side, found in pieces.items():
            places = np.concatenate([part for _, part in found])
            owners = [np.full(len(part) // math.prod(side), index) for index, part in found]
            groups.append(
                ChunkGroup(
                    shape=side, start=begin, stop=begin + len(places), tensor=np.concatenate(owners)
                )
            )
            orders.append(places)
            begin += len(places)
        self.groups = tuple(groups)
        self._order = np.concatenate(orders)
        self._place = np.argsort(self._order)

    def chunked(self, flat: Array) -> Array:
        """A vector (..., size) with its chunks in one piece each."""
        return np.asarray(np.take(flat, self._order, axis=-1))

    def flat(self, chunked: Array) -> Array:
        """The inverse of :meth:`chunked`."""
        return np.asarray(np.take(chunked, self._place, axis=-1))

    def chunks(self, chunked: Array, group: ChunkGroup) -> Array:
        """A group's chunks, a view of shape (..., count, *shape)."""
        part = chunked[..., group.start : group.stop]
        return part.reshape(*chunked.shape[:-1], group.count, *group.shape)

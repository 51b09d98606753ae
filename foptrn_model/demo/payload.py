"""Bytes that a worker hands over in one step: dense, a fixed band, and top-k with its indices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from foptrn_model.demo.chunks import ChunkKind, Shape, chunk_shape
from foptrn_model.demo.selectors import keep_count

VALUE_BYTES = 2
"""bf16."""
SHORT_INDEX, LONG_INDEX, INT64_INDEX = 1, 2, 8
SHORT_CHUNK = 256
"""A position in a chunk of so many points fits in one byte."""


@dataclass(frozen=True, kw_only=True)
class Payload:
    """Bytes of one worker's payload, and the coefficients that a selector sends.

    ``topk`` has a bf16 value and an index of one byte in chunks of at most 256
    positions, of two in others; ``topk_int64`` an index of eight.
    """

    dense: int
    band: int
    topk: int
    topk_int64: int
    coefficients: int


def payload_bytes(shapes: Sequence[Shape], kind: ChunkKind, keep: float) -> Payload:
    """Count the bytes for tensors of these shapes."""
    values = coefficients = index_bytes = 0
    for shape in shapes:
        points = math.prod(chunk_shape(shape, kind))
        size = math.prod(shape)
        sent = size // points * keep_count(points, keep)
        values += size
        coefficients += sent
        index_bytes += sent * (SHORT_INDEX if points <= SHORT_CHUNK else LONG_INDEX)
    return Payload(
        dense=VALUE_BYTES * values,
        band=VALUE_BYTES * coefficients,
        topk=VALUE_BYTES * coefficients + index_bytes,
        topk_int64=(VALUE_BYTES + INT64_INDEX) * coefficients,
        coefficients=coefficients,
    )

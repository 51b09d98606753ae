"""The text that the small model reads: the help topics of Python, ``pydoc_data.topics``.

The topics differ a little between versions of Python, and a curve belongs to
its text. So one version's text is kept with the project, and every machine
trains on the same bytes.
"""

from __future__ import annotations

import lzma
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

FILE = "pydoc_topics.txt.xz"
ORIGIN = "pydoc_data.topics of Python 3.11.7 (Python Software Foundation, PSF-2.0)"
BLOCK = 4_096
EVERY = 10
"""Of so many blocks one is held out for validation."""

Bytes = NDArray[np.uint8]


def topics_text(topics: dict[str, str]) -> bytes:
    """The topics one after the other, in the order of their names."""
    return "\n\n".join(topics[name] for name in sorted(topics)).encode()


@cache
def corpus() -> Bytes:
    """The whole text as bytes; not to be changed."""
    packed = (files("foptrn_model") / "data" / FILE).read_bytes()
    return np.frombuffer(lzma.decompress(packed), dtype=np.uint8)


@cache
def parts() -> tuple[Bytes, Bytes]:
    """Training and validation text: of every ten blocks of 4,096 bytes the last is held out."""
    text = corpus()
    held_out = np.arange(len(text)) // BLOCK % EVERY == EVERY - 1
    return text[~held_out], text[held_out]


def windows(text: Bytes, starts: NDArray[np.int64], length: int) -> NDArray[np.intp]:
    """Windows of ``length`` bytes, shape (*starts.shape, length)."""
    return text[starts[..., None] + np.arange(length)].astype(np.intp)


def batch(seed: int, step: int, *, workers: int, size: int, length: int) -> NDArray[np.intp]:
    """Every worker's sequences of one step, shape (workers, size, length).

    They depend on seed and step alone, so a run can be taken up anywhere.
    """
    text, _ = parts()
    rng = np.random.default_rng([1, seed, step])
    return windows(text, rng.integers(0, len(text) - length, (workers, size)), length)


def validation(sequences: int, length: int) -> NDArray[np.intp]:
    """Sequences of the held-out text, evenly spread, shape (sequences, length)."""
    _, text = parts()
    starts = np.linspace(0, len(text) - length, sequences).astype(np.int64)
    return windows(text, starts, length)

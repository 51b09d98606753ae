"""scikit-learn's handwritten digits, split anew for every seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from foptrn_model.digits import load_digits
from foptrn_model.optical_dfa_optics import Real

PIXELS, CLASSES, GREYS = 64, 10, 16
HELD_OUT = 4
"""One digit in so many is held out, class by class."""

Labels = NDArray[np.intp]


@dataclass(frozen=True)
class Digits:
    """scikit-learn's digits, split per seed: (seeds, samples, pixels), and labels or targets."""

    train: Real
    targets: Real
    held_out: Real
    held_out_labels: Labels

    @classmethod
    def split(cls, streams: list[np.random.Generator]) -> Digits:
        images, labels = _digits()
        parts = []
        for stream in streams:
            held = np.zeros(len(labels), bool)
            for digit in range(CLASSES):
                places = stream.permutation(np.flatnonzero(labels == digit))
                held[places[: round(len(places) / HELD_OUT)]] = True
            kept, out = np.flatnonzero(~held), np.flatnonzero(held)
            centre = images[kept].mean(axis=0)
            parts.append(
                (images[kept] - centre, np.eye(CLASSES, dtype=np.float32)[labels[kept]],
                 images[out] - centre, labels[out])
            )  # fmt: skip
        return cls(*(np.stack(part) for part in zip(*parts, strict=True)))

    def batch(self, rows: Labels) -> tuple[Real, Real]:
        """Inputs and targets of some rows of each seed."""
        return (
            np.take_along_axis(self.train, rows[:, :, None], axis=1),
            np.take_along_axis(self.targets, rows[:, :, None], axis=1),
        )


@lru_cache(maxsize=1)
def _digits() -> tuple[Real, Labels]:
    images, labels = load_digits()
    return (images / GREYS).astype(np.float32), labels

"""The optimizer that every trainer uses."""

from __future__ import annotations

import numpy as np

from foptrn_model.photonics.mesh import Real

MEMORY, FORGETTING, FLOOR = 0.9, 0.99, 1e-6
"""Adam's decay of the first and second moment, and what keeps its quotient finite.

An output phase before a detector has no influence, so its gradient is rounding:
some 1e-16, which the usual floor of 1e-8 would turn into visible steps.
"""


class Adam:
    """Kingma and Ba's optimizer on one array, in place."""

    def __init__(self, values: Real, rate: float) -> None:
        self._values, self._rate, self._step = values, rate, 0
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)

    def update(self, gradient: Real) -> None:
        """One step against the gradient."""
        self._step += 1
        self._mean *= MEMORY
        self._mean += (1 - MEMORY) * gradient
        self._square *= FORGETTING
        self._square += (1 - FORGETTING) * np.square(gradient)
        size = np.sqrt(self._square / (1 - FORGETTING**self._step))
        size += FLOOR
        self._values -= self._rate / (1 - MEMORY**self._step) * self._mean / size

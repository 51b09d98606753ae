"""Arrays as text that plotly.js decodes: thousands of numbers would each be looked at on the way."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]


def packed(values: Real, *, signed: bool) -> dict[str, Any]:
    """Whole numbers of one byte, shape (rows, columns), as a typed array of a trace."""
    kind = np.int8 if signed else np.uint8
    return {
        "dtype": "i1" if signed else "u1",
        "bdata": base64.b64encode(np.rint(values).astype(kind).tobytes()).decode(),
        "shape": f"{values.shape[0]}, {values.shape[1]}",
    }

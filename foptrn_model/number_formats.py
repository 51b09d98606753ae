"""Number formats of gradients: rounding to them, and the values they hold.

ml_dtypes does the rounding (to nearest, ties to even, subnormals kept). Formats
of sixteen bits hold numbers as they are; narrower ones are scaled so that the
largest magnitude maps to the format's largest value, as is done per tensor.

References
----------
P. Micikevicius et al., FP8 Formats for Deep Learning, arXiv 2209.05433 (E4M3, E5M2).
Open Compute Project, Microscaling Formats Specification 1.0 (2023) (E2M1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

FormatName = Literal["BF16", "FP16", "E4M3", "E5M2", "E2M1", "INT8"]
FORMAT_NAMES: tuple[FormatName, ...] = get_args(FormatName)

Real = NDArray[np.float64]

INT8_LARGEST = 127


@dataclass(frozen=True, kw_only=True)
class NumberFormat:
    """A format's type; ``largest`` is what a tensor's peak is scaled to, None where it is not."""

    label: str
    dtype: Any
    bits: int
    largest: float | None


def _scaled(label: str, dtype: Any, bits: int) -> NumberFormat:
    return NumberFormat(
        label=label, dtype=dtype, bits=bits, largest=float(ml_dtypes.finfo(dtype).max)
    )


FORMATS: dict[FormatName, NumberFormat] = {
    "BF16": NumberFormat(label="BF16", dtype=ml_dtypes.bfloat16, bits=16, largest=None),
    "FP16": NumberFormat(label="FP16", dtype=np.float16, bits=16, largest=None),
    "E4M3": _scaled("FP8 E4M3", ml_dtypes.float8_e4m3fn, 8),
    "E5M2": _scaled("FP8 E5M2", ml_dtypes.float8_e5m2, 8),
    "E2M1": _scaled("FP4 E2M1", ml_dtypes.float4_e2m1fn, 4),
    "INT8": NumberFormat(label="INT8", dtype=np.int8, bits=8, largest=float(INT8_LARGEST)),
}


def scale_of(name: FormatName, peak: float) -> float:
    """What a tensor with this largest magnitude is multiplied by before it is rounded."""
    largest = FORMATS[name].largest
    return 1.0 if largest is None else largest / peak


def rounded_to(name: FormatName, values: Real, *, peak: float | None = None) -> Real:
    """Values as a format keeps them, scaled back.

    Parameters
    ----------
    values : array of any shape, not all zero
    peak : the largest magnitude of the tensor they belong to; theirs by default.
    """
    scale = scale_of(name, float(np.abs(values).max()) if peak is None else peak)
    scaled = values if scale == 1 else values * scale
    if name == "INT8":
        kept = np.rint(scaled)
    else:
        kept = scaled.astype(FORMATS[name].dtype).astype(np.float64)
    return kept if scale == 1 else kept / scale


@cache
def levels(name: FormatName) -> Real:
    """Every finite value of a format, rising; before any scaling. Never changed once made."""
    if name == "INT8":
        return np.arange(-INT8_LARGEST, INT8_LARGEST + 1, dtype=float)
    bits = FORMATS[name].bits
    codes = np.arange(2**bits, dtype=np.uint16 if bits == 16 else np.uint8)
    with np.errstate(invalid="ignore"):  # some codes are not numbers
        values = codes.view(FORMATS[name].dtype).astype(np.float64)
    return np.unique(values[np.isfinite(values)])

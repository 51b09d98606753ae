"""Where every constant of the time and memory model comes from: published, with whom, or inferred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from foptrn_model.optical_dfa import CAMERA_COLUMNS, CAMERA_ROWS, GUARD_S
from foptrn_model.optical_dfa_memory import BYTES, OPTIMIZER_WORDS
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.optical_dfa_presets import LIBRARY, VENDOR, WANG

Kind = Literal["published", "inferred"]
INFERRED = "chosen so that the published ratio and crossover come out"
LINEAR_MODE = f"{VENDOR}: the linear mode"
FRAMES = f"{LIBRARY}: 500 \u00b5s a frame, or 50 \u00b5s more than the read-out"
SENSOR = f"sensor of {CAMERA_COLUMNS:,} \u00d7 {CAMERA_ROWS:,} pixels at 340 Hz (its data sheet)"


@dataclass(frozen=True, kw_only=True)
class Constant:
    """One constant: its value in this state, its default, and what the default rests on."""

    label: str
    value: float
    default: float
    unit: str
    kind: Kind
    source: str

    @property
    def changed(self) -> bool:
        return self.value != self.default


FIELDS: tuple[tuple[str, Kind, str], ...] = (
    ("frame_rate_hz", "published", FRAMES),
    ("passes", "published", LINEAR_MODE),
    ("camera_fps", "published", SENSOR),
    ("opu_W", "published", WANG),
    ("depth", "published", WANG),
    ("width", "published", WANG),
    ("matrices_per_layer", "inferred", "a fully connected layer has one matrix"),
    ("batch", "inferred", INFERRED),
    ("gpu_tflops", "inferred", INFERRED),
    ("gpu_memory_GBps", "inferred", INFERRED),
    ("gpu_memory_GB", "inferred", INFERRED),
    ("launch_us", "inferred", INFERRED),
    ("pcie_GBps", "inferred", INFERRED),
    ("gpu_W", "inferred", "the order of a data-centre card's data sheet"),
)
FIXED: tuple[tuple[str, float, str, Kind, str], ...] = (
    ("Guard between frames", 1e6 * GUARD_S, "\u00b5s", "published", FRAMES),
    ("Camera's columns", CAMERA_COLUMNS, "pixels", "published", SENSOR),
    ("Camera's rows", CAMERA_ROWS, "pixels", "published", SENSOR),
    ("Bytes of a number", BYTES, "B", "inferred", "single precision"),
    ("Words that the optimizer keeps per weight", OPTIMIZER_WORDS, "", "inferred", "Adam"),
)


def constants_of(params: OpticalDfaParams) -> Sequence[Constant]:
    """Every constant with this state's value."""
    specs = params.specs()
    listed = [
        Constant(
            label=specs[name].label, value=getattr(params, name), default=specs[name].default,
            unit=specs[name].unit, kind=kind, source=source,
        )
        for name, kind, source in FIELDS
    ]  # fmt: skip
    return listed + [
        Constant(label=label, value=value, default=value, unit=unit, kind=kind, source=source)
        for label, value, unit, kind, source in FIXED
    ]

"""What the masks page shows beyond the result: sweeps, devices, memory and the small case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from foptrn_model.devices import DEVICES, Device
from foptrn_model.ledger import VARIANTS
from foptrn_model.mask_schedule import (
    Fill,
    SmallCase,
    Timeline,
    layer_order_timeline,
    overlap_fill,
    pipeline_timeline,
    small_case,
)
from foptrn_model.masks import (
    MasksParams,
    MasksResult,
    MaskValues,
    Order,
    compute_masks,
    digital_time_s,
    frames_of,
    mask_time_s,
    mask_values,
    pixels,
    step_time_s,
)
from foptrn_model.masks_presets import MASK_OVER_DIGITAL
from foptrn_model.sensitivity import Tornado, tornado

POINTS_PER_DECADE = 8
MAP_POINTS = 21
"""Points along each side of the map; its logarithm is linear, so few are exact."""
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, kw_only=True)
class SequenceSweep:
    """Seconds per step over the number of sequences, arrays of shape (n,)."""

    sequences: NDArray[np.int64]
    mask_s: dict[Order, NDArray[np.float64]]
    digital_s: NDArray[np.float64]
    step_s: NDArray[np.float64]


def spaced_sequences() -> NDArray[np.int64]:
    """Numbers of sequences over the whole range, evenly on a logarithmic axis."""
    spec = MasksParams.specs()["sequences_per_step"]
    count = round(np.log10(spec.high / spec.low) * POINTS_PER_DECADE) + 1
    return np.round(np.geomspace(spec.low, spec.high, count)).astype(np.int64)


def sequence_sweep(params: MasksParams, result: MasksResult) -> SequenceSweep:
    """Vary sequences per step over its whole range, the break-even included."""
    extra = [params.sequences_per_step]
    if isinstance(result.break_even_sequences, int):
        extra.append(result.break_even_sequences)
    sequences = np.unique(np.concatenate([spaced_sequences(), extra]))
    masks = {order: mask_time_s(params, sequences, order) for order in ORDERS}
    digital = digital_time_s(params, sequences)
    return SequenceSweep(
        sequences=sequences,
        mask_s=masks,
        digital_s=digital,
        step_s=step_time_s(params, masks[params.order], digital),
    )


@dataclass(frozen=True, kw_only=True)
class RatioMap:
    """Mask time over digital step time.

    ``ratio`` has shape (len(sequences), len(frame_rate_hz)).
    """

    frame_rate_hz: NDArray[np.float64]
    sequences: NDArray[np.float64]
    ratio: NDArray[np.float64]


def ratio_map(params: MasksParams) -> RatioMap:
    """Vary frame rate and sequences per step over their whole ranges."""
    specs = params.specs()
    rates, sequences = (
        np.geomspace(specs[name].low, specs[name].high, MAP_POINTS)
        for name in ("frame_rate_hz", "sequences_per_step")
    )
    here = mask_time_s(params, sequences) / digital_time_s(params, sequences)
    ratio = here[:, None] * params.frame_rate_hz / rates[None, :]
    return RatioMap(frame_rate_hz=rates, sequences=sequences, ratio=ratio)


@dataclass(frozen=True, kw_only=True)
class KindFrames:
    """Frames that one kind of layer fills in one pass, as a fraction of whole frames."""

    long_convolution: float
    mixing: float
    mlp: float
    unfilled: float

    @property
    def total(self) -> float:
        """Whole frames, the unfilled rest of the last one included."""
        return self.long_convolution + self.mixing + self.mlp + self.unfilled


@dataclass(frozen=True, kw_only=True)
class VariantFrames:
    """Frames of one variant at this state's shape, length and modulator."""

    values: MaskValues
    forward: KindFrames
    backward: KindFrames


def variant_frames(params: MasksParams) -> dict[str, VariantFrames]:
    """Frames by kind of layer and direction, for every variant."""
    found: dict[str, VariantFrames] = {}
    for variant in VARIANTS:
        state = params.model_copy(update={"variant": variant})
        values = mask_values(state)
        whole = frames_of(state, values.total)
        found[variant] = VariantFrames(
            values=values,
            forward=_kind_frames(state, values, whole[0]),
            backward=_kind_frames(state, values, whole[1]),
        )
    return found


def _kind_frames(params: MasksParams, values: MaskValues, whole: int) -> KindFrames:
    if not whole:
        return KindFrames(long_convolution=0, mixing=0, mlp=0, unfilled=0)
    per_value = params.pixels_per_value / pixels(params)
    return KindFrames(
        long_convolution=values.long_convolution * per_value,
        mixing=values.mixing * per_value,
        mlp=values.mlp * per_value,
        unfilled=max(whole - values.total * per_value, 0.0),
    )


@dataclass(frozen=True, kw_only=True)
class DeviceTime:
    """What one device's rate would make of this state."""

    device: Device
    forward_s: float
    result: MasksResult


def device_times(params: MasksParams) -> tuple[DeviceTime, ...]:
    """This state on every device, all else kept."""
    found = []
    for device in DEVICES:
        result = compute_masks(params.model_copy(update={"frame_rate_hz": device.frame_rate_hz}))
        found.append(DeviceTime(device=device, forward_s=result.mask_time_forward_s, result=result))
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class MemorySweep:
    """Bytes of live activations over the number of sequences, arrays of shape (n,).

    ``layer_major`` and ``all_stages`` are of the whole machine, ``pipeline`` of
    the first of its stages, which holds the most.
    """

    sequences: NDArray[np.int64]
    layer_major: NDArray[np.float64]
    pipeline: NDArray[np.float64]
    all_stages: NDArray[np.float64]
    allreduce: NDArray[np.float64]


def memory_sweep(
    sequences: NDArray[np.int64], params: MasksParams, result: MasksResult
) -> MemorySweep:
    """Activations and all-reduces grow in proportion to the sequences of a step."""
    relative = sequences / params.sequences_per_step
    return MemorySweep(
        sequences=sequences,
        layer_major=result.activation_bytes_layer_major * relative,
        pipeline=result.activation_bytes_pipeline * relative,
        all_stages=params.pipeline_stages * result.activation_bytes_pipeline * relative,
        allreduce=result.tensor_parallel_allreduce_bytes * relative,
    )


@dataclass(frozen=True, kw_only=True)
class MasksSeries:
    """What the figures show beyond the result; each part is computed when first asked for."""

    params: MasksParams

    @cached_property
    def result(self) -> MasksResult:
        return compute_masks(self.params)

    @cached_property
    def sweep(self) -> SequenceSweep:
        """Times over sequences per step."""
        return sequence_sweep(self.params, self.result)

    @cached_property
    def map(self) -> RatioMap:
        """Mask time over digital time, by frame rate and sequences."""
        return ratio_map(self.params)

    @cached_property
    def frames(self) -> dict[str, VariantFrames]:
        """Frames of every variant, by kind and direction."""
        return variant_frames(self.params)

    @cached_property
    def devices(self) -> tuple[DeviceTime, ...]:
        """This state on every device."""
        return device_times(self.params)

    @cached_property
    def memory(self) -> MemorySweep:
        """Live activations over sequences per step."""
        return memory_sweep(self.sweep.sequences, self.params, self.result)

    @cached_property
    def case(self) -> SmallCase:
        """The step cut into a few groups and microbatches."""
        return small_case(self.params, self.result)

    @cached_property
    def timelines(self) -> tuple[Timeline, Timeline]:
        """The small case in the order of the state, and as a 1F1B pipeline."""
        return layer_order_timeline(self.case), pipeline_timeline(self.case)

    @cached_property
    def fill(self) -> Fill:
        """What overlap cannot hide in the small case."""
        return overlap_fill(self.case)

    @cached_property
    def tornado(self) -> Tornado:
        """Mask time over digital time with each input halved and doubled."""
        return tornado(self.params, compute_masks, MASK_OVER_DIGITAL)


def masks_series(params: MasksParams) -> MasksSeries:
    """Sweeps, devices, memory and the small case around one state."""
    return MasksSeries(params=params)

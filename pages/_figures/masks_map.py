"""Mask time over digital time, by frame rate and sequences; and the devices there are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.masks_series import DeviceTime, RatioMap
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.text import compact, duration, group_digits, si
from pages._components.theme import ACCENT, BANDS, DENSE, MASK_TIME, MUTED, TEXT
from pages._figures.base import (
    SMALL,
    decade_axis,
    figure,
    legend_above,
    note,
    outlined,
    pointer,
    rounded,
    time_axis,
)  # fmt: skip
from pages._figures.marks import pin_mark, published_marks, state_mark

BAND_DECADES = 3
"""Powers of ten of the ratio on either side that have a field of their own."""
DEVICE_LOOKS = (
    ("triangle-up", "top right"),
    ("triangle-down", "bottom left"),
    ("square", "top right"),
    ("hexagon", "top right"),
)
"""Symbol of each device, and where its name stands; two of them lie close together."""
NO_MASKS = "Nothing here needs a mask"
ROOM_FOR_LABEL = 0.75
"""Share of the plot's height above which a label goes below what it names."""
NAMES_BELOW_FROM = 200_000
"""Sequences from which devices' names stand below, clear of the legend."""
LABEL_INSET = 5
"""Points of the map that a corner's field must reach to carry its name."""
FORWARD_FREE = {
    "frame_rate_hz", "sequences_per_step", "engines", "order", "overlap", "conjugate_mask",
    "gpus", "gpu_tflops", "mfu", "pipeline_stages", "microbatches", "pass_time_s",
}  # fmt: skip
"""Params that the published forward mask time of a device does not depend on, its rate aside."""


def map_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Fields a decade of the ratio wide, the break-even line, devices and the state."""
    params, result = evaluation.params, evaluation.result
    ratios: RatioMap = evaluation.series.map
    traces: list[dict[str, Any]] = []
    if result.mask_values_forward:
        traces += [_fields(ratios), *_break_even_line(ratios), *_device_marks(evaluation)]
    traces += [
        pin_mark(
            letter, pin.params, pin.params.frame_rate_hz, pin.params.sequences_per_step,
            f"masks take {compact(pin.result.mask_over_digital)}\u00d7 the computing",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    traces.append(
        state_mark(
            params.frame_rate_hz,
            params.sequences_per_step,
            f"masks take {compact(result.mask_over_digital)}\u00d7 the computing",
            cliponaxis=False,
        )
    )
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Frame rate (Hz)", 1, 1e6),
        yaxis=decade_axis("Sequences per step (log scale)", 1, 1e6),
        annotations=_map_labels(evaluation, ratios),
    )


def _fields(ratios: RatioMap) -> dict[str, Any]:
    colors = [token.light for token in BANDS.values()]
    last = len(colors) - 1
    return {
        "type": "contour",
        "x": rounded(ratios.frame_rate_hz),
        "y": rounded(ratios.sequences),
        "z": np.log10(ratios.ratio).round(3).tolist(),
        "contours": {"start": -BAND_DECADES, "end": BAND_DECADES, "size": 1},
        "autocontour": False,
        # Stops at equal distances give each field between two contours exactly its token.
        "colorscale": [[index / last, color] for index, color in enumerate(colors)],
        "line": {"width": 0},
        "showscale": False,
        "showlegend": False,
        "text": [[compact(ratio, 2) for ratio in line] for line in ratios.ratio.tolist()],
        "hovertemplate": "%{x:.3s}Hz, %{y:.3s} sequences:<br>"
        "masks take %{text}\u00d7 the computing<extra></extra>",
    }


def _break_even_line(ratios: RatioMap) -> list[dict[str, Any]]:
    """Where both times are equal: straight on logarithmic axes."""
    points = break_even_points(ratios)
    if not points:
        return []
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": "break-even",
            "x": rounded([rate for rate, _ in points]),
            "y": rounded([sequences for _, sequences in points]),
            "line": {"color": TEXT.light, "width": 2.5},
            "hovertemplate": "break-even: %{x:.3s}Hz, %{y:.3s} sequences<extra></extra>",
        }
    ]


def break_even_points(ratios: RatioMap) -> list[tuple[float, float]]:
    """(frame rate, sequences) along the line where the ratio is one, within the map."""
    with np.errstate(divide="ignore"):
        logs = np.log10(ratios.ratio)
    rates, counts = np.log10(ratios.frame_rate_hz), np.log10(ratios.sequences)
    points = []
    for line, count in zip(logs, counts, strict=True):
        # Along a row the ratio falls as the rate rises: at most one crossing.
        if line[0] >= 0 >= line[-1]:
            points.append((10 ** float(np.interp(0, -line, rates)), 10 ** float(count)))
    for column, rate in zip(logs.T, rates, strict=True):
        if column[0] >= 0 >= column[-1] and column[0] > column[-1]:
            points.append((10 ** float(rate), 10 ** float(np.interp(0, -column, counts))))
    return sorted(points, key=lambda point: (point[0], -point[1]))


def _device_marks(evaluation: Evaluation) -> list[dict[str, Any]]:
    here = evaluation.params.sequences_per_step
    return [
        _device_mark(look, item, here, f"masks take {ratio}\u00d7 the computing")
        for look, item in zip(DEVICE_LOOKS, evaluation.series.devices, strict=True)
        for ratio in [compact(item.result.mask_over_digital)]
    ]


def _device_mark(look: tuple[str, str], item: DeviceTime, y: float, words: str) -> dict[str, Any]:
    symbol, place = look
    if y > NAMES_BELOW_FROM:
        place = place.replace("top", "bottom")
    return {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": [item.device.frame_rate_hz],
        "y": rounded([y]),
        "text": [item.device.short],
        "textposition": place,
        "textfont": {"size": SMALL, "color": TEXT.light},
        "marker": outlined(TEXT.light, 12, symbol),
        "cliponaxis": False,
        "customdata": [
            f"{item.device.label}, {group_digits(item.device.frame_rate_hz)} Hz: {words}"
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _map_labels(evaluation: Evaluation, ratios: RatioMap) -> list[dict[str, Any]]:
    if not evaluation.result.mask_values_forward:
        return [_no_masks()]
    corner = {"xref": "paper", "yref": "paper"}
    labels = []
    if float(ratios.ratio[0, LABEL_INSET]) > 1:
        labels.append(
            note("<b>Masks take longer</b>", x=0.015, y=0.02, xanchor="left", yanchor="bottom",
                 **corner)
        )  # fmt: skip
    if float(ratios.ratio[-1, -1 - LABEL_INSET]) < 1:
        labels.append(
            note("<b>Computing takes longer</b>", x=0.985, y=0.98, xanchor="right", yanchor="top",
                 **corner)
        )  # fmt: skip
    return labels


def _no_masks() -> dict[str, Any]:
    return note(NO_MASKS, x=0.5, y=0.6, xref="paper", yref="paper")


def devices_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Time to write the masks over the frame rate, with devices and published times."""
    params, result = evaluation.params, evaluation.result
    rates = [1.0, 1e6]
    step = [result.mask_time_s * params.frame_rate_hz / rate for rate in rates]
    forward = [result.mask_time_forward_s * params.frame_rate_hz / rate for rate in rates]
    traces = []
    if result.mask_values_forward:
        traces += [
            _rate_line(rates, step, "masks of a step", color=MASK_TIME.light, dash="dash", width=3),
            _rate_line(rates, forward, "forward pass alone", color=MUTED.light, dash="dot",
                       width=1.5),
        ]  # fmt: skip
    traces.append(
        _rate_line(rates, [result.digital_step_time_s] * 2, "computing", color=DENSE.light,
                   dash="solid", width=3)
    )  # fmt: skip
    traces += published_marks(
        evaluation, field="mask_time_forward_s", along="frame_rate_hz", free=FORWARD_FREE,
        name="published (forward)",
    )  # fmt: skip
    if result.mask_values_forward:
        traces += [
            _device_mark(
                look,
                item,
                item.result.mask_time_s,
                f"{duration(item.result.mask_time_s)} of masks a step, "
                f"{duration(item.forward_s)} forward alone",
            )
            for look, item in zip(DEVICE_LOOKS, evaluation.series.devices, strict=True)
        ]
        traces.append(
            state_mark(
                params.frame_rate_hz, result.mask_time_s, f"{duration(result.mask_time_s)} a step"
            )
        )
    traces += [
        pin_mark(letter, pin.params, pin.params.frame_rate_hz, pin.result.mask_time_s,
                 f"{duration(pin.result.mask_time_s)} of masks a step")
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    shown = [value for value in (*forward, *step, result.digital_step_time_s) if value]
    room = 2 if result.mask_values_forward else 1_000
    low, high = min(shown) / room, max(shown) * room
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 60, "r": 20, "t": 8, "b": 48},
        xaxis=decade_axis("Frame rate (Hz)", 1, 1e6),
        yaxis=time_axis("Time", low, high),
        annotations=_needed_label(evaluation, low, high),
    )


def _rate_line(
    rates: list[float], seconds: list[float], name: str, *, color: str, dash: str, width: float
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": rates,
        "y": rounded(seconds),
        "line": {"color": color, "width": width, "dash": dash},
        "hoverinfo": "skip",
    }


def _needed_label(evaluation: Evaluation, low: float, high: float) -> list[dict[str, Any]]:
    result = evaluation.result
    needed = result.needed_frame_rate_hz
    if not result.mask_values_forward:
        return [_no_masks()]
    if not 1 <= needed <= 1e6:
        return []
    raised = math.log(result.digital_step_time_s / low) / math.log(high / low)
    anchor = "left" if needed < 30 else "right" if needed > 3e4 else "center"
    return [
        pointer(
            f"break-even: {si(needed, 'Hz')}",
            x=math.log10(needed),
            y=math.log10(result.digital_step_time_s),
            color=ACCENT.light,
            ax={"left": 20, "right": -20, "center": 30}[anchor],
            ay=44 if anchor == "right" or raised > ROOM_FOR_LABEL else -62,
            xanchor=anchor,
        )
        | {"font": {"size": SMALL + 1, "color": ACCENT.light}}
    ]

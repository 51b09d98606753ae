"""Noise of a read-out over its bits, beside the error of number formats; and the passes they take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.number_formats import FORMAT_NAMES
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.precision_series import NoiseSweep
from foptrn_model.text import compact, counted, group_digits, percent, significant
from pages._components.theme import ACCENT, GROUND, MUTED, TEXT
from pages._figures.base import axis, decade_axis, figure, legend_above, note, outlined, rounded
from pages._figures.marks import pin_mark, state_mark
from pages._figures.precision_looks import ENOB_TITLE, LOOKS, color, end_labels, enob_line, label

MOST_PASSES = 1e7
"""Passes beyond which the axis does not reach; no one averages so often."""
ENOB_RANGE = [1, 20]


def noise_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """The noise line falls by half a bit; each format's own error is a level that it crosses."""
    params, result = evaluation.params, evaluation.result
    sweep: NoiseSweep = evaluation.series.noise
    enob = sweep.enob.tolist()
    bits = math.log2(params.passes) / 2
    traces = [_level(name, result.formats[name]) for name in FORMAT_NAMES]
    if params.passes > 1:
        traces.append(
            _line(enob, 100 * sweep.one_pass, "one pass", {"width": 1.5, "dash": "dot"}, MUTED)
        )
    name = f"{group_digits(params.passes)} passes averaged" if params.passes > 1 else "read-out"
    traces.append(_line(enob, 100 * sweep.averaged, name, {"width": 3}, TEXT))
    traces += [
        _crossing(name, result.formats[name], result.formats[name].enob_to_match - bits)
        for name in FORMAT_NAMES
    ]
    traces += [
        pin_mark(
            letter, pin.params, pin.params.enob, 100 * pin.result.noise_relative_rms,
            f"noise {percent(pin.result.noise_relative_rms)}",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    noise = result.noise_relative_rms
    traces.append(
        state_mark(
            params.enob,
            100 * noise,
            f"noise {percent(noise)} at ENOB {group_digits(params.enob)}",
            cliponaxis=False,
        )
    )
    errors = {name: 100 * result.formats[name].relative_rms for name in FORMAT_NAMES}
    low = min([*errors.values(), 100 * noise]) / 4
    high = max([*errors.values(), 100 * noise]) * 4
    decades = math.log10(high / low)
    right = params.enob > 14
    return figure(
        traces,
        showlegend=False,
        margin={"l": 64, "r": 84, "t": 10, "b": 48},
        xaxis=axis(ENOB_TITLE, range=ENOB_RANGE, dtick=2, tick0=2),
        yaxis=_percent_axis("Relative RMS error (%, log scale)", low, high),
        shapes=[enob_line(evaluation)],
        annotations=[
            *end_labels({n: math.log10(e) for n, e in errors.items()}, gap=decades * 0.05),
            _beside_state(evaluation, low, high, right=right),
            *_one_pass_label(evaluation, low),
        ],
    )


def _percent_axis(title: str, low: float, high: float) -> dict[str, Any]:
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    ticks = [10.0**power for power in powers]
    return axis(
        title,
        type="log",
        range=[math.log10(low), math.log10(high)],
        tickvals=ticks,
        ticktext=[f"{tick:.10f}".rstrip("0").rstrip(".") for tick in ticks],
    )


def _beside_state(evaluation: Evaluation, low: float, high: float, *, right: bool) -> Any:
    params, noise = evaluation.params, 100 * evaluation.result.noise_relative_rms
    raised = math.log(noise / low) / math.log(high / low)
    return note(
        f"this state: {significant(noise) if noise >= 0.01 else compact(noise)}\u202f%",
        x=params.enob,
        y=math.log10(noise),
        color=ACCENT.light,
        showarrow=True,
        arrowhead=0,
        arrowwidth=1,
        arrowcolor=ACCENT.light,
        standoff=8,
        ax=-30 if right else 34,
        ay=40 if raised > 0.85 else -44,
        xanchor="right" if right else "left",
        bgcolor=GROUND.light,
        borderpad=2,
    )


def _one_pass_label(evaluation: Evaluation, low: float) -> list[dict[str, Any]]:
    """Names the thin line below the formats' levels, where there is room."""
    params, noise = evaluation.params, 100 * evaluation.result.noise_relative_rms
    enob = params.enob + math.log2(noise * math.sqrt(params.passes) / (2 * low))
    if params.passes == 1 or enob > ENOB_RANGE[1] - 2:
        return []
    return [
        note(
            "one pass",
            x=enob,
            y=math.log10(2 * low),
            color=MUTED.light,
            xanchor="left",
            yanchor="bottom",
            xshift=4,
        )
    ]


def _line(enob: list[float], noise: Any, name: str, line: Any, token: Any) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": enob,
        "y": rounded(noise),
        "line": {"color": token.light} | line,
        "hovertemplate": f"ENOB %{{x}}, {name}: %{{y:.3g}} %<extra></extra>",
    }


def _level(name: str, found: Any) -> dict[str, Any]:
    error = 100 * found.relative_rms
    return {
        "type": "scatter",
        "mode": "lines",
        "name": label(name),
        "x": ENOB_RANGE,
        "y": rounded([error, error]),
        "line": {"color": color(name), "width": 1.5, "dash": LOOKS[name][0]},
        "hoverinfo": "skip",
    }


def _crossing(name: str, found: Any, enob: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{label(name)} matched",
        "x": [round(enob, 4)],
        "y": rounded([100 * found.relative_rms]),
        "marker": outlined(color(name), 12, LOOKS[name][1]),
        "customdata": [
            f"{label(name)} is off by {percent(found.relative_rms)} itself:<br>"
            f"matched by ENOB {significant(enob)} as averaged, "
            f"{significant(found.enob_to_match)} in one pass"
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def passes_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Passes to average until a read-out is as good as a format."""
    params, result = evaluation.params, evaluation.result
    enob = evaluation.series.noise.enob.tolist()
    traces: list[dict[str, Any]] = []
    for name, needed in evaluation.series.passes.items():
        dash = LOOKS[name][0]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": label(name),
                "x": enob,
                "y": needed,
                "line": {"color": color(name), "width": 2, "dash": dash},
                "hovertemplate": f"{label(name)} at ENOB %{{x}}: %{{y:,}} passes<extra></extra>",
            }
        )
    traces += [
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"{label(name)} at this ENOB",
            "showlegend": False,
            "x": [params.enob],
            "y": [result.formats[name].passes_at_enob],
            "marker": outlined(color(name), 11, LOOKS[name][1]),
            "customdata": [
                f"{label(name)} at this ENOB: "
                f"{counted(result.formats[name].passes_at_enob, 'pass', 'passes')}"
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for name in result.formats
        if result.formats[name].passes_at_enob > 1
    ]
    traces += [
        pin_mark(letter, pin.params, pin.params.enob, pin.params.passes,
                 counted(pin.params.passes, "pass", "passes") + " averaged")
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    traces.append(
        state_mark(
            params.enob,
            params.passes,
            f"{counted(params.passes, 'pass', 'passes')} averaged at ENOB "
            f"{group_digits(params.enob)}",
            cliponaxis=False,
        )
    )
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 56, "r": 16, "t": 8, "b": 48},
        xaxis=axis(ENOB_TITLE, range=ENOB_RANGE, dtick=2, tick0=2),
        yaxis=decade_axis("Averaged passes (log scale)", 0.7, MOST_PASSES),
        shapes=[enob_line(evaluation)],
    )

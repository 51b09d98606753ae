"""Bit planes: the error of an emulated band, and what published training runs made of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.precision_series import LoopRun, PlaneSweep
from foptrn_model.published import published_values
from foptrn_model.text import counted, group_digits, percent, significant
from pages._components.theme import ACCENT, DENSE, GROUND, MUTED, SWITCH, TEXT, TRANSFORM
from pages._figures.base import axis, figure, legend_above, note, outlined, rounded
from pages._figures.marks import pin_mark, state_mark
from pages._figures.precision_looks import enob_line

USUAL_FEEDBACK = "sent+agc100"
"""What the band that optics sent is subtracted from, the full scale set anew every 100 steps."""
USUAL_PLANES = 8
NOISELESS = "plane_emulation.noiseless_relative_rms"


def planes_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """More planes make rounding finer until clipping decides; the read-out's noise stays."""
    params, result = evaluation.params, evaluation.result
    sweep: PlaneSweep = evaluation.series.planes
    planes = list(sweep.planes)
    here = result.plane_emulation.read_out_relative_rms
    traces: list[dict[str, Any]] = [
        _line(planes, sweep.noiseless, "no read-out noise", color=TRANSFORM.light, dash="dash"),
        _line(
            planes, sweep.read_out, f"read at ENOB {group_digits(params.enob)}",
            color=TEXT.light, dash="solid",
        ),
    ]  # fmt: skip
    published = [
        (int(value.raw_params().get("planes", USUAL_PLANES)), value)  # type: ignore[arg-type]
        for value in published_values(evaluation.explorer.slug)
        if value.field == NOISELESS
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "published",
            "x": [count for count, _ in published],
            "y": [value.published for _, value in published],
            "marker": {
                "symbol": "diamond-open", "size": 17, "color": MUTED.light,
                "line": {"width": 2, "color": TEXT.light},
            },
            "customdata": [
                f"Published: {value.published:g} {value.unit} ({value.state}; source: {value.source})"
                for _, value in published
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    )  # fmt: skip
    traces += [
        pin_mark(
            letter, pin.params, pin.params.planes,
            100 * pin.result.plane_emulation.read_out_relative_rms,
            f"error {percent(pin.result.plane_emulation.read_out_relative_rms)}",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    traces.append(
        state_mark(
            params.planes,
            100 * here,
            f"error {percent(here)} through {counted(params.planes, 'plane')}",
        )
    )
    low, high = 0.1, max(300.0, 300 * max(sweep.read_out))
    ticks = [10.0**power for power in range(-1, math.floor(math.log10(high)) + 1)]
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 64, "r": 16, "t": 8, "b": 48},
        xaxis=axis("Planes (bit per value)", range=[0.5, 16.5], dtick=2, tick0=2),
        yaxis=axis(
            "Error of the band (%, log scale)",
            type="log",
            range=[math.log10(low), math.log10(high)],
            tickvals=ticks,
            ticktext=[f"{tick:,.10g}" for tick in ticks],
        ),
        annotations=[
            note(
                f"this state: {significant(100 * here)}\u202f%", x=params.planes,
                y=math.log10(100 * here), color=ACCENT.light, showarrow=True, arrowhead=0,
                arrowwidth=1, arrowcolor=ACCENT.light, standoff=8,
                ax=-24 if params.planes > 10 else 24, ay=-40,
                xanchor="right" if params.planes > 10 else "left", bgcolor=GROUND.light,
                borderpad=2,
            )
        ],
    )  # fmt: skip


def _line(
    planes: list[int], errors: Sequence[float], name: str, *, color: str, dash: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": planes,
        "y": rounded([100 * error for error in errors]),
        "line": {"color": color, "width": 2, "dash": dash},
        "marker": {"color": color, "size": 6},
        "hovertemplate": f"%{{x}} planes, {name}: %{{y:.3g}} %<extra></extra>",
    }


def loop_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Last validation loss of published runs over ENOB and planes; the state's ENOB as a line."""
    runs: tuple[LoopRun, ...] = evaluation.series.loop
    fed_back = [run for run in runs if run.feedback == USUAL_FEEDBACK]
    by_enob = [run for run in fed_back if run.planes == USUAL_PLANES]
    others = [run for run in fed_back if run.planes != USUAL_PLANES]
    traces = [
        _runs(by_enob, f"{USUAL_PLANES} planes", TRANSFORM.light, "circle", "lines+markers"),
        *(
            _runs([run], f"{run.planes} planes", color, symbol, "markers")
            for run, color, symbol in zip(
                others, (SWITCH.light, DENSE.light), ("triangle-up", "square"), strict=False
            )
        ),
    ]
    losses = [run.loss for run in fed_back]
    gap = max(losses) - min(losses)
    return figure(
        traces,
        margin={"l": 56, "r": 16, "t": 8, "b": 48},
        xaxis=axis("ENOB of the emulated read-out (bit)", range=[5, 13], dtick=2, tick0=6),
        yaxis=axis(
            "Final validation loss (nat)", range=[min(losses) - gap * 0.15, max(losses) + gap * 0.2]
        ),
        shapes=[enob_line(evaluation)] if 5 <= evaluation.params.enob <= 13 else [],
        annotations=[_run_label(run, run.planes == USUAL_PLANES) for run in fed_back],
    )


def _runs(runs: Sequence[LoopRun], name: str, color: str, symbol: str, mode: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": mode,
        "name": name,
        "x": [run.enob for run in runs],
        "y": rounded([run.loss for run in runs]),
        "line": {"color": color, "width": 2},
        "marker": outlined(color, 13, symbol),
        "hovertemplate": f"{name}, ENOB %{{x}}: loss %{{y:.4g}} after "
        f"{group_digits(runs[0].steps)} steps<extra></extra>",
    }


def _run_label(run: LoopRun, usual: bool) -> dict[str, Any]:
    """Loss beside its mark; other numbers of planes stand to the right with their name."""
    text = f"{run.loss:.3f}"
    if usual:
        left = run.enob == 8
        return note(
            text if run.enob != 6 else f"<b>8 planes</b>: {text}",
            x=run.enob, y=run.loss, color=TRANSFORM.light,
            xanchor="right" if left else "left", xshift=-11 if left else 11,
            yanchor="top" if left else "bottom",
        )  # fmt: skip
    high = run.planes < USUAL_PLANES
    return note(
        f"<b>{run.planes} planes</b>: {text}", x=run.enob, y=run.loss,
        color=SWITCH.light if not high else DENSE.light, xanchor="left", xshift=11,
        yanchor="middle",
    )  # fmt: skip

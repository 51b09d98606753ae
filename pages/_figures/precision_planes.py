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
from pages._figures.base import CLEAR, axis, figure, legend_above, note, outlined, rounded
from pages._figures.marks import pin_mark, state_mark
from pages._figures.precision_looks import enob_line

USUAL_FEEDBACK = "sent+agc100"
"""What the band that optics sent is subtracted from, the full scale set anew every 100 steps."""
USUAL_PLANES = 8
LOOP_ENOB = [5, 13]
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
                ax=-24 if params.planes > 10 else 24, ay=40 if here > 0.5 else -40,
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
        _runs([run], f"{run.planes} planes", *_other_look(run), mode="markers", size=22)
        for run in others
    ]
    traces.append(
        _runs(by_enob, f"{USUAL_PLANES} planes", TRANSFORM.light, "circle", mode="lines+markers")
    )
    losses = [run.loss for run in fed_back]
    gap = max(losses) - min(losses)
    return figure(
        traces,
        margin={"l": 56, "r": 16, "t": 8, "b": 48},
        xaxis=axis("ENOB of the emulated read-out (bit)", range=LOOP_ENOB, dtick=2, tick0=6),
        yaxis=axis(
            "Final validation loss (nat)", range=[min(losses) - gap * 0.2, max(losses) + gap * 0.25]
        ),
        shapes=[enob_line(evaluation)] if _within_loop(evaluation) else [],
        annotations=[
            *(_run_label(run, run.planes == USUAL_PLANES) for run in fed_back),
            *_state_label(evaluation),
        ],
    )


def _within_loop(evaluation: Evaluation) -> bool:
    low, high = LOOP_ENOB
    return bool(low <= evaluation.params.enob <= high)


def _state_label(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Names the state's line, or says where it lies beyond the published runs."""
    enob = evaluation.params.enob
    text = f"this state: ENOB {group_digits(enob)}"
    if _within_loop(evaluation):
        right = enob > 10
        return [
            note(text, x=enob, y=1, yref="paper", yanchor="top", color=ACCENT.light,
                 xanchor="right" if right else "left", xshift=-5 if right else 5,
                 bgcolor=GROUND.light)
        ]  # fmt: skip
    return [
        note(f"{text}, beyond these runs", x=0.99, y=1, xref="paper", yref="paper",
             xanchor="right", yanchor="top", color=ACCENT.light)
    ]  # fmt: skip


def _other_look(run: LoopRun) -> tuple[str, str]:
    """Colour and symbol of a run with fewer or more planes than usual."""
    return (SWITCH.light, "diamond") if run.planes > USUAL_PLANES else (DENSE.light, "square")


def _runs(
    runs: Sequence[LoopRun], name: str, color: str, symbol: str, *, mode: str, size: int = 12
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": mode,
        "name": name,
        "x": [run.enob for run in runs],
        "y": rounded([run.loss for run in runs]),
        "line": {"color": color, "width": 2},
        "marker": outlined(color, size, symbol),
        "hovertemplate": f"{name}, ENOB %{{x}}: loss %{{y:.4g}} after "
        f"{group_digits(runs[0].steps)} steps<extra></extra>",
    }


def _run_label(run: LoopRun, usual: bool) -> dict[str, Any]:
    """Loss beside its mark; other numbers of planes stand to the right with their name."""
    text = f"{run.loss:.3f}"
    if usual:
        first = run.enob == 6
        return note(
            f"<b>8 planes</b>: {text}" if first else text,
            x=run.enob, y=run.loss, color=TRANSFORM.light,
            xanchor="left" if first else "right" if run.enob == 8 else "center",
            xshift=11 if first else -11 if run.enob == 8 else 0,
            yanchor="bottom" if first else "top", yshift=0 if first else -9,
            bgcolor=GROUND.light if first else CLEAR,
        )  # fmt: skip
    return note(
        f"<b>{run.planes} planes</b>: {text}", x=run.enob, y=run.loss,
        color=_other_look(run)[0], xanchor="left", xshift=11,
        yanchor="bottom" if run.planes > USUAL_PLANES else "middle",
    )  # fmt: skip

"""Where the FLOP of a step go: a pair of bars per variant, and per pinned scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foptrn_model.amdahl import StepFlop
from foptrn_model.amdahl_text import CLASS_LABELS
from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.explorers import Evaluation
from foptrn_model.ledger import VARIANTS
from foptrn_model.pins import PIN_LETTERS, state_name
from foptrn_model.text import percent, si
from pages._components.theme import ACCENT, CONCEPTS, MUTED, SURFACE, TEXT
from pages._figures.base import BODY, FONT, SMALL, axis, figure, legend_above, note, rounded

# Static classes first, so that they start at the zero line and a hair of them shows.
STACK = ("transform", "weight_masked", "data_by_data", "other", "attention", "dense")
PATTERNS = {"weight_masked": "/", "data_by_data": "x", "other": "-"}
ROW_HEIGHT = 3.05
DIRECTIONS = {"forward": 0.92, "backward": 1.8}
"""Bars of a group, by how far below its top they lie."""
LABELLED = ("dense", "transform")
"""Classes dark and plain enough to carry their name."""
LABELLED_FROM_PERCENT = 7
MOST_NAME = 26


@dataclass(frozen=True, kw_only=True)
class Group:
    """A heading with a bar for each direction below it."""

    name: str
    step: StepFlop
    color: str
    mark: str


def ledger_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Forward and backward FLOP of every variant, as shares of its step, by class."""
    groups = _groups(evaluation, pinned)
    bars = [
        (group, direction, index * ROW_HEIGHT + offset)
        for index, group in enumerate(groups)
        for direction, offset in DIRECTIONS.items()
    ]
    most = max(group.step.backward.total / group.step.step.total for group in groups)
    return figure(
        [_class_trace(name, bars) for name in STACK],
        barmode="stack",
        bargap=0,
        showlegend=True,
        legend=legend_above() | {"traceorder": "normal"},
        margin={"l": 8, "r": 12, "t": 8, "b": 44},
        xaxis=axis("Share of the step's FLOP (%)", range=[0, 100 * most * 1.01]),
        yaxis=axis(
            "",
            range=[len(groups) * ROW_HEIGHT - 0.7, -0.45],
            tickvals=[y for _, _, y in bars],
            ticktext=[direction for _, direction, _ in bars],
            showgrid=False,
            ticklen=0,
        ),
        annotations=[_heading(group, index * ROW_HEIGHT) for index, group in enumerate(groups)],
    )


def _groups(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> list[Group]:
    selected = evaluation.params.variant
    groups = [
        Group(
            name=VARIANT_LABELS[variant],
            step=evaluation.series.variants[variant],
            color=ACCENT.light if variant == selected else TEXT.light,
            mark="\u25b8 " if variant == selected else "",
        )
        for variant in VARIANTS
    ]
    for letter, pin in zip(PIN_LETTERS, pinned, strict=False):
        name = state_name(pin.params)
        groups.append(
            Group(
                name=name if len(name) <= MOST_NAME else name[: MOST_NAME - 1] + "\u2026",
                step=pin.result.flop_per_token,
                color=MUTED.light,
                mark=f"{letter}: ",
            )
        )
    return groups


def _class_trace(name: str, bars: Sequence[tuple[Group, str, float]]) -> dict[str, Any]:
    parts = [getattr(getattr(group.step, direction), name) for group, direction, _ in bars]
    shares = [
        100 * part / group.step.step.total for part, (group, _, _) in zip(parts, bars, strict=True)
    ]
    label = CLASS_LABELS[name]
    return {
        "type": "bar",
        "orientation": "h",
        "name": label,
        "x": rounded(shares),
        "y": [y for _, _, y in bars],
        "width": 0.78,
        "marker": _marker(name),
        "text": [
            label if name in LABELLED and share >= LABELLED_FROM_PERCENT else "" for share in shares
        ],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
        "insidetextfont": {"color": SURFACE.light, "size": BODY},
        "hovertemplate": "%{customdata}<extra></extra>",
        "customdata": [
            f"{group.name}, {direction}<br>{label}: {si(part, 'FLOP/token')}"
            f"<br>{percent(share / 100)} of the step"
            for part, share, (group, direction, _) in zip(parts, shares, bars, strict=True)
        ],
    }


def _marker(name: str) -> dict[str, Any]:
    marker: dict[str, Any] = {"color": CONCEPTS[name].light, "line": {"width": 0}}
    if name in PATTERNS:
        marker["pattern"] = {
            "shape": PATTERNS[name],
            "bgcolor": CONCEPTS[name].light,
            "fgcolor": SURFACE.light,
            "size": 7,
            "solidity": 0.18,
        }
    return marker


def _heading(group: Group, y: float) -> dict[str, Any]:
    step = group.step.step
    return heading_label(
        f"<b>{group.mark}{group.name}</b>  {si(step.total, 'FLOP/token')}, "
        f"static {percent(step.static / step.total)}",
        y,
        group.color,
    )


def heading_label(text: str, y: float, color: str) -> dict[str, Any]:
    """A heading over a pair of bars."""
    return note(
        text,
        x=0,
        xref="paper",
        xshift=-64,  # over the row labels, where a phone has room
        y=y + 0.02,
        xanchor="left",
        yanchor="middle",
        color=color,
    ) | {"font": {"size": SMALL, "color": color, "family": FONT}}

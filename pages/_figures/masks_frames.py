"""Frames of an optimizer step by kind of layer and direction, for every variant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.architecture import VARIANT_LABELS
from foptrn_model.explorers import Evaluation
from foptrn_model.ledger import VARIANTS
from foptrn_model.masks_series import VariantFrames
from foptrn_model.masks_tables import KIND_LABELS
from foptrn_model.text import group_digits, significant
from pages._components.theme import ACCENT, BLOCK_CIRCULANT, HYENA, LINE, OTHER, SURFACE, TEXT
from pages._figures.base import FONT, SMALL, axis, figure, legend_above, note, rounded

LOOKS = {
    "long_convolution": (HYENA.light, ""),
    "mixing": (BLOCK_CIRCULANT.light, "/"),
    "mlp": (OTHER.light, "x"),
    "unfilled": (LINE.light, ""),
}
SHORT = {
    "long_convolution": "long convolutions",
    "mixing": "circulant projections",
    "mlp": "circulant MLP",
    "unfilled": "unfilled",
}
ROW_HEIGHT = 3.05


def frames_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Whole frames of every variant's forward and backward pass, by kind of layer."""
    frames: dict[str, VariantFrames] = evaluation.series.frames
    rows = [
        (variant, direction, index * ROW_HEIGHT + offset)
        for index, variant in enumerate(VARIANTS)
        for direction, offset in (("forward", 0.92), ("backward", 1.8))
    ]
    most = max(found.forward.total for found in frames.values()) or 1
    return figure(
        [_kind_trace(kind, frames, rows) for kind in LOOKS],
        barmode="stack",
        bargap=0,
        showlegend=True,
        legend=legend_above() | {"traceorder": "normal"},
        margin={"l": 8, "r": 12, "t": 8, "b": 44},
        xaxis=axis("Written per optimizer step (frames)",
                   range=[0, most * 1.02]),
        yaxis=axis(
            "",
            range=[len(VARIANTS) * ROW_HEIGHT - 0.7, -0.45],
            tickvals=[y for _, _, y in rows],
            ticktext=[direction for _, direction, _ in rows],
            showgrid=False,
            ticklen=0,
        ),
        annotations=[
            _heading(evaluation, variant, frames[variant], index * ROW_HEIGHT)
            for index, variant in enumerate(VARIANTS)
        ],
    )  # fmt: skip


def _kind_trace(
    kind: str, frames: dict[str, VariantFrames], rows: Sequence[tuple[str, str, float]]
) -> dict[str, Any]:
    color, pattern = LOOKS[kind]
    counts = [getattr(getattr(frames[variant], direction), kind) for variant, direction, _ in rows]
    return {
        "type": "bar",
        "orientation": "h",
        "name": SHORT[kind],
        "x": rounded(counts, 7),
        "y": [y for _, _, y in rows],
        "width": 0.78,
        "marker": {
            "color": color,
            "line": {"width": 0},
            "pattern": {"shape": pattern, "bgcolor": color, "fgcolor": SURFACE.light,
                        "size": 7, "solidity": 0.18},
        },
        "customdata": [
            f"{VARIANT_LABELS[variant]}, {direction}<br>{KIND_LABELS[kind]}: "
            f"{significant(count, 4)} frames"
            for count, (variant, direction, _) in zip(counts, rows, strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }  # fmt: skip


def _heading(
    evaluation: Evaluation, variant: str, found: VariantFrames, y: float
) -> dict[str, Any]:
    chosen = variant == evaluation.params.variant
    total = round(found.forward.total + found.backward.total)
    words = f"{group_digits(total)} frames a step" if total else "no masks"
    color = ACCENT.light if chosen else TEXT.light
    mark = "\u25b8 " if chosen else ""
    return note(
        f"<b>{mark}{VARIANT_LABELS[variant]}</b>  {words}",
        x=0,
        xref="paper",
        xshift=-64,  # over the row labels, where a phone has room
        y=y + 0.02,
        xanchor="left",
        yanchor="middle",
    ) | {"font": {"size": SMALL, "color": color, "family": FONT}}

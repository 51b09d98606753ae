"""The same step under every counting convention, as the parts each of them counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.amdahl_tables import name_differences
from foptrn_model.conventions import PARTS
from foptrn_model.explorers import Evaluation
from foptrn_model.text import group_digits, si
from pages._components.theme import ATTENTION, DENSE, SURFACE, TEXT
from pages._figures.base import SMALL, axis, figure, legend_above, rounded

LOOKS = {
    "blocks": (DENSE.light, ""),
    "head": (DENSE.light, "/"),
    "norms": (DENSE.light, "."),
    "embedding": (DENSE.light, "x"),
    "causal": (ATTENTION.light, ""),
    "masked": (ATTENTION.light, "\\"),
    "diagonal": (ATTENTION.light, "."),
}
TOO_THIN = ("norms", "diagonal")
"""Parts that no picture shows; the table and the labels name them."""


def conventions_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """FLOP per token of the dense transformer of this shape, by convention."""
    rows = list(evaluation.series.conventions.values())
    reference = evaluation.series.conventions["megatron"]
    scale, unit = _scale(max(row.flop for row in rows))
    names = [row.label for row in rows]
    hover = [
        f"{row.label}: {group_digits(row.flop)} FLOP/token<br>"
        f"against Megatron-LM: {name_differences(row, reference)}"
        for row in rows
    ]
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": PARTS[part],
            "showlegend": part not in TOO_THIN,
            "x": rounded([row.parts.get(part, 0) / scale for row in rows]),
            "y": names,
            "marker": {
                "color": color,
                "line": {"width": 1, "color": SURFACE.light},
                "pattern": {"shape": pattern, "bgcolor": color, "fgcolor": SURFACE.light,
                            "solidity": 0.2, "size": 7},
            },
            "customdata": hover,
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for part, (color, pattern) in LOOKS.items()
    ]  # fmt: skip
    traces.append(
        {
            "type": "scatter",
            "mode": "text",
            "showlegend": False,
            "x": rounded([row.flop / scale for row in rows]),
            "y": names,
            "text": [f" {si(row.flop, '', 4)}" for row in rows],
            "textposition": "middle right",
            "textfont": {"size": SMALL, "color": TEXT.light},
            "cliponaxis": False,
            "hoverinfo": "skip",
        }
    )
    most = max(row.flop for row in rows) / scale
    return figure(
        traces,
        barmode="stack",
        bargap=0.3,
        showlegend=True,
        legend=legend_above() | {"traceorder": "normal"},
        margin={"l": 8, "r": 28, "t": 8, "b": 44},  # room for a number on a phone
        xaxis=axis(f"Step ({unit})", range=[0, most * 1.24]),
        yaxis=axis("", autorange="reversed", showgrid=False, ticklen=0),
    )


def _scale(most: float) -> tuple[float, str]:
    """The power of a thousand in which ``most`` reads well, and its unit."""
    exponent = 0
    while most >= 1000 ** (exponent + 1):
        exponent += 1
    return 1000.0**exponent, ("", "k", "M", "G", "T", "P")[exponent] + "FLOP/token"

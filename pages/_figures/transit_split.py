"""Where the time and the energy of a step go, by way of syncing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.text import THIN_SPACE, compact, duration
from foptrn_model.transit_words import WAY_LABELS
from pages._components.theme import ATTENTION, DATA_BY_DATA, DENSE, OTHER, SURFACE, TEXT, TRANSFORM
from pages._figures.base import SMALL, axis, figure, legend_above, rounded

TIME_PARTS = {
    "compute_s": ("compute", DENSE.light, ""),
    "latency_s": ("latency", OTHER.light, "."),
    "fabric_s": ("fabric", TRANSFORM.light, "/"),
    "wan_s": ("WAN", DATA_BY_DATA.light, "x"),
}
ENERGY_PARTS = {
    "compute_J": ("computing", DENSE.light, ""),
    "waiting_J": ("waiting", ATTENTION.light, "\\"),
    "fabric_J": ("fabric", TRANSFORM.light, "/"),
    "wan_J": ("WAN", DATA_BY_DATA.light, "x"),
}
TIME_UNITS = (
    (31_557_600.0, "years"), (86_400.0, "days"), (3600.0, "h"), (60.0, "min"), (1.0, "s"),
    (1e-3, "ms"), (1e-6, "\u00b5s"), (1e-9, "ns"), (1e-12, "ps"),
)  # fmt: skip
ENERGY_UNITS = tuple(
    (10.0**power, f"{prefix}J")
    for power, prefix in zip(
        range(18, -15, -3), ("E", "P", "T", "G", "M", "k", "", "m", "\u00b5", "n", "p"), strict=True
    )
)


def step_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Time of a step by part."""
    return _split(evaluation.series.steps, TIME_PARTS, TIME_UNITS, "Time of a step", duration)


def energy_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Energy of a step by part, of all workers and links."""
    return _split(
        evaluation.series.energy, ENERGY_PARTS, ENERGY_UNITS, "Energy of a step, all workers",
        energy_text,
    )  # fmt: skip


def energy_text(joule: float) -> str:
    """An energy as people say it."""
    size, unit = next((item for item in ENERGY_UNITS if joule >= item[0]), ENERGY_UNITS[-1])
    return f"{compact(joule / size)}{THIN_SPACE}{unit}" if joule else f"0{THIN_SPACE}J"


def _split(
    by_way: Mapping[str, Any],
    parts: Mapping[str, tuple[str, str, str]],
    units: Sequence[tuple[float, str]],
    title: str,
    text: Callable[[float], str],
) -> dict[str, Any]:
    names = [WAY_LABELS[way] for way in by_way]
    totals = [sum(float(getattr(found, part)) for part in parts) for found in by_way.values()]
    most = max(totals)
    size, unit = next((item for item in units if most >= item[0]), units[-1])
    traces: list[dict[str, Any]] = []
    for part, (label, color, pattern) in parts.items():
        values = [float(getattr(found, part)) for found in by_way.values()]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": label,
                "x": rounded([value / size for value in values]),
                "y": names,
                "marker": {
                    "color": color,
                    "line": {"width": 0},
                    "pattern": {"shape": pattern, "bgcolor": color, "fgcolor": SURFACE.light,
                                "solidity": 0.18, "size": 7},
                },
                "customdata": [f"{label}: {text(value)}" for value in values],
                "hovertemplate": "%{y}<br>%{customdata}<extra></extra>",
            }
        )  # fmt: skip
    traces.append(
        {
            "type": "scatter",
            "mode": "text",
            "showlegend": False,
            "x": rounded([total / size for total in totals]),
            "y": names,
            "text": [f" {text(total)}" for total in totals],
            "textposition": "middle right",
            "textfont": {"size": SMALL, "color": TEXT.light},
            "cliponaxis": False,
            "hoverinfo": "skip",
        }
    )
    return figure(
        traces,
        barmode="stack",
        bargap=0.35,
        showlegend=True,
        legend=legend_above() | {"traceorder": "normal"},
        margin={"l": 8, "r": 12, "t": 8, "b": 44},
        xaxis=axis(f"{title} ({unit})", range=[0, most / size * 1.36 or 1]),
        yaxis=axis("", autorange="reversed", showgrid=False, ticklen=0),
    )

"""The cluster with the bytes of one sync on each kind of link, for every way of syncing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.text import si
from foptrn_model.transit_sweeps import Links
from foptrn_model.transit_words import WAY_LABELS
from pages._components.theme import ACCENT, DATA_BY_DATA, GROUND, SURFACE, TEXT, TRANSFORM
from pages._figures.base import FONT, SMALL, figure, legend_above, note, rounded

MOST_CENTRES, MOST_WORKERS = 6, 8
RADIUS, SPREAD = 1.0, 0.52
WIDEST, THINNEST = 9.0, 1.0
DECADES = 2.0
"""Powers of ten of bytes from the thinnest to the widest link."""


def topology_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Four pictures of the same cluster; a link is as wide as the bytes on it are many."""
    links: dict[str, Links] = evaluation.series.links
    most = max(max(found.worker_bytes, found.wan_bytes) for found in links.values()) or 1
    traces: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    for index, (way, found) in enumerate(links.items()):
        suffix = "" if index == 0 else str(index + 1)
        column, row = index % 2, index // 2
        where = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
        traces += [
            trace | where | {"showlegend": trace["showlegend"] and index == 0}
            for trace in _cluster(found, most)
        ]
        labels += _texts(way, found, suffix)
        quiet = {"visible": False, "fixedrange": True}
        axes[f"xaxis{suffix}"] = quiet | {
            "domain": [0.52 * column, 0.48 + 0.52 * column], "range": [-1.75, 1.75],
            "title": {"text": ""},
        }  # fmt: skip
        axes[f"yaxis{suffix}"] = quiet | {
            "domain": [0.52 * (1 - row), 0.48 + 0.52 * (1 - row)], "range": [-2.5, 2.05],
            "title": {"text": ""},
        }  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 4, "r": 4, "t": 8, "b": 4},
        annotations=labels,
        **axes,
    )


def _places(count: int, most: int) -> list[tuple[float, float]]:
    """Directions of the centres that are drawn: left and right of two, else around a circle."""
    shown = min(count, most)
    start = math.pi if shown in (2, 6) else math.pi / 2
    return [
        (
            math.cos(start + 2 * math.pi * index / shown),
            math.sin(start + 2 * math.pi * index / shown),
        )
        for index in range(shown)
    ]


def _cluster(links: Links, most: float) -> list[dict[str, Any]]:
    """Lines of the WAN and of the fabric, and marks for the exchange, switches and workers."""
    apart = links.datacentres > 1
    hubs = [
        (RADIUS * x, RADIUS * y) for x, y in _places(links.datacentres, MOST_CENTRES)
    ] if apart else [(0.0, 0.0)]  # fmt: skip
    crowd = min(links.workers_per_dc, MOST_WORKERS)
    reach = SPREAD if len(hubs) < 4 else 0.36
    workers = [
        (
            x + reach * math.cos(math.pi / 8 + 2 * math.pi * index / crowd),
            y + reach * math.sin(math.pi / 8 + 2 * math.pi * index / crowd),
            x,
            y,
        )
        for x, y in hubs
        for index in range(crowd)
    ]
    wan = [(x, y, 0.0, 0.0) for x, y in hubs] if apart else []
    return [
        _segments("fabric", workers, TRANSFORM.light, _width(links.worker_bytes, most)),
        _segments("WAN", wan, DATA_BY_DATA.light, _width(links.wan_bytes, most)),
        _marks("worker", [(x, y) for x, y, _, _ in workers], "circle", 9, TEXT.light),
        _marks("switch of a data centre", hubs, "square", 14, TEXT.light),
        _marks("exchange", [(0.0, 0.0)] if apart else [], "diamond", 15, ACCENT.light),
    ]


def _width(size_bytes: float, most: float) -> float:
    """Line width over the logarithm of the bytes; nothing is a hair."""
    if size_bytes <= 0:
        return 0.5
    part = max(0.0, 1 - math.log10(most / size_bytes) / DECADES)
    return round(THINNEST + (WIDEST - THINNEST) * part, 2)


def _segments(
    name: str, lines: Sequence[tuple[float, float, float, float]], color: str, width: float
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "showlegend": bool(lines),
        "x": [value for x, _, to, _ in lines for value in (round(x, 3), round(to, 3), None)],
        "y": [value for _, y, _, to in lines for value in (round(y, 3), round(to, 3), None)],
        "line": {"color": color, "width": width},
        "hoverinfo": "skip",
    }


def _marks(
    name: str, places: Sequence[tuple[float, float]], symbol: str, size: int, color: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "showlegend": bool(places),
        "x": rounded([x for x, _ in places], 4),
        "y": rounded([y for _, y in places], 4),
        "marker": {"symbol": symbol, "size": size, "color": color,
                   "line": {"width": 1.5, "color": SURFACE.light}},
        "hoverinfo": "skip",
    }  # fmt: skip


def _texts(way: str, links: Links, suffix: str) -> list[dict[str, Any]]:
    """The way's name, and the bytes on a WAN link and on a worker's link."""
    rounds = f", {links.wan_rounds} round{'s' if links.wan_rounds > 1 else ''}"
    wan = f"WAN {si(links.wan_bytes, 'B')}{rounds}" if links.datacentres > 1 else "no WAN"
    many = []  # what is left out
    if links.datacentres > MOST_CENTRES:
        many.append(f"{MOST_CENTRES} of {links.datacentres} centres")
    if links.workers_per_dc > MOST_WORKERS:
        many.append(f"{MOST_WORKERS} of {links.workers_per_dc:,} workers")
    drawn = "".join(f"<br>drawn: {part}" for part in many)
    where = {"xref": f"x{suffix} domain", "yref": f"y{suffix} domain", "xanchor": "center"}
    small = {"font": {"size": SMALL, "color": TEXT.light, "family": FONT}}
    return [
        note(f"<b>{WAY_LABELS[way]}</b>", x=0.5, y=1, yanchor="top", **where) | small,
        note(
            f"{wan}<br>fabric {si(links.worker_bytes, 'B')} a worker{drawn}",
            x=0.5, y=0, yanchor="bottom", bgcolor=GROUND.light, **where,
        ) | small,
    ]  # fmt: skip

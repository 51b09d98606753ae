"""The meshes themselves: interferometers by phase and by error, and the light of one input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foptrn_model.explorers import Evaluation
from foptrn_model.text import significant
from foptrn_model.trainers_params import TRAINER_LABELS
from foptrn_model.trainers_views import MeshPicture
from pages._components.theme import BANDS, CONTROL, LINE, TEXT, TRANSFORM
from pages._figures.base import SMALL, axis, figure, legend_above, note

PHASE_COLORS = tuple(token.light for token in BANDS.values())
ERROR_COLORS = tuple(BANDS[f"masks-{strength}"].light for strength in range(1, 5))
LAYER_GAP = 1.6
WIDEST_PX = 9.0
MZI_PX = 17
COLUMNS_PX = 240.0
"""What all columns of interferometers together may take of a half-width figure."""
FEW_LAYERS = 4


def phases_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Interferometers coloured by how they are set; waveguides as wide as their light is strong."""

    def color(picture: MeshPicture) -> list[str]:
        turns = (picture.theta_rad / (2 * np.pi)) % 1
        places = (turns * len(PHASE_COLORS)).astype(int) % len(PHASE_COLORS)
        return [PHASE_COLORS[place] for place in places]

    def words(picture: MeshPicture, index: int) -> str:
        return (
            f"theta {significant(float(picture.theta_rad[index]))} rad, "
            f"phi {significant(float(picture.phi_rad[index]))} rad"
        )

    return _meshes(evaluation, color, words, "set to 0 rad (grey) \u2026 2\u03c0 (blue)")


def errors_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Interferometers coloured by how far their phases are off on this device."""
    pictures: tuple[MeshPicture, ...] = evaluation.series.pictures
    worst = max(float(_off(picture).max()) for picture in pictures) or 1.0

    def color(picture: MeshPicture) -> list[str]:
        places = np.minimum((_off(picture) / worst * len(ERROR_COLORS)).astype(int),
                            len(ERROR_COLORS) - 1)  # fmt: skip
        return [ERROR_COLORS[place] for place in places]

    def words(picture: MeshPicture, index: int) -> str:
        return (
            f"theta off by {significant(float(picture.theta_error_rad[index]))} rad, "
            f"phi off by {significant(float(picture.phi_error_rad[index]))} rad"
        )

    return _meshes(evaluation, color, words, f"off by 0 (pale) \u2026 {significant(worst)} rad")


def _off(picture: MeshPicture) -> Any:
    """How far an interferometer's two phases are off together [rad]."""
    return np.hypot(picture.theta_error_rad, picture.phi_error_rad)


def _meshes(
    evaluation: Evaluation,
    color: Callable[[MeshPicture], list[str]],
    words: Callable[[MeshPicture, int], str],
    key: str,
) -> dict[str, Any]:
    """Every layer's mesh from left to right, the same light in both pictures."""
    params = evaluation.params
    pictures: tuple[MeshPicture, ...] = evaluation.series.pictures
    strongest = max(float(picture.power.max()) for picture in pictures) or 1.0
    guides: dict[int, tuple[list[Any], list[Any]]] = {}
    spots: dict[str, list[Any]] = {"x": [], "y": [], "color": [], "text": []}
    titles = []
    left = 0.0
    for layer, picture in enumerate(pictures):
        planes, ports = picture.power.shape
        for plane in range(planes):
            for port in range(ports):
                strength = round(8 * float(picture.power[plane, port]) / strongest)
                xs, ys = guides.setdefault(strength, ([], []))
                xs += [round(left + plane - 0.5, 3), round(left + plane + 0.5, 3), None]
                ys += [port, port, None]
        spots["x"] += [round(left + column + 0.5, 3) for column in picture.column.tolist()]
        spots["y"] += [top + 0.5 for top in picture.top.tolist()]
        spots["color"] += color(picture)
        spots["text"] += [
            f"layer {layer + 1}, column {picture.column[index] + 1}, ports {top + 1} and {top + 2}"
            f"<br>{words(picture, index)}"
            for index, top in enumerate(picture.top.tolist())
        ]
        titles.append(
            note(
                f"layer {layer + 1}" if len(pictures) <= FEW_LAYERS else str(layer + 1),
                x=left + planes / 2 - 0.5,
                y=1,
                yref="paper",
                yanchor="top",
                color=TEXT.light,
            )
            | {"font": {"size": SMALL, "color": TEXT.light}}
        )
        left += planes + LAYER_GAP - 1
    ports = pictures[0].power.shape[1]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "showlegend": False,
            "x": xs,
            "y": ys,
            "line": {
                "color": LINE.light if strength == 0 else TRANSFORM.light,
                "width": round(1 + (WIDEST_PX - 1) * strength / 8, 1),
            },
            "hoverinfo": "skip",
        }
        for strength, (xs, ys) in sorted(guides.items())
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "showlegend": False,
            "x": [value for x in spots["x"] for value in (x, x, None)],
            "y": [value for y in spots["y"] for value in (y - 0.5, y + 0.5, None)],
            "line": {"color": CONTROL.light, "width": 1.2},
            "hoverinfo": "skip",
        }
    )
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"interferometer, {key}",
            "x": spots["x"],
            "y": spots["y"],
            "marker": {
                "symbol": "square",
                "size": max(3, round(min(MZI_PX, 160 / ports * 2, COLUMNS_PX / left))),
                "color": spots["color"],
                "line": {"width": 1.2, "color": CONTROL.light},
            },
            "customdata": spots["text"],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    )
    traces.append(
        {
            "type": "scatter", "mode": "lines", "name": "light", "x": [None], "y": [None],
            "line": {"color": TRANSFORM.light, "width": 5}, "hoverinfo": "skip",
        }
    )  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 44, "r": 12, "t": 8, "b": 10},
        xaxis=axis("", visible=False, range=[-0.8, left - LAYER_GAP + 1]),
        yaxis=axis(f"Port ({TRAINER_LABELS[params.show_trainer].lower()})",
                   range=[ports - 0.4, -0.7 - ports / 12], tickvals=list(range(0, ports, max(1, ports // 8))),
                   ticktext=[str(port + 1) for port in range(0, ports, max(1, ports // 8))],
                   showgrid=False),
        annotations=titles,
    )  # fmt: skip

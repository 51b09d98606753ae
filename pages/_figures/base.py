"""What all figures have in common: type, margins, axes, and plain dicts.

Figures are dicts, not validated graph objects: building one takes well under
a millisecond. Colours are the light values of the tokens; the style sheet
swaps them in the dark theme.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pages._components.theme import GROUND, LINE, MUTED, RAISED, TEXT

FONT = "Inter, system-ui, sans-serif"
SMALL = 12
BODY = 13
CLEAR = "rgba(0,0,0,0)"


def figure(traces: list[dict[str, Any]], **layout: Any) -> dict[str, Any]:
    """A figure from traces and layout, on a transparent ground, without dragging.

    A drag on a touch screen must scroll the page, so nothing zooms by dragging.
    """
    base: dict[str, Any] = {
        "font": {"family": FONT, "size": BODY, "color": TEXT.light},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "margin": {"l": 56, "r": 16, "t": 8, "b": 44},
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": RAISED.light,
            "bordercolor": LINE.light,
            "font": {"family": FONT, "size": BODY, "color": TEXT.light},
            "align": "left",
        },
        "uirevision": "keep",
        "showlegend": False,
    }
    return {"data": traces, "layout": base | layout}


def axis(title: str, **options: Any) -> dict[str, Any]:
    """An axis with a title that carries its unit, and quiet grid lines."""
    return {
        "title": {"text": title, "font": {"size": BODY, "color": MUTED.light}, "standoff": 8},
        "tickfont": {"size": SMALL, "color": MUTED.light},
        "gridcolor": LINE.light,
        "linecolor": LINE.light,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
    } | options


def note(
    text: str, *, x: float, y: float, color: str = TEXT.light, **options: Any
) -> dict[str, Any]:
    """A label placed at data coordinates, without an arrow."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "showarrow": False,
        "font": {"size": BODY, "color": color, "family": FONT},
    } | options


def legend_above() -> dict[str, Any]:
    """A legend in one line above the plot."""
    return {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yanchor": "bottom",
        "font": {"size": SMALL, "color": TEXT.light},
        "itemclick": False,
        "itemdoubleclick": False,
        "tracegroupgap": 0,
    }


def outlined(color: str, size: int, symbol: str = "circle") -> dict[str, Any]:
    """A marker that stands out from the lines it lies on."""
    return {
        "symbol": symbol,
        "size": size,
        "color": color,
        "line": {"color": GROUND.light, "width": 2},
    }


def rounded(values: Iterable[float], digits: int = 5) -> list[float]:
    """Numbers to a few significant digits: what a plot shows, in fewer bytes."""
    return [float(f"{value:.{digits}g}") for value in values]

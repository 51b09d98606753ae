"""What all figures have in common: type, margins, axes, and plain dicts.

Figures are dicts, not validated graph objects: building one takes well under
a millisecond. Colours are the light values of the tokens; the style sheet
swaps them in the dark theme.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from foptrn_model.text import THIN_SPACE, si
from pages._components.theme import GROUND, LINE, MUTED, RAISED, TEXT

FONT = "Inter, system-ui, sans-serif"
SMALL = 12
BODY = 13
CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True)
class Look:
    """Colour, dash and symbol that tell one series from the others, in every figure."""

    color: str
    dash: str
    symbol: str


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


def pointer(
    text: str, *, x: float, y: float, ax: float, ay: float, color: str = TEXT.light, **options: Any
) -> dict[str, Any]:
    """A label beside a point, with a thin line to it; ``ax`` and ``ay`` say where, in pixels.

    The label stands on the side to which the line leads, on the figure's ground.
    """
    style: dict[str, Any] = {
        "showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": color, "standoff": 8,
        "ax": ax, "ay": ay, "xanchor": "left" if ax > 0 else "right", "bgcolor": GROUND.light,
        "borderpad": 2,
    }  # fmt: skip
    return note(text, x=x, y=y, color=color, **style | options)


_YEAR = 31_557_600.0
TIME_TICKS = {
    **{10.0**power: f"{10 ** (power % 3)} {'pnum'[power // 3 + 4]}s".replace("us", "\u00b5s")
       for power in range(-12, 0)},
    1.0: "1 s", 10.0: "10 s", 60.0: "1 min", 600.0: "10 min", 3_600.0: "1 h", 36_000.0: "10 h",
    864_000.0: "10 days", 8.64e6: "100 days", _YEAR: "1 year",
    **{_YEAR * 10.0**power: f"{si(10.0**power, digits=1).replace(THIN_SPACE, '')} years"
       for power in range(1, 13)},
}  # fmt: skip
"""Seconds -> what an axis calls them, from a picosecond to 10\u00b9\u00b2 years."""
MOST_TICKS = 9


def time_axis(title: str, low_s: float, high_s: float, **options: Any) -> dict[str, Any]:
    """A logarithmic axis of seconds between two times, with ticks as people say times."""
    inside = [tick for tick in TIME_TICKS if low_s <= tick <= high_s]
    ticks = inside[:: -(-len(inside) // MOST_TICKS) or 1]
    return axis(
        f"{title} (log scale)",
        type="log",
        range=[math.log10(low_s), math.log10(high_s)],
        tickvals=ticks,
        ticktext=[TIME_TICKS[tick] for tick in ticks],
        **options,
    )


def _prefixed(power_of_ten: float) -> str:
    return si(power_of_ten, digits=1).replace(THIN_SPACE, "")


def decade_axis(
    title: str, low: float, high: float, words: Callable[[float], str] = _prefixed, **options: Any
) -> dict[str, Any]:
    """A logarithmic axis with a tick at every decade, or every few of them: 1, 10, 100, 1k.

    ``words`` writes a power of ten.
    """
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    powers = range(first, last + 1, -(-(last - first + 1) // MOST_TICKS) or 1)
    return axis(
        title,
        type="log",
        range=[math.log10(low), math.log10(high)],
        tickvals=[10.0**power for power in powers],
        ticktext=[words(10.0**power) for power in powers],
        **options,
    )


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

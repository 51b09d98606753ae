"""What matters most: a bar per input, from the result at half to that at double."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.text import group_digits
from pages._components.theme import ACCENT, DENSE, TEXT
from pages._figures.base import axis, figure, legend_above, note, rounded

MOST_BARS = 8
LONGEST_LINE = 24
"""Characters of the axis title that fit under the bars on a phone."""


def tornado_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """A headline with each input halved and doubled, the widest bar first."""
    tornado = evaluation.series.tornado
    headline = tornado.headline
    bars = [bar for bar in tornado.bars if bar.span(tornado.base)][:MOST_BARS]
    scale, unit = (
        (100, "%") if headline.style == "percent" else (1, headline.unit.strip() or "\u00d7")
    )
    base = scale * tornado.base
    specs = evaluation.params.specs()
    labels = [bar.label for bar in bars]
    ends = [end for bar in bars for end in (bar.low_result, bar.high_result)]
    right = bool(bars) and tornado.base > (min(ends) + max(ends)) / 2
    traces = []
    # Where both go the same way the second bar is thinner, so that the first shows behind it.
    thin = [
        0.3 if (bar.low_result - tornado.base) * (bar.high_result - tornado.base) > 0 else 0.65
        for bar in bars
    ]
    for name, color, pattern, values, results in (
        ("halved", DENSE.light, "/", [b.low_value for b in bars], [b.low_result for b in bars]),
        ("doubled", ACCENT.light, "", [b.high_value for b in bars], [b.high_result for b in bars]),
    ):  # fmt: skip
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": name,
                "y": labels,
                "x": rounded([scale * result - base for result in results]),
                "base": base,
                "width": 0.65 if name == "halved" else thin,
                "marker": {
                    "color": color,
                    "line": {"width": 0},
                    "pattern": {"shape": pattern, "bgcolor": color, "solidity": 0.18, "size": 7},
                },
                "customdata": [
                    f"{specs[bar.name].label} {name} to {group_digits(value)}: {headline.text(result)}"
                    for bar, value, result in zip(bars, values, results, strict=True)
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )
    return figure(
        traces,
        barmode="overlay",
        bargap=0.35,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 8, "r": 16, "t": 8, "b": 44},
        xaxis=axis("<br>".join(wrap(f"{headline.label} ({unit})", LONGEST_LINE)), rangemode="normal", visible=bool(bars)),
        # Half a row below the bars is left free for the label of the line.
        yaxis=axis("", range=[len(bars), -0.5], showgrid=False, ticklen=0, visible=bool(bars)),
        shapes=[] if not bars else [
            {
                "type": "line", "xref": "x", "yref": "paper", "x0": base, "x1": base,
                "y0": 0, "y1": 1, "line": {"color": ACCENT.light, "width": 1.5},
            }
        ],
        annotations=[
            note(
                f"this state: {headline.text(tornado.base)}", x=base, y=0, yref="paper",
                yanchor="bottom", xanchor="right" if right else "left", xshift=-5 if right else 5,
                color=ACCENT.light,
            )
        ]
        if bars
        else [
            note("Nothing to vary: no input moves this result", x=0.5, y=0.5, xref="paper",
                 yref="paper", color=TEXT.light)
        ],
    )  # fmt: skip

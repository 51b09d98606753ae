"""A page's sweep of two fields: what is asked, computed and shown, before any browser."""

from __future__ import annotations

import statistics
from typing import Any

import pytest
from plotly import graph_objects as go

from foptrn_model.explorers import EXPLORERS, OPTICAL_DFA
from foptrn_model.sweep.command import planned, read_words
from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.points import Row
from foptrn_model.sweep.surface import (
    CLUSTER_CAP_S,
    Range,
    Surface,
    read_rows,
    read_surface,
    run_surface,
)
from foptrn_model.sweep.views import OFFERS, cells_of, offered, surface_table
from pages._components.theme import all_tokens
from pages._figures.surface import surface_figure
from tests.pages.test_pages import BUNDLE_TRACES


def asked(slug: str, x: str, y: str, query: str = "", **more: Any) -> Surface:
    """The surface of two words such as ``width 16 100 5``."""
    ranges = [
        Range(**dict(zip(("name", "start", "stop", "count"), word.split(), strict=True)))
        for word in (x, y)
    ]
    explorer = EXPLORERS[slug]
    return read_surface(explorer, explorer.params.from_query(query), *ranges, **more)


def rows_of(surface: Surface) -> list[Row]:
    return read_rows(run_surface(surface, lambda done, of: None))


def test_a_surface_travels_as_a_query_and_as_a_command():
    surface = asked(
        "trainers", "phase_error_rad 0 0.6 3", "steps 2 8 2", "seeds=2&steps=9&batch=4&layers=2"
    )
    again = Surface.from_query("trainers", surface.query)
    assert (again.query, again.sweep.plain) == (surface.query, surface.sweep.plain)
    moved = asked(
        "trainers", "phase_error_rad 0 0.6 3", "steps 2 8 2", "seeds=2&steps=7&batch=4&layers=2"
    )
    assert moved.query == surface.query, "where a swept slider stands does not matter"
    words = surface.command.split()[4:]
    typed = planned(read_words(words))
    points = [typed.state(number) for number in range(typed.grid.size)]
    own = [surface.sweep.state(number) for number in range(surface.sweep.grid.size)]
    assert sorted(map(str, points)) == sorted(map(str, own))


def test_cells_are_the_explorers_own_numbers():
    surface = asked("optical-dfa", "width 1000 4000 2", "depth 10 96 2", "batch=64")
    rows = rows_of(surface)
    (quantity, *_) = offered(surface, rows)
    cells = cells_of(surface, rows, quantity)
    assert (cells.x, cells.y, cells.points) == ((1000, 4000), (10, 96), 1)
    for row, depth in enumerate(cells.y):
        for column, width in enumerate(cells.x):
            params = OPTICAL_DFA.params(width=int(width), depth=int(depth), batch=64)
            result = OPTICAL_DFA.compute(params)
            assert cells.mean[row][column] == quantity.headline.value(result)
    table = surface_table(surface, cells, quantity)
    assert [row[0] for row in table.rows] == [10, 96]


def test_large_surfaces_are_shown_as_means_of_neighbours():
    surface = Surface(
        explorer=OPTICAL_DFA,
        state=OPTICAL_DFA.params(),
        words=("gpu_W=1:50:50", "opu_W=1:27:27"),
    )
    (quantity, *_) = OFFERS["optical-dfa"].quantities
    name = quantity.headline.field
    rows = [Row(number=n, values={name: float(n % 50 + n // 50)}) for n in range(50 * 27)]
    rows[0] = Row(number=0, values={name: "never"})
    rows[2] = Row(number=2, values={}, message="failed")
    cells = cells_of(surface, rows, quantity)
    assert (len(cells.x), len(cells.y), cells.points) == (25, 14, 4)
    assert cells.x[0] == 1.5
    assert cells.mean[0][0] == statistics.mean([1, 1, 2]), "words are left out of a mean"
    assert (cells.low[3][4], cells.high[3][4]) == (6 + 8, 6 + 8 + 2)
    assert cells.mean[-1][-1] == statistics.mean([26 + 48, 26 + 49]), "the last row is alone"


@pytest.mark.parametrize(
    ("x", "y", "query", "named"),
    [
        ("width 16 100 5", "width 16 100 5", "", "both axes"),
        ("width 16 10000 51", "depth 1 9 3", "", "from 2 to 50"),
        ("width 16 100 5", "depth 3 3 3", "", "from 2 to 50"),
        ("width 1 100 5", "depth 1 9 3", "", "width must be"),
        ("width 16 100 many", "depth 1 9 3", "", "count"),
        ("colour 16 100 5", "depth 1 9 3", "", "colour"),
        ("error_threshold 0 1 5", "depth 1 9 3", "error_encoding=sign", "no effect"),
        ("epochs 100 200 20", "hidden_width 64 256 20", "seeds=16", "over the 2.00\u202fmin"),
    ],
)
def test_what_a_page_may_not_ask_for_is_named(x, y, query, named):
    with pytest.raises(ValueError, match=named):
        asked("optical-dfa", x, y, query)


def test_a_cluster_may_be_asked_for_more():
    words = ("phase_error_rad 0 0.6 20", "readout_noise 0 0.4 20")
    with pytest.raises(SweepError, match="over the"):
        asked("trainers", *words)
    assert 120 < asked("trainers", *words, on_cluster=True).estimate_s < CLUSTER_CAP_S


@pytest.mark.parametrize(
    ("slug", "x", "y", "query"),
    [
        ("trainers", "phase_error_rad 0 0.6 2", "readout_noise 0 0.4 2", "steps=2&seeds=2&batch=4"),
        ("trainers", "ports 10 16 2", "steps 1 2 2", "task=digits&seeds=1&batch=2"),
        ("optical-dfa", "width 16 10000 3", "frame_rate_hz 10 1000000 3", ""),
        ("optical-dfa", "epochs 1 2 2", "projection_noise 0 5 2", "hidden_width=4&seeds=1"),
    ],
)
def test_figures_are_drawn_from_tokens_by_the_bundle(slug, x, y, query):
    surface = asked(slug, x, y, query)
    rows = rows_of(surface)
    assert all(row.state == "ok" for row in rows)
    at = {axis.name: axis.values[-1] for axis in surface.axes}
    known = {token.light for token in all_tokens()}
    for quantity in offered(surface, rows):
        figure = surface_figure(surface, cells_of(surface, rows, quantity), quantity, at)
        go.Figure(figure)  # raises on any property plotly does not know
        assert {trace["type"] for trace in figure["data"]} <= BUNDLE_TRACES
        assert {part for part in str(figure).split("'") if part.startswith("#")} <= known
        marks = [trace for trace in figure["data"] if trace.get("name") == "this state"]
        assert (marks[0]["x"], marks[0]["y"]) == (
            [at[surface.axes[0].name]],
            [at[surface.axes[1].name]],
        )


def test_every_offer_begins_with_a_sweep_that_may_be_asked_for():
    for slug, offer in OFFERS.items():
        params = EXPLORERS[slug].params
        for name, (low, high) in offer.ranges.items():
            spec = params.specs()[name]
            assert spec.low <= low < high <= spec.high
        words = (
            f"{name} {offer.ranges[name][0]:g} {offer.ranges[name][1]:g} {offer.count}"
            for name in (offer.x, offer.y)
        )
        assert asked(slug, *words).estimate_s < 120

"""The compression page: what its figures and its sliders show."""

import pytest

from foptrn_model.compression_order import ordering
from foptrn_model.explorers import COMPRESSION
from pages._components.controls import _marks, _position
from pages._figures.compression_order import MOST_SHOWN, divergence_figure, order_figure

STAND_INS = {item.published_method for item in ordering().placed if item.stand_in}


def drawn(figure, symbol):
    return [
        name
        for trace in figure["data"]
        if trace.get("marker", {}).get("symbol") == symbol
        for name in trace["customdata"]
    ]


@pytest.mark.parametrize(
    ("draw", "planes"), [(order_figure, "planes"), (divergence_figure, "planes8-")]
)
def test_a_published_run_that_set_its_full_scale_anew_has_another_symbol(draw, planes):
    figure = draw(COMPRESSION.evaluate(COMPRESSION.params()), ())
    assert sorted(drawn(figure, "square-open")) == sorted(
        name for name in STAND_INS if planes in name
    )
    assert not STAND_INS & set(drawn(figure, "diamond-open"))
    assert "published, re-set" in str(figure) or "published, but re-set" in str(figure)


def test_what_lies_beyond_the_axis_of_the_order_is_an_arrow_with_its_number():
    figure = order_figure(COMPRESSION.evaluate(COMPRESSION.params()), ())
    (arrows,) = (trace for trace in figure["data"] if "text" in trace)
    ends = [item.published for item in ordering().placed if (item.published or 0) > MOST_SHOWN]
    assert arrows["text"] == [f"{end:.0f}" for end in ends]
    assert len(ends) == 5
    assert set(arrows["x"]) == {MOST_SHOWN}


def test_the_slider_of_enob_begins_at_zero():
    spec = COMPRESSION.params.specs()["enob"]
    assert _position(spec, 0) == 0
    assert next(iter(_marks(spec).items())) == ("0", "0")
    assert [_position(spec, value) for value in (2, 8, 20)] == [2, 8, 20]

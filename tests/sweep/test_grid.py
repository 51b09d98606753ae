"""Words become grids: every combination once, values as their fields allow."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams
from foptrn_model.parameters import ParamsError
from foptrn_model.sweep.engine import Missing
from foptrn_model.sweep.errors import SweepError
from foptrn_model.sweep.grid import Axis, Grid, read_axis, read_grid
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.transit_params import TransitParams


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_numbers_run_through_every_combination_in_order(counts):
    axes = tuple(Axis(name=f"x{n}", values=tuple(range(count))) for n, count in enumerate(counts))
    grid = Grid(axes=axes)
    assert [tuple(grid.point(n).values()) for n in range(grid.size)] == list(
        itertools.product(*(axis.values for axis in axes))
    )


def test_spaced_values():
    assert read_axis(TrainersParams, "phase_error_rad=0:0.6:7").values == (
        0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6,
    )  # fmt: skip
    falling = read_axis(TrainersParams, "phase-error-rad=0.6:0:3")
    assert falling == Axis(name="phase_error_rad", values=(0.6, 0.3, 0))
    assert read_axis(TrainersParams, "readout_noise=0.25:1:1").values == (0.25,)


def test_log_spacing_has_equal_ratios():
    values = read_axis(TransitParams, "wan_GBps=0.001:1000:31:log").values
    assert (values[0], values[-1]) == (0.001, 1000)
    steps = [math.log(b / a) for a, b in itertools.pairwise(values)]
    assert steps == pytest.approx([math.log(1e6) / 30] * 30)


def test_whole_numbers_are_rounded_and_come_once():
    assert read_axis(TrainersParams, "layers=1:8:50").values == (1, 2, 3, 4, 5, 6, 7, 8)
    assert read_axis(AmdahlParams, "seq_len=512:4096:4:log").values == (512, 1024, 2048, 4096)


def test_lists_of_numbers_and_choices():
    assert read_axis(TrainersParams, "task=moons, digits,moons").values == ("moons", "digits")
    assert read_axis(TrainersParams, "layers=3,1").values == (3, 1)


def test_seeds_are_the_last_axis():
    grid = read_grid(TrainersParams, ["layers=1,2"], seeds=2)
    assert [grid.point(n) for n in range(4)] == [
        {"layers": 1, "seed": 0}, {"layers": 1, "seed": 1},
        {"layers": 2, "seed": 0}, {"layers": 2, "seed": 1},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["colour=1,2"], ["colour", "phase_error_rad"]),
        (["layers"], ["layers", "start:stop:count"]),
        (["layers="], ["layers"]),
        (["layers=1:8"], ["layers", "start:stop:count", "1:8"]),
        (["layers=1:8:3:lin"], ["1:8:3:lin"]),
        (["layers=1:8:0"], ["layers", "count", "'0'"]),
        (["layers=1:8:many"], ["count", "many"]),
        (["phase_error_rad=0:1:5:log"], ["phase_error_rad", "above zero"]),
        (["layers=1:8:4", "layers=2"], ["layers", "twice"]),
        ([f"seed=0:99999:{10**5}", "steps=1:1001:1000"], ["100,000,000 points"]),
        ([], ["--over"]),
    ],
)
def test_words_that_are_no_grid(words, named):
    with pytest.raises(SweepError) as caught:
        read_grid(TrainersParams, words)
    assert all(word in str(caught.value) for word in named), caught.value


@pytest.mark.parametrize("word", ["phase_error_rad=0:2:5", "task=moons,stars", "layers=1:2.5:4"])
def test_values_out_of_bounds_name_field_and_range(word):
    name = word.partition("=")[0]
    with pytest.raises(ParamsError, match=f"{name} must be"):
        read_axis(TrainersParams, word)


def test_nothing_drawn_has_no_seeds():
    with pytest.raises(SweepError, match="--seeds"):
        read_grid(AmdahlParams, ["seq_len=512,1024"], seeds=2)


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.lists(st.integers(1, 7), min_size=1))
def test_what_is_missing_is_handed_out_once(present, sizes):
    missing = Missing(bytearray(present))
    wanted = itertools.cycle(sizes)
    found: list[int] = []
    while part := missing.take(next(wanted)):
        found += range(*part)
    assert found == [number for number, there in enumerate(present) if not there]

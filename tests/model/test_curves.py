"""Loss curves: the published ones, first crossings, and files that people give."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.curves import BASELINE, Curve, first_crossing, published_curves
from foptrn_model.curves_file import (
    MAX_BYTES,
    MAX_METHODS,
    MAX_ROWS,
    CurvesError,
    read_curves,
)

HEADER = "method,step,val_loss\n"
GOOD = HEADER + "AdamW,200,3.5\nadamw,400,2.5\nmy band,200,4\nmy band,400,3\n"


def curve(losses, steps=None):
    steps = steps or range(200, 200 * (len(losses) + 1), 200)
    return Curve(method="x", steps=tuple(steps), loss=tuple(losses), sd=None, seeds=1)


# Published -------------------------------------------------------------------


def test_published_curves_are_22_of_15_evaluations():
    curves = published_curves()
    assert len(curves.methods) == 22
    assert curves.methods[0] == BASELINE
    assert curves.topk == "topk-2d64"
    assert curves.default_band == "band-low-2d64"
    assert set(curves.bands) == set(curves.methods) - {"adamw", "topk-2d64"}
    assert all(found.steps == tuple(range(200, 3001, 200)) for found in curves.curves)


@pytest.mark.parametrize(
    ("method", "loss", "sd"),
    [
        ("adamw", "1.646", "0.005"),
        ("topk-2d64", "1.785", "0.007"),
        ("band-low-1d256", "3.124", None),
        ("band-low-2d64", "3.158", None),
    ],
)
def test_published_final_losses(method, loss, sd):
    found = published_curves()[method]
    assert found.seeds == 3
    assert f"{found.loss[-1]:.3f}" == loss
    assert sd is None or f"{found.sd[-1]:.3f}" == sd


def test_runs_of_one_seed_have_no_sd():
    for found in published_curves().curves:
        assert (found.sd is None) == (found.seeds == 1)
        assert found.sd is None or len(found.sd) == len(found.loss)


# First crossing --------------------------------------------------------------


def test_interpolates_between_the_two_evaluations_around_the_target():
    found = first_crossing(curve([4.0, 3.0, 2.0]), 3.25)
    assert found.step == 350
    assert not found.at_first_evaluation


def test_a_target_met_exactly_gives_that_evaluation():
    assert first_crossing(curve([4.0, 3.0, 2.0]), 3.0).step == 400


@pytest.mark.parametrize("target", [4.0, 4.5])
def test_a_target_met_when_first_measured_is_flagged(target):
    found = first_crossing(curve([4.0, 3.0]), target)
    assert found.step == 200
    assert found.at_first_evaluation


def test_a_target_never_met_is_none_not_a_number():
    assert first_crossing(curve([4.0, 3.0]), 2.999) is None


def test_what_comes_after_the_first_crossing_is_ignored():
    assert first_crossing(curve([4.0, 2.0, 5.0, 1.0]), 3.0).step == 300
    assert first_crossing(curve([4.0, 5.0, 2.0]), 4.5).at_first_evaluation


@given(losses=st.lists(st.floats(0.1, 10), min_size=1, max_size=12), target=st.floats(0.1, 10))
def test_crossing_against_a_walk_along_the_line(losses, target):
    found = first_crossing(curve(losses), target)
    steps = np.arange(200, 200 * len(losses) + 1)
    walked = np.interp(steps, np.arange(200, 200 * len(losses) + 1, 200), losses)
    below = np.flatnonzero(walked <= target)
    if found is None:
        assert below.size == 0
    else:
        # The walk takes whole steps, the crossing lies in the last one before or at its end.
        assert steps[below[0]] - 1 - 1e-6 <= found.step <= steps[below[0]] + 1e-6


# Files -----------------------------------------------------------------------


def test_a_plain_file():
    curves = read_curves(GOOD)
    assert curves.methods == ("adamw", "my band")
    assert curves["adamw"].steps == (200, 400)
    assert curves["adamw"].loss == (3.5, 2.5)
    assert curves["adamw"].sd is None
    assert curves.bands == ("my band",)
    assert curves.default_band == "my band"
    assert curves.topk is None


@pytest.mark.parametrize(
    "text",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.replace(",", ";"),
        GOOD.replace(",", "\t"),
        GOOD.replace(".", ",").replace("d,step,v", "d;step;v").replace("W,", "W;")
        .replace("w,", "w;").replace("band,", "band;").replace("00,", "00;"),
        GOOD + "\n\n   \n,,\n",
        "\n\n" + GOOD,
        GOOD.replace("\n", "\n\n"),
        GOOD.replace(HEADER, " Method , STEP,val_loss ,,\n"),
        GOOD.replace(HEADER, '"method","step","val_loss"\n').replace("my band", '"my band"'),
        GOOD.replace("200", " 200 ").replace("400", "400.0").replace("3.5", "+35e-1"),
        HEADER + "\n".join(reversed(GOOD.removeprefix(HEADER).splitlines())),
        "val_loss,method,step\n3.5,AdamW,200\n2.5,adamw,400\n4,my band,200\n3,my band,400",
    ],
)  # fmt: skip
def test_the_same_file_as_people_have_it(text):
    found, plain = read_curves(text), read_curves(GOOD)
    assert set(found.curves) == set(plain.curves)


def test_a_method_may_hold_the_separator_in_quotes():
    assert read_curves(HEADER + 'adamw,1,2\n"a, b",1,2\n').bands == ("a, b",)


def test_seeds_are_averaged():
    text = "method,step,val_loss,seed\n"
    losses = [2.0, 3.0, 7.0]
    text += "".join(f"adamw,100,{loss},{seed}\n" for seed, loss in enumerate(losses))
    found = read_curves(text + "b,100,1,x\n")
    assert found["adamw"].loss == (4.0,)
    assert found["adamw"].sd == (statistics.stdev(losses),)
    assert (found["adamw"].seeds, found["b"].seeds) == (3, 1)
    assert found["b"].sd is None


def test_roles_are_found_by_name():
    found = read_curves(HEADER + "ADAMW,1,2\nTop-K 8,1,2\ntopk-b,1,2\nband,1,2\n")
    assert found.topk == "Top-K 8"
    assert found.bands == ("band",)


BAD = {
    "empty": ("", "empty.*method,step,val_loss"),
    "blank": (" \n\t\n", "empty"),
    "no rows": (HEADER, "no rows"),
    "wrong header": ("a,b,c\n1,2,3\n", "row 1: the header must be method,step,val_loss.*got a,b,c"),
    "no header": ("adamw,200,3.5\n", "row 1: the header must be"),
    "missing column": ("method,step\nadamw,1\n", "row 1.*missing val_loss"),
    "unknown column": ("method,step,val_loss,lr\n", "row 1.*got method,step,val_loss,lr"),
    "column twice": ("method,step,step,val_loss\n", "row 1.*twice"),
    "text in loss": (GOOD + "adamw,600,abc\n", "row 6, column val_loss: must be a number, got abc"),
    "text in step": (GOOD + "adamw,many,1\n", "row 6, column step: must be a number, got many"),
    "hex": (GOOD + "adamw,0x10,1\n", "row 6, column step: must be a number"),
    "underscore": (GOOD + "adamw,1_000,1\n", "row 6, column step: must be a number"),
    "other digits": (GOOD + "adamw,\u0663,1\n", "row 6, column step: must be a number"),
    "negative step": (GOOD + "adamw,-600,1\n", "row 6, column step: must be a whole number from 1"),
    "step of zero": (GOOD + "adamw,0,1\n", "row 6, column step: must be a whole number from 1"),
    "fraction of a step": (GOOD + "adamw,1.5,1\n", "row 6, column step: must be a whole number"),
    "enormous step": (GOOD + "adamw,1e300,1\n", "row 6, column step: must be a whole number"),
    "step twice": (GOOD + "adamw,200,1\n", "row 6, column step: adamw has this step already in row 2, got 200"),
    "step twice in other case": (GOOD + "AdamW,200.0,1\n", "row 6, column step: adamw has this"),
    "NaN": (GOOD + "adamw,600,NaN\n", "row 6, column val_loss: must be finite.*diverged, got NaN"),
    "infinity": (GOOD + "adamw,600,-inf\n", "row 6, column val_loss: must be finite"),
    "overflow": (GOOD + "adamw,600,1e999\n", "row 6, column val_loss: must be from 0"),
    "negative loss": (GOOD + "adamw,600,-1\n", "row 6, column val_loss: must be from 0 to"),
    "missing cell": (GOOD + "adamw,600\n", "row 6, column val_loss: the cell is missing"),
    "empty cell": (GOOD + "adamw,,1\n", "row 6, column step: the cell is missing"),
    "no method": (GOOD + ",600,1\n", "row 6, column method: the cell is missing"),
    "cell too many": (GOOD + "adamw,600,3,158\n", "row 6: must have 3 cells, got 4.*decimal comma"),
    "two decimal marks": (GOOD.replace(",", ";") + "adamw;600;1,5\n", "row 6, column val_loss: write all decimals"),
    "thousands": (GOOD.replace(",", ";") + "adamw;1,000;1.5\n", "row 6, column step: must be a number, got 1,000"),
    "long name": (GOOD + "x" * 61 + ",1,1\n", "row 6, column method: must be 1 to 60"),
    "control character": (GOOD + "a\x00b,1,1\n", "row 6, column method: must be 1 to 60 printable"),
    "open quote": (GOOD + '"adamw,600,1\nadamw,800,1\n', "row 6, column step: the cell is missing"),
    "quote of a megabyte": (HEADER + '"' + "x" * 200_000, "row 2: not readable as CSV"),
    "UTF-16": (GOOD.encode("utf-16"), "UTF-8"),
    "Latin-1": (HEADER.encode() + b"b\xe4nd,1,1\n", "UTF-8"),
    "half a character": (GOOD + "\ud800", "UTF-8"),
    "no AdamW": (HEADER + "b,1,1\n", "no method is named adamw"),
    "nothing else": (HEADER + "adamw,1,1\ntopk,1,1\n", "no method is left for a band"),
    "seed without a step": (
        "method,step,val_loss,seed\nadamw,1,2,a\nadamw,2,2,a\nadamw,1,3,b\nb,1,1,a\n",
        "row 4, column seed: every seed of adamw must have the same steps; step 2 is missing for seed b",
    ),
    "seed with a step more": (
        "method,step,val_loss,seed\nadamw,1,2,a\nadamw,1,3,b\nadamw,2,3,b\nb,1,1,a\n",
        "row 4, column seed.*step 2 is missing for seed a",
    ),
    "step twice of a seed": (
        "method,step,val_loss,seed\nadamw,1,2,a\nadamw,1,3,a\n",
        "row 3, column step: adamw, seed a has this step already in row 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_with_row_column_value_and_reason(text, message):
    with pytest.raises(CurvesError, match=message) as caught:
        read_curves(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_the_error_carries_its_parts():
    with pytest.raises(CurvesError) as caught:
        read_curves(GOOD + "adamw,600,abc\n")
    assert (caught.value.row, caught.value.column, caught.value.value) == (6, "val_loss", "abc")
    assert isinstance(caught.value, ValueError)


def test_size_is_bounded_in_bytes_and_rows():
    for text in ("x" * (MAX_BYTES + 1), b"x" * (MAX_BYTES + 1), "\u20ac" * (MAX_BYTES // 2)):
        with pytest.raises(CurvesError, match="at most 1 MB"):
            read_curves(text)
    rows = [f"m{index % 2},{index // 2 + 1},1\n" for index in range(MAX_ROWS - 1)]
    full = HEADER + "adamw,1,1\n" + "".join(rows)
    assert sum(len(found.steps) for found in read_curves(full).curves) == MAX_ROWS
    with pytest.raises(CurvesError, match=r"row 50,002: .*at most 50,000 rows"):
        read_curves(full + "adamw,2,1\n")


def test_methods_are_bounded():
    many = HEADER + "adamw,1,1\n" + "".join(f"m{i},1,1\n" for i in range(MAX_METHODS - 1))
    assert len(read_curves(many).methods) == MAX_METHODS
    with pytest.raises(CurvesError, match=r"column method: .*at most 100 methods"):
        read_curves(many + "more,1,1\n")


def read_or_none(text):
    try:
        return read_curves(text)
    except CurvesError:
        return None


@pytest.mark.parametrize("text", ['"', '""', '"\n"', ",", ";;", "\t", '" "', "\ufeff", ",,\n,,"])
def test_text_without_a_cell_is_refused(text):
    with pytest.raises(CurvesError, match=r"header|empty"):
        read_curves(text)


@given(text=st.one_of(st.text(max_size=200), st.binary(max_size=200)))
def test_any_text_is_curves_or_a_refusal(text):
    header = HEADER.encode() if isinstance(text, bytes) else HEADER
    for found in (read_or_none(text), read_or_none(header + text)):
        assert found is None or all(
            math.isfinite(loss) for item in found.curves for loss in item.loss
        )


@given(
    runs=st.dictionaries(
        st.sampled_from(["adamw", "topk", "b", "c"]),
        st.dictionaries(st.integers(1, 10**9), st.floats(0, 1e9), min_size=1, max_size=6),
        min_size=1,
    )
)
def test_curves_written_are_curves_read(runs):
    runs = {"adamw": {1: 1.0}, "b": {1: 1.0}} | runs
    rows = [f"{name},{step},{loss!r}" for name, run in runs.items() for step, loss in run.items()]
    found = read_curves("\n".join([HEADER.strip(), *rows]))
    for name, run in runs.items():
        assert dict(zip(found[name].steps, found[name].loss, strict=True)) == run
        assert list(found[name].steps) == sorted(run)

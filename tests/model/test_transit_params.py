"""Params of the transit explorer: names, bands of the curves in force, uploaded curves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.curves import published_curves
from foptrn_model.curves_file import read_curves
from foptrn_model.headlines import Headline
from foptrn_model.parameters import ParamsError
from foptrn_model.sensitivity import tornado
from foptrn_model.transit import TransitParams, compute_transit
from foptrn_model.transit_params import CURVE_SOURCES
from foptrn_model.transit_step import step_ratio
from tests.model.transit_states import transit_states

OWN = read_curves(
    "method,step,val_loss\nadamw,100,4\nadamw,200,3\ntopk,100,3.5\nmine,100,4\nmine,400,2.5\n"
)


def refused(raw):
    with pytest.raises(ParamsError) as caught:
        TransitParams.parse(raw)
    return [problem.message for problem in caught.value.problems]


# The band, a name ------------------------------------------------------------


def test_a_name_is_free_text_with_options_from_the_curves():
    spec = TransitParams.specs()["band"]
    assert (spec.kind, spec.choices) == ("name", ())
    assert spec.allowed == "a name of 1 to 60 printable characters"
    assert TransitParams().options("band") == published_curves().bands
    assert TransitParams().options("curves") == (*CURVE_SOURCES, "uploaded")
    assert TransitParams().options("wan_GBps") == ()
    assert TransitParams.parse({"band": "  calib-2d64 "}).band == "calib-2d64"


@pytest.mark.parametrize("band", ["", " ", "x" * 61, "a\nb", "\u200b", 7, None, True])
def test_what_is_no_name_is_refused(band):
    (message,) = refused({"band": band})
    assert message.startswith("band must be a name of 1 to 60 printable characters, got ")
    params, notices = TransitParams.nearest({"band": band})
    assert params.band == "band-low-2d64"
    assert len(notices) == 1


@pytest.mark.parametrize("band", ["adamw", "topk-2d64", "nope", "BAND-LOW-2D64"])
def test_a_band_that_the_curves_do_not_have_is_refused_with_those_they_have(band):
    (message,) = refused({"band": band})
    assert all(name in message for name in published_curves().bands)
    assert message.endswith(f"got {band}")
    params, notices = TransitParams.nearest({"band": band, "wan_GBps": "3"})
    assert (params.band, params.wan_GBps) == ("band-low-2d64", 3)
    assert notices[0].endswith("using band-low-2d64")
    with pytest.raises(ValueError, match=band):
        TransitParams(band=band)


@given(params=transit_states())
def test_links_carry_every_state(params):
    assert TransitParams.from_query(params.to_query()) == params
    assert TransitParams.nearest(params.model_dump()) == (params, [])


@given(
    raw=st.dictionaries(
        st.sampled_from(sorted(TransitParams.specs())),
        st.one_of(st.text(max_size=70), st.floats(), st.integers(), st.none()),
        max_size=5,
    )
)
def test_nearest_is_valid_and_settled(raw):
    params, _ = TransitParams.nearest(raw)
    assert TransitParams.nearest(params.model_dump()) == (params, [])
    assert TransitParams.from_query(params.to_query()) == params


# Uploaded curves -------------------------------------------------------------


def test_uploaded_curves_are_used_in_place_of_the_published():
    state = TransitParams(band="mine", curves="uploaded", target_loss=3.25).with_uploaded(OWN)
    assert state.options("band") == ("mine",)
    result = compute_transit(state)
    assert result.ways["adamw-allreduce"].steps == 175
    assert result.ways["band-switch"].steps == 250
    assert not result.ways["topk-allgather"].reached
    assert state.band == "mine"


def test_params_that_carry_curves_are_frozen_and_stay_out_of_links():
    state = TransitParams().with_uploaded(OWN, settle=True)
    assert (state.curves, state.band) == ("uploaded", "mine")
    assert state.to_query() == "band=mine&curves=uploaded"
    assert set(state.model_dump()) == set(TransitParams.specs())
    with pytest.raises(ValueError, match="frozen"):
        state.band = "x"
    assert state != TransitParams(curves="uploaded", band="mine")
    assert state == TransitParams().with_uploaded(OWN, settle=True)
    assert state.model_copy(update={"keep": 0.5}).loss_curves == OWN


def test_a_band_that_uploaded_curves_do_not_have():
    with pytest.raises(ParamsError, match="band-low-2d64") as caught:
        TransitParams().with_uploaded(OWN)
    assert "(mine)" in str(caught.value)
    assert caught.value.problems[0].param == "band"


def test_uploaded_curves_that_are_not_attached():
    params = TransitParams.parse({"curves": "uploaded", "band": "whatever they call it"})
    assert params.options("band") == ()
    with pytest.raises(ParamsError, match=r"stay in the browser session.*--curves_file") as caught:
        compute_transit(params)
    assert caught.value.problems[0].param == "curves"


def test_a_link_with_uploaded_curves_can_open_on_the_published_ones():
    params = TransitParams.parse({"curves": "uploaded", "band": "mine", "keep": "0.5"})
    opened, notice = params.on_published()
    assert (opened.curves, opened.band, opened.keep) == ("published", "band-low-2d64", 0.5)
    assert "browser session" in notice
    assert "using band-low-2d64" in notice
    known, notice = TransitParams(curves="uploaded", band="calib-2d64").on_published()
    assert known.band == "calib-2d64"
    assert notice.endswith("using the published ones")


def test_curves_without_top_k_leave_that_way_out():
    curves = read_curves("method,step,val_loss\nadamw,100,4\nadamw,200,3\nmine,100,3\n")
    result = compute_transit(TransitParams().with_uploaded(curves, settle=True))
    way = result.ways["topk-allgather"]
    assert (way.method, way.reached) == ("not applicable", False)
    assert way.steps == way.time_s == way.energy_J == "not applicable"
    assert way.step_time_s > 0
    assert result.break_even["topk-allgather"].kind == "never"


def test_sensitivity_keeps_the_curves():
    state = TransitParams(target_loss=3.25).with_uploaded(OWN, settle=True)
    found = tornado(state, step_ratio, Headline(field="band_step_ratio", label="", style="plain"))
    assert {"wan_GBps", "keep", "datacentres"} <= {bar.name for bar in found.bars}
    moved, _ = state.beside(state.model_dump() | {"keep": 0.5})
    assert moved.loss_curves is OWN

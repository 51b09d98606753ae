"""The transit explorer on this project's own curves."""

import pytest

from foptrn_model.explorers import TRANSIT
from foptrn_model.measured_runs import measured_curves, measured_runs
from foptrn_model.parameters import ParamsError
from foptrn_model.transit_params import TransitParams

RUNS = measured_runs()
SENT, EXACT = (f"optics-1d256-enob8-planes8-{word}" for word in ("sent", "exact"))


def test_transit_takes_our_curves():
    curves = measured_curves()
    assert {"adamw", "topk-2d64", "band-low-2d64", SENT, EXACT} <= set(curves.methods)
    assert curves.topk == "topk-2d64"
    assert curves.default_band == "band-low-2d64"
    for method in curves.methods:
        curve, runs = curves[method], RUNS.of(method)
        assert curve.seeds == len(runs)
        assert curve.loss[-1] == pytest.approx(sum(run.val_loss[-1] for run in runs) / len(runs))
    end = curves["band-low-2d64"].loss[-1]
    params = TransitParams(curves="measured", target_loss=end)
    result = TRANSIT.compute(params)
    assert result.ways["band-allgather"].steps == pytest.approx(curves["band-low-2d64"].steps[-1])
    assert result.ways["adamw-allreduce"].steps < 200


def test_the_verdict_opens_with_whose_curves_these_are():
    ours, published = (TransitParams(curves=name) for name in ("measured", "published"))
    size = f"{RUNS.settings.model.size:,} parameters"
    opening = f"On the curves of our own small model ({size}, losses in nat per byte): "
    assert TRANSIT.verdict(ours, TRANSIT.compute(ours)).startswith(opening)
    assert "small model" not in TRANSIT.verdict(published, TRANSIT.compute(published))


def test_the_preset_on_our_curves_aims_where_the_band_ended():
    (preset,) = (preset for preset in TRANSIT.presets if preset.name == "measured")
    params = TransitParams.from_query(preset.query)
    end = measured_curves()["band-low-2d64"].loss[-1]
    assert params.target_loss == pytest.approx(end, abs=5e-4)
    assert params.target_loss >= end, "the band gets there"
    assert TRANSIT.compute(params).ways["band-allgather"].reached


@pytest.mark.parametrize(
    ("target", "words"), [(1.0, "no way of syncing reaches"), (9.0, "at most")]
)
def test_a_target_outside_our_curves_is_told_in_words(target, words):
    params = TransitParams(curves="measured", target_loss=target)
    result = TRANSIT.compute(params)
    assert words in TRANSIT.verdict(params, result)
    told = " ".join(item.text for item in TRANSIT.working(params, result).assumptions)
    assert "nat per byte" in told
    assert "119,104 parameters" in told


def test_a_band_that_only_the_published_curves_have_is_replaced_with_a_notice():
    raw = {"curves": "measured", "band": "optics-1d256-enob6-planes8-sent+agc100"}
    with pytest.raises(ParamsError, match="band must be a band or optics method of these curves"):
        TransitParams.parse(raw)
    state, notices = TransitParams.nearest(raw)
    assert (state.curves, state.band) == ("measured", "band-low-2d64")
    assert len(notices) == 1

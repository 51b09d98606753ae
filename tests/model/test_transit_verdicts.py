"""Verdicts that must not claim more than the curves show."""

import pytest

from foptrn_model.curves_file import read_curves
from foptrn_model.transit import TransitParams, compute_transit
from foptrn_model.transit_text import transit_verdict, transit_working

TWO_BANDS = "method,step,val_loss\nadamw,1,4\nadamw,9,2.9\nb,1,4\nb,9,3.1\nc,1,4\nc,9,2.5\n"


def verdict(own="", **fields):
    params = TransitParams(**fields)
    if own:
        params = params.with_uploaded(read_curves(own), settle=True)
    return transit_verdict(params, compute_transit(params))


def test_another_band_that_gets_there_is_not_denied():
    said = verdict(TWO_BANDS, target_loss=2.7)
    assert said.startswith("With b as the band no way of syncing reaches a loss of 2.700")
    assert "of the methods compared" in said


def test_a_raised_loss_is_said_to_be_raised():
    said = verdict(target_loss=1.7, sync_every=2, loss_penalty_percent=5.0)
    assert "1.728, raised by 5\u202f% for rare syncs, by adamw" in said


@pytest.mark.parametrize("target", [3.3, 5.0])
def test_a_target_met_when_first_measured_takes_at_most_so_long(target):
    params = TransitParams(target_loss=target, band="band-random-2d64")
    result = compute_transit(params)
    said = transit_verdict(params, result)
    flagged = result.ways["adamw-allreduce"].at_first_evaluation
    assert flagged
    assert "at most" in said


@pytest.mark.parametrize("fields", [{"compute_ms": 0.0}, {"target_loss": 20.0}])
def test_nobody_wins_a_tie(fields):
    said = verdict(datacentres=1, workers_per_dc=1, band="band-random-2d64", **fields)
    same = compute_transit(
        TransitParams(datacentres=1, workers_per_dc=1, band="band-random-2d64", **fields)
    )
    times = {way.time_s for way in same.ways.values()}
    assert ("equally fast" in said) == (len(times) == 1)
    assert "equally fast" in said or "target_loss" not in fields


@pytest.mark.parametrize(
    ("rate", "outside"), [(0.001, True), (0.1, False), (1000.0, False), (2000.0, True)]
)
def test_a_rate_outside_the_search_is_mentioned(rate, outside):
    assert ("lie outside" in verdict(wan_GBps=rate)) == outside


def test_a_way_that_the_curves_do_not_have_is_not_said_to_lose():
    params = TransitParams(target_loss=3.0).with_uploaded(read_curves(TWO_BANDS), settle=True)
    values = {
        step.name: step.value for step in transit_working(params, compute_transit(params)).steps
    }
    assert values["Break-even with AdamW: Top-k, all-gather"] == "not applicable"

"""What the transit page says and shows: verdict, working, sweeps, tables, presets."""

import csv
import io
import math
import re

import numpy as np
import pytest
from hypothesis import given

from foptrn_model.curves_file import read_curves
from foptrn_model.text import duration
from foptrn_model.transit import TransitParams, compute_transit
from foptrn_model.transit_assumptions import CURVES_PARAMS
from foptrn_model.transit_presets import TRANSIT_PRESETS
from foptrn_model.transit_series import transit_series
from foptrn_model.transit_step import WAYS
from foptrn_model.transit_sweeps import loss_paths, sync_sweep, topology, wan_sweep
from foptrn_model.transit_tables import TRANSIT_TABLES
from foptrn_model.transit_text import transit_verdict, transit_working
from foptrn_model.transit_words import BAND_STEP_RATIO, TRANSIT_HEADLINES
from tests.model.slow_transit import simulate
from tests.model.transit_states import transit_states


def verdict(**fields):
    params = TransitParams(**fields)
    return transit_verdict(params, compute_transit(params)).replace("\u202f", " ")


def working(**fields):
    params = TransitParams(**fields)
    return transit_working(params, compute_transit(params))


def value_of(result, field):
    for name in field.split("."):
        result = result[name] if isinstance(result, dict) else getattr(result, name)
    return result


# Verdict ---------------------------------------------------------------------


def test_default_verdict_says_who_is_first_and_where_a_band_wins():
    assert verdict() == (
        "Top-k by all-gather is first at a loss of 3.158, after 755 ms against 1.63 s for dense "
        "AdamW; at WAN rates from 0.1 to 1,000 GB/s the gathered band never beats AdamW, and "
        "summed at the switch it does below 1.57 GB/s."
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"target_loss": 1.2}, "With band-low-2d64 as the band no way of syncing reaches a loss of 1.200: the lowest of the methods compared is 1.646, by adamw."),
        ({"target_loss": 1.7}, "Dense AdamW is first at a loss of 1.700, after 16.5 s; band-low-2d64 never gets there."),
        ({"datacentres": 1}, "within one data centre the gathered band does not beat AdamW, and summed at the switch it does not."),
        ({"datacentres": 1, "workers_per_dc": 64, "n_params": 10**11}, "summed at the switch it does."),
        ({"band": "band-random-2d64"}, "the gathered band beats AdamW below 19.8 GB/s, and"),
        ({"band": "optics-1d256-enob10-planes8-exact"}, "; optics-1d256-enob10-planes8-exact never gets there."),
        ({"sync_every": 100}, "all this if steps to a loss stay the same with a sync every 100 steps."),
        ({"sync_every": 30, "loss_penalty_percent": 0.7}, "losses 0.7 % higher for a sync every 30 steps."),
    ],
)  # fmt: skip
def test_verdicts_of_other_states(fields, words):
    assert words in verdict(**fields)


def test_verdict_where_only_the_own_band_arrives():
    curves = read_curves("method,step,val_loss\nadamw,100,4\nmine,100,4\nmine,200,3\n")
    params = TransitParams().with_uploaded(curves, settle=True)
    said = transit_verdict(params, compute_transit(params))
    assert ", a loss that dense AdamW does not reach." in said
    assert "beats" not in said


@given(params=transit_states())
def test_verdict_is_one_sentence_with_the_fastest_time(params):
    result = compute_transit(params)
    said = transit_verdict(params, result)
    assert said.endswith(".")
    assert said[0].isupper()
    assert said.replace("\u202f", " ").isprintable()
    if result.fastest != "not reached":
        assert duration(result.ways[result.fastest].time_s) in said
    assert ("extrapolated" in kinds(params)) >= (params.sync_every > 1)


# Working ---------------------------------------------------------------------


def kinds(params):
    return [item.kind for item in transit_working(params, compute_transit(params)).assumptions]


@given(params=transit_states())
def test_every_step_has_formula_numbers_and_source(params):
    found = transit_working(params, compute_transit(params))
    for step in found.steps:
        for text in (step.name, step.formula, step.substituted, step.value, step.source):
            assert text.strip() == text != ""
            assert text.replace("\u202f", " ").isprintable()
            assert "nan" not in text.lower().split()
        assert re.search(r"\d", step.substituted)
    assert len({step.name for step in found.steps}) == len(found.steps)
    assert all(item.text.endswith(".") for item in found.assumptions)
    assert len(set(found.sources)) == len(found.sources)


def test_working_shows_the_default_numbers():
    steps = {step.name: step.value.replace("\u202f", " ") for step in working().steps}
    assert steps["Dense payload B"] == "31.7 MB"
    assert steps["Step time: AdamW, all-reduce"] == "6.80 ms"
    assert steps["Time to the target: Band, all-gather"] == "3.85 s"
    assert steps["Energy to the target: Top-k, all-gather"] == "4.25 kJ"
    assert steps["Break-even with AdamW: Band, all-gather"] == "never wins"
    assert steps["Break-even with AdamW: Band at the switch"] == "wins below 1.57 GB/s"
    assert steps["Replicas at which top-k moves as much as dense AdamW"] == "16.0"
    assert steps["Compute utilisation: AdamW, all-reduce"] == "4.15 %"


def test_working_flags_a_target_met_when_first_measured():
    steps = {step.name: step.value for step in working(target_loss=5.5).steps}
    assert steps["Time to the target: Band, all-gather"].endswith("met when first measured")


def test_what_is_inferred_and_illustrative_is_labelled():
    texts = {item.kind: item.text for item in working().assumptions if item.kind != "convention"}
    assert set(texts) == {"inferred", "illustrative", "generous"}
    for value in ("50 GB/s", "250", "0.2825"):
        assert value in texts["inferred"]
    assert "fabric" in texts["illustrative"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sync_every": 2}, "assumed unchanged"),
        ({"sync_every": 2, "loss_penalty_percent": 3.0}, "taken 3 % higher"),
        ({"n_params": CURVES_PARAMS + 1}, "not of this size"),
        ({"datacentres": 3}, "8 workers"),
        ({"keep": 0.5}, "one coefficient in 16"),
    ],
)
def test_extrapolations_are_labelled(fields, words):
    (text,) = [item.text for item in working(**fields).assumptions if item.kind == "extrapolated"]
    assert words in text
    assert "extrapolated" not in kinds(TransitParams())


# Sweeps ----------------------------------------------------------------------


@given(params=transit_states())
def test_sweeps_hold_the_state_itself(params):
    result, wan, sync = compute_transit(params), wan_sweep(params), sync_sweep(params)
    (here,) = np.flatnonzero(wan.wan_GBps == params.wan_GBps)
    (cadence,) = np.flatnonzero(sync.sync_every == params.sync_every)
    assert np.all(np.diff(wan.wan_GBps) > 0)
    for name, way in result.ways.items():
        assert (name in wan.time_s) == way.reached
        if way.reached:
            assert wan.time_s[name][here] == pytest.approx(way.time_s)
            assert sync.time_s[name][cadence] == pytest.approx(way.time_s)
        elif name in sync.time_s:
            assert math.isnan(sync.time_s[name][cadence])
        assert sync.step_time_s[name][cadence] == pytest.approx(way.step_time_s)
        assert sync.utilisation[name][cadence] == pytest.approx(way.utilisation)


@given(params=transit_states())
def test_the_ring_of_all_workers_is_in_the_replica_sweep(params):
    sweep, result = transit_series(params).replicas, compute_transit(params)
    workers = params.datacentres * params.workers_per_dc
    assert np.all(np.diff(sweep.replicas) > 0)
    if workers > 1:
        (here,) = np.flatnonzero(sweep.replicas == workers)
        for name in ("adamw", "topk", "band"):
            assert sweep.moved[f"{name}-ring"].sent[here] == pytest.approx(result.ring[name])
    for name, past in sweep.past.items():
        dense, gathered = sweep.moved["adamw-ring"].sent, sweep.moved[f"{name}-ring"].sent
        assert past > sweep.equal_at[name] or past == 2
        clear = np.abs(sweep.replicas / sweep.equal_at[name] - 1) > 1e-9
        assert np.all(((gathered > dense) == (sweep.replicas >= past))[clear])


def test_paths_reach_the_target_at_the_results_time_and_bytes():
    params = TransitParams(sync_every=5, band="band-low-1d256")
    for name, path in loss_paths(params).items():
        way = compute_transit(params).ways[name]
        for along in (path.time_s, path.steps):
            reached = np.interp(-params.target_loss, -path.loss, along)
            assert reached == pytest.approx(way.time_s if along is path.time_s else way.steps)
        assert path.wan_bytes[-1] == pytest.approx(3000 / 5 * way.wan_bytes)
        assert path.fabric_bytes[0] == pytest.approx(200 / 5 * way.fabric_bytes)
        assert np.all(path.high >= path.low)
    assert np.all(loss_paths(TransitParams())["adamw-allreduce"].high[:-1] > 1.65)


def test_a_long_curve_is_shown_by_500_of_its_points():
    rows = "".join(f"adamw,{step},{5 - step / 1000}\n" for step in range(1, 4001))
    curves = read_curves(f"method,step,val_loss\n{rows}mine,100,4\nmine,200,3\n")
    params = TransitParams(target_loss=3.0005).with_uploaded(curves, settle=True)
    path = loss_paths(params)["adamw-allreduce"]
    assert len(path.steps) == len(set(path.steps)) == 500
    assert (path.steps[0], path.steps[-1]) == (1, 4000)
    assert path.loss == pytest.approx(5 - path.steps / 1000)
    # What decides is still every evaluation.
    assert compute_transit(params).ways["adamw-allreduce"].steps == pytest.approx(1999.5)


def test_a_penalty_raises_the_paths():
    plain = loss_paths(TransitParams(sync_every=2))
    raised = loss_paths(TransitParams(sync_every=2, loss_penalty_percent=10.0))
    assert raised["band-switch"].loss == pytest.approx(1.1 * plain["band-switch"].loss)


def test_penalised_times_are_words_in_the_table_where_out_of_reach():
    params = TransitParams(loss_penalty_percent=5.0)
    result, series = compute_transit(params), transit_series(params)
    table = TRANSIT_TABLES["sync"](params, result, series)
    column = [item.name for item in table.columns].index("time_s_band_allgather")
    assert [row[column] for row in table.rows[:2]] == [
        pytest.approx(3.854, abs=1e-3), "not reached"
    ]  # fmt: skip


def test_links_carry_what_the_simulated_cluster_does():
    params = TransitParams(datacentres=3, workers_per_dc=5)
    for name, links in topology(params).items():
        slow = simulate(params, name, 1)
        assert links.worker_bytes == pytest.approx(slow["fabric_bytes"])
        assert links.fabric_bytes == pytest.approx(5 * slow["fabric_bytes"])
        assert links.wan_bytes == pytest.approx(slow["wan_bytes"])
        assert links.total_bytes == pytest.approx(15 * slow["fabric_bytes"] + 3 * slow["wan_bytes"])


def test_tornado_bars_are_the_model_at_half_and_at_double():
    params = TransitParams()
    found = transit_series(params).tornado
    assert found.base == compute_transit(params).band_step_ratio
    assert "target_loss" not in {bar.name for bar in found.bars}
    for bar in found.bars:
        for value, result in ((bar.low_value, bar.low_result), (bar.high_value, bar.high_result)):
            moved = TransitParams(**(params.model_dump() | {bar.name: value}))
            assert compute_transit(moved).band_step_ratio == result


# Tables ----------------------------------------------------------------------


@given(params=transit_states())
def test_tables_are_rectangular_and_read_back_to_the_bit(params):
    result, series = compute_transit(params), transit_series(params)
    for table_of in TRANSIT_TABLES.values():
        table = table_of(params, result, series)
        header, *lines = csv.reader(io.StringIO(table.to_csv(), newline=""))
        assert header == [column.name for column in table.columns]
        assert len(set(header)) == len(header)
        assert len(lines) == len(table.rows)
        for line, row in zip(lines, table.rows, strict=True):
            assert [type(value)(text) for value, text in zip(row, line, strict=True)] == list(row)
            assert not any(isinstance(value, float) and math.isnan(value) for value in row)


@given(params=transit_states())
def test_the_main_table_is_the_result(params):
    result = compute_transit(params)
    name, table_of = next(iter(TRANSIT_TABLES.items()))
    assert name == "ways"
    table = table_of(params, result, transit_series(params))
    names = [column.name for column in table.columns]
    for row, way in zip(table.rows, WAYS, strict=True):
        cells = dict(zip(names, row, strict=True))
        assert cells.pop("way") == way
        for field in ("method", "steps", "step_time_s", "time_s", "energy_J", "wan_bytes"):
            assert cells[field] == getattr(result.ways[way], field)
        found = result.break_even.get(way)
        assert cells["break_even"] == (found.kind if found else "")
        assert cells["break_even_GBps"] == (
            found.GBps if found and found.kind == "crossing" else ""
        )


def test_the_published_bandwidths_are_all_there():
    params = TransitParams()
    table = TRANSIT_TABLES["bandwidth"](params, compute_transit(params), transit_series(params))
    assert len(table.rows) == 75
    assert [row[-1] for row in table.rows].count("yes") == 39


# Headlines, presets ----------------------------------------------------------


@given(params=transit_states())
def test_headlines_lead_to_numbers_or_words(params):
    result = compute_transit(params)
    for headline in (*TRANSIT_HEADLINES, BAND_STEP_RATIO):
        value = value_of(result, headline.field)
        assert isinstance(value, str) or headline.text(value)
    assert isinstance(BAND_STEP_RATIO.value(result), float)
    assert len({headline.label for headline in TRANSIT_HEADLINES}) == len(TRANSIT_HEADLINES)


@pytest.mark.parametrize("preset", TRANSIT_PRESETS, ids=lambda preset: preset.name)
def test_presets_are_canonical_states_with_story_and_source(preset):
    params = TransitParams.from_query(preset.query)
    assert params.to_query() == preset.query
    assert len(preset.query) <= 300
    assert preset.story.endswith(".")
    assert preset.source


def test_numbers_in_stories_are_the_models():
    assert len(TRANSIT_PRESETS) == len({preset.query for preset in TRANSIT_PRESETS}) >= 5
    stories = {preset.name: preset.story for preset in TRANSIT_PRESETS}
    results = {
        preset.name: compute_transit(TransitParams.from_query(preset.query))
        for preset in TRANSIT_PRESETS
    }

    def way(name, kind="band-allgather"):
        return results[name].ways[kind]

    dense = way("published", "adamw-allreduce")
    assert f"{way('published').time_s:.2f} s" in stories["published"]
    assert f"{dense.time_s:.2f} s" in stories["published"]
    assert f"{round(dense.steps)}." in stories["published"]
    assert dense.wan_bytes == 8 * way("published").wan_bytes
    assert f"{results['slow-link'].break_even['band-switch'].GBps:.2f} GB/s" in stories["slow-link"]
    assert results["slow-link"].break_even["band-allgather"].kind == "never"
    assert way("slow-link", "band-switch").time_s < way("slow-link", "adamw-allreduce").time_s
    for name, digits in (("random-band", 1), ("optics", 2)):
        even = results[name].break_even["band-allgather"]
        assert f"{even.GBps:.{digits}f} GB/s" in stories[name]
        assert even.wins == "below"
        assert f"{way(name).steps:,.0f} steps" in stories[name]
    assert (
        results["gather-against-reduce"].ring["topk"]
        > results["gather-against-reduce"].ring["adamw"]
    )
    params = TransitParams.from_query(
        next(item.query for item in TRANSIT_PRESETS if item.name == "gather-against-reduce")
    )
    assert transit_series(params).replicas.past["topk"] == params.workers_per_dc == 43
    rare = results["every-100"]
    assert f"{rare.ways['adamw-allreduce'].step_time_s * 1e3:.3f} ms" in stories["every-100"]
    assert f"{rare.ways['band-allgather'].step_time_s * 1e3:.3f} ms" in stories["every-100"]
    assert f"{results['ten-billion'].diloco_Gbps:.2f} Gb/s" in stories["ten-billion"]
    assert round(96.30 / results["ten-billion"].diloco_Gbps) == 18
    sync = way("intellect-1", "adamw-allreduce")
    assert round(100 * (sync.step_time_s - 22.8)) == 469
    assert f"{sync.utilisation:.0%}".replace("%", " %") in stories["intellect-1"]

"""The compression explorer: params, words that are the result's, and our order beside the published."""

import math
from itertools import combinations

import pytest

from foptrn_model import curves as loss_curves
from foptrn_model.compression import CompressionParams, compute_compression
from foptrn_model.compression_order import TIE_SDS, ordering
from foptrn_model.compression_reference import AGC, counterpart, reference
from foptrn_model.compression_text import off
from foptrn_model.explorers import COMPRESSION
from foptrn_model.measured_runs import measured_runs
from foptrn_model.parameters import ParamsError
from foptrn_model.text import percent, significant

RUNS = measured_runs()
FINAL = {method: found.mean for method, found in RUNS.final.items()}
SENT, EXACT = (f"optics-1d256-enob8-planes8-{word}" for word in ("sent", "exact"))

BOUNDS = {
    "keep": (0.001, 1), "samples": (2**12, 2**22), "enob": (0, 20), "planes": (1, 16),
    "kappa": (1, 16),
}  # fmt: skip
DEFAULTS = {
    "source": "white", "tensor": "momentum", "chunk": "2d-64", "keep": 0.0625, "samples": 2**18,
    "seed": 0, "enob": 8, "planes": 8, "kappa": 4, "feedback": "sent", "full_scale_every": 0,
}  # fmt: skip


def result_of(query):
    return compute_compression(CompressionParams.from_query(query))


# Params and result --------------------------------------------------------------------


def test_names_defaults_and_bounds_are_the_specified_ones():
    specs = CompressionParams.specs()
    assert {name: specs[name].default for name in DEFAULTS} == DEFAULTS
    assert {name: (specs[name].low, specs[name].high) for name in BOUNDS} == BOUNDS


@pytest.mark.parametrize(("given", "nearest"), [("1", 2.0), ("1.9", 2.0), ("0.3", 0.0)])
def test_an_enob_between_none_and_two_is_refused_or_mended(given, nearest):
    with pytest.raises(
        ParamsError, match="enob must be 0 for none, or a number from 2 to 20, got "
    ):
        CompressionParams.parse({"enob": given})
    state, notices = CompressionParams.nearest({"enob": given})
    assert state.enob == nearest
    assert "enob must be 0" in notices[0]


def test_what_lies_beyond_enobs_range_is_told_of_the_hole_too():
    for given in ("-1", "20.5", "many"):
        with pytest.raises(ParamsError, match="enob must be 0 for none, or a number from 2 to 20"):
            CompressionParams.parse({"enob": given})


def test_drawn_noise_is_no_tensor():
    assert "tensor" in CompressionParams().inactive()
    assert result_of("tensor=delta") == result_of("")
    assert result_of("source=measured&tensor=delta") != result_of("source=measured")


@pytest.mark.parametrize("query", ["", "source=measured&tensor=delta", "chunk=1d-64&keep=0.001"])
def test_shares_are_shares_and_top_k_has_the_most(query):
    result = result_of(query)
    shares = result.captured_energy
    assert all(0 <= share <= 1 + 1e-12 for share in shares.values())
    assert shares["topk"] >= max(shares.values()) - 1e-12
    assert result.kept == max(1, round(result.points * CompressionParams.from_query(query).keep))


def test_keeping_everything_captures_everything():
    assert all(share == pytest.approx(1) for share in result_of("keep=1").captured_energy.values())


def test_a_bit_more_halves_the_noise_and_none_leaves_rounding():
    eight, nine, none = (result_of(f"chunk=1d-256&enob={enob}") for enob in (8, 9, 0))
    assert eight.noise_error == pytest.approx(2 * nine.noise_error)
    assert none.noise_error == 0
    assert none.band_error == none.rounding_error == eight.rounding_error
    # Published for white noise and 256 points: 0.9 % without noise, 16 % read at 8 bits; the
    # plane-by-plane emulation of the precision explorer says 0.94 and 16.8 %.
    assert none.band_error == pytest.approx(0.0094, abs=1e-4)
    assert eight.band_error == pytest.approx(0.168, abs=1e-3)


@pytest.mark.parametrize(("planes", "above", "below"), [(1, 0.5, 1.5), (3, 3.5 / 3, 4.5 / 3)])
def test_values_are_clipped_where_they_round_beyond_the_levels(planes, above, below):
    """Of Gaussian values; one plane has the levels -1 and 0, three have -4 to 3."""
    kappa = 1.5
    tails = [math.erfc(kappa * end / math.sqrt(2)) / 2 for end in (above, below)]
    found = result_of(f"planes={planes}&kappa={kappa}&chunk=1d-256").clip_rate
    assert found == pytest.approx(sum(tails), rel=0.02)
    params = CompressionParams(planes=planes)
    steps = {step.name: step for step in COMPRESSION.working(params, result_of("")).steps}
    top = 2 ** (planes - 1)
    assert f"from \u2212{top} to {top - 1}" in steps["Values clipped"].substituted


@pytest.mark.parametrize("samples", [4_096, 8_192, 5_000])
def test_tiles_fill_a_square_and_are_at_least_two(samples):
    result = result_of(f"samples={samples}")
    assert result.chunks == max(2, (int(samples**0.5) // 64) ** 2)
    assert result.values == 4_096 * result.chunks


def test_the_verdict_and_the_stories_tell_the_models_numbers():
    for query in ("", "source=measured&tensor=delta&feedback=exact&chunk=1d-256"):
        params = CompressionParams.from_query(query)
        result, verdict = (
            compute_compression(params),
            COMPRESSION.verdict(params, compute_compression(params)),
        )
        for share in (result.captured_energy["low"], result.captured_energy["topk"]):
            assert percent(share) in verdict
        assert off(result.band_error) in verdict
        for method in (SENT, EXACT, "topk-2d64", "band-low-1d256"):
            assert significant(FINAL[method], 4) in verdict
    for chunk, method, words in (
        ("2d-64", "band-low-2d64", "low"), ("1d-64", "band-low-1d64", "low, 64 points"),
    ):  # fmt: skip
        params = CompressionParams(chunk=chunk)
        verdict = COMPRESSION.verdict(params, compute_compression(params))
        assert f"{significant(FINAL[method], 4)} ({words})" in verdict
    stories = {preset.name: preset for preset in COMPRESSION.presets}
    for name, number in (("optics-1d", "16.8 %"), ("no-noise", "0.93 %")):
        found = result_of(stories[name].query).band_error
        assert f"{100 * found:.{2 if found < 0.1 else 1}f} %" == number
        assert number in stories[name].story
    delta, gradient = (result_of(stories[name].query) for name in ("delta", "gradient"))
    assert delta.captured_energy["low"] < 0.002
    assert gradient.captured_energy["low"] > 2 / 16
    for query, number in (
        (stories["delta-optics"].query, "25.5"),
        (stories["delta"].query, "60.9"),
    ):
        assert significant(result_of(query).band_error) == number
        assert f"{number} times" in stories["delta-optics"].story
    assert result_of(stories["smooth"].query).captured_energy["low"] > 0.9


def test_an_error_above_the_signal_is_told_as_a_multiple():
    assert (off(0.168), off(2.5)) == ("16.8\u202f% off", "off by 2.50 times its own size")


def test_the_working_multiplies_out():
    params = CompressionParams()
    steps = {step.name: step for step in COMPRESSION.working(params, result_of("")).steps}
    assert "FS 64.0: 0.144 a plane" in steps["Error of the band from the read-out"].substituted
    assert steps["Dense payload"].value.startswith("31,666,944")
    assert steps["Final loss: AdamW"].value.startswith(significant(FINAL["adamw"], 4))


# Our own runs beside the published ones ----------------------------------------------------


def test_our_runs_show_what_the_published_ones_show():
    """The specification's own ordering, read from the runs that are kept."""
    top, low, chance = (FINAL[name] for name in ("topk-2d64", "band-low-2d64", "band-random-2d64"))
    assert top < chance < low
    assert low - top > 0.5
    assert FINAL[SENT] == pytest.approx(FINAL["band-low-1d256"], abs=0.15)
    assert FINAL[EXACT] > RUNS.of(EXACT)[0].val_loss[0] > FINAL[SENT]


def test_the_order_is_counted_pair_by_pair():
    order = ordering()
    assert [item.ours.mean for item in order.placed] == sorted(FINAL.values())
    assert [item.rank for item in order.placed] == list(range(1, len(FINAL) + 1))
    spread = {name: found.sd for name, found in RUNS.final.items()}
    largest = max(sd for name, sd in spread.items() if name not in ("adamw", "topk-2d64"))
    spread = {name: sd or largest for name, sd in spread.items()}
    told = [
        item.text
        for item in COMPRESSION.working(CompressionParams(), result_of("")).assumptions
        if item.kind == "finding"
    ]
    both = {name: counterpart(name)[1] for name in FINAL if counterpart(name)}
    for found, known, text in (
        (order.long, both, told[0]), (order.check, reference().small_check, told[1]),
    ):  # fmt: skip
        same = turned = tied = 0
        for one, other in combinations(known, 2):
            ours, theirs = FINAL[one] - FINAL[other], known[one] - known[other]
            if theirs == 0:
                continue
            if abs(ours) < TIE_SDS * (spread[one] ** 2 + spread[other] ** 2) ** 0.5:
                tied += 1
            elif ours * theirs > 0:
                same += 1
            else:
                turned += 1
        assert (found.same, found.tied, len(found.reversed_pairs)) == (same, tied, turned)
        assert found.pairs == same + tied + turned
        assert f"order {same} of {found.pairs} pairs of methods" in text
        assert f"{turned} the other way round; {tied} differ by less" in text
        raw = [
            (FINAL[one] - FINAL[other]) * (known[one] - known[other])
            for one, other in combinations(known, 2)
        ]
        alike, turned = sum(sign > 0 for sign in raw), sum(sign < 0 for sign in raw)
        assert f"By the means alone {alike} are ordered alike and {turned} the other" in text
    once = [name for name, found in RUNS.final.items() if len(found.losses) == 1]
    assert f"so do {len(once)} of the {len(FINAL)} methods" in told[2]
    assert f"{len(set(once) & set(both))} of the {len(both)} that were published" in told[2]
    anew = [name for name in both if counterpart(name)[0] == name + AGC]
    pairs = [pair for pair in combinations(both, 2) if set(pair) & set(anew)]
    pairs = [(one, other) for one, other in pairs if both[one] != both[other]]
    assert f"enter {len(pairs)} of the {order.long.pairs} pairs" in told[3]
    assert both[SENT] < both["band-low-1d256"]
    assert FINAL[SENT] > FINAL["band-low-1d256"], "or the reversal is none"
    assert "ended below the exact low band of 256 points" in told[4]
    assert "which is within the spread" in told[4]


def test_a_published_run_that_reset_its_full_scale_says_so_beside_ours():
    """In the table and in the working."""
    params = CompressionParams()
    table = COMPRESSION.table(params, "optics")
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    published = loss_curves.published_curves()
    squares = set()
    for row in rows:
        every = row["full_scale_every"]
        name = (
            f"optics-1d256-enob{row['enob']:g}-planes{row['planes']}-{row['feedback']}"
            + (f"+agc{every}" if every else "")
        )  # fmt: skip
        found = next((known for known in (name, name + AGC) if known in published), None)
        wanted = "" if found is None else 100 if found.endswith(AGC) else 0
        assert row["published_full_scale_every"] == wanted
        if found == name + AGC and not every:
            squares.add(found)
    assert len(squares) == 5
    values = [
        step.substituted
        for step in COMPRESSION.working(params, result_of("")).steps
        if step.name.startswith("Final loss")
    ]
    assert sum("with its full scale set every 100 steps" in text for text in values) == 5


def test_measured_tensors_say_from_which_run_they_are():
    params = CompressionParams(source="measured", tensor="delta", chunk="1d-256")
    result = compute_compression(params)
    assert "our 64\u00a0\u00d7\u00a064 run's delta" in COMPRESSION.verdict(params, result)
    told = " ".join(item.text for item in COMPRESSION.working(params, result).assumptions)
    assert "our run with a low band of 64 \u00d7 64, seed 0" in told
    assert percent(RUNS.of("band-low-2d64")[0].low_share[-1]) in told
    assert percent(result_of("source=measured&tensor=delta").captured_energy["low"]) in told


def test_published_numbers_stand_beside_ours_and_are_the_tables():
    published = loss_curves.published_curves()
    assert counterpart("adamw") == ("adamw", published["adamw"].loss[-1])
    assert counterpart("optics-1d256-enob6-planes8-sent")[0].endswith("sent+agc100")
    assert counterpart("optics-1d256-enob0-planes8-sent") is None
    table = reference()
    assert table.captured["2d-64", "gradient", "low"] == 0.305
    assert len(table.captured) == 25
    assert table.small_check[EXACT] == 8.809

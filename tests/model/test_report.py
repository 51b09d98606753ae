"""The report: all rows, what it says of them, and checks that can fail."""

import csv
import io
import math
import re
from dataclasses import replace
from decimal import Decimal

import orjson
import pytest

from foptrn_model.__main__ import main
from foptrn_model.explorers import AMDAHL, EXPLORERS, TRANSIT
from foptrn_model.glossary_facts import result_of
from foptrn_model.published import KINDS, published_values
from foptrn_model.report import COUNTED, Report, published_row, report
from foptrn_model.report_row import MARKS, NONE
from foptrn_model.report_text import COLUMNS, as_csv, as_json, as_markdown, cells, link


def outside_of(found):
    """What the check below stands on."""
    return [
        f"{row.quantity}, {row.state}: {row.computed}"
        for row in found.rows
        if row.mark == "outside"
    ]


KNOWN_DIFFERENCES = {
    # Published as about 1 in large networks, without a width. The state is that of the crossover
    # with backpropagation; light draws level with DFA on the GPU in wider networks only.
    ("optical-dfa", "Optical over GPU DFA in large networks"),
}


def test_every_compared_value_is_within_its_tolerance_but_for_known_differences():
    assert outside_of(report()) == []
    assert report().count("within") > 80
    differing = [row for row in report().rows if row.mark == "differs"]
    assert {(row.explorer, row.quantity) for row in differing} == KNOWN_DIFFERENCES
    for row in report().rows:
        assert (row.kind_name == "difference") == (row.mark == "differs")
    seen = result_of("optical-dfa")
    width = seen.crossover_width_dfa
    assert width > EXPLORERS["optical-dfa"].params().width
    for beyond, slower in ((width - 10, True), (width + 10, False)):
        found = result_of("optical-dfa", f"width={beyond}")
        assert (found.optical_over_dfa > 1) == slower


def test_the_summary_counts_what_agreement_means_by_kind():
    within = [row for row in report().rows if row.mark == "within"]
    counts = {kind: sum(row.kind_name == kind for row in within) for kind in COUNTED}
    assert sum(counts.values()) == len(within)
    assert all(counts.values())
    for kind, words in COUNTED.items():
        assert f"{counts[kind]} {words}" in report().summary
    assert "1 not reproduced (Optical over GPU DFA in large networks, +62" in report().summary
    kinds = {
        ("optical-dfa", "Width at which light overtakes backpropagation"): "fitted",
        ("transit", "AdamW time to 3.158"): "fitted",
        ("compression", "Final loss, AdamW"): "input",
        ("precision", "Loss added by 4 planes against 8"): "input",
        ("amdahl", "Forward optical share"): "own",
        ("amdahl", "All parameters"): "independent",
    }
    for row in report().rows:
        assert (row.kind == NONE) == (row.published == NONE)
        if (row.explorer, row.quantity) in kinds:
            assert row.kind_name == kinds[row.explorer, row.quantity]
            assert row.kind.startswith(KINDS[row.kind_name])


def read_back(text):
    """The number that a text shows, and one unit of its last digit."""
    plain = text.translate(
        str.maketrans(
            "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "-0123456789"
        )
    )
    found = re.search(r"([0-9][0-9,]*(?:\.[0-9]+)?)(?:\u00d710(-?[0-9]+))?", plain)
    number = Decimal(found[1].replace(",", "")).scaleb(int(found[2] or 0))
    return number, Decimal(1).scaleb(number.as_tuple().exponent)


@pytest.mark.parametrize("name", ["page", "markdown", "csv", "json"])
def test_published_values_are_written_at_their_own_precision(name):
    rows = [row for row in report().rows if isinstance(row.published_value, float)]
    column = [name for name, _ in COLUMNS].index("published")
    lines = [line for line in as_markdown(report()).splitlines() if line.startswith("| ")]
    lines = [line for line in lines if not line.startswith(("| Quantity", "| ---"))]
    texts = {
        "page": lambda: [cells(row)[column] for row in report().rows],
        "markdown": lambda: [line[2:-2].split(" | ")[column] for line in lines],
        "csv": lambda: [
            item["published"] for item in csv.DictReader(io.StringIO(as_csv(report())))
        ],
        "json": lambda: [item["published"] for item in as_json(report())["rows"]],
    }[name]()
    found = [
        (text, row)
        for text, row in zip(texts, report().rows, strict=True)
        if isinstance(row.published_value, float) and math.isfinite(row.published_value)
    ]
    assert len(found) == sum(math.isfinite(row.published_value) for row in rows) > 150
    for text, row in found:
        number, unit = read_back(text)
        assert abs(number - Decimal(repr(row.published_value))) <= unit / 2, (row.quantity, text)


@pytest.mark.parametrize(
    ("slug", "start", "text"),
    [
        ("optical-dfa", "Width at which", "3,080\u202fneurons"),
        ("amdahl", "DeMo's transforms", "5\u00d710\u207b\u2076"),
        ("amdahl", "Forward FLOP of a prompt", "6,470,935.2\u202fGFLOP"),
        ("transit", "Bandwidth for 50", "16.0\u202fGb/s"),
        ("compression", "Final loss of a small model", "2.520"),
        ("compression", "Captured energy", "0.000"),
    ],
)
def test_zeros_at_the_end_and_all_digits_stay(slug, start, text):
    assert text in {row.published for row in report().of(slug) if row.quantity.startswith(start)}


def test_tolerances_have_the_unit_of_their_difference():
    for row in report().rows:
        if row.tolerance.startswith("\u00b1"):
            unit = row.published.partition("\u202f")[2].replace("%", "points")
            assert row.tolerance.partition("\u202f")[2] == unit


def test_a_value_pushed_out_of_tolerance_is_marked_and_fails_the_check():
    published = published_values("amdahl")[0]
    pushed = replace(published, published=0.15, high=0.15, text="0.15")
    row = published_row(AMDAHL, pushed)
    assert row.mark == "outside"
    assert row.verdict.startswith("\u2717 outside")
    found = replace(report(), rows=(row, *report().rows))
    assert outside_of(found) == [
        "Static share of a training step, Hyena-2, 4,096 tokens: 0.14278\u202f%"
    ]
    assert "1 outside tolerance (Static share of a training step" in found.summary
    assert f"| {row.verdict} |" in as_markdown(found)
    never = next(row for row in published_values("transit") if row.word == "never")
    assert published_row(TRANSIT, never).mark == "within"
    assert published_row(TRANSIT, replace(never, word="always")).mark == "outside"


def test_a_range_is_left_by_what_lies_beyond_its_ends():
    published = next(row for row in published_values("precision") if row.high != row.published)
    assert published.holds(published.published)
    assert published.holds(published.high)
    assert not published.holds(published.high + 0.01)
    assert published.difference(published.high + 0.01) == pytest.approx(0.01)
    assert published.difference(published.published - 0.02) == pytest.approx(-0.02)
    assert published.difference(0.5 * (published.published + published.high)) == 0


def test_differences_are_computed_less_published():
    rows = [row for row in report().rows if row.published != NONE]
    for row in rows:
        if (
            isinstance(row.value, float)
            and isinstance(row.published_value, float)
            and " to " not in row.published
        ):
            sign = {"+": 1, "\u2212": -1, "0": 0}[row.difference[0]]
            gap = row.value - row.published_value
            assert sign * gap >= 0
            assert (sign == 0) == (gap == 0)


def test_every_headline_of_every_preset_and_of_the_default_state_is_there():
    for slug, explorer in EXPLORERS.items():
        rows = [row for row in report().of(slug) if row.published == NONE]
        queries = {""} | {preset.query for preset in explorer.presets}
        labels = {headline.label for headline in explorer.headlines}
        assert {(row.query, row.quantity) for row in rows} == {
            (query, label) for query in queries for label in labels
        }
        default = explorer.params()
        if explorer.simulation is None or explorer.simulation.closed:
            result = explorer.compute(default)
            for headline in explorer.headlines:
                row = next(r for r in rows if r.query == "" and r.quantity == headline.label)
                assert row.computed == headline.text(headline.value(result))
                assert row.mark == "computed"


def test_rows_name_source_state_and_say_what_is_not_computed():
    assert {row.mark for row in report().rows} == set(MARKS) - {"outside"}
    for row in report().rows:
        assert row.source
        assert row.state
        params = EXPLORERS[row.explorer].params
        assert params.from_query(row.query).to_query() == row.query or row.published != NONE
        assert (row.value is None) == (row.computed == NONE) == (row.mark == "absent")
        assert ("stored run" in row.source) == (row.mark == "stored")


def test_simulated_numbers_are_those_of_the_stored_run():
    stored = EXPLORERS["trainers"].evaluate(EXPLORERS["trainers"].params()).result
    label = "In silico, on the hardware (median)"
    rows = report().of("trainers")
    row = next(r for r in rows if r.query == "" and r.quantity == label)
    assert row.mark == "stored"
    assert row.value == stored.trainers["in-silico"].hardware_accuracy.median


def test_markdown_has_the_same_rows_and_texts():
    lines = [line for line in as_markdown(report()).splitlines() if line.startswith("| ")]
    rows = [line for line in lines if not line.startswith(("| Quantity", "| ---"))]
    assert len(rows) == len(report().rows)
    for line, row in zip(rows, report().rows, strict=True):
        texts = line[2:-2].split(" | ")
        texts[1] = texts[1].removesuffix(f"]({link(row)})").removeprefix("[")
        assert texts == cells(row)


def test_csv_and_json_have_the_same_rows_and_texts():
    found = list(csv.DictReader(io.StringIO(as_csv(report()))))
    body = orjson.loads(orjson.dumps(as_json(report())))
    assert len(found) == len(body["rows"]) == len(report().rows)
    for line, item, row in zip(found, body["rows"], report().rows, strict=True):
        for name, _ in COLUMNS:
            assert line[name] == item[name] == getattr(row, name)
        if isinstance(row.value, float):
            assert float(line["value"]) == item["value"] == row.value


def test_command_line_prints_and_writes_it(capsys, tmp_path):
    text = as_markdown(report())
    assert main(["report"]) == 0
    assert capsys.readouterr().out == text
    for words in (
        ["report", "--out", str(tmp_path / "a.md")],
        ["report", f"--out={tmp_path / 'b.md'}"],
    ):
        assert main(words) == 0
    assert {path.read_text("utf-8") for path in tmp_path.iterdir()} == {text}


@pytest.mark.parametrize(
    "words", [["--out"], ["--out="], ["out.md"], ["--out", "a", "b"], ["--json"]]
)
def test_command_line_refuses_other_words(words, capsys):
    assert main(["report", *words]) == 2
    assert "report takes --out FILE" in capsys.readouterr().err


def test_command_line_says_where_it_cannot_write(capsys, tmp_path):
    assert main(["report", "--out", str(tmp_path / "no" / "a.md")]) == 2
    assert "--out: cannot write" in capsys.readouterr().err


def test_an_empty_report_has_nothing_outside():
    assert Report(rows=(), version="1", commit="a", computed="now").outside == ()

"""The command line: answers, and one line on stderr for anything else."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from foptrn_model import __version__
from foptrn_model.__main__ import main
from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.explorers import AMDAHL, EXPLORERS

ROOT = Path(__file__).parents[2]

BAD = {
    "unknown explorer": ["amdhal"],
    "unknown flag": ["amdahl", "--colour", "red"],
    "no value": ["amdahl", "--seq_len"],
    "no dashes": ["amdahl", "seq_len", "512"],
    "one dash": ["amdahl", "-s", "512"],
    "below range": ["amdahl", "--seq_len", "0"],
    "negative": ["amdahl", "--seq_len", "-5"],
    "huge": ["amdahl", "--seq_len", "1e99"],
    "words": ["amdahl", "--seq_len", "abc"],
    "NaN": ["amdahl", "--fft_rate", "nan"],
    "empty": ["amdahl", "--seq_len", ""],
    "empty after equals": ["amdahl", "--seq_len="],
    "repeated": ["amdahl", "--seq_len", "512", "--seq-len", "1024"],
    "fraction": ["amdahl", "--seq_len", "4096.5"],
    "exponent alone": ["amdahl", "--seq_len", "e5"],
    "block size": ["amdahl", "--block_size", "300"],
    "unknown variant": ["amdahl", "--variant", "mamba"],
    "size of a preset": ["amdahl", "--d_model", "4096"],
    "several": ["amdahl", "--seq_len", "0", "--variant", "mamba", "--fft_rate", "9"],
    "json and csv": ["amdahl", "--json", "--csv"],
    "json with a value": ["amdahl", "--json=yes"],
    "unknown table": ["amdahl", "--csv", "--table", "lengths"],
    "table without a name": ["amdahl", "--csv", "--table"],
    "picture without a file": ["amdahl", "--png"],
    "picture with an empty name": ["amdahl", "--svg="],
    "two pictures of one kind": ["amdahl", "--png", "a.png", "--png", "b.png"],
    "picture and json": ["amdahl", "--png", "a.png", "--json"],
    "plate without a picture": ["amdahl", "--plate", "ledger"],
    "theme without a picture": ["amdahl", "--theme", "dark"],
    "unknown theme": ["amdahl", "--png", "a.png", "--theme", "purple"],
    "unknown plate": ["amdahl", "--png", "a.png", "--plate", "ledgers"],
    "plate of another state": ["trainers", "--png", "a.png", "--plate", "light"],
    "offline without a file": ["amdahl", "--offline"],
    "offline and json": ["amdahl", "--offline", "a.html", "--json"],
    "offline in no folder": ["amdahl", "--offline", "/no/such/folder/a.html"],
    "offline on a file of one's own": ["transit", "--curves", "uploaded", "--offline", "a.html"],
    "list with more": ["list", "amdahl"],
    "dashes only": ["amdahl", "--"],
    "flag as explorer": ["--json"],
    "line break in a value": ["amdahl", "--seq_len", "5\n12"],
    "line break in a name": ["amdahl", "--seq\nlen", "512"],
    "line break in a bare name": ["amdahl", "--seq\nlen"],
    "line break in a table": ["amdahl", "--csv", "--table", "led\nger"],
    "line break in a word": ["amdahl", "seq\nlen"],
    "line break in an explorer": ["amd\nahl"],
    "line break after list": ["list", "a\nb"],
    "undecodable byte": ["amdahl", "--variant", "\udcff"],
}


def run(capsys, *words):
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def ok(capsys, *words):
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    return out


def assert_refused(code, out, err):
    assert code == 2
    assert out == ""
    assert err.endswith("\n")
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_exit_2(words, capsys):
    assert_refused(*run(capsys, *words))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--seq_len", "0"], ["seq_len", "128", "1,048,576", "got 0"]),
        (["--variant", "mamba"], ["variant", "transformer, hyena", "got mamba"]),
        (["--seq_len", "0", "--fft_rate", "9"], ["seq_len", "got 0", "fft_rate", "got 9"]),
        (["--block_size", "300"], ["block_size", "power of two", "got 300"]),
        (["--d_model", "4096"], ["d_model", "custom", "got 4096"]),
        (["--table", "x"], ["--table", "ledger, length", "got x"]),
        (["--colour", "red"], ["colour", "seq_len"]),
        (["--seq_len", "512", "--seq_len", "1024"], ["seq_len", "once", "512", "1024"]),
    ],
)
def test_refusal_names_what_is_wrong_and_what_is_allowed(words, named, capsys):
    _, _, err = run(capsys, "amdahl", *words)
    assert all(word in err for word in named), err


def test_json_is_the_api_answer(capsys):
    words = ["--variant", "hyena", "--seq_len", "8192", "--fft_rate", "0.0625"]
    answer = json.loads(ok(capsys, "amdahl", *words, "--json"))
    assert set(answer) == {"explorer", "version", "params", "result", "verdict"}
    assert answer["explorer"] == "amdahl"
    assert answer["version"] == __version__
    params = AmdahlParams(variant="hyena", seq_len=8192, fft_rate=0.0625)
    assert answer == AMDAHL.answer(params)
    assert answer["result"]["static_share"] == compute_amdahl(params).static_share
    assert answer["result"]["conventions"]["megatron"] == 51_470_401_536


@pytest.mark.parametrize(
    "words",
    [
        ["--seq_len", "8192", "--hyena_order", "3"],
        ["--seq-len", "8192", "--hyena-order", "3"],
        ["--seq-len=8192", "--hyena_order=3"],
        ["--hyena-order", "3", "--seq_len=8,192"],
    ],
)
@pytest.mark.parametrize("json_first", [True, False])
def test_hyphens_underscores_and_equals_signs_say_the_same(words, json_first, capsys):
    words = ["--json", *words] if json_first else [*words, "--json"]
    answer = json.loads(ok(capsys, "amdahl", *words))
    assert answer["params"]["seq_len"] == 8192
    assert answer["params"]["hyena_order"] == 3


def test_custom_shape(capsys):
    sizes = {"n_layers": 2, "d_model": 128, "d_ff": 256, "n_heads": 4, "n_kv_heads": 2}
    words = [word for name, value in sizes.items() for word in (f"--{name}", str(value))]
    words += ["--shape", "custom", "--block-size", "64", "--tied-head", "true", "--json"]
    answer = json.loads(ok(capsys, "amdahl", *words))
    assert {name: answer["params"][name] for name in sizes} == sizes
    assert answer["params"]["tied_head"] is True


@pytest.mark.parametrize("table", [None, "ledger", "length"])
def test_csv(table, capsys):
    choice = ["--table", table] if table else []
    out = ok(capsys, "amdahl", "--variant", "hybrid", "--csv", *choice)
    header, *rows = csv.reader(io.StringIO(out))
    expected = AMDAHL.table(AmdahlParams(variant="hybrid"), table or "ledger")
    assert header == [column.name for column in expected.columns]
    assert len(rows) == len(expected.rows)
    assert [row[0] for row in rows] == [str(row[0]) for row in expected.rows]
    assert "\r" not in out


def test_plain_answer_is_the_verdict_and_the_working(capsys):
    out = ok(capsys, "amdahl")
    evaluation = AMDAHL.evaluate(AmdahlParams())
    assert out.splitlines()[0] == evaluation.verdict
    for step in evaluation.working.steps:
        assert f"{step.name}: {step.value}" in out
        assert step.formula in out
        assert step.substituted in out


def test_list(capsys):
    lines = ok(capsys, "list").splitlines()
    assert [line.split()[0] for line in lines] == list(EXPLORERS)
    assert all(
        EXPLORERS[slug].question in line for slug, line in zip(EXPLORERS, lines, strict=True)
    )


def test_version(capsys):
    assert ok(capsys, "--version") == f"{__version__}\n"


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_help(words, capsys):
    out = ok(capsys, *words)
    assert out.startswith("usage: ")
    assert all(slug in out for slug in EXPLORERS)


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--seq_len", "0", "--help"]])
def test_help_of_an_explorer_lists_every_parameter(words, capsys):
    out = ok(capsys, "amdahl", *words)
    for name, spec in AmdahlParams.specs().items():
        assert f"--{name} " in out
        assert spec.help in out
        assert spec.allowed in out
    assert all(table in out for table in AMDAHL.tables)


@pytest.mark.parametrize("slug", EXPLORERS)
def test_a_default_that_help_names_is_taken_as_it_stands(slug, capsys):
    explorer = EXPLORERS[slug]
    defaults = {}
    name = ""
    for line in ok(capsys, slug, "--help").splitlines():
        if line.startswith("  --"):
            name = line.split()[0].removeprefix("--")
        elif "; default " in line:
            defaults[name] = line.rpartition("; default ")[2]
    assert set(defaults) == set(explorer.params.specs())
    taken = {n: text for n, text in defaults.items() if text != "the shape's"}
    assert explorer.params.parse(taken) == explorer.params()


def test_a_real_process_answers_in_json():
    words = ["amdahl", "--variant", "hyena", "--seq_len", "4096", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "foptrn_model", *words], cwd=ROOT, capture_output=True, check=True
    )
    assert done.stderr == b""
    answer = json.loads(done.stdout)
    assert f"{answer['result']['static_share']:.4g}" == "0.001428"


def test_a_real_process_refuses_in_one_line():
    words = ["amdahl", "--variant", "mamba", "--seq_len", "0", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "foptrn_model", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert_refused(done.returncode, done.stdout, done.stderr)
    assert "variant" in done.stderr
    assert "seq_len" in done.stderr


@pytest.mark.parametrize("words", [["--table", "length"], ["--json", "--table", "length"]])
def test_a_table_is_csv(words, capsys):
    assert main(["amdahl", *words]) == 2
    assert capsys.readouterr().err == "foptrn_model: --table goes with --csv\n"

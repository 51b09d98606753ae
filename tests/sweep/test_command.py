"""The sweep command in one process: rows, restarts, refusals, files."""

import csv
import io
import json
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from foptrn_model import __version__
from foptrn_model.__main__ import main
from foptrn_model.explorers import EXPLORERS, OPTICAL_DFA, TRAINERS
from foptrn_model.headlines import Headline
from foptrn_model.sweep import command, engine, points
from foptrn_model.tables import plain_number
from foptrn_model.text import duration

LIGHT = ["--steps", "3", "--batch", "4"]
"""A training of some milliseconds."""


def run(capsys, *words):
    code = main(["sweep", *words])
    out, err = capsys.readouterr()
    return code, out, err


def swept(capsys, path: Path, *words) -> list[dict[str, str]]:
    """The rows of a sweep computed in this process."""
    code, out, err = run(capsys, *words, "--workers", "0", "--out", str(path))
    assert code == 0, err
    assert str(path) in out
    assert not path.with_name(f"{path.name}.part").exists()
    return list(csv.DictReader(io.StringIO(path.read_text())))


def shown(headline: Headline, result) -> str:
    return str(plain_number(headline.value(result)))


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("amdahl", ["--over", "variant=hyena,transformer", "--over", "seq_len=512:65536:3:log"]),
        ("transit", ["--over", "wan_GBps=0.01:100:3:log", "--over", "sync_every=1,16"]),
        ("masks", ["--over", "frame_rate_hz=100,10000", "--over", "sequences_per_step=1:1000:2"]),
        ("trainers", [*LIGHT, "--over", "phase_error_rad=0,0.5", "--over", "task=rings,moons"]),
    ],
)
def test_rows_hold_what_the_explorer_computes(slug, words, tmp_path, capsys):
    explorer = EXPLORERS[slug]
    rows = swept(capsys, tmp_path / "out.csv", slug, *words)
    fields = [word.partition("=")[0] for word in words if "=" in word]
    held = {"steps": 3, "batch": 4} if slug == "trainers" else {}
    assert len(rows) == len({tuple(row[name] for name in fields) for row in rows}) > 1
    for row in rows:
        assert (row["state"], row["message"]) == ("ok", "")
        params = explorer.params.parse(held | {name: row[name] for name in fields})
        result = explorer.compute(params)
        for headline in explorer.headlines:
            assert row[headline.field] == shown(headline, result)


def test_a_seed_is_one_run_with_the_explorers_own_numbers(tmp_path, capsys):
    rows = swept(
        capsys, tmp_path / "out.csv", "trainers", *LIGHT, "--over", "layers=1,2", "--seeds", "2"
    )
    assert [(row["layers"], row["seed"]) for row in rows] == [
        ("1", "0"), ("1", "1"), ("2", "0"), ("2", "1"),
    ]  # fmt: skip
    params = TRAINERS.params(layers=2, seed=1, seeds=1, steps=3, batch=4)
    result = TRAINERS.compute(params)
    assert [rows[-1][item.field] for item in TRAINERS.headlines] == [
        shown(item, result) for item in TRAINERS.headlines
    ]


def test_an_experiment_runs_where_a_swept_field_changes_it(tmp_path, capsys):
    words = ["--epochs", "1", "--hidden_width", "4", "--seeds", "1"]
    rows = swept(
        capsys, tmp_path / "a.csv", "optical-dfa", *words, "--over", "projection_noise=0,5"
    )
    params = OPTICAL_DFA.params(projection_noise=5, epochs=1, hidden_width=4, seeds=1)
    outcome = OPTICAL_DFA.simulation.parts["experiment"].run(params, lambda done, of: None)
    reached = outcome["accuracy"]["odfa"][-1][0]
    assert float(rows[1]["experiment.accuracy.odfa.mean"]) == pytest.approx(reached)
    closed = swept(capsys, tmp_path / "b.csv", "optical-dfa", "--over", "width=100,1000")
    assert not [name for name in closed[0] if name.startswith("experiment.")]


def test_a_bad_point_is_a_row_with_its_message(tmp_path, capsys):
    words = ["trainers", *LIGHT, "--over", "task=digits,moons", "--over", "ports=4,16"]
    rows = swept(capsys, tmp_path / "out.csv", *words)
    assert [row["state"] for row in rows] == ["bad", "ok", "ok", "ok"]
    assert "ports must be" in rows[0]["message"]
    assert rows[0][TRAINERS.headlines[0].field] == ""


def test_what_no_point_can_be_is_refused_at_once(tmp_path, capsys):
    out = tmp_path / "out.csv"
    words = ["trainers", "--task", "digits", "--over", "ports=4,5", "--out", str(out)]
    code, _, err = run(capsys, *words)
    assert (code, len(err.splitlines())) == (2, 1)
    assert "ports must be" in err
    assert not list(tmp_path.iterdir())


COMPUTE = points.compute_row


class Stopped:
    """Stops a sweep at one point, as Ctrl-C does, and counts the points computed."""

    def __init__(self, at: int | None) -> None:
        self.at, self.numbers = at, []

    def __call__(self, sweep, number):
        if number == self.at:
            raise KeyboardInterrupt
        self.numbers.append(number)
        return COMPUTE(sweep, number)


def test_a_stopped_sweep_goes_on_with_what_is_missing(tmp_path, capsys, monkeypatch):
    whole = tmp_path / "whole.csv"
    words = ["amdahl", "--over", "seq_len=512:65536:30:log", "--over", "variant=hyena,hybrid"]
    swept(capsys, whole, *words)
    monkeypatch.setattr(engine, "MOST_IN_BATCH", 4)
    monkeypatch.setattr(command, "seconds_per_point", lambda sweep: 1)
    monkeypatch.setattr(points, "compute_row", first := Stopped(at=35))
    out, part = tmp_path / "out.csv", tmp_path / "out.csv.part"
    code, _, err = run(capsys, *words, "--workers", "0", "--out", str(out))
    assert code == 2
    assert "the same command goes on" in err.splitlines()[-1]
    kept = [line for line in part.read_text().splitlines() if line.startswith("[")]
    assert 0 < len(kept) <= len(first.numbers)
    last = part.read_bytes()
    part.write_bytes(last[:-20])  # a kill may cut the last line short
    monkeypatch.setattr(points, "compute_row", second := Stopped(at=None))
    code, _, err = run(capsys, *words, "--workers", "0", "--out", str(out))
    assert code == 0, err
    assert f"{len(kept) - 1} more are there already" in err
    assert second.numbers == list(range(len(kept) - 1, 60))
    assert out.read_bytes() == whole.read_bytes()


def _journal(tmp_path, capsys, monkeypatch) -> list[str]:
    """Words of a sweep that was stopped after some points."""
    words = ["amdahl", "--over", "seq_len=512,1024,2048,4096", "--out", str(tmp_path / "a.csv")]
    monkeypatch.setattr(engine, "MOST_IN_BATCH", 1)
    monkeypatch.setattr(command, "seconds_per_point", lambda sweep: 1)
    with monkeypatch.context() as here:
        here.setattr(points, "compute_row", Stopped(at=2))
        assert run(capsys, *words, "--workers", "0")[0] == 2
    return words


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--variant", "hybrid"], "variant"),
        (["--over", "variant=hyena,hybrid"], "axes"),
    ],
)
def test_another_sweeps_journal_is_refused(more, named, tmp_path, capsys, monkeypatch):
    words = _journal(tmp_path, capsys, monkeypatch)
    code, _, err = run(capsys, *words, *more, "--workers", "0")
    assert code == 2
    assert "another sweep" in err
    assert named in err


def test_a_journal_of_another_model_is_refused(tmp_path, capsys, monkeypatch):
    words = _journal(tmp_path, capsys, monkeypatch)
    part = tmp_path / "a.csv.part"
    part.write_text(part.read_text().replace(f'"version":"{__version__}"', '"version":"0.0.1"'))
    code, _, err = run(capsys, *words, "--workers", "0")
    assert code == 2
    assert "another version of the model" in err


def test_a_journal_damaged_inside_is_refused_and_kept(tmp_path, capsys, monkeypatch):
    words = _journal(tmp_path, capsys, monkeypatch)
    part = tmp_path / "a.csv.part"
    damaged = part.read_text().replace("[0,", "0,", 1)
    part.write_text(damaged)
    code, _, err = run(capsys, *words, "--workers", "0")
    assert code == 2
    assert "damaged after 0 points" in err
    assert part.read_text() == damaged


def test_parquet_holds_the_same_as_csv(tmp_path, capsys):
    """Light never draws level at some widths, so a column has numbers and words."""
    words = ["optical-dfa", "--over", "frame_rate_hz=10,2000,1e6", "--over", "depth=1,96"]
    rows = swept(capsys, tmp_path / "out.csv", *words)
    code, _, err = run(capsys, *words, "--workers", "0", "--out", str(tmp_path / "out.parquet"))
    assert code == 0, err
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert json.loads(table.schema.metadata[b"sweep"])["version"] == __version__
    words_seen = 0
    for row, found in zip(rows, table.to_pylist(), strict=True):
        for name, text in row.items():
            value = found[name]
            if value is None:
                value = found.get(f"{name}.word", "")
                words_seen += bool(value)
            assert text == str(plain_number(value)), name
    assert words_seen


def test_a_long_sweep_asks_first(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "seconds_per_point", lambda sweep: 1e6)
    words = ["amdahl", "--over", "seq_len=512,1024", "--workers", "0", "--out"]
    out = tmp_path / "a.csv"
    code, _, err = run(capsys, *words, str(out))
    assert code == 2
    assert f"2 points; about {duration(2e6, 2)}" in err
    assert "--yes" in err.splitlines()[-1]
    assert not list(tmp_path.iterdir())
    assert run(capsys, *words, str(out), "--yes")[0] == 0
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    for answer, code in (("\n", 2), ("y\n", 0)):
        monkeypatch.setattr(sys.stdin, "readline", lambda answer=answer: answer, raising=False)
        assert run(capsys, *words, str(tmp_path / f"b{code}.csv"))[0] == code


OVER = ["--over", "seq_len=512,1024"]
BAD = {
    "unknown explorer": ["amdhal"],
    "no dashes": ["amdahl", "over", "seq_len=1,2"],
    "no output": ["amdahl", *OVER],
    "no grid": ["amdahl", "--out", "a.csv"],
    "unknown suffix": ["amdahl", *OVER, "--out", "a.xlsx"],
    "no folder": ["amdahl", *OVER, "--out", "/no/such/folder/a.csv"],
    "unknown field": ["amdahl", *OVER, "--out", "a.csv", "--colour", "red"],
    "swept and given": ["amdahl", *OVER, "--out", "a.csv", "--seq-len", "512"],
    "no seed": ["amdahl", *OVER, "--out", "a.csv", "--seeds", "3"],
    "no seeds": ["trainers", "--out", "a.csv", "--seeds", "0"],
    "output twice": ["amdahl", *OVER, "--out", "a.csv", "--out", "b.csv"],
    "no part": ["trainers", "--over", "layers=1,2", "--out", "a.csv", "--part", "sweep"],
    "unknown part": ["compression", "--over", "keep=8,16", "--out", "a.csv", "--part", "dead"],
    "scheduler by http": ["amdahl", *OVER, "--out", "a.csv", "--scheduler", "http://host:80"],
    "scheduler and workers": ["amdahl", *OVER, "--out", "a.csv", "--workers", "1",
                              "--scheduler", "tcp://127.0.0.1:8786"],
    "workers": ["amdahl", *OVER, "--out", "a.csv", "--workers", "-1"],
    "uploaded curves": ["transit", "--over", "wan_GBps=1,2", "--out", "a.csv",
                        "--curves_file", "mine.csv"],
    "value missing": ["amdahl", "--over"],
}  # fmt: skip


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_words_are_one_line_and_exit_2(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_not_overwritten(tmp_path, capsys):
    out = tmp_path / "a.csv"
    out.write_text("mine")
    code, _, err = run(capsys, "amdahl", *OVER, "--out", str(out))
    assert code == 2
    assert "there already" in err
    assert out.read_text() == "mine"


def test_help_names_every_flag(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(flag in out for flag in ("--over", "--seeds", "--out", "--scheduler", "--yes"))


def test_the_main_result_needs_no_dask(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert len(swept(capsys, tmp_path / "a.csv", "amdahl", *OVER)) == 2
    code, _, err = run(capsys, "amdahl", *OVER, "--out", str(tmp_path / "b.csv"))
    assert code == 2
    assert "sweep extra" in err

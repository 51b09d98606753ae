"""The small model's gradients, runs that are killed and go on, and the runs kept with the project."""

import json
import pydoc_data.topics
from collections import Counter

import numpy as np
import pytest

from foptrn_model.__main__ import main
from foptrn_model.compression import CompressionParams
from foptrn_model.compression_live import COMPRESSION_SIMULATION, live_methods
from foptrn_model.demo import corpus
from foptrn_model.demo.captured import captured_energy
from foptrn_model.demo.experiment import (
    LONG,
    MAIN,
    RATES,
    SWEPT,
    Experiment,
    ExperimentError,
    Item,
    planned,
)
from foptrn_model.demo.methods import method_named
from foptrn_model.demo.samples import TENSORS, Source, measured_tensors
from foptrn_model.demo.training import Settings, TrainingRun
from foptrn_model.demo.transformer import Gpt, loss_and_gradients, mean_loss
from foptrn_model.measured_runs import measured_runs

TINY = Settings(
    layers=1, width=16, context=8, workers=2, batch=1, steps=32, evaluate_every=8,
    validation_sequences=2,
)  # fmt: skip


# The model --------------------------------------------------------------------------


def test_gradients_are_those_of_finite_differences():
    model = Gpt(layers=2, width=16, context=12)
    flat = model.start(0, np.float64)
    sequences = corpus.batch(0, 0, workers=2, size=2, length=13)
    losses, gradients = loss_and_gradients(model, flat, sequences)
    start, step = 0, 1e-5
    rng = np.random.default_rng(0)
    for shape in model.shapes:
        size = int(np.prod(shape))
        for place in start + rng.integers(0, size, 6):
            ends = []
            for sign in (1, -1):
                moved = flat.copy()
                moved[place] += sign * step
                ends.append(loss_and_gradients(model, moved, sequences)[0])
            slope = (ends[0] - ends[1]) / (2 * step)
            assert gradients[:, place] == pytest.approx(slope, abs=1e-6)
        start += size
    for worker in range(2):
        alone, its = loss_and_gradients(model, flat, sequences[worker : worker + 1])
        assert (alone[0], its[0]) == (losses[worker], pytest.approx(gradients[worker], abs=1e-12))


def test_a_model_that_knows_nothing_loses_the_logarithm_of_the_bytes():
    model = Gpt(layers=1, width=16, context=8)
    sequences = corpus.validation(4, 9)
    assert mean_loss(model, np.zeros(model.size), sequences) == pytest.approx(np.log(256))


def test_no_byte_sees_those_after_it():
    model = Gpt(layers=2, width=16, context=8)
    flat = model.start(0, np.float64)
    one = corpus.validation(1, 9)[None]
    other = one.copy()
    other[..., 5] = (other[..., 5] + 7) % 256
    shorter = [loss_and_gradients(model, flat, both[..., :5])[0] for both in (one, other)]
    assert shorter[0] == shorter[1]
    # The loss on the first four bytes is a quarter of theirs within the whole.
    eight, four = loss_and_gradients(model, flat, one)[0], shorter[0]
    tail = one[..., :6]
    five = loss_and_gradients(model, flat, tail)[0]
    assert five * 5 - four * 4 == pytest.approx(
        _last_byte_loss(model, flat, one[0, 0, :6]), rel=1e-9
    )
    assert eight != four


def _last_byte_loss(model, flat, sequence):
    """The loss on the last byte alone, as the derivative of nothing else: by two means."""
    whole = mean_loss(model, flat, sequence[None]) * (len(sequence) - 1)
    before = mean_loss(model, flat, sequence[None, :-1]) * (len(sequence) - 2)
    return whole - before


def test_the_text_is_pythons_help():
    here = set(corpus.topics_text(pydoc_data.topics.topics).decode().splitlines())
    kept = corpus.corpus().tobytes().decode().splitlines()
    # Every version of Python changes a few lines of its help.
    assert sum(line in here for line in kept) / len(kept) > 0.8
    train, held_out = corpus.parts()
    assert len(train) + len(held_out) == len(corpus.corpus()) > 400_000
    assert 0.08 < len(held_out) / len(train) < 0.12


# Runs that stop and go on -------------------------------------------------------------


@pytest.mark.parametrize("name", ["adamw", "calib-2d64", "optics-1d64-enob8-planes8-sent+agc4"])
def test_a_run_that_was_saved_goes_on_as_one_that_was_not(name, tmp_path):
    def run():
        return TrainingRun(TINY, method_named(name), rate=0.01, seed=3)

    whole = run()
    for _ in whole.advance():
        pass
    parts = run()
    for stop in (5, 13, 9, 5):
        for _ in parts.advance(stop):
            pass
        parts.save(tmp_path / "run.npz")
        parts = run()
        parts.restore(tmp_path / "run.npz")
    assert parts.over
    assert (parts.flat == whole.flat).all()
    assert parts.history.val_loss == whole.history.val_loss
    assert parts.history.first_losses == whole.history.first_losses
    assert parts.history.clip_rate == whole.history.clip_rate


def items():
    return [
        Item(method="adamw", seed=0, rate=0.01, sweep=True),
        Item(method="adamw", seed=0, rate=0.02, sweep=True),
        Item(method="adamw", seed=0, rate=None),
        Item(method="band-low-2d64", seed=0, rate=0.003),
    ]


def test_an_experiment_that_was_killed_ends_as_one_that_was_not(tmp_path):
    class KilledError(Exception):
        pass

    def kill_at(*steps):
        def report(what, done, of):
            if done in steps and (what, done) not in seen:
                seen.add((what, done))
                raise KilledError

        return report

    seen = set()
    undisturbed = Experiment(tmp_path / "a", TINY, items(), command="c", save_every=4).run()
    report, outcome = kill_at(7, 30, 50, 51), None
    while outcome is None:
        try:
            outcome = Experiment(tmp_path / "b", TINY, items(), command="c", save_every=4).run(
                report
            )
        except KilledError:
            continue
    assert len(seen) >= 4

    def curves(body):
        runs = [*body["sweep"], *body["runs"]]
        return [{name: run[name] for name in run if name != "seconds"} for run in runs]

    assert curves(outcome) == curves(undisturbed)
    ends = {run["rate"]: run["val_loss"][-1] for run in outcome["sweep"]}
    assert outcome["rates"]["adamw"] == min(ends, key=ends.get)
    assert outcome["runs"][0]["rate"] == outcome["rates"]["adamw"]
    kept = [np.load(tmp_path / folder / "tensors.npz") for folder in ("a", "b")]
    for name in TENSORS:
        assert (kept[0][name] == kept[1][name]).all()


@pytest.mark.parametrize("cut", ["half", "nothing", "another run's", "unfinished"])
def test_a_damaged_result_is_named_and_computed_again(cut, tmp_path):
    reported: Counter[str] = Counter()

    def run(**options):
        reported.clear()
        return Experiment(tmp_path, TINY, items(), command="c", **options).run(
            lambda what, done, of: reported.update([what])
        )

    whole = run()
    path = tmp_path / "band-low-2d64-seed0.json"
    text = path.read_text("utf-8")
    body = json.loads(text)
    path.write_text(
        {
            "half": text[: len(text) // 2],
            "nothing": "",
            "another run's": (tmp_path / "adamw-seed0.json").read_text("utf-8"),
            "unfinished": json.dumps(body | {"steps": body["steps"][:-1]}),
        }[cut],
        "utf-8",
    )
    told = []
    again = run(warn=told.append)
    assert len(told) == 1
    assert str(path) in told[0]
    # A run that is there is reported once, as done; one that is trained at every step too.
    trained = {what for what, count in reported.items() if count > 1}
    assert trained == {path.stem}
    for found in (whole, again):
        found["runs"][-1].pop("seconds")
    assert again["runs"] == whole["runs"]


def test_a_damaged_half_run_starts_anew_and_damaged_settings_are_refused(tmp_path):
    whole = Experiment(tmp_path / "a", TINY, items()[-1:], command="c").run()
    folder, told = tmp_path / "b", []
    folder.mkdir()
    (folder / "band-low-2d64-seed0.npz").write_bytes(b"PK\x03\x04 cut short")
    again = Experiment(folder, TINY, items()[-1:], command="c", warn=told.append).run()
    assert "band-low-2d64-seed0.npz is damaged" in told[0]
    assert again["runs"][0]["val_loss"] == whole["runs"][0]["val_loss"]
    (folder / "settings.json").write_text('{"version"', "utf-8")
    with pytest.raises(ExperimentError, match=r"settings\.json is damaged"):
        Experiment(folder, TINY, items(), command="c")


def test_a_folder_of_another_experiment_is_refused(tmp_path):
    Experiment(tmp_path, TINY, items(), command="c")
    with pytest.raises(ExperimentError, match="other settings"):
        Experiment(tmp_path, Settings(), items(), command="c")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["sgd"], "unknown experiment 'sgd'; known: compression"),
        (["compression", "--long", "--short"], "give one of --short and --long"),
        (["compression", "--out"], "--out needs a folder"),
        (["compression", "--quick"], "unknown word '--quick'"),
        (["compression", "--out", "/proc/nothing"], "--out: cannot use /proc/nothing"),
    ],
)
def test_wrong_words_end_with_one_line(words, reason, capsys):
    assert main(["experiment", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert err.count("\n") == 1


def test_help_tells_of_both_sizes(capsys):
    assert main(["experiment", "--help"]) == 0
    out = capsys.readouterr().out
    assert "--short" in out
    assert "--long" in out


# The runs kept with the project ----------------------------------------------------------

RUNS = measured_runs()
STEPS = 3
ALL_STEPS = ("optics-1d256-enob8-planes8-sent", "optics-1d256-enob8-planes8-exact")
"""Computed to the end of what is kept, past the window in which optics are calibrated."""
NEAR = 1e-4
"""Relative. Training is in single precision, and another machine's BLAS adds up in another order.
That alone moves three steps by 1e-8 and twenty-four by 1e-5 (measured against double precision),
but the sign of a sum near zero may turn, or the last of the largest coefficients be another one;
with top-k that makes 0.8 % of twenty-four steps, so only fixed bands are followed so far."""


@pytest.mark.parametrize(
    "run",
    [*RUNS.sweep, *RUNS.runs],
    ids=lambda run: f"{run.method}-{run.seed}-{run.rate:g}-{run.steps[-1]}",
)
def test_the_first_steps_of_every_kept_run_are_computed_again(run):
    settings = Settings(**vars(RUNS.settings) | {"steps": run.steps[-1]})
    again = TrainingRun(settings, method_named(run.method), rate=run.rate, seed=run.seed)
    whole = run.method in ALL_STEPS and run.seed == 0
    count = len(run.first_losses) if whole else STEPS
    for _ in again.advance(count):
        pass
    assert again.history.first_losses == pytest.approx(run.first_losses[:count], rel=NEAR)
    evaluated = len(again.history.steps)
    assert again.history.val_loss == pytest.approx(run.val_loss[:evaluated], rel=NEAR)


def test_the_kept_runs_are_those_that_the_command_makes():
    settings, items = planned(LONG)
    assert RUNS.settings == settings
    assert [(run.method, run.seed) for run in RUNS.runs] == [
        (item.method, item.seed) for item in items if not item.sweep
    ]
    assert [(run.method, run.rate) for run in RUNS.sweep] == [
        (item.method, item.rate) for item in items if item.sweep
    ]
    assert all(len(RUNS.of(method)) == 3 for method in MAIN)
    for run in (*RUNS.sweep, *RUNS.runs):
        assert run.diverged or len(run.steps) == len(run.val_loss)
    assert "--long" in RUNS.command


def test_learning_rates_are_the_best_of_the_sweep_and_none_is_at_its_edge():
    for family, (method, rates) in SWEPT.items():
        ends = {run.rate: run.final_loss for run in RUNS.sweep if run.method == method}
        best = min(ends, key=ends.get)
        assert RUNS.rates[family] == RATES[family] == best
        assert min(rates) < best < max(rates)
    for run in RUNS.runs:
        assert run.rate == RUNS.rates[method_named(run.method).family]


def test_the_kept_tensors_are_those_of_the_kept_run():
    (run,) = (run for run in RUNS.of("band-low-2d64") if run.seed == 0)
    delta = Source(name="measured", tensor="delta", chunk="2d-64", samples=2**18, seed=0)
    found = captured_energy(delta, RUNS.settings.keep)
    # The run's shares are over all workers and vectors, the tensors one worker's matrices.
    assert found["topk"] == pytest.approx(run.topk_share[-1], abs=0.02)
    assert found["low"] < 1e-3 > (run.low_share[-1] or 0)
    assert {name: len(values) for name, values in measured_tensors().items()} == dict.fromkeys(
        TENSORS, RUNS.settings.model.size
    )


def test_the_stored_live_experiment_starts_as_its_code_does():
    params = CompressionParams()
    part = COMPRESSION_SIMULATION.parts["live"]
    stored = COMPRESSION_SIMULATION.stored("live", part.query(params))
    assert [run["method"] for run in stored["runs"]] == [item.id for item in live_methods(params)]
    steps = stored["runs"][0]["steps"][-1]
    for kept in stored["runs"]:
        settings = Settings(steps=steps, evaluate_every=10, keep=params.keep)
        run = TrainingRun(
            settings, method_named(kept["method"]), rate=kept["rate"], seed=params.seed
        )
        for _ in run.advance(STEPS):
            pass
        assert run.history.first_losses == pytest.approx(kept["first_losses"][:STEPS], rel=NEAR)


def test_the_kept_file_is_plain_json():
    from importlib.resources import files

    text = (files("foptrn_model") / "data" / "measured_compression.json").read_text("utf-8")
    assert "NaN" not in text
    assert json.loads(text)["note"]

"""Stored outcomes of simulations are what their code computes."""

import json
from dataclasses import replace

import pytest

from foptrn_model.explorers import EXPLORERS, TRAINERS
from foptrn_model.parameters import query_values
from foptrn_model.simulation import stored_outcomes
from foptrn_model.store import store
from foptrn_model.trainers import TrainersJob
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_simulation import TRAINERS_SIMULATION, sweep_params

SIMULATED = [slug for slug, explorer in EXPLORERS.items() if explorer.simulation]
FIRST_STEPS = 30
NEAR = 1e-6
"""Rounding differs a little from machine to machine, and training lets it grow."""


@pytest.mark.parametrize("slug", SIMULATED)
def test_every_part_of_the_default_state_is_stored(slug):
    explorer = EXPLORERS[slug]
    for name, part in explorer.simulation.parts.items():
        assert explorer.simulation.stored(name, part.query(explorer.params())) is not None


@pytest.mark.parametrize("slug", SIMULATED)
def test_stored_queries_are_canonical(slug):
    explorer = EXPLORERS[slug]
    for key in stored_outcomes(slug):
        name, _, query = key.partition("?")
        params = explorer.params.parse(query_values(query))
        assert explorer.simulation.parts[name].query(params) == query


def test_the_first_steps_of_the_stored_training_are_computed_again():
    stored = TRAINERS_SIMULATION.stored("train", "")["result"]
    job = TrainersJob(TrainersParams())
    for done in job.advance():
        if done >= FIRST_STEPS:
            break
    again = job.result()
    count = len(again.steps)
    assert list(again.steps) == stored["steps"][:count]
    assert count > 3
    for name, found in stored["trainers"].items():
        here = again.trainers[name]
        assert here.gradient_cosine == pytest.approx(found["gradient_cosine"][:count], abs=NEAR)
        for part in ("median", "q1", "q3"):
            shown = found["accuracy"][part][:count]
            # One test sample more or less, should rounding decide about it.
            assert getattr(here.accuracy, part) == pytest.approx(shown, abs=2e-3 + NEAR)
            assert getattr(here.loss, part) == pytest.approx(found["loss"][part][:count], rel=NEAR)


def test_the_stored_sweep_holds_the_stored_default_among_its_values():
    swept = TRAINERS_SIMULATION.stored("sweep", sweep_params(TrainersParams()).to_query())
    (place,) = [index for index, value in enumerate(swept["values"]) if value == 0.3]
    alone = TRAINERS_SIMULATION.parts["train"].run(
        TrainersParams(steps=40, seeds=4), lambda done, of: None
    )
    assert swept["field"] == "phase_error_rad"
    assert set(swept["hardware_accuracy"]) == set(alone["result"]["trainers"])
    # In situ holds where in silico falls, as the explorer's question has it.
    silico, situ = (
        swept["hardware_accuracy"][name][place]["mean"] for name in ("in-silico", "in-situ")
    )
    assert situ - silico > 0.1


def test_storing_writes_what_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(
        TrainersParams, "__init__", small_init(TrainersParams.__init__), raising=True
    )
    # The first state stands for all, which take minutes; what they hold is tested elsewhere.
    few = TRAINERS_SIMULATION.stored_queries[:1]
    simulation = replace(TRAINERS_SIMULATION, stored_queries=few)
    monkeypatch.setitem(EXPLORERS, "trainers", replace(TRAINERS, simulation=simulation))
    path = store("trainers", tmp_path)
    body = json.loads(path.read_text())
    states = [TrainersParams.from_query(query) for query in few]
    assert set(body["outcomes"]) == {
        f"{name}?{part.query(params)}"
        for params in states
        for name, part in TRAINERS_SIMULATION.parts.items()
    }
    for outcome in body["outcomes"].values():
        assert outcome


def small_init(original):
    """Params of a few steps in place of the default ones."""

    def init(self, **fields):
        original(self, **{"steps": 2, "seeds": 1} | fields)

    return init


def test_what_does_not_simulate_is_not_stored():
    with pytest.raises(ValueError, match="does not simulate"):
        store("amdahl")

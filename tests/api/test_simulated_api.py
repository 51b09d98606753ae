"""Simulated explorers through the API and the command line: caps, a full queue, wall time."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from foptrn_model.__main__ import main
from foptrn_model.explorers import COMPRESSION, TRAINERS
from pages._jobs.desk import desk
from pages._jobs.table import MOST_WAITING, QueueFullError, job_key

QUICK = "steps=4&seeds=1&layers=1"


def test_the_default_state_is_answered_from_what_is_stored(client: Any) -> None:
    body = client.get("/api/v1/trainers").json
    stored = TRAINERS.answer(TRAINERS.params())
    assert body == json.loads(json.dumps(stored))
    assert body["meta"]["wall_time_s"] > 0
    assert "seconds" not in body["result"]


def test_another_state_is_computed_and_kept(client: Any) -> None:
    first = client.get(f"/api/v1/trainers?{QUICK}")
    assert first.status_code == 200
    assert first.json == client.get(f"/api/v1/trainers?{QUICK}").json, "kept, wall time included"
    query = TRAINERS.simulation.parts["train"].query(TRAINERS.params.from_query(QUICK))
    assert desk().table.result(job_key("trainers", "train", query)) is not None


def test_the_command_line_computes_the_same_numbers(client: Any, capsys: Any) -> None:
    assert main(["trainers", "--steps", "4", "--seeds", "1", "--layers", "1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    answered = client.get(f"/api/v1/trainers?{QUICK}").json
    assert printed["result"] == answered["result"]
    assert printed["verdict"] == answered["verdict"]
    assert set(printed) == set(answered)


def test_the_sweep_is_a_table_of_its_own(client: Any) -> None:
    table = client.get(f"/api/v1/trainers/sweep.csv?{QUICK}&sweep=readout_noise")
    assert table.status_code == 200
    header, *rows = table.text.splitlines()
    assert header.startswith("readout_noise,in_silico_hardware")
    assert len(rows) == 5


def test_a_sweep_over_the_cap_is_refused_where_its_training_is_not(client: Any) -> None:
    query = "plant=diffractive&batch=32&seeds=2&steps=300&task=digits"
    refused = client.get(f"/api/v1/trainers/sweep.csv?{query}")
    assert refused.status_code == 422
    (error,) = refused.json["errors"]
    assert error["param"] == "seeds"
    assert "sweep would take about" in error["message"]


def test_what_is_stored_is_answered_whatever_it_cost(client: Any) -> None:
    query = "plant=diffractive&task=digits"
    assert TRAINERS.simulation.check(TRAINERS.params.from_query(query), 20.0)
    answered = client.get(f"/api/v1/trainers?{query}")
    assert answered.status_code == 200
    assert answered.json["result"]["trainers"]["in-silico"]["model_accuracy"]["mean"] > 0.9


@pytest.mark.parametrize("route", ["trainers", "trainers.csv", "trainers/sweep.csv"])
def test_what_is_over_the_cap_is_refused_with_estimate_and_cap(client: Any, route: str) -> None:
    response = client.get(f"/api/v1/{route}?steps=5000&seeds=64")
    assert response.status_code == 422
    (error,) = response.json["errors"]
    assert error["param"] == "steps"
    assert error["value"] == 5000
    assert "would take about" in error["message"]
    assert "cap of 20 s" in error["message"]


BRIEF = "epochs=1&seeds=1&hidden_layers=1&seed=81"


def test_an_experiment_beside_a_closed_form_is_no_part_of_the_answer(client: Any) -> None:
    """What a server has computed before changes no answer."""
    first = client.get(f"/api/v1/optical-dfa?{BRIEF}").json
    assert "experiment" not in first["result"]
    assert "meta" not in first
    table = client.get(f"/api/v1/optical-dfa/experiment.csv?{BRIEF}")
    assert table.status_code == 200
    assert len(table.text.splitlines()) == 5
    assert client.get(f"/api/v1/optical-dfa?{BRIEF}").json == first


def test_a_part_has_an_address_of_its_own(client: Any, capsys: Any) -> None:
    body = client.get(f"/api/v1/optical-dfa/experiment?{BRIEF}").json
    assert body["part"] == "experiment"
    assert set(body["result"]) == {"epochs", "accuracy", "cosine", "diluted"}
    assert len(body["result"]["accuracy"]["odfa"]) == len(body["result"]["epochs"])
    assert body["meta"]["wall_time_s"] > 0
    flags = [f"--{pair.replace('=', ' ')}" for pair in BRIEF.split("&")]
    words = " ".join(flags).split()
    assert main(["optical-dfa", *words, "--json", "--part", "experiment"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["params"] == body["params"]
    assert printed["result"]["accuracy"] == body["result"]["accuracy"]
    assert main(["optical-dfa", "--part", "experiment"]) == 2
    assert main(["optical-dfa", "--json", "--part", "nothing"]) == 2
    unknown = client.get("/api/v1/optical-dfa/nothing")
    assert unknown.status_code == 404
    assert unknown.json["errors"][0]["param"] == "part"


@pytest.mark.parametrize("route", ["optical-dfa/experiment", "optical-dfa/learning.csv"])
def test_an_experiment_over_the_cap_is_refused_and_its_closed_form_is_not(
    client: Any, route: str
) -> None:
    query = "seeds=16&hidden_width=256"
    response = client.get(f"/api/v1/{route}?{query}")
    assert response.status_code == 422
    assert "cap of 20 s" in response.json["errors"][0]["message"]
    assert client.get(f"/api/v1/optical-dfa?{query}").status_code == 200


def test_a_full_queue_answers_503_with_when_to_come_back(client: Any) -> None:
    table = desk().table
    waiting = [f"steps=5000&layers=2&seed={index}" for index in range(MOST_WAITING)]
    try:
        for index, query in enumerate(waiting):
            with suppress(QueueFullError):  # what other tests left may fill it before ours do
                table.submit("trainers", "train", query, watcher=f"w{index}", estimate_s=10)
        response = client.get("/api/v1/trainers?steps=6&seeds=1")
        assert response.status_code == 503
        assert int(response.headers["Retry-After"]) >= 1
        assert "running or waiting" in response.json["errors"][0]["message"]
    finally:
        for index, query in enumerate(waiting):
            table.leave(job_key("trainers", "train", query), watcher=f"w{index}")


def test_a_part_on_demand_is_served_once_it_has_been_run(client: Any) -> None:
    stored = client.get("/api/v1/compression/live.csv")
    assert stored.status_code == 200
    assert stored.text.startswith("method,step,val_loss\r\nadamw,1,")
    refused = client.get("/api/v1/compression/live.csv?enob=7.5")
    assert refused.status_code == 422
    (error,) = refused.json["errors"]
    assert error["param"] == "table"
    assert "above the 20 s" in error["message"]
    assert "--table live" in error["message"]
    params = COMPRESSION.params(enob=7.5)
    part = COMPRESSION.simulation.parts["live"]
    outcome = COMPRESSION.simulation.stored("live", part.query(COMPRESSION.params()))
    desk().table.finish(job_key("compression", "live", part.query(params)), outcome, 1.0)
    served = client.get("/api/v1/compression/live.csv?enob=7.5&samples=8192")
    assert served.text == stored.text, "samples do not matter to it"


def test_a_closed_part_is_answered_at_once(client: Any) -> None:
    body = client.get("/api/v1/compression?enob=7.25&chunk=1d-64").json
    params = COMPRESSION.params(enob=7.25, chunk="1d-64")
    assert body == json.loads(json.dumps(COMPRESSION.answer(params)))
    assert "meta" not in body
    assert body["result"]["band_error"] == COMPRESSION.compute(params).band_error

"""Offline files over HTTP and from the command line; what they show is tested in a browser."""

from __future__ import annotations

from pathlib import Path

import flask.testing
import pytest

from foptrn_model.__main__ import main
from foptrn_model.explorers import TRAINERS
from pages._offline.document import offline_document
from pages._offline.sweep import sweep_data

BAD = {
    "/offline/amdahl.html?seq_len=0": ("seq_len", "seq_len must be a whole number from 128"),
    "/offline/amdahl.html?colour=red": ("colour", "colour is not a parameter here"),
    "/offline/transit.html?curves=uploaded": ("curves", "curves must be other than uploaded"),
    "/offline/trainers.html?seed=77": ("offline", "this state has not been computed"),
}


@pytest.mark.parametrize("path", BAD)
def test_a_bad_query_is_refused(client: flask.testing.FlaskClient, path: str) -> None:
    answer = client.get(path)
    name, opening = BAD[path]
    assert answer.status_code == 422
    (error,) = answer.json["errors"]
    assert error["param"] == name
    assert error["message"].startswith(opening)


def test_an_unknown_explorer(client: flask.testing.FlaskClient) -> None:
    answer = client.get("/offline/amdhal.html")
    assert answer.status_code == 404
    assert answer.json["errors"][0]["param"] == "explorer"


def test_it_is_a_file_to_keep(client: flask.testing.FlaskClient) -> None:
    answer = client.get("/offline/amdahl.html?seq_len=8192&theme=dark")
    held = answer.headers["Content-Disposition"]
    assert held == 'attachment; filename="amdahl_seq_len-8192.html"'
    assert "http://localhost/amdahl?seq_len=8192" in answer.text


def test_what_is_kept_of_a_simulation_joins_the_stored_states() -> None:
    """A state whose outcome is there is a position; one without is not."""
    simulation = TRAINERS.simulation
    assert simulation is not None
    state = TRAINERS.params.from_query("seed=77")
    kept = simulation.stored_of(TRAINERS.params())

    def known(asked: object) -> dict[str, object]:
        return dict(kept) if asked == state else dict(simulation.stored_of(asked))

    data = sweep_data(TRAINERS, state, known)
    stored = sweep_data(TRAINERS, TRAINERS.params(), simulation.stored_of)
    assert [position["label"] for position in data["positions"]] == [
        "seed 77",
        *[position["label"] for position in stored["positions"]],
    ]
    assert data["start"] == 0


def test_an_address_cannot_carry_markup() -> None:
    text = offline_document(
        TRAINERS,
        TRAINERS.params(),
        known=TRAINERS.simulation.stored_of if TRAINERS.simulation else dict,
        address="http://a</p><script>alert(1)</script>/trainers",
    )
    assert "<script>alert" not in text


def test_the_command_line_writes_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "slide.html"
    assert main(["masks", "--gpus", "64", "--offline", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    assert "/masks?gpus=64" in path.read_text(encoding="utf-8")

"""A person's own loss curves through the API, the command line and the page's callback."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import dash
import pytest

from foptrn_model.__main__ import main
from foptrn_model.curves_file import read_curves
from foptrn_model.explorers import TRANSIT
from foptrn_model.transit import TransitParams
from pages._components.attached import MOST_KEPT

ROWS = [("AdamW", 100, 4.0), ("AdamW", 200, 3.0), ("mine", 100, 5.0), ("mine", 400, 2.0)]
GOOD = "method,step,val_loss\n" + "".join(f"{m},{s},{v}\n" for m, s, v in ROWS)
QUERY = "target_loss=3.5"

# What a file may look like and simply work.
FORMS = {
    "plain": GOOD.encode(),
    "byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "CRLF": GOOD.replace("\n", "\r\n").encode(),
    "semicolons": GOOD.replace(",", ";").encode(),
    "semicolons and decimal commas": GOOD.replace(",", ";").replace(".", ",").encode(),
}
# What is wrong with a file, and what the message must say.
FAULTS = {
    "wrong header": (GOOD.replace("step", "epoch").encode(), ("row 1", "method,step,val_loss")),
    "text in numbers": (GOOD.replace("3.0", "three").encode(), ("row 3", "val_loss", "three")),
    "points in steps": (
        GOOD.replace(",", ";").replace(".", ",").replace("200", "1.000").encode(),
        ("row 3", "step", "1.000"),
    ),
    "negative step": (GOOD.replace("AdamW,200", "AdamW,-200").encode(), ("row 3", "step", "-200")),
    "duplicate step": (GOOD.replace("AdamW,200", "AdamW,100").encode(), ("row 3", "step", "row 2")),
    "NaN": (GOOD.replace("3.0", "nan").encode(), ("row 3", "val_loss", "nan")),
    "empty": (b"", ("empty",)),
    "too large": (b"a" * 1_000_001, ("at most 1 MB",)),
    "two megabytes": (b"a" * 2_000_001, ("at most 1 MB",)),
    "not text": (b"\xff\xfe\x00", ("UTF-8",)),
}


@pytest.fixture
def page(app: dash.Dash) -> Any:
    return dash.page_registry["pages.transit"]["layout"].__self__


def own_curves() -> TransitParams:
    params = TransitParams(target_loss=3.5)
    return params.with_uploaded(read_curves(GOOD), settle=True)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_file_gives_the_same_answer(client: Any, form: str) -> None:
    body = client.post(f"/api/v1/transit?{QUERY}", data=FORMS[form])
    assert body.status_code == 200
    assert body.json == json.loads(json.dumps(TRANSIT.answer(own_curves())))
    assert body.json["params"]["curves"] == "uploaded"
    assert body.json["params"]["band"] == "mine"
    assert body.json["result"]["ways"]["adamw-allreduce"]["steps"] == 150


def test_tables_stand_on_the_file_too(client: Any) -> None:
    table = client.post(f"/api/v1/transit/curves.csv?{QUERY}&curves=uploaded", data=GOOD.encode())
    assert table.status_code == 200
    assert table.text == TRANSIT.table(own_curves(), "curves").to_csv()
    assert "mine,400,2" in table.text.replace("band-allgather,", "")


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_with_a_file_is_said(client: Any, tmp_path: Path, capsys: Any,
                                           fault: str) -> None:  # fmt: skip
    contents, words = FAULTS[fault]
    response = client.post("/api/v1/transit", data=contents)
    assert response.status_code == 422
    (error,) = response.json["errors"]
    assert error["param"] == "curves_file"
    path = tmp_path / "curves.csv"
    path.write_bytes(contents)
    assert main(["transit", "--curves_file", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    for word in words:
        assert word in error["message"]
        assert word in said


def test_a_link_to_uploaded_curves_is_refused_by_the_api(client: Any) -> None:
    response = client.get("/api/v1/transit?curves=uploaded")
    assert response.status_code == 422
    assert "--curves_file" in response.json["errors"][0]["message"]


def test_a_band_that_the_file_does_not_have_is_refused(client: Any) -> None:
    response = client.post("/api/v1/transit?band=band-low-1d64", data=GOOD.encode())
    (error,) = response.json["errors"]
    assert error["param"] == "band"
    assert "mine" in error["message"]


@pytest.mark.parametrize("query", ["curves=published", "curves=published&target_loss=3"])
def test_a_file_beside_published_curves_is_refused(client: Any, query: str) -> None:
    (error,) = client.post(f"/api/v1/transit?{query}", data=GOOD.encode()).json["errors"]
    assert error["param"] == "curves"


def test_a_form_in_place_of_a_file_is_told_how(client: Any) -> None:
    response = client.post(
        "/api/v1/transit", data={"file": (io.BytesIO(GOOD.encode()), "mine.csv")}
    )
    assert response.status_code == 422
    assert "--data-binary" in response.json["errors"][0]["message"]


def test_explorers_without_files_take_none(client: Any) -> None:
    response = client.post("/api/v1/amdahl", data=GOOD.encode())
    assert response.status_code == 422
    assert "takes no file" in response.json["errors"][0]["message"]


def test_the_command_line_prints_what_the_api_answers(
    client: Any, tmp_path: Path, capsys: Any
) -> None:
    path = tmp_path / "curves.csv"
    path.write_text(GOOD)
    assert main(["transit", "--curves-file", str(path), "--target_loss", "3.5", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == client.post(f"/api/v1/transit?{QUERY}", data=GOOD.encode()).json


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--curves_file", "/no/such/file.csv"], "cannot read /no/such/file.csv"),
        (["--curves_file", "nul\0byte"], "cannot read"),
        (["--curves_file", "a", "--curves_file", "b"], "given once"),
        (["--curves_file", "a", "--curves", "published"], "goes with --curves uploaded"),
        (["--curves", "uploaded"], "--curves_file"),
    ],
)
def test_bad_uses_of_the_flag(capsys: Any, words: list[str], said: str) -> None:
    assert main(["transit", *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


# The page's callback -------------------------------------------------------------


def sent(contents: bytes) -> dict[str, str]:
    return {"contents": base64.b64encode(contents).decode()}


def controls(**changes: str) -> dict[str, str]:
    from pages._components.controls import control_values

    return control_values(TransitParams(target_loss=3.5)) | changes


def test_a_file_arrives_once_and_is_known_by_its_digest(page: Any) -> None:
    values = controls(curves="uploaded")
    first = page.respond({"values": values, "changed": "curves", "attached": sent(GOOD.encode())})
    answer = first[4]
    assert answer["ok"]
    assert answer["state"] == "band=mine&curves=uploaded&target_loss=3.5"
    assert answer["options"]["band"] == [{"label": "mine", "value": "mine"}]
    assert "band-low-2d64 is not in this file" in str(first[1])
    again = page.respond(
        {"values": answer["values"], "changed": "sync_every",
         "attached": {"digest": answer["digest"]}}
    )  # fmt: skip
    assert again[0] == first[0]
    assert again[1] == []


def test_an_unknown_digest_asks_for_the_file_and_says_nothing(page: Any) -> None:
    response = page.respond({"values": controls(), "attached": {"digest": "0" * 64}, "serial": 7})
    assert response[4] == {"ok": False, "problems": [], "serial": 7, "sendFile": True}
    assert all(part is dash.no_update for index, part in enumerate(response) if index != 4)


def test_only_the_last_few_files_are_kept(page: Any) -> None:
    digests = []
    for index in range(MOST_KEPT + 1):
        file = GOOD.replace("5.0", f"{5 + index / 100:.2f}").encode()
        answer = page.respond({"values": controls(), "attached": sent(file)})[4]
        digests.append(answer["digest"])
    known = [
        "sendFile" not in page.respond({"values": controls(), "attached": {"digest": digest}})[4]
        for digest in digests
    ]
    assert known == [False] + [True] * MOST_KEPT


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_file_leaves_the_page_as_it_is(page: Any, fault: str) -> None:
    contents, words = FAULTS[fault]
    response = page.respond({"values": controls(curves="uploaded"), "attached": sent(contents)})
    (problem,) = response[4]["problems"]
    assert problem["param"] == "curves_file"
    assert all(word in problem["message"] for word in words)
    kept = [part for part in response if part is dash.no_update]
    assert len(kept) == len(response) - 2


@pytest.mark.parametrize(
    "attached", [{"contents": "%%%"}, {"contents": 3}, {}, [], "x", {"digest": 5}]
)
def test_nonsense_in_place_of_a_file_is_no_crash(page: Any, attached: Any) -> None:
    answer = page.respond({"values": controls(), "attached": attached})[4]
    assert answer["ok"] or "did not arrive whole" in answer["problems"][0]["message"]


def test_own_curves_chosen_without_a_file_are_refused(page: Any) -> None:
    response = page.respond({"values": controls(curves="uploaded"), "changed": "curves"})
    assert "curves_file" in response[4]["problems"][0]["message"]


def test_a_link_to_uploaded_curves_opens_on_the_published_ones(page: Any) -> None:
    layout = page.layout(curves="uploaded", band="mine", pin="0.1.0~curves=uploaded&band=mine")
    parts = {getattr(item, "id", ""): item for item in layout._traverse()}
    answer = parts["transit-answer"].data
    assert answer["state"] == ""
    assert answer["pins"] == ["0.1.0~"]
    assert "browser session" in str(parts["transit-notices"].children)


def test_python_lines_read_the_file(page: Any, tmp_path: Path) -> None:
    import subprocess
    import sys

    answer = page.respond(
        {
            "values": controls(curves="uploaded"),
            "changed": "curves",
            "attached": sent(GOOD.encode()),
        }
    )[4]
    (tmp_path / "curves.csv").write_text(GOOD)
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", answer["python"]], cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": str(root)}, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == TRANSIT.compute(own_curves()).fastest

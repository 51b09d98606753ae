"""The HTTP API: good answers, refusals that name everything, no trace of the inside."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.__main__ import main
from foptrn_model.explorers import AMDAHL, EXPLORERS

BAD = {
    "seq_len=0": {"seq_len": "128 to 1,048,576"},
    "seq_len=-5": {"seq_len": "128 to 1,048,576"},
    "seq_len=\u22125": {"seq_len": "128 to 1,048,576"},
    "seq_len=1e99": {"seq_len": "128 to 1,048,576"},
    "seq_len=abc": {"seq_len": "a whole number"},
    "seq_len=NaN": {"seq_len": "a whole number"},
    "seq_len=4096.5": {"seq_len": "a whole number"},
    "seq_len=": {"seq_len": "a whole number"},
    "seq_len=4096&seq_len=8192": {"seq_len": "given once"},
    "block_size=300": {"block_size": "power of two"},
    "variant=rnn": {"variant": "one of transformer, hyena, hybrid, block-circulant"},
    "sequence=4096": {"sequence": "not a parameter"},
    "d_model=512": {"d_model": "shape=custom"},
    "shape=custom&d_model=1000&block_size=8": {"d_model": "multiple of n_heads 32"},
    "fft_rate=inf": {"fft_rate": "0.001 to 1"},
    "seq_len=1&fft_rate=2&variant=x&who=me&n_layers=3&block_size=7": {
        "seq_len": "128", "fft_rate": "0.001", "variant": "one of", "who": "known",
        "n_layers": "custom", "block_size": "from 8",
    },
}  # fmt: skip


@pytest.mark.parametrize("query", BAD)
def test_bad_input_is_refused_by_name(client: Any, query: str) -> None:
    response = client.get(f"/api/v1/amdahl?{query}")
    assert response.status_code == 422
    errors = {error["param"]: error for error in response.json["errors"]}
    assert set(errors) == set(BAD[query])
    for name, allowed in BAD[query].items():
        assert allowed in errors[name]["message"]
        assert name in errors[name]["message"]
        assert set(errors[name]) == {"param", "message", "value"}


@pytest.mark.parametrize("query", BAD)
def test_every_route_refuses_the_same(client: Any, query: str, capsys: Any) -> None:
    expected = client.get(f"/api/v1/amdahl?{query}").json
    table = client.get(f"/api/v1/amdahl.csv?{query}")
    assert (table.status_code, table.json) == (422, expected)
    words = [f"--{pair}" for pair in query.split("&")]
    assert main(["amdahl", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    for error in expected["errors"]:
        assert error["message"] in printed.err


def test_the_value_is_given_back(client: Any) -> None:
    errors = client.get("/api/v1/amdahl?seq_len=abc").json["errors"]
    assert errors == [
        {
            "param": "seq_len",
            "message": "seq_len must be a whole number from 128 to 1,048,576, got abc",
            "value": "abc",
        }
    ]


@pytest.mark.parametrize(
    ("path", "param"),
    [
        ("/api/v1/nothing", "explorer"),
        ("/api/v1/nothing.csv", "explorer"),
        ("/api/v1/nothing/ledger.csv", "explorer"),
        ("/api/v1/amdahl/nothing.csv", "table"),
        ("/api/v1/amdahl/ledger", "address"),
        ("/api/v1/..%2f..%2fetc%2fpasswd", "address"),
    ],
)
def test_unknown_addresses(client: Any, path: str, param: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert [error["param"] for error in response.json["errors"]] == [param]


def test_answer(client: Any) -> None:
    response = client.get("/api/v1/amdahl?variant=hyena&seq_len=4096")
    assert response.status_code == 200
    body = response.json
    assert list(body) == ["explorer", "version", "params", "result", "verdict"]
    assert set(body["params"]) == set(AMDAHL.params.model_fields)
    assert body["params"]["d_model"] == 4096
    assert body["params"]["gated_mlp"] is True
    assert f"{body['result']['static_share']:.6f}" == "0.001428"
    assert f"{body['result']['amdahl_bound']:.5f}" == "1.00143"
    assert "1.0014\u00d7" in body["verdict"]


def test_the_command_line_prints_the_same_bytes(client: Any, capsys: Any) -> None:
    assert main(["amdahl", "--variant", "block-circulant", "--seq-len", "9000", "--json"]) == 0
    printed = capsys.readouterr().out
    response = client.get("/api/v1/amdahl?variant=block-circulant&seq_len=9000")
    assert printed.strip() == response.text


@pytest.mark.parametrize("extra", ["theme=dark", "embed=1", "hide=controls", "tour=2"])
def test_a_pages_link_works_as_an_address_of_the_api(client: Any, extra: str) -> None:
    plain = client.get("/api/v1/amdahl?seq_len=8192")
    assert client.get(f"/api/v1/amdahl?seq_len=8192&{extra}").json == plain.json


def test_main_table_is_the_result(client: Any) -> None:
    query = "variant=block-circulant&seq_len=9000&recompute=full"
    response = client.get(f"/api/v1/amdahl.csv?{query}")
    assert response.content_type == "text/csv; charset=utf-8"
    flop = client.get(f"/api/v1/amdahl?{query}").json["result"]["flop_per_token"]
    rows = [
        row
        for row in csv.DictReader(io.StringIO(response.text))
        if row["variant"] == "block-circulant"
    ]
    assert {row["flop_class"] for row in rows} == set(flop["step"])
    for row in rows:
        for direction in ("forward", "backward", "step"):
            assert float(row[f"{direction}_flop_per_token"]) == flop[direction][row["flop_class"]]


def test_index_describes_every_explorer(client: Any) -> None:
    body = client.get("/api/v1/").json
    assert [item["slug"] for item in body["explorers"]] == list(EXPLORERS)
    schema = body["explorers"][0]["params_schema"]["properties"]
    assert schema["seq_len"]["minimum"] == 128
    assert schema["seq_len"]["maximum"] == 1_048_576
    for item in body["explorers"]:
        for table in item["tables"]:
            assert client.get(f"/api/v1/{item['slug']}/{table}.csv").status_code == 200


def no_constant(text: str) -> float:
    raise AssertionError(f"{text} is not JSON")


@given(
    st.dictionaries(
        st.sampled_from([*AMDAHL.params.model_fields, "other", "embed"]),
        st.one_of(st.text(max_size=12), st.integers().map(str), st.floats().map(str)),
        max_size=6,
    )
)
def test_any_query_gets_an_answer_or_a_refusal(client: Any, query: dict[str, str]) -> None:
    response = client.get("/api/v1/amdahl", query_string=query)
    assert response.status_code in (200, 422)
    body = json.loads(response.text, parse_constant=no_constant)
    assert ("errors" in body) == (response.status_code == 422)
    if response.status_code == 200:
        assert math.isfinite(body["result"]["static_share"])


def test_too_many_fields_are_refused(client: Any) -> None:
    response = client.get("/api/v1/amdahl?" + "&".join(f"a{i}=1" for i in range(300)))
    assert response.status_code == 422
    assert response.json["errors"][0]["param"] == "query"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "variant=block-circulant&fft_rate=0.25",
        "variant=hybrid&seq_len=100000",
        "shape=custom&n_layers=12&d_model=2048&variant=block-circulant",
    ],
)
def test_the_largest_bar_of_the_tornado_is_what_two_more_calls_give(
    client: Any, query: str
) -> None:
    table = client.get(f"/api/v1/amdahl/tornado.csv?{query}").text
    rows = list(csv.DictReader(io.StringIO(table)))
    base = client.get(f"/api/v1/amdahl?{query}").json["result"]["time_weighted_share"]

    def span(row: dict[str, str]) -> float:
        return max(abs(float(row[end]) - base) for end in ("low_result", "high_result"))

    largest = rows[0]
    assert span(largest) == max(map(span, rows)) > 0
    kept = "&".join(
        part for part in query.split("&") if not part.startswith(largest["input"] + "=")
    )
    for end in ("low", "high"):
        moved = f"{kept}&{largest['input']}={largest[f'{end}_value']}"
        result = client.get(f"/api/v1/amdahl?{moved}").json["result"]
        assert result["time_weighted_share"] == float(largest[f"{end}_result"])

"""Bounds on what one request, one address and the cache may take, and how errors are told."""

from __future__ import annotations

import io
import json
import re
import secrets
from pathlib import Path
from typing import Any

import flask
import pytest
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.test import Client, EnvironBuilder

from foptrn_model.code_commit import commit, known_commit, tell
from foptrn_model.explorers import AMDAHL, EXPLORERS, TRAINERS
from pages._jobs.clients import ask_for, asking
from pages._jobs.desk import Desk, desk
from pages._jobs.table import JobTable, QueueFullError, job_key
from pages._server.access_log import AccessLog
from pages._server.limits import MAX_QUERY_BYTES, install_limits
from pages._server.settings import READERS, variable

ROOT = Path(__file__).parent.parent.parent


# Addresses and errors ---------------------------------------------------------


@pytest.mark.parametrize("path", ["/nothing", "/amdahl/nothing", "/not-found-404", "/favicon.ico"])
def test_an_unknown_page_has_status_404_and_says_so(client: Any, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert "<html" in response.text
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/glossary", *(f"/{slug}" for slug in EXPLORERS)])
def test_a_page_has_status_200(client: Any, path: str) -> None:
    assert client.get(path).status_code == 200
    assert client.get(f"{path}?theme=dark").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status", "sentence"),
    [
        ("GET", "/assets/nothing.css", 404, "There is nothing at this address."),
        ("GET", "/_dash-component-suites/dash/nothing.js", 404, "There is nothing at this address."),
        ("GET", "/_dash-component-suites/flask/app.py", 404, "There is nothing at this address."),
        ("POST", "/amdahl", 405, "does not take that method"),
        ("PUT", "/api/v1/amdahl", 405, "does not take that method"),
        ("GET", f"/amdahl?x={'a' * MAX_QUERY_BYTES}", 414, "longer than 7,000 characters"),
        ("GET", f"/api/v1/amdahl?x={'a' * MAX_QUERY_BYTES}", 414, "longer than 7,000 characters"),
    ],
)  # fmt: skip
def test_errors_are_told_in_a_sentence(
    client: Any, method: str, path: str, status: int, sentence: str
) -> None:
    response = client.open(path, method=method)
    assert response.status_code == status
    assert "Content-Security-Policy" in response.headers
    if path.startswith("/api/"):
        (error,) = response.json["errors"]
        assert sentence in error["message"]
    else:
        assert sentence in response.text


def test_a_fault_tells_nothing_of_the_inside(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(params: Any) -> None:
        raise ZeroDivisionError("the inside")

    monkeypatch.setattr("foptrn_model.explorers.AMDAHL.compute.__code__", fail.__code__)
    response = client.get("/api/v1/amdahl")
    assert response.status_code == 500
    assert response.json["errors"][0]["message"].startswith("Something went wrong on the server")
    assert "inside" not in response.text


# Who asks ---------------------------------------------------------------------


@pytest.mark.parametrize(("trusted", "expected"), [(0, "10.0.0.9"), (1, "192.0.2.7")])
def test_addresses_come_from_proxies_only_when_told(trusted: int, expected: str) -> None:
    server = flask.Flask("addresses")
    install_limits(server)
    server.add_url_rule("/", view_func=asking)
    if trusted:
        server.wsgi_app = ProxyFix(server.wsgi_app, x_for=trusted)  # type: ignore[method-assign]
    told = {"X-Forwarded-For": "203.0.113.1, 192.0.2.7"}
    answer = server.test_client().get("/", headers=told, environ_base={"REMOTE_ADDR": "10.0.0.9"})
    assert answer.text == expected


def ask(table: JobTable, number: int, address: str, most: int = 2) -> str:
    return table.submit(
        "x", "part", f"a={number}", watcher=f"page {number}", estimate_s=7, address=address, most=most
    ).key  # fmt: skip


def test_one_address_cannot_fill_the_queue(tmp_path: Path) -> None:
    table = JobTable(tmp_path)
    keys = [ask(table, number, "192.0.2.1") for number in range(2)]
    with pytest.raises(QueueFullError, match="2 computations of your address") as caught:
        ask(table, 2, "192.0.2.1")
    assert caught.value.retry_after_s == 7
    ask(table, 3, "192.0.2.2")
    assert ask(table, 1, "192.0.2.1") == keys[1], "what is there already is shared"
    table.submit("x", "part", "a=9", watcher="page 1", estimate_s=7, address="192.0.2.1", most=2)
    table.take()
    table.finish(keys[0], {}, 1.0)
    ask(table, 4, "192.0.2.1")
    kept = json.dumps([table._cache[key] for key in table._cache])
    assert "a=4" in kept
    assert "192.0.2" not in kept, "no address is written down"
    table.close()


def test_the_api_counts_by_address(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "_ensure_runner", lambda self: None)
    monkeypatch.setattr("pages._server.api.PATIENCE", 0.0)
    monkeypatch.setattr(desk(), "per_address", 1)
    other = TRAINERS.params.from_query("steps=9&seeds=1")
    try:
        ask_for("127.0.0.1")
        desk().ask(TRAINERS, "train", other, watcher="somebody else")
        response = client.get("/api/v1/trainers?steps=8&seeds=1")
        assert response.status_code == 503
        assert "of your address" in response.json["errors"][0]["message"]
        assert int(response.headers["Retry-After"]) >= 1
    finally:
        ask_for("")
        desk().leave(TRAINERS, "train", other, watcher="somebody else")
        desk().table.drop(job_key("trainers", "train", other.to_query()))


def test_waiting_requests_leave_threads_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Desk(tmp_path, 1, waiters=1)
    seen = []

    def meanwhile(self: Desk) -> None:
        with pytest.raises(QueueFullError, match="1 requests are waiting"):
            own.wait(TRAINERS, "train", two, watcher="two", patience_s=0)
        seen.append(True)

    one, two = (TRAINERS.params.from_query(f"steps={number}&seeds=1") for number in (7, 8))
    monkeypatch.setattr(Desk, "_ensure_runner", meanwhile)
    for _ in range(2):  # the place is free again after a failure
        with pytest.raises(RuntimeError, match="not done within 0 s"):
            own.wait(TRAINERS, "train", one, watcher="one", patience_s=0)
    assert seen
    own.table.close()


# The cache --------------------------------------------------------------------


def test_the_oldest_results_go_first_and_jobs_stay(tmp_path: Path) -> None:
    table = JobTable(tmp_path)
    for number in range(6):
        key = ask(table, number, "", most=16)
        table.take()
        table.finish(key, secrets.token_hex(200_000), 1.0)
    waiting = ask(table, 99, "", most=16)
    table.purge(700_000)
    left = [number for number in range(6) if table.result(job_key("x", "part", f"a={number}"))]
    assert left == list(range(6))[-len(left) :]
    assert 1 <= len(left) < 6
    used = sum(path.stat().st_size for path in tmp_path.rglob("*.val"))
    assert used <= 700_000
    assert table.look(waiting, watcher="page 99") is not None
    table.close()


# What is told -----------------------------------------------------------------


def test_a_line_of_the_access_log_has_no_query_and_no_address() -> None:
    lines: list[str] = []

    def application(environ: Any, start_response: Any) -> Any:
        start_response("201 Created", [])
        return iter([b"four", b"more"])

    logged = AccessLog(application, lines.append)
    environ = EnvironBuilder(
        "/caf\u00e9/a b", query_string="seq_len=4321", method="PUT"
    ).get_environ()
    assert Client(logged).open(environ).data == b"fourmore"
    (line,) = map(json.loads, lines)
    assert set(line) == {"time", "method", "path", "status", "ms", "bytes"}
    told = (line["method"], line["path"], line["status"], line["bytes"])
    assert told == ("PUT", "/caf\u00e9/a b", 201, 8)
    body = logged(EnvironBuilder("/").get_environ(), lambda *_: io.BytesIO().write)
    body.close()
    assert len(lines) == 2, "an answer of which nothing was taken is told as well"


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    known = {variable(name) for name in READERS}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {name for name in known if f"`{name}`" not in readme} == set()
    texts = [readme, *(path.read_text(encoding="utf-8") for path in (ROOT / "deploy").iterdir()
                       if path.is_file()), (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")]  # fmt: skip
    mentioned = set(re.findall(r"FOPTRN_[A-Z]+(?:_[A-Z]+)*", "\n".join(texts)))
    assert mentioned <= known
    copied = re.findall(r"^COPY (\S+)", (ROOT / "deploy" / "Dockerfile").read_text(), re.M)
    assert copied
    assert [path for path in copied if not (ROOT / path).exists()] == []


def test_the_commit_is_as_told_or_from_a_file_or_left_out(tmp_path: Path) -> None:
    assert commit("0123456789abcdef", tmp_path) == "0123456789"
    assert commit("", tmp_path) == ""
    (tmp_path / "COMMIT").write_text("fedcba9876543210\n")
    assert commit("", tmp_path) == "fedcba9876"
    (tmp_path / "COMMIT").write_text("not one\n")
    assert commit("", tmp_path) == ""


def test_reports_name_the_same_commit_as_the_server() -> None:
    here = known_commit()
    assert here == (commit() or "unknown")
    tell("0123456789abcdef")
    try:
        assert known_commit() == "0123456789"
    finally:
        tell("")


# The description --------------------------------------------------------------


def test_the_description_of_the_api_is_true(client: Any) -> None:
    described = client.get("/api/v1/openapi.json").json
    assert described["openapi"] == "3.1.0"
    for path, methods in described["paths"].items():
        response = client.get(f"/api/v1{path}")
        assert response.status_code == 200, path
        content = methods["get"]["responses"]["200"]["content"]
        assert response.mimetype in content, path
        schema = content[response.mimetype]["schema"]
        if schema["type"] == "object":
            assert set(schema["required"]) <= set(response.json), path
    for explorer in EXPLORERS.values():
        given = described["paths"][f"/{explorer.slug}"]["get"]["parameters"]
        names = [item["$ref"].rpartition(".")[2] for item in given]
        assert sorted(names) == sorted(explorer.params.model_fields)
    bounds = described["components"]["parameters"]["amdahl.seq_len"]["schema"]
    assert client.get(f"/api/v1/amdahl?seq_len={bounds['maximum']}").status_code == 200
    assert client.get(f"/api/v1/amdahl?seq_len={bounds['maximum'] + 1}").status_code == 422
    assert bounds["default"] == AMDAHL.params().seq_len

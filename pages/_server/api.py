"""JSON and CSV over HTTP: the same params, results and words as the pages."""

from __future__ import annotations

import secrets
from typing import Any

import flask
from werkzeug.exceptions import RequestEntityTooLarge

from foptrn_model import __version__
from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.parameters import Params, ParamsError, Problem
from foptrn_model.report import report
from foptrn_model.report_text import as_csv, as_json, as_markdown
from foptrn_model.simulation import Simulation
from foptrn_model.text import significant
from pages._jobs.desk import RunFailedError, desk
from pages._jobs.table import QueueFullError
from pages._server.openapi import OPENAPI, openapi
from pages._server.replies import json_reply, query, refusal, unknown

API = "api/v1/"
PATIENCE = 3.0
"""An answer may take this many times the longest computation allowed: it may wait its turn."""
RETRY_AFTER_S = 5
ADDRESSES = (
    "<explorer>", "<explorer>.csv", "<explorer>/<table>.csv", "<simulated explorer>/<part>",
    "report", "report.csv", "report.md",
    OPENAPI,
)  # fmt: skip
METHODS = ("GET", "POST")
"""A person's own file is the body of a POST; the query stays what it is."""


def install_api(server: flask.Flask, *, prefix: str, base: str) -> None:
    """Serve ``api/v1`` below ``prefix``; people reach it below ``base``. Both end with a slash."""
    api = flask.Blueprint("api", __name__, url_prefix=f"{prefix}{API}")

    @api.get("/")
    def index() -> flask.Response:
        explorers = [explorer.describe() for explorer in EXPLORERS.values()]
        return json_reply({"version": __version__, "openapi": OPENAPI, "explorers": explorers})

    @api.get(f"/{OPENAPI}")
    def description() -> flask.Response:
        return json_reply(openapi(f"{base}{API}".rstrip("/")))

    @api.get("/report")
    def whole_report() -> flask.Response:
        return json_reply(as_json(report()))

    @api.get("/report.<any(csv, md):ending>")
    def report_file(ending: str) -> flask.Response:
        kind, write = {"csv": ("csv", as_csv), "md": ("markdown", as_markdown)}[ending]
        return _file(write(report()), f"text/{kind}; charset=utf-8", f"results.{ending}")

    @api.route("/<slug>", methods=METHODS)
    def answer(slug: str) -> flask.Response:
        name, dot, ending = slug.rpartition(".")
        if dot and ending == "csv":
            return _csv(name, None)
        explorer = EXPLORERS.get(slug)
        if explorer is None:
            return unknown("explorer", slug, EXPLORERS)
        return _answer(explorer)

    @api.route("/<slug>/<table>.csv", methods=METHODS)
    def table(slug: str, table: str) -> flask.Response:
        return _csv(slug, table)

    @api.get("/<slug>/<part>")
    def part(slug: str, part: str) -> flask.Response:
        return _part(slug, part)

    @api.get("/<path:path>")
    def nothing(path: str) -> flask.Response:
        return unknown("address", path, ADDRESSES)

    api.register_error_handler(ParamsError, refusal)
    api.register_error_handler(QueueFullError, _unavailable)
    api.register_error_handler(RunFailedError, _unavailable)
    server.register_blueprint(api)


def _answer(explorer: Explorer) -> flask.Response:
    params = _params(explorer)
    return json_reply(explorer.answer(params, _outcomes(explorer, params)))


def _part(slug: str, part: str) -> flask.Response:
    """One part of a simulation, computed in the background if need be."""
    explorer = EXPLORERS.get(slug)
    if explorer is None:
        return unknown("explorer", slug, EXPLORERS)
    if explorer.simulation is None:
        return unknown("address", f"{slug}/{part}", ADDRESSES)
    if part not in explorer.simulation.parts:
        return unknown("part", part, explorer.simulation.parts)
    params = _params(explorer)
    outcomes = _computed(explorer, params, [part])
    return json_reply(explorer.part_answer(params, part, outcomes[part]))


def _csv(slug: str, table: str | None) -> flask.Response:
    explorer = EXPLORERS.get(slug)
    if explorer is None:
        return unknown("explorer", slug, EXPLORERS)
    if table is not None and table not in explorer.tables:
        return unknown("table", table, explorer.tables)
    params = _params(explorer)
    text = explorer.table(params, table, _outcomes(explorer, params, table)).to_csv()
    name = slug if table is None else f"{slug}-{table}"
    return _file(text, "text/csv; charset=utf-8", f"{name}.csv")


def _file(text: str, content_type: str, name: str) -> flask.Response:
    response = flask.Response(text, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _params(explorer: Explorer) -> Params:
    """The state that a request asks for, standing on its file if it sends one."""
    given, attachment = query(), explorer.attachment
    if flask.request.method != "POST":
        return explorer.params.parse(given)
    if attachment is None:
        raise ParamsError(
            [Problem(param="body", message=f"{explorer.slug} takes no file; use GET", value=None)]
        )
    if flask.request.mimetype == "multipart/form-data":
        message = f"{attachment.name}: send the file itself as the body (curl --data-binary @file)"
        raise ParamsError([Problem(param=attachment.name, message=message, value=None)])
    try:
        contents = flask.request.get_data()
    except RequestEntityTooLarge:
        contents = bytes(attachment.max_bytes + 1)  # refused like any file that is too large
    given.setdefault(attachment.field, attachment.value)
    return attachment.attach(explorer.params.parse(given), attachment.read_file(contents), given)


def _outcomes(
    explorer: Explorer, params: Params, table: str | None = None
) -> dict[str, Any] | None:
    """What a simulated explorer needs for an answer, computed in the background if need be."""
    simulation = explorer.simulation
    if simulation is None:
        return None
    parts = [simulation.main, simulation.needs.get(table or next(iter(explorer.tables)))]
    return _computed(explorer, params, [part for part in parts if part])


def _computed(explorer: Explorer, params: Params, parts: list[str]) -> dict[str, Any]:
    """Outcomes of parts; refuses a state over the cap, unless they are there already."""
    simulation = explorer.simulation
    assert simulation is not None  # noqa: S101 - only simulated explorers have parts
    missing = [part for part in parts if desk().known(explorer, part, params) is None]
    if missing:
        problems = simulation.check(params, simulation.cap_s) or [
            _too_long(simulation, part, params)
            for part in missing
            if not simulation.parts[part].on_demand
            and simulation.parts[part].estimate_s(params) > simulation.cap_s
        ]
        if problems:
            raise ParamsError(problems)
    watcher = secrets.token_hex(8)
    found = {}
    for part in parts:
        if simulation.parts[part].on_demand:
            found[part] = _run_before(explorer, simulation, part, params)
        else:
            found[part] = desk().wait(
                explorer, part, params, watcher=watcher, patience_s=PATIENCE * simulation.cap_s
            )
    return found


def _run_before(explorer: Explorer, simulation: Simulation, part: str, params: Params) -> Any:
    """What is stored or kept of a part that only people start."""
    outcome = desk().known(explorer, part, params)
    if outcome is None:
        seconds = simulation.parts[part].estimate_s(params)
        message = (
            f"{part} takes about {seconds:.0f} s, above the {simulation.cap_s:g} s that the API "
            f"computes; run it on the page, or on the command line with --csv --table {part}"
        )
        raise ParamsError([Problem(param="table", message=message, value=part)])
    return outcome


def _too_long(simulation: Simulation, part: str, params: Params) -> Problem:
    """Why a part beyond the first is not computed while somebody waits."""
    field, found = simulation.costly[0], simulation.parts[part]
    message = (
        f"{field} {getattr(params, field)}: the {found.label.lower()} would take about "
        f"{significant(found.estimate_s(params), 2)} s, over the cap of "
        f"{significant(simulation.cap_s, 2)} s: lower one of {', '.join(simulation.costly)}"
    )
    return Problem(param=field, message=message, value=getattr(params, field))


def _unavailable(error: QueueFullError | RunFailedError) -> flask.Response:
    """Not now: the queue is full, or a computation came to nothing."""
    body = {"errors": [{"param": "queue", "message": str(error), "value": None}]}
    response = json_reply(body, status=503)
    wait = error.retry_after_s if isinstance(error, QueueFullError) else RETRY_AFTER_S
    response.headers["Retry-After"] = str(wait)
    return response

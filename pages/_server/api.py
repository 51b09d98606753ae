"""JSON and CSV over HTTP: the same params, results and words as the pages."""

from __future__ import annotations

import secrets
from typing import Any

import flask
import orjson
from werkzeug.exceptions import RequestEntityTooLarge

from foptrn_model import __version__
from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.parameters import Params, ParamsError, Problem, query_values
from foptrn_model.simulation import Simulation
from pages._jobs.desk import RunFailedError, desk
from pages._jobs.table import QueueFullError

API = "api/v1/"
PATIENCE = 3.0
"""An answer may take this many times the longest computation allowed: it may wait its turn."""
RETRY_AFTER_S = 5
METHODS = ("GET", "POST")
"""A person's own file is the body of a POST; the query stays what it is."""


def install_api(server: flask.Flask, *, prefix: str) -> None:
    """Serve ``api/v1`` below ``prefix`` (which ends with a slash)."""
    api = flask.Blueprint("api", __name__, url_prefix=f"{prefix}{API}")

    @api.get("/")
    def index() -> flask.Response:
        explorers = [explorer.describe() for explorer in EXPLORERS.values()]
        return _json({"version": __version__, "explorers": explorers})

    @api.route("/<slug>", methods=METHODS)
    def answer(slug: str) -> flask.Response:
        name, dot, ending = slug.rpartition(".")
        if dot and ending == "csv":
            return _csv(name, None)
        explorer = EXPLORERS.get(slug)
        if explorer is None:
            return _unknown("explorer", slug, EXPLORERS)
        return _answer(explorer)

    @api.route("/<slug>/<table>.csv", methods=METHODS)
    def table(slug: str, table: str) -> flask.Response:
        return _csv(slug, table)

    @api.get("/<path:path>")
    def nothing(path: str) -> flask.Response:
        return _unknown("address", path, ("<explorer>", "<explorer>.csv", "<explorer>/<table>.csv"))

    server.register_blueprint(api)


def _answer(explorer: Explorer) -> flask.Response:
    try:
        params = _params(explorer)
        return _json(explorer.answer(params, _outcomes(explorer, params)))
    except ParamsError as error:
        return _refusal(error)
    except (QueueFullError, RunFailedError) as error:
        return _unavailable(error)


def _csv(slug: str, table: str | None) -> flask.Response:
    explorer = EXPLORERS.get(slug)
    if explorer is None:
        return _unknown("explorer", slug, EXPLORERS)
    if table is not None and table not in explorer.tables:
        return _unknown("table", table, explorer.tables)
    try:
        params = _params(explorer)
        text = explorer.table(params, table, _outcomes(explorer, params, table)).to_csv()
    except ParamsError as error:
        return _refusal(error)
    except (QueueFullError, RunFailedError) as error:
        return _unavailable(error)
    response = flask.Response(text, content_type="text/csv; charset=utf-8")
    name = slug if table is None else f"{slug}-{table}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _params(explorer: Explorer) -> Params:
    """The state that a request asks for, standing on its file if it sends one."""
    given, attachment = _query(), explorer.attachment
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
    problems = simulation.check(params)
    if problems:
        raise ParamsError(problems)
    parts = [simulation.main, simulation.needs.get(table or next(iter(explorer.tables)))]
    watcher = secrets.token_hex(8)
    found = {}
    for part in filter(None, parts):
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


def _unavailable(error: QueueFullError | RunFailedError) -> flask.Response:
    """Not now: the queue is full, or a computation came to nothing."""
    body = {"errors": [{"param": "queue", "message": str(error), "value": None}]}
    response = _json(body, status=503)
    wait = error.retry_after_s if isinstance(error, QueueFullError) else RETRY_AFTER_S
    response.headers["Retry-After"] = str(wait)
    return response


def _query() -> dict[str, str | list[str]]:
    return query_values(flask.request.query_string.decode("utf-8", "replace"))


def _refusal(error: ParamsError) -> flask.Response:
    return _json({"errors": [problem.as_dict() for problem in error.problems]}, status=422)


def _unknown(kind: str, value: str, known: Any) -> flask.Response:
    message = f"unknown {kind}; known: {', '.join(known)}"
    return _json({"errors": [{"param": kind, "message": message, "value": value[:60]}]}, status=404)


def _json(body: dict[str, Any], *, status: int = 200) -> flask.Response:
    return flask.Response(orjson.dumps(body), status=status, content_type="application/json")

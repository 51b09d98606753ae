"""Answers over HTTP that are JSON: how a query is read, and what is said where it is refused."""

from __future__ import annotations

from typing import Any

import flask
import orjson

from foptrn_model.parameters import ParamsError, query_values


def query() -> dict[str, str | list[str]]:
    """The query of the request under way, by name; raises ParamsError where it is too long."""
    return query_values(flask.request.query_string.decode("utf-8", "replace"))


def refusal(error: ParamsError) -> flask.Response:
    """Every field that is wrong, with what it may be."""
    return json_reply({"errors": [problem.as_dict() for problem in error.problems]}, status=422)


def unknown(kind: str, value: str, known: Any) -> flask.Response:
    """A name that there is not, and those that there are."""
    message = f"unknown {kind}; known: {', '.join(known)}"
    body = {"errors": [{"param": kind, "message": message, "value": value[:60]}]}
    return json_reply(body, status=404)


def json_reply(body: dict[str, Any], *, status: int = 200) -> flask.Response:
    """A body of JSON."""
    return flask.Response(orjson.dumps(body), status=status, content_type="application/json")

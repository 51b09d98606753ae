"""Callback requests that no page of ours sends are refused before Dash reads them."""

from __future__ import annotations

from typing import Any

import flask

UPDATE = "_dash-update-component"
LISTS = ("inputs", "changedPropIds")


def refuse_malformed_updates(server: flask.Flask, app: Any) -> None:
    """Answer 400 where Dash would fail on a body of the wrong shape, or an unknown callback."""

    @server.before_request
    def check() -> flask.Response | None:
        if flask.request.method != "POST" or not flask.request.path.endswith(UPDATE):
            return None
        # Flask answers 400 or 415 itself where there is no readable JSON.
        if well_formed(flask.request.get_json(), known=app.callback_map):
            return None
        return flask.Response("malformed callback request", status=400, content_type="text/plain")


def well_formed(body: Any, *, known: Any) -> bool:
    """Whether a body has the shape of a callback request for a callback that exists."""
    if not isinstance(body, dict) or not isinstance(body.get("output"), str):
        return False
    if body["output"] not in known:
        return False
    if not all(isinstance(body.get(name, []), list) for name in (*LISTS, "state")):
        return False
    items = [*body.get("inputs", []), *body.get("state", [])]
    if not all(isinstance(item, dict) and {"id", "property"} <= set(item) for item in items):
        return False
    return all(isinstance(name, str) for name in body.get("changedPropIds", []))

"""Callback requests that no page of ours sends are refused before Dash reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import flask

UPDATE = "_dash-update-component"
ADDRESS = "_pages_location"
"""The component from whose pathname and search Dash finds a page."""


def refuse_malformed_updates(server: flask.Flask, app: Any) -> None:
    """Answer 400 where Dash would fail on a body of the wrong shape, or an unknown callback."""

    @server.before_request
    def check() -> flask.Response | None:
        if flask.request.method != "POST" or not flask.request.path.endswith(UPDATE):
            return None
        # Flask answers 400 or 415 itself where there is no readable JSON.
        try:
            body = flask.request.get_json()
        except RecursionError:  # lists in lists in lists
            body = None
        below = app.config.requests_pathname_prefix.rstrip("/")
        if well_formed(body, known=app.callback_map) and addressed(body, below=below):
            return None
        return flask.Response("malformed callback request", status=400, content_type="text/plain")


def well_formed(body: Any, *, known: Mapping[str, Any]) -> bool:
    """Whether a body names a callback of the server, and just what that takes and gives."""
    if not isinstance(body, dict) or not isinstance(body.get("output"), str):
        return False
    callback = known.get(body["output"], {})
    if "callback" not in callback:  # unknown, or one that runs in the browser
        return False
    changed = body.get("changedPropIds", [])
    return (
        same(body.get("inputs"), callback["inputs"])
        and same(body.get("state", []), callback["state"])
        and same(body.get("outputs"), outputs_of(body["output"]))
        and isinstance(changed, list)
        and all(isinstance(name, str) for name in changed)
    )


def same(items: Any, expected: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> bool:
    """Whether items are the expected properties of the expected components, in their order."""
    if isinstance(expected, Mapping):
        items, expected = [items], [expected]
    if not isinstance(items, list) or len(items) != len(expected):
        return False
    return all(
        isinstance(item, dict)
        and item.get("id") == want["id"]
        and item.get("property") == want["property"]
        for item, want in zip(items, expected, strict=True)
    )


def outputs_of(output: str) -> Any:
    """What the name of a callback says of its outputs: one, or a list."""
    names = [name.rpartition(".") for name in output.strip(".").split("...")]
    items = [{"id": name, "property": prop} for name, _, prop in names]
    return items if output.startswith("..") else items[0]


def addressed(body: Any, *, below: str) -> bool:
    """Whether the address of a page, where a callback takes one, is text and one of this app."""
    values = {
        item["property"]: item.get("value") for item in body["inputs"] if item["id"] == ADDRESS
    }
    if not values:
        return True
    path, search = values.get("pathname"), values.get("search") or ""
    return isinstance(path, str) and path.startswith(f"{below}/") and isinstance(search, str)

"""Constants of the models in the browser over HTTP, one file per explorer that has one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

import flask
import orjson

MODELS = "models/"


def install_models(
    server: flask.Flask,
    *,
    prefix: str,
    slugs: Collection[str],
    make: Callable[[str], dict[str, Any]],
) -> None:
    """Serve ``models/<slug>.json`` below ``prefix``; browsers keep it, and ask each time for news."""
    models = flask.Blueprint("models", __name__, url_prefix=f"{prefix}{MODELS}")

    @cache
    def contents(slug: str) -> bytes:
        return orjson.dumps(make(slug))

    @models.get("/<slug>.json")
    def data(slug: str) -> flask.Response:
        if slug not in slugs:
            flask.abort(404)
        response = flask.Response(contents(slug), content_type="application/json")
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(flask.request)
        return response

    server.register_blueprint(models)

"""What goes wrong is told in a sentence, without anything of the inside."""

from __future__ import annotations

from collections.abc import Callable, Container

import flask
import orjson
from markupsafe import escape
from werkzeug.exceptions import HTTPException, NotFound

SENTENCES = {
    404: "There is nothing at this address.",
    405: "This address does not take that method.",
    413: "What was sent is larger than this server takes.",
    500: "Something went wrong on the server; its log says what.",
}
"""Where the library's own sentence is long, or says what people cannot use."""


def install_errors(server: flask.Flask, *, prefix: str, api: str, absent: type[Exception]) -> None:
    """Answer errors below ``api`` as JSON, and all others as a small page.

    Dash raises ``absent`` for a script that does not exist.
    """

    @server.errorhandler(HTTPException)
    def tell(error: HTTPException) -> flask.Response:
        code = error.code or 500
        message = SENTENCES.get(code, error.description or error.name)
        if flask.request.path.startswith(prefix + api):
            problem = {"param": "request", "message": message, "value": None}
            body, kind = orjson.dumps({"errors": [problem]}), "application/json"
        else:
            page = (
                f'<!DOCTYPE html><html lang="en"><head><title>{escape(error.name)}</title></head>'
                f"<body><h1>{escape(error.name)}</h1><p>{escape(message)}</p></body></html>"
            )
            body, kind = page.encode(), "text/html; charset=utf-8"
        response = flask.Response(body, status=code, content_type=kind)
        # Such as which methods are allowed.
        for name, value in error.get_headers(flask.request.environ):
            if name.lower() != "content-type":
                response.headers[name] = value
        return response

    @server.errorhandler(absent)
    def nothing(_: Exception) -> flask.Response:
        return tell(NotFound())


def install_page_status(
    server: flask.Flask, *, prefix: str, known: Callable[[], Container[str]]
) -> None:
    """Give status 404 where the page that Dash serves for any address will say so.

    ``known`` gives the pages' addresses without ``prefix`` and slashes around them.
    """
    anything = f"{prefix}<path:path>"  # the name of Dash's rule for whatever else is asked for

    @server.after_request
    def status(response: flask.Response) -> flask.Response:
        request = flask.request
        address = request.path.removeprefix(prefix).strip("/")
        if request.endpoint == anything and response.status_code == 200 and address not in known():
            response.status_code = 404
        return response

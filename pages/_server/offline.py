"""Offline files over HTTP: a state of an explorer as one document to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import flask

from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.parameters import Params, ParamsError
from foptrn_model.takeaway import file_name
from pages._jobs.desk import desk
from pages._server.replies import query, refusal, unknown


class Draw(Protocol):
    """Makes the document of a state; ``known`` gives the outcomes of a state that are there."""

    def __call__(
        self,
        explorer: Explorer,
        params: Params,
        *,
        known: Callable[[Params], Mapping[str, Any]],
        address: str,
    ) -> str: ...


def install_offline(server: flask.Flask, *, prefix: str, base_path: str, draw: Draw) -> None:
    """Serve ``offline/<slug>.html`` below ``prefix``, as a file to keep.

    Nothing is simulated for it: a state without an outcome is refused. The
    file names the state's link, under the ``base_path`` that people reach.
    """
    offline = flask.Blueprint("offline", __name__, url_prefix=f"{prefix}offline")

    @offline.get("/<slug>.html")
    def file(slug: str) -> flask.Response:
        explorer = EXPLORERS.get(slug)
        if explorer is None:
            return unknown("explorer", slug, EXPLORERS)
        params = explorer.params.parse(query())
        text = draw(
            explorer,
            params,
            known=lambda state: _known(explorer, state),
            address=f"{flask.request.host_url.rstrip('/')}{base_path}{slug}",
        )
        response = flask.Response(text, content_type="text/html; charset=utf-8")
        name = f"{file_name(slug, params)}.html"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    offline.register_error_handler(ParamsError, refusal)
    server.register_blueprint(offline)


def _known(explorer: Explorer, params: Params) -> dict[str, Any]:
    """What is stored or kept of a state; nothing is started for it."""
    parts = explorer.simulation.parts if explorer.simulation else {}
    found = {part: desk().known(explorer, part, params) for part in parts}
    return {part: outcome for part, outcome in found.items() if outcome is not None}

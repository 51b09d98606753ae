"""The web application: ``create_app()`` for tests, ``server`` for WSGI, or run this file."""

from __future__ import annotations

import sys

import dash
import flask

from pages._components.document import index_string
from pages._components.shell import shell
from pages._components.theme import style_sheet
from pages._jobs.desk import desk, open_desk
from pages._offline.document import offline_document
from pages._server.api import install_api
from pages._server.decks import install_decks
from pages._server.headers import install_headers
from pages._server.offline import install_offline
from pages._server.settings import Settings, SettingsError, read_settings, state_directory
from pages._server.updates import refuse_malformed_updates

MAX_BODY_BYTES = 2_000_000
"""A file of 1 MB in the letters of JSON, and a request around it."""


def create_app(settings: Settings | None = None) -> dash.Dash:
    """Build the app and answer one request, so that no visitor meets a cold server.

    Dash finishes its set-up within the first request and marks it done before
    it is; parallel first requests would fail.
    """
    settings = settings or read_settings()
    open_desk(state_directory(settings), settings.job_slots)
    server = flask.Flask(__name__)
    server.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    # Read when Dash switches compression on. Dash's bundles are streamed files, which would
    # otherwise reach a client that knows only gzip uncompressed.
    server.config["COMPRESS_ALGORITHM_STREAMING"] = ["zstd", "br", "gzip"]
    app = dash.Dash(
        __name__,
        server=server,
        use_pages=True,
        title="Fourier Optics for Training",
        update_title=None,
        requests_pathname_prefix=settings.base_path,
        routes_pathname_prefix=settings.routes_path,
        assets_ignore=r"^(head\.js|deck.*|model.*\.js|offline.*|.*\.(woff2|txt))$",
        assets_path_ignore=["^vendor$"],  # files that only decks ask for
        compress=True,
        health_endpoint="healthz",
        add_log_handler=False,
    )
    refuse_malformed_updates(server, app)
    app.index_string = index_string(app)
    app.layout = shell
    install_api(server, prefix=settings.routes_path)
    install_decks(
        server,
        prefix=settings.routes_path,
        base_path=settings.base_path,
        style_sheet=style_sheet(),
        asset=app.get_asset_url,
    )
    install_offline(
        server,
        prefix=settings.routes_path,
        base_path=settings.base_path,
        draw=offline_document,
    )
    install_headers(server, frame_ancestors=settings.frame_ancestors, script_hashes=app.csp_hashes)
    with server.test_client() as client:
        client.get(settings.routes_path)
    return app


def __getattr__(name: str) -> flask.Flask:
    """Build ``server`` when a WSGI server asks for it, not when a test imports this."""
    if name == "server":
        globals()["server"] = create_app().server
        return globals()["server"]
    raise AttributeError(name)


def main() -> int:
    """Serve on the configured host and port until interrupted."""
    try:
        settings = read_settings()
        app = create_app(settings)
    except SettingsError as error:
        print(f"app.py: {error}", file=sys.stderr)  # noqa: T201
        return 2
    desk().start()
    app.run(host=settings.host, port=settings.port, debug=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())

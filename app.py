"""The web application: ``create_app()`` for tests, ``server`` for WSGI, or run this file."""

from __future__ import annotations

import sys
from functools import partial

import dash
import flask
from dash.exceptions import DependencyException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.serving import WSGIRequestHandler

from foptrn_model.code_commit import commit, tell
from pages._components.assets import asset_address
from pages._components.document import bare, index_string
from pages._components.shell import shell
from pages._components.theme import style_sheet
from pages._figures.browser import SCRIPTS, live_data
from pages._jobs.desk import Desk, desk, open_desk
from pages._offline.document import offline_document
from pages._server.access_log import AccessLog
from pages._server.api import API, install_api
from pages._server.compressed import install_compressed
from pages._server.decks import install_decks
from pages._server.errors import install_errors, install_page_status
from pages._server.headers import install_headers
from pages._server.limits import install_limits
from pages._server.memory import give_back_large_arrays
from pages._server.models import install_models
from pages._server.offline import install_offline
from pages._server.release import release
from pages._server.settings import Settings, SettingsError, read_settings, state_directory
from pages._server.updates import refuse_malformed_updates


def create_app(settings: Settings | None = None) -> dash.Dash:
    """Build the app and answer one request, so that no visitor meets a cold server.

    Dash finishes its set-up within the first request and marks it done before
    it is; parallel first requests would fail.
    """
    settings = settings or read_settings()
    open_desk(
        Desk(
            state_directory(settings),
            settings.job_slots,
            per_address=settings.jobs_per_address,
            waiters=settings.threads // 2,
            cache_bytes=1_000_000 * settings.cache_MB,
            scheduler=settings.scheduler,
        )
    )
    server = flask.Flask(__name__)
    install_limits(server)
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
    app.index_string = index_string()
    tell(settings.commit)
    app.layout = partial(shell, commit(settings.commit))
    install_api(server, prefix=settings.routes_path, base=settings.base_path)
    install_models(server, prefix=settings.routes_path, slugs=SCRIPTS, make=live_data)
    install_decks(
        server,
        prefix=settings.routes_path,
        base_path=settings.base_path,
        style_sheet=style_sheet(),
        asset=asset_address,
    )
    install_offline(
        server,
        prefix=settings.routes_path,
        base_path=settings.base_path,
        draw=offline_document,
    )
    install_errors(server, prefix=settings.routes_path, api=API, absent=DependencyException)
    install_page_status(server, prefix=settings.routes_path, known=page_addresses)
    install_compressed(server, prefix=settings.routes_path)
    install_headers(server, frame_ancestors=settings.frame_ancestors, script_hashes=app.csp_hashes)
    with server.test_client() as client:
        client.get(settings.routes_path)
    app.validation_layout = bare(app.validation_layout)
    if settings.trusted_proxies:
        told = settings.trusted_proxies
        server.wsgi_app = ProxyFix(server.wsgi_app, x_for=told, x_proto=told, x_host=0)  # type: ignore[method-assign]
    if settings.access_log:
        server.wsgi_app = AccessLog(server.wsgi_app)  # type: ignore[method-assign]
    return app


def page_addresses() -> set[str]:
    """Addresses at which there is a page, without slashes around them."""
    pages = dash.page_registry.values()
    return {page["path"].strip("/") for page in pages if page["module"] != "pages.not_found_404"}


class Quiet(WSGIRequestHandler):
    """Without werkzeug's own lines, which hold addresses and queries; see FOPTRN_ACCESS_LOG."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


def __getattr__(name: str) -> flask.Flask:
    """Build ``server`` when a WSGI server asks for it, not when a test imports this."""
    if name == "server":
        globals()["server"] = create_app().server
        return globals()["server"]
    raise AttributeError(name)


def main() -> int:
    """Serve on the configured host and port until interrupted; for few people."""
    try:
        settings = read_settings()
        if "--version" in sys.argv[1:]:
            sys.stdout.write(f"{release(settings.commit)}\n")
            return 0
        if sys.argv[1:]:
            raise SettingsError(f"takes only --version, got {sys.argv[1]!r}")
        give_back_large_arrays()
        app = create_app(settings)
    except SettingsError as error:
        print(f"app.py: {error}", file=sys.stderr)  # noqa: T201
        return 2
    sys.stdout.write("\n".join((release(settings.commit), *settings.lines())) + "\n")
    sys.stdout.flush()
    desk().start()
    app.run(host=settings.host, port=settings.port, debug=False, request_handler=Quiet)
    return 0


if __name__ == "__main__":
    sys.exit(main())

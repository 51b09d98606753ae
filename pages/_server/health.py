"""``python -m pages._server.health`` ends with status 0 where the server of this machine answers."""

from __future__ import annotations

import http.client
import sys

from pages._server.settings import read_settings


def main() -> int:
    """Ask ``/healthz`` as the settings say where it is."""
    settings = read_settings()
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104
    asking = http.client.HTTPConnection(host, settings.port, timeout=4)
    try:
        asking.request("GET", f"{settings.routes_path}healthz")
        return 0 if asking.getresponse().status == 200 else 1
    except OSError:
        return 1


if __name__ == "__main__":
    sys.exit(main())

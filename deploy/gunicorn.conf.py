"""Gunicorn's settings: ``python -m gunicorn --config deploy/gunicorn.conf.py``, or ``make serve``.

What a site may change comes from FOPTRN_* (pages/_server/settings.py); docs/deploy.md explains.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# A reload (HUP) reads this file again in the same process. Workers are forked from it, so what
# it has imported of the project must be the new code then.
for name in [name for name in sys.modules if name.partition(".")[0] in ("pages", "foptrn_model")]:
    del sys.modules[name]

from pages._server.memory import give_back_large_arrays, give_back_now_and_then  # noqa: E402
from pages._server.release import release  # noqa: E402
from pages._server.settings import SettingsError, read_settings, state_directory  # noqa: E402

try:
    settings = read_settings()
    state_directory(settings)
except SettingsError as error:
    sys.exit(f"gunicorn.conf.py: {error}")

give_back_large_arrays()  # workers are forked from this process

wsgi_app = "app:server"
chdir = str(ROOT)
bind = f"{settings.host}:{settings.port}"

# Threads, because requests wait: for slow readers, and for computations of the runner.
worker_class = "gthread"
workers = settings.worker_count
threads = settings.threads

# Not preloaded: a reload then takes new code, and no worker inherits an open SQLite file.
preload_app = False

# A worker tells that it lives by touching a file, which must never wait for a disk.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108

# A worker that has not done so for this long is replaced. It counts from the fork, and building
# the app takes seconds, on a busy machine many.
timeout = 120
# On a stop or reload requests may end; only an answer that waits for a computation takes longer,
# and its outcome is kept.
graceful_timeout = 30
# Longer than people look at a figure: their next request then needs no new connection, and none is
# closed while a request is on its way. An open connection costs a file descriptor.
keepalive = 75

# Workers are not restarted after so many requests: memory stays level (docs/deploy.md), and a
# new worker would have to measure and draw its samples again.
max_requests = 0

limit_request_line = 8190  # the app refuses a long query before that, in words of its own
limit_request_fields = 64
limit_request_field_size = 8190

# What proxies say is read in one place, the app, and only when told (FOPTRN_TRUSTED_PROXIES).
forwarded_allow_ips = ""
forwarder_headers = ""

accesslog = None  # FOPTRN_ACCESS_LOG=true has the app write one without addresses and queries
control_socket_disable = True


def on_starting(server):
    """Tell what runs here and how."""
    for line in (f"Fourier Optics for Training {release(settings.commit)}", *settings.lines()):
        server.log.info(line)


def post_worker_init(worker):
    """Answer a request before any visitor's, and see to it that the one runner runs.

    Dash finishes its set-up within the first request and marks it done before it is. What a page
    loads is compressed then, too. Each worker asks for the runner; the first starts it, and it
    lives until gunicorn's master ends.
    """
    from pages._jobs.desk import desk  # noqa: PLC0415 - not before the worker has its app
    from pages._server.compressed import prepare  # noqa: PLC0415

    response = worker.wsgi.test_client().get(settings.routes_path)
    if response.status_code != 200:
        raise RuntimeError(f"the first page has status {response.status_code}")
    give_back_now_and_then()
    document = response.get_data(as_text=True)
    prepare(worker.wsgi, document, routes_path=settings.routes_path, base_path=settings.base_path)
    desk().start()

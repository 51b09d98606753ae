"""The app as a site runs it: gunicorn with the settings of deploy/, nginx with its example."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from pages._jobs.processes import die_with_parent
from tests import waiting

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "deploy" / "nginx.conf"
SUB_PATH = "/lab/optics"
PATIENCE_S = 120.0
"""How long a test waits for what must come; nothing is asserted about speed."""

MODES: dict[str, dict[str, str]] = {
    "root": {"FOPTRN_WORKERS": "2"},
    "kept": {"FOPTRN_BASE_PATH": SUB_PATH, "FOPTRN_WORKERS": "1"},
    "stripped": {
        "FOPTRN_BASE_PATH": SUB_PATH,
        "FOPTRN_PROXY_STRIPS": "true",
        "FOPTRN_WORKERS": "1",
    },
}


@dataclass(frozen=True, kw_only=True)
class Served:
    """One mode: gunicorn's address and what people open, in front of it."""

    gunicorn: str
    site: str
    state: Path
    log: Path
    master: psutil.Popen

    def workers(self) -> list[psutil.Process]:
        """Gunicorn's own children that serve."""
        return [child for child in self.master.children() if not is_runner(child)]

    def runners(self) -> list[psutil.Process]:
        """Runners of this server, whoever is their parent now."""
        return [
            process
            for process in psutil.process_iter()
            if is_runner(process) and str(self.state) in words(process)
        ]


def words(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:  # it has just ended
        return []


def is_runner(process: psutil.Process) -> bool:
    return "pages._jobs.runner" in words(process)


until = partial(waiting.until, patience_s=PATIENCE_S)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def started(command: list[str], log: Path, **options: Any) -> Iterator[psutil.Popen]:
    """A process that ends with the test, or with this one."""
    with log.open("wb") as written:
        process = psutil.Popen(
            command, stdin=subprocess.DEVNULL, stdout=written, stderr=written,
            preexec_fn=die_with_parent, **options,
        )  # fmt: skip
    try:
        yield process
    finally:
        if process.is_running():
            process.terminate()
            process.wait(PATIENCE_S)


def nginx_path() -> str:
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert found, "nginx is missing; make test installs it"
    return found


def derived(text: str, *, mode: str, app_port: int, port: int, folder: Path) -> str:
    """The shipped example, changed as its first lines say, on ports and in a folder of its own."""
    changes = {
        "/var/lib/nginx/foptrn": str(folder / "cache"),
        "server 127.0.0.1:8050;": f"server 127.0.0.1:{app_port};",
        "listen 80;": f"listen 127.0.0.1:{port};",
    }
    if mode == "stripped":
        changes["        proxy_pass http://foptrn;"] = "        proxy_pass http://foptrn/;"
    if mode == "root":
        changes["    location /lab/optics/ {"] = "    location / {"
        changes["    location = /lab/optics {\n        return 301 /lab/optics/;\n    }\n"] = ""
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def around(folder: Path, included: Path) -> str:
    """What Debian's nginx.conf has around a site, for one process of this user."""
    places = "".join(
        f"{name}_temp_path {folder / name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        "daemon off;\nmaster_process off;\n"
        f"pid {folder / 'nginx.pid'};\nerror_log {folder / 'error.log'};\n"
        f"events {{}}\nhttp {{\n{places}include {included};\n}}\n"
    )


@contextmanager
def gunicorn_alone(folder: Path, **settings: str) -> Iterator[Served]:
    """Gunicorn with nothing in front of it; gives as soon as it listens."""
    port = free_port()
    environment = {name: text for name, text in os.environ.items() if "FOPTRN_" not in name}
    environment |= {"FOPTRN_PORT": str(port), "FOPTRN_STATE_DIR": str(folder / "state")} | settings
    command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
    log = folder / "gunicorn.log"
    with started(command, log, cwd=ROOT, env=environment) as master:
        until(lambda: listening(port) or died(master))
        address = f"http://127.0.0.1:{port}"
        yield Served(gunicorn=address, site=address, state=folder / "state", log=log, master=master)


@contextmanager
def served(mode: str, folder: Path) -> Iterator[Served]:
    """Gunicorn, and nginx in front of it; gives as soon as both listen."""
    folder.mkdir()
    settings = MODES[mode] | {
        "FOPTRN_TRUSTED_PROXIES": "1",
        "FOPTRN_ACCESS_LOG": "true",
        "FOPTRN_JOB_SLOTS": "1",
    }
    with gunicorn_alone(folder, **settings) as server:
        app_port, port = int(server.gunicorn.rpartition(":")[2]), free_port()
        example = EXAMPLE.read_text(encoding="utf-8")
        site = folder / "foptrn.conf"
        site.write_text(derived(example, mode=mode, app_port=app_port, port=port, folder=folder))
        (folder / "nginx.conf").write_text(around(folder, site))
        nginx = [nginx_path(), "-p", str(folder), "-e", str(folder / "error.log"),
                 "-c", str(folder / "nginx.conf")]  # fmt: skip
        with started(nginx, folder / "nginx.log") as front:
            until(lambda: listening(port) or died(front))
            path = "" if mode == "root" else SUB_PATH
            yield replace(server, site=f"http://127.0.0.1:{port}{path}")


def died(process: psutil.Popen) -> bool:
    assert process.poll() is None, f"{process.args} ended; its log says why"
    return False


@contextmanager
def all_served(folder: Path) -> Iterator[dict[str, Served]]:
    """Every mode at once, so that they start while the first is being looked at."""
    with ExitStack() as stack:
        yield {mode: stack.enter_context(served(mode, folder / mode)) for mode in MODES}

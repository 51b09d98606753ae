"""Settings: environment variables FOPTRN_*, read here and nowhere else."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from foptrn_model.sweep.address import check_address
from foptrn_model.sweep.errors import SweepError

PREFIX = "FOPTRN_"
MOST_CORES = 8
"""By itself a server takes no more workers than this; few people need more."""


class SettingsError(ValueError):
    """Raised for a setting that cannot be used; names the variable and the value."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the server runs. The environment variable of a field is its name in capitals.

    ``base_path`` is the path under which people reach the app, with slashes at
    both ends. ``proxy_strips`` says whether a proxy removes it before the
    request arrives; ``trusted_proxies`` how many proxies in front may say who
    asks, none by default. ``frame_ancestors`` is the CSP source list of hosts
    that may embed the pages; any by default, since embedding is a purpose.
    ``state_dir`` holds what was computed, up to ``cache_MB``; by default it is
    a folder of this user's in the system's place for temporary files.
    ``job_slots`` is how many long computations run at once,
    ``jobs_per_address`` how many one address may have running or waiting: half
    of the queue, so that none fills it alone. ``scheduler`` is the Dask scheduler
    whose workers compute the sweeps of pages; without one the runner does. ``workers`` and ``threads`` are
    for ``make serve``; 0 workers means by the number of cores. ``commit``
    names what is installed where git cannot say it.
    """

    host: str = "127.0.0.1"
    port: int = 8050
    base_path: str = "/"
    proxy_strips: bool = False
    trusted_proxies: int = 0
    frame_ancestors: str = "*"
    state_dir: str = ""
    cache_MB: int = 500
    job_slots: int = 2
    jobs_per_address: int = 8
    scheduler: str = ""
    workers: int = 0
    threads: int = 8
    access_log: bool = False
    commit: str = ""

    @property
    def routes_path(self) -> str:
        """Prefix of the paths that arrive here."""
        return "/" if self.proxy_strips else self.base_path

    @property
    def worker_count(self) -> int:
        """Web processes: one per core, and two at least, so that one can fail."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
        return self.workers or min(max(cores, 2), MOST_CORES)

    def lines(self) -> list[str]:
        """Every setting as the environment would say it; none of them is a secret."""
        return [
            f"{variable(item.name)}={_shown(getattr(self, item.name))}" for item in fields(self)
        ]


def variable(name: str) -> str:
    """The environment variable of a field."""
    return PREFIX + name.upper()


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings, or raise SettingsError with one clear line."""
    values = os.environ if environ is None else environ
    given = {name: text for name, text in values.items() if name.startswith(PREFIX)}
    known = {variable(name): name for name in READERS}
    for name in sorted(given.keys() - known.keys()):
        raise SettingsError(f"{name} is not a setting; known: {', '.join(known)}")
    return Settings(
        **{known[name]: READERS[known[name]](name, text) for name, text in given.items()}
    )


def state_directory(settings: Settings) -> Path:
    """The folder of what was computed, which must be this user's own and nobody else's."""
    text = settings.state_dir or str(Path(tempfile.gettempdir()) / f"foptrn-{os.getuid()}")
    path = Path(text)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise SettingsError(f"FOPTRN_STATE_DIR: cannot use {text}: {error.strerror}") from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise SettingsError(f"FOPTRN_STATE_DIR must be a folder of this user's, got {text}")
    return path


def _whole(low: int, high: int) -> Callable[[str, str], int]:
    def read(name: str, text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise SettingsError(f"{name} must be a whole number from {low} to {high}, got {text!r}")
        return int(text)

    return read


def _base_path(name: str, text: str) -> str:
    path = f"/{text.strip('/')}/" if text.strip("/") else "/"
    if not re.fullmatch(r"/([A-Za-z0-9._~-]+/)*", path):
        raise SettingsError(
            f"{name} must be a path of letters, digits, '.', '_', '~', '-', got {text!r}"
        )
    return path


def _switch(name: str, text: str) -> bool:
    try:
        return {"true": True, "false": False}[text.lower()]
    except KeyError:
        raise SettingsError(f"{name} must be true or false, got {text!r}") from None


def _frame_ancestors(name: str, text: str) -> str:
    # A semicolon or line break would start another directive or header.
    if not text.strip() or not re.fullmatch(r"[A-Za-z0-9.:/*'\- \[\]]+", text):
        raise SettingsError(f"{name} must be a list of hosts, *, 'self' or 'none', got {text!r}")
    return text.strip()


def _commit(name: str, text: str) -> str:
    if not re.fullmatch(r"([0-9a-f]{7,40})?", text):
        raise SettingsError(f"{name} must be 7 to 40 hexadecimal digits, got {text!r}")
    return text


def _scheduler(name: str, text: str) -> str:
    try:
        return check_address(text) if text else ""
    except SweepError as error:
        raise SettingsError(f"{name}: {error}") from None


def _text(name: str, text: str) -> str:
    return text


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


READERS: dict[str, Callable[[str, str], Any]] = {
    "host": _text,
    "port": _whole(1, 65_535),
    "base_path": _base_path,
    "proxy_strips": _switch,
    "trusted_proxies": _whole(0, 5),
    "frame_ancestors": _frame_ancestors,
    "state_dir": _text,
    "cache_MB": _whole(10, 1_000_000),
    "job_slots": _whole(1, 64),
    "jobs_per_address": _whole(1, 16),
    "scheduler": _scheduler,
    "workers": _whole(0, 64),
    "threads": _whole(2, 64),
    "access_log": _switch,
    "commit": _commit,
}

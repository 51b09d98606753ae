"""Settings: environment variables FOPTRN_*, read here and nowhere else."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_SLOTS = 64


class SettingsError(ValueError):
    """Raised for a setting that cannot be used; names the variable and the value."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the server runs.

    ``base_path`` is the path under which people reach the app, with slashes at
    both ends. ``proxy_strips`` says whether a proxy removes it before the
    request arrives. ``frame_ancestors`` is the CSP source list of hosts that
    may embed the pages; any by default, since embedding is a purpose.
    ``state_dir`` holds what was computed; by default a folder of this user's
    in the system's place for temporary files. ``job_slots`` is how many long
    computations run at once.
    """

    host: str = "127.0.0.1"
    port: int = 8050
    base_path: str = "/"
    proxy_strips: bool = False
    frame_ancestors: str = "*"
    state_dir: str = ""
    job_slots: int = 2

    @property
    def routes_path(self) -> str:
        """Prefix of the paths that arrive here."""
        return "/" if self.proxy_strips else self.base_path


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings, or raise SettingsError with one clear line."""
    values = os.environ if environ is None else environ
    return Settings(
        host=values.get("FOPTRN_HOST", "127.0.0.1"),
        port=_port(values.get("FOPTRN_PORT", "8050")),
        base_path=_base_path(values.get("FOPTRN_BASE_PATH", "/")),
        proxy_strips=_switch("FOPTRN_PROXY_STRIPS", values.get("FOPTRN_PROXY_STRIPS", "false")),
        frame_ancestors=_frame_ancestors(values.get("FOPTRN_FRAME_ANCESTORS", "*")),
        state_dir=values.get("FOPTRN_STATE_DIR", ""),
        job_slots=_slots(values.get("FOPTRN_JOB_SLOTS", "2")),
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


def _slots(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST_SLOTS:
        raise SettingsError(
            f"FOPTRN_JOB_SLOTS must be a whole number from 1 to {MOST_SLOTS}, got {text!r}"
        )
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65_536:
        raise SettingsError(f"FOPTRN_PORT must be a whole number from 1 to 65535, got {text!r}")
    return int(text)


def _base_path(text: str) -> str:
    path = f"/{text.strip('/')}/" if text.strip("/") else "/"
    if not re.fullmatch(r"/([A-Za-z0-9._~-]+/)*", path):
        raise SettingsError(
            f"FOPTRN_BASE_PATH must be a path of letters, digits, '.', '_', '~', '-', got {text!r}"
        )
    return path


def _switch(name: str, text: str) -> bool:
    try:
        return {"true": True, "false": False}[text.lower()]
    except KeyError:
        raise SettingsError(f"{name} must be true or false, got {text!r}") from None


def _frame_ancestors(text: str) -> str:
    # A semicolon or line break would start another directive or header.
    if not text.strip() or not re.fullmatch(r"[A-Za-z0-9.:/*'\- \[\]]+", text):
        raise SettingsError(
            f"FOPTRN_FRAME_ANCESTORS must be a list of hosts, *, 'self' or 'none', got {text!r}"
        )
    return text.strip()

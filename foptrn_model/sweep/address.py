"""Addresses of Dask schedulers, checked without loading the model or Dask."""

from __future__ import annotations

import re

from foptrn_model.sweep.errors import SweepError

ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):\d{1,5}")


def check_address(address: str) -> str:
    """A scheduler's address as it is, or a SweepError."""
    if not ADDRESS.fullmatch(address):
        raise SweepError(f"a scheduler is tcp://host:port or tls://host:port, got {address!r}")
    return address

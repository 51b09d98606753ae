"""Addresses of files in assets, with which browsers keep them for good."""

from __future__ import annotations

from pathlib import Path

import dash

ASSETS = Path(__file__).parents[2] / "assets"


def asset_address(name: str) -> str:
    """A file in assets with its time of change, as Dash stamps those that it loads itself."""
    return f"{dash.get_asset_url(name)}?m={int((ASSETS / name).stat().st_mtime)}"

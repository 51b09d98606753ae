"""What a page is told of its model in the browser: which scripts make it, and where its data is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import dash

ASSETS = Path(__file__).parents[2] / "assets"


def instant_spec(slug: str, scripts: Sequence[str]) -> dict[str, object] | None:
    """Addresses for ``assets/instant.js``; None where an explorer has no such model."""
    if not scripts:
        return None
    return {
        "scripts": [_address(f"{name}.js") for name in scripts],
        "data": dash.get_relative_path(f"/models/{slug}.json"),
    }


def _address(name: str) -> str:
    """A file in assets with its time of change, as Dash stamps those that it loads itself."""
    return f"{dash.get_asset_url(name)}?m={int((ASSETS / name).stat().st_mtime)}"

"""What a page is told of its model in the browser: which scripts make it, and where its data is."""

from __future__ import annotations

from collections.abc import Sequence

import dash

from pages._components.assets import asset_address


def instant_spec(slug: str, scripts: Sequence[str]) -> dict[str, object] | None:
    """Addresses for ``assets/instant.js``; None where an explorer has no such model."""
    if not scripts:
        return None
    return {
        "scripts": [asset_address(f"{name}.js") for name in scripts],
        "data": dash.get_relative_path(f"/models/{slug}.json"),
    }

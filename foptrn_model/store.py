"""Compute anew what is stored of simulated explorers: ``python -m foptrn_model.store``.

A page opens on these outcomes, so that the first visit is never blank; tests
compute the first steps of each of them again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import orjson

from foptrn_model import __version__
from foptrn_model.explorers import EXPLORERS

FOLDER = Path(__file__).parent / "data"


def store(slug: str, folder: Path = FOLDER) -> Path:
    """Run every part of the states that one explorer stores, and write the outcomes."""
    explorer = EXPLORERS[slug]
    if explorer.simulation is None:
        raise ValueError(f"{slug} does not simulate")
    outcomes: dict[str, Any] = {}
    for query in explorer.simulation.stored_queries:
        params = explorer.params.from_query(query)
        for name, part in explorer.simulation.parts.items():
            key = f"{name}?{part.query(params)}"
            if key not in outcomes:
                outcomes[key] = part.run(params, lambda done, of: None)
    body = {
        "note": "Outcomes of some states, by part and query; made by foptrn_model.store.",
        "version": __version__,
        "outcomes": outcomes,
    }
    path = folder / f"stored_{slug}.json"
    path.write_bytes(orjson.dumps(body) + b"\n")
    return path


def main() -> int:
    """Store every simulated explorer."""
    for slug, explorer in EXPLORERS.items():
        if explorer.simulation is not None:
            sys.stdout.write(f"{store(slug)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

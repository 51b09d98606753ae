"""What a job's process does: compute one part of one state, telling how far it is."""

from __future__ import annotations

import time
from pathlib import Path

from foptrn_model.explorers import EXPLORERS
from pages._jobs.processes import die_with_parent
from pages._jobs.table import JobTable

REPORT_S = 0.1
"""Progress is told at most this often."""


def run_job(directory: str, key: str, slug: str, part: str, query: str) -> None:
    """Compute and keep the outcome, or what went wrong."""
    die_with_parent()
    table = JobTable(Path(directory))
    explorer = EXPLORERS[slug]
    if explorer.simulation is None:
        raise LookupError(slug)
    told = 0.0

    def progress(done: int, of: int) -> None:
        nonlocal told
        if time.monotonic() - told > REPORT_S or done == of:
            told = time.monotonic()
            table.report(key, done, of)

    started = time.monotonic()
    try:
        params = explorer.params.from_query(query)
        outcome = explorer.simulation.parts[part].run(params, progress)
    except Exception as error:  # whatever it is, the page must say so
        table.fail(key, f"{type(error).__name__}: {error}")
        raise
    table.finish(key, outcome, time.monotonic() - started)

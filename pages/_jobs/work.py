"""What a job's process does: compute one part of a state, or a sweep, telling how far it is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from foptrn_model.explorers import EXPLORERS
from foptrn_model.simulation import Progress
from foptrn_model.sweep import surface
from foptrn_model.sweep.errors import SweepError
from pages._jobs.processes import die_with_parent
from pages._jobs.table import Job, JobTable

REPORT_S = 0.1
"""Progress is told at most this often."""


def run_job(directory: str, job: Job, scheduler: str) -> None:
    """Compute and keep the outcome, or what went wrong; sweeps on a scheduler if there is one."""
    die_with_parent()
    table = JobTable(Path(directory))
    told = 0.0

    def progress(done: int, of: int) -> None:
        nonlocal told
        if time.monotonic() - told > REPORT_S or done == of:
            told = time.monotonic()
            table.report(job.key, done, of)

    started = time.monotonic()
    try:
        outcome = _compute(job, progress, scheduler)
    except SweepError as error:  # a cluster that is not there is nobody's mistake
        table.fail(job.key, str(error))
        return
    except Exception as error:  # whatever it is, the page must say so
        table.fail(job.key, f"{type(error).__name__}: {error}")
        raise
    table.finish(job.key, outcome, time.monotonic() - started)


def _compute(job: Job, progress: Progress, scheduler: str) -> Any:
    if job.part == surface.PART:
        asked = surface.Surface.from_query(job.slug, job.query)
        return surface.run_surface(asked, progress, scheduler)
    explorer = EXPLORERS[job.slug]
    if explorer.simulation is None:
        raise LookupError(job.slug)
    return explorer.simulation.parts[job.part].run(explorer.params.from_query(job.query), progress)

"""Start a server, let a crowd in, kill one web process half way, and print what they met.

With ``--soak`` nobody is killed; memory must stay level, and nothing may be left behind.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import psutil
import requests
from playwright.sync_api import sync_playwright

from foptrn_model.explorers import EXPLORERS
from tests.browser.conftest import CHROMIUM_FLAGS, chromium
from tests.browser.served import PATIENCE_S, ROOT, Served, gunicorn_alone, until
from tests.load.table import Kill, read_rows, report, report_kill
from tests.load.watch import Watch, files_around, megabytes, processes_of

LOOK_S = 5.0
WARM_S = 120.0
"""Memory counts from here: what a process remembers of the first states is there by then."""
MOST_PERCENT = 5.0
CACHE_MB = 10
"""So small that a soak fills it."""
END_S = 30.0


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Who comes, for how long, and whether a web process is killed."""

    people: int
    seconds: float
    workers: int
    soak: bool


def read_plan(words: Sequence[str] | None = None) -> Plan:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--soak", action="store_true", help="watch memory and what is left")
    parser.add_argument("--minutes", type=float, default=10, help="of a soak")
    read = parser.parse_args(words)
    seconds = 60 * read.minutes if read.soak else read.seconds
    return Plan(people=read.people, seconds=seconds, workers=read.workers, soak=read.soak)


def cold_requests(server: Served) -> dict[str, list[str]]:
    """What Chromium asks for when it opens each explorer for the first time."""
    found: dict[str, list[str]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        for slug in EXPLORERS:
            page = browser.new_page()
            paths = found.setdefault(slug, [])
            page.on(
                "request",
                lambda asked, paths=paths: (
                    paths.append(asked.url.removeprefix(server.site))
                    if asked.method == "GET" and asked.url.startswith("http")
                    else None
                ),
            )
            page.goto(f"{server.site}/{slug}")
            page.wait_for_selector(".xtick text")
            page.wait_for_load_state("networkidle")
            page.close()
        browser.close()
    return found


def run(plan: Plan, server: Served, folder: Path) -> int:
    """Let the crowd in; gives the number of faults."""
    cold, rows = folder / "cold.json", folder / "rows.jsonl"
    cold.write_bytes(orjson.dumps(cold_requests(server)))
    crowd = subprocess.Popen(
        [sys.executable, "-m", "tests.load.crowd", server.gunicorn,
         str(plan.people), str(plan.seconds), str(cold), str(rows)],
        cwd=ROOT,
    )  # fmt: skip
    watch, kill = Watch(server), None
    began = time.monotonic()
    while crowd.poll() is None:
        watch.look()
        if not plan.soak and kill is None and time.monotonic() - began > plan.seconds / 2:
            kill = kill_one(server)
        time.sleep(LOOK_S)
    ended = time.monotonic() - LOOK_S
    faults = report(read_rows(rows), kill=kill, seconds=plan.seconds) + bool(crowd.returncode)
    if kill is not None:
        report_kill(read_rows(rows), kill)
        faults += len(server.workers()) != plan.workers
    start = began + (min(WARM_S, plan.seconds / 4) if plan.soak else LOOK_S)
    flat = watch.report(start, ended, MOST_PERCENT if plan.soak else None)
    return faults + (not flat)


def kill_one(server: Served) -> Kill:
    """Kill a web process as a machine short of memory would."""
    victim, at = server.workers()[0], time.time()
    victim.kill()
    until(lambda: has_ended(victim))
    return Kill(at=at, gone=time.time())


def has_ended(process: psutil.Process) -> bool:
    """Whether its connections are closed: they are with its last thread, well after the first."""
    try:
        threads = os.listdir(f"/proc/{process.pid}/task")
        return len(threads) <= 1 and process.status() == psutil.STATUS_ZOMBIE
    except (FileNotFoundError, psutil.NoSuchProcess):
        return True


def what_is_left(processes: Sequence[psutil.Process], server: Served, files: set[Path]) -> int:
    """Print what outlives the server; gives how much."""
    _, alive = psutil.wait_procs(processes, timeout=END_S)
    temporary = server.state.parent / "tmp"
    left = sorted(files_around(temporary) - files)
    size = megabytes(server.state)
    print(f"after the end: {len(alive)} processes, {len(left)} files outside the state folder, "
          f"which has {size:.1f} MB (results at most {CACHE_MB} MB)")  # fmt: skip
    for item in (*alive, *left):
        print(f"left: {item}")
    return len(alive) + len(left) + (size > 2 * CACHE_MB)


def main() -> int:
    """Give 0 where nothing went wrong."""
    plan = read_plan()
    print(
        f"{os.cpu_count()} cores, shared by the server, the crowd and this program; load at the "
        f"start {os.getloadavg()[0]:.1f}\n{plan.people} people for {plan.seconds:g} s on "
        f"{plan.workers} web processes",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        temporary = folder / "tmp"
        temporary.mkdir()
        files = files_around(temporary)
        settings = {
            "FOPTRN_WORKERS": str(plan.workers),
            "FOPTRN_TRUSTED_PROXIES": "1",
            "FOPTRN_CACHE_MB": str(CACHE_MB),
            "TMPDIR": str(temporary),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        with gunicorn_alone(folder, **settings) as server:
            until(lambda: requests.get(server.gunicorn, timeout=PATIENCE_S).status_code == 200)
            faults = run(plan, server, folder)
            processes = processes_of(server)
        print(f"load at the end {os.getloadavg()[0]:.1f}")
        faults += what_is_left(processes, server, files)
    print("no fault" if not faults else f"{faults} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())

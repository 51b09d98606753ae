"""Sweeps on Dask workers: another machine's, ones that are killed, ones that a point kills."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from distributed import Client
from distributed.diagnostics.plugin import WorkerPlugin

from foptrn_model.__main__ import main
from foptrn_model.explorers import TRAINERS
from foptrn_model.sweep import points, surface
from foptrn_model.sweep.cluster import LETHAL, compute_there, local_cluster
from foptrn_model.sweep.engine import Missing, Pace
from foptrn_model.sweep.grid import read_grid
from foptrn_model.sweep.points import compute_batch, make_sweep
from tests.waiting import until

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0
GRID = ["phase_error_rad=0:0.6:4", "readout_noise=0,0.1"]
LIGHT = {"steps": 20, "seeds": 1, "batch": 16}
POISONED = 5
SURFACE = "batch=4&seeds=1&over=steps%3D1%3A3%3A2&over=layers%3D1%3A2%3A2"


def light_sweep():
    """Eight trainings of some hundredths of a second."""
    return make_sweep(TRAINERS, LIGHT, read_grid(TRAINERS.params, GRID))


def light_words() -> list[str]:
    """The same as words of the command."""
    given = [
        word
        for name, value in LIGHT.items()
        if name != "seeds"
        for word in (f"--{name}", str(value))
    ]
    return ["sweep", "trainers", *given, "--over", GRID[0], "--over", GRID[1], "--over", "seeds=1"]


class Kept:
    """What came of a sweep, by number."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[str, list]] = {}
        self.batches = 0

    def __call__(self, batch) -> None:
        self.batches += 1
        for number, _, message, values in batch["rows"]:
            assert number not in self.rows
            self.rows[number] = (message, values)


def here() -> dict[int, tuple[str, list]]:
    """The light sweep computed in this process."""
    kept = Kept()
    kept(compute_batch(light_sweep().plain, 0, light_sweep().grid.size))
    return kept.rows


@contextmanager
def program(folder: Path, *words: str, **environment: str) -> Iterator[subprocess.Popen]:
    """A program of Dask's in a folder of its own, ended with all it started."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words], cwd=folder, env=os.environ | environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        for item in [*psutil.Process(process.pid).children(recursive=True), process]:
            item.kill()
        process.wait(PATIENCE_S)


def machine(folder: Path) -> Path:
    """A folder with an installation of the model of its own."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "foptrn_model", folder / "foptrn_model", ignore=ignored)
    return folder


def test_two_machines_give_the_numbers_of_one(tmp_path, capsys, monkeypatch):
    """A scheduler, and two workers in processes, folders and installations of their own."""
    contact = tmp_path / "scheduler.json"
    at = ("--host", "127.0.0.1", "--no-dashboard")
    folders = [machine(tmp_path / name) for name in ("one", "two")]
    starting = ("worker", "--scheduler-file", str(contact), *at, "--nthreads", "1", "--no-nanny")
    with (
        program(folders[0], "scheduler", "--port", "0", "--scheduler-file", str(contact), *at,
                PYTHONPATH=str(folders[0])),
        program(folders[0], *starting, PYTHONPATH=str(folders[0])),
        program(folders[1], *starting, PYTHONPATH=str(folders[1])),
    ):  # fmt: skip
        until(contact.exists, PATIENCE_S)
        address = until(lambda: _address(contact), PATIENCE_S)
        with Client(address) as client:
            client.wait_for_workers(2, timeout=PATIENCE_S)
            out = tmp_path / "there.csv"
            code = main([*light_words(), "--out", str(out), "--scheduler", address])
            _, err = capsys.readouterr()
            assert code == 0, err
            assert "on 2 workers" in err
            found = client.run(lambda: __import__("foptrn_model").__file__)
            assert {Path(file).parents[1] for file in found.values()} == set(folders)
            # A page's sweep takes the same way.
            asked = surface.Surface.from_query("trainers", SURFACE)
            there = surface.run_surface(asked, lambda done, of: None, address)
            assert there["rows"] == surface.run_surface(asked, lambda done, of: None)["rows"]
            # Machines with other code than the command's say so, and nothing is misread.
            monkeypatch.setattr(points, "code_digest", lambda: "another")
            code = main([*light_words(), "--out", str(tmp_path / "b.csv"), "--scheduler", address])
            assert code == 2
            assert "another version of the model" in capsys.readouterr().err
            monkeypatch.undo()
    local = tmp_path / "here.csv"
    assert main([*light_words(), "--out", str(local), "--workers", "0"]) == 0
    assert out.read_bytes() == local.read_bytes()


def _address(contact: Path) -> str:
    try:
        return json.loads(contact.read_text())["address"]
    except ValueError:  # being written
        return ""


def test_no_scheduler_is_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("foptrn_model.sweep.cluster.CONNECT_S", 0.5)
    out = tmp_path / "a.csv"
    code = main([*light_words(), "--out", str(out), "--scheduler", "tcp://127.0.0.1:1"])
    err = capsys.readouterr().err
    assert code == 2
    assert "no scheduler answers at tcp://127.0.0.1:1" in err.splitlines()[-1]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with local_cluster(2) as made:
        yield made


def test_local_workers_listen_on_this_machine_only(client):
    tree = [psutil.Process(), *psutil.Process().children(recursive=True)]
    listening = [
        item.laddr.ip
        for process in tree
        for item in process.net_connections(kind="inet")
        if item.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert set(listening) == {"127.0.0.1"}
    assert client.scheduler.address.startswith("tls://")


def test_a_killed_worker_loses_nothing(client):
    """Killed while it computes: its process ends at once, and what it had is computed again."""
    sweep, kept = light_sweep(), Kept()
    killed = []

    def keep(batch) -> None:
        kept(batch)
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    compute_there(client, sweep.plain, Missing(bytearray(sweep.grid.size)), Pace(10.0), keep)
    assert killed
    assert kept.batches > 2
    assert kept.rows == here()
    client.wait_for_workers(2, timeout=PATIENCE_S)
    assert killed[0] not in client.run(os.getpid).values()


class Poison(WorkerPlugin):
    """Makes one point end the process that computes it, as one does that takes all memory."""

    name = "poison"

    def setup(self, worker) -> None:
        compute = points.compute_row

        def lethal(sweep, number):
            if number == POISONED:
                os.kill(os.getpid(), signal.SIGKILL)
            return compute(sweep, number)

        points.compute_row = lethal


def _suspicious(dask_scheduler) -> None:
    """One death is enough to be suspected, so that the test waits for fewer new workers."""
    dask_scheduler.allowed_failures = 0


def test_a_point_that_kills_its_workers_is_a_bad_row(client):
    client.run_on_scheduler(_suspicious)
    client.register_plugin(Poison())
    sweep, kept = light_sweep(), Kept()
    try:
        compute_there(client, sweep.plain, Missing(bytearray(sweep.grid.size)), Pace(10.0), kept)
    finally:
        client.unregister_worker_plugin(Poison.name)
    assert kept.rows == here() | {POISONED: (LETHAL, [])}

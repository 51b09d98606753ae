"""The compression experiment: every method on the same model, text and seeds.

``python -m foptrn_model experiment compression [--short|--long] [--out DIR]``
runs it. The long one first trains a few learning rates per optimizer for a
third of the steps and goes on with the best; its outcome is what the project
keeps as its own measured curves. Finished runs are files in the folder and the
current one is saved every few seconds, so the same command goes on after a stop.
"""

from __future__ import annotations

import json
import os
import platform
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from foptrn_model import __version__
from foptrn_model.code_commit import known_commit
from foptrn_model.demo import corpus
from foptrn_model.demo.methods import method_named
from foptrn_model.demo.training import History, Settings, Tensors, TrainingRun

SHORT, LONG = "short", "long"
SAVE_EVERY = 50
SWEPT: dict[str, tuple[str, tuple[float, ...]]] = {
    "adamw": ("adamw", (1e-3, 3e-3, 1e-2, 3e-2)),
    "topk": ("topk-2d64", (1e-3, 3e-3, 1e-2, 3e-2)),
    "band": ("band-low-2d64", (3e-4, 1e-3, 3e-3, 1e-2, 3e-2)),
}
"""Family -> the method that stands for it in the sweep, and the learning rates tried."""
SWEEP_SHARE = 1 / 3
MAIN = ("adamw", "topk-2d64", "band-low-2d64", "optics-1d256-enob8-planes8-sent")
"""Trained from three seeds."""
OTHERS = (
    "band-low-1d256",
    "optics-1d256-enob8-planes8-exact",
    "band-random-2d64",
    "band-zigzag-2d64",
    "band-high-2d64",
    "calib-2d64",
    "optics-1d256-enob8-planes8-sent+agc100",
    "optics-1d256-enob8-planes8-exact+agc100",
    "optics-1d256-enob6-planes8-sent",
    "optics-1d256-enob6-planes8-exact",
    "optics-1d256-enob10-planes8-sent",
    "optics-1d256-enob10-planes8-exact",
    "optics-1d256-enob12-planes8-sent",
    "optics-1d256-enob12-planes8-exact",
    "optics-1d256-enob8-planes4-sent",
    "optics-1d256-enob8-planes4-exact",
    "optics-1d256-enob8-planes12-sent",
    "optics-1d256-enob8-planes12-exact",
    "optics-1d256-enob0-planes8-sent",
    "optics-1d256-enob0-planes8-exact",
    "optics-1d256-enob0-planes8-exact+agc100",
    "band-low-1d64",
)
THRICE = (*MAIN, "band-low-1d256", "calib-2d64", "band-random-2d64")
TENSORS_OF = "band-low-2d64"
"""Whose tensors at the last step are kept, of seed 0."""
SHORT_STEPS = 150
SHORT_METHODS = (
    "adamw", "topk-2d64", "band-low-2d64", "band-low-1d256",
    "optics-1d256-enob8-planes8-sent", "optics-1d256-enob8-planes8-exact",
)  # fmt: skip
RATES = {"adamw": 1e-2, "topk": 1e-2, "band": 3e-3}
"""Learning rates of the short run, as the long one's sweep chose them."""

Report = Callable[[str, int, int], object]
"""Called with what is running, the steps done in all, and those there are."""
RUN_KEYS = {"method", "seed", "rate", *(field.name for field in fields(History))}
DAMAGED_SAVE = (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error)


class ExperimentError(ValueError):
    """Raised where a folder holds an experiment of another kind."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One run of an experiment; a sweep's run chooses the learning rate of others."""

    method: str
    seed: int
    rate: float | None
    """None where the sweep decides."""
    sweep: bool = False

    @property
    def name(self) -> str:
        front = f"sweep-rate{self.rate:g}-" if self.sweep else ""
        return f"{front}{self.method}-seed{self.seed}"


def planned(size: str) -> tuple[Settings, list[Item]]:
    """Settings and runs of the short or the long experiment, in order."""
    if size == SHORT:
        items = [
            Item(method=name, seed=0, rate=RATES[method_named(name).family])
            for name in SHORT_METHODS
        ]
        return Settings(steps=SHORT_STEPS), items
    items = [
        Item(method=name, seed=0, rate=rate, sweep=True)
        for name, rates in SWEPT.values()
        for rate in rates
    ]
    items += [Item(method=name, seed=0, rate=None) for name in (*MAIN, *OTHERS)]
    items += [Item(method=name, seed=seed, rate=None) for seed in (1, 2) for name in THRICE]
    return Settings(), items


def sweep_settings(settings: Settings) -> Settings:
    """The sweep's runs are shorter, with the whole of their schedule."""
    return replace(settings, steps=round(settings.steps * SWEEP_SHARE))


class Experiment:
    """An experiment in a folder; what is there already is not run again.

    A file that a crash or a full disk has cut short is no result: ``warn`` is told
    which, and what it held is computed again.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        items: Sequence[Item],
        *,
        command: str,
        save_every: int = SAVE_EVERY,
        warn: Callable[[str], object] = lambda text: None,
    ) -> None:
        self._warn = warn
        self.folder, self.settings, self.items = folder, settings, list(items)
        self.command, self.save_every = command, save_every
        self._commit = known_commit()  # now, since the code may have moved on by the end
        folder.mkdir(parents=True, exist_ok=True)
        self._check_folder()
        for item in self.items:
            self._check_result(item)

    def _check_result(self, item: Item) -> None:
        path = self._path(item)
        if not path.exists() or _is_result(path, item, self._settings_of(item).steps):
            return
        self._warn(f"{path} is damaged; that run is computed again")
        path.unlink()

    def _check_folder(self) -> None:
        path = self.folder / "settings.json"
        wanted = {"version": __version__, "settings": asdict(self.settings)}
        if path.exists():
            try:
                found = json.loads(path.read_text("utf-8"))
            except ValueError:
                raise ExperimentError(
                    f"{path} is damaged, so nothing says what {self.folder} holds; choose another "
                    "folder"
                ) from None
            if found != wanted:
                raise ExperimentError(
                    f"{self.folder} holds an experiment with other settings; choose another folder"
                )
        else:
            _write_json(path, wanted)

    def run(self, report: Report = lambda what, done, of: None) -> dict[str, Any]:
        """Run what is missing, then gather everything; returns and writes the outcome."""
        of = sum(self._settings_of(item).steps for item in self.items)
        done = 0
        for item in self.items:
            steps = self._settings_of(item).steps
            if not self._path(item).exists():
                for step in self._train(item):
                    report(item.name, done + step, of)
            done += steps
            report(item.name, done, of)
        outcome = self.gathered()
        _write_json(self.folder / "compression.json", outcome)
        return outcome

    def gathered(self) -> dict[str, Any]:
        """All runs in one, with what is needed to make them again."""
        found = [(item, json.loads(self._path(item).read_text("utf-8"))) for item in self.items]
        return {
            "note": "Measured by this project's compression experiment; losses in nat per byte.",
            "command": self.command,
            "version": __version__,
            "commit": self._commit,
            "date": datetime.now(UTC).date().isoformat(),
            "hardware": _hardware(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "text": corpus.ORIGIN,
            "settings": asdict(self.settings),
            "rates": self._rates(),
            "sweep": [run for item, run in found if item.sweep],
            "runs": [run for item, run in found if not item.sweep],
        }

    def _train(self, item: Item) -> Iterator[int]:
        rate = self._rates()[method_named(item.method).family] if item.rate is None else item.rate
        method, settings = method_named(item.method), self._settings_of(item)
        run = TrainingRun(settings, method, rate=rate, seed=item.seed)
        saved = self.folder / f"{item.name}.npz"
        if saved.exists():
            try:
                run.restore(saved)
            except DAMAGED_SAVE:
                self._warn(f"{saved} is damaged; that run starts anew")
                run = TrainingRun(settings, method, rate=rate, seed=item.seed)
        for step in run.advance():
            if step % self.save_every == 0 and not run.over:
                run.save(saved)
            yield step
        if item.method == TENSORS_OF and item.seed == 0 and not item.sweep and run.tensors:
            save_tensors(self.folder / "tensors.npz", run.tensors)
        _write_json(self._path(item), run.record())
        saved.unlink(missing_ok=True)

    def _rates(self) -> dict[str, float]:
        """The learning rate of each family: its best in the sweep, or the short run's own."""
        best: dict[str, tuple[float, float]] = {}
        for item in self.items:
            if item.sweep and self._path(item).exists():
                run = json.loads(self._path(item).read_text("utf-8"))
                family = method_named(item.method).family
                end = float("inf") if run["diverged"] else run["val_loss"][-1]
                if family not in best or end < best[family][0]:
                    best[family] = (end, run["rate"])
        return RATES | {family: rate for family, (_, rate) in best.items()}

    def _settings_of(self, item: Item) -> Settings:
        return sweep_settings(self.settings) if item.sweep else self.settings

    def _path(self, item: Item) -> Path:
        return self.folder / f"{item.name}.json"


def _is_result(path: Path, item: Item, steps: int) -> bool:
    """Whether a file holds the whole of a run."""
    try:
        run = json.loads(path.read_text("utf-8"))
    except ValueError:
        return False
    if not isinstance(run, dict) or not set(run) >= RUN_KEYS:
        return False
    whole = run["diverged"] or (run["steps"] and run["steps"][-1] == steps)
    return bool(whole) and (run["method"], run["seed"]) == (item.method, item.seed)


def save_tensors(path: Path, tensors: Tensors) -> None:
    """Keep tensors with 11 bits each, in units of their RMS."""
    kept = {}
    for name, values in vars(tensors).items():
        rms = float(np.sqrt(np.square(values, dtype=np.float64).mean()))
        kept[name] = (values / rms).astype(np.float16)
    np.savez_compressed(path, **kept)


def _write_json(path: Path, body: Any) -> None:
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(json.dumps(body, separators=(",", ":"), allow_nan=False) + "\n", "utf-8")
    os.replace(unfinished, path)


def _hardware() -> str:
    """The processor's name, and how many cores this process may use."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        pass
    return f"{name}, {os.cpu_count()} cores, one used"

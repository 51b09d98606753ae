"""The command ``python -m foptrn_model experiment NAME``: what trains for minutes or hours."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from foptrn_model.demo.experiment import LONG, SHORT, Experiment, ExperimentError, planned
from foptrn_model.progress_bar import ProgressBar

NAMES = ("compression",)
SIZES = (SHORT, LONG)
USAGE = "usage: python -m foptrn_model experiment compression [--short|--long] [--out DIR]"
HELP = f"""{USAGE}
Train a small model with 8 simulated workers by AdamW, top-k, fixed bands and emulated optics.
  --short     six runs of 150 steps, about a minute (the default)
  --long      sweeps of the learning rate, every method, three seeds of the main ones: half an
              hour or more; what the project keeps as its measured curves
  --out DIR   where everything is written; the same command goes on after a stop
              (default: compression-short or compression-long, here)
"""


def run_experiment(words: Sequence[str]) -> str:
    """Run what the words ask for and say what came of it; progress goes to stderr.

    Raises
    ------
    ExperimentError
        For words that it does not take, and for a folder that it cannot use.
    """
    if not words or words[0] in ("-h", "--help") or "--help" in words:
        return HELP
    size, folder = _read(words)
    settings, items = planned(size)
    command = f"python -m foptrn_model experiment compression --{size}"
    try:
        experiment = Experiment(folder, settings, items, command=command, warn=_warn)
        outcome = experiment.run(ProgressBar("steps"))
    except OSError as error:
        raise ExperimentError(f"--out: cannot use {folder}: {error.strerror or error}") from None
    except KeyboardInterrupt:
        raise ExperimentError(f"stopped; the same command goes on (--out {folder})") from None
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\n")
    lines = [
        f"{run['method']:<42} seed {run['seed']}  rate {run['rate']:<6g}  "
        + ("diverged" if run["diverged"] else f"final loss {run['val_loss'][-1]:.4f}")
        for run in outcome["runs"]
    ]
    return "\n".join([*lines, f"written to {folder / 'compression.json'}", ""])


def _warn(text: str) -> None:
    over_the_bar = "\r\033[K" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{over_the_bar}{text}\n")


def _read(words: Sequence[str]) -> tuple[str, Path]:
    if words[0] not in NAMES:
        raise ExperimentError(f"unknown experiment {words[0]!r}; known: {', '.join(NAMES)}")
    sizes: list[str] = []
    folder = ""
    pending = iter(words[1:])
    for word in pending:
        name, given, value = word.partition("=")
        if name == "--out":
            folder = value if given else next(pending, "")
            if not folder:
                raise ExperimentError("--out needs a folder")
        elif not given and name.removeprefix("--") in SIZES and name.startswith("--"):
            sizes.append(name.removeprefix("--"))
        else:
            raise ExperimentError(f"unknown word {word!r}; {USAGE}")
    if len(set(sizes)) > 1:
        raise ExperimentError("give one of --short and --long")
    size = sizes[0] if sizes else SHORT
    return size, Path(folder or f"compression-{size}")

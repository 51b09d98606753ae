"""Command line: ``python -m foptrn_model <explorer> --name value [--json|--csv]``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson

from foptrn_model import __version__
from foptrn_model.demo.experiment import ExperimentError
from foptrn_model.experiments import run_experiment
from foptrn_model.explorers import EXPLORERS, Evaluation, Explorer
from foptrn_model.flags import Flags, UsageError, read_flags
from foptrn_model.parameters import Params, ParamsError, Spec
from foptrn_model.report import report
from foptrn_model.report_text import as_markdown
from foptrn_model.sweep.command import run_sweep
from foptrn_model.sweep.errors import SweepError
from foptrn_model.text import group_digits


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 on success, 2 and one line on stderr for bad input."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        text = _run(words)
    except (UsageError, ParamsError, ExperimentError, SweepError) as error:
        # Words of the command line may hold line breaks; the message is one line all the same.
        print(f"foptrn_model: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe had enough
        sys.stderr.close()
    return 0


def _run(words: list[str]) -> str:
    if not words or words[0] in ("-h", "--help", "help"):
        return _usage()
    if words[0] == "--version":
        return f"{__version__}\n"
    command, rest = words[0], words[1:]
    if command == "list":
        if rest:
            raise UsageError(f"list takes no more words, got {rest[0]}")
        return "".join(f"{slug:<16}{EXPLORERS[slug].question}\n" for slug in EXPLORERS)
    if command in COMMANDS:
        return COMMANDS[command](rest)
    if command not in EXPLORERS:
        raise UsageError(f"unknown explorer {command!r}; known: {', '.join(EXPLORERS)}")
    explorer = EXPLORERS[command]
    if "-h" in rest or "--help" in rest:
        return _explorer_usage(explorer)
    return _answer(explorer, rest)


def _report(words: Sequence[str]) -> str:
    """The report as Markdown, to be printed or written to a file."""
    if "-h" in words or "--help" in words:
        return _usage()
    name, given, path = words[0].partition("=") if words else ("", "", "")
    rest = words[1:]
    if name == "--out" and not given:
        path, rest = (rest[0], rest[1:]) if rest else ("", [])
    if words and (name != "--out" or not path or rest):
        raise UsageError(f"report takes --out FILE and nothing else, got {' '.join(words)}")
    text = as_markdown(report())
    if not path:
        return text
    return f"written to {_write(text, path, '--out')}\n"


COMMANDS: dict[str, Callable[[Sequence[str]], str]] = {
    "experiment": run_experiment,
    "report": _report,
    "sweep": run_sweep,
}
"""Commands beside the explorers' own: their words -> what is printed."""


def _answer(explorer: Explorer, words: list[str]) -> str:
    flags = read_flags(explorer, words)
    params = _read_params(explorer, flags.raw)
    if flags.pictures:
        return _draw(explorer, params, flags)
    if flags.offline:
        return _keep_offline(explorer, params, flags.offline)
    if flags.part:
        outcome = _simulate(explorer, params, None, flags.part)[flags.part]
        return orjson.dumps(explorer.part_answer(params, flags.part, outcome)).decode() + "\n"
    outcomes = _simulate(explorer, params, flags.table)
    if flags.formats == {"json"}:
        return orjson.dumps(explorer.answer(params, outcomes)).decode() + "\n"
    if flags.formats == {"csv"}:
        return explorer.table(params, flags.table, outcomes).to_csv().replace("\r\n", "\n")
    return _summary(explorer.evaluate(params, outcomes))


def _draw(explorer: Explorer, params: Params, flags: Flags) -> str:
    """Save a figure of the page; a line per file that was written."""
    # Pages come after the model. Only this command, an outermost layer as app.py is, asks for
    # them, and not before a picture is wanted.
    from pages._export import ExportError, find_plate, save_pictures  # noqa: PLC0415

    try:
        plate = find_plate(explorer, params, flags.plate)
        outcomes = _simulate(explorer, params, plate.table, plate.part)
        evaluation = explorer.evaluate(params, outcomes)
        save_pictures(plate, evaluation, flags.pictures, flags.theme)
    except ExportError as error:
        raise UsageError(str(error)) from None
    return "".join(f"{path}\n" for path in flags.pictures.values())


def _keep_offline(explorer: Explorer, params: Params, path: str) -> str:
    """Write a state as one file that needs no server; its name is what is printed."""
    from pages._offline.document import offline_document  # noqa: PLC0415 - as in _draw

    simulation = explorer.simulation
    found = _simulate(explorer, params, None)

    def known(state: Params) -> dict[str, Any]:
        if simulation is None:
            return {}
        return found if state == params else simulation.stored_of(state)

    text = offline_document(explorer, params, known=known, address=f"/{explorer.slug}")
    return f"{_write(text, path, '--offline')}\n"


def _write(text: str, path: str, flag: str) -> str:
    """Write a file that a flag names, and give its name."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{flag}: cannot write {path}: {reason}") from None
    return path


def _simulate(
    explorer: Explorer, params: Params, table: str | None, part: str = ""
) -> dict[str, Any]:
    """Outcomes of a simulated explorer, computed here if need be; progress goes to stderr."""
    if explorer.simulation is None:
        return {}
    shown = ""

    def progress(done: int, of: int) -> None:
        nonlocal shown
        if sys.stderr.isatty():
            shown = f"\rstep {done} of {of}"
            print(shown, end="", file=sys.stderr, flush=True)
        elif done == of:
            print(f"{of} steps done", file=sys.stderr, flush=True)

    found = explorer.simulation.complete(
        params, {}, table=table or "", part=part, progress=progress
    )
    if shown:
        print(file=sys.stderr)
    return found


def _read_params(explorer: Explorer, raw: dict[str, str | list[str]]) -> Params:
    """The state that flags ask for, standing on a person's own file if they name one."""
    attachment = explorer.attachment
    path = raw.pop(attachment.name, None) if attachment else None
    if attachment is None or path is None:
        return explorer.params.parse(raw)
    if not isinstance(path, str):
        raise UsageError(f"--{attachment.name} must be given once")
    raw.setdefault(attachment.field, attachment.value)
    params = explorer.params.parse(raw)
    if not attachment.wanted(params):
        raise UsageError(f"--{attachment.name} goes with --{attachment.field} {attachment.value}")
    try:
        with Path(path).open("rb") as file:
            contents = file.read(attachment.max_bytes + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"--{attachment.name}: cannot read {path}: {reason}") from None
    return attachment.attach(params, attachment.read_file(contents), raw)


def _summary(evaluation: Evaluation) -> str:
    lines = [evaluation.verdict, ""]
    for step in evaluation.working.steps:
        lines.append(f"{step.name}: {step.value}")
        lines.append(f"    {step.formula}  with  {step.substituted}")
    return "\n".join(lines) + "\n"


def _usage() -> str:
    return (
        "usage: python -m foptrn_model EXPLORER [--name value ...]\n"
        "                              [--json [--part NAME] | --csv [--table NAME]]\n"
        "                              [--png FILE] [--svg FILE] [--plate NAME] [--theme light|dark]\n"
        "                              [--offline FILE]\n"
        "       python -m foptrn_model EXPLORER --help\n"
        "       python -m foptrn_model experiment compression [--short|--long] [--out DIR]\n"
        "       python -m foptrn_model sweep EXPLORER --over name=start:stop:count[:log] ... --out FILE\n"
        "       python -m foptrn_model report [--out FILE]\n"
        "       python -m foptrn_model list | --version\n\n"
        f"explorers: {', '.join(EXPLORERS)}\n"
    )


def _explorer_usage(explorer: Explorer) -> str:
    lines = [
        f"usage: python -m foptrn_model {explorer.slug} [--name value ...] "
        "[--json | --csv [--table NAME] | --png FILE | --svg FILE | --offline FILE]",
        explorer.question,
        f"tables: {', '.join(explorer.tables)}",
        *([f"parts: {', '.join(explorer.simulation.parts)}"] if explorer.simulation else []),
        "",
    ]
    for spec in explorer.params.specs().values():
        lines.append(f"  --{spec.name:<20} {spec.help}")
        lines.append(f"  {'':<22} {spec.allowed}; default {_default(spec)}")
    if explorer.attachment:
        lines.append(f"  --{explorer.attachment.name:<20} {explorer.attachment.help}")
    return "\n".join(lines) + "\n"


def _default(spec: Spec) -> str:
    if spec.default is None:
        return "the shape's"
    if spec.kind in ("int", "float"):
        return group_digits(spec.default)
    return str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)


if __name__ == "__main__":
    sys.exit(main())

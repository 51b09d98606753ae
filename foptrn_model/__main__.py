"""Command line: ``python -m foptrn_model <explorer> --name value [--json|--csv]``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from foptrn_model import __version__
from foptrn_model.demo.experiment import ExperimentError
from foptrn_model.experiments import run_experiment
from foptrn_model.explorers import EXPLORERS, Evaluation, Explorer
from foptrn_model.parameters import Params, ParamsError, Spec
from foptrn_model.report import report
from foptrn_model.report_text import as_markdown
from foptrn_model.text import group_digits

FORMATS = ("json", "csv")


class UsageError(ValueError):
    """Raised for words that the command line does not take."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 on success, 2 and one line on stderr for bad input."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        text = _run(words)
    except (UsageError, ParamsError, ExperimentError) as error:
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
    if command in ("experiment", "report"):
        return run_experiment(rest) if command == "experiment" else _report(rest)
    if command not in EXPLORERS:
        raise UsageError(f"unknown explorer {command!r}; known: {', '.join(EXPLORERS)}")
    explorer = EXPLORERS[command]
    if "-h" in rest or "--help" in rest:
        return _explorer_usage(explorer)
    return _answer(explorer, rest)


def _report(words: list[str]) -> str:
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
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"--out: cannot write {path}: {reason}") from None
    return f"written to {path}\n"


def _answer(explorer: Explorer, words: list[str]) -> str:
    raw, formats, table, part = _read_flags(explorer, words)
    params = _read_params(explorer, raw)
    if part:
        if table or formats != {"json"}:
            raise UsageError("--part goes with --json alone")
        outcome = _simulate(explorer, params, None, part)[part]
        return orjson.dumps(explorer.part_answer(params, part, outcome)).decode() + "\n"
    if table and formats != {"csv"}:
        raise UsageError("--table goes with --csv")
    if len(formats) > 1:
        raise UsageError("give one of --json and --csv")
    outcomes = _simulate(explorer, params, table)
    if formats == {"json"}:
        return orjson.dumps(explorer.answer(params, outcomes)).decode() + "\n"
    if formats == {"csv"}:
        return explorer.table(params, table, outcomes).to_csv().replace("\r\n", "\n")
    return _summary(explorer.evaluate(params, outcomes))


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


def _read_flags(
    explorer: Explorer, words: list[str]
) -> tuple[dict[str, str | list[str]], set[str], str | None, str]:
    raw: dict[str, str | list[str]] = {}
    formats: set[str] = set()
    table, part = None, ""
    parts = explorer.simulation.parts if explorer.simulation else {}
    pending = iter(words)
    for word in pending:
        if not word.startswith("--"):
            raise UsageError(f"expected --name value, got {word!r}")
        name, given, value = word[2:].partition("=")
        name = name.replace("-", "_")
        if name in FORMATS and not given:
            formats.add(name)
            continue
        if not given:
            following = next(pending, None)
            if following is None:
                raise UsageError(f"--{name} needs a value")
            value = following
        if name == "table":
            if value not in explorer.tables:
                raise UsageError(
                    f"--table must be one of {', '.join(explorer.tables)}, got {value}"
                )
            table = value
        elif name == "part" and parts:
            if value not in parts:
                raise UsageError(f"--part must be one of {', '.join(parts)}, got {value}")
            part = value
        elif name in raw:
            earlier = raw[name]
            raw[name] = [*earlier, value] if isinstance(earlier, list) else [earlier, value]
        else:
            raw[name] = value
    return raw, formats, table, part


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
        "       python -m foptrn_model EXPLORER --help\n"
        "       python -m foptrn_model experiment compression [--short|--long] [--out DIR]\n"
        "       python -m foptrn_model report [--out FILE]\n"
        "       python -m foptrn_model list | --version\n\n"
        f"explorers: {', '.join(EXPLORERS)}\n"
    )


def _explorer_usage(explorer: Explorer) -> str:
    lines = [
        f"usage: python -m foptrn_model {explorer.slug} [--name value ...] "
        "[--json | --csv [--table NAME]]",
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

"""Imports point one way: parameters -> model -> result -> figure -> page."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = sorted((ROOT / "foptrn_model").rglob("*.py"))
PAGES = sorted((ROOT / "pages").rglob("*.py"))
SOURCES = [*CORE, *PAGES, ROOT / "app.py"]

# Package of a module -> what it must not import. The first match counts.
# The command line is an outermost layer, as app.py is: it asks the pages for pictures.
FORBIDDEN = {
    "foptrn_model/__main__.py": ("dash", "plotly", "flask", "app", "pages._server"),
    "foptrn_model": ("dash", "plotly", "flask", "pages", "app"),
    "pages/_jobs": (
        "dash",
        "plotly",
        "flask",
        "app",
        "pages._components",
        "pages._figures",
        "pages._server",
    ),
    "pages/_figures": ("dash", "flask", "app", "pages._server", "pages._components.explorer_page"),
    "pages/_components": ("flask", "app", "pages._server", "pages._figures"),
    "pages/_server": ("dash", "pages._figures", "pages._components", "app"),
    "pages": ("flask", "app", "pages._server", "numpy", "scipy", "pandas"),
}


def imported_modules(path: Path) -> set[str]:
    """Every module that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [*CORE, *PAGES], ids=name)
def test_imports_point_left(path: Path) -> None:
    rule = next(part for part in FORBIDDEN if f"{name(path)}/".startswith(part + "/"))
    wrong = {
        module
        for module in imported_modules(path)
        for taboo in FORBIDDEN[rule]
        if module == taboo or module.startswith(taboo + ".")
    }
    assert not wrong


def test_the_scan_sees_imports() -> None:
    assert "dash" in imported_modules(ROOT / "pages" / "amdahl.py")
    assert "pages._server.api.install_api" in imported_modules(ROOT / "app.py")


def test_models_never_read_published_values() -> None:
    readers = {name(path) for path in CORE if "published" in " ".join(imported_modules(path))}
    assert readers == {"foptrn_model/report.py", "foptrn_model/report_row.py"}


def test_the_report_is_a_reader_that_no_model_reads() -> None:
    report = {"foptrn_model.report", "foptrn_model.report_row", "foptrn_model.report_text"}
    readers = {name(path) for path in CORE if report & imported_modules(path)}
    assert readers == {
        "foptrn_model/__main__.py",
        "foptrn_model/report.py",
        "foptrn_model/report_text.py",
    }


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_eval_no_pickle(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"eval", "exec", "compile", "__import__"}
    assert not imported_modules(path) & {"pickle", "marshal", "shelve", "dill", "cloudpickle"}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_colours_live_in_the_theme(path: Path) -> None:
    if path.name == "theme.py":
        return
    text = path.read_text(encoding="utf-8")
    literals = [
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert not [
        text
        for text in literals
        if text.startswith("#")
        and len(text) in (4, 7)
        and all(c in "0123456789abcdef" for c in text[1:].lower())
    ]

"""What a person takes away from a state: lines of Python, a citation, a file name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from foptrn_model import __version__
from foptrn_model.headlines import Headline
from foptrn_model.parameters import Params

MOST_NAME_CHARACTERS = 90
AUTHORS = "The Fourier Optics for Training authors"
RELEASED = "2026"


def as_python(params: Params, compute: Callable[[Any], Any], headline: Headline) -> str:
    """A few lines that reproduce one number of a result."""
    model = type(params)
    imports, made = params.construction()
    return (
        f"{imports}from {compute.__module__} import {model.__name__}, {compute.__name__}\n"
        f"result = {compute.__name__}({made})\n"
        f"print(result{headline.expression})\n"
    )


def bibtex(title: str, slug: str, permalink: str) -> str:
    """A BibTeX entry with version and permalink."""
    return (
        f"@software{{foptrn_{slug.replace('-', '_')},\n"
        f"  author  = {{{{{AUTHORS}}}}},\n"
        f"  title   = {{{{Fourier Optics for Training: {title}}}}},\n"
        f"  version = {{{__version__}}},\n"
        f"  year    = {{{RELEASED}}},\n"
        f"  url     = {{{permalink}}}\n"
        "}\n"
    )


def file_name(slug: str, params: Params) -> str:
    """A file name, without ending, that says which state a file holds."""
    state = params.to_query().replace("=", "-").replace("&", "_")
    safe = "".join(char if char.isalnum() or char in "-_." else "-" for char in state)
    return f"{slug}_{safe}"[:MOST_NAME_CHARACTERS].rstrip("_-.")

"""The offline file as text: a document that holds scripts, style, font and numbers, and loads nothing."""

from __future__ import annotations

import base64
import gzip
import hashlib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import orjson

from foptrn_model import __version__
from foptrn_model.explorers import Explorer
from foptrn_model.parameters import Params
from pages._components.theme import style_sheet
from pages._offline.live import SCRIPTS, live_file_data
from pages._offline.sweep import Known, sweep_data

ASSETS = Path(__file__).parent.parent.parent / "assets"
PLOTLY = "plotly-cartesian.min"
LICENCES = ("plotly-cartesian", "inter-latin")


def offline_document(explorer: Explorer, params: Params, *, known: Known, address: str) -> str:
    """One state of an explorer as one HTML document.

    Parameters
    ----------
    known : outcomes of a simulated state that are there, by part.
    address : where the explorer's page stands, with or without its host.

    Raises
    ------
    ParamsError
        If the state stands on a person's own file, or has no outcome yet.
    """
    live = explorer.slug in SCRIPTS
    data = live_file_data(explorer, params) if live else sweep_data(explorer, params, known)
    verdict = explorer.evaluate(params, known(params)).verdict
    runner = ("offline-checks", "offline-live") if live else ("offline-sweep",)
    names = (PLOTLY, *SCRIPTS.get(explorer.slug, ()), "controls", "offline", *runner)
    query = params.to_query()
    return _template().render(
        explorer=explorer,
        live=live,
        verdict=verdict,
        title=data["plates"][0]["title"],
        version=__version__,
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        permalink=address + (f"?{query}" if query else ""),
        policy=_policy(names),
        style=_style(),
        scripts=[_script(name) for name in names],
        licences=[_licence(name) for name in LICENCES],
        packed=_packed(data | {"slug": explorer.slug}),
    )


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pages._offline"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("offline.html")


@cache
def _script(name: str) -> str:
    """A script as it may stand within a document: nothing in it ends its element."""
    text = (ASSETS / f"{name}.js").read_text(encoding="utf-8")
    return text.replace("</script", r"<\/script").replace("<!--", r"<\!--")


@cache
def _hash(name: str) -> str:
    digest = hashlib.sha256(_script(name).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _policy(names: tuple[str, ...]) -> str:
    """What the document may do: run its own scripts, and ask nobody for anything."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, names))}",
            "style-src 'unsafe-inline'",  # plotly.js writes inline styles
            "img-src data: blob:",
            "font-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


@cache
def _style() -> str:
    font = base64.b64encode((ASSETS / "inter-latin.woff2").read_bytes()).decode()
    face = (
        "@font-face{font-family:Inter;font-style:normal;font-weight:100 900;"
        f"src:url(data:font/woff2;base64,{font}) format('woff2')}}"
    )
    return "\n".join([face, style_sheet(), (ASSETS / "offline.css").read_text(encoding="utf-8")])


@cache
def _licence(name: str) -> str:
    text = (ASSETS / f"{name}.LICENSE.txt").read_text(encoding="utf-8")
    return text.replace("-->", "- ->")


def _packed(data: dict[str, Any]) -> str:
    """Data as text that no document can mistake for anything else, a third of its size."""
    text = orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY)
    return base64.b64encode(gzip.compress(text, mtime=0)).decode()

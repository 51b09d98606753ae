"""Decks over HTTP: documents of their own, drawn from the slides of the core."""

from __future__ import annotations

import re
from collections.abc import Callable

import flask
import jinja2
from markupsafe import Markup, escape

from foptrn_model.decks import BUILDERS, deck
from foptrn_model.decks.slide import Deck

RAISED = dict(zip("\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
                  "\u22120123456789", strict=True))  # fmt: skip
EXPONENT = re.compile(f"[{''.join(RAISED)}]+")


def raised(text: str) -> Markup:
    """A number with its exponent as HTML: the font of the pages has no raised digits but a few."""
    parts = EXPONENT.split(text)
    powers = [
        Markup("<sup>{}</sup>").format("".join(RAISED[sign] for sign in found))
        for found in EXPONENT.findall(text)
    ]
    return escape(parts[0]) + Markup("").join(
        power + part for power, part in zip(powers, parts[1:], strict=True)
    )


def install_decks(
    server: flask.Flask,
    *,
    prefix: str,
    base_path: str,
    style_sheet: str,
    asset: Callable[[str], str],
) -> None:
    """Serve ``decks/<number>`` below ``prefix``.

    Links carry ``base_path``, under which people reach the site; ``asset``
    gives the address of a file in ``assets/``, and ``style_sheet`` the tokens.
    """
    found = flask.Blueprint("decks", __name__, url_prefix=f"{prefix}decks")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pages._server"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["raised"] = raised
    environment.globals.update(
        asset=asset, style_sheet=style_sheet, to=lambda path: base_path + path.removeprefix("/")
    )

    def draw(template: str, status: int = 200, **values: object) -> flask.Response:
        text = environment.get_template(template).render(**values)
        return flask.Response(text, status=status, content_type="text/html; charset=utf-8")

    @found.get("/<name>", strict_slashes=False)
    def show(name: str) -> flask.Response:
        chosen = _deck(name)
        if chosen is None:
            return draw("no-deck.html", status=404, name=name[:60])
        query = flask.request.args
        if query.get("speaker") == "1":
            return draw("speaker.html", deck=chosen)
        return draw("deck.html", deck=chosen, printing="print-pdf" in query)

    server.register_blueprint(found)


def _deck(name: str) -> Deck | None:
    """The deck of that number, or None."""
    return next((deck(number) for number in BUILDERS if str(number) == name), None)

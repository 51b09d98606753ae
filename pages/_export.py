"""Figures of the pages as pictures, without a browser window: PNG and SVG files.

What a page's own buttons save, made on the command line by Kaleido with the
system's Chromium and with the plotly.js of the pages. Needs the ``export``
extra.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.parameters import Params
from pages._components.plates import Plate
from pages._components.theme import GROUND, light_to_dark
from pages._figures.base import FONT
from pages._offline.plates import plates_of

SIZE_PX = (1200, 675)
SCALE = 2
PLAIN_FONT = "Helvetica, Arial, sans-serif"
"""Pictures are drawn outside the pages, where their font is not known."""

PLOTLY_JS = Path(__file__).parent.parent / "assets" / "plotly-cartesian.min.js"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class ExportError(ValueError):
    """Raised where a picture cannot be made; the message says what is missing."""


def find_plate(explorer: Explorer, params: Params, name: str) -> Plate:
    """The named figure of an explorer's page in one state; its first without a name."""
    plates = {plate.name: plate for plate in plates_of(explorer.slug) if plate.present(params)}
    plate = plates.get(name or next(iter(plates)))
    if plate is None:
        raise ExportError(f"--plate must be one of {', '.join(plates)} in this state, got {name}")
    return plate


def save_pictures(
    plate: Plate, evaluation: Evaluation, files: Mapping[str, str], theme: str | None
) -> None:
    """Draw one figure and write it to a file per format.

    Parameters
    ----------
    files : mapping of "png" and "svg" to paths
    theme : "light", "dark" or None for light

    Raises
    ------
    ExportError
        If Kaleido or Chromium is missing, or a file cannot be written.
    """
    figure = picture(plate, evaluation, dark=theme == "dark")
    for kind, path in files.items():
        contents = _render(figure, kind)
        try:
            Path(path).write_bytes(contents)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ExportError(f"--{kind}: cannot write {path}: {reason}") from None


def picture(plate: Plate, evaluation: Evaluation, *, dark: bool) -> dict[str, Any]:
    """A figure with its title on the ground of a theme, in a font that is everywhere."""
    drawn = plate.draw(evaluation, [])
    layout = drawn["layout"]
    titled = {
        "data": drawn["data"],
        "layout": layout
        | {
            "paper_bgcolor": GROUND.light,
            "title": {"text": plate.title, "x": 0.02, "xanchor": "left", "font": {"size": 18}},
            "margin": layout["margin"] | {"t": 84},
        },
    }
    text = orjson.dumps(titled, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    text = text.replace(FONT, PLAIN_FONT)
    for light, other in light_to_dark().items() if dark else ():
        text = text.replace(f'"{light}"', f'"{other}"')
    themed: dict[str, Any] = orjson.loads(text)
    return themed


def _render(figure: dict[str, Any], kind: str) -> bytes:
    try:
        import kaleido  # noqa: PLC0415 - an extra that only this needs
    except ImportError:
        raise ExportError(
            f"--{kind} needs the export extra: pip install -e '.[export]' in the project's folder"
        ) from None
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise ExportError(f"--{kind} needs Chromium, and none of {', '.join(BROWSERS)} was found")
    # Its log tells of messages of the browser that it could not read and does not need.
    logging.getLogger("choreographer").setLevel(logging.CRITICAL)
    width, height = SIZE_PX
    rendered: bytes = kaleido.calc_fig_sync(
        figure,
        opts={"format": kind, "width": width, "height": height, "scale": SCALE},
        # Both named, or Kaleido would fetch what it does not find here from another host.
        kopts={"path": browser, "plotlyjs": PLOTLY_JS, "mathjax": False},
    )
    return rendered

"""What a page's script is told of a state: query, controls, snippets, a tour's step, a guess."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.guesses import GuessError, judge
from foptrn_model.parameters import Params
from foptrn_model.pins import Pin, full_query
from foptrn_model.takeaway import as_python, bibtex, file_name
from foptrn_model.tours import TOURS, tell
from pages._components.blocks import pin_label
from pages._components.controls import control_options, control_values

PERMALINK = "PERMALINK"
"""Stands for the address, which only the browser knows, in a citation."""


def state_answer(explorer: Explorer, params: Params, pins: Sequence[Pin]) -> dict[str, Any]:
    """A state as the script of the page needs it; what was drawn is added to this."""
    preset, shortcut = explorer.preset_of(params), explorer.shortcuts.of(params)
    told = [f"{item.story} Source: {item.source}." for item in (preset, shortcut) if item]
    return {
        "ok": True,
        "query": full_query(params, pins),
        "state": params.to_query(),
        "pin": Pin(params).text,
        "pins": [pin.text for pin in pins],
        "pinLabel": pin_label(len(pins)),
        "values": control_values(params),
        "inactive": sorted(params.inactive()),
        "options": control_options(params),
        "preset": preset.name if preset else "",
        "shortcut": shortcut.name if shortcut else "",
        "story": " ".join(told),
        "python": as_python(params, explorer.compute, explorer.headlines[0]),
        "cite": bibtex(explorer.title, explorer.slug, PERMALINK),
        "file": file_name(explorer.slug, params),
    }


def tour_answer(explorer: Explorer, step: Any) -> dict[str, Any] | None:
    """The step of the tour that a page is at, or None; a page may ask for anything."""
    if type(step) is not int or not 1 <= step <= len(TOURS[explorer.slug]):
        return None
    return tell(explorer.slug, step).as_dict()


def guess_answer(shown: Evaluation | None, written: Any) -> dict[str, str]:
    """How a guess compares with the first headline, or why it cannot be compared."""
    if shown is None:
        return {"error": "The result is still being computed: guess again when it is there"}
    headline = shown.explorer.headlines[0]
    try:
        return {"text": judge(headline, headline.value(shown.result), str(written)).text}
    except GuessError as error:
        return {"error": str(error)}

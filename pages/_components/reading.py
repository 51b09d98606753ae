"""What a page's request asks for: a state with its pins, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foptrn_model.parameters import Params, ParamsError, Problem, query_values
from foptrn_model.pins import Pin, read_pins


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A request understood; ``params`` is None where it is refused."""

    params: Params | None
    pins: tuple[Pin, ...] = ()
    notices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_query(model: type[Params], query: Mapping[str, Any], pins: Any = None) -> Reading:
    """The valid state nearest to a link, and its pins unless they are given apart."""
    params, notices = model.nearest(query)
    pinned, pin_notices = read_pins(model, query.get("pin", ()) if pins is None else pins)
    return Reading(params=params, pins=tuple(pinned), notices=(*notices, *pin_notices))


def read_request(model: type[Params], request: Mapping[str, Any]) -> Reading:
    """The state that the controls of a page, or a link restored, ask for.

    A control that is wrong by itself is refused, so that what was typed stays
    where it is. One that clashes with another field wins, and the other field
    follows with a notice.
    """
    pins = request.get("pins")
    try:
        if "query" in request:
            return read_query(model, query_values(str(request["query"])), pins)
        given = request.get("values")
        values = model.from_controls(given if isinstance(given, dict) else {})
        pinned, notices = read_pins(model, pins)
        return Reading(params=model.parse(values), pins=tuple(pinned), notices=tuple(notices))
    except ParamsError as error:
        changed = request.get("changed")
        if "query" in request or any(item.param == changed for item in error.problems):
            return Reading(params=None, problems=error.problems)
        return read_query(model, values, pins or ())

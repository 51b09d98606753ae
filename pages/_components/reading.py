"""What a page's request asks for: a state with its pins, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foptrn_model.explorers import Explorer
from foptrn_model.parameters import Params, ParamsError, Problem, query_values
from foptrn_model.pins import Pin, read_pins
from foptrn_model.tours import TOURS
from pages._components.view import PLAIN, View, own_state, read_view


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A request understood; ``params`` is None where it is refused."""

    params: Params | None
    pins: tuple[Pin, ...] = ()
    notices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    view: View = PLAIN


def read_query(
    explorer: Explorer, query: Mapping[str, Any], pins: Any = None, *, data: Any = None
) -> Reading:
    """The valid state nearest to a link, and its pins unless they are given apart.

    A link to a step of the tour opens in that step's state unless it has a state of its own.
    ``data`` is what a person's own file holds, for states that stand on it.
    """
    steps = TOURS[explorer.slug]
    view = read_view(query, len(steps))
    if view.step and not own_state(query, explorer.params.specs()):
        query = {**query, **query_values(steps[view.step - 1].query)}
    params, notices = explorer.params.nearest(query)
    params, more = _complete(explorer, params, data)
    pinned, pin_notices = _read_pins(explorer, query.get("pin", ()) if pins is None else pins, data)
    told = (*view.notices, *notices, *more, *pin_notices)
    return Reading(params=params, pins=pinned, notices=told, view=view)


def read_request(explorer: Explorer, request: Mapping[str, Any], *, data: Any = None) -> Reading:
    """The state that the controls of a page, or a link restored, ask for.

    A control that is wrong by itself is refused, so that what was typed stays
    where it is, as is one that was refused before and is ``tried`` again. One
    that clashes with another field wins, and the other field follows with a
    notice.
    """
    pins, model = request.get("pins"), explorer.params
    try:
        if "query" in request:
            return read_query(explorer, query_values(str(request["query"])), pins, data=data)
        given = request.get("values")
        values = model.from_controls(given if isinstance(given, dict) else {})
        pinned, notices = _read_pins(explorer, pins, data)
        params = model.parse(values)
        if explorer.attachment and explorer.attachment.wanted(params) and data is None:
            return Reading(params=None, problems=(explorer.attachment.missing(),))
        params, more = _complete(explorer, params, data)
        return Reading(params=params, pins=pinned, notices=(*more, *notices))
    except ParamsError as error:
        tried = request.get("tried")
        typed = [request.get("changed"), *(tried if isinstance(tried, list) else ())]
        if "query" in request or any(item.param in typed for item in error.problems):
            return Reading(params=None, problems=error.problems)
        return read_query(explorer, values, pins or (), data=data)


def _complete(explorer: Explorer, params: Params, data: Any) -> tuple[Params, list[str]]:
    if explorer.attachment is None:
        return params, []
    return explorer.attachment.complete(params, data)


def _read_pins(explorer: Explorer, given: Any, data: Any) -> tuple[tuple[Pin, ...], list[str]]:
    pins, notices = read_pins(explorer.params, given)
    completed = []
    for pin in pins:
        params, more = _complete(explorer, pin.params, data)
        completed.append(Pin(params, pin.version))
        notices += [f"pin: {notice}" for notice in more]
    return tuple(completed), notices

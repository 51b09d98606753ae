"""Controls built from a params model: the model says everything, nothing is repeated here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from dash import dcc, html

from foptrn_model.attachments import Attachment
from foptrn_model.parameters import Params, Spec, query_text
from foptrn_model.text import group_digits
from pages._components.blocks import glossary_link

MARKS = 5
DROPDOWN_FROM = 5
"""Choices from which a list is shown instead of buttons side by side."""


def group_names(params: type[Params]) -> tuple[str, ...]:
    """The groups of a model's fields, in its order."""
    return tuple(dict.fromkeys(spec.group for spec in params.specs().values()))


def controls(
    slug: str, params: Params, shown: Sequence[str], attachment: Attachment | None = None
) -> list[html.Div]:
    """A group of controls per group of fields in ``shown``, in the model's order, showing ``params``.

    The control of the field that an attachment belongs to also takes the file.

    Groups are plain boxes with a role: in a fieldset, Chromium 156 loses the
    box of an input whose sibling control appears while its own value changes.
    """
    values, inactive = params.resolved(), params.inactive()
    groups = groupby(params.specs().values(), key=lambda spec: spec.group)
    return [
        html.Div(
            [html.Div(group, id=f"{slug}-group-{index}", className="legend")]
            + [
                _control(
                    slug,
                    spec,
                    values[spec.name],
                    hidden=spec.name in inactive,
                    options=params.options(spec.name),
                    attachment=attachment if attachment and attachment.field == spec.name else None,
                )
                for spec in specs
            ],
            className="group",
            role="group",
            **{"aria-labelledby": f"{slug}-group-{index}"},
        )
        for index, (group, specs) in enumerate(groups)
        if group in shown
    ]


def control_values(params: Params) -> dict[str, str]:
    """What each control holds, as the text that a query string would carry."""
    return {name: query_text(value) for name, value in params.resolved().items()}


def control_options(params: Params) -> dict[str, list[dict[str, str]]]:
    """Options of the controls whose choice depends on the state."""
    return {
        spec.name: _labelled(spec, params.options(spec.name))
        for spec in params.specs().values()
        if spec.kind == "name" or len(spec.choices) >= DROPDOWN_FROM
    }


def file_spec(attachment: Attachment | None) -> dict[str, Any] | None:
    """What the browser needs to know to take a file."""
    if attachment is None:
        return None
    return {
        "name": attachment.name,
        "field": attachment.field,
        "value": attachment.value,
        "accept": attachment.accept,
        "maxBytes": attachment.max_bytes,
    }


def control_specs(params: type[Params]) -> dict[str, dict[str, Any]]:
    """What the browser needs to know of each field to run its control."""
    return {
        spec.name: {
            "kind": spec.kind,
            "scale": spec.scale,
            "step": spec.step,
            "floor": spec.floor,
            "low": spec.low,
            "high": spec.high,
            "slider": _has_slider(spec),
        }
        for spec in params.specs().values()
    }


def slider_range(spec: Spec) -> tuple[float, float] | None:
    """Positions of the two ends of a field's slider; None where it has none."""
    if not _has_slider(spec):
        return None
    return _position(spec, spec.low), _position(spec, spec.high)


def slider_names(params: type[Params]) -> list[str]:
    """Fields that have a slider beside their text box."""
    return [spec.name for spec in params.specs().values() if _has_slider(spec)]


def _has_slider(spec: Spec) -> bool:
    return spec.slider and spec.kind in ("int", "float")


def _control(
    slug: str,
    spec: Spec,
    value: Any,
    *,
    hidden: bool,
    options: tuple[str, ...],
    attachment: Attachment | None,
) -> html.Div:
    field = f"{slug}-{spec.name}"
    number = spec.kind in ("int", "float")
    unit = [html.Span(f"({spec.unit})", className="unit")] if spec.unit else []
    name = html.Label if number else html.Span
    target = {"htmlFor": field} if number else {}
    head = [
        name(spec.label, id=f"{field}-label", className="control-label", **target),
        *unit,
        _help(spec),
    ]
    if number:
        head += [_number_box(field, spec, value)]
        body = [_slider(field, spec, value)] if _has_slider(spec) else []
    else:
        body = [_choice(field, spec, value, options)]
    if attachment:
        body.append(_file_box(slug, attachment))
    return html.Div(
        [
            html.Div(head, className="control-head"),
            *body,
            html.Div(id=f"{field}-error", className="control-error", role="alert"),
        ],
        id=f"{field}-control",
        className="control" + ("" if spec.primary else " secondary"),
        hidden=hidden,
        **{"data-label": spec.label, "data-unit": spec.unit},
    )


def _help(spec: Spec) -> html.Details:
    allowed = (
        f" {spec.allowed[0].upper()}{spec.allowed[1:]}." if spec.kind in ("int", "float") else ""
    )
    return html.Details(
        [
            html.Summary("?", **{"aria-label": f"About {spec.label}"}),
            html.P([f"{spec.help}{allowed} ", *_glossary(spec)]),
        ],
        className="help",
    )


def _glossary(spec: Spec) -> list[html.A]:
    return [glossary_link(spec.glossary, "Glossary")] if spec.glossary else []


def _number_box(field: str, spec: Spec, value: Any) -> dcc.Input:
    return dcc.Input(
        id=field,
        type="text",
        inputMode="numeric" if spec.kind == "int" else "decimal",
        value=group_digits(value),
        debounce=True,
        autoComplete="off",
        spellCheck=False,
        className="number-box",
    )


def _slider(field: str, spec: Spec, value: Any) -> dcc.Slider:
    return dcc.Slider(
        id=f"{field}-slider",
        min=_position(spec, spec.low),
        max=_position(spec, spec.high),
        step=spec.step,
        value=_position(spec, value),
        marks=_marks(spec),
        allow_direct_input=False,
        updatemode="mouseup",
    )


def _file_box(slug: str, attachment: Attachment) -> html.Div:
    """A button that lets a person choose a file; the script of the page reads it."""
    return html.Div(
        [
            html.Button(
                attachment.label, id=f"{slug}-choose-file", **{"data-action": "choose-file"}
            ),
            html.Span(id=f"{slug}-file-name", className="file-name", role="status"),
            html.P(attachment.help, className="file-help"),
        ],
        className="file-box",
    )


def _labelled(spec: Spec, names: Sequence[str]) -> list[dict[str, str]]:
    return [{"label": spec.choice_labels.get(name, name), "value": name} for name in names]


def _choice(field: str, spec: Spec, value: Any, names: tuple[str, ...]) -> Any:
    if spec.kind == "bool":
        options = [{"label": "Yes", "value": "true"}, {"label": "No", "value": "false"}]
    else:
        options = _labelled(spec, names)
    shown = query_text(value)
    if spec.kind == "name" or len(spec.choices) >= DROPDOWN_FROM:
        return dcc.Dropdown(
            id=field, options=options, value=shown, clearable=False, searchable=False
        )
    return dcc.RadioItems(
        id=field, options=options, value=shown, inline=True, className="segmented"
    )


def _position(spec: Spec, value: float) -> float:
    """Where a value stands on its slider; the script of the page inverts this.

    Where zero is allowed on a log scale it stands one step left of the least value shown.
    """
    if spec.floor and value < spec.floor:
        return _position(spec, spec.floor) - spec.step
    if spec.scale == "log2":
        return math.log2(value)
    return math.log10(value) if spec.scale == "log10" else value


def _marks(spec: Spec) -> dict[str, str]:
    """A handful of round values, keyed by their position."""
    low, high = _position(spec, spec.low), _position(spec, spec.high)
    if spec.scale == "linear":
        # A fifth of the span where a quarter would need a third decimal.
        most = MARKS if spec.kind == "int" or _two_decimals((high - low) / 4) else MARKS + 1
        count = min(most, round((high - low) / spec.step) + 1)
        spots = [low + (high - low) * index / (count - 1) for index in range(count)]
        if spec.kind == "int":
            spots = [round(spot) for spot in spots]
        return {_key(spot): group_digits(round(spot, 2)) for spot in spots}
    first, last = math.ceil(low), math.floor(high)
    stride = max(1, math.ceil((last - first) / (MARKS - 1)))
    base = 2 if spec.scale == "log2" else 10
    start = first + 1 if spec.floor else first
    marks = {
        _key(power): _compact(float(base) ** power, 1024 if base == 2 else 1000)
        for power in range(start, last + 1, stride)
    }
    return ({_key(low): "0"} if spec.floor else {}) | marks


def _two_decimals(value: float) -> bool:
    return math.isclose(value, round(value, 2))


def _key(position: float) -> str:
    return f"{position:g}"


def _compact(value: float, thousand: int) -> str:
    for prefix, size in (("G", thousand**3), ("M", thousand**2), ("k", thousand)):
        if value >= size:
            return f"{value / size:g}{prefix}"
    return f"{value:g}"

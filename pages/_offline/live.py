"""What an offline file needs to compute a closed form in the browser: controls, cases, the model's data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foptrn_model.attachments import Attachment
from foptrn_model.explorers import Explorer
from foptrn_model.fields import Spec
from foptrn_model.optical_dfa_params import EXPERIMENT_FIELDS
from foptrn_model.parameters import Params, ParamsError
from pages._components.controls import slider_range
from pages._figures.browser import live_data
from pages._offline.plates import figure_json, plates_of

SCRIPTS: dict[str, tuple[str, ...]] = {
    "amdahl": ("model", "model-figures", "model-ledger", "model-amdahl"),
    "masks": ("model", "model-figures", "model-ledger", "model-masks"),
    "transit": ("model", "model-figures", "model-transit-wan", "model-transit"),
    "optical-dfa": ("model", "model-figures", "model-optical-dfa-width", "model-optical-dfa"),
}
"""The scripts of each model that runs in the browser, in the order in which they load."""

LEFT_OUT = {"optical-dfa": frozenset(EXPERIMENT_FIELDS)}
"""Fields that only a simulation beside the closed form depends on."""


def live_file_data(explorer: Explorer, params: Params) -> dict[str, Any]:
    """Everything that the script of the file needs; raises ParamsError for a person's own file."""
    attachment = explorer.attachment
    if attachment and attachment.wanted(params):
        spec = params.specs()[attachment.field]
        because = f"other than {attachment.value} in an offline file, which holds no file of yours"
        raise ParamsError([spec.refuse(attachment.value, because)])
    plate = plates_of(explorer.slug)[0]
    left_out = LEFT_OUT.get(explorer.slug, frozenset())
    return {
        "kind": "live",
        "model": live_data(explorer.slug),
        "plates": [{"title": plate.title, "short": plate.short}],
        "figure": figure_json(plate.draw(explorer.evaluate(params), [])),
        "fields": [
            _field(explorer, spec)
            for spec in explorer.params.specs().values()
            if spec.name not in left_out
        ],
        "presets": [
            {
                "label": preset.label,
                "story": f"{preset.story} Source: {preset.source}.",
                "values": explorer.params.from_query(preset.query).resolved(),
            }
            for preset in explorer.presets
            if not preset.query or _set_by(explorer, preset.query) - left_out
        ],
        "shortcuts": {
            "title": explorer.shortcuts.title,
            "items": [
                {"label": item.label, "values": dict(item.values)}
                for item in explorer.shortcuts.items
            ],
        },
        "values": params.resolved(),
        "names": _names(attachment, explorer.params),
    }


def _set_by(explorer: Explorer, query: str) -> set[str]:
    """Fields that a query sets to other values than the defaults."""
    state = explorer.params.from_query(query)
    return {name for name, spec in state.specs().items() if getattr(state, name) != spec.default}


def _field(explorer: Explorer, spec: Spec) -> dict[str, Any]:
    """One control: what it is called, and what it takes."""
    own = explorer.attachment
    choices = [
        name for name in spec.choices if own is None or (spec.name, name) != (own.field, own.value)
    ]
    return {
        "name": spec.name,
        "kind": spec.kind,
        "label": spec.label,
        "unit": spec.unit,
        "help": spec.help,
        "group": spec.group,
        "primary": spec.primary,
        "low": spec.low,
        "high": spec.high,
        "allowed": replace(spec, choices=tuple(choices)).allowed,
        "scale": spec.scale,
        "step": spec.step,
        "floor": spec.floor,
        "range": slider_range(spec),
        "choices": [
            {"value": name, "label": spec.choice_labels.get(name, name)} for name in choices
        ],
    }


def _names(attachment: Attachment | None, model: type[Params]) -> dict[str, Any]:
    """Of names that exist in some states only: which there are, and the one that stands in."""
    if attachment is None:
        return {}
    field = model.specs()[attachment.field]
    states = {
        name: model.nearest({field.name: name})[0]
        for name in field.choices
        if name != attachment.value
    }
    return {
        spec.name: {
            name: {"known": state.options(spec.name), "default": getattr(state, spec.name)}
            for name, state in states.items()
        }
        for spec in model.specs().values()
        if spec.kind == "name"
    }

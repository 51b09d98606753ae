"""Callback requests as a browser makes them, from what the server itself says of its callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PATH = "/_dash-update-component"
ROUTER = "_pages_location"
"""The component whose address Dash finds a page by."""


def shapes(dependencies: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Requests without values, by their first input, from the answer of ``/_dash-dependencies``."""
    found = {}
    for item in dependencies:
        if item["inputs"] and not item["clientside_function"]:
            outputs = [name.rpartition(".") for name in item["output"].strip(".").split("...")]
            found[item["inputs"][0]["id"]] = {
                "output": item["output"],
                "outputs": [{"id": name, "property": prop} for name, _, prop in outputs],
                "inputs": item["inputs"],
                "state": item["state"],
            }
    return found


def update(shape: Mapping[str, Any], values: Sequence[Any]) -> dict[str, Any]:
    """A request of that shape with these values of its inputs."""
    inputs = [item | {"value": value} for item, value in zip(shape["inputs"], values, strict=True)]
    changed = [f"{item['id']}.{item['property']}" for item in shape["inputs"]]
    state = [item | {"value": None} for item in shape["state"]]
    return {**shape, "inputs": inputs, "state": state, "changedPropIds": changed}

"""The API described for machines (OpenAPI 3.1), made of the params models."""

from __future__ import annotations

from functools import cache
from typing import Any

from foptrn_model import __version__
from foptrn_model.explorers import EXPLORERS, Explorer
from foptrn_model.fields import MAX_NAME, Spec

OPENAPI = "openapi.json"
ERRORS = {
    "type": "object",
    "required": ["errors"],
    "properties": {
        "errors": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["param", "message", "value"],
                "properties": {"param": {"type": "string"}, "message": {"type": "string"}},
            },
        }
    },
}
REFUSALS = {
    "404": "There is nothing at this address.",
    "413": "The body is larger than this server takes.",
    "414": "The query is longer than this server takes.",
    "422": "A value is refused; each error names the field and what is allowed there.",
}
LATER = {
    "503": "The queue is full, or a computation came to nothing; Retry-After says when to ask."
}


@cache
def openapi(server: str) -> dict[str, Any]:
    """The whole description; ``server`` is the path of the API on this host."""
    paths: dict[str, Any] = {"/": {"get": _index()}}
    for explorer in EXPLORERS.values():
        paths |= _paths(explorer)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Fourier Optics for Training",
            "version": __version__,
            "description": "One address per explorer; the query is the same as its page's, and "
            "every field may be left out.",
        },
        "servers": [{"url": server}],
        "paths": paths,
        "components": {
            "schemas": {"Errors": ERRORS},
            "parameters": {
                f"{explorer.slug}.{spec.name}": _parameter(spec)
                for explorer in EXPLORERS.values()
                for spec in explorer.params.specs().values()
            },
        },
    }


def _paths(explorer: Explorer) -> dict[str, Any]:
    simulation = explorer.simulation
    parts = simulation.parts if simulation else {}
    waits = bool(simulation and simulation.main)
    needs = simulation.needs if simulation else {}
    first = next(iter(explorer.tables))
    paths = {
        f"/{explorer.slug}": _methods(explorer, "", explorer.question, _answer(explorer), waits),
        f"/{explorer.slug}.csv": _methods(
            explorer, "main table", f"The table {first}.", _csv(), waits or first in needs
        ),
    }
    for name in explorer.tables:
        paths[f"/{explorer.slug}/{name}.csv"] = _methods(
            explorer, f"table {name}", f"The table {name}.", _csv(), waits or name in needs
        )
    for name, part in parts.items():
        body = _json({"type": "object", "required": [*_answer_names(), "part", "meta"]})
        paths[f"/{explorer.slug}/{name}"] = {
            "get": _operation(explorer, f"part {name}", f"{part.label}.", body, waits=True)
        }
    return paths


def _methods(
    explorer: Explorer, what: str, summary: str, body: dict[str, Any], waits: bool
) -> dict[str, Any]:
    methods = {"get": _operation(explorer, what, summary, body, waits=waits)}
    if explorer.attachment:
        sent = _operation(explorer, f"{what} of a file", summary, body, waits=waits)
        sent["requestBody"] = {
            "required": True,
            "description": explorer.attachment.help,
            "content": {"text/csv": {"schema": {"type": "string"}}},
        }
        methods["post"] = sent
    return methods


def _operation(
    explorer: Explorer, what: str, summary: str, body: dict[str, Any], *, waits: bool
) -> dict[str, Any]:
    refusals = REFUSALS | (LATER if waits else {})
    return {
        "operationId": " ".join(f"{explorer.slug} {what}".split()).replace(" ", "-"),
        "tags": [explorer.slug],
        "summary": summary,
        "parameters": [
            {"$ref": f"#/components/parameters/{explorer.slug}.{name}"}
            for name in explorer.params.specs()
        ],
        "responses": {
            "200": {"description": "The answer.", "content": body},
            **{code: _refusal(text) for code, text in refusals.items()},
        },
    }


def _index() -> dict[str, Any]:
    schema = {"type": "object", "required": ["version", "openapi", "explorers"]}
    return {
        "operationId": "index",
        "summary": "Explorers, their tables, presets and schemas.",
        "responses": {"200": {"description": "The index.", "content": _json(schema)}},
    }


def _answer_names() -> list[str]:
    return ["explorer", "version", "params", "result"]


def _answer(explorer: Explorer) -> dict[str, Any]:
    return _json(
        {
            "type": "object",
            "required": [*_answer_names(), "verdict"],
            "properties": {
                "explorer": {"const": explorer.slug},
                "version": {"type": "string"},
                "params": {"type": "object", "required": list(explorer.params.specs())},
                "result": {"type": "object"},
                "verdict": {"type": "string"},
                "meta": {"type": "object"},
            },
        }
    )


def _parameter(spec: Spec) -> dict[str, Any]:
    unit = f" [{spec.unit}]" if spec.unit else ""
    schema = _schema(spec)
    if spec.default is not None:
        schema["default"] = spec.default
    return {
        "name": spec.name,
        "in": "query",
        "required": False,
        "description": f"{spec.label}{unit}. {spec.help} It must be {spec.allowed}.",
        "schema": schema,
    }


def _schema(spec: Spec) -> dict[str, Any]:
    if spec.kind == "bool":
        return {"type": "boolean"}
    if spec.kind == "choice":
        return {"type": "string", "enum": list(spec.choices)}
    if spec.kind == "name":
        return {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
    kind = "integer" if spec.kind == "int" else "number"
    return {"type": kind, "minimum": spec.low, "maximum": spec.high}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _csv() -> dict[str, Any]:
    return {"text/csv": {"schema": {"type": "string"}}}


def _refusal(text: str) -> dict[str, Any]:
    return {"description": text, "content": _json({"$ref": "#/components/schemas/Errors"})}

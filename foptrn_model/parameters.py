"""Base of all params models: bounds, nearest states and the query-string codec.

A params model is the single description of what a person may change. Page
controls, links, the API and the command line are all derived from it, so a
field is declared once, with :func:`param`, and nowhere else.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Literal, Self
from urllib.parse import parse_qsl, urlencode

import pydantic

from foptrn_model.fields import (
    Kind,
    ParamsError,
    Problem,
    Spec,
    clamp,
    echo,
    json_safe,
    param,
    query_text,
    read_value,
)

__all__ = ["Params", "ParamsError", "Problem", "Spec", "param", "query_text", "query_values"]

RESERVED_NAMES = frozenset({"embed", "theme", "hide", "pin", "tour"})
"""Query names that belong to the page, never to a model."""

MAX_QUERY_FIELDS = 200


class Params(pydantic.BaseModel):
    """A frozen, self-checking set of parameters with a query-string codec."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)

    groups: ClassVar[tuple[str, ...]] = ()
    """Headings of the controls from top to bottom; those not named follow as declared."""
    main: ClassVar[tuple[str, ...]] = ()
    """Fields whose controls also show in a slide's embed; if none, those declared primary."""

    # Hooks -----------------------------------------------------------------

    @classmethod
    def conflicts(cls, values: Mapping[str, Any]) -> list[Problem]:
        """Problems between fields that are each within their own bounds."""
        return []

    @classmethod
    def settle(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The nearest values without conflicts; each value is within bounds."""
        return values

    @classmethod
    def from_controls(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """What the controls of a page say, less what their state leaves out."""
        return dict(values)

    def resolved(self) -> dict[str, Any]:
        """Every field with the value that the model uses."""
        return self.model_dump()

    def inactive(self) -> frozenset[str]:
        """Fields that have no effect in this state."""
        return frozenset()

    def options(self, name: str) -> tuple[str, ...]:
        """What a field can be in this state; empty where a number decides."""
        return self.specs()[name].choices

    def beside(self, raw: Mapping[str, Any]) -> tuple[Self, list[str]]:
        """The valid state nearest to ``raw`` that keeps what this one carries besides its fields."""
        return self.nearest(raw)

    def construction(self) -> tuple[str, str]:
        """Lines of imports, and the Python expression that makes this state."""
        model = type(self)
        given = {
            name: getattr(self, name)
            for name, spec in self.specs().items()
            if getattr(self, name) != spec.default
        }
        words = ", ".join(f"{name}={value!r}" for name, value in given.items())
        return "", f"{model.__name__}({words})"

    # Checks ----------------------------------------------------------------

    @pydantic.model_validator(mode="after")
    def _check_conflicts(self) -> Self:
        problems = self.conflicts(self.model_dump())
        if problems:
            raise ParamsError(problems)
        return self

    @classmethod
    def specs(cls) -> dict[str, Spec]:
        """Name -> :class:`Spec`, in the order of :attr:`groups`, then of declaration."""
        return _specs(cls)

    @classmethod
    def parse(cls, raw: Mapping[str, Any]) -> Self:
        """Read values as people send them: text, numbers or lists of text.

        Raises
        ------
        ParamsError
            Naming every unknown, unreadable, out-of-range or conflicting field.
        """
        values, problems = cls._read(raw)
        bad = {problem.param for problem in problems}
        complete = cls._defaults() | values
        for problem in cls.conflicts(complete):
            if problem.param not in bad:
                problems.append(problem)
        if problems:
            raise ParamsError(problems)
        return cls(**values)

    @classmethod
    def nearest(cls, raw: Mapping[str, Any]) -> tuple[Self, list[str]]:
        """The valid state nearest to ``raw``, and a notice per replaced value."""
        notices: list[str] = []
        values: dict[str, Any] = {}
        for name, given in raw.items():
            spec = cls.specs().get(name)
            if spec is None:
                if name not in RESERVED_NAMES:
                    notices.append(f"{echo(name, 40)} is not a setting here: ignored")
                continue
            try:
                values[name] = read_value(spec, given)
            except ParamsError as error:
                nearest = clamp(spec, given)
                values[name] = nearest
                message = error.problems[0].message
                notices.append(f"{message}: using {spec.show(nearest)}")
        complete = cls._defaults() | values
        conflicts = cls.conflicts(complete)
        if conflicts:
            settled = cls.settle(dict(complete))
            for problem in conflicts:
                spec, new = cls.specs()[problem.param], settled[problem.param]
                used = "ignored" if new is None else f"using {spec.show(new)}"
                notices.append(f"{problem.message}: {used}")
            reported = {problem.param for problem in conflicts}
            for name, new in settled.items():
                if name not in reported and new != complete[name]:
                    notices.append(f"{name} adjusted to {cls.specs()[name].show(new)}")
            complete = settled
        return cls(**complete), notices

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        return {name: spec.default for name, spec in cls.specs().items()}

    @classmethod
    def _read(cls, raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        for name, given in raw.items():
            spec = cls.specs().get(name)
            if spec is None:
                if name in RESERVED_NAMES:
                    continue
                known = ", ".join(cls.specs())
                problems.append(
                    Problem(
                        param=echo(name, 40),
                        message=f"{echo(name, 40)} is not a parameter here; known: {known}",
                        value=json_safe(given),
                    )
                )
                continue
            try:
                values[name] = read_value(spec, given)
            except ParamsError as error:
                problems.extend(error.problems)
        return values, problems

    # Codec -----------------------------------------------------------------

    def to_query(self) -> str:
        """Query string with the values that differ from the defaults, sorted."""
        pairs = [
            (name, query_text(getattr(self, name)))
            for name, spec in sorted(self.specs().items())
            if getattr(self, name) != spec.default
        ]
        return urlencode(pairs)

    @classmethod
    def from_query(cls, query: str) -> Self:
        """Inverse of :meth:`to_query`; raises ParamsError on bad values."""
        return cls.parse(query_values(query))


def query_values(query: str) -> dict[str, str | list[str]]:
    """A query string as name -> text, or -> list of texts where repeated.

    Raises ParamsError where there are more than :data:`MAX_QUERY_FIELDS`.
    """
    try:
        pairs = parse_qsl(
            query.lstrip("?"), keep_blank_values=True, max_num_fields=MAX_QUERY_FIELDS
        )
    except ValueError:
        message = f"query must have at most {MAX_QUERY_FIELDS} fields"
        raise ParamsError([Problem(param="query", message=message, value=echo(query))]) from None
    values: dict[str, str | list[str]] = {}
    for name, text in pairs:
        if name in values:
            earlier = values[name]
            values[name] = [*earlier, text] if isinstance(earlier, list) else [earlier, text]
        else:
            values[name] = text
    return values


@cache
def _specs(model: type[Params]) -> dict[str, Spec]:
    hints = typing.get_type_hints(model)
    specs = {name: _spec(name, field, hints[name]) for name, field in model.model_fields.items()}
    if model.main:
        specs = {name: replace(spec, primary=name in model.main) for name, spec in specs.items()}
    place = {group: index for index, group in enumerate(model.groups)}
    return dict(sorted(specs.items(), key=lambda item: place.get(item[1].group, len(place))))


def _spec(name: str, field: Any, annotation: Any) -> Spec:
    inner, optional = annotation, False
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        inner = next(arg for arg in typing.get_args(annotation) if arg is not type(None))
        optional = True
    choices = typing.get_args(inner) if typing.get_origin(inner) is Literal else ()
    kinds: dict[Any, Kind] = {bool: "bool", int: "int", float: "float", str: "name"}
    extra = field.json_schema_extra
    low = next((item.ge for item in field.metadata if hasattr(item, "ge")), 0)
    high = next((item.le for item in field.metadata if hasattr(item, "le")), 0)
    return Spec(
        name=name,
        kind="choice" if choices else kinds[inner],
        default=field.default,
        label=field.title,
        help=field.description,
        low=low,
        high=high,
        choices=choices,
        optional=optional,
        **extra,
    )

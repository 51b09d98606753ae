"""Fields of params models: what each allows, and how one value is read and written."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pydantic

from foptrn_model.text import group_digits

MAX_ECHO = 60
"""Characters of a refused value that are quoted back."""
MAX_ECHO_BITS = 200

MAX_NAME = 60
"""Characters of a name."""

_NUMBER = re.compile(r"[+-]?((\d{1,3}(,\d{3})+|\d+)(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)

Scale = Literal["linear", "log2", "log10"]
Kind = Literal["int", "float", "bool", "choice", "name"]


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One refused value: the field, what is allowed there, and the value."""

    param: str
    message: str
    value: Any

    def as_dict(self) -> dict[str, Any]:
        return {"param": self.param, "message": self.message, "value": self.value}


class ParamsError(ValueError):
    """Raised with every problem found, so that one answer names them all."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.message for problem in self.problems))


@dataclass(frozen=True, kw_only=True)
class Spec:
    """What a page, a schema or a message needs to know of one field.

    ``low`` and ``high`` bound numbers; for other kinds they mean nothing. A
    name is free text; which names exist depends on the state, so ``choices``
    is empty and ``Params.options`` lists them.
    """

    name: str
    kind: Kind
    default: Any
    label: str
    help: str
    unit: str
    scale: Scale
    glossary: str
    group: str
    low: float
    high: float
    choices: tuple[str, ...]
    choice_labels: Mapping[str, str]
    optional: bool
    primary: bool
    slider: bool
    step: float
    floor: float
    """The smallest value above zero that a slider shows; its left end is zero.

    On a linear scale no value between the two is allowed, and ``step`` is best
    the floor itself, so that the slider's left end lies at zero.
    """

    @property
    def allowed(self) -> str:
        """The allowed values, as a phrase that follows "must be"."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices)
        if self.kind == "name":
            return f"a name of 1 to {MAX_NAME} printable characters"
        noun = "a whole number" if self.kind == "int" else "a number"
        if self.floor and self.scale == "linear":
            return f"0 for none, or {noun} from {group_digits(self.floor)} to {group_digits(self.high)}"
        return f"{noun} from {group_digits(self.low)} to {group_digits(self.high)}"

    def show(self, value: Any) -> str:
        """A value of this field as people read it."""
        if value is None:
            return "the default"
        return group_digits(value) if self.kind in ("int", "float") else query_text(value)

    def refuse(self, value: Any, because: str = "") -> Problem:
        """A problem that names the field, the allowed range and the value."""
        shown = echo(value)
        message = f"{self.name} must be {because or self.allowed}, got {shown}"
        return Problem(param=self.name, message=message, value=json_safe(value))


def param(
    default: Any,
    *,
    label: str,
    help: str,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    scale: Scale = "linear",
    glossary: str = "",
    group: str = "",
    choice_labels: Mapping[str, str] | None = None,
    primary: bool = False,
    slider: bool = True,
    step: float | None = None,
    floor: float = 0,
) -> Any:
    """Declare a field of a params model.

    Parameters
    ----------
    default : the value of the default state; None where another field decides.
    label, help : what the control is called, and one line about it.
    low, high : inclusive bounds of a number, in ``unit``.
    scale : how a slider runs and how a sweep is spaced.
    glossary : anchor of the entry that explains the field.
    group : heading under which the control stands.
    choice_labels : what a person reads for each choice.
    primary : whether the control also shows in a slide's embed.
    slider : whether a number has a slider beside its text box.
    step : what one press of an arrow key adds, in octaves or decades on a log
        scale.
    floor : where zero is allowed on a log scale, the least value above it that
        the slider shows; on a linear scale the least that is allowed beside zero.
    """
    extra: dict[str, Any] = {
        "unit": unit,
        "scale": scale,
        "glossary": glossary,
        "group": group,
        "choice_labels": dict(choice_labels or {}),
        "primary": primary,
        "slider": slider,
        "floor": floor,
        "step": step or {"linear": 1.0, "log2": 0.125, "log10": 0.05}[scale],
    }
    return pydantic.Field(
        default,
        title=label,
        description=help,
        ge=low,
        le=high,
        allow_inf_nan=False if low is not None else None,
        json_schema_extra=extra,
    )


def read_value(spec: Spec, given: Any) -> Any:
    """One value as its field's type and within its bounds, or ParamsError."""
    if isinstance(given, (list, tuple)):
        raise ParamsError([spec.refuse(given, "given once")])
    if given is None and spec.optional:
        return None
    value = _readers[spec.kind](spec, given)
    if value is None:
        raise ParamsError([spec.refuse(given)])
    return value


def _read_bool(spec: Spec, given: Any) -> bool | None:
    if isinstance(given, bool):
        return given
    return {"true": True, "false": False}.get(_word(given).lower())


def _read_choice(spec: Spec, given: Any) -> str | None:
    text = _word(given)
    return text if text in spec.choices else None


def _read_name(spec: Spec, given: Any) -> str | None:
    text = _word(given)
    return text if text.isprintable() and 0 < len(text) <= MAX_NAME else None


def _word(given: Any) -> str:
    """Text without the space around it; nothing for what is not text."""
    return given.strip() if isinstance(given, str) else ""


def _read_number(spec: Spec, given: Any) -> float | int | None:
    number = _finite(given)
    if number is None:
        return None
    if spec.kind == "int":
        if number != math.floor(number):
            return None
        number = int(number)
    if not spec.low <= number <= spec.high:
        return None
    return number if spec.kind == "int" else float(number)


_readers: dict[Kind, Callable[[Spec, Any], Any]] = {
    "bool": _read_bool,
    "choice": _read_choice,
    "name": _read_name,
    "int": _read_number,
    "float": _read_number,
}


def _finite(given: Any) -> float | int | None:
    """A finite number from text or a number; None where there is none."""
    if isinstance(given, int):
        return None if isinstance(given, bool) else given
    if isinstance(given, float):
        return given if math.isfinite(given) else None
    # A typographic minus arrives by copy and paste from a paper.
    text = _word(given).replace("\u2212", "-")
    if len(text) > MAX_ECHO or not _NUMBER.fullmatch(text):
        return None
    text = text.replace(",", "")
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    number = float(text)
    return number if math.isfinite(number) else None


def clamp(spec: Spec, given: Any) -> Any:
    """The allowed value nearest to a refused one; the default where none is."""
    if isinstance(given, (list, tuple)):
        given = given[-1] if given else None
    if spec.kind in ("int", "float"):
        number = _finite(given)
        if number is None and _NUMBER.fullmatch(_word(given)):
            number = float(_word(given).replace(",", ""))  # too large to be finite, or too long
        if number is None:
            return spec.default
        number = min(max(number, spec.low), spec.high)
        return round(number) if spec.kind == "int" else float(number)
    wanted = _word(given).lower()
    if spec.kind == "choice":
        return next((choice for choice in spec.choices if choice.lower() == wanted), spec.default)
    if spec.kind == "name":
        read = _read_name(spec, given)
        return spec.default if read is None else read
    return _read_bool(spec, given) if _read_bool(spec, given) is not None else spec.default


def query_text(value: Any) -> str:
    """The query-string form of a value; floats keep every bit."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def echo(value: Any, most: int = MAX_ECHO) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, (list, tuple)):
        value = " and ".join(map(echo, value))
    if isinstance(value, int) and value.bit_length() > MAX_ECHO_BITS:
        return f"an integer of {value.bit_length()} bits"  # Python refuses to print long ones
    text = query_text(value) if isinstance(value, (bool, int, float)) else str(value)
    text = "".join(char if char.isprintable() else "\ufffd" for char in text)
    if not text.strip():
        return "nothing"
    return text if len(text) <= most else text[:most] + "\u2026"


def json_safe(value: Any) -> Any:
    """A refused value as JSON can carry it: text for what is not a number."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int) and abs(value) < 2**53:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, (list, tuple)):
        return [json_safe(item) for item in value[:10]]
    return "" if value == "" else echo(value)

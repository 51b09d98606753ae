"""A person's own file that a state may stand on, beside its fields.

The file travels with a request and is kept by the browser; a link or an answer
never holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from foptrn_model.parameters import Params, ParamsError, Problem


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """What an explorer takes: ``field`` has ``value`` in a state that stands on the file.

    ``read`` makes data of the file's bytes, or raises ValueError; ``join`` puts
    data beside a state, settling what the data does not have if it may;
    ``without`` gives the state that a link opens on where there is no file, and
    says so.
    """

    name: str
    field: str
    value: str
    label: str
    help: str
    accept: str
    max_bytes: int
    read: Callable[[bytes], Any]
    join: Callable[[Any, Any, bool], Params]
    without: Callable[[Any], tuple[Params, str]]

    def read_file(self, contents: bytes) -> Any:
        """The data of a file; raises ParamsError with what is wrong with it."""
        try:
            return self.read(contents)
        except ValueError as error:
            raise ParamsError(
                [Problem(param=self.name, message=f"{self.name}: {error}", value=None)]
            ) from None

    def wanted(self, params: Params) -> bool:
        """Whether a state stands on the file."""
        return bool(getattr(params, self.field) == self.value)

    def attach(self, params: Params, data: Any, given: Mapping[str, Any]) -> Params:
        """A state that was asked for field by field, with its data.

        What was asked for and does not exist is refused with a ParamsError;
        defaults follow the data.
        """
        if not self.wanted(params):
            message = f"{self.name}: a file was sent, but {self.field} is not {self.value}"
            raise ParamsError([Problem(param=self.field, message=message, value=None)])
        names = params.specs()
        settle = not any(name in given for name in names if names[name].kind == "name")
        return self.join(params, data, settle)

    def complete(self, params: Params, data: Any | None) -> tuple[Params, list[str]]:
        """The nearest state with or without a file, and a notice for what that changed."""
        if not self.wanted(params):
            return params, []
        if data is None:
            state, notice = self.without(params)
            return state, [notice]
        state = self.join(params, data, True)
        changed = [name for name in params.specs() if getattr(state, name) != getattr(params, name)]
        return state, [
            f"{name} {getattr(params, name)} is not in this file: using {getattr(state, name)}"
            for name in changed
        ]

    def missing(self) -> Problem:
        """What to say where a state stands on a file that is not here."""
        return Problem(
            param=self.name,
            message=f"{self.name}: choose a file first; none is here",
            value=None,
        )

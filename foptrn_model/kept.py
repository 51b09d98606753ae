"""Remembering what was computed, within a bound on its bytes rather than on its number."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class Kept(Generic[Arguments, Found]):
    """A pure function of hashable arguments; its latest results are kept."""

    def __init__(
        self, compute: Callable[Arguments, Found], most_bytes: int, size: Callable[[Found], int]
    ) -> None:
        self._compute, self._most_bytes, self._size = compute, most_bytes, size
        self._kept: OrderedDict[Hashable, tuple[Found, int]] = OrderedDict()
        self._lock = threading.Lock()
        update_wrapper(self, compute)

    def __call__(self, *args: Arguments.args, **named: Arguments.kwargs) -> Found:
        """Compute a result, or give the one that is kept."""
        key = (args, tuple(sorted(named.items())))
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        found = self._compute(*args, **named)  # not under the lock: others need not wait for it
        size = self._size(found)
        if size > self._most_bytes:
            return found
        with self._lock:
            self._kept[key] = found, size
            while sum(size for _, size in self._kept.values()) > self._most_bytes:
                self._kept.popitem(last=False)
        return found

    def cache_clear(self) -> None:
        """Forget everything, as of functools' caches."""
        with self._lock:
            self._kept.clear()


def kept_within(
    most_bytes: int, size: Callable[[Any], int]
) -> Callable[[Callable[Arguments, Found]], Kept[Arguments, Found]]:
    """Decorate a pure function: its latest results are kept, together at most ``most_bytes``.

    ``size`` gives the bytes of a result; one of more than ``most_bytes`` is not kept.
    """
    return lambda compute: Kept(compute, most_bytes, size)


def array_bytes(found: Any) -> int:
    """Bytes of the arrays in a result: in its fields, and in tuples and mappings there.

    A view counts as the whole of what it keeps alive, once however many look at it.
    """
    owners: dict[int, int] = {}
    todo = [found]
    while todo:
        item = todo.pop()
        if isinstance(item, np.ndarray):
            while isinstance(item.base, np.ndarray):
                item = item.base
            owners[id(item)] = item.nbytes
        elif isinstance(item, tuple | list):
            todo.extend(item)
        elif isinstance(item, dict):
            todo.extend(item.values())
        elif is_dataclass(item):
            todo.extend(getattr(item, field.name) for field in fields(item))
    return sum(owners.values())

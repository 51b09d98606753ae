"""Remembering what was computed, within a bound on its bytes rather than on its number."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


def kept_within(
    most_bytes: int, size: Callable[[Any], int]
) -> Callable[[Callable[[Key], Found]], Callable[[Key], Found]]:
    """Decorate a pure function of one argument: its latest results are kept.

    ``size`` gives the bytes of a result; one of more than ``most_bytes`` is not kept.
    """

    def decorate(compute: Callable[[Key], Found]) -> Callable[[Key], Found]:
        kept: OrderedDict[Key, Found] = OrderedDict()
        lock = threading.Lock()

        @wraps(compute)
        def remembered(key: Key) -> Found:
            with lock:
                if key in kept:
                    kept.move_to_end(key)
                    return kept[key]
            found = compute(key)  # not under the lock: others need not wait for it
            if size(found) > most_bytes:
                return found
            with lock:
                kept[key] = found
                while sum(map(size, kept.values())) > most_bytes:
                    kept.popitem(last=False)
            return found

        return remembered

    return decorate

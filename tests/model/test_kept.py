"""Results are remembered up to a number of bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foptrn_model.kept import array_bytes, kept_within


@dataclass(frozen=True)
class Waves:
    """Two views of one array, and others further in."""

    even: NDArray[np.float64]
    odd: NDArray[np.float64]
    others: dict[str, tuple[NDArray[np.int8], ...]]


def test_the_oldest_go_where_they_are_too_many_bytes() -> None:
    computed: list[int] = []

    @kept_within(10, len)
    def text(length: int) -> str:
        computed.append(length)
        return "x" * length

    for length in (4, 5, 4, 5, 4):
        assert text(length) == "x" * length
    assert computed == [4, 5]
    text(6)  # with 4, used last, just fits
    assert (text(4), text(5), computed) == ("x" * 4, "x" * 5, [4, 5, 6, 5])
    text(50)  # alone too large
    text(50)
    text(5)
    assert computed == [4, 5, 6, 5, 50, 50]


def test_arguments_by_name_are_another_key_and_all_can_be_forgotten() -> None:
    computed: list[tuple[int, int]] = []

    @kept_within(100, len)
    def text(length: int, *, more: int = 0) -> str:
        computed.append((length, more))
        return "x" * (length + more)

    assert text.__name__ == "text"
    assert [len(text(2)), len(text(2, more=1)), len(text(2)), len(text(2, more=1))] == [2, 3, 2, 3]
    assert computed == [(2, 0), (2, 1)]
    text.cache_clear()
    text(2)
    assert computed == [(2, 0), (2, 1), (2, 0)]


def test_the_bytes_of_a_result_are_those_that_its_arrays_keep_alive() -> None:
    whole = np.zeros(100)
    small = np.zeros(7, dtype=np.int8)
    assert array_bytes(Waves(whole[::2], whole[1::2][:3], {"a": (small, small), "b": ()})) == 807
    assert array_bytes([None, "text", 3.0]) == 0

"""Results are remembered up to a number of bytes."""

from __future__ import annotations

from foptrn_model.kept import kept_within


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

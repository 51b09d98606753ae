"""Guesses: what is read as a number of which unit, and how the distance is told."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.explorers import EXPLORERS
from foptrn_model.guesses import GuessError, judge, unit_of
from foptrn_model.headlines import Headline, Style

WORDS = {"a": "The first", "b": "The second, summed"}


def headline(style: Style, unit: str = "", words: dict[str, str] | None = None) -> Headline:
    return Headline(field="x", label="X", style=style, unit=unit, words=words or {})


@pytest.mark.parametrize(
    ("style", "unit", "written", "value"),
    [
        ("percent", "", "14", 0.14),
        ("percent", "", " 1,250 % ", 12.5),
        ("speed_up", "", "2x", 2),
        ("speed_up", "", "2 times", 2),
        ("plain", "\u00d7", "1e-3 \u00d7", 0.001),
        ("plain", "", "4.9 \u00d7 10\u207b\u00b9\u2076", 4.9e-16),
        ("plain", "", "\u22123", -3),
        ("si", "B", "2.5 GB", 2.5e9),
        ("si", "B", "2.5 k", 2500),
        ("si", "B", "40", 40),
        ("duration", "", "90", 90),
        ("duration", "", "5 ms", 0.005),
        ("duration", "", "1 day", 86_400),
        ("whole", "", "1,024", 1024),
        ("plain", "", "never", "never"),
        ("plain", "", "the second, SUMMED", "b"),
    ],
)
def test_a_guess_is_read_in_the_unit_of_its_number(
    style: Style, unit: str, written: str, value: float | str
) -> None:
    words = WORDS if value == "b" else {}
    found = judge(headline(style, unit, words), 1.0, written).value
    assert found == (value if isinstance(value, str) else pytest.approx(value))


@pytest.mark.parametrize(
    ("style", "written"),
    [
        ("percent", "about ten"), ("percent", "2x"), ("speed_up", "5 %"), ("speed_up", ""),
        ("whole", "."), ("plain", "e5"), ("plain", "nan"), ("plain", "1e999"), ("si", "3 furlongs"),
        ("duration", "2 light"), ("plain", "1" * 200), ("plain", "1,00"), ("percent", "\u0663"),
    ],
)  # fmt: skip
def test_what_is_no_guess_is_refused_with_an_example(style: Style, written: str) -> None:
    with pytest.raises(GuessError, match=r"write a number such as|at most 60"):
        judge(headline(style, "B" if style == "si" else ""), 1.0, written)


@pytest.mark.parametrize("written", ["3", "never", ""])
def test_a_word_is_asked_for_by_its_names(written: str) -> None:
    with pytest.raises(GuessError, match="The first; The second, summed"):
        judge(headline("plain", words=WORDS), "a", written)


@pytest.mark.parametrize(
    ("slug", "written", "allowed"),
    [
        ("amdahl", "-3", "Bound on the speed-up, by time must be from 0\u00d7 to 1\u00d710\u00b9\u2075\u00d7, got -3"),
        ("amdahl", "1e300", "from 0\u00d7 to 1\u00d710\u00b9\u2075\u00d7, got 1e300"),
        ("compression", "101", "from 0\u202f% to 100\u202f%, got 101"),
        ("trainers", "-1 %", "from 0\u202f% to 100\u202f%, got -1 %"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_range(slug: str, written: str, allowed: str) -> None:
    with pytest.raises(GuessError, match=re.escape(allowed)):
        judge(EXPLORERS[slug].headlines[0], 1.0, written)


def test_the_distance_is_a_factor() -> None:
    bound = headline("speed_up")
    assert judge(bound, 1.0014297, "2x").text == (
        "You said 2x; it is 1.0014\u00d7, a gain of 0.143\u202f%: 1.997 times less than you said."
    )
    assert "4.000 times as much" in judge(headline("plain"), 8.0, "2").text
    assert "less than 1\u202f% away" in judge(headline("plain"), 1000.0, "1009").text
    assert "+50.0 points from your guess" in judge(headline("percent"), 0.5, "0").text
    assert "more than 1\u00d710\u00b9\u2078 times as much" in judge(bound, 1.5, "1e-300").text
    assert judge(headline("plain"), "never", "3").text == "You said 3; it is never."
    assert judge(headline("plain"), "never", "never").text == "You said never, and never it is."


@given(st.floats(1e-12, 1e9), st.floats(1.02, 1e6))
def test_the_factor_leads_from_the_guess_to_the_number(value: float, factor: float) -> None:
    text = judge(headline("plain"), value, repr(value * factor)).text
    told = text.partition(": ")[2].removesuffix(" times less than you said.").replace(",", "")
    mantissa, _, power = told.partition("\u00d710")
    digits = str.maketrans(
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789"
    )
    assert float(f"{mantissa}e{power.translate(digits) or 0}") == pytest.approx(factor, rel=1e-3)


@pytest.mark.parametrize("slug", EXPLORERS)
def test_the_number_itself_is_right(slug: str) -> None:
    explorer = EXPLORERS[slug]
    first = explorer.headlines[0]
    value = first.value(explorer.evaluate(explorer.params()).result)
    assert judge(first, value, first.text(value)).text.endswith(" it is.")
    assert isinstance(unit_of(first), str)

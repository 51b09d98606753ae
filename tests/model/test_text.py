"""Numbers in words: rounding, prefixes, and their limits."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foptrn_model.text import (
    compact,
    counted,
    duration,
    group_digits,
    percent,
    si,
    significant,
    speed_up,
)
from tests.model.shown import agrees, read, significant_digits

digits_shown = st.integers(1, 6)


def spaced(text):
    return text.replace("\u202f", " ")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1_048_576, "1,048,576"),
        (1_048_576.0, "1,048,576"),
        (128, "128"),
        (-4096, "-4,096"),
        (0, "0"),
        (0.001, "0.001"),
        (2.5, "2.5"),
        (4096.5, "4,096.5"),
        (10**18, "1,000,000,000,000,000,000"),
        (1e15, "1e+15"),
        (math.inf, "inf"),
        (None, ""),
    ],
)
def test_group_digits(value, text):
    assert group_digits(value) == text


@given(number=st.integers())
def test_grouped_whole_numbers_read_back(number):
    text = group_digits(number)
    assert int(text.replace(",", "")) == number
    assert all(len(group) == 3 for group in text.split(",")[1:])


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.14278, 3, "0.143"),
        (0.14278, 1, "0.1"),
        (48.2491, 3, "48.2"),
        (48_249, 3, "48,200"),
        (2.0, 3, "2.00"),
        (-0.5, 2, "-0.50"),
        (1e-9, 3, "0.00000000100"),
        (0, 3, "0"),
        (0.0, 3, "0"),
        (math.inf, 3, "inf"),
        (-math.inf, 3, "-inf"),
        (math.nan, 3, "nan"),
        (9.994, 3, "9.99"),
        (9.996, 3, "10.0"),
        (99.96, 3, "100"),
        (0.9996, 3, "1.00"),
        (999.6, 3, "1,000"),
    ],
)
def test_significant(value, digits, text):
    assert significant(value, digits) == text


@settings(max_examples=200)
@given(value=st.floats(1e-12, 1e12), digits=digits_shown, sign=st.sampled_from([1, -1]))
def test_significant_is_the_value_to_its_last_digit(value, digits, sign):
    text = significant(sign * value, digits)
    assert abs(read(text)[0] - sign * value) <= 10 ** (math.floor(math.log10(value)) - digits + 1)
    assert "e" not in text
    # Whole digits beyond the significant ones are there as zeros.
    whole = len(text.lstrip("-").partition(".")[0].replace(",", "")) if value >= 1 else 0
    assert significant_digits(text) == max(digits, whole)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 FLOP"),
        (1, "1.00 FLOP"),
        (0.25, "0.250 FLOP"),
        (999.4, "999 FLOP"),
        (999.6, "1.00 kFLOP"),
        (1000, "1.00 kFLOP"),
        (999.94e3, "1.00 MFLOP"),
        (999.96e3, "1.00 MFLOP"),
        (999.4e3, "999 kFLOP"),
        (1e6, "1.00 MFLOP"),
        (48_249_176_064, "48.2 GFLOP"),
        (999.9999e9, "1.00 TFLOP"),
        (1e15, "1.00 PFLOP"),
        (1e18, "1.00 EFLOP"),
        (1e21, "1.00 ZFLOP"),
        (9.99e23, "999 ZFLOP"),
        (1e24, "1,000 ZFLOP"),
        (-48_249_176_064, "-48.2 GFLOP"),
        (-999.96e3, "-1.00 MFLOP"),
    ],
)
def test_si(value, text):
    assert spaced(si(value, "FLOP")) == text


@pytest.mark.parametrize(
    ("digits", "text"), [(1, "1 M"), (2, "1.0 M"), (3, "1.00 M"), (4, "1.000 M"), (5, "999.96 k")]
)
def test_si_rounds_up_across_a_prefix_at_any_number_of_digits(digits, text):
    assert spaced(si(999.96e3, digits=digits)) == text


def test_three_digits_unless_told():
    assert significant(0.14278) == "0.143"
    assert si(48_249) == si(48_249, digits=3)
    assert percent(0.14278) == percent(0.14278, 3)


def test_si_without_a_unit_ends_without_a_space():
    assert si(5) == "5.00"
    assert si(5e3) == "5.00\u202fk"


@settings(max_examples=200)
@given(value=st.floats(1, 9.9e23), digits=st.integers(3, 6))
def test_si_mantissa_is_below_a_thousand_and_right(value, digits):
    text = si(value, "FLOP", digits)
    assert agrees(text, value)
    assert abs(read(text)[0] / value - 1) <= 10.0 ** (1 - digits)
    mantissa = float(text.partition("\u202f")[0])
    assert 1 <= mantissa < 1000
    assert significant_digits(text) == digits


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.5, "50.0 %"),
        (0.0014278, "0.143 %"),
        (0.0966, "9.66 %"),
        (1e-5, "0.00100 %"),
        (4.76e-6, "4.76\u00d710\u207b\u2074 %"),
        (9.999e-6, "1.00\u00d710\u207b\u00b3 %"),
        (1e-12, "1.00\u00d710\u207b\u00b9\u2070 %"),
        (-4.76e-6, "-4.76\u00d710\u207b\u2074 %"),
        (0.99996, "100 %"),
    ],
)
def test_percent(fraction, text):
    assert spaced(percent(fraction)) == text


@settings(max_examples=200)
@given(fraction=st.floats(1e-30, 1))
def test_percent_is_the_fraction_to_its_last_digit(fraction):
    text = percent(fraction)
    assert agrees(text, fraction)
    assert abs(read(text)[0] / fraction - 1) <= 0.0051
    assert significant_digits(text) == 3


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (1, "1"),
        (1.0, "1"),
        (0.5, "1"),
        (1.0014298, "1.0014"),
        (1.00143e0 + 1e-3, "1.0024"),
        (1.10697, "1.11"),
        (1.5, "1.50"),
        (1.996, "2.00"),
        (2, "2.00"),
        (3.6048, "3.60"),
        (12.345, "12.3"),
        (1 + 1e-9, "1.0000000010"),
    ],
)
def test_speed_up(bound, text):
    assert speed_up(bound) == text


@settings(max_examples=200)
@given(gain=st.floats(1e-9, 100))
def test_speed_up_shows_two_digits_of_the_gain(gain):
    bound = 1 + gain
    assume(bound > 1)
    text = speed_up(bound)
    assert agrees(text, bound)
    assert abs(read(text)[0] - bound) <= 0.051 * (bound - 1)
    assert float(text) > 1


SECONDS = {"ns": 1e-9, "\u00b5s": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600,
           "days": 86_400, "years": 31_557_600}  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (1e-10, "100 ps"),
        (0.0134, "13.4 ms"),
        (0.9994, "999 ms"),
        (0.99996, "1.00 s"),
        (59.96, "60.0 s"),
        (267, "4.45 min"),
        (7200, "2.00 h"),
        (1e9, "31.7 years"),
    ],
)
def test_duration(seconds, text):
    assert spaced(duration(seconds)) == text


@given(seconds=st.floats(1e-9, 1e12), digits=st.integers(2, 6))
def test_durations_read_back(seconds, digits):
    number, _, unit = duration(seconds, digits).partition("\u202f")
    value = float(number.replace(",", ""))
    assert value * SECONDS[unit] == pytest.approx(seconds, rel=10.0 ** (1 - digits))
    assert value >= 1, "the largest unit that the time fills"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.001, "0.00100"),
        (0.000999, "9.99\u00d710\u207b\u2074"),
        (517.3, "517"),
        (9_999_999, "10,000,000"),
        (12_345_678, "1.23\u00d710\u2077"),
        (-3e-9, "-3.00\u00d710\u207b\u2079"),
        (math.inf, "inf"),
    ],
)
def test_compact(value, text):
    assert compact(value) == text


def test_counted():
    assert [counted(number, "frame") for number in (0, 1, 2, 1_076)] == [
        "0 frames", "1 frame", "2 frames", "1,076 frames"
    ]  # fmt: skip

"""Refusals: every bad value is named with its field and what is allowed there."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams
from foptrn_model.parameters import ParamsError, query_values
from foptrn_model.text import group_digits
from tests.model import strategies as some
from tests.model.strategies import BOUNDS, SHAPE_NUMBERS, refused

NUMBERS = [name for name, spec in AmdahlParams.specs().items() if spec.kind in ("int", "float")]
WHOLE = [name for name, spec in AmdahlParams.specs().items() if spec.kind == "int"]

BAD_NUMBERS = {
    "zero": ("0", "0"),
    "negative": ("-5", "-5"),
    "typographic minus": ("\u22125", "\u22125"),
    "huge": ("1e99", "1e99"),
    "beyond floats": ("1e999", "1e999"),
    "words": ("abc", "abc"),
    "NaN": ("NaN", "NaN"),
    "nan as a number": (float("nan"), "NaN"),
    "inf": ("inf", "inf"),
    "minus infinity as a number": (float("-inf"), "-inf"),
    "empty": ("", "nothing"),
    "blank": ("  ", "nothing"),
    "many digits": ("9" * 500, "9" * 60 + "\u2026"),
    "many digits as a number": (10**40, str(10**40)),
    "exponent alone": ("e5", "e5"),
    "point and exponent": (".e5", ".e5"),
    "a sign": ("-", "-"),
    "hexadecimal": ("0x1000", "0x1000"),
    "underscore": ("40_96", "40_96"),
    "misplaced comma": ("40,96", "40,96"),
    "true": (True, "true"),
    "two lines": ("4\n096", "4\ufffd096"),
}


@pytest.mark.parametrize("name", ["seq_len", "fft_rate", "tokens_per_step", "n_layers"])
@pytest.mark.parametrize(("given", "shown"), BAD_NUMBERS.values(), ids=BAD_NUMBERS)
def test_refusal_names_field_value_and_range(name, given, shown):
    shape = {"shape": "custom"} if name == "n_layers" else {}
    (problem,) = refused({**shape, name: given})
    assert problem.param == name
    low, high = map(group_digits, BOUNDS[name])
    noun = "a number" if name == "fft_rate" else "a whole number"
    assert problem.message == f"{name} must be {noun} from {low} to {high}, got {shown}"


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_have_no_fraction(name):
    (problem, *_) = refused({"shape": "custom", name: "4096.5"})
    assert problem.param == name
    assert re.match(rf"{name} must be a whole number .*, got 4096.5$", problem.message)


@pytest.mark.parametrize("name", AmdahlParams.specs())
def test_a_repeated_name_is_refused(name):
    (problem,) = refused(query_values(f"{name}=1&{name}=2"))
    assert problem.param == name
    assert problem.message == f"{name} must be given once, got 1 and 2"


def test_a_name_given_three_times_and_an_empty_one_are_seen_whole():
    assert query_values("a=1&b=&a=2&a=3&a=4") == {"a": ["1", "2", "3", "4"], "b": ""}
    with pytest.raises(ParamsError, match=r"seq_len must be given once, got 1 and 2 and 3$"):
        AmdahlParams.from_query("seq_len=1&seq_len=2&seq_len=3")
    with pytest.raises(ParamsError, match=r"seq_len must be .* got nothing"):
        AmdahlParams.from_query("seq_len=")


@pytest.mark.parametrize(
    ("value", "carried"),
    [
        (0, 0),
        (-0.5, -0.5),
        ("0", "0"),
        (True, True),
        (None, None),
        (2**53 - 1, 2**53 - 1),
        (2**53, "9007199254740992"),  # more than JSON's usual numbers can hold
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 60 + "\u2026"),
    ],
)
def test_a_refused_value_is_carried_as_it_was_given(value, carried):
    (problem,) = refused({"seq_len": value})
    assert problem.value == carried
    assert type(problem.value) is type(carried)
    assert problem.as_dict() == {
        "param": "seq_len",
        "message": problem.message,
        "value": carried,
    }


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("variant", "transformer, hyena, hybrid, block-circulant"),
        ("shape", "llama3-8b, llama3-70b, llama2-7b, gpt2-small, gpt3-175b, custom"),
        ("recompute", "none, full"),
    ],
)
@pytest.mark.parametrize("given", ["mamba", "", "HYENA "])
def test_unknown_choice_lists_the_choices(name, choices, given):
    (problem,) = refused({name: given})
    assert problem.param == name
    shown = given if given.strip() else "nothing"
    assert problem.message == f"{name} must be one of {choices}, got {shown}"


@pytest.mark.parametrize("given", ["yes", "1", "", 1])
def test_true_or_false(given):
    (problem,) = refused({"shape": "custom", "tied_head": given})
    assert problem.message.startswith("tied_head must be true or false, got ")
    assert AmdahlParams.parse({"shape": "custom", "tied_head": "true"}).tied_head is True
    assert AmdahlParams.parse({"shape": "custom", "tied_head": "False"}).tied_head is False


def test_unknown_field_lists_the_known_ones():
    (problem,) = refused({"seqlen": "5"})
    assert problem.param == "seqlen"
    assert all(name in problem.message for name in AmdahlParams.specs())


@pytest.mark.parametrize("block_size", ["300", "24", "4095"])
def test_block_size_is_a_power_of_two_that_fits(block_size):
    for variant in some.VARIANTS:
        (problem,) = refused({"block_size": block_size, "variant": variant})
        assert problem.param == "block_size"
        assert "a power of two from 8 to 4,096" in problem.message
        assert problem.message.endswith(f"got {group_digits(int(block_size)).replace(',', '')}")


@pytest.mark.parametrize(
    ("shape", "largest"),
    [("llama3-8b", 2048), ("llama3-70b", 4096), ("llama2-7b", 256), ("gpt2-small", 256)],
)
def test_largest_block_of_each_shape(shape, largest):
    assert AmdahlParams.parse({"shape": shape, "block_size": str(largest)}).block_size == largest
    assert refused({"shape": shape, "block_size": str(2 * largest)})[0].param == "block_size"


@pytest.mark.parametrize("name", [*SHAPE_NUMBERS, "gated_mlp", "learned_positions"])
@pytest.mark.parametrize("shape", some.PRESET_NAMES)
def test_sizes_of_a_preset_are_refused_with_the_way_out(shape, name):
    value = "true" if name == "gated_mlp" else "512"
    (problem,) = refused({"shape": shape, name: value})
    assert problem.param == name
    assert shape in problem.message
    assert "custom" in problem.message
    assert problem.message.endswith(f"got {value}")


@pytest.mark.parametrize(
    ("raw", "param", "words"),
    [
        ({"d_model": "4096", "n_heads": "24", "n_kv_heads": "8"}, "d_model", "n_heads 24"),
        ({"n_heads": "32", "n_kv_heads": "5"}, "n_kv_heads", "n_heads 32"),
        ({"n_heads": "4"}, "n_kv_heads", "n_heads 4"),
        ({"d_ff": "1000"}, "block_size", "d_ff 1,000"),
        ({"d_model": "4064"}, "block_size", "d_model 4,064"),
        ({"d_ff": "14337"}, "block_size", "none fits"),
    ],
)
def test_sizes_that_do_not_go_together(raw, param, words):
    (problem,) = refused({"shape": "custom", **raw})
    assert problem.param == param
    assert words in problem.message


def test_a_query_of_very_many_fields_is_refused():
    with pytest.raises(ParamsError):
        AmdahlParams.from_query("&".join(f"field{n}=1" for n in range(1000)))


def test_every_problem_is_named_at_once():
    raw = {
        "seq_len": "0",
        "variant": "mamba",
        "fft_rate": ["1", "2"],
        "block_size": "300",
        "d_model": "4096",
        "colour": "red",
    }
    problems = refused(raw)
    assert {problem.param for problem in problems} == set(raw)
    assert len(problems) == len(raw)
    with pytest.raises(ParamsError) as caught:
        AmdahlParams.parse(raw)
    assert all(problem.message in str(caught.value) for problem in problems)


@settings(max_examples=100)
@given(params=some.states(), name=st.sampled_from(NUMBERS))
def test_a_number_just_outside_its_bounds_is_refused(params, name):
    spec = AmdahlParams.specs()[name]
    for outside in (spec.low - 1, spec.high + 1):
        problems = refused(params.model_dump() | {"shape": "custom", name: outside})
        assert name in {problem.param for problem in problems}

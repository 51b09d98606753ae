"""Params: defaults, bounds, the query codec and frozen states."""

from urllib.parse import parse_qsl

import pydantic
import pytest
from hypothesis import given, settings

from foptrn_model.amdahl import AmdahlParams
from tests.model import strategies as some
from tests.model.strategies import BOUNDS, SHAPE_NUMBERS, refused

DEFAULTS = {
    "shape": "llama3-8b",
    "variant": "hyena",
    "seq_len": 4096,
    "hyena_order": 2,
    "hybrid_period": 4,
    "block_size": 256,
    "recompute": "none",
    "fft_rate": 1,
    "fft_constant": 2.5,
    "tokens_per_step": 2_097_152,
}


def test_defaults_and_bounds_are_the_specified_ones():
    params = AmdahlParams()
    assert {name: getattr(params, name) for name in DEFAULTS} == DEFAULTS
    specs = AmdahlParams.specs()
    assert {name: (specs[name].low, specs[name].high) for name in BOUNDS} == BOUNDS


@pytest.mark.parametrize("name", sorted(set(BOUNDS) - {"block_size", "d_model", "n_heads", "d_ff"}))
def test_bounds_themselves_are_allowed(name):
    custom = {"shape": "custom", "n_heads": "1", "n_kv_heads": "1"} if name in SHAPE_NUMBERS else {}
    for bound in BOUNDS[name]:
        assert getattr(AmdahlParams.parse({**custom, name: str(bound)}), name) == bound
    below, above = BOUNDS[name][0] / 2, BOUNDS[name][1] * 2
    for bound in (below, above):
        (problem,) = refused({**custom, name: str(bound)})
        assert problem.param == name


@settings(max_examples=300)
@given(params=some.states())
def test_query_round_trip_gives_the_same_state_to_the_bit(params):
    again = AmdahlParams.from_query(params.to_query())
    assert again == params
    assert again.fft_rate.hex() == params.fft_rate.hex()
    assert again.to_query() == params.to_query()
    assert AmdahlParams.from_query("?" + params.to_query()) == params


@settings(max_examples=200)
@given(params=some.states())
def test_query_holds_what_differs_from_the_defaults_in_order(params):
    pairs = parse_qsl(params.to_query(), strict_parsing=bool(params.to_query()))
    names = [name for name, _ in pairs]
    assert names == sorted(names)
    default = AmdahlParams().model_dump()
    changed = {name for name, value in params.model_dump().items() if value != default[name]}
    assert set(names) == changed


def test_default_state_has_an_empty_query():
    assert AmdahlParams().to_query() == ""
    assert AmdahlParams.from_query("") == AmdahlParams()


@pytest.mark.parametrize("reserved", ["embed", "theme", "hide", "pin", "tour"])
def test_names_of_the_page_are_left_alone(reserved):
    assert AmdahlParams.parse({reserved: "1", "seq_len": "512"}).seq_len == 512
    assert AmdahlParams.nearest({reserved: "1"}) == (AmdahlParams(), [])


@pytest.mark.parametrize("text", ["8192", " 8192 ", "8,192", "8192.0", "8.192e3", "+8192", 8192.0])
def test_ways_to_write_one_number(text):
    params = AmdahlParams.parse({"seq_len": text})
    assert params.seq_len == 8192
    assert isinstance(params.seq_len, int)


def test_states_are_frozen_and_closed():
    params = AmdahlParams()
    with pytest.raises(pydantic.ValidationError):
        params.seq_len = 512
    with pytest.raises(pydantic.ValidationError):
        AmdahlParams(sequence=512)
    with pytest.raises(pydantic.ValidationError, match="block_size"):
        AmdahlParams(block_size=300)
    assert params == AmdahlParams()
    assert hash(params) == hash(AmdahlParams())

"""``Params.nearest``: whatever comes in, a valid state and honest notices come out."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.parameters import ParamsError, query_values
from tests.model import strategies as some

SPECS = AmdahlParams.specs()
WORDS = sorted({choice for spec in SPECS.values() for choice in spec.choices})

anything_once = st.one_of(
    st.text(st.characters()),  # with surrogates and control characters
    st.integers(),
    st.integers(-10, 5000),
    st.sampled_from([2**power for power in range(22)]),
    st.floats(),
    st.booleans(),
    st.none(),
    st.integers(-10, 2_000_000).map(str),
    st.floats().map(str),
    st.from_regex(r"[-+]?[0-9,]{0,5}\.?[0-9]{0,3}([eE][-+]?[0-9]{0,3})?", fullmatch=True),
    st.sampled_from(["true", "false", "NaN", "inf", "", " ", "1e99", "4096.5", *WORDS]),
)
anything = st.one_of(anything_once, st.lists(anything_once, max_size=3))
names = st.one_of(st.sampled_from(sorted(SPECS)), st.text(st.characters(), max_size=50))
raw_values = st.dictionaries(names, anything, max_size=8)
# Whole numbers for every size of a custom shape, so that they often do not go together.
clashing = st.fixed_dictionaries(
    {"shape": st.just("custom")},
    optional={
        name: st.integers(int(spec.low), int(min(spec.high, 20_000)))
        for name, spec in SPECS.items()
        if spec.kind == "int"
    },
)


def parse_fails(raw):
    try:
        AmdahlParams.parse(raw)
    except ParamsError:
        return True
    return False


def assert_valid(params):
    """Checking the state anew, from its own values and from its query, finds nothing."""
    assert AmdahlParams(**params.model_dump()) == params
    assert AmdahlParams.from_query(params.to_query()) == params


@settings(max_examples=500)
@given(raw=st.one_of(raw_values, clashing))
@example(raw={"seq_len": "e5"})
@example(raw={"fft_rate": "-.e10"})
@example(raw={"n_heads": 511, "shape": "custom", "d_model": 65_536})
@example(raw={"n_heads": 512, "shape": "custom", "d_model": 64})
@example(raw={"n_heads": 1, "shape": "custom", "d_ff": 65, "d_model": 65, "n_kv_heads": 512})
def test_any_values_give_a_valid_state_and_notices_where_parse_refuses(raw):
    params, notices = AmdahlParams.nearest(raw)
    assert_valid(params)
    assert bool(notices) == parse_fails(raw)
    assert all(isinstance(notice, str) and notice.isprintable() for notice in notices)
    if not notices:
        assert params == AmdahlParams.parse(raw)


@settings(max_examples=200)
@given(params=some.states())
def test_a_valid_state_is_its_own_nearest(params):
    for raw in (params.model_dump(), query_values(params.to_query())):
        assert AmdahlParams.nearest(raw) == (params, [])
        assert AmdahlParams.parse(raw) == params


@settings(max_examples=100)
@given(raw=raw_values)
def test_nearest_is_settled_after_one_go(raw):
    params, _ = AmdahlParams.nearest(raw)
    assert AmdahlParams.nearest(params.model_dump()) == (params, [])


@settings(max_examples=100)
@given(raw=clashing)
def test_what_clashes_is_moved_and_what_does_not_is_kept(raw):
    params, notices = AmdahlParams.nearest(raw)
    said = " ".join(notices)
    for name, value in raw.items():
        if getattr(params, name) != value:
            assert name in said
    # A settled state can be computed.
    assert compute_amdahl(params).flop_per_token.step.total > 0


@pytest.mark.parametrize(
    ("name", "given_value", "expected"),
    [
        ("seq_len", "0", 128),
        ("seq_len", "-5", 128),
        ("seq_len", "1e99", 1_048_576),
        ("seq_len", 10**40, 1_048_576),
        ("seq_len", "4097.4", 4097),
        ("seq_len", "abc", 4096),
        ("seq_len", "NaN", 4096),
        ("seq_len", "", 4096),
        ("seq_len", ["512", "1024"], 1024),
        ("seq_len", [], 4096),
        ("fft_rate", "0", 0.001),
        ("fft_rate", "7", 1),
        ("fft_constant", "0.5", 1),
        ("variant", "Hybrid", "hybrid"),
        ("variant", "mamba", "hyena"),
        ("block_size", "300", 256),
        ("block_size", "4096", 2048),
        ("block_size", "9", 8),
        ("n_layers", "5", None),
    ],
)
def test_nearest_value_and_its_notice(name, given_value, expected):
    params, notices = AmdahlParams.nearest({name: given_value})
    assert getattr(params, name) == expected
    assert params.model_copy(update={name: SPECS[name].default}) == AmdahlParams()
    (notice,) = notices
    assert notice.startswith(f"{name} must be ")
    used = "ignored" if expected is None else f"using {expected}"
    assert notice.replace(",", "").endswith(f": {used}")


@pytest.mark.parametrize(
    ("raw", "name", "expected"),
    [
        ({"n_heads": 24, "n_kv_heads": 8}, "d_model", 4104),  # 171 x 24 beats 170 x 24 by 8
        ({"n_heads": 32, "n_kv_heads": 7}, "n_kv_heads", 8),
        ({"n_heads": 4}, "n_kv_heads", 4),
        ({"d_ff": 1000}, "block_size", 8),
        ({"d_ff": 14_337}, "d_ff", 14_336),
    ],
)
def test_clashing_sizes_move_to_the_nearest_that_fit(raw, name, expected):
    params, notices = AmdahlParams.nearest({"shape": "custom", **raw})
    assert getattr(params, name) == expected
    assert any(name in notice for notice in notices)


@pytest.mark.parametrize(
    "value", [10**5000, -(10**5000), ["1", 10**5000]], ids=["positive", "negative", "in a list"]
)
@pytest.mark.parametrize("name", ["seq_len", "fft_rate", "variant", "tied_head", "colour"])
def test_numbers_too_long_to_print_are_answered_too(name, value):
    params, notices = AmdahlParams.nearest({name: value})
    assert_valid(params)
    assert notices
    assert parse_fails({name: value})


def test_the_last_of_repeated_values_is_used():
    params, (notice,) = AmdahlParams.nearest({"shape": "custom", "tied_head": ["false", "true"]})
    assert params.tied_head is True
    assert notice == "tied_head must be given once, got false and true: using true"
    params, (notice,) = AmdahlParams.nearest({"shape": "custom", "tied_head": "perhaps"})
    assert params.tied_head is None
    assert notice.endswith("got perhaps: using the default")


def test_unknown_names_are_ignored_aloud():
    params, (notice,) = AmdahlParams.nearest({"seqlen": "512"})
    assert params == AmdahlParams()
    assert "seqlen" in notice
    assert "ignored" in notice


@settings(max_examples=100)
@given(raw=raw_values)
def test_problems_can_be_sent_as_json(raw):
    """A refused value comes back as JSON can carry it, at most a line of it."""
    try:
        AmdahlParams.parse(raw)
    except ParamsError as error:
        for problem in error.problems:
            sent = json.dumps(problem.as_dict(), allow_nan=False)
            assert len(sent) < 4000
            assert "\n" not in problem.message


@pytest.mark.parametrize("text", ["9" * 61, "1e999", "99,999,999,999,999", "1" + "0" * 400])
def test_numbers_too_large_to_read_stand_for_the_upper_bound(text):
    params, notices = AmdahlParams.nearest({"seq_len": text})
    assert params.seq_len == 1_048_576
    assert len(notices) == 1

"""The oracles themselves: the counted algorithms compute the right thing.

The executing oracle runs them and compares with the plain definitions; then
the walking oracle and the model's ledger must both give what it tallied.
"""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from foptrn_model.ledger import CLASSES, training_work
from foptrn_model.shapes import Shape
from tests.model import executing_oracle as run
from tests.model.slow_ledger import circulant_backward, step_flop

TINY = {
    "n_layers": 3,
    "d_model": 16,
    "d_ff": 24,
    "n_heads": 4,
    "n_kv_heads": 2,
    "vocab_size": 37,
    "gated_mlp": True,
    "tied_head": False,
    "biases": False,
    "learned_positions": 0,
}
SETTINGS = {
    "variant": "transformer",
    "seq_len": 8,
    "hyena_order": 2,
    "hybrid_period": 2,
    "block_size": 8,
    "fft_constant": 2.5,
}

CASES = {
    "transformer": {"variant": "transformer"},
    "transformer, odd length": {"variant": "transformer", "seq_len": 11},
    "hyena": {"variant": "hyena"},
    "hyena, order 1": {"variant": "hyena", "hyena_order": 1},
    "hyena, order 4, odd length": {"variant": "hyena", "hyena_order": 4, "seq_len": 9},
    "hybrid": {"variant": "hybrid"},
    "hybrid, one attention layer": {"variant": "hybrid", "hybrid_period": 5},
    "block-circulant": {"variant": "block-circulant"},
    "block-circulant, blocks of 4": {"variant": "block-circulant", "block_size": 4},
}


def ledger_of(shape, settings):
    return training_work(
        Shape(**shape),
        settings["variant"],
        settings["seq_len"],
        hyena_order=settings["hyena_order"],
        hybrid_period=settings["hybrid_period"],
        block_size=settings["block_size"],
        fft_constant=settings["fft_constant"],
    )


@pytest.mark.parametrize("gated", [True, False], ids=["gated", "plain"])
@pytest.mark.parametrize("changes", CASES.values(), ids=CASES)
def test_running_a_tiny_model_tallies_what_both_ledgers_say(changes, gated):
    shape, settings = TINY | {"gated_mlp": gated}, SETTINGS | changes
    logits, tally = run.run_forward(shape, settings)
    assert logits.shape == (shape["vocab_size"], settings["seq_len"])
    assert np.isfinite(logits).all()
    walked = step_flop(shape, settings)["forward"]
    counted = ledger_of(shape, settings).forward[:, 0] * settings["seq_len"]
    for row, name in enumerate(CLASSES):
        assert walked[name] * settings["seq_len"] == tally[name], name
        assert counted[row] == pytest.approx(tally[name], rel=1e-13), name


@pytest.mark.parametrize(("p", "q", "k"), [(1, 1, 8), (3, 2, 4), (2, 5, 16)])
def test_circulant_blocks_are_the_dense_matrix_forward_and_backward(p, q, k):
    rng = np.random.default_rng(1)
    columns, tokens = rng.normal(size=(p, q, k)), 5
    x, grad = rng.normal(size=(q * k, tokens)), rng.normal(size=(p * k, tokens))
    dense = run.dense_circulant(columns)

    machine = run.Machine()
    np.testing.assert_allclose(run.circulant_forward(machine, columns, x), dense @ x, atol=1e-12)

    x_grad, columns_grad = run.circulant_backward(run.Machine(), columns, x, grad)
    np.testing.assert_allclose(x_grad, dense.T @ grad, atol=1e-12)
    # A column's gradient sums the dense gradient over the entries it is repeated in.
    dense_grad = grad @ x.T
    repeats = np.zeros_like(columns)
    for i, j, a, c in np.ndindex(p, q, k, k):
        repeats[i, j, (a - c) % k] += dense_grad[i * k + a, j * k + c]
    np.testing.assert_allclose(columns_grad, repeats, atol=1e-11)


@pytest.mark.parametrize(("p", "q", "k"), [(1, 1, 8), (3, 2, 4), (2, 5, 16)])
def test_circulant_gradients_tally_what_the_walking_oracle_says(p, q, k):
    rng = np.random.default_rng(2)
    tokens, machine = 3, run.Machine()
    run.circulant_backward(
        machine,
        rng.normal(size=(p, q, k)),
        rng.normal(size=(q * k, tokens)),
        rng.normal(size=(p * k, tokens)),
    )
    walked = defaultdict(Fraction)
    circulant_backward(
        p * k, q * k, {"block_size": k, "seq_len": tokens, "fft_constant": 2.5}, walked
    )
    assert walked == machine.tally
    assert set(walked) == {"transform", "weight_masked", "data_by_data", "other"}


@pytest.mark.parametrize("tokens", [1, 7, 8, 9])
def test_long_convolution_by_transforms_is_the_causal_sum(tokens):
    rng = np.random.default_rng(3)
    filters, u, grad = rng.normal(size=(3, 4, tokens))
    machine = run.Machine()
    fast = run.long_convolution(machine, filters, u)
    np.testing.assert_allclose(fast, run.direct_convolution(filters, u), atol=1e-12)
    # Causal: changing the last sample changes nothing before it.
    later = u.copy()
    later[:, -1] += 1
    np.testing.assert_allclose(
        run.long_convolution(machine, filters, later)[:, :-1], fast[:, :-1], atol=1e-12
    )
    # Adjoint: <h * u, g> is linear in both u and h, so each gradient gives it back.
    back = run.Machine()
    u_grad, filters_grad = run.long_convolution_backward(back, filters, u, grad)
    inner = np.sum(fast * grad)
    np.testing.assert_allclose(np.sum(u * u_grad), inner, atol=1e-11)
    np.testing.assert_allclose(np.sum(filters * filters_grad), inner, atol=1e-11)


def test_long_convolution_gradients_tally_what_the_walking_oracle_says():
    tokens, channels, back = 9, 16, run.Machine()
    rng = np.random.default_rng(4)
    run.long_convolution_backward(back, *rng.normal(size=(3, channels, tokens)))
    settings = SETTINGS | {"variant": "hyena", "hyena_order": 1, "seq_len": tokens}
    walked = step_flop(TINY | {"n_layers": 1, "d_model": channels}, settings)["backward"]
    for name in ("transform", "weight_masked", "data_by_data"):
        assert walked[name] * tokens == back.tally[name], name


def test_a_radix_2_transform_costs_five_n_log_n():
    """Run the textbook recursion, count its real operations, compare with NumPy."""
    flop = 0

    def transform(x):
        nonlocal flop
        n = len(x)
        if n == 1:
            return x
        even, odd = transform(x[::2]), transform(x[1::2])
        turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        flop += 6 * turned.size + 2 * n  # the twiddles; then a sum and a difference each
        return np.concatenate([even + turned, even - turned])

    x = np.random.default_rng(5).normal(size=64)
    np.testing.assert_allclose(transform(x), np.fft.fft(x), atol=1e-12)
    assert flop == 5 * 64 * 6
    machine = run.Machine()
    machine.rfft(x)
    assert machine.tally["transform"] == flop / 2

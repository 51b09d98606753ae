"""Strategies for shapes, settings and states that are valid, and the specified bounds."""

import pytest
from hypothesis import strategies as st

from foptrn_model.amdahl import AmdahlParams
from foptrn_model.masks import MasksParams
from foptrn_model.parameters import ParamsError
from foptrn_model.shapes import PRESETS

VARIANTS = ("transformer", "hyena", "hybrid", "block-circulant")
PRESET_NAMES = tuple(PRESETS)
SHAPE_NUMBERS = ("n_layers", "d_model", "d_ff", "n_heads", "n_kv_heads", "vocab_size")
OPTIONAL_SIZES = (
    "n_layers", "vocab_size", "gated_mlp", "tied_head", "biases", "learned_positions"
)  # fmt: skip
"""What a custom shape may leave to its default without a clash."""

BOUNDS = {
    "seq_len": (128, 1_048_576),
    "hyena_order": (1, 4),
    "hybrid_period": (2, 64),
    "block_size": (8, 4096),
    "fft_rate": (0.001, 1),
    "fft_constant": (1, 10),
    "tokens_per_step": (1024, 10**9),
    "n_layers": (1, 1000),
    "d_model": (64, 65_536),
    "d_ff": (64, 262_144),
    "n_heads": (1, 512),
    "vocab_size": (256, 1_048_576),
}
"""Inclusive bounds of the specification; n_kv_heads has none but dividing n_heads."""


def refused(raw):
    """The problems that parsing names; fails where there are none."""
    with pytest.raises(ParamsError) as caught:
        AmdahlParams.parse(raw)
    return caught.value.problems


@st.composite
def sizes(draw, *, block_size, most_d=4096, most_heads=64, most_layers=100, least_d=1):
    """A dict of a custom shape's fields in which circulant blocks fit."""
    n_heads = draw(st.integers(1, most_heads))
    step = block_size
    while step % n_heads:
        step += block_size
    least = -(-least_d // step)
    d_model = step * draw(st.integers(least, max(least, most_d // step)))
    divisors = [n for n in range(1, n_heads + 1) if n_heads % n == 0]
    least_ff = -(-least_d // block_size)
    return {
        "n_layers": draw(st.integers(1, most_layers)),
        "d_model": d_model,
        "d_ff": block_size * draw(st.integers(least_ff, max(least_ff, most_d // block_size))),
        "n_heads": n_heads,
        "n_kv_heads": draw(st.sampled_from(divisors)),
        "vocab_size": draw(st.integers(256, 200_000)),
        "gated_mlp": draw(st.booleans()),
        "tied_head": draw(st.booleans()),
        "biases": draw(st.booleans()),
        "learned_positions": draw(st.sampled_from([0, 1, 1024, 2048])),
    }


@st.composite
def variant_settings(draw, *, block_size, lengths):
    """A dict of a variant and everything that its work depends on."""
    return {
        "variant": draw(st.sampled_from(VARIANTS)),
        "seq_len": draw(lengths),
        "hyena_order": draw(st.integers(1, 4)),
        "hybrid_period": draw(st.integers(2, 64)),
        "block_size": block_size,
        "fft_constant": draw(st.floats(1, 10)),
        "recompute": draw(st.sampled_from(["none", "full"])),
    }


def _beside(usual, strategy):
    """The default more often than chance would have it, so that some stay out of a query."""
    return st.one_of(st.just(usual), strategy)


@st.composite
def raw_states(draw):
    """Fields of a valid AmdahlParams of any kind; absent fields are defaults."""
    block_size = 2 ** draw(st.integers(3, 12))
    fields = {
        "variant": _beside("hyena", st.sampled_from(VARIANTS)),
        "seq_len": _beside(4096, st.integers(128, 1_048_576)),
        "hyena_order": st.integers(1, 4),
        "hybrid_period": st.integers(2, 64),
        "recompute": st.sampled_from(["none", "full"]),
        "fft_rate": _beside(1.0, st.floats(0.001, 1)),
        "fft_constant": _beside(2.5, st.floats(1, 10)),
        "tokens_per_step": _beside(2_097_152, st.integers(1024, 10**9)),
    }
    values = {name: draw(strategy) for name, strategy in fields.items()}
    if draw(st.booleans()):
        shape = draw(st.sampled_from(PRESET_NAMES))
        return values | {"shape": shape, "block_size": min(block_size, 256)}
    shape = draw(sizes(block_size=block_size, most_d=8192, most_heads=16, least_d=64))
    left_out = draw(st.sets(st.sampled_from(OPTIONAL_SIZES)))
    given = {name: value for name, value in shape.items() if name not in left_out}
    return values | given | {"shape": "custom", "block_size": block_size}


def states():
    """A valid AmdahlParams of any kind."""
    return raw_states().map(lambda values: AmdahlParams(**values))


MASKS_BOUNDS = {
    "sequences_per_step": (1, 10**6),
    "slm_megapixels": (0.01, 100),
    "pixels_per_value": (1, 64),
    "frame_rate_hz": (1, 10**6),
    "engines": (1, 10**4),
    "gpus": (1, 10**6),
    "gpu_tflops": (1, 10**5),
    "mfu": (0.01, 1),
    "pipeline_stages": (1, 64),
    "microbatches": (1, 4096),
    "tensor_parallel": (1, 64),
    "pass_time_s": (0, 10),
}
"""Inclusive bounds of the specification of the masks explorer."""


def _spread(low, high):
    """Numbers spread evenly over the powers of ten between two bounds."""
    if isinstance(low, int):
        return st.floats(0, 1).map(lambda u: round(low * (high / low) ** u))
    return st.floats(0, 1).map(lambda u: min(max(low * (high / low) ** u, low), high))


@st.composite
def masks_states(draw, **fixed):
    """A valid MasksParams of any kind, with some fields held."""
    shape = draw(raw_states())
    kept = {
        name: value
        for name, value in shape.items()
        if name not in ("recompute", "fft_rate", "fft_constant", "tokens_per_step")
    }
    fields = {
        "sequences_per_step": _spread(1, 10**6),
        "slm_megapixels": _spread(0.01, 100.0),
        "pixels_per_value": _spread(1.0, 64.0),
        "frame_rate_hz": _spread(1.0, 1e6),
        "engines": _spread(1, 10**4),
        "gpus": _spread(1, 10**6),
        "gpu_tflops": _spread(1.0, 1e5),
        "mfu": st.floats(0.01, 1),
        "pipeline_stages": _spread(1, 64),
        "microbatches": _spread(1, 4096),
        "tensor_parallel": _spread(1, 64),
        "pass_time_s": st.sampled_from([0.0, 0.001, 0.3, 10.0]),
        "conjugate_mask": st.sampled_from(["rewrite", "reuse"]),
        "order": st.sampled_from(["layer-major", "sequence-major"]),
        "overlap": st.booleans(),
    }
    values = {name: draw(strategy) for name, strategy in fields.items() if name not in fixed}
    return MasksParams(**kept | values | fixed)

"""Shapes of decoder-only transformers and how many parameters they store."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A decoder-only transformer, as far as FLOP and parameters depend on it.

    ``n_kv_heads`` below ``n_heads`` is grouped-query attention. ``biases``
    stands for a bias on every projection and LayerNorm with a shift, as in
    GPT-2; without it norms are RMSNorm. ``learned_positions`` is the length of
    a learned position table, 0 for none.
    """

    n_layers: int
    d_model: int
    d_ff: int
    n_heads: int
    n_kv_heads: int
    vocab_size: int
    gated_mlp: bool
    tied_head: bool
    biases: bool
    learned_positions: int

    @property
    def d_kv(self) -> int:
        """Width of the key and of the value projection."""
        return self.n_kv_heads * (self.d_model // self.n_heads)

    @property
    def head_params(self) -> int:
        """Weights of the output head, whether or not the embedding shares them."""
        return self.d_model * self.vocab_size

    @property
    def attention_matrices(self) -> tuple[tuple[int, int], ...]:
        """(out, in) of the query, key, value and output projections."""
        d, kv = self.d_model, self.d_kv
        return ((d, d), (kv, d), (kv, d), (d, d))

    @property
    def mlp_matrices(self) -> tuple[tuple[int, int], ...]:
        """(out, in) of the MLP's projections: two, or three where it is gated."""
        up, down = (self.d_ff, self.d_model), (self.d_model, self.d_ff)
        return (up, up, down) if self.gated_mlp else (up, down)

    @property
    def norm_params(self) -> int:
        """Scales, and shifts where there are biases, of all norms."""
        return (2 * self.n_layers + 1) * self.d_model * (2 if self.biases else 1)

    @property
    def input_params(self) -> int:
        """Learned positions, and the token embedding unless the head is it."""
        embedding = 0 if self.tied_head else self.head_params
        return embedding + self.learned_positions * self.d_model


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A published shape with the place it comes from."""

    label: str
    shape: Shape
    source: str


def _llama(**sizes: int) -> Shape:
    return Shape(gated_mlp=True, tied_head=False, biases=False, learned_positions=0, **sizes)


def _gpt(*, d_model: int, n_layers: int, n_heads: int, learned_positions: int) -> Shape:
    return Shape(
        n_layers=n_layers,
        d_model=d_model,
        d_ff=4 * d_model,
        n_heads=n_heads,
        n_kv_heads=n_heads,
        vocab_size=50_257,
        gated_mlp=False,
        tied_head=True,
        biases=True,
        learned_positions=learned_positions,
    )


PRESETS: dict[str, Preset] = {
    "llama3-8b": Preset(
        label="Llama-3-8B",
        shape=_llama(
            n_layers=32, d_model=4096, d_ff=14_336, n_heads=32, n_kv_heads=8, vocab_size=128_256
        ),
        source="Llama Team, The Llama 3 Herd of Models, arXiv 2407.21783, table 3; "
        "model card Meta-Llama-3-8B",
    ),
    "llama3-70b": Preset(
        label="Llama-3-70B",
        shape=_llama(
            n_layers=80, d_model=8192, d_ff=28_672, n_heads=64, n_kv_heads=8, vocab_size=128_256
        ),
        source="Llama Team, The Llama 3 Herd of Models, arXiv 2407.21783, table 3; "
        "model card Meta-Llama-3-70B",
    ),
    "llama2-7b": Preset(
        label="Llama-2-7B",
        shape=_llama(
            n_layers=32, d_model=4096, d_ff=11_008, n_heads=32, n_kv_heads=32, vocab_size=32_000
        ),
        source="Touvron et al., Llama 2, arXiv 2307.09288; model card Llama-2-7b",
    ),
    "gpt2-small": Preset(
        label="GPT-2 small",
        shape=_gpt(d_model=768, n_layers=12, n_heads=12, learned_positions=1024),
        source="Radford et al., Language Models are Unsupervised Multitask Learners (2019), "
        "table 2; model card gpt2",
    ),
    "gpt3-175b": Preset(
        label="GPT-3 175B",
        shape=_gpt(d_model=12_288, n_layers=96, n_heads=96, learned_positions=2048),
        source="Brown et al., Language Models are Few-Shot Learners, arXiv 2005.14165, table 2.1",
    ),
}


@dataclass(frozen=True, kw_only=True)
class ParameterCount:
    """Stored parameters of the dense transformer, by what people count."""

    matmul: int
    total: int
    without_input_embedding: int
    blocks_only: int


def count_parameters(shape: Shape) -> ParameterCount:
    """Count the parameters of the dense transformer of a shape.

    ``blocks_only`` keeps the norms and drops the input embedding, learned
    positions and the head. With a tied head the embedding *is* the head, so
    ``without_input_embedding`` keeps that matrix and drops positions only.
    """
    per_layer = sum(rows * cols for rows, cols in shape.attention_matrices + shape.mlp_matrices)
    matmul = shape.n_layers * per_layer + shape.head_params
    outputs = sum(rows for rows, _ in shape.attention_matrices + shape.mlp_matrices)
    bias = shape.n_layers * outputs if shape.biases else 0
    without_input = matmul + bias + shape.norm_params
    return ParameterCount(
        matmul=matmul,
        total=without_input + shape.input_params,
        without_input_embedding=without_input,
        blocks_only=without_input - shape.head_params,
    )

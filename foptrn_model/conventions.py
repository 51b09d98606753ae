"""The same training step under the counting conventions in use."""

from __future__ import annotations

from dataclasses import dataclass

from foptrn_model.shapes import Shape, count_parameters


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """FLOP per token, forward and backward, of the dense transformer.

    ``megatron``: matmuls and head, attention halved by the causal mask, its
    diagonal not counted (Megatron-LM, num_floating_point_operations).
    ``full_attention``: the same with the whole score matrix (llm-analysis).
    ``palm_*``: 6N + 12 n_layers d_model s (PaLM, arXiv 2204.02311, appendix B);
    they differ in what N counts. ``six_n_*``: 6N alone (Kaplan et al., arXiv
    2001.08361), under three readings of N.
    """

    megatron: int
    full_attention: int
    palm_all: int
    palm_blocks: int
    six_n_all: int
    six_n_no_input_embedding: int
    six_n_blocks: int


def count_conventions(shape: Shape, seq_len: int) -> Conventions:
    """Evaluate every convention for a shape and a sequence length, exactly."""
    count = count_parameters(shape)
    scores = 12 * shape.n_layers * shape.d_model * seq_len
    return Conventions(
        megatron=6 * count.matmul + scores // 2,
        full_attention=6 * count.matmul + scores,
        palm_all=6 * count.total + scores,
        palm_blocks=6 * count.blocks_only + scores,
        six_n_all=6 * count.total,
        six_n_no_input_embedding=6 * count.without_input_embedding,
        six_n_blocks=6 * count.blocks_only,
    )

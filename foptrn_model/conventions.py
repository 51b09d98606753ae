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


PARTS = {
    "blocks": "blocks' matmuls",
    "head": "output head",
    "norms": "norms and biases",
    "embedding": "input embedding and positions",
    "causal": "scores below the diagonal",
    "masked": "scores above the diagonal",
    "diagonal": "diagonal of the scores",
}
"""What a convention may count of a step, in the order a figure stacks it."""

COUNTED = {
    "ledger": ("This ledger, transformer", ("blocks", "head", "causal", "diagonal")),
    "megatron": ("Megatron-LM", ("blocks", "head", "causal")),
    "full_attention": ("Full attention", ("blocks", "head", "causal", "masked")),
    "palm_all": (
        "PaLM, N = all", ("blocks", "head", "norms", "embedding", "causal", "masked"),
    ),
    "palm_blocks": ("PaLM, N = blocks", ("blocks", "norms", "causal", "masked")),
    "six_n_all": ("6N, N = all", ("blocks", "head", "norms", "embedding")),
    "six_n_no_input_embedding": ("6N, no input embedding", ("blocks", "head", "norms")),
    "six_n_blocks": ("6N, N = blocks", ("blocks", "norms")),
}  # fmt: skip
"""Convention -> its name, and the parts it counts."""


@dataclass(frozen=True, kw_only=True)
class CountedBy:
    """One convention as the parts it counts, FLOP per token each."""

    name: str
    label: str
    parts: dict[str, int]

    @property
    def flop(self) -> int:
        """FLOP per token of the step under this convention."""
        return sum(self.parts.values())

    def differences(self, other: CountedBy) -> list[tuple[str, int]]:
        """(part, FLOP per token) that this one counts and ``other`` does not, or the reverse."""
        gained = [(part, flop) for part, flop in self.parts.items() if part not in other.parts]
        lost = [(part, -flop) for part, flop in other.parts.items() if part not in self.parts]
        return [(part, flop) for part, flop in gained + lost if flop]


def explain_conventions(shape: Shape, seq_len: int) -> dict[str, CountedBy]:
    """Every convention, this explorer's ledger first, taken apart into what it counts."""
    count = count_parameters(shape)
    scores = 6 * shape.n_layers * shape.d_model
    sizes = {
        "blocks": 6 * (count.matmul - shape.head_params),
        "head": 6 * shape.head_params,
        "norms": 6 * (count.without_input_embedding - count.matmul),
        "embedding": 6 * shape.input_params,
        "causal": scores * seq_len,
        "masked": scores * seq_len,
        "diagonal": scores,
    }
    return {
        name: CountedBy(name=name, label=label, parts={part: sizes[part] for part in parts})
        for name, (label, parts) in COUNTED.items()
    }

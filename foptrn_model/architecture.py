"""Params that describe a model: its shape and the variant of its layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Literal

from foptrn_model.ledger import Variant
from foptrn_model.parameters import Params, Problem, param
from foptrn_model.shapes import PRESETS, Shape
from foptrn_model.text import group_digits

SHAPE_FIELDS = tuple(field.name for field in fields(Shape))
CUSTOM = "custom"
CUSTOM_DEFAULT = PRESETS["llama3-8b"].shape
"""What a custom shape is until its fields say otherwise."""

BLOCK_SIZES = tuple(2**power for power in range(3, 13))

_SHAPE_LABELS = {slug: preset.label for slug, preset in PRESETS.items()} | {CUSTOM: "Custom"}
VARIANT_LABELS = {
    "transformer": "Transformer",
    "hyena": "Hyena",
    "hybrid": "Hybrid",
    "block-circulant": "Block-circulant",
}


class ArchitectureParams(Params):
    """The shape and variant fields that several explorers share."""

    variant: Variant = param(
        "hyena",
        label="Variant",
        help="What mixes tokens and what the matrices are made of, at the same shape.",
        glossary="hyena",
        group="Model",
        choice_labels=VARIANT_LABELS,
        primary=True,
    )
    seq_len: int = param(
        4096,
        label="Sequence length",
        help="Tokens per sequence. Long convolutions pad to the next power of two "
        "at or above twice this.",
        low=128,
        high=1_048_576,
        unit="tokens",
        scale="log2",
        glossary="long-convolution",
        group="Model",
        primary=True,
    )
    hyena_order: int = param(
        2,
        label="Hyena order",
        help="Long convolutions per Hyena operator; it projects to one stream more.",
        low=1,
        high=4,
        glossary="hyena",
        group="Model",
    )
    hybrid_period: int = param(
        4,
        label="Attention every",
        help="A hybrid keeps attention in one layer of this many, starting with the first.",
        low=2,
        high=64,
        unit="layers",
        glossary="hybrid-architectures",
        group="Model",
    )
    block_size: int = param(
        256,
        label="Block size",
        help="Side of a circulant block: a power of two dividing d_model and d_ff.",
        low=8,
        high=4096,
        scale="log2",
        step=1,
        glossary="block-circulant-weights",
        group="Model",
    )
    shape: Literal["llama3-8b", "llama3-70b", "llama2-7b", "gpt2-small", "gpt3-175b", "custom"] = (
        param(
            "llama3-8b",
            label="Shape",
            help="A published model, or custom to set every size yourself.",
            group="Shape",
            choice_labels=_SHAPE_LABELS,
            primary=True,
        )
    )
    n_layers: int | None = param(
        None, label="Layers", help="Blocks of the model.", low=1, high=1000,
        group="Shape", slider=False,
    )  # fmt: skip
    d_model: int | None = param(
        None, label="Width d_model", help="Channels; a multiple of the number of heads.",
        low=64, high=65_536, group="Shape", slider=False,
    )  # fmt: skip
    d_ff: int | None = param(
        None, label="MLP width d_ff", help="Hidden width of the MLP.",
        low=64, high=262_144, group="Shape", slider=False,
    )  # fmt: skip
    n_heads: int | None = param(
        None, label="Heads", help="Attention heads.", low=1, high=512,
        group="Shape", slider=False,
    )  # fmt: skip
    n_kv_heads: int | None = param(
        None, label="KV heads", help="Key and value heads; divides the number of heads.",
        low=1, high=512, group="Shape", slider=False,
    )  # fmt: skip
    vocab_size: int | None = param(
        None, label="Vocabulary", help="Rows of the embedding and of the head.",
        low=256, high=1_048_576, group="Shape", slider=False,
    )  # fmt: skip
    gated_mlp: bool | None = param(
        None, label="Gated MLP", help="Three matrices (SwiGLU) instead of two.", group="Shape"
    )
    tied_head: bool | None = param(
        None, label="Tied head", help="The head shares the embedding's weights.", group="Shape"
    )
    biases: bool | None = param(
        None, label="Biases", help="A bias on every projection and shift in every norm.",
        group="Shape",
    )  # fmt: skip
    learned_positions: int | None = param(
        None, label="Learned positions", help="Length of a learned position table; 0 for none.",
        low=0, high=1_048_576, group="Shape", slider=False,
    )  # fmt: skip

    @property
    def model_shape(self) -> Shape:
        """The shape in force: the preset's, or the custom one."""
        return _shape_of(self.model_dump())

    @property
    def shape_label(self) -> str:
        return _SHAPE_LABELS[self.shape]

    @property
    def learned_beyond(self) -> bool:
        """Whether the sequence is longer than the positions the model learned."""
        return 0 < self.model_shape.learned_positions < self.seq_len

    def resolved(self) -> dict[str, Any]:
        return self.model_dump() | asdict(self.model_shape)

    def inactive(self) -> frozenset[str]:
        used = {
            "transformer": {"none"},
            "hyena": {"hyena_order"},
            "hybrid": {"hyena_order", "hybrid_period"},
            "block-circulant": {"hyena_order", "block_size"},
        }[self.variant]
        unused = {"hyena_order", "hybrid_period", "block_size"} - used
        return frozenset(unused if self.shape == CUSTOM else unused | set(SHAPE_FIELDS))

    @classmethod
    def conflicts(cls, values: Mapping[str, Any]) -> list[Problem]:
        specs = cls.specs()
        if values["shape"] != CUSTOM:
            preset = PRESETS[values["shape"]]
            return [
                specs[name].refuse(
                    values[name],
                    f"left to the shape {values['shape']} "
                    f"({group_digits(getattr(preset.shape, name))}); use shape=custom to set it to "
                    f"{specs[name].allowed}",
                )
                for name in SHAPE_FIELDS
                if values[name] is not None
            ] + _block_problem(cls, values)
        shape = _shape_of(values)
        problems = []
        if shape.d_model % shape.n_heads:
            problems.append(
                specs["d_model"].refuse(
                    shape.d_model,
                    f"{specs['d_model'].allowed} and a multiple of n_heads {shape.n_heads}",
                )
            )
        if shape.n_heads % shape.n_kv_heads:
            problems.append(
                specs["n_kv_heads"].refuse(
                    shape.n_kv_heads,
                    f"{specs['n_kv_heads'].allowed} that divides n_heads {shape.n_heads}",
                )
            )
        return problems + _block_problem(cls, values)

    @classmethod
    def settle(cls, values: dict[str, Any]) -> dict[str, Any]:
        if values["shape"] != CUSTOM:
            values |= dict.fromkeys(SHAPE_FIELDS)
        else:
            shape = _shape_of(values)
            if shape.d_model % shape.n_heads:
                values["d_model"] = _nearest_multiple(shape.d_model, shape.n_heads, 64, 65_536)
            if shape.n_heads % shape.n_kv_heads:
                divisors = [n for n in range(1, shape.n_heads + 1) if shape.n_heads % n == 0]
                values["n_kv_heads"] = min(divisors, key=lambda n: abs(n - shape.n_kv_heads))
        shape = _shape_of(values)
        if not _fitting_blocks(shape):
            # No power of two from 8 up divides both widths: move each to the nearest that one does.
            step = max(8, _least_multiple_of_8(shape.n_heads))
            values["d_model"] = _nearest_multiple(shape.d_model, step, 64, 65_536)
            values["d_ff"] = _nearest_multiple(shape.d_ff, 8, 64, 262_144)
            shape = _shape_of(values)
        if values["block_size"] not in _fitting_blocks(shape):
            near = values["block_size"]
            values["block_size"] = min(_fitting_blocks(shape), key=lambda size: abs(size - near))
        return values

    @classmethod
    def from_controls(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        if values.get("shape") == CUSTOM:
            return dict(values)
        return {name: value for name, value in values.items() if name not in SHAPE_FIELDS}


def variant_name(params: ArchitectureParams) -> str:
    """The variant within a sentence: Hyena-2, a hybrid."""
    return {
        "hyena": f"Hyena-{params.hyena_order}",
        "hybrid": "a hybrid",
        "block-circulant": "a block-circulant model",
    }.get(params.variant, params.variant)


def _shape_of(values: Mapping[str, Any]) -> Shape:
    if values["shape"] != CUSTOM:
        return PRESETS[values["shape"]].shape
    given = {name: values[name] for name in SHAPE_FIELDS if values[name] is not None}
    return Shape(**(asdict(CUSTOM_DEFAULT) | given))


def _fitting_blocks(shape: Shape) -> list[int]:
    return [k for k in BLOCK_SIZES if shape.d_model % k == 0 and shape.d_ff % k == 0]


def _block_problem(cls: type[Params], values: Mapping[str, Any]) -> list[Problem]:
    """Checked whatever the variant, so that switching variants never fails."""
    shape = _shape_of(values)
    fitting = _fitting_blocks(shape)
    if values["block_size"] in fitting:
        return []
    here = ", ".join(map(str, fitting)) or "none fits; make both multiples of 8"
    because = (
        f"a power of two from 8 to 4,096 that divides d_model {group_digits(shape.d_model)} "
        f"and d_ff {group_digits(shape.d_ff)} (here: {here})"
    )
    return [cls.specs()["block_size"].refuse(values["block_size"], because)]


def _nearest_multiple(value: int, step: int, low: int, high: int) -> int:
    fewest, most = -(-low // step), high // step
    return step * min(max(round(value / step), fewest), most)


def _least_multiple_of_8(number: int) -> int:
    while number % 8:
        number *= 2
    return number

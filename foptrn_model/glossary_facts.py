"""Numbers in the glossary's texts: each computed by the model, when its entry is first read.

A text names a fact in braces. Facts stand on default states unless they say
otherwise, so a changed default changes the text with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from foptrn_model.break_even import SEARCH_HIGH_GBPS, SEARCH_LOW_GBPS
from foptrn_model.explorers import EXPLORERS
from foptrn_model.photonics.mesh import mesh_layout
from foptrn_model.planes import plane_noise_factor
from foptrn_model.text import compact, group_digits, percent, significant, speed_up

FEW_VALUES, MANY_VALUES = 4_096, 65_536
"""Values per draw between which the glossary states what a format asks of a read-out."""


@cache
def result_of(slug: str, query: str = "") -> Any:
    """The result of one state of an explorer."""
    explorer = EXPLORERS[slug]
    return explorer.compute(explorer.params.from_query(query))


def _default(slug: str, name: str) -> Any:
    return EXPLORERS[slug].params.specs()[name].default


def _bits(name: str, samples: int) -> str:
    found = result_of("precision", f"samples={samples}").formats[name]
    return significant(found.enob_to_match, 3 if found.enob_to_match >= 10 else 2)


def _captured(selector: str, query: str = "") -> str:
    energy = result_of("compression", query).captured_energy
    return percent(energy[selector] if isinstance(energy, Mapping) else getattr(energy, selector))


def _conversion(variant: str) -> str:
    return significant(result_of("precision").conversion[variant].break_even_enob)


def _payload(ratio: float) -> str:
    return group_digits(round(ratio, 1))


def _compute_share(query: str = "") -> float:
    return float(result_of("transit", query).ways["adamw-allreduce"].utilisation)


def _bound(query: str = "") -> str:
    return f"{speed_up(1 / _compute_share(query))}\u00d7"


PROMPT = 2_048
_PROMPT = f"seq_len={PROMPT}"
RARE = 100
_RARE = f"sync_every={RARE}"
_FACTS: dict[str, Callable[[], str]] = {
    "hyena_share": lambda: percent(result_of("amdahl").static_share, 2),
    "circulant_share": lambda: percent(
        result_of("amdahl", "variant=block-circulant").static_share, 2
    ),
    "share_seq_len": lambda: group_digits(_default("amdahl", "seq_len")),
    "recompute_factor": lambda: significant(
        result_of("amdahl", "recompute=full").flop_per_token.step.total
        / result_of("amdahl").flop_per_token.step.total
    ),
    "prompt_seq_len": lambda: group_digits(PROMPT),
    "prompt_forward_share": lambda: percent(result_of("amdahl", _PROMPT).forward_share, 2),
    "prompt_step_share": lambda: percent(result_of("amdahl", _PROMPT).static_share, 2),
    "demo_share": lambda: compact(result_of("amdahl").demo_share, 2),
    "mask_values": lambda: significant(result_of("masks", _PROMPT).mask_values_forward / 1e6, 3),
    "mask_frames": lambda: group_digits(result_of("masks", _PROMPT).frames_forward),
    "mask_megapixels": lambda: group_digits(_default("masks", "slm_megapixels")),
    "opu_frame_rate": lambda: group_digits(_default("optical-dfa", "frame_rate_hz")),
    "opu_passes": lambda: group_digits(_default("optical-dfa", "passes")),
    "opu_width": lambda: group_digits(result_of("optical-dfa").crossover_width),
    "opu_depth": lambda: group_digits(_default("optical-dfa", "depth")),
    "pcie_ratio": lambda: significant(
        _default("optical-dfa", "gpu_memory_GBps") / _default("optical-dfa", "pcie_GBps"), 2
    ),
    "e5m2_off": lambda: percent(
        result_of("precision", f"samples={FEW_VALUES}").formats["E5M2"].relative_rms, 2
    ),
    "e5m2_bits_few": lambda: _bits("E5M2", FEW_VALUES),
    "e5m2_bits_many": lambda: _bits("E5M2", MANY_VALUES),
    "bf16_bits_few": lambda: _bits("BF16", FEW_VALUES),
    "bf16_bits_many": lambda: _bits("BF16", MANY_VALUES),
    "few_values": lambda: group_digits(FEW_VALUES),
    "many_values": lambda: group_digits(MANY_VALUES),
    "spiky_e5m2_bits": lambda: significant(
        result_of("precision", "distribution=student-t").formats["E5M2"].enob_to_match
    ),
    "spiky_values": lambda: group_digits(_default("precision", "samples")),
    "planes": lambda: group_digits(_default("precision", "planes")),
    "plane_factor": lambda: significant(plane_noise_factor(_default("precision", "planes"))),
    "hyena_break_even_enob": lambda: _conversion("hyena"),
    "circulant_break_even_enob": lambda: _conversion("block-circulant"),
    "mesh_4": lambda: group_digits(mesh_layout(4).mzis),
    "mesh_64": lambda: group_digits(mesh_layout(64).mzis),
    "kept_one_in": lambda: group_digits(1 / _default("compression", "keep")),
    "smooth_low": lambda: _captured("low", "source=smooth"),
    "white_low": lambda: _captured("low"),
    "white_topk": lambda: _captured("topk"),
    "delta_low": lambda: _captured("low", "source=measured&tensor=delta"),
    "delta_topk": lambda: _captured("topk", "source=measured&tensor=delta"),
    "workers": lambda: group_digits(
        _default("transit", "datacentres") * _default("transit", "workers_per_dc")
    ),
    "topk_payload": lambda: _payload(result_of("transit").payload_reduction["topk"]),
    "band_payload": lambda: _payload(result_of("transit").payload_reduction["band"]),
    "topk_wire": lambda: _payload(result_of("transit").wire_reduction["topk"]),
    "band_wire": lambda: _payload(result_of("transit").wire_reduction["band"]),
    "target_loss": lambda: significant(_default("transit", "target_loss"), 4),
    "adamw_steps": lambda: significant(result_of("transit").ways["adamw-allreduce"].steps, 4),
    "band_steps": lambda: group_digits(result_of("transit").ways["band-allgather"].steps),
    "link_share": lambda: percent(1 - _compute_share(), 2),
    "link_bound": _bound,
    "rare_every": lambda: group_digits(RARE),
    "rare_link_share": lambda: percent(1 - _compute_share(_RARE), 2),
    "rare_link_bound": lambda: _bound(_RARE),
    "search_low": lambda: group_digits(SEARCH_LOW_GBPS),
    "search_high": lambda: group_digits(SEARCH_HIGH_GBPS),
    "gathered_break_even": lambda: str(result_of("transit").break_even["band-allgather"].kind),
    "switch_break_even": lambda: significant(result_of("transit").break_even["band-switch"].GBps),
}


class _Facts(Mapping[str, str]):
    """Name -> text, computed when asked for and kept by the models' own memory."""

    def __getitem__(self, name: str) -> str:
        return _FACTS[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(_FACTS)

    def __len__(self) -> int:
        return len(_FACTS)


FACTS = _Facts()

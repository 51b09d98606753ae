"""The glossary: every concept that a control or a number links to.

Anchors are permanent: links of other people end in them.
"""

from __future__ import annotations

from foptrn_model.glossary_amdahl import AMDAHL_ENTRIES
from foptrn_model.glossary_backward import BACKWARD_ENTRIES
from foptrn_model.glossary_compression import COMPRESSION_ENTRIES
from foptrn_model.glossary_entry import GROUPS, Entry
from foptrn_model.glossary_masks import MASKS_ENTRIES
from foptrn_model.glossary_optical_dfa import OPTICAL_DFA_ENTRIES
from foptrn_model.glossary_precision import PRECISION_ENTRIES
from foptrn_model.glossary_trainers import TRAINERS_ENTRIES
from foptrn_model.glossary_transit import TRANSIT_ENTRIES

__all__ = ["BY_ANCHOR", "BY_GROUP", "ENTRIES", "GROUPS", "TERMS", "Entry"]

ENTRIES = (
    *AMDAHL_ENTRIES, *MASKS_ENTRIES, *TRAINERS_ENTRIES, *TRANSIT_ENTRIES, *BACKWARD_ENTRIES,
    *PRECISION_ENTRIES, *COMPRESSION_ENTRIES, *OPTICAL_DFA_ENTRIES,
)  # fmt: skip
BY_ANCHOR = {entry.anchor: entry for entry in ENTRIES}
BY_GROUP = {group: tuple(e for e in ENTRIES if e.group == group) for group in GROUPS}

TERMS = {
    "amdahl": ("static-share", "amdahl-law", "weight-masked-and-data-by-data", "six-n-rule"),
    "masks": ("mask-rewrites", "layer-major-scheduling", "pipeline-bubble", "mask-capacity"),
    "trainers": (
        "reality-gap", "in-situ-backpropagation", "physics-aware-training",
        "direct-feedback-alignment",
    ),
    "transit": ("time-to-loss", "break-even-bandwidth", "wire-bytes", "link-port-amdahl"),
    "compression": ("captured-energy", "demo", "error-feedback", "bit-planes"),
    "backward": ("gradient-of-a-convolution", "three-4f-passes", "padding-and-causality"),
    "precision": ("enob-noise-rule", "gradient-formats", "averaging-passes"),
    "optical-dfa": (
        "optical-dfa-crossover", "direct-feedback-alignment", "optical-processing-unit",
        "memory-wall",
    ),
}  # fmt: skip
"""Entries that the verdict of each explorer stands on."""

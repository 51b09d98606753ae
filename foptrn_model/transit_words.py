"""Words and headline numbers that the transit verdict, tables and presets share."""

from __future__ import annotations

from foptrn_model.headlines import Headline
from foptrn_model.text import THIN_SPACE, duration, group_digits, si, significant
from foptrn_model.transit_step import BAND_GATHER, BAND_SWITCH, DENSE, TOPK

WAY_LABELS = {
    DENSE: "AdamW, all-reduce",
    TOPK: "Top-k, all-gather",
    BAND_GATHER: "Band, all-gather",
    BAND_SWITCH: "Band at the switch",
}
WIRE_LABELS = {
    "adamw-ring": "Dense, ring all-reduce",
    "adamw-nvls": "Dense, NVLS",
    "topk-ring": "Top-k, ring all-gather",
    "topk-multicast": "Top-k, multicast",
    "band-ring": "Band, ring all-gather",
    "band-summed-ring": "Band, ring all-reduce",
    "band-summed-nvls": "Band, NVLS",
}

BAND_STEP_RATIO = Headline(
    field="band_step_ratio", label="AdamW's step over the band's", style="plain"
)
TRANSIT_HEADLINES = (
    Headline(field="fastest", label="First at the target", style="plain", words=WAY_LABELS),
    *(
        Headline(field=f"ways.{way}.time_s", label=f"{label}: time", style="duration")
        for way, label in WAY_LABELS.items()
    ),
    Headline(
        field="break_even.band-allgather.shown",
        label="Gathered band beats AdamW, GB/s",
        style="plain",
    ),
    Headline(
        field="break_even.band-switch.shown",
        label="Band at the switch beats AdamW, GB/s",
        style="plain",
    ),
    *(
        Headline(field=f"ways.{way}.energy_J", label=f"{label}: energy", style="si", unit="J")
        for way, label in WAY_LABELS.items()
    ),
    BAND_STEP_RATIO,
    Headline(field="diloco_Gbps", label="Overlapped DiLoCo's bandwidth, Gb/s", style="plain"),
)


def timed(value: float | str) -> str:
    """A time, or the word that stands where there is none."""
    return value if isinstance(value, str) else duration(value)


def rate(GBps: float) -> str:
    """A bandwidth in GB/s."""
    return f"{significant(GBps)}{THIN_SPACE}GB/s"


def counted(steps: float | str) -> str:
    """Steps to a target: whole ones in full, others with one decimal."""
    if isinstance(steps, str):
        return steps
    return group_digits(round(steps, 1))


def sized(size_bytes: float) -> str:
    return si(size_bytes, "B")

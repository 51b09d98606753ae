"""Spatial light modulators that write masks: their rates, and how sure these are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Device:
    """A modulator by its frame rate and the bits of one pixel; ``short`` names it in a figure."""

    name: str
    label: str
    short: str
    frame_rate_hz: float
    bits: int
    story: str
    source: str


INFERENCE = "the sister analysis of inference (2026)"

DEVICES = (
    Device(
        name="dmd-1-bit",
        label="DMD, 1 bit",
        short="DMD 1 bit",
        frame_rate_hz=20_000,
        bits=1,
        story="A digital micromirror device flips its mirrors 20,000 times a second: fast, but "
        "one bit a pixel.",
        source=INFERENCE,
    ),
    Device(
        name="dmd-8-bit",
        label="DMD, 8 bit",
        short="DMD 8 bit",
        frame_rate_hz=1_031,
        bits=8,
        story="The same mirrors dithered in time to 8 bits: 1,031 frames a second are left.",
        source=INFERENCE,
    ),
    Device(
        name="mems-phase",
        label="MEMS phase, 4 bit",
        short="MEMS",
        frame_rate_hz=1_440,
        bits=4,
        story="A piston-mirror phase modulator: 1,440 frames a second at 4 bits of phase.",
        source="arXiv 2409.01289",
    ),
    Device(
        name="liquid-crystal",
        label="Liquid crystal",
        short="LC",
        frame_rate_hz=30,
        bits=8,
        story="A liquid-crystal modulator settles slowly: 30 frames a second.",
        source=INFERENCE,
    ),
)
"""Rates are illustrative, for panels of about two megapixels."""

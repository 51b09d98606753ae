"""The compression explorer's headline numbers and published cases."""

from __future__ import annotations

from foptrn_model.headlines import SHARE, Headline
from foptrn_model.presets import SERIES, Preset

BAND_ERROR = Headline(field="band_error", label="Error of the optical band", style="percent")
COMPRESSION_HEADLINES = (
    Headline(
        field="captured_energy.low",
        label="Captured by the low band",
        style="percent",
        guesses=SHARE,
    ),
    Headline(field="captured_energy.topk", label="Captured by top-k", style="percent"),
    Headline(field="captured_energy.zigzag", label="Captured by zig-zag", style="percent"),
    Headline(field="captured_energy.random", label="Captured by a random band", style="percent"),
    Headline(field="captured_energy.calibrated", label="Captured, calibrated", style="percent"),
    BAND_ERROR,
    Headline(field="clip_rate", label="Values clipped", style="percent"),
    Headline(field="payload_bytes.topk", label="Top-k payload", style="si", unit="B"),
    Headline(field="payload_bytes.band", label="Band's payload", style="si", unit="B"),
)

EXPERIMENT = "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)"
OWN = "a training run of this project (see Working)"

COMPRESSION_PRESETS = (
    Preset(
        name="white",
        label="White noise",
        story="Nothing to find: every fixed band holds the share it keeps, 1 in 16, while top-k "
        "picks a third of the energy out of the same noise.",
        source="order statistics of Gaussian values",
        query="",
    ),
    Preset(
        name="smooth",
        label="Smooth noise",
        story="Where neighbours correlate the low band holds nearly everything: what a fixed band "
        "hopes for.",
        source="noise with a correlation of 0.95 between neighbours",
        query="source=smooth",
    ),
    Preset(
        name="delta",
        label="What a low band leaves behind",
        story="The delta of our own run with a low band: what was sent has been taken out at every "
        "step, so the band is all but empty and the energy lies elsewhere.",
        source=OWN,
        query="source=measured&tensor=delta",
    ),
    Preset(
        name="gradient",
        label="One step's gradient",
        story="A single gradient has more in its low frequencies than chance would put there; "
        "summed up with feedback it has not.",
        source=OWN,
        query="source=measured&tensor=gradient",
    ),
    Preset(
        name="optics-1d",
        label="Published optics: 256 points",
        story="White noise through eight bit planes, read at 8 effective bits: the band of a "
        "256-point transform is 16.8 % off. Published: 16 %.",
        source=f"{SERIES}; {EXPERIMENT}",
        query="chunk=1d-256",
    ),
    Preset(
        name="no-noise",
        label="A perfect read-out",
        story="Without read-out noise only rounding is left, 0.93 %, and yet a feedback of the "
        "exact band lets even that pile up.",
        source=f"{SERIES}; {EXPERIMENT}",
        query="chunk=1d-256&enob=0&feedback=exact",
    ),
    Preset(
        name="delta-optics",
        label="A real delta through optics",
        story="Nearly all of this 64 \u00d7 64 delta lies outside the band that is wanted: clipping "
        "and rounding it leave 25.5 times the band's own size there, with a perfect read-out; at "
        "ENOB 8 it is 60.9 times.",
        source=OWN,
        query="enob=0&source=measured&tensor=delta",
    ),
)

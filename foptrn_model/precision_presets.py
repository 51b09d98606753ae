"""The precision explorer's headline numbers, published cases and read-outs."""

from __future__ import annotations

from foptrn_model.headlines import POSITIVE, Headline
from foptrn_model.presets import INFERENCE, SERIES, Preset, Shortcut, Shortcuts

HYENA_BREAK_EVEN = Headline(
    field="conversion.hyena.break_even_enob",
    label="Break-even ENOB, Hyena-2",
    style="plain",
    unit="\u202fbit",
)
PRECISION_HEADLINES = (
    Headline(
        field="noise_relative_rms", label="Noise of the read-out", style="percent", guesses=POSITIVE
    ),
    Headline(field="crest", label="Crest factor", style="plain"),
    *(
        Headline(
            field=f"formats.{name}.enob_to_match",
            label=f"ENOB that matches {label}",
            style="plain",
            unit="\u202fbit",
        )
        for name, label in (("E5M2", "FP8 E5M2"), ("E4M3", "FP8 E4M3"), ("BF16", "BF16"))
    ),
    Headline(field="formats.BF16.passes_at_enob", label="Passes for BF16", style="whole"),
    Headline(field="plane_noise_factor", label="Noise factor of the planes", style="plain"),
    Headline(
        field="plane_emulation.read_out_relative_rms",
        label="Error through the planes",
        style="percent",
    ),
    HYENA_BREAK_EVEN,
    Headline(
        field="conversion.block-circulant.break_even_enob",
        label="Break-even ENOB, block-circulant",
        style="plain",
        unit="\u202fbit",
    ),
)

EXPERIMENT = "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)"

PRECISION_PRESETS = (
    Preset(
        name="default",
        label="Gaussian at 8 bits",
        story="65,536 Gaussian values: FP8 E5M2 is matched by 5.6 bits, BF16 by 10.6, so at 8 "
        "bits BF16 would take 37 averaged passes.",
        source=SERIES,
        query="",
    ),
    Preset(
        name="short",
        label="Published: 4,096 values",
        story="Fewer values reach less far out: 5.4 bits match FP8 E5M2, 6.4 FP8 E4M3, 8.0 INT8 "
        "and 10.4 BF16.",
        source=SERIES,
        query="samples=4096",
    ),
    Preset(
        name="spiky",
        label="Spikes cost bits",
        story="Student-t with 4 degrees: a few spikes set the full scale, and everything else "
        "drowns in it. FP8 E5M2 now asks for 7.7 bits, BF16 for 12.7.",
        source=SERIES,
        query="distribution=student-t",
    ),
    Preset(
        name="digits",
        label="Measured on digits",
        story="Weight gradients of a small network trained on digits: their largest value is 9.2 "
        "times the RMS, twice a Gaussian's.",
        source="a training run of this explorer; digits of E. Alpaydin and C. Kaynak (1998)",
        query="distribution=measured",
    ),
    Preset(
        name="twelve-planes",
        label="Twelve planes, still 8 bits",
        story="Four planes more divide the error of rounding by 3.7, but read at 8 bits nothing is "
        "gained: the noise of the read-out decides.",
        source=f"{SERIES}; training loop: {EXPERIMENT}",
        query="planes=12",
    ),
    Preset(
        name="sixteen-passes",
        label="Two bits by averaging",
        story="Sixteen averaged passes make 10 bits of 8, for sixteen conversions of every value; "
        "the energy figure shows the price of one.",
        source="the noise rule of this explorer",
        query="passes=16",
    ),
    Preset(
        name="fast-converter",
        label="Converters above 10 GS/s",
        story="At 75 fJ per step, the survey's median above 10 GS/s, Hyena's break-even falls from "
        "12.0 to 10.5 bits.",
        source=f"B. Murmann, ADC Performance Survey; {INFERENCE}",
        query="adc_fJ=75",
    ),
)

PRECISION_SHORTCUTS = Shortcuts(
    title="Read-outs",
    items=(
        Shortcut(
            name="slow-adc",
            label="ADC up to 10 GS/s, 20 fJ",
            story="The survey's median since 2018 for converters up to 10 GS/s.",
            source="B. Murmann, ADC Performance Survey",
            values={"adc_fJ": 20.0},
        ),
        Shortcut(
            name="fast-adc",
            label="ADC above 10 GS/s, 75 fJ",
            story="The survey's median since 2018 for converters above 10 GS/s.",
            source="B. Murmann, ADC Performance Survey",
            values={"adc_fJ": 75.0},
        ),
    ),
)

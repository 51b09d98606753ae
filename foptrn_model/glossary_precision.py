"""Glossary entries about bits, noise and converters."""

from __future__ import annotations

from foptrn_model.glossary_entry import INFERENCE, PRECISION, Entry

PRECISION_ENTRIES = (
    Entry(
        anchor="gradient-formats",
        title="Gradient formats: range against mantissa",
        short="Gradient formats",
        group=PRECISION,
        related=("enob-noise-rule", "crest-factor"),
        words="FP8 E5M2 spends five bits on range and two on the mantissa, so it spans "
        "gradients of any size and is still {e5m2_off} off in each. A read-out with one "
        "full scale is exact for large values and lost for small ones: on {few_values} to "
        "{many_values} Gaussian gradients it matches E5M2 with {e5m2_bits_few} to "
        "{e5m2_bits_many} effective bits (published: 5.3 to 5.8) and BF16 with "
        "{bf16_bits_few} to {bf16_bits_many} (published: 10.3 to 10.7). Spiky gradients "
        "ask for more: {spiky_e5m2_bits} bits for E5M2 on {spiky_values} heavy-tailed ones.",
        explorer="precision",
        query="distribution=student-t",
        source="Micikevicius et al., arXiv 2209.05433; measured in this explorer",
    ),
    Entry(
        anchor="enob-noise-rule",
        title="ENOB and the noise rule",
        short="Noise rule",
        group=PRECISION,
        related=("crest-factor", "averaging-passes", "bit-planes"),
        words="A converter's effective number of bits is that of an ideal one with the same noise. "
        "With the full scale at the signal's peak its noise over the signal's RMS is crest "
        "\u00d7 2^\u2212ENOB \u00d7 2/\u221a12, so every bit halves it.",
        explorer="precision",
        query="enob=10",
        source="IEEE Std 1241-2010",
    ),
    Entry(
        anchor="crest-factor",
        title="Crest factor",
        group=PRECISION,
        related=("enob-noise-rule", "gradient-formats"),
        words="The largest magnitude over the RMS. It sets how much of a converter's range the "
        "ordinary values use: doubling it costs one bit. It grows slowly with the number of "
        "Gaussian values and fast with that of heavy-tailed ones.",
        explorer="precision",
        query="distribution=student-t",
        source="The noise rule of this explorer",
    ),
    Entry(
        anchor="averaging-passes",
        title="Averaging passes",
        group=PRECISION,
        related=("enob-noise-rule", "bit-planes"),
        words="Reading the same values k times and averaging divides independent noise by the root "
        "of k. One more bit therefore costs four passes, two bits sixteen: time and energy grow "
        "exponentially in the bits gained.",
        explorer="precision",
        query="passes=16",
        source="The noise rule of this explorer",
    ),
    Entry(
        anchor="bit-planes",
        title="Bit planes",
        group=PRECISION,
        related=("enob-noise-rule", "spatial-light-modulator"),
        words="A modulator with two levels can carry an integer of P bits as P binary pictures, "
        "one pass each; the read-outs are added with weights 1, 2, 4 and so on, the top "
        "one negative. Each pass brings noise of its own, and the sum multiplies it by "
        "\u221a\u03a3 4^b, {plane_factor} for {planes} planes. More planes make rounding "
        "finer and leave that noise as it is.",
        explorer="precision",
        query="planes=12",
        source="The plane emulation of this explorer; Lynskey, DeMo_Fixed_Band_Experiment (2026)",
    ),
    Entry(
        anchor="conversion-bound-optics",
        title="Conversion-bound optics",
        group=INFERENCE,
        related=("enob-noise-rule", "lens-fourier-transform"),
        words="Light may transform for free, but every value crosses a DAC on its way in and an "
        "ADC on its way out, and a conversion costs twice as much with every bit. Above "
        "the break-even ENOB converting costs more than computing digitally would have: "
        "{hyena_break_even_enob} bits for Hyena's long convolutions, "
        "{circulant_break_even_enob} for block-circulant weights.",
        explorer="precision",
        query="enob=12",
        source="Walden, IEEE J. Sel. Areas Commun. 17, 539 (1999); the sister analysis of inference "
        "(2026)",
    ),
)  # fmt: skip

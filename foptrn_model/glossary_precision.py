"""Glossary entries about bits, noise and converters."""

from __future__ import annotations

from foptrn_model.glossary_entry import Entry

PRECISION_ENTRIES = (
    Entry(
        anchor="gradient-formats",
        title="Gradient formats: range against mantissa",
        text="FP8 E5M2 spends five bits on range and two on the mantissa, so it spans gradients of "
        "any size and is still 5 % off in each. A read-out with one full scale is exact for large "
        "values and lost for small ones: it matches E5M2 on Gaussian gradients with 5.3 to 5.8 "
        "effective bits, and BF16 with 10.3 to 10.7. Spiky gradients ask for more.",
        explorer="precision",
        query="",
        source="Micikevicius et al., arXiv 2209.05433; measured in this explorer",
    ),
    Entry(
        anchor="enob-noise-rule",
        title="ENOB and the noise rule",
        text="A converter's effective number of bits is that of an ideal one with the same noise. "
        "With the full scale at the signal's peak its noise over the signal's RMS is crest "
        "\u00d7 2^\u2212ENOB \u00d7 2/\u221a12, so every bit halves it.",
        explorer="precision",
        query="enob=10",
        source="IEEE Std 1241-2010",
    ),
    Entry(
        anchor="crest-factor",
        title="Crest factor",
        text="The largest magnitude over the RMS. It sets how much of a converter's range the "
        "ordinary values use: doubling it costs one bit. It grows slowly with the number of "
        "Gaussian values and fast with that of heavy-tailed ones.",
        explorer="precision",
        query="distribution=student-t",
        source="The noise rule of this explorer",
    ),
    Entry(
        anchor="averaging-passes",
        title="Averaging passes",
        text="Reading the same values k times and averaging divides independent noise by the root "
        "of k. One more bit therefore costs four passes, two bits sixteen: time and energy grow "
        "exponentially in the bits gained.",
        explorer="precision",
        query="passes=16",
        source="The noise rule of this explorer",
    ),
    Entry(
        anchor="bit-planes",
        title="Bit planes",
        text="A modulator with two levels can carry an integer of P bits as P binary pictures, one "
        "pass each; the read-outs are added with weights 1, 2, 4 and so on, the top one negative. "
        "Each pass brings noise of its own, and the sum multiplies it by \u221a\u03a3 4^b, 148 for "
        "eight planes. More planes make rounding finer and leave that noise as it is.",
        explorer="precision",
        query="planes=12",
        source="The plane emulation of this explorer; Lynskey, DeMo_Fixed_Band_Experiment (2026)",
    ),
    Entry(
        anchor="conversion-bound-optics",
        title="Conversion-bound optics",
        text="Light may transform for free, but every value crosses a DAC on its way in and an ADC "
        "on its way out, and a conversion costs twice as much with every bit. Above the break-even "
        "ENOB converting costs more than computing digitally would have: about 12 bits for "
        "Hyena's long convolutions, 11.4 for block-circulant weights.",
        explorer="precision",
        query="enob=12",
        source="Walden, IEEE J. Sel. Areas Commun. 17, 539 (1999); the sister analysis of inference "
        "(2026)",
    ),
)  # fmt: skip

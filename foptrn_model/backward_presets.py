"""Named states and headline numbers of the backward explorer."""

from __future__ import annotations

from foptrn_model.headlines import POSITIVE, Headline
from foptrn_model.presets import SERIES, Preset

HERE = "computed by this explorer"

BACKWARD_HEADLINES = (
    Headline(
        field="largest_gradient_error",
        label="Gradients against direct correlation",
        style="plain",
        guesses=POSITIVE,
    ),
    Headline(field="checks.finite_difference", label="Against finite differences", style="plain"),
    Headline(field="checks.forward", label="Forward against direct sums", style="plain"),
    Headline(field="checks.input_gradient", label="Input gradient, direct", style="plain"),
    Headline(field="checks.filter_gradient", label="Filter gradient, direct", style="plain"),
    Headline(field="checks.future_leak", label="Future leak", style="plain"),
    Headline(field="checks.adjoint", label="Adjoint identity", style="plain"),
    Headline(field="checks.block_circulant", label="Block-circulant, dense", style="plain"),
    Headline(field="checks_within", label="Checks within bounds", style="whole"),
    Headline(field="outputs_compared", label="Outputs compared", style="whole"),
)

BACKWARD_PRESETS = (
    Preset(
        name="default",
        label="A long random filter",
        story="1,024 samples and a decaying random filter, as in a Hyena layer: both gradients "
        "agree with direct sums to rounding.",
        source=SERIES,
        query="",
    ),
    Preset(
        name="no-padding",
        label="Padding left out",
        story="The transform wraps around, so the last input reaches the first outputs. Finite "
        "differences do not notice: they confirm the gradient of the wrong layer.",
        source="M. Poli et al., arXiv 2302.10866, on padding causal convolutions",
        query="padding=false",
    ),
    Preset(
        name="harmless",
        label="Wrong where nothing leaks",
        story="An impulse reaches no other sample, so without padding outputs and input gradient "
        "are right. The filter gradient is not: it counts taps that only a wrapped layer has. The "
        "pictures keep their own kernel, which does leak.",
        source=HERE,
        query="filter=impulse&padding=false",
    ),
    Preset(
        name="blurred-pulse",
        label="A blurred pulse",
        story="A rectangular pulse through a Gaussian blur: the kind of filtering that a lens and "
        "a mask do in a textbook.",
        source="J. W. Goodman, Introduction to Fourier Optics, 3rd ed., sec. 8.1",
        query="filter=gaussian&picture=rings&signal=pulse",
    ),
    Preset(
        name="edges",
        label="Edges of a step",
        story="A derivative answers a step with one spike, and a picture with its edges.",
        source="J. W. Goodman, Introduction to Fourier Optics, 3rd ed., sec. 8.1",
        query="filter=derivative&kernel=edge&signal=step",
    ),
    Preset(
        name="eight-bits",
        label="Read at 8 effective bits",
        story="The mathematics is exact; a detector of 8 effective bits leaves errors of up to a "
        "hundredth of the peak in every pass.",
        source="definition of ENOB; R. H. Walden (1999)",
        query="enob=8",
    ),
    Preset(
        name="longest",
        label="65,536 samples",
        story="Too long for all direct sums, so a random 256 outputs are compared.",
        source=HERE,
        query="n=65536",
    ),
)

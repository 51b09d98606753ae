"""Glossary entries about convolutions, their gradients and 4f systems."""

from __future__ import annotations

from foptrn_model.glossary_entry import BACKWARD, INFERENCE, Entry

BACKWARD_ENTRIES = (
    Entry(
        anchor="gradient-of-a-convolution",
        title="The gradient of a convolution is a correlation",
        short="Gradient of a convolution",
        group=BACKWARD,
        related=("convolution-theorem", "three-4f-passes"),
        words="Input s of y = h \u2217 u reaches output t with weight h[t \u2212 s], so its gradient "
        "collects g[t] h[t \u2212 s] over t: the loss's gradient g correlated with the filter. In "
        "the Fourier plane a correlation is a product with the conjugate: dX = IFFT(G \u00b7 conj H) "
        "and, with the roles of input and filter exchanged, dH = IFFT(G \u00b7 conj U).",
        explorer="backward",
        query="",
        source="Derived by the chain rule and checked against finite differences here",
    ),
    Entry(
        anchor="three-4f-passes",
        title="Three 4f passes",
        group=BACKWARD,
        related=("4f-system", "weight-masked-and-data-by-data", "gradient-of-a-convolution"),
        words="A training step sends light through a 4f system three times per layer: forward past "
        "the mask H, for the input gradient past conj H, for the filter gradient past conj U. The "
        "first two masks are a weight's and change once per step; the third is the sample's own "
        "spectrum and would be new for every sequence.",
        explorer="backward",
        query="enob=8",
        source="The series Fourier Optics for Training (2026)",
    ),
    Entry(
        anchor="convolution-theorem",
        title="Convolution theorem",
        group=INFERENCE,
        related=("long-convolution", "4f-system"),
        words="Convolving two signals multiplies their spectra, frequency by frequency. With "
        "discrete transforms the convolution is a circular one, and equals the ordinary one once "
        "both signals are padded with enough zeros.",
        explorer="backward",
        query="filter=gaussian&signal=pulse",
        source="J. W. Goodman, Introduction to Fourier Optics, 3rd ed., sec. 2.1",
    ),
    Entry(
        anchor="padding-and-causality",
        title="Padding and causality",
        group=BACKWARD,
        related=("long-convolution", "convolution-theorem"),
        words="Without padding what leaves a transform at its end comes back at its start: the last "
        "inputs reach the first outputs, and a language model could see the token it has to "
        "predict. Zeros up to twice the length leave no room for that. Gradients cannot reveal the "
        "mistake, being exact for the wrapped layer too.",
        explorer="backward",
        query="padding=false",
        source="Poli et al., arXiv 2302.10866",
    ),
    Entry(
        anchor="lens-fourier-transform",
        title="A lens as a Fourier transformer",
        short="Lens as a Fourier transformer",
        group=INFERENCE,
        related=("4f-system", "angular-spectrum", "conversion-bound-optics"),
        words="Light from a plane one focal length before a lens arrives one focal length behind it "
        "as the Fourier transform of its field: each direction in front becomes a point behind. "
        "The transform takes no energy and only the time of flight; loading the field and reading "
        "the result are what costs.",
        explorer="backward",
        query="picture=rings",
        source="J. W. Goodman, Introduction to Fourier Optics, 3rd ed., sec. 5.2",
    ),
    Entry(
        anchor="4f-system",
        title="4f system",
        group=INFERENCE,
        related=("lens-fourier-transform", "convolution-theorem", "three-4f-passes"),
        words="Two lenses, four focal lengths long in all: the first forms the spectrum of the "
        "input, a mask in the plane between multiplies it, and the second transforms forward again, which gives "
        "the result inverted. Any convolution is a choice of mask, and the conjugate mask gives the correlation.",
        explorer="backward",
        query="kernel=edge",
        source="J. W. Goodman, Introduction to Fourier Optics, 3rd ed., sec. 8.1",
    ),
)  # fmt: skip

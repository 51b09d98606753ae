"""Glossary entries of the optical DFA explorer."""

from __future__ import annotations

from foptrn_model.glossary_entry import Entry

OPTICAL_DFA_ENTRIES = (
    Entry(
        anchor="optical-processing-unit",
        title="Optical processing unit (OPU)",
        text="Light shaped by a modulator scatters in a random medium onto a camera, which amounts "
        "to a product with a huge random matrix that nobody stores or reads. Its speed in TeraOPS "
        "counts the matrix; what a user waits for is the frame: about 2,000 a second, five for a "
        "linear projection, and fewer once many rows of the camera must be read.",
        explorer="optical-dfa",
        query="width=256",
        source="Wang et al., arXiv 2409.12965; the vendor's documentation and library lightonml",
    ),
    Entry(
        anchor="optical-dfa-crossover",
        title="Crossover of optical DFA",
        text="The optical step costs nearly the same at every width, a digital one grows with its "
        "square, so there is a width at which light wins. It was published at 96 layers of 3,080 "
        "neurons. In the model of this explorer it lies there because backpropagation runs out of "
        "memory there: on a larger card it moves away. Against DFA on the GPU it lies at larger "
        "networks, and with a short error nowhere.",
        explorer="optical-dfa",
        query="",
        source="Wang et al., arXiv 2409.12965; computed by this explorer",
    ),
    Entry(
        anchor="memory-wall",
        title="Memory wall",
        text="Weights, gradients, optimizer and activations that exceed a GPU's memory have to be "
        "moved over PCIe at every walk through the weights, at a hundredth of the memory's rate. "
        "Backpropagation walks twice, DFA once; feedback matrices on the GPU need memory of their "
        "own, those in a scattering medium none.",
        explorer="optical-dfa",
        query="matrices_per_layer=3",
        source="Wang et al., arXiv 2409.12965; the model of this explorer",
    ),
    Entry(
        anchor="per-token-errors",
        title="An error per token",
        text="A classifier has one error per sample. A language model has one per token, each of "
        "which must be projected, so the optical time is multiplied by the length of the sequence "
        "while the GPU's products grow as well but start far below. This is why light helps "
        "Transformers least.",
        explorer="optical-dfa",
        query="batch=8&depth=24&errors_per_sample=1024&matrices_per_layer=12&width=2048",
        source="The model of this explorer; Filipovich et al., arXiv 2210.14593",
    ),
)

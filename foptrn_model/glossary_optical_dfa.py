"""Glossary entries of the optical DFA explorer."""

from __future__ import annotations

from foptrn_model.glossary_entry import OPTICS, Entry

OPTICAL_DFA_ENTRIES = (
    Entry(
        anchor="optical-processing-unit",
        title="Optical processing unit (OPU)",
        short="Optical processing unit",
        group=OPTICS,
        related=("memory-wall", "optical-dfa-crossover", "direct-feedback-alignment"),
        words="Light shaped by a modulator scatters in a random medium onto a camera, which "
        "amounts to a product with a huge random matrix that nobody stores or reads. Its "
        "speed in TeraOPS counts the matrix; what a user waits for is the frame: about "
        "{opu_frame_rate} a second, {opu_passes} for a linear projection, and fewer once "
        "many rows of the camera must be read.",
        explorer="optical-dfa",
        query="width=256",
        source="Wang et al., arXiv 2409.12965; the vendor's documentation and library lightonml",
    ),
    Entry(
        anchor="optical-dfa-crossover",
        title="Crossover of optical DFA",
        short="Crossover",
        group=OPTICS,
        related=("memory-wall", "optical-processing-unit", "per-token-errors"),
        words="The optical step costs nearly the same at every width, a digital one grows with "
        "its square, so there is a width at which light wins: {opu_width} neurons at "
        "{opu_depth} layers in this explorer, 3,080 as published. The GPU's batch, rates, memory and launch time were "
        "not published and are chosen so that this comes out: a fit, no check. In this model it lies "
        "there because backpropagation runs out of memory there: on a larger card it "
        "moves away. Against DFA on the GPU it lies at larger networks, and with a short "
        "error nowhere.",
        explorer="optical-dfa",
        query="",
        source="Wang et al., arXiv 2409.12965; computed by this explorer",
    ),
    Entry(
        anchor="memory-wall",
        title="Memory wall",
        group=OPTICS,
        related=("optical-dfa-crossover", "optical-processing-unit"),
        words="Weights, gradients, optimizer and activations that exceed a GPU's memory have to "
        "be moved over PCIe at every walk through the weights, at a rate {pcie_ratio} "
        "times below the memory's. Backpropagation walks twice, DFA once; feedback "
        "matrices on the GPU need memory of their own, those in a scattering medium none.",
        explorer="optical-dfa",
        query="matrices_per_layer=3",
        source="Wang et al., arXiv 2409.12965; the model of this explorer",
    ),
    Entry(
        anchor="per-token-errors",
        title="An error per token",
        group=OPTICS,
        related=("direct-feedback-alignment", "optical-dfa-crossover"),
        words="A classifier has one error per sample. A language model has one per token, each of "
        "which must be projected, so the optical time is multiplied by the length of the sequence "
        "while the GPU's products grow as well but start far below. This is why light helps "
        "Transformers least.",
        explorer="optical-dfa",
        query="batch=8&depth=24&errors_per_sample=1024&matrices_per_layer=12&width=2048",
        source="The model of this explorer; Filipovich et al., arXiv 2210.14593",
    ),
)

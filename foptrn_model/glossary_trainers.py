"""Glossary entries of the trainers explorer."""

from __future__ import annotations

from foptrn_model.glossary_entry import INFERENCE, OPTICS, PRECISION, Entry

TRAINERS_ENTRIES = (
    Entry(
        anchor="in-situ-backpropagation",
        title="In-situ backpropagation",
        group=OPTICS,
        related=("mzi-mesh", "hologram", "reality-gap"),
        words="A reciprocal network carries light backward through the same elements, so the error "
        "sent in at its outputs becomes the adjoint field inside. Where that field interferes with "
        "the forward one, a detector at a phase shifter sees the gradient in its phase as a "
        "difference of three powers. It is the gradient of the device itself, whatever its errors, "
        "as long as no light is lost.",
        explorer="trainers",
        query="phase_error_rad=0.6",
        source="Hughes et al., Optica 5, 864 (2018); Pai et al., Science 380, 398 (2023)",
    ),
    Entry(
        anchor="physics-aware-training",
        title="Physics-aware training",
        group=OPTICS,
        related=("reality-gap", "in-situ-backpropagation"),
        words="The forward pass runs on the hardware and the backward pass on a digital twin, taken "
        "at the inputs that the hardware measured. The loss is then the true one and only the "
        "slopes are modelled: their errors multiply from layer to layer, where those of a model "
        "that runs by itself compound. A twin that is far off still misleads.",
        explorer="trainers",
        query="phase_error_rad=0.1",
        source="Wright et al., Nature 601, 549 (2022)",
    ),
    Entry(
        anchor="direct-feedback-alignment",
        title="Direct feedback alignment",
        group=OPTICS,
        related=("optical-processing-unit", "per-token-errors"),
        words="Each hidden layer receives the output error through a fixed random matrix of its own "
        "instead of the transposed network. At first that direction says nothing about the true "
        "gradient; during training the forward weights turn so that it does. Networks of a few "
        "ports flatter the method, since few directions are easy to align.",
        explorer="trainers",
        query="phase_error_rad=0",
        source="N\u00f8kland, arXiv 1609.01596; Launay et al., arXiv 2006.12878; arXiv 2409.12965",
    ),
    Entry(
        anchor="reality-gap",
        title="Reality gap",
        group=OPTICS,
        related=("in-situ-backpropagation", "physics-aware-training", "diffractive-network"),
        words="A network trained on a model and deployed on hardware loses accuracy, because no "
        "device matches its model. Measuring on the hardware during training closes the gap, in "
        "the forward pass in part and in the backward pass as well almost wholly. More training "
        "on the same model does not. A network trained on its own device often scores worse on "
        "the model: the gap has the other sign.",
        explorer="trainers",
        query="",
        source="Computed by this explorer; terms after Wright et al., Nature 601, 549 (2022)",
    ),
    Entry(
        anchor="mzi-mesh",
        title="MZI mesh",
        group=INFERENCE,
        related=("in-situ-backpropagation", "reality-gap"),
        words="A Mach\u2013Zehnder interferometer, two beam splitters with a phase shifter "
        "between them and one before, makes any 2 \u00d7 2 unitary up to output phases. "
        "N(N \u2212 1)/2 of them in a rectangle, with N output phases, make any unitary "
        "of N ports: {mesh_4} for 4 ports, {mesh_64} for 64. Without loss a mesh stays "
        "unitary however wrong its phases and splitters are; it is another unitary than "
        "the one asked for.",
        explorer="trainers",
        query="ports=8",
        source="Clements et al., Optica 3, 1460 (2016)",
    ),
    Entry(
        anchor="diffractive-network",
        title="Diffractive deep network (D\u00b2NN)",
        short="Diffractive network",
        group=OPTICS,
        related=("reality-gap", "angular-spectrum", "spatial-light-modulator"),
        words="Phase masks in a row, each pixel of which delays the light that meets it; "
        "between them light spreads, so that every pixel of one mask reaches many of the "
        "next, and detectors at the end read one class each. The stack is trained in "
        "simulation and then fabricated. Mismatch is the problem: what was trained "
        "expects its masks within a fraction of a pixel of where they belong.",
        explorer="trainers",
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&shift_px=0.5&sweep=shift_px&task=digits",
        source="Lin et al., Science 361, 1004 (2018)",
    ),
    Entry(
        anchor="angular-spectrum",
        title="Angular spectrum",
        group=INFERENCE,
        related=("lens-fourier-transform", "diffractive-network"),
        words="Any field on a plane is a sum of plane waves. Each keeps its direction and turns its "
        "phase by the distance it covers, so two Fourier transforms with one multiplication between "
        "them take a field from plane to plane. Distances add, and the way back undoes the way "
        "there; light that leaves the aperture is lost to it.",
        explorer="trainers",
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&task=digits",
        source="Goodman, Introduction to Fourier Optics, section 3.10",
    ),
    Entry(
        anchor="hologram",
        title="Hologram by phase shifting",
        group=OPTICS,
        related=("phase-problem", "in-situ-backpropagation"),
        words="A camera reads power and no phase. Four exposures of a field together with a reference "
        "beam, whose phase is moved on by a quarter turn each time, give both: their two differences "
        "are four times the field's real and imaginary part times the reference. That is how the "
        "light behind a mask can be known, and with it, and the light sent backward, the gradient.",
        explorer="trainers",
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&shift_px=2&sweep=shift_px&task=digits",
        source="Zhou et al., Photonics Research 8, 940 (2020)",
    ),
    Entry(
        anchor="phase-problem",
        title="Phase problem",
        group=INFERENCE,
        related=("hologram", "lens-fourier-transform", "spatial-light-modulator"),
        words="A detector counts power, the squared magnitude of the field, and loses its phase, yet "
        "the phase is where most of a spectrum's information lies. A reference beam whose phase is "
        "shifted brings it back, at the price of more exposures, more optics and alignment to a "
        "fraction of a wavelength. Without one it can be retrieved by iteration from what else is "
        "known of the field, which takes computing and may fail.",
        explorer="trainers",
        query="batch=32&phase_error_rad=0&plant=diffractive&seeds=2&task=digits",
        source="Importance of phase: Oppenheim and Lim, Proc. IEEE 69, 529 (1981); phase shifting: "
        "Yamaguchi and Zhang, Optics Letters 22, 1268 (1997); iterative retrieval: Fienup, Applied "
        "Optics 21, 2758 (1982)",
    ),
    Entry(
        anchor="analogue-noise-in-training",
        title="Analogue noise in a training loop",
        short="Analogue noise",
        group=PRECISION,
        related=("enob-noise-rule", "error-feedback", "reality-gap"),
        words="Noise of zero mean averages out over samples and steps, so training tolerates a good "
        "deal of it. A bias does not average out. In the read-out of the forward pass it is one "
        "more way to differ from the model, which training on the hardware absorbs; in the "
        "gradient itself it pulls every step the same way.",
        explorer="trainers",
        query="gradient_offset=0.1",
        source="Computed by this explorer",
    ),
)

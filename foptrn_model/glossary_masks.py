"""Glossary entries about masks, modulators and schedules."""

from __future__ import annotations

from foptrn_model.glossary_entry import BACKWARD, CLUSTER, INFERENCE, Entry

MASKS_ENTRIES = (
    Entry(
        anchor="mask-rewrites",
        title="Mask rewrites per optimizer step",
        short="Mask rewrites",
        group=BACKWARD,
        related=("layer-major-scheduling", "spatial-light-modulator", "mask-capacity"),
        words="An engine for inference writes its filter spectra once. In training every optimizer "
        "step changes the weights, so every mask is stale: H is written anew for the forward "
        "pass, and conj H for the backward pass unless one mask can be read both ways. In "
        "layer-major order that is paid once per step, however many sequences the step has.",
        explorer="masks",
        query="",
        source="The schedule of this explorer",
    ),
    Entry(
        anchor="layer-major-scheduling",
        title="Layer-major scheduling",
        group=CLUSTER,
        related=("mask-rewrites", "pipeline-bubble"),
        words="In layer-major order all sequences of a step pass one layer before the next layer's "
        "mask is written, so one write serves the step. The price is memory, since every "
        "sequence's activations stay alive, and it cannot be pipelined: a pipeline hands each "
        "microbatch through all its layers and needs every mask again for the next one.",
        explorer="masks",
        query="order=sequence-major",
        source="Narayanan et al., arXiv 2104.04473 (pipelining)",
    ),
    Entry(
        anchor="pipeline-bubble",
        title="Pipeline bubble and 1F1B",
        short="Pipeline bubble",
        group=CLUSTER,
        related=("layer-major-scheduling",),
        words="A pipeline of p stages leaves stages idle while it fills and drains: of m "
        "microbatches a share (p \u2212 1) / (m + p \u2212 1) of the time is lost. The 1F1B "
        "order starts a microbatch's backward as soon as it can, so a stage holds at most p "
        "microbatches.",
        explorer="masks",
        query="microbatches=8&pipeline_stages=8",
        source="Narayanan et al., arXiv 2104.04473, sec. 2.2",
    ),
    Entry(
        anchor="spatial-light-modulator",
        title="Spatial light modulator",
        group=INFERENCE,
        related=("mask-rewrites", "mask-capacity", "phase-problem"),
        words="A panel whose pixels set the amplitude or the phase of light, one frame at a time. "
        "Micromirrors are fast with few bits, liquid crystals slow with many; what counts here "
        "is frames per second times pixels.",
        explorer="masks",
        query="frame_rate_hz=20000",
        source="arXiv 2409.01289 (a MEMS phase modulator); the sister analysis of inference (2026)",
    ),
    Entry(
        anchor="mask-capacity",
        title="Fourier-plane mask capacity",
        short="Mask capacity",
        group=INFERENCE,
        related=("long-convolution", "spatial-light-modulator"),
        words="A long convolution's mask holds n/2 + 1 complex values per channel, for n at "
        "least twice the sequence. One forward pass of Hyena-2 at {prompt_seq_len} tokens "
        "needs {mask_values} million of them, {mask_frames} frames of {mask_megapixels} "
        "megapixels, even if a single pixel could hold a complex value.",
        explorer="masks",
        query="seq_len=2048",
        source="The sister analysis of inference (2026)",
    ),
    Entry(
        anchor="tensor-parallel-masks",
        title="Tensor parallelism of masks",
        group=CLUSTER,
        related=("mask-rewrites",),
        words="Ranks that split a layer's channels each write only their share of its masks, so t "
        "ranks with an engine each write t times faster. They pay with all-reduces of the "
        "activations, two forward and two backward in every layer.",
        explorer="masks",
        query="tensor_parallel=8",
        source="Shoeybi et al., arXiv 1909.08053",
    ),
)  # fmt: skip

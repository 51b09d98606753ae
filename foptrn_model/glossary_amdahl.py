"""Glossary entries about counting the FLOP of a step, and about architectures."""

from __future__ import annotations

from foptrn_model.glossary_entry import BACKWARD, CLUSTER, INFERENCE, Entry

AMDAHL_ENTRIES = (
    Entry(
        anchor="six-n-rule",
        title="6N rule",
        group=BACKWARD,
        related=("static-share", "weight-masked-and-data-by-data"),
        words="Training costs about six FLOP per matrix weight and token: two forward, four "
        "backward. Attention comes on top. The rule is exact for the matrix products of a "
        "dense transformer, and this ledger reproduces it exactly; authors differ in what "
        "N counts: all parameters, those without the input embedding, or the blocks "
        "alone.",
        explorer="amdahl",
        query="variant=transformer",
        source="Kaplan et al., arXiv 2001.08361",
    ),
    Entry(
        anchor="static-share",
        title="Static share and the training Amdahl bound",
        short="Static share",
        group=BACKWARD,
        related=("amdahl-law", "weight-masked-and-data-by-data", "mask-rewrites"),
        words="The static share is the part of a step's FLOP that an engine could take with "
        "masks written once per optimizer step: transforms, and products with a weight's "
        "spectrum. If that part took no time at all, the step would become 1 / (1 \u2212 "
        "share) times faster and no more. For Hyena-2 at {share_seq_len} tokens the share "
        "is {hyena_share}, for block-circulant weights {circulant_share}.",
        explorer="amdahl",
        query="",
        source="G. M. Amdahl, AFIPS Spring Joint Computer Conference (1967)",
    ),
    Entry(
        anchor="weight-masked-and-data-by-data",
        title="Weight-masked and data-by-data products",
        short="Weight-masked products",
        group=BACKWARD,
        related=("three-4f-passes", "static-share"),
        words="In the Fourier plane a convolution is a product. Where one factor is a weight's "
        "spectrum, its mask is written once and serves the whole step. Where both factors depend "
        "on the sample, as in a weight's gradient, every sequence would need a mask of its own, so "
        "these products stay digital.",
        explorer="amdahl",
        query="variant=block-circulant",
        source="Derived in the FLOP ledger of this explorer",
    ),
    Entry(
        anchor="optical-share-at-inference",
        title="Optical share at inference",
        group=INFERENCE,
        related=("static-share", "mask-capacity"),
        words="A forward pass alone has no weight gradients, so the engine's share of it is "
        "larger than its share of a training step: {prompt_forward_share} against "
        "{prompt_step_share} for Hyena-2 at {prompt_seq_len} tokens.",
        explorer="amdahl",
        query="seq_len=2048",
        source="The sister analysis of inference (2026)",
    ),
    Entry(
        anchor="amdahl-law",
        title="Amdahl's law by FLOP and by time",
        short="Amdahl\u2019s law",
        group=BACKWARD,
        related=("static-share", "link-port-amdahl"),
        words="Amdahl's law speaks of time. Counting FLOP instead assumes that all of them run at "
        "one rate, yet transforms on a GPU run far below its matmul rate. With the static part, "
        "transforms and weight-masked products, at a fraction r of the dense rate, its share s of "
        "the FLOP becomes (s/r) / (s/r + 1 \u2212 s) of the time. That both run at r, and "
        "data-by-data products at the full rate, is an assumption.",
        explorer="amdahl",
        query="fft_rate=0.0625&seq_len=2048&variant=block-circulant",
        source="G. M. Amdahl, AFIPS Spring Joint Computer Conference (1967)",
    ),
    Entry(
        anchor="hyena",
        title="Hyena",
        group=INFERENCE,
        related=("long-convolution", "hybrid-architectures"),
        words="A Hyena operator mixes tokens with long convolutions and gates in the place of "
        "attention. Of order N it projects its input to N + 1 streams, convolves each with a "
        "short filter, and alternates N gates with N convolutions as long as the sequence.",
        explorer="amdahl",
        query="hyena_order=3",
        source="Poli et al., arXiv 2302.10866",
    ),
    Entry(
        anchor="long-convolution",
        title="Long convolution by FFT",
        short="Long convolution",
        group=INFERENCE,
        related=("convolution-theorem", "padding-and-causality", "hyena"),
        words="A filter as long as the sequence costs n log n by FFT instead of n\u00b2. To stay "
        "causal the sequence is padded with zeros to at least twice its length, here to the next "
        "power of two: just past a power of two the padding, and with it the engine's share, "
        "doubles.",
        explorer="amdahl",
        query="seq_len=4097",
        source="Poli et al., arXiv 2302.10866",
    ),
    Entry(
        anchor="hybrid-architectures",
        title="Hybrid architectures",
        group=INFERENCE,
        related=("hyena", "static-share"),
        words="A hybrid keeps attention in some layers and uses a cheaper operator in the others. "
        "Its attention grows with length, so its static share falls where Hyena's rises.",
        explorer="amdahl",
        query="seq_len=131072&variant=hybrid",
        source="Poli et al., arXiv 2302.10866",
    ),
    Entry(
        anchor="block-circulant-weights",
        title="Block-circulant weights",
        group=INFERENCE,
        related=("convolution-theorem", "static-share"),
        words="A circulant matrix is a convolution, so blocks of it can be multiplied by FFT and "
        "store one row each. Cutting a matrix into circulant blocks of side k divides its "
        "parameters by k. At the scale of a language model this is speculative.",
        explorer="amdahl",
        query="variant=block-circulant",
        source="Ding et al., arXiv 1708.08917",
    ),
    Entry(
        anchor="activation-recomputation",
        title="Activation recomputation",
        group=BACKWARD,
        related=("six-n-rule", "static-share"),
        words="A backward pass needs what the forward pass computed. Computing it again instead of "
        "keeping it saves memory and costs a second forward pass: the step of Hyena-2 has "
        "{recompute_factor} times the FLOP.",
        explorer="amdahl",
        query="recompute=full",
        source="Chen et al., arXiv 1604.06174; Narayanan et al., arXiv 2104.04473",
    ),
    Entry(
        anchor="demo",
        title="DeMo",
        group=CLUSTER,
        related=("captured-energy", "error-feedback", "wire-bytes"),
        words="DeMo lets replicas drift and sends only the fastest components of the momentum: "
        "it cuts the momentum into chunks, transforms each by a cosine transform and "
        "keeps the largest coefficients (top-k). It saves bytes on the link, not compute: "
        "its transforms are {demo_share} of a step's FLOP.",
        explorer="compression",
        query="source=measured",
        source="Peng et al., arXiv 2411.19870",
    ),
)  # fmt: skip

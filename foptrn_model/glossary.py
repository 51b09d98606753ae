"""The glossary: every concept that a control or a number links to.

``query`` opens the explorer named by ``explorer`` in a state that shows the
concept. Anchors are permanent: links of other people end in them.
"""

from __future__ import annotations

from foptrn_model.glossary_backward import BACKWARD_ENTRIES
from foptrn_model.glossary_compression import COMPRESSION_ENTRIES
from foptrn_model.glossary_entry import Entry
from foptrn_model.glossary_masks import MASKS_ENTRIES
from foptrn_model.glossary_optical_dfa import OPTICAL_DFA_ENTRIES
from foptrn_model.glossary_precision import PRECISION_ENTRIES
from foptrn_model.glossary_trainers import TRAINERS_ENTRIES
from foptrn_model.glossary_transit import TRANSIT_ENTRIES

AMDAHL_ENTRIES = (
    Entry(
        anchor="six-n-rule",
        title="6N rule",
        text="Training costs about six FLOP per matrix weight and token: two forward, four "
        "backward. The rule leaves attention out, and authors differ in what N counts: all "
        "parameters, those without the input embedding, or the blocks alone. For a dense "
        "transformer the ledger reproduces six per matmul weight exactly.",
        explorer="amdahl",
        query="variant=transformer",
        source="Kaplan et al., arXiv 2001.08361",
    ),
    Entry(
        anchor="static-share",
        title="Static share and the training Amdahl bound",
        text="The static share is the part of a step's FLOP that an engine could take with masks "
        "written once per optimizer step: transforms, and products with a weight's spectrum. If "
        "that part took no time at all, the step would become 1 / (1 \u2212 share) times faster "
        "and no more. For Hyena-2 at 4,096 tokens the share is 0.14 %, for block-circulant "
        "weights 9.7 %.",
        explorer="amdahl",
        query="",
        source="G. M. Amdahl, AFIPS Spring Joint Computer Conference (1967)",
    ),
    Entry(
        anchor="weight-masked-and-data-by-data",
        title="Weight-masked and data-by-data products",
        text="In the Fourier plane a convolution is a product. Where one factor is a weight's "
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
        text="A forward pass alone has no weight gradients, so the engine's share of it is larger "
        "than its share of a training step: 0.20 % against 0.13 % for Hyena-2 at 2,048 tokens.",
        explorer="amdahl",
        query="seq_len=2048",
        source="The sister analysis of inference (2026)",
    ),
    Entry(
        anchor="amdahl-law",
        title="Amdahl's law by FLOP and by time",
        text="Amdahl's law speaks of time. Counting FLOP instead assumes that all of them run at "
        "one rate, yet transforms on a GPU run far below its matmul rate. With transforms at a "
        "fraction r of the dense rate a share s of the FLOP becomes (s/r) / (s/r + 1 \u2212 s) of "
        "the time.",
        explorer="amdahl",
        query="fft_rate=0.0625&seq_len=2048&variant=block-circulant",
        source="G. M. Amdahl, AFIPS Spring Joint Computer Conference (1967)",
    ),
    Entry(
        anchor="hyena",
        title="Hyena",
        text="A Hyena operator mixes tokens with long convolutions and gates in the place of "
        "attention. Of order N it projects its input to N + 1 streams, convolves each with a "
        "short filter, and alternates N gates with N convolutions as long as the sequence.",
        explorer="amdahl",
        query="hyena_order=3",
        source="Poli et al., arXiv 2302.10866",
    ),
    Entry(
        anchor="long-convolution",
        title="Long convolution by FFT",
        text="A filter as long as the sequence costs n log n by FFT instead of n\u00b2. To stay "
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
        text="A hybrid keeps attention in some layers and uses a cheaper operator in the others. "
        "Its attention grows with length, so its static share falls where Hyena's rises.",
        explorer="amdahl",
        query="seq_len=131072&variant=hybrid",
        source="Poli et al., arXiv 2302.10866",
    ),
    Entry(
        anchor="block-circulant-weights",
        title="Block-circulant weights",
        text="A circulant matrix is a convolution, so blocks of it can be multiplied by FFT and "
        "store one row each. Cutting a matrix into circulant blocks of side k divides its "
        "parameters by k. At the scale of a language model this is speculative.",
        explorer="amdahl",
        query="variant=block-circulant",
        source="Ding et al., arXiv 1708.08917",
    ),
    Entry(
        anchor="demo",
        title="DeMo",
        text="DeMo lets replicas drift and sends only the fastest components of the momentum, "
        "found by a cosine transform of small chunks. It saves bytes on the link, not compute: "
        "its transforms are about five millionths of a step.",
        explorer="compression",
        query="source=measured",
        source="Peng et al., arXiv 2411.19870",
    ),
)  # fmt: skip

ENTRIES = (
    *AMDAHL_ENTRIES, *MASKS_ENTRIES, *TRAINERS_ENTRIES, *TRANSIT_ENTRIES, *BACKWARD_ENTRIES,
    *PRECISION_ENTRIES, *COMPRESSION_ENTRIES, *OPTICAL_DFA_ENTRIES,
)  # fmt: skip
BY_ANCHOR = {entry.anchor: entry for entry in ENTRIES}

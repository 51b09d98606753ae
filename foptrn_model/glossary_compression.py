"""Glossary entries of the compression explorer."""

from __future__ import annotations

from foptrn_model.glossary_entry import CLUSTER, Entry

COMPRESSION_ENTRIES = (
    Entry(
        anchor="captured-energy",
        title="Fixed frequency band and captured energy",
        short="Captured energy",
        group=CLUSTER,
        related=("demo", "error-feedback", "wire-bytes"),
        words="A band fixed beforehand needs no comparison and no index, and because all "
        "workers send the same coefficients it can be summed on the way: that is what "
        "light could do. Captured energy is the share of the squared coefficients that is "
        "sent. A low band of one in {kept_one_in} holds {smooth_low} of smooth noise but "
        "{white_low} of white noise, where top-k finds {white_topk}. It trains worse "
        "because what it never sends piles up outside it: of our own delta, from which "
        "the band is taken at every step, it holds {delta_low}, top-k {delta_topk}.",
        explorer="compression",
        query="source=measured&tensor=delta",
        source="Peng et al., arXiv 2411.19870; Lynskey, DeMo_Fixed_Band_Experiment (2026)",
    ),
    Entry(
        anchor="error-feedback",
        title="Error feedback: subtract what was sent",
        short="Error feedback",
        group=CLUSTER,
        related=("captured-energy", "analogue-noise-in-training", "bit-planes"),
        words="What is sent is taken out of the momentum, so that what is left out is not lost but "
        "only late. An analogue sender sends something else than the exact band. If the exact band "
        "is subtracted all the same, the difference is never made up for: a bias that grows until "
        "the run diverges. If what was really sent is subtracted, the next steps correct it.",
        explorer="compression",
        query="chunk=1d-256&feedback=exact",
        source="Lynskey, DeMo_Fixed_Band_Experiment (2026); our own runs in this explorer",
    ),
)

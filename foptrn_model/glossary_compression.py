"""Glossary entries of the compression explorer."""

from __future__ import annotations

from foptrn_model.glossary_entry import Entry

COMPRESSION_ENTRIES = (
    Entry(
        anchor="captured-energy",
        title="Fixed frequency band and captured energy",
        text="A band fixed beforehand needs no comparison and no index, and because all workers "
        "send the same coefficients it can be summed on the way: that is what light could do. "
        "Captured energy is the share of the squared coefficients that is sent. A low band of one "
        "in 16 holds nearly all of smooth noise and 6 % of white noise, where top-k finds a third; "
        "of a delta from which the band is taken at every step it holds next to nothing.",
        explorer="compression",
        query="source=measured&tensor=delta",
        source="Peng et al., arXiv 2411.19870; Lynskey, DeMo_Fixed_Band_Experiment (2026)",
    ),
    Entry(
        anchor="error-feedback",
        title="Error feedback: subtract what was sent",
        text="What is sent is taken out of the momentum, so that what is left out is not lost but "
        "only late. An analogue sender sends something else than the exact band. If the exact band "
        "is subtracted all the same, the difference is never made up for: a bias that grows until "
        "the run diverges. If what was really sent is subtracted, the next steps correct it.",
        explorer="compression",
        query="chunk=1d-256&feedback=exact",
        source="Lynskey, DeMo_Fixed_Band_Experiment (2026); our own runs in this explorer",
    ),
)

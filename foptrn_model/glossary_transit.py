"""Glossary entries of the transit explorer."""

from __future__ import annotations

from foptrn_model.glossary_entry import Entry

TRANSIT_ENTRIES = (
    Entry(
        anchor="wire-bytes",
        title="All-gather against all-reduce wire bytes",
        text="What a method sends is not what the wire carries. A ring all-reduce of B bytes moves "
        "2(N \u2212 1)/N \u00b7 B through each of N workers, hardly more for a thousand than for "
        "eight; an all-gather of P bytes from each moves (N \u2212 1)P, which grows with N. With 8 "
        "workers payloads 8 and 16 times smaller become only 2 and 4 times fewer wire bytes, and "
        "past N = 2B/P the all-gather moves more.",
        explorer="transit",
        query="",
        source="P. Patarasuk and X. Yuan, J. Parallel Distrib. Comput. 69, 117 (2009)",
    ),
    Entry(
        anchor="time-to-loss",
        title="Time and energy to a target loss",
        text="Steps to a loss times the time of a step: a method that sends less has shorter "
        "steps, one that learns slower needs more of them, and only the product decides. Energy "
        "multiplies the same steps by what workers and links draw. To a loss of 3.158 the "
        "published AdamW takes 239.9 steps, a fixed band 3,000; a method that never gets there "
        "has no time at all.",
        explorer="transit",
        query="",
        source="B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)",
    ),
    Entry(
        anchor="break-even-bandwidth",
        title="Cross-data-centre training and break-even bandwidth",
        text="Between data centres links are slow, which is where sending less should pay. The "
        "break-even is the WAN rate at which two ways take equal time to the same loss, found by "
        "bisection, with the side on which each wins. It need not exist: a gathered band beats "
        "AdamW at no rate from 0.1 to 1,000 GB/s, summed at the switch it does below 1.57 GB/s.",
        explorer="transit",
        query="wan_GBps=1",
        source="The series Fourier Optics for Training (2026)",
    ),
    Entry(
        anchor="diloco",
        title="DiLoCo-style sync",
        text="Workers take H steps on their own before they sync, which divides communication by "
        "H. That the loss then needs the same number of steps is an extrapolation: small models "
        "pay up to 3.9 % in loss with eight replicas, large ones less. Once H is large, the bytes "
        "that a band saves matter little.",
        explorer="transit",
        query="sync_every=100",
        source="Douillard et al., arXiv 2311.08105; Charles et al., arXiv 2503.09799",
    ),
)

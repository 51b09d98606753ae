"""Glossary entries of the transit explorer."""

from __future__ import annotations

from foptrn_model.glossary_entry import CLUSTER, INFERENCE, Entry

TRANSIT_ENTRIES = (
    Entry(
        anchor="wire-bytes",
        title="All-gather against all-reduce wire bytes",
        short="Wire bytes",
        group=CLUSTER,
        related=("demo", "link-port-amdahl", "captured-energy"),
        words="What a method sends is not what the wire carries. A ring all-reduce of B bytes "
        "moves 2(N \u2212 1)/N \u00b7 B through each of N workers, hardly more for a "
        "thousand than for eight; an all-gather of P bytes from each moves (N \u2212 1)P, "
        "which grows with N. With {workers} workers payloads {topk_payload} and "
        "{band_payload} times smaller become only {topk_wire} and {band_wire} times fewer "
        "wire bytes, and past N = 2B/P the all-gather moves more.",
        explorer="transit",
        query="",
        source="P. Patarasuk and X. Yuan, J. Parallel Distrib. Comput. 69, 117 (2009)",
    ),
    Entry(
        anchor="time-to-loss",
        title="Time and energy to a target loss",
        short="Time to a target loss",
        group=CLUSTER,
        related=("break-even-bandwidth", "wire-bytes"),
        words="Steps to a loss times the time of a step: a method that sends less has shorter "
        "steps, one that learns slower needs more of them, and only the product decides. "
        "Energy multiplies the same steps by what workers and links draw. To a loss of "
        "{target_loss} the published AdamW takes {adamw_steps} steps, a fixed band "
        "{band_steps}; a method that never gets there has no time at all.",
        explorer="transit",
        query="",
        source="B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)",
    ),
    Entry(
        anchor="break-even-bandwidth",
        title="Cross-data-centre training and break-even bandwidth",
        short="Break-even bandwidth",
        group=CLUSTER,
        related=("time-to-loss", "link-port-amdahl"),
        words="Between data centres links are slow, which is where sending less should pay. The "
        "break-even is the WAN rate at which two ways take equal time to the same loss, "
        "found by bisection from {search_low} to {search_high} GB/s, with the side on "
        "which each wins. It need not exist, and \u201cnever\u201d is an answer: against "
        "AdamW a gathered band's is {gathered_break_even}, that of a band summed at the "
        "switch {switch_break_even} GB/s.",
        explorer="transit",
        query="wan_GBps=1",
        source="The series Fourier Optics for Training (2026)",
    ),
    Entry(
        anchor="diloco",
        title="DiLoCo-style sync",
        group=CLUSTER,
        related=("wire-bytes", "break-even-bandwidth"),
        words="Workers take H steps on their own before they sync, which divides communication by "
        "H. That the loss then needs the same number of steps is an extrapolation: small models "
        "pay up to 3.9 % in loss with eight replicas, large ones less. Once H is large, the bytes "
        "that a band saves matter little.",
        explorer="transit",
        query="sync_every=100",
        source="Douillard et al., arXiv 2311.08105; Charles et al., arXiv 2503.09799",
    ),
    Entry(
        anchor="link-port-amdahl",
        title="Amdahl\u2019s law for a link port",
        group=INFERENCE,
        related=("amdahl-law", "wire-bytes", "break-even-bandwidth"),
        words="An engine in a link's port can shorten only the time on the link: if that is a share "
        "w of the step, the step becomes at most 1 / (1 \u2212 w) times faster, however fast the "
        "engine. For AdamW here w is {link_share} and the bound {link_bound}; with "
        "{rare_every} local steps between syncs {rare_link_share} and {rare_link_bound}.",
        explorer="transit",
        query="sync_every=100",
        source="G. M. Amdahl, AFIPS Spring Joint Computer Conference (1967); computed by this "
        "explorer",
    ),
)

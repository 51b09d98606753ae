"""Published cases of the transit explorer."""

from __future__ import annotations

from foptrn_model.presets import SERIES, Preset, Shortcut, Shortcuts

FIXED_BAND = "B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)"

TRANSIT_PRESETS = (
    Preset(
        name="published",
        label="The published experiment",
        story="Two data centres of four over 100 GbE: the gathered band sends 8 times fewer bytes "
        "over the WAN and still needs 3.85 s where dense AdamW needs 1.63 s, for it takes 3,000 "
        "steps in place of 240.",
        source=SERIES,
        query="",
    ),
    Preset(
        name="slow-link",
        label="A slow link",
        story="At 1 GB/s between the centres a band summed at the switch, below its break-even of "
        "1.57 GB/s, beats dense AdamW; the same band gathered never does.",
        source=SERIES,
        query="wan_GBps=1",
    ),
    Preset(
        name="random-band",
        label="A random band",
        story="Frequencies drawn at random train much better than the lowest ones: 1,126 steps to "
        "the loss in place of 3,000, and even gathered this band beats AdamW below 19.8 GB/s.",
        source=f"{FIXED_BAND}; one seed",
        query="band=band-random-2d64",
    ),
    Preset(
        name="optics",
        label="Emulated optics",
        story="A band sent through 8 emulated bit planes at 8 effective bits, its own errors fed "
        "back: 1,800 steps to the loss, so gathered it beats AdamW below 1.25 GB/s only.",
        source=f"{FIXED_BAND}; one seed",
        query="band=optics-1d256-enob8-planes8-sent%2Bagc100",
    ),
    Preset(
        name="measured",
        label="The lab's own curves",
        story="The compression explorer's runs of a small model, to the loss where its 2-D low band "
        "ended. Losses are per byte there, so this target says nothing of the published one.",
        source="training runs of this project; see the compression explorer",
        query="curves=measured&target_loss=3.047",
    ),
    Preset(
        name="gather-against-reduce",
        label="Where an all-gather overtakes",
        story="Llama-3-8B with 32 of 4,096 coefficients at 12 bytes each: in a ring of 43 the "
        "all-gather moves more than the all-reduce of everything.",
        source="Peng et al., DeMo, arXiv 2411.19870; ring all-reduce by Patarasuk and Yuan (2009)",
        query="datacentres=1&keep=0.0078125&n_params=8030261248&topk_bytes_per_coefficient=12"
        "&workers_per_dc=43",
    ),
    Preset(
        name="every-100",
        label="A sync every 100 steps",
        story="Once syncs are rare their size matters little: 0.348 ms a step for dense AdamW and "
        "0.293 ms for the gathered band, which needs 12.5 times the steps.",
        source="Douillard et al., DiLoCo, arXiv 2311.08105",
        query="sync_every=100",
    ),
    Preset(
        name="ten-billion",
        label="10 B, a sync every 30 steps",
        story="Two replicas of 10 B parameters in bf16 at a second a step: overlapped DiLoCo needs "
        "5.22 Gb/s for half of the time in computing, 18 times less than a sync every step.",
        source="Douillard et al., arXiv 2501.18512; Charles et al., arXiv 2503.09799",
        query="compute_ms=1000&n_params=10000000000&sync_every=30&target_utilisation=0.5"
        "&workers_per_dc=1",
    ),
    Preset(
        name="intellect-1",
        label="INTELLECT-1, worldwide",
        story="10 B parameters in int8 every 100 steps, 38 minutes of computing and 469 s of sync: "
        "83 % utilisation. The link rate is what makes the sync last so long.",
        source="INTELLECT-1, arXiv 2412.01152",
        query="bytes_per_value=1&compute_ms=22800&latency_us=0&n_params=10000000000"
        "&sync_every=100&wan_GBps=0.042644&workers_per_dc=1",
    ),
)

TRANSIT_LINKS = Shortcuts(
    title="Links",
    items=tuple(
        Shortcut(
            name=name,
            label=label,
            story=f"{label} carries {gigabits / 8:g} GB/s before any overhead.",
            source="IEEE 802.3 line rates",
            values={"wan_GBps": gigabits / 8},
        )
        for name, label, gigabits in (
            ("1gbe", "1 GbE", 1), ("10gbe", "10 GbE", 10), ("100gbe", "100 GbE", 100),
            ("400gbe", "400 GbE", 400), ("800g", "800G", 800),
        )
    ),
)  # fmt: skip
"""Links that people have between data centres, by their line rate."""

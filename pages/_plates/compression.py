"""The compression explorer's figures."""

from __future__ import annotations

from foptrn_model.compression_live import LIVE
from pages._components.plates import Plate, sensitivity_plate
from pages._figures.compression_captured import keep_figure, map_figure, tensors_figure
from pages._figures.compression_order import divergence_figure, order_figure
from pages._figures.compression_training import (
    bytes_figure,
    clip_figure,
    live_figure,
    seeds_figure,
    share_figure,
    steps_figure,
)
from pages._figures.tornado import tornado_figure

PLATES = (
    Plate(
        name="keep",
        title="Energy captured by what is sent",
        short="Captured",
        lead="At equal bytes: top-k against bands that are fixed beforehand.",
        draw=keep_figure,
        table="keep",
        half=True,
    ),
    Plate(
        name="map",
        title="Where a chunk's energy lies",
        short="Map",
        lead="Mean over all chunks; outlined is what the selector chosen under View takes.",
        draw=map_figure,
        table="map",
        half=True,
    ),
    Plate(
        name="live",
        title="Train it live with these chunks and optics",
        short="Live",
        lead="A real small model, 8 workers, 120 steps from this seed; learning rates of the "
        "long runs.",
        draw=live_figure,
        table="live",
        part=LIVE,
    ),
    Plate(
        name="steps",
        title="Loss by steps, our long runs",
        short="Loss by steps",
        lead="Learning rates: the best of a sweep for AdamW, top-k and the low band of 64 \u00d7 64; "
        "the other bands and optics take that band's 0.003. Shaded, one sd over three seeds.",
        draw=steps_figure,
        table="curves",
        half=True,
    ),
    Plate(
        name="bytes",
        title="Loss by bytes sent",
        short="by bytes",
        lead="The same runs by what a worker has sent: bf16 values, indices of top-k included.",
        draw=bytes_figure,
        table="curves",
        half=True,
    ),
    Plate(
        name="divergence",
        title="What is fed back decides",
        short="Feedback",
        lead="Final loss of a band through emulated optics, eight planes; ours keep their full "
        "scale. Squares: published with a full scale set every 100 steps.",
        draw=divergence_figure,
        table="optics",
        half=True,
    ),
    Plate(
        name="share",
        title="A fixed band empties itself",
        short="Delta",
        lead="Share of the delta's energy where the method sends, over all workers; dotted, the "
        "share it keeps.",
        draw=share_figure,
        table="curves",
        half=True,
    ),
    Plate(
        name="order",
        title="Our order of the methods beside the published one",
        short="Order",
        lead="From the lowest of our final losses; ENOB stands for optics, re-set for a full scale set "
        "every 100 steps. Squares: published with such a scale alone, ours kept it. Arrows: "
        "published ends beyond the axis. Models and units differ: compare the order. Pairs the "
        "other way round, ties and methods of one seed are told under Assumptions.",
        draw=order_figure,
        table="order",
    ),
    Plate(
        name="tensors",
        title="Captured energy of our model's tensors",
        short="Tensors",
        lead="Filled: ours, the last step of the run with a low band of 64 \u00d7 64 whatever the "
        "chunk. Open: published, for one in sixteen.",
        draw=tensors_figure,
        table="tensors",
        half=True,
    ),
    Plate(
        name="clip",
        title="Values beyond the full scale",
        short="Clipping",
        lead="Optics at ENOB 8 with eight planes; the delta grows while the scale stays.",
        draw=clip_figure,
        table="optics",
        half=True,
    ),
    Plate(
        name="seeds",
        title="Spread over seeds",
        short="Seeds",
        lead="Final losses of the methods trained from three seeds.",
        draw=seeds_figure,
        table="order",
        half=True,
    ),
    sensitivity_plate(tornado_figure, title="What moves the optical band's error"),
)

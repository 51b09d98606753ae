"""The Amdahl explorer's figures."""

from __future__ import annotations

from pages._components.plates import Plate, sensitivity_plate
from pages._figures.amdahl_counting import conventions_figure
from pages._figures.amdahl_ledger import ledger_figure
from pages._figures.amdahl_length import length_figure
from pages._figures.amdahl_training import rate_figure, training_figure
from pages._figures.tornado import tornado_figure

PLATES = (
    Plate(
        name="ledger",
        title="Where the FLOP of one training step go",
        short="FLOP by class",
        lead="Blue is what an engine could take whose masks are written once per step.",
        draw=ledger_figure,
        table="ledger",
    ),
    Plate(
        name="length",
        title="Static share and bound against sequence length",
        short="Sequence length",
        lead="The teeth are padding: a causal convolution pads to a power of two.",
        draw=length_figure,
        table="length",
    ),
    Plate(
        name="training",
        title="What training takes from the share",
        short="Training",
        lead="Weight gradients multiply two spectra of the same sample: no static mask.",
        draw=training_figure,
        table="training",
        half=True,
    ),
    Plate(
        name="rate",
        title="The same share, weighted by time",
        short="Time",
        lead="Transforms run below the matmul rate, so their share of the time is larger.",
        draw=rate_figure,
        table="rate",
        half=True,
    ),
    sensitivity_plate(tornado_figure),
    Plate(
        name="conventions",
        title="One step, eight ways to count",
        short="Conventions",
        lead="The dense transformer of this shape; every difference from Megatron-LM named.",
        draw=conventions_figure,
        table="conventions",
    ),
)

"""The precision explorer's figures."""

from __future__ import annotations

from pages._components.plates import Plate, sensitivity_plate
from pages._figures.precision_conversion import conversion_figure
from pages._figures.precision_crest import crest_figure
from pages._figures.precision_histogram import histogram_figure
from pages._figures.precision_noise import noise_figure, passes_figure
from pages._figures.precision_planes import loop_figure, planes_figure
from pages._figures.tornado import tornado_figure

PLATES = (
    Plate(
        name="noise",
        title="Noise of a read-out against the error of number formats",
        short="Noise",
        lead="Every bit halves the noise. Where its line crosses a format's own error, the "
        "read-out is as good as the format.",
        draw=noise_figure,
        table="noise",
    ),
    Plate(
        name="crest",
        title="Spikes cost bits",
        short="Crest",
        lead="Lines: what the crest factor alone would ask at this state's error. INT8 and FP4 "
        "leave theirs: their error grows with the peak too. Measured gradients join once chosen.",
        draw=crest_figure,
        table="crest",
        half=True,
    ),
    Plate(
        name="passes",
        title="Passes to average",
        short="Passes",
        lead="One more bit costs four passes; the marks stand at this state's ENOB.",
        draw=passes_figure,
        table="passes",
        half=True,
    ),
    Plate(
        name="histogram",
        title="The sample and the grid of a format",
        short="Histogram",
        lead="Floating point is fine near zero and coarse far out, a converter is equally fine "
        "everywhere. Zoom enlarges the surroundings of one RMS.",
        draw=histogram_figure,
        table="histogram",
    ),
    Plate(
        name="planes",
        title="Error of a value sent plane by plane",
        short="Planes",
        lead="White input, 256-point DCT, full scale at four RMS. More planes stop helping "
        "where clipping or the read-out's noise decides.",
        draw=planes_figure,
        table="planes",
        half=True,
    ),
    Plate(
        name="loop",
        title="What a training loop makes of it",
        short="Loop",
        lead="Published runs, not recomputed: a band sent through emulated planes, what was "
        "sent fed back. Feeding back the exact band diverges (table).",
        draw=loop_figure,
        table="loop",
        half=True,
    ),
    Plate(
        name="conversion",
        title="Energy of conversion against digital energy",
        short="Energy",
        lead="A conversion costs twice as much with every bit. One pass, one plane.",
        draw=conversion_figure,
        table="conversion",
    ),
    sensitivity_plate(tornado_figure, title="What moves the break-even"),
)

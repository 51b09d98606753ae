"""The masks explorer's figures."""

from __future__ import annotations

from pages._components.plates import Plate, sensitivity_plate
from pages._figures.masks_crossing import crossing_figure
from pages._figures.masks_frames import frames_figure
from pages._figures.masks_map import devices_figure, map_figure
from pages._figures.masks_memory import memory_figure
from pages._figures.masks_timeline import timeline_figure
from pages._figures.tornado import tornado_figure

PLATES = (
    Plate(
        name="crossing",
        title="Writing masks against computing",
        short="Step time",
        lead="In layer-major order a mask costs the same however many sequences it serves.",
        draw=crossing_figure,
        table="sequences",
    ),
    Plate(
        name="map",
        title="Which side is longer, by frame rate and sequences",
        short="Map",
        lead="Each field is a factor of ten wide; devices stand at this state's sequences.",
        draw=map_figure,
        table="map",
        half=True,
    ),
    Plate(
        name="devices",
        title="Mask time of real devices",
        short="Devices",
        lead="The published times are those of the forward pass alone.",
        draw=devices_figure,
        table="devices",
        half=True,
    ),
    Plate(
        name="timeline",
        title="A small case in time: layer order against a pipeline",
        short="Timeline",
        lead="A pipeline works through its layers for every microbatch, so it needs every mask "
        "again for each of them. Run by a scheduler that does not know the formula.",
        draw=timeline_figure,
        table="timeline",
    ),
    Plate(
        name="memory",
        title="What layer-major order keeps in memory",
        short="Memory",
        lead="One write of a mask serves every sequence, so every sequence must stay alive. The bytes of a stage are on its own share of the GPUs.",
        draw=memory_figure,
        table="memory",
        half=True,
    ),
    Plate(
        name="frames",
        title="Frames by kind of layer and direction",
        short="Frames",
        lead="Long convolutions fill nearly all of them, circulant weights hardly any.",
        draw=frames_figure,
        table="frames",
        half=True,
    ),
    sensitivity_plate(tornado_figure),
)

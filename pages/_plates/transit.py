"""The transit explorer's figures."""

from __future__ import annotations

from pages._components.plates import Plate, sensitivity_plate
from pages._figures.tornado import tornado_figure
from pages._figures.transit_diloco import needed_figure, published_figure
from pages._figures.transit_loss import bytes_figure, seconds_figure, steps_figure
from pages._figures.transit_split import energy_figure, step_figure
from pages._figures.transit_sync import sync_time_figure, utilisation_figure
from pages._figures.transit_topology import topology_figure
from pages._figures.transit_wan import wan_figure
from pages._figures.transit_wire import wire_figure

PLATES = (
    Plate(
        name="wan",
        title="Time to the target against the WAN rate",
        short="WAN rate",
        lead="A diamond is where a way is as fast as AdamW; the blue line can be dragged.",
        draw=wan_figure,
        table="wan",
        drag="wan_GBps",
    ),
    Plate(
        name="step",
        title="Where the time of a step goes",
        short="Step time",
        lead="One after the other, nothing overlaps.",
        draw=step_figure,
        table="step",
        half=True,
    ),
    Plate(
        name="energy",
        title="Where the energy of a step goes",
        short="Energy",
        lead="Workers draw the same power while they wait.",
        draw=energy_figure,
        table="energy",
        half=True,
    ),
    Plate(
        name="loss-steps",
        title="Loss by steps",
        short="Loss by steps",
        lead="What sending less costs.",
        draw=steps_figure,
        table="curves",
        third=True,
    ),
    Plate(
        name="loss-seconds",
        title="Loss by seconds",
        short="by seconds",
        lead="What it saves, in time.",
        draw=seconds_figure,
        table="curves",
        third=True,
    ),
    Plate(
        name="loss-bytes",
        title="Loss by bytes",
        short="by bytes",
        lead="And on the link.",
        draw=bytes_figure,
        table="curves",
        third=True,
    ),
    Plate(
        name="topology",
        title="The cluster, with the bytes of one sync",
        short="Topology",
        lead="A link is as wide as the logarithm of its bytes.",
        draw=topology_figure,
        table="topology",
        half=True,
    ),
    Plate(
        name="wire",
        title="Bytes on the wire against the number of replicas",
        short="Replicas",
        lead="An all-gather grows with the ring, an all-reduce does not.",
        draw=wire_figure,
        table="replicas",
        half=True,
    ),
    Plate(
        name="sync-time",
        title="Time to the target when syncs are rare",
        short="Rare syncs",
        lead="That steps to a loss stay the same beyond H = 1 is an extrapolation.",
        draw=sync_time_figure,
        table="sync",
        half=True,
    ),
    Plate(
        name="utilisation",
        title="How much of the time is computing",
        short="Utilisation",
        lead="Compute over compute plus what is exposed; no loss curve enters.",
        draw=utilisation_figure,
        table="sync",
        half=True,
    ),
    Plate(
        name="needed",
        title="Bandwidth for a utilisation, with overlap",
        short="Bandwidth needed",
        lead="DiLoCo's closed form at zero latency, for this state's payload.",
        draw=needed_figure,
        table="utilisation",
        half=True,
    ),
    Plate(
        name="published",
        title="The same form against 75 published values",
        short="Published",
        lead="The published ones were read on a grid of steps of 21 %.",
        draw=published_figure,
        table="bandwidth",
        half=True,
    ),
    sensitivity_plate(tornado_figure),
)

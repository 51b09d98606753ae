"""The optical DFA explorer's figures."""

from __future__ import annotations

from dataclasses import replace

from foptrn_model.optical_dfa_simulation import PART
from pages._components.plates import Plate, sensitivity_plate
from pages._figures.optical_dfa_experiment import (
    alignment_figure,
    dilution_figure,
    learning_figure,
)
from pages._figures.optical_dfa_map import map_figure, needed_figure
from pages._figures.optical_dfa_parts import parts_figure
from pages._figures.optical_dfa_sweep import depth_figure, energy_figure, width_figure
from pages._figures.tornado import tornado_figure

PLATES = (
    Plate(
        name="width",
        title="Time per step against width",
        short="Width",
        lead="Small networks wait for launches, larger ones for arithmetic, and past the memory "
        "wall for PCIe; light waits for frames, then for the camera. The strips say which.",
        draw=width_figure,
        table="width",
    ),
    Plate(
        name="depth",
        title="Time per step against depth",
        short="Depth",
        lead="One exposure serves all layers at once; the GPU goes through them one by one.",
        draw=depth_figure,
        table="depth",
        half=True,
    ),
    Plate(
        name="map",
        title="Who is fastest, and by how much",
        short="Map",
        lead="Light against the faster method on the GPU; each field is a factor of 1.6 wide. "
        "Between both thick lines it beats one of them only. Beyond a wall a step does not fit.",
        draw=map_figure,
        table="map",
        half=True,
    ),
    Plate(
        name="parts",
        title="What this step's time goes to",
        short="Parts",
        lead="Forward pass, weight gradients and update are the same in all three. Below each bar "
        "its parts from left to right, those of 1 % and more.",
        draw=parts_figure,
        table="methods",
        half=True,
    ),
    Plate(
        name="energy",
        title="Energy per step",
        short="Energy",
        lead="The GPU is taken to draw its power while it waits for light, too.",
        draw=energy_figure,
        table="energy",
        half=True,
    ),
    Plate(
        name="needed",
        title="What frame rate would it take?",
        short="Frames",
        lead="To draw level with backpropagation. Where reading the camera alone takes longer than "
        "light may take, no frame rate is enough.",
        draw=needed_figure,
        table="needed",
        half=True,
    ),
    replace(sensitivity_plate(tornado_figure), half=True, short="Inputs"),
    Plate(
        name="learning",
        title="Does it learn? Accuracy by epoch",
        short="Digits",
        lead="Mean over seeds, their range shaded. All start from the same weights.",
        draw=learning_figure,
        table="learning",
        part=PART,
    ),
    Plate(
        name="alignment",
        title="The network turns towards its feedback",
        short="Angle",
        lead="Angle between what reaches each hidden layer and the true gradient there, "
        "mean over training digits.",
        draw=alignment_figure,
        table="alignment",
        half=True,
        part=PART,
    ),
    Plate(
        name="dilution",
        title="In one step, noise dilutes the direction, and no more",
        short="Noise",
        lead="Digital DFA's trained networks, their projections made noisy.",
        draw=dilution_figure,
        table="dilution",
        half=True,
        part=PART,
    ),
)

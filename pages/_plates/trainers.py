"""The trainers explorer's figures."""

from __future__ import annotations

from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_views import PLANE
from pages._components.plates import Plate
from pages._figures.trainers_curves import accuracy_figure, cosine_figure
from pages._figures.trainers_gap import gap_figure, sweep_figure
from pages._figures.trainers_maps import maps_figure
from pages._figures.trainers_mesh import errors_figure, phases_figure
from pages._figures.trainers_stack import (
    detectors_figure,
    flaws_figure,
    light_figure,
    masks_figure,
)


def is_stack(params: TrainersParams) -> bool:
    return params.geometry is not None


def is_mesh(params: TrainersParams) -> bool:
    return params.geometry is None


PLATES = (
    Plate(
        name="accuracy",
        title="Accuracy on the hardware, step by step",
        short="Accuracy",
        lead="Median over devices, with the middle half of them shaded.",
        draw=accuracy_figure,
        table="curves",
    ),
    Plate(
        name="gap",
        title="The reality gap",
        short="Gap",
        lead="What a network reaches on the model, and what is left of that on the hardware.",
        draw=gap_figure,
        table="accuracy",
        half=True,
    ),
    Plate(
        name="cosine",
        title="Does the gradient point the right way?",
        short="Gradients",
        lead="Against the hardware's true gradient, in all layers but the last.",
        draw=cosine_figure,
        table="curves",
        half=True,
    ),
    Plate(
        name="sweep",
        title="Where each of them breaks",
        short="Sweep",
        lead="Final accuracy over the imperfection chosen under View, on up to four devices.",
        draw=sweep_figure,
        table="sweep",
        part="sweep",
    ),
    Plate(
        name="masks",
        title="The masks as trained",
        short="Masks",
        lead="A pixel's colour is its phase; choose the trainer under View.",
        draw=masks_figure,
        table="masks",
        present=is_stack,
    ),
    Plate(
        name="light",
        title="From input to detectors",
        short="Light",
        lead="The same masks lit by one input: the model in the upper row, the first device in the "
        "lower. Each plane by its own brightest pixel; squares are detectors, the strong one is "
        "read.",
        draw=light_figure,
        table="light",
        present=is_stack,
    ),
    Plate(
        name="detectors",
        title="What the detectors read",
        short="Detectors",
        lead="Gain, offset and converter included, noise left out; choose the input under View.",
        draw=detectors_figure,
        table="detectors",
        half=True,
    ),
    Plate(
        name="flaws",
        title="What is wrong with this stack",
        short="Flaws",
        lead="Where the first device's masks lie and how long its gaps are; no trainer is told.",
        draw=flaws_figure,
        table="flaws",
        half=True,
        present=is_stack,
    ),
    Plate(
        name="maps",
        title="What each network makes of the plane",
        short="Decision maps",
        lead="All four on the first device, as the hardware sees it.",
        draw=maps_figure,
        table="maps",
        half=True,
        present=lambda params: params.task in PLANE,
    ),
    Plate(
        name="phases",
        title="The meshes as trained, with the light of one input",
        short="Mesh, phases",
        lead="A waveguide is as wide as its light is strong; choose trainer and input under View.",
        draw=phases_figure,
        table="mesh",
        half=True,
        present=is_mesh,
    ),
    Plate(
        name="errors",
        title="What is wrong with this device",
        short="Mesh, errors",
        lead="The same meshes by how far each interferometer's phases are off; no trainer is told.",
        draw=errors_figure,
        table="mesh",
        half=True,
        present=is_mesh,
    ),
)

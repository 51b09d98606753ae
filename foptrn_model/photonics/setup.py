"""What is trained, and how."""

from __future__ import annotations

from dataclasses import dataclass

from foptrn_model.photonics.gradients import TRAINERS, TrainerName
from foptrn_model.photonics.stack import Geometry
from foptrn_model.photonics.tasks import TaskName


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What every run of a training shares.

    With a ``stack`` its masks are trained, and ``ports`` and ``layers`` say
    nothing; else as many meshes as layers.
    """

    task: TaskName
    ports: int
    layers: int
    steps: int
    batch: int
    learning_rate: float
    seed: int
    trainers: tuple[TrainerName, ...] = TRAINERS
    stack: Geometry | None = None

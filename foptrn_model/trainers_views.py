"""What the trainers page shows beyond the result: a sweep, decision maps, the mesh itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from foptrn_model.parameters import ParamsError
from foptrn_model.photonics import passes
from foptrn_model.photonics.gradients import TRAINERS, TrainerName
from foptrn_model.photonics.hardware import (
    IMPERFECTIONS,
    Devices,
    IdealModel,
    Imperfections,
    Run,
)
from foptrn_model.photonics.mesh import Complex, Real, mesh_layout
from foptrn_model.photonics.tasks import (
    Sampler,
    TaskName,
    encode_points,
    make_task,
)
from foptrn_model.photonics.training import TrainedState, Training
from foptrn_model.trainers import Summary, TrainersParams, setup_of, summary_of

MachineName = Literal["hardware", "model"]

PLANE: dict[TaskName, tuple[float, float, float, float]] = {
    "rings": (-1.15, 1.15, -1.15, 1.15),
    "moons": (-0.9, 1.5, -0.6, 0.9),
}
"""The part of the plane that a map shows: x from, to, y from, to."""


@dataclass(frozen=True, kw_only=True)
class ImperfectionSweep:
    """Final accuracy against one imperfection: by trainer, one summary per value."""

    field: str
    values: tuple[float, ...]
    hardware_accuracy: dict[str, tuple[Summary, ...]]
    model_accuracy: dict[str, tuple[Summary, ...]]


def sweep(
    params: TrainersParams,
    field: str,
    values: Sequence[float],
    progress: Callable[[int, int], object] | None = None,
) -> ImperfectionSweep:
    """Train every seed's device at every value of one imperfection, in one job.

    Every value takes the same seeds, so that a device keeps its pattern of
    errors as they grow. The cost is that of ``len(values)`` times the seeds:
    ask :func:`foptrn_model.trainers_cost.estimate_seconds` first.

    Raises
    ------
    ValueError
        If ``field`` is no imperfection.
    ParamsError
        If a value is out of the field's bounds.
    """
    if field not in IMPERFECTIONS:
        raise ValueError(f"field must be one of {', '.join(IMPERFECTIONS)}, got {field}")
    spec = params.specs()[field]
    if refused := [spec.refuse(value) for value in values if not spec.low <= value <= spec.high]:
        raise ParamsError(refused)
    runs = [
        Run(number=number, imperfections=imperfections)
        for imperfections in _varied(params, field, values)
        for number in range(params.seeds)
    ]
    training = Training(setup_of(params), runs)
    for done in training.advance():
        if progress is not None:
            progress(done, params.steps)
    state = training.state()

    def by_trainer(accuracy: Real) -> dict[str, tuple[Summary, ...]]:
        split = accuracy.reshape(len(TRAINERS), len(values), params.seeds)
        return {
            name: tuple(summary_of(part) for part in parts)
            for name, parts in zip(TRAINERS, split, strict=True)
        }

    return ImperfectionSweep(
        field=field,
        values=tuple(float(value) for value in values),
        hardware_accuracy=by_trainer(state.hardware_accuracy),
        model_accuracy=by_trainer(state.model_accuracy),
    )


def _varied(params: TrainersParams, field: str, values: Sequence[float]) -> list[Imperfections]:
    base = asdict(params.imperfections)
    return [Imperfections(**base | {field: value}) for value in values]


@dataclass(frozen=True, kw_only=True)
class DecisionMap:
    """The score of class 1 over the plane, softmax of both scores, without noise.

    ``x`` (columns,) and ``y`` (rows,) are coordinates; ``hardware`` and
    ``model`` have shape (rows, columns), row 0 at the lowest y. ``points``
    (2, samples) and ``labels`` are test samples of the seed.
    """

    x: Real
    y: Real
    hardware: Real
    model: Real
    points: Real
    labels: NDArray[np.intp]


def decision_map(
    params: TrainersParams,
    state: TrainedState,
    trainer: TrainerName,
    number: int = 0,
    resolution: int = 61,
) -> DecisionMap:
    """What one seed's network makes of every point, on its device and on the model.

    Raises ValueError for digits, which are no points of a plane, and for a seed
    that the state does not have.
    """
    if params.task not in PLANE:
        raise ValueError(f"task must be one of {', '.join(PLANE)} for a map, got {params.task}")
    left, right, low, high = PLANE[params.task]
    x, y = np.linspace(left, right, resolution), np.linspace(low, high, resolution)
    grid = np.stack([part.ravel() for part in np.meshgrid(x, y)])
    inputs = encode_points(grid, params.mesh_ports)
    task = make_task(params.task, params.mesh_ports)

    def scores(name: MachineName) -> Real:
        machine, phases = _machine(params, state, trainer, number, name)
        mesh = passes.mesh_of(machine, mesh_layout(params.mesh_ports), phases)
        forward = passes.forward_form(mesh.matrix())
        _, _, found = passes.propagate(task, machine, forward, inputs[None, None])
        lead = found[0, 0, 1] - found[0, 0, 0]
        return (1 / (1 + np.exp(-lead))).reshape(resolution, resolution)

    test = Sampler(task, 1, params.seed, [number]).test
    return DecisionMap(
        x=x,
        y=y,
        hardware=scores("hardware"),
        model=scores("model"),
        # Ports 0 and 1 carry the coordinates, scaled by the square root of the total power.
        points=test.fields[0, :2] * np.sqrt(2),
        labels=test.labels[0],
    )


@dataclass(frozen=True, kw_only=True)
class MeshPicture:
    """One mesh to draw: where its MZIs sit, how they are set, how far they are off.

    Per MZI: ``column``, ``top`` (upper port), ``theta_rad`` and ``phi_rad`` as
    set, ``theta_error_rad`` and ``phi_error_rad``, ``splitter_error_rad``
    (mzis, 2). Per port: ``output_rad`` and ``output_error_rad``. ``power``
    (planes, ports) is the light before the first column and after each one.
    """

    column: NDArray[np.intp]
    top: NDArray[np.intp]
    theta_rad: Real
    phi_rad: Real
    theta_error_rad: Real
    phi_error_rad: Real
    splitter_error_rad: Real
    output_rad: Real
    output_error_rad: Real
    power: Real


@dataclass(frozen=True, kw_only=True)
class Place:
    """Which network is drawn: a trainer's, on a seed's device or the model."""

    trainer: TrainerName
    number: int = 0
    machine: MachineName = "hardware"


def mesh_pictures(
    params: TrainersParams, state: TrainedState, place: Place, sample: Real | None = None
) -> tuple[MeshPicture, ...]:
    """Every layer's mesh, and the light in it for one input, without noise.

    Parameters
    ----------
    sample : a point of the plane, shape (2,); the seed's first test sample
        where omitted, and for digits.
    """
    ports, layout = params.mesh_ports, mesh_layout(params.mesh_ports)
    machine, phases = _machine(params, state, place.trainer, place.number, place.machine)
    mesh = passes.mesh_of(machine, layout, phases)
    off = machine.actual(phases) - phases
    errors = machine.splitter_error
    if sample is None or params.task not in PLANE:
        task = make_task(params.task, ports)
        field = Sampler(task, 1, params.seed, [place.number]).test.fields[0, :, 0]
    else:
        field = encode_points(np.asarray(sample, dtype=float)[:, None], ports)[:, 0]
    light: Complex = np.asarray(field[:ports], dtype=np.complex128)
    if len(field) > ports:
        light = light + 1j * field[ports:]
    columns = [n for n, c in enumerate(layout.columns) for _ in range(c.last - c.first)]
    mzis, pictures = layout.mzis, []
    for layer in range(params.layers):
        here = replace(
            mesh,
            blocks=mesh.blocks[..., 0, layer, 0],
            inner=mesh.inner[..., 0, layer, 0],
            output=mesh.output[..., 0, layer, 0],
        )
        planes = [light[:, None], *here.planes(light[:, None])]
        set_, wrong = phases[:, 0, layer, 0], off[:, 0, layer, 0]
        pictures.append(
            MeshPicture(
                column=np.array(columns),
                top=np.array(layout.tops),
                theta_rad=set_[mzis : 2 * mzis],
                phi_rad=set_[:mzis],
                theta_error_rad=wrong[mzis : 2 * mzis],
                phi_error_rad=wrong[:mzis],
                splitter_error_rad=errors[..., layer, 0],
                output_rad=set_[2 * mzis :],
                output_error_rad=wrong[2 * mzis :],
                # The output phases change no power, so their plane says nothing new.
                power=np.abs(np.array(planes[:-1])[..., 0]) ** 2,
            )
        )
        read = machine.readout.read(np.abs(planes[-1])[None])[0]
        light = read[:, 0].astype(np.complex128)
    return tuple(pictures)


def _machine(
    params: TrainersParams,
    state: TrainedState,
    trainer: TrainerName,
    number: int,
    name: MachineName,
) -> tuple[passes.Machine, Real]:
    """One seed's device as training left it, or the model, and its phases (phases, 1, layers, 1)."""
    if not 0 <= number < len(state.phase_error):
        raise ValueError(f"number must be from 0 to {len(state.phase_error) - 1}, got {number}")
    layout = mesh_layout(params.mesh_ports)
    runs = [Run(number=number, imperfections=params.imperfections)]
    phases = state.phases[TRAINERS.index(trainer), number].T[:, None, :, None]
    if name == "model":
        return IdealModel(layout, params.layers, runs), phases
    devices = Devices(
        layout,
        runs,
        phase_error=state.phase_error[number].T[..., None],
        splitter_error=state.splitter_error[number].transpose(1, 2, 0)[..., None],
    )
    return devices, phases

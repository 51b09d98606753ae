"""What the trainers page shows beyond the result: a sweep, decision maps, the mesh itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

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
from foptrn_model.photonics.stack import illuminate
from foptrn_model.photonics.stack_passes import Detectors
from foptrn_model.photonics.tasks import (
    Sampler,
    Task,
    TaskName,
    encode_points,
    make_task,
    stack_task,
)
from foptrn_model.photonics.training import TrainedState, Training
from foptrn_model.trainers import Summary, setup_of, summary_of
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_places import MachineName, Place, check_number, stack_at

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
    task = task_of(params)
    inputs = encode_points(grid, task.ports)

    def scores(name: MachineName) -> Real:
        place = Place(trainer=trainer, number=number, machine=name)
        found = scores_at(params, state, place, inputs)
        return (1 / (1 + np.exp(found[0] - found[1]))).reshape(resolution, resolution)

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


def task_of(params: TrainersParams) -> Task:
    """The task as a state's machine has it."""
    if params.geometry is not None:
        return stack_task(params.task)
    return make_task(params.task, params.mesh_ports)


def scores_at(params: TrainersParams, state: TrainedState, place: Place, inputs: Real) -> Real:
    """Class scores of some inputs, (ports, samples) to (classes, samples), without noise."""
    if params.geometry is not None:
        stack, phases = stack_at(params, state, place)
        fields = illuminate(inputs, params.pixels).astype(np.complex64)
        task = task_of(params)
        _, arriving = stack.forward(stack.masks(phases), fields)
        return Detectors(task, params.pixels).read(arriving, stack.device).scores
    machine, phases = _machine(params, state, place.trainer, place.number, place.machine)
    mesh = passes.mesh_of(machine, mesh_layout(params.mesh_ports), phases)
    forward = passes.forward_form(mesh.matrix())
    _, _, found = passes.propagate(task_of(params), machine, forward, inputs[None, None])
    return np.asarray(found[0, 0])


def shown_input(params: TrainersParams, number: int = 0) -> Real:
    """The input that is drawn, (ports,): the chosen point, or the first test sample of a digit."""
    task = task_of(params)
    if params.task in PLANE:
        return encode_points(np.array([[params.input_x], [params.input_y]]), task.ports)[:, 0]
    test = Sampler(task, 1, params.seed, [number]).test
    first = int(np.argmax(test.labels[0] == params.digit))
    return np.asarray(test.fields[0, :, first])


@dataclass(frozen=True, kw_only=True)
class Readings:
    """What every class's detector reads of the shown input, as a share of the power sent in.

    ``hardware`` and ``model`` have shape (classes,): after gain, offset,
    saturation and converter, without noise.
    ``label`` is the class of a digit, None for a point of the plane.
    """

    hardware: Real
    model: Real
    label: int | None


def readings(params: TrainersParams, state: TrainedState, trainer: TrainerName) -> Readings:
    """Powers that one trainer's network puts on every class, on its device and on the model."""
    inputs = shown_input(params)[:, None]
    scale = task_of(params).scale

    def powers(machine: MachineName) -> Real:
        place = Place(trainer=trainer, machine=machine)
        return scores_at(params, state, place, inputs)[:, 0] / scale

    label = None if params.task in PLANE else params.digit
    return Readings(hardware=powers("hardware"), model=powers("model"), label=label)


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


def mesh_pictures(
    params: TrainersParams, state: TrainedState, place: Place
) -> tuple[MeshPicture, ...]:
    """Every layer's mesh, and the light in it for the input that is shown, without noise."""
    ports, layout = params.mesh_ports, mesh_layout(params.mesh_ports)
    machine, phases = _machine(params, state, place.trainer, place.number, place.machine)
    mesh = passes.mesh_of(machine, layout, phases)
    off = machine.actual(phases) - phases
    errors = machine.splitter_error
    field = shown_input(params, place.number)
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
    check_number(state, number)
    layout = mesh_layout(params.mesh_ports)
    runs = [Run(number=number, imperfections=params.imperfections)]
    phases = state.phases[TRAINERS.index(trainer), number].T[:, None, :, None]
    if name == "model":
        return IdealModel(layout, params.layers, runs), phases
    devices = Devices(
        layout,
        runs,
        phase_error=state.device["phase_error"][number].T[..., None],
        splitter_error=state.device["splitter_error"][number].transpose(1, 2, 0)[..., None],
    )
    return devices, phases

"""Steps per second beside PyTorch's autograd on the CPU: python -m tests.bench.torch_trainers.

The same meshes, starting phases, batches and optimizer, written for PyTorch
with seeds in a loop, as its users would, and with all seeds in one tensor. The
ideal model is trained, since autograd has no hardware to measure.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.photonics.hardware import PERFECT, Run
from foptrn_model.photonics.mesh import mesh_layout
from foptrn_model.photonics.mesh_training import MeshCohort
from foptrn_model.photonics.optimizer import FLOOR, FORGETTING, MEMORY
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.tasks import Sampler, make_task

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

PORTS, LAYERS, BATCH, SEEDS, RATE = 4, 3, 64, 8, 0.05
STEPS, COMPARED = 100, 20


def setup(trainers: tuple[Any, ...]) -> Setup:
    return Setup(
        task="moons", ports=PORTS, layers=LAYERS, steps=STEPS, batch=BATCH,
        learning_rate=RATE, seed=0, trainers=trainers,
    )  # fmt: skip


def runs() -> list[Run]:
    return [Run(number=number, imperfections=PERFECT) for number in range(SEEDS)]


def numpy_losses(trainers: tuple[Any, ...], steps: int) -> np.ndarray:
    """Loss of the first trainer at every step, (steps, seeds)."""
    cohort = MeshCohort(setup(trainers), runs())
    losses = []
    for _ in range(steps):
        losses.append(cohort._measure()[0][0])
        cohort.step()
    return np.array(losses)


def torch_forward(phases: Any, fields: Any) -> Any:
    """Scores (..., samples, classes); phases (..., layers, phases), fields (..., samples, ports)."""
    layout = mesh_layout(PORTS)
    mzis = layout.mzis
    phi, theta, output = phases[..., :mzis], phases[..., mzis : 2 * mzis], phases[..., 2 * mzis :]
    half = torch.exp(0.5j * theta) * 1j
    sin, cos, turn = torch.sin(theta / 2), torch.cos(theta / 2), torch.exp(1j * phi)
    upper = torch.stack([half * sin * turn, half * cos], dim=-1)
    lower = torch.stack([half * cos * turn, -half * sin], dim=-1)
    amplitude = fields
    for layer in range(LAYERS):
        z = amplitude.to(torch.complex128)
        for column in layout.columns:
            pairs = z[..., column.ports].unflatten(-1, (-1, 2))
            first = (upper[..., layer, None, column.mzis, :] * pairs).sum(-1)
            second = (lower[..., layer, None, column.mzis, :] * pairs).sum(-1)
            mixed = torch.stack([first, second], dim=-1).flatten(-2)
            z = torch.cat(
                [z[..., : column.ports.start], mixed, z[..., column.ports.stop :]], dim=-1
            )
        z = z * torch.exp(1j * output[..., layer, None, :])
        amplitude = z.abs()
    power = amplitude**2
    return 8 * torch.stack(
        [power[..., : PORTS // 2].sum(-1), power[..., PORTS // 2 :].sum(-1)], dim=-1
    )


def torch_losses(looped: bool, steps: int) -> np.ndarray:
    """Loss at every step, (steps, seeds)."""
    start = MeshCohort(setup(("in-silico",)), runs()).phases[:, 0].transpose(2, 1, 0)
    sampler = Sampler(make_task("moons", PORTS), BATCH, 0, list(range(SEEDS)))
    groups = [slice(n, n + 1) for n in range(SEEDS)] if looped else [slice(0, SEEDS)]
    phases = [
        torch.tensor(start[group][0] if looped else start[group], requires_grad=True)
        for group in groups
    ]
    optimizers = [
        torch.optim.Adam([part], lr=RATE, betas=(MEMORY, FORGETTING), eps=FLOOR) for part in phases
    ]
    losses = []
    for _ in range(steps):
        batch = sampler.batch()
        fields = torch.from_numpy(np.ascontiguousarray(batch.fields.swapaxes(1, 2)))
        labels = torch.from_numpy(batch.labels)
        here = []
        for group, part, optimizer in zip(groups, phases, optimizers, strict=True):
            optimizer.zero_grad()
            given, wanted = (fields[group], labels[group])
            if looped:
                given, wanted = given[0], wanted[0]
            scores = torch_forward(part, given)
            loss = torch.nn.functional.cross_entropy(
                scores.flatten(0, -2), wanted.flatten(), reduction="none"
            )
            loss = loss.reshape(-1, BATCH).mean(-1)
            loss.sum().backward()
            optimizer.step()
            here.append(loss.detach().numpy())
        losses.append(np.concatenate(here))
    return np.array(losses)


def steps_per_second(call: Callable[[int], Any]) -> float:
    call(5)
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        call(STEPS)
        best = max(best, STEPS / (time.perf_counter() - start))
    return best


def main() -> None:
    ours = steps_per_second(lambda steps: numpy_losses(("in-silico",), steps))
    every = steps_per_second(lambda steps: numpy_losses(TRAINERS, steps))
    print(f"{PORTS} ports, {LAYERS} layers, batch {BATCH}, {SEEDS} seeds; steps of all seeds")
    print(f"{'NumPy, one trainer':<34}{ours:>8.0f} steps/s")
    print(f"{'NumPy, four trainers together':<34}{every:>8.0f} steps/s")
    if torch is None:
        print("PyTorch is not installed: pip install '.[bench-torch]' to compare")
        return
    for threads in (1, torch.get_num_threads()):
        torch.set_num_threads(threads)
        for name, looped in (("seeds looped", True), ("seeds batched", False)):
            theirs = steps_per_second(lambda steps, looped=looped: torch_losses(looped, steps))
            off = np.abs(
                torch_losses(looped, COMPARED) - numpy_losses(("in-silico",), COMPARED)
            ).max()
            print(
                f"{f'PyTorch {torch.__version__}, {name}, {threads} threads':<46}{theirs:>6.0f} "
                f"steps/s: NumPy is {ours / theirs:.1f} times as fast; losses of {COMPARED} steps "
                f"agree to {off:.0e}"
            )


if __name__ == "__main__":
    main()

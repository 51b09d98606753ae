"""Tasks: labelled inputs as fields of unit power on the ports of a mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from foptrn_model.digits import load_digits
from foptrn_model.photonics.mesh import Real
from foptrn_model.photonics.streams import Purpose, Stream, generator

TaskName = Literal["rings", "moons", "digits"]

TEST_SAMPLES = 500
DIGIT_CLASSES = 10
DIGIT_PIXELS = 8
SPREAD = 0.08
RADII = (0.35, 0.85)
MOON = 0.6
PLANE_POWER = 2.0
"""Power of a point and its padding before both are scaled to one."""

Labels = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Samples:
    """Labelled inputs.

    ``fields`` has shape (runs, ports, samples), or twice the ports where fields
    are complex: real parts, then imaginary ones. ``labels`` is (runs, samples).
    """

    fields: Real
    labels: Labels


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is learned, and how powers at the ports become class scores.

    A score is ``scale`` times the power that ``groups`` (classes, ports) sums.
    Where inputs are ``images`` there are as many amplitudes as patches of a
    square, and what is summed are the detectors' powers.
    """

    name: TaskName
    ports: int
    scale: float
    groups: Real
    images: bool = False

    @property
    def classes(self) -> int:
        return len(self.groups)

    @property
    def plane(self) -> bool:
        """Whether inputs are points of a plane."""
        return self.name != "digits"


def make_task(name: TaskName, ports: int) -> Task:
    """A task on a mesh of so many ports.

    Points of a plane have two classes: the upper half of the ports and the
    lower one, which has the middle port where their number is odd. Digits have
    one port per class, the first ten.

    Raises
    ------
    ValueError
        If there are fewer than three ports, or fewer than ten for digits.
    """
    least = DIGIT_CLASSES if name == "digits" else 3
    if ports < least:
        raise ValueError(f"ports must be at least {least} for {name}, got {ports}")
    if name == "digits":
        return Task(name=name, ports=ports, scale=30.0, groups=np.eye(DIGIT_CLASSES, ports))
    halves = np.zeros((2, ports))
    halves[0, : ports // 2] = 1
    halves[1, ports // 2 :] = 1
    return Task(name=name, ports=ports, scale=8.0, groups=halves)


def stack_task(name: TaskName) -> Task:
    """A task of a stack of masks: lit patches in, one detector for each class.

    A digit lights its 64 pixels; a point lights four patches, with the four
    amplitudes that it has on the ports of a mesh.
    """
    digits = name == "digits"
    return Task(
        name=name,
        ports=DIGIT_PIXELS**2 if digits else 4,
        scale=100.0 if digits else 20.0,
        groups=np.eye(DIGIT_CLASSES if digits else 2),
        images=True,
    )


def encode_points(points: Real, ports: int) -> Real:
    """Points of a plane as fields, shape (..., 2, samples) to (..., ports, samples).

    Ports 0 and 1 carry the coordinates, the others share the amplitude that
    brings the power to two; everything is divided by the square root of two.
    A point farther out than that gets no padding and is scaled to unit power.
    """
    power = (points**2).sum(axis=-2, keepdims=True)
    fields = np.empty((*points.shape[:-2], ports, points.shape[-1]))
    fields[..., :2, :] = points
    fields[..., 2:, :] = np.sqrt(np.maximum(PLANE_POWER - power, 0) / (ports - 2))
    return fields / np.sqrt(np.maximum(power, PLANE_POWER))


def plane_points(name: TaskName, uniform: Real, normal: Real) -> tuple[Real, Labels]:
    """Points and classes from two uniform and two normal numbers each, (..., 2, samples)."""
    labels = (uniform[..., 1, :] >= 0.5).astype(np.intp)
    if name == "rings":
        angle, radius = 2 * np.pi * uniform[..., 0, :], np.array(RADII)[labels]
        x, y = radius * np.cos(angle), radius * np.sin(angle)
    else:
        cos, sin = np.cos(np.pi * uniform[..., 0, :]), np.sin(np.pi * uniform[..., 0, :])
        x = MOON * np.where(labels == 0, cos, 1 - cos)
        y = MOON * np.where(labels == 0, sin, 0.5 - sin)
    return np.stack([x, y], axis=-2) + SPREAD * normal, labels


@cache
def digit_fields(ports: int) -> tuple[Real, Labels]:
    """scikit-learn's digits as fields, shapes (2 ports, 1797) and (1797,).

    The ports carry the coefficients of lowest frequency of each image's
    discrete Fourier transform, in order of frequency; a coefficient whose
    conjugate came before says nothing new and stands behind all that do.
    Every image is scaled to unit power.
    """
    images, labels = load_digits()
    side = DIGIT_PIXELS
    spectrum = np.fft.fft2(images.reshape(-1, side, side)).reshape(-1, side * side)
    chosen = spectrum[:, _frequency_order()[:ports]]
    return _of_unit_power(np.concatenate([chosen.real, chosen.imag], axis=1)), labels


@cache
def digit_images() -> tuple[Real, Labels]:
    """scikit-learn's digits as amplitudes of unit power, shapes (64, 1797) and (1797,)."""
    images, labels = load_digits()
    return _of_unit_power(images), labels


def _of_unit_power(rows: Real) -> Real:
    return np.ascontiguousarray((rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))).T)


def labelled_digits(task: Task) -> tuple[Real, Labels]:
    """All digits as inputs of a task, samples last, and their labels."""
    return digit_images() if task.images else digit_fields(task.ports)


def _frequency_order() -> NDArray[np.intp]:
    """Coefficients by frequency, new ones before conjugates of earlier ones."""
    side = DIGIT_PIXELS
    across = np.rint(np.fft.fftfreq(side) * side).astype(int)
    fy, fx = (part.ravel() for part in np.meshgrid(across, across, indexing="ij"))
    conjugate = (fx < 0) & (fx > -side // 2) | ((fx == 0) | (fx == -side // 2)) & (fy < 0) & (
        fy > -side // 2
    )
    return np.lexsort((np.arange(side * side), fx**2 + fy**2, conjugate))


class Sampler:
    """Batches for several runs: endless for training, one set for testing.

    Points of a plane are drawn afresh. Digits are split once per seed: 500 for
    testing, batches from the others, with replacement.
    """

    def __init__(self, task: Task, batch: int, run_seed: int, numbers: Sequence[int]) -> None:
        self._task = task
        self._parts: tuple[list[Labels], list[Labels]] = ([], [])
        if not task.plane:
            count = len(labelled_digits(task)[1])
            orders = [generator(run_seed, n, "split").permutation(count) for n in numbers]
            self._parts = (
                [order[:TEST_SAMPLES] for order in orders],
                [order[TEST_SAMPLES:] for order in orders],
            )

        def streams(uniform: Purpose, normal: Purpose, samples: int) -> list[Stream]:
            shape, ones = (2, samples), np.ones(len(numbers))
            drawn = [Stream(run_seed, numbers, uniform, shape, None)]
            if task.plane:
                drawn.append(Stream(run_seed, numbers, normal, shape, ones))
            return drawn

        self._train = streams("train-uniform", "train-normal", batch)
        self.test = (
            self._points(streams("test-uniform", "test-normal", TEST_SAMPLES))
            if task.plane
            else self._digits(self._parts[0])
        )

    def batch(self) -> Samples:
        """The next training batch."""
        if self._task.plane:
            return self._points(self._train)
        uniform = self._train[0].take()[:, 0]
        return self._digits(
            [
                part[(row * len(part)).astype(np.intp)]
                for part, row in zip(self._parts[1], uniform, strict=True)
            ]
        )

    def _points(self, streams: list[Stream]) -> Samples:
        uniform, normal = (stream.take() for stream in streams)
        points, labels = plane_points(self._task.name, uniform, normal)
        return Samples(fields=encode_points(points, self._task.ports), labels=labels)

    def _digits(self, rows: list[Labels]) -> Samples:
        fields, labels = labelled_digits(self._task)
        index = np.stack(rows)
        return Samples(fields=fields[:, index].swapaxes(0, 1), labels=labels[index])

"""AdamW and DeMo on simulated workers: gradients of every worker in, one update out.

DeMo as published: each worker keeps a momentum, sends a few of its DCT
coefficients, and takes from its momentum what it sent, so that nothing is lost
but only late (error feedback). All step by the sign of the mean of what all
sent.

References
----------
B. Peng, J. Quesnelle, D. P. Kingma, DeMo: Decoupled momentum optimization,
arXiv 2411.19870 (2024); I. Loshchilov and F. Hutter, Decoupled weight decay
regularization (2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from foptrn_model.demo.chunks import ChunkGroup, ChunkLayout, restored, transformed
from foptrn_model.demo.methods import Method
from foptrn_model.demo.optics import optical_band
from foptrn_model.demo.selectors import (
    calibrated_order,
    captured_share,
    fixed_order,
    keep_count,
    topk_places,
)

Array = NDArray[Any]

BETA_1, BETA_2, EPSILON, WEIGHT_DECAY = 0.9, 0.95, 1e-8, 0.1
MOMENTUM_DECAY = 0.999
CALIBRATION_STEPS = 20
"""Steps in which optics measure the RMS that sets their full scale, and a calibrated band its
map of energy. The band is exact meanwhile; the calibrated selector sends as top-k does."""


class Optimizer(Protocol):
    """What turns the workers' gradients into a change of the parameters."""

    def step(self, flat: Array, gradients: Array, *, step: int, rate: float) -> None:
        """Change ``flat`` (size,) in place by ``gradients`` (workers, size); steps from 1."""

    def state(self) -> dict[str, Array]:
        """Everything that a later step depends on, to be kept."""

    def restore(self, state: dict[str, Array]) -> None:
        """Go on from a kept state."""


class AdamW:
    """AdamW on the mean gradient; matrices decay, vectors do not."""

    def __init__(self, shapes: Sequence[tuple[int, ...]], dtype: Any) -> None:
        sizes = [int(np.prod(shape)) for shape in shapes]
        decays = [float(len(shape) > 1) for shape in shapes]
        self._decay = np.repeat(decays, sizes).astype(dtype) * WEIGHT_DECAY
        self._mean, self._square = (np.zeros(sum(sizes), dtype=dtype) for _ in range(2))

    def step(self, flat: Array, gradients: Array, *, step: int, rate: float) -> None:
        gradient = gradients.mean(axis=0)
        self._mean += (1 - BETA_1) * (gradient - self._mean)
        self._square += (1 - BETA_2) * (gradient * gradient - self._square)
        root = np.sqrt(self._square / (1 - BETA_2**step)) + EPSILON
        flat -= rate * (self._mean / (1 - BETA_1**step) / root + self._decay * flat)

    def state(self) -> dict[str, Array]:
        return {"mean": self._mean, "square": self._square}

    def restore(self, state: dict[str, Array]) -> None:
        self._mean, self._square = state["mean"].copy(), state["square"].copy()


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a step of DeMo looked like: shares of the energy of the delta, over all workers.

    The delta is the momentum with this step's gradient, before anything is
    taken from it. ``clip_rate`` is None without optics.
    """

    low_share: float
    topk_share: float
    own_share: float
    clip_rate: float | None


class Demo:
    """DeMo with any selector, exact or through emulated optics."""

    def __init__(
        self,
        shapes: Sequence[tuple[int, ...]],
        method: Method,
        *,
        workers: int,
        keep: float,
        seed: int,
        dtype: Any,
    ) -> None:
        if method.selector is None:
            raise ValueError("DeMo needs a selector")
        self.method, self.seed = method, seed
        self.layout = ChunkLayout(shapes, method.chunk)
        self.delta = np.zeros((workers, self.layout.size), dtype=dtype)
        """Momenta of all workers, chunk by chunk."""
        self._keep = {group.shape: keep_count(group.points, keep) for group in self.layout.groups}
        self._energy = {group.shape: np.zeros(group.points) for group in self.layout.groups}
        self._square = np.zeros(len(self.layout.shapes))
        self._full_scale = np.zeros(len(self.layout.shapes))
        self._clipped = self._entered = 0
        self.observing = False
        self.seen: Seen | None = None
        """Of the last step, if it was observed."""

    def step(self, flat: Array, gradients: Array, *, step: int, rate: float) -> None:
        self.accumulate(gradients)
        self.apply(flat, step=step, rate=rate)

    def accumulate(self, gradients: Array) -> None:
        """Add the workers' gradients to their decayed momenta."""
        self.delta *= MOMENTUM_DECAY
        self.delta += self.layout.chunked(gradients)

    def apply(self, flat: Array, *, step: int, rate: float) -> None:
        """Sync the momenta as they are, and step by the sign of what arrived."""
        flat -= rate * np.sign(self.layout.flat(self.sync(step)))

    def sync(self, step: int) -> Array:
        """Send, take from every momentum what the feedback says, and average what all sent.

        Returns the mean over workers of what arrived, back in space, chunk by
        chunk, shape (size,).
        """
        self._clipped = self._entered = 0
        arrived = np.empty(self.layout.size, dtype=self.delta.dtype)
        shares = np.zeros(4)
        self._calibrate(step)
        for group in self.layout.groups:
            chunks = self.layout.chunks(self.delta, group)
            axes = len(group.shape)
            coefficients = transformed(chunks, axes).reshape(*chunks.shape[:2], -1)
            places = self._places(group, coefficients, step)
            if self.observing:
                shares += self._shares(group, coefficients, places)
            exact = _kept(coefficients, places)
            sent = exact
            if self.method.optics is not None and step > CALIBRATION_STEPS:
                sent = self._optical(group, chunks, places, step)
                feedback = self.method.optics.feedback
                taken = exact if feedback == "exact" else sent
            else:
                taken = exact
            back = restored(_spread(taken, places, coefficients).reshape(chunks.shape), axes)
            chunks -= back
            if taken is not sent:
                back = restored(_spread(sent, places, coefficients).reshape(chunks.shape), axes)
            arrived[group.start : group.stop] = back.mean(axis=0).ravel()
        if self.observing:
            low, topk, own, whole = shares.tolist()
            clipped = self._clipped / self._entered if self._entered else None
            self.seen = Seen(
                low_share=low / whole, topk_share=topk / whole, own_share=own / whole,
                clip_rate=clipped,
            )  # fmt: skip
        return arrived

    def _calibrate(self, step: int) -> None:
        """Measure the RMS of every tensor's delta, and set the full scale when it is time."""
        optics = self.method.optics
        if optics is None or step < 1:
            return
        every = optics.full_scale_every
        measuring = step <= CALIBRATION_STEPS
        due = not measuring and every > 0 and (step - CALIBRATION_STEPS) % every == 0
        if not measuring and not due:
            return
        for group in self.layout.groups:
            chunks = self.layout.chunks(self.delta, group)
            square = np.square(chunks, dtype=np.float64).mean(axis=(0, *range(2, chunks.ndim)))
            sums = np.bincount(group.tensor, square, minlength=len(self._square))
            counts = np.bincount(group.tensor, minlength=len(self._square))
            there = counts > 0
            self._square[there] = sums[there] / counts[there]
        # The delta grows all the while, so its latest RMS is the one that fits what follows.
        self._full_scale = optics.kappa * np.sqrt(self._square)

    def _places(self, group: ChunkGroup, coefficients: Array, step: int) -> NDArray[np.intp]:
        count = self._keep[group.shape]
        selector = self.method.selector
        if selector == "topk" or (selector == "calibrated" and step <= CALIBRATION_STEPS):
            if selector == "calibrated":
                square = np.square(coefficients, dtype=np.float64)
                self._energy[group.shape] += square.mean(axis=(0, 1))
            return topk_places(coefficients, count)
        if selector == "calibrated":
            return calibrated_order(self._energy[group.shape])[:count]
        assert selector is not None  # noqa: S101 - refused when made
        return fixed_order(selector, group.shape)[:count]

    def _optical(
        self, group: ChunkGroup, chunks: Array, places: NDArray[np.intp], step: int
    ) -> Array:
        optics = self.method.optics
        assert optics is not None  # noqa: S101 - asked before
        scale = self._full_scale[group.tensor].astype(chunks.dtype)
        # A tensor whose delta was zero throughout the window has no scale; nothing enters then.
        scale = np.maximum(scale, np.finfo(chunks.dtype).tiny)
        sent, clipped = optical_band(
            chunks,
            places,
            axes=len(group.shape),
            full_scale=scale.reshape(1, -1, *[1] * len(group.shape)),
            optics=optics,
            rng=np.random.default_rng([3, self.seed, step, group.points]),
        )
        self._clipped += clipped
        self._entered += chunks.size
        return sent

    def _shares(
        self, group: ChunkGroup, coefficients: Array, places: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Energy in the low band, in the largest, in what is sent, and in all of a group."""
        count = self._keep[group.shape]
        whole = float(np.square(coefficients, dtype=np.float64).sum())
        low = fixed_order("low", group.shape)[:count]
        largest = topk_places(coefficients, count)
        shares = [captured_share(coefficients, found) for found in (low, largest, places)]
        return np.array([*(share * whole for share in shares), whole])

    def state(self) -> dict[str, Array]:
        return {
            "delta": self.delta, "square": self._square, "full_scale": self._full_scale,
            **{f"energy-{'x'.join(map(str, shape))}": found
               for shape, found in self._energy.items()},
        }  # fmt: skip

    def restore(self, state: dict[str, Array]) -> None:
        self.delta = state["delta"].copy()
        self._square, self._full_scale = state["square"].copy(), state["full_scale"].copy()
        for shape in self._energy:
            self._energy[shape] = state[f"energy-{'x'.join(map(str, shape))}"].copy()


def _kept(coefficients: Array, places: NDArray[np.intp]) -> Array:
    """The coefficients at ``places``: (count,) for all chunks, or chunk by chunk."""
    if places.ndim == 1:
        return coefficients[..., places]
    return np.take_along_axis(coefficients, places, axis=-1)


def _spread(kept: Array, places: NDArray[np.intp], like: Array) -> Array:
    """Whole chunks with ``kept`` at their places, and zeros elsewhere."""
    whole = np.zeros_like(like)
    if places.ndim == 1:
        whole[..., places] = kept
    else:
        np.put_along_axis(whole, places, kept, axis=-1)
    return whole


def optimizer_of(
    method: Method,
    shapes: Sequence[tuple[int, ...]],
    *,
    workers: int,
    keep: float,
    seed: int,
    dtype: Any,
) -> Optimizer:
    """A fresh optimizer for a method."""
    if method.selector is None:
        return AdamW(shapes, dtype)
    return Demo(shapes, method, workers=workers, keep=keep, seed=seed, dtype=dtype)

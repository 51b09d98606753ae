"""One training run of the small model: a method, a learning rate, a seed.

Everything drawn at a step follows from the seed and the step's number, so a run
that is saved, killed and taken up again goes on as if nothing had happened.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from foptrn_model.demo.corpus import batch, validation
from foptrn_model.demo.methods import Method
from foptrn_model.demo.optimizers import MOMENTUM_DECAY, Demo, optimizer_of
from foptrn_model.demo.transformer import Gpt, loss_and_gradients, mean_loss

FIRST_STEPS = 24
"""Training losses of so many steps are kept, to be computed again elsewhere."""
FLOOR_RATE = 0.1
"""The learning rate ends at this share of its peak."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What all runs of an experiment share."""

    layers: int = 2
    width: int = 64
    context: int = 64
    workers: int = 8
    batch: int = 4
    steps: int = 600
    warmup: int = 20
    evaluate_every: int = 20
    validation_sequences: int = 128
    keep: float = 1 / 16

    @property
    def model(self) -> Gpt:
        return Gpt(layers=self.layers, width=self.width, context=self.context)

    def rate(self, step: int, peak: float) -> float:
        """The learning rate of a step from 1: a linear start, then half a cosine down."""
        fall = 0.5 * (1 + math.cos(math.pi * step / self.steps))
        return peak * min(1.0, step / self.warmup) * (FLOOR_RATE + (1 - FLOOR_RATE) * fall)


@dataclass(kw_only=True)
class History:
    """What a run has shown. Lists but ``first_losses`` go by ``steps``, the evaluations.

    ``first_losses`` are the workers' mean training losses [nat per byte] of the
    first steps; shares are of the delta's energy and None for AdamW.
    """

    first_losses: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    val_loss: list[float] = field(default_factory=list)
    low_share: list[float | None] = field(default_factory=list)
    topk_share: list[float | None] = field(default_factory=list)
    own_share: list[float | None] = field(default_factory=list)
    clip_rate: list[float | None] = field(default_factory=list)
    seconds: float = 0.0
    diverged: bool = False
    """Whether the loss stopped being a finite number, which ends a run."""


@dataclass(frozen=True, kw_only=True)
class Tensors:
    """Of the first worker at one step, each of shape (parameters,): what could be compressed.

    ``delta`` is what DeMo compresses; ``momentum`` is the same sum of gradients
    with nothing ever taken from it.
    """

    momentum: NDArray[Any]
    delta: NDArray[Any]
    gradient: NDArray[Any]


class TrainingRun:
    """A run that may stop anywhere and be taken up again."""

    def __init__(
        self,
        settings: Settings,
        method: Method,
        *,
        rate: float,
        seed: int,
        dtype: Any = np.float32,
    ) -> None:
        self.settings, self.method, self.peak_rate, self.seed = settings, method, rate, seed
        self.model = settings.model
        self.flat = self.model.start(seed, dtype)
        self.optimizer = optimizer_of(
            method, self.model.shapes, workers=settings.workers, keep=settings.keep, seed=seed,
            dtype=dtype,
        )  # fmt: skip
        self.done = 0
        self.history = History()
        self.tensors: Tensors | None = None
        self._momentum = np.zeros(self.model.size, dtype=dtype)

    @property
    def over(self) -> bool:
        return self.done >= self.settings.steps or self.history.diverged

    def advance(self, steps: int | None = None) -> Iterator[int]:
        """Train, by so many steps or to the end, yielding the number of steps done after each."""
        last = self.settings.steps if steps is None else self.done + steps
        # Several threads are no faster on matrices this small.
        with threadpool_limits(limits=1, user_api="blas"):
            while not self.over and self.done < last:
                started = time.perf_counter()
                self._step()
                self.history.seconds += time.perf_counter() - started
                yield self.done

    def _step(self) -> None:
        settings, step = self.settings, self.done + 1
        evaluating = step == 1 or step % settings.evaluate_every == 0 or step == settings.steps
        sequences = batch(
            self.seed, step, workers=settings.workers, size=settings.batch,
            length=settings.context + 1,
        )  # fmt: skip
        losses, gradients = loss_and_gradients(self.model, self.flat, sequences)
        loss = float(losses.mean())
        if not math.isfinite(loss):
            self.history.diverged = True
            return
        if step <= FIRST_STEPS:
            self.history.first_losses.append(loss)
        self._momentum *= MOMENTUM_DECAY
        self._momentum += gradients[0]
        rate = settings.rate(step, self.peak_rate)
        if isinstance(self.optimizer, Demo):
            self._demo_step(self.optimizer, gradients, step=step, rate=rate, evaluating=evaluating)
        else:
            self.optimizer.step(self.flat, gradients, step=step, rate=rate)
        self.done = step
        if evaluating:
            self._evaluate()

    def _demo_step(
        self,
        demo: Demo,
        gradients: NDArray[Any],
        *,
        step: int,
        rate: float,
        evaluating: bool,
    ) -> None:
        demo.observing = evaluating
        demo.accumulate(gradients)
        if step == self.settings.steps:
            self.tensors = Tensors(
                momentum=self._momentum.copy(),
                delta=demo.layout.flat(demo.delta[0]),
                gradient=gradients[0].copy(),
            )
        demo.apply(self.flat, step=step, rate=rate)

    def _evaluate(self) -> None:
        settings, history = self.settings, self.history
        held_out = validation(settings.validation_sequences, settings.context + 1)
        loss = mean_loss(self.model, self.flat, held_out)
        if not math.isfinite(loss):
            history.diverged = True
            return
        history.steps.append(self.done)
        history.val_loss.append(loss)
        seen = self.optimizer.seen if isinstance(self.optimizer, Demo) else None
        history.low_share.append(seen.low_share if seen else None)
        history.topk_share.append(seen.topk_share if seen else None)
        history.own_share.append(seen.own_share if seen else None)
        history.clip_rate.append(seen.clip_rate if seen else None)

    def record(self) -> dict[str, Any]:
        """What is kept of a run, as JSON, numbers to seven digits."""
        history = asdict(self.history)
        seconds, diverged = history.pop("seconds"), history.pop("diverged")
        return {
            "method": self.method.id, "seed": self.seed, "rate": self.peak_rate,
            "seconds": round(seconds, 1), "diverged": diverged,
            **{name: [_short(value) for value in values] for name, values in history.items()},
        }  # fmt: skip

    # Keeping ------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write everything that the rest of the run depends on, or nothing at all."""
        kept = {
            "flat": self.flat, "momentum": self._momentum, "done": np.array(self.done),
            "history": np.array(json.dumps(asdict(self.history))),
        }  # fmt: skip
        kept |= {f"optimizer.{name}": found for name, found in self.optimizer.state().items()}
        unfinished = path.with_suffix(".tmp.npz")
        with unfinished.open("wb") as file:
            np.savez(file, **kept)  # type: ignore[arg-type]
        os.replace(unfinished, path)

    def restore(self, path: Path) -> None:
        """Go on from where :meth:`save` was called."""
        with np.load(path) as kept:
            self.flat, self._momentum = kept["flat"].copy(), kept["momentum"].copy()
            self.done = int(kept["done"])
            self.history = History(**json.loads(str(kept["history"])))
            front = "optimizer."
            self.optimizer.restore(
                {name.removeprefix(front): kept[name] for name in kept if name.startswith(front)}
            )


def _short(value: float | int | None) -> float | int | None:
    return float(f"{value:.7g}") if isinstance(value, float) else value

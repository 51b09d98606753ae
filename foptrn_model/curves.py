"""Loss curves of several methods, and the step at which each reaches a loss."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

BASELINE = "adamw"
USUAL_BAND = "band-low-2d64"
_TOPK_PREFIXES = ("topk", "top-k", "top_k")


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One method's validation loss by step.

    ``steps`` rise; ``loss`` is the mean over ``seeds`` runs and ``sd`` their
    standard deviation, None where there is one run. All have shape (n,).
    """

    method: str
    steps: tuple[int, ...]
    loss: tuple[float, ...]
    sd: tuple[float, ...] | None
    seeds: int


@dataclass(frozen=True, kw_only=True)
class LossCurves:
    """Curves by method, in their file's order; never changed once made."""

    curves: tuple[Curve, ...]
    origin: str

    def __getitem__(self, method: str) -> Curve:
        return self._by_method[method]

    def __contains__(self, method: object) -> bool:
        return method in self._by_method

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(self._by_method)

    @cached_property
    def topk(self) -> str | None:
        """The method that sends the largest coefficients, if there is one: the first so named."""
        return next((method for method in self.methods if _is_topk(method)), None)

    @cached_property
    def bands(self) -> tuple[str, ...]:
        """Methods whose payloads are aligned and so can be summed: neither AdamW nor top-k."""
        return tuple(name for name in self.methods if name != BASELINE and not _is_topk(name))

    @property
    def default_band(self) -> str:
        return USUAL_BAND if USUAL_BAND in self.bands else self.bands[0]

    @cached_property
    def _by_method(self) -> dict[str, Curve]:
        return {curve.method: curve for curve in self.curves}


def _is_topk(method: str) -> bool:
    return method.casefold().startswith(_TOPK_PREFIXES)


@dataclass(frozen=True, kw_only=True)
class Crossing:
    """Where a curve first meets a target.

    ``at_first_evaluation`` flags a target already met when first measured:
    the true step is then at most ``step``.
    """

    step: float
    at_first_evaluation: bool


def first_crossing(curve: Curve, target_loss: float) -> Crossing | None:
    """The first step at which the mean loss is at or below the target.

    Linear between the evaluation before and the first one that meets the
    target; None where no evaluation does. What the loss does later is ignored.
    """
    step_before, loss_before = 0, 0.0
    for index, (step, loss) in enumerate(zip(curve.steps, curve.loss, strict=True)):
        if loss <= target_loss:
            if index == 0:
                return Crossing(step=float(step), at_first_evaluation=True)
            part = (loss_before - target_loss) / (loss_before - loss)
            return Crossing(
                step=step_before + part * (step - step_before), at_first_evaluation=False
            )
        step_before, loss_before = step, loss
    return None


@cache
def published_curves() -> LossCurves:
    """The 22 configurations of DeMo_Fixed_Band_Experiment (2026)."""
    text = (files("foptrn_model") / "data" / "published_loss_curves.csv").read_text("utf-8")
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        rows[row["method"]].append(row)
    return LossCurves(
        curves=tuple(_published_curve(method, found) for method, found in rows.items()),
        origin="B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026): a GPT of 15.8 M parameters, "
        "8 simulated workers",
    )


def _published_curve(method: str, rows: list[dict[str, str]]) -> Curve:
    seeds = int(rows[0]["seeds"])
    return Curve(
        method=method,
        steps=tuple(int(row["step"]) for row in rows),
        loss=tuple(float(row["mean_val_loss"]) for row in rows),
        sd=tuple(float(row["sd_val_loss"]) for row in rows) if seeds > 1 else None,
        seeds=seeds,
    )

"""What share of a training step an engine could take, and what that is worth.

The engine's masks are written once per optimizer step, so it can take the
transforms and the products with a weight spectrum; products of two spectra
that both depend on the sample stay digital. Amdahl's law turns the share into
a bound: the step cannot become more than 1 / (1 - share) times faster even if
the engine takes no time and no energy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from foptrn_model.architecture import ArchitectureParams
from foptrn_model.conventions import Conventions, count_conventions
from foptrn_model.ledger import (
    CLASSES,
    DEMO_FLOP_PER_PARAMETER,
    VARIANTS,
    Variant,
    Work,
    amdahl_bound,
    static_share,
    stored_parameters,
    time_weighted_share,
    training_work,
)
from foptrn_model.parameters import param

SWEEP_POINTS_PER_OCTAVE = 6
RATE_POINTS = 49


class AmdahlParams(ArchitectureParams):
    """Assumptions of the Amdahl explorer."""

    recompute: Literal["none", "full"] = param(
        "none",
        label="Recomputation",
        glossary="activation-recomputation",
        help="Full adds one more forward pass, counted in backward, to save memory.",
        group="Counting",
        choice_labels={"none": "None", "full": "Full"},
    )
    fft_rate: float = param(
        1.0,
        label="FFT rate",
        help="Rate of transforms and masked products as a fraction of the dense rate; "
        "below 1 they take a larger share of the time than of the FLOP.",
        low=0.001,
        high=1,
        scale="log10",
        glossary="amdahl-law",
        group="Counting",
        primary=True,
    )
    fft_constant: float = param(
        2.5,
        label="FFT constant",
        glossary="long-convolution",
        help="A real transform of length n is counted as this times n log2 n.",
        low=1,
        high=10,
        step=0.1,
        group="Counting",
    )
    tokens_per_step: int = param(
        2_097_152,
        label="Tokens per step",
        help="Tokens of one optimizer step; work once per step is spread over them.",
        low=1024,
        high=1_000_000_000,
        unit="tokens",
        scale="log10",
        glossary="demo",
        group="Counting",
    )


@dataclass(frozen=True, kw_only=True)
class ClassFlop:
    """FLOP per token by class."""

    dense: float
    attention: float
    transform: float
    weight_masked: float
    data_by_data: float
    other: float
    total: float

    @property
    def static(self) -> float:
        """What an engine could take whose masks are written once per step."""
        return self.transform + self.weight_masked


@dataclass(frozen=True, kw_only=True)
class StepFlop:
    """FLOP per token of each direction, and of both."""

    forward: ClassFlop
    backward: ClassFlop
    step: ClassFlop


@dataclass(frozen=True, kw_only=True)
class AmdahlResult:
    """Shares are fractions of FLOP unless named time-weighted; bounds are speed-ups."""

    flop_per_token: StepFlop
    static_share: float
    amdahl_bound: float
    time_weighted_share: float
    time_weighted_bound: float
    forward_share: float
    forward_bound: float
    forward_time_weighted_share: float
    matmul_params: int
    total_params: int
    six_n_flop: int
    forward_flop_per_sequence: float
    step_flop_per_sequence: float
    demo_share: float
    conventions: Conventions


def compute_amdahl(params: AmdahlParams) -> AmdahlResult:
    """Evaluate the ledger of one state."""
    work = _work(params, params.variant, params.seq_len)
    share, forward_share = static_share(work.step)[0], static_share(work.forward)[0]
    weighted = time_weighted_share(share, params.fft_rate)
    stored = stored_parameters(
        params.model_shape,
        params.variant,
        hyena_order=params.hyena_order,
        hybrid_period=params.hybrid_period,
        block_size=params.block_size,
    )
    flop = _step_flop(work)
    demo = DEMO_FLOP_PER_PARAMETER * stored.total / params.tokens_per_step
    return AmdahlResult(
        flop_per_token=flop,
        static_share=float(share),
        amdahl_bound=float(amdahl_bound(share)),
        time_weighted_share=float(weighted),
        time_weighted_bound=float(amdahl_bound(weighted)),
        forward_share=float(forward_share),
        forward_bound=float(amdahl_bound(forward_share)),
        forward_time_weighted_share=float(time_weighted_share(forward_share, params.fft_rate)),
        matmul_params=stored.matmul,
        total_params=stored.total,
        six_n_flop=6 * stored.matmul,
        forward_flop_per_sequence=flop.forward.total * params.seq_len,
        step_flop_per_sequence=flop.step.total * params.seq_len,
        demo_share=demo / flop.step.total,
        conventions=count_conventions(params.model_shape, params.seq_len),
    )


def variant_flop(params: AmdahlParams) -> dict[str, StepFlop]:
    """The ledger of every variant at this state's shape and length."""
    return {name: _step_flop(_work(params, name, params.seq_len)) for name in VARIANTS}


@dataclass(frozen=True, kw_only=True)
class LengthSweep:
    """Static share and bound of every variant over sequence length.

    ``seq_len`` has shape (n,); the dicts map a variant to an array (n,).
    """

    seq_len: NDArray[np.int64]
    static_share: dict[str, NDArray[np.float64]]
    amdahl_bound: dict[str, NDArray[np.float64]]


def length_sweep(params: AmdahlParams) -> LengthSweep:
    """Vary sequence length over its whole range; everything else stays."""
    spec = params.specs()["seq_len"]
    first, last = np.log2(spec.low), np.log2(spec.high)
    count = round((last - first) * SWEEP_POINTS_PER_OCTAVE) + 1
    spaced = np.round(2 ** np.linspace(first, last, count))
    # The padded length doubles just past a power of two; show the step where it is.
    steps = 2 ** np.arange(int(first), int(last)) + 1
    lengths = np.unique(np.concatenate([spaced, steps, [params.seq_len]])).astype(np.int64)
    shares: dict[str, NDArray[np.float64]] = {
        name: static_share(_work(params, name, lengths).step) for name in VARIANTS
    }
    return LengthSweep(
        seq_len=lengths,
        static_share=shares,
        amdahl_bound={name: amdahl_bound(share) for name, share in shares.items()},
    )


@dataclass(frozen=True, kw_only=True)
class RateSweep:
    """Share of the time over the rate of transforms, arrays of shape (n,) per variant."""

    fft_rate: NDArray[np.float64]
    step: dict[str, NDArray[np.float64]]
    forward: dict[str, NDArray[np.float64]]


def rate_sweep(params: AmdahlParams) -> RateSweep:
    """Vary the FFT rate over its whole range; everything else stays."""
    spec = params.specs()["fft_rate"]
    rates = np.geomspace(spec.low, spec.high, RATE_POINTS)
    step: dict[str, NDArray[np.float64]] = {}
    forward: dict[str, NDArray[np.float64]] = {}
    for name in VARIANTS:
        work = _work(params, name, params.seq_len)
        step[name] = time_weighted_share(static_share(work.step), rates)
        forward[name] = time_weighted_share(static_share(work.forward), rates)
    return RateSweep(fft_rate=rates, step=step, forward=forward)


def _work(params: AmdahlParams, variant: Variant, seq_len: int | NDArray[np.int64]) -> Work:
    work = training_work(
        params.model_shape,
        variant,
        seq_len,
        hyena_order=params.hyena_order,
        hybrid_period=params.hybrid_period,
        block_size=params.block_size,
        fft_constant=params.fft_constant,
    )
    return work.recomputed() if params.recompute == "full" else work


def _step_flop(work: Work) -> StepFlop:
    return StepFlop(
        forward=_class_flop(work.forward[:, 0]),
        backward=_class_flop(work.backward[:, 0]),
        step=_class_flop(work.step[:, 0]),
    )


def _class_flop(flop: NDArray[np.float64]) -> ClassFlop:
    return ClassFlop(
        **{name: float(value) for name, value in zip(CLASSES, flop, strict=True)},
        total=float(flop.sum()),
    )

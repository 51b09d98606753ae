"""The smallest physics-aware example: one number through a chain of curved devices."""

from __future__ import annotations

from dataclasses import dataclass

DEVICE_GAIN, MODEL_GAIN, POWER = 2.0, 2.01, 1.1


@dataclass(frozen=True, kw_only=True)
class ChainGap:
    """How far the model of a chain is off, as fractions.

    ``output`` is the error of the modelled output. ``gradient`` is that of the
    model's gradient taken at what the device showed at every link, as
    physics-aware training does.
    """

    output: float
    gradient: float


def chain_gap(links: int, start: float = 1.0) -> ChainGap:
    """Compose a device f(x) = 2 x^1.1, whose model says 2.01 x^1.1, so many times.

    References
    ----------
    After L. G. Wright et al., Nature 601, 549 (2022): errors of a model that
    runs by itself compound through its inputs, those of its slopes only multiply.
    """
    seen, modelled = start, start
    device_slope = model_slope = 1.0
    for _ in range(links):
        device_slope *= POWER * DEVICE_GAIN * seen ** (POWER - 1)
        model_slope *= POWER * MODEL_GAIN * seen ** (POWER - 1)
        seen, modelled = DEVICE_GAIN * seen**POWER, MODEL_GAIN * modelled**POWER
    return ChainGap(output=modelled / seen - 1, gradient=model_slope / device_slope - 1)

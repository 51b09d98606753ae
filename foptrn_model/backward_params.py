"""What the backward explorer lets a person choose."""

from __future__ import annotations

from typing import ClassVar, Literal

from foptrn_model.backward_planes import KernelName, PictureName
from foptrn_model.parameters import Params, param

FilterName = Literal["random", "gaussian", "derivative", "impulse", "delay"]
SignalName = Literal["noise", "pulse", "chirp", "step"]


class BackwardParams(Params):
    """Assumptions of the backward explorer."""

    groups: ClassVar[tuple[str, ...]] = ("Layer", "Transform", "Pictures")
    main: ClassVar[tuple[str, ...]] = ("n", "filter", "padding", "enob")

    n: int = param(
        1_024,
        label="Length",
        help="Samples of the signal, and of the filter.",
        low=16,
        high=65_536,
        unit="samples",
        scale="log2",
        glossary="long-convolution",
        group="Layer",
    )
    filter: FilterName = param(
        "random",
        label="Filter",
        help="The weight h. Random: independent draws that decay by e\u207b\u2078 over the length, "
        "as a trained long filter does.",
        glossary="gradient-of-a-convolution",
        group="Layer",
        choice_labels={
            "random": "Random, decaying", "gaussian": "Gaussian blur", "derivative": "Derivative",
            "impulse": "Impulse", "delay": "Delay by n/4",
        },
    )  # fmt: skip
    signal: SignalName = param(
        "noise",
        label="Signal",
        help="The layer's input u.",
        glossary="convolution-theorem",
        group="Layer",
        choice_labels={"noise": "Noise", "pulse": "Pulse", "chirp": "Chirp", "step": "Step"},
    )
    seed: int = param(
        0,
        label="Seed",
        help="Of everything random: signal, filter, target, subset, read-out noise.",
        low=0,
        high=1_000_000,
        slider=False,
        group="Layer",
    )
    padding: bool = param(
        True,
        label="Zero padding",
        help="Pad to twice the length. Without it the convolution wraps around, and the last "
        "inputs reach the first outputs.",
        glossary="padding-and-causality",
        group="Transform",
    )
    enob: float = param(
        0.0,
        label="Read-out ENOB",
        help="Effective bits of every read-out; 0 reads exactly. Noise is 2^\u2212ENOB \u00d7 "
        "2/\u221a12 of the peak of what is read.",
        low=0,
        high=20,
        unit="bits",
        step=0.5,
        glossary="three-4f-passes",
        group="Transform",
    )
    picture: PictureName = param(
        "letter",
        label="Picture",
        help="What lies in the input plane of the 4f pictures.",
        glossary="4f-system",
        group="Pictures",
        choice_labels={"letter": "Letter F", "rings": "Rings", "spots": "Spots"},
    )
    kernel: KernelName = param(
        "blur",
        label="Kernel",
        help="The 7 \u00d7 7 filter whose spectrum is the mask of the 4f pictures.",
        glossary="4f-system",
        group="Pictures",
        choice_labels={"blur": "Blur", "edge": "Edge", "motion": "Motion"},
    )

"""Assumptions of the optical DFA explorer: a step's time on paper, and a small network trained live.

Both belong to one page and one link. What the experiment depends on are the
fields of :data:`EXPERIMENT_FIELDS`; the closed form reads all others.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from foptrn_model.parameters import Params, param

Encoding = Literal["analogue", "sign", "ternary"]
ENCODING_LABELS = {"analogue": "Analogue", "sign": "Sign", "ternary": "Ternary"}

EXPERIMENT_OPTICS, EXPERIMENT_TRAINING = "Light in the experiment", "Training in the experiment"
EXPERIMENT_GROUPS = (EXPERIMENT_OPTICS, EXPERIMENT_TRAINING)


class OpticalDfaParams(Params):
    """Assumptions of the optical DFA explorer."""

    groups: ClassVar[tuple[str, ...]] = (
        "Network", "Optics", "GPU", "Power", *EXPERIMENT_GROUPS,
    )  # fmt: skip
    main: ClassVar[tuple[str, ...]] = (
        "depth", "width", "batch", "frame_rate_hz", "projection_noise", "projection_bias",
    )  # fmt: skip

    depth: int = param(
        96, label="Depth", help="Layers, each with its own feedback matrix.",
        low=1, high=10_000, unit="layers", scale="log10", glossary="optical-dfa-crossover",
        group="Network",
    )  # fmt: skip
    width: int = param(
        3_080, label="Width", help="Neurons of every layer.",
        low=16, high=1_000_000, scale="log10", glossary="optical-dfa-crossover", group="Network",
    )  # fmt: skip
    matrices_per_layer: int = param(
        1, label="Matrices per layer", glossary="memory-wall",
        help="Square weight matrices of a layer: 1 if fully connected, 12 for a Transformer's block.",
        low=1, high=24, group="Network",
    )  # fmt: skip
    batch: int = param(
        128, label="Batch", help="Samples per step.", low=1, high=65_536, scale="log2",
        group="Network",
    )  # fmt: skip
    error_length: int = param(
        0, label="Length of an error",
        help="Values of the output error that is projected; 0 stands for the width.",
        low=0, high=1_000_000, scale="log10", floor=1, glossary="direct-feedback-alignment",
        group="Network",
    )  # fmt: skip
    errors_per_sample: int = param(
        1, label="Errors per sample",
        help="Projections that each sample needs: 1 for a classifier, a Transformer's tokens.",
        low=1, high=65_536, scale="log2", glossary="per-token-errors", group="Network",
    )  # fmt: skip
    frame_rate_hz: float = param(
        2_000.0, label="Frame rate", help="Exposures that modulator and light allow a second; a projection takes several.",
        low=1, high=10_000_000, unit="Hz", scale="log10", glossary="optical-processing-unit",
        group="Optics",
    )  # fmt: skip
    passes: int = param(
        5, label="Passes per projection",
        help="Exposures behind one linear projection; the vendor's linear mode is 5 times slower "
        "than its intensity mode.",
        low=1, high=100, scale="log10", glossary="optical-processing-unit", group="Optics",
    )  # fmt: skip
    camera_fps: float = param(
        340.0, label="Camera, full frame",
        help="Rate at which the camera reads all of its 1,088 rows of 2,048 pixels; a projection "
        "reads the rows it fills.",
        low=1, high=1_000_000, unit="Hz", scale="log10", glossary="optical-processing-unit",
        group="Optics",
    )  # fmt: skip
    gpu_tflops: float = param(
        12.0, label="GPU, effective rate", glossary="optical-dfa-crossover", help="FLOP rate that matrix products really reach.",
        low=0.01, high=100_000, unit="TFLOP/s", scale="log10", group="GPU",
    )  # fmt: skip
    gpu_memory_GBps: float = param(
        1_300.0, label="GPU, memory rate", glossary="memory-wall", help="Bandwidth to the GPU's own memory.",
        low=1, high=1_000_000, unit="GB/s", scale="log10", group="GPU",
    )  # fmt: skip
    gpu_memory_GB: float = param(
        14.0, label="GPU, usable memory",
        help="What lies beyond it is moved over PCIe at every traversal of the weights.",
        low=0.01, high=100_000, unit="GB", scale="log10", glossary="memory-wall", group="GPU",
    )  # fmt: skip
    launch_us: float = param(
        16.0, label="Launch time", glossary="optical-dfa-crossover", help="What starting one operation of one layer costs.",
        low=0, high=10_000, unit="\u00b5s", scale="log10", floor=0.1, group="GPU",
    )  # fmt: skip
    pcie_GBps: float = param(
        12.0, label="PCIe", help="Rate between the host's memory and the GPU.",
        low=0.01, high=10_000, unit="GB/s", scale="log10", glossary="memory-wall", group="GPU",
    )  # fmt: skip
    gpu_W: float = param(
        300.0, label="GPU power", help="Drawn for the whole step.",
        low=1, high=100_000, unit="W", scale="log10", group="Power",
    )  # fmt: skip
    opu_W: float = param(
        30.0, label="OPU power", help="Drawn beside the GPU for the whole step.",
        low=0.1, high=100_000, unit="W", scale="log10", glossary="optical-processing-unit",
        group="Power",
    )  # fmt: skip

    error_encoding: Encoding = param(
        "ternary", label="Encoding of the error",
        help="What the modulator shows: the error itself, its signs, or signs of what exceeds a "
        "threshold and nothing elsewhere.",
        glossary="direct-feedback-alignment", group=EXPERIMENT_OPTICS, choice_labels=ENCODING_LABELS,
    )  # fmt: skip
    error_threshold: float = param(
        0.2, label="Ternary threshold", glossary="optical-processing-unit", help="Errors smaller than this are shown as nothing.",
        low=0, high=1, step=0.01, group=EXPERIMENT_OPTICS,
    )  # fmt: skip
    projection_noise: float = param(
        0.1, label="Projection noise",
        help="Standard deviation of zero-mean noise, in units of each sample's projection RMS.",
        low=0, high=10, step=0.1, unit="\u00d7 RMS", glossary="analogue-noise-in-training",
        group=EXPERIMENT_OPTICS,
    )  # fmt: skip
    projection_bias: float = param(
        0.0, label="Projection bias",
        help="The same offset on every reading, in units of each sample's projection RMS.",
        low=-5, high=5, step=0.1, unit="\u00d7 RMS", glossary="analogue-noise-in-training",
        group=EXPERIMENT_OPTICS,
    )  # fmt: skip
    camera_bits: int = param(
        8, label="Camera bits", glossary="enob-noise-rule", help="Resolution of an intensity; 0 reads it exactly.",
        low=0, high=16, unit="bits", group=EXPERIMENT_OPTICS,
    )  # fmt: skip
    drift_per_step: float = param(
        0.0, label="Drift", glossary="reality-gap",
        help="Share by which the medium's matrix becomes another one at every step.",
        low=0, high=0.5, step=0.001, unit="per step", group=EXPERIMENT_OPTICS,
    )  # fmt: skip
    hidden_width: int = param(
        20, label="Hidden width", help="Neurons of every hidden layer; wide networks hide the "
        "difference, since their last layer alone learns the digits.",
        low=4, high=256, scale="log2", group=EXPERIMENT_TRAINING,
    )  # fmt: skip
    hidden_layers: int = param(
        4, label="Hidden layers", help="Layers of tanh between the 64 pixels and the 10 classes.",
        low=1, high=6, group=EXPERIMENT_TRAINING,
    )  # fmt: skip
    epochs: int = param(
        40, label="Epochs", help="Passes over the training digits.",
        low=1, high=200, scale="log10", group=EXPERIMENT_TRAINING,
    )  # fmt: skip
    seeds: int = param(
        3, label="Seeds", help="Runs, each with its own split, start, feedback and medium.",
        low=1, high=16, group=EXPERIMENT_TRAINING,
    )  # fmt: skip
    train_batch: int = param(
        32, label="Batch of digits", help="Samples per step of the experiment.",
        low=4, high=512, scale="log2", group=EXPERIMENT_TRAINING,
    )  # fmt: skip
    learning_rate: float = param(
        0.05, label="Learning rate", help="Step size of plain SGD with momentum.",
        low=1e-4, high=1, scale="log10", group=EXPERIMENT_TRAINING,
    )  # fmt: skip
    momentum: float = param(
        0.9, label="Momentum", help="Share of the last update that is kept.",
        low=0, high=0.99, step=0.01, group=EXPERIMENT_TRAINING,
    )  # fmt: skip
    seed: int = param(
        0, label="Seed", help="Another number draws other runs.", low=0, high=2**31,
        slider=False, group=EXPERIMENT_TRAINING,
    )  # fmt: skip

    def inactive(self) -> frozenset[str]:
        return frozenset({"error_threshold"} if self.error_encoding != "ternary" else ())

    @property
    def rows_per_step(self) -> int:
        """Errors of a step, each of which is projected: batch times errors per sample."""
        return self.batch * self.errors_per_sample


EXPERIMENT_FIELDS = tuple(
    name for name, spec in OpticalDfaParams.specs().items() if spec.group in EXPERIMENT_GROUPS
)
STEP_FIELDS = tuple(name for name in OpticalDfaParams.specs() if name not in EXPERIMENT_FIELDS)


def experiment_params(params: OpticalDfaParams) -> OpticalDfaParams:
    """What an experiment depends on, all else as it is by default."""
    held = params.inactive() | set(STEP_FIELDS)
    return params.model_copy(update={name: params.specs()[name].default for name in held})

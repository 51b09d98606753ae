"""The optical DFA explorer's headline numbers, published cases and devices."""

from __future__ import annotations

from foptrn_model.headlines import POSITIVE, Headline
from foptrn_model.optical_dfa import METHOD_LABELS
from foptrn_model.presets import Preset, Shortcut, Shortcuts

WANG = "Wang et al., arXiv 2409.12965; PNAS 2026, 10.1073/pnas.2532022123"
LAUNAY = "Launay et al., arXiv 2012.06373"
FILIPOVICH = "Filipovich et al., arXiv 2210.14593"
OWN = "the model of this explorer"
VENDOR = "the vendor's documentation (What is an OPU?)"
LIBRARY = "the vendor's library lightonml"
SIMULATED = "simulated by this explorer"

OPTICAL_OVER_BP = Headline(
    field="optical_over_bp",
    label="Optical DFA over backpropagation",
    style="plain",
    unit="\u00d7",
    guesses=POSITIVE,
)
OPTICAL_DFA_HEADLINES = (
    OPTICAL_OVER_BP,
    Headline(field="step_time_s.odfa", label="Step, optical DFA", style="duration"),
    Headline(field="step_time_s.bp", label="Step, backpropagation", style="duration"),
    Headline(field="step_time_s.dfa", label="Step, DFA on the GPU", style="duration"),
    Headline(field="optical_over_dfa", label="Optical over GPU DFA", style="plain", unit="\u00d7"),
    Headline(field="projection_time_s.odfa", label="Optical projections", style="duration"),
    Headline(field="fastest", label="Fastest", style="plain", words=METHOD_LABELS),
    Headline(
        field="crossover_width",
        label="First width where light beats backpropagation",
        style="whole",
    ),
    Headline(
        field="crossover_depth",
        label="First depth where light beats backpropagation",
        style="whole",
    ),
    Headline(
        field="crossover_width_dfa", label="First width where light beats GPU DFA", style="whole"
    ),
    Headline(
        field="crossover_depth_dfa", label="First depth where light beats GPU DFA", style="whole"
    ),
    Headline(
        field="frame_rate_to_break_even_hz", label="Frame rate to break even", style="si", unit="Hz"
    ),
    Headline(field="memory_bytes.bp", label="Memory, backpropagation", style="si", unit="B"),
    Headline(field="memory_bytes.odfa", label="Memory, optical DFA", style="si", unit="B"),
    Headline(field="energy_J.bp", label="Energy, backpropagation", style="si", unit="J"),
    Headline(field="energy_J.odfa", label="Energy, optical DFA", style="si", unit="J"),
    Headline(field="weights", label="Weights", style="si"),
)

OPTICAL_DFA_PRESETS = (
    Preset(
        name="default",
        label="96 layers \u00d7 3,080",
        story="The published crossover: at 96 layers of 3,080 neurons light draws level with "
        "backpropagation, just where its memory ends. These are 0.91 B weights. The GPU's constants "
        "are fitted to this point, so 1.02\u00d7 is a fit and no check; DFA on the GPU is faster "
        "than both here.",
        source=WANG,
        query="",
    ),
    Preset(
        name="small",
        label="The sweep's small end",
        story="96 layers of 256: everything is over in 7 ms on the GPU, and 640 exposures take "
        "320 ms whatever the width. The ratio to DFA on the GPU was published as about 50.",
        source=WANG,
        query="width=256",
    ),
    Preset(
        name="offloaded",
        label="2.7 B weights, offloaded",
        story="The largest network of the published sweep. 96 \u00d7 3,080\u00b2 is 0.91 B, so 2.7 B "
        "needs three matrices a layer, or another shape. Offloading costs backpropagation two "
        "walks through the weights and DFA one.",
        source=WANG,
        query="matrices_per_layer=3",
    ),
    Preset(
        name="transformer",
        label="Transformer, an error per token",
        story="24 blocks of 2,048 with 1,024 tokens a sequence: the catch. Every token has an error "
        "of its own, so the projections take 1,024 times as long. A study of compute found no "
        "regime where DFA pays off for Transformers.",
        source=FILIPOVICH,
        query="batch=8&depth=24&errors_per_sample=1024&matrices_per_layer=12&width=2048",
    ),
    Preset(
        name="fast-camera",
        label="Ten times faster optics",
        story="Modulator and camera ten times as fast as the published ones: at the crossover the "
        "step takes a third of backpropagation's time, yet the crossover itself moves by "
        "3 % only, since the memory wall is what puts it there.",
        source=OWN + "; no such device has been shown",
        query="camera_fps=3400&frame_rate_hz=20000",
    ),
    Preset(
        name="big-gpu",
        label="The same on an 80 GB card",
        story="With 80 GB at hand nothing is offloaded until far wider networks, and the crossover "
        "moves away with the wall.",
        source="NVIDIA H100 data sheet (SXM, FP32 without tensor cores)",
        query="gpu_W=700&gpu_memory_GB=80&gpu_memory_GBps=3350&gpu_tflops=67",
    ),
    Preset(
        name="noise",
        label="Experiment: noise of 5\u00d7",
        story="Zero-mean noise five times as large as the projection itself: the network still "
        "learns, since noise averages out over samples and steps.",
        source=SIMULATED,
        query="projection_noise=5",
    ),
    Preset(
        name="bias",
        label="Experiment: a bias of 1\u00d7",
        story="A constant offset as large as the projection: it pulls every step the same way, and "
        "training collapses.",
        source=SIMULATED,
        query="projection_bias=1",
    ),
    Preset(
        name="threshold",
        label="Experiment: a low threshold",
        story="Errors sum to zero over the classes, their ternary codes do not. With a threshold of "
        "0.1 what is left over acts as a bias, and this deep, narrow network does not learn; with "
        "0.2 it does.",
        source=SIMULATED,
        query="error_threshold=0.1",
    ),
    Preset(
        name="wide",
        label="Experiment: a wide network",
        story="Two hidden layers of 256 hide nearly everything: trained alone, the last layer "
        "already comes within two points of backpropagation.",
        source=SIMULATED,
        query="epochs=10&hidden_layers=2&hidden_width=256",
    ),
)


def _gpu(
    name: str, label: str, *, tflops: float, rate: float, size: float, watts: float
) -> Shortcut:
    return Shortcut(
        name=name,
        label=label,
        story=f"Data-sheet peaks: {tflops:g} TFLOP/s in FP32 without tensor cores, {rate:,g} GB/s, "
        f"{size:g} GB, {watts:g} W. Real rates are lower, so this is the GPU's best case.",
        source=f"NVIDIA {label} data sheet",
        values={
            "gpu_tflops": tflops, "gpu_memory_GBps": rate, "gpu_memory_GB": size, "gpu_W": watts,
        },
    )  # fmt: skip


OPTICAL_DFA_SHORTCUTS = Shortcuts(
    title="Devices",
    items=(
        _gpu("v100", "V100 SXM2, 16 GB", tflops=15.7, rate=900.0, size=16.0, watts=300.0),
        _gpu("a100", "A100 SXM4, 40 GB", tflops=19.5, rate=1_555.0, size=40.0, watts=400.0),
        _gpu("h100", "H100 SXM, 80 GB", tflops=67.0, rate=3_350.0, size=80.0, watts=700.0),
        Shortcut(
            name="opu",
            label="OPU, 2 kHz",
            story="The published device: about 2,000 exposures a second, five of them behind one "
            "linear projection, read by a camera of 340 full frames a second.",
            source=f"{LIBRARY} (500 \u00b5s a frame); {VENDOR}",
            values={"frame_rate_hz": 2_000.0, "passes": 5, "camera_fps": 340.0},
        ),
        Shortcut(
            name="intensity",
            label="OPU, intensity mode",
            story="One exposure a projection, as where only the intensity is wanted: five times "
            "as fast, but no longer a linear projection of the error.",
            source=VENDOR,
            values={"frame_rate_hz": 2_000.0, "passes": 1, "camera_fps": 340.0},
        ),
        Shortcut(
            name="full-frame",
            label="OPU, 340 Hz",
            story="Exposures no faster than the camera reads all of its rows.",
            source="data sheet of a 2,048 \u00d7 1,088 sensor at 340 Hz",
            values={"frame_rate_hz": 340.0, "passes": 5, "camera_fps": 340.0},
        ),
        Shortcut(
            name="dmd",
            label="DMD at 20 kHz",
            story="A digital micromirror device flips 20,000 times a second. With this camera the "
            "read-out takes over as the limit.",
            source="device rates as in the masks explorer; the rest illustrative",
            values={"frame_rate_hz": 20_000.0, "passes": 5, "camera_fps": 340.0},
        ),
    ),
)

"""The masks explorer's headline numbers, published cases and devices."""

from __future__ import annotations

from foptrn_model.devices import DEVICES
from foptrn_model.headlines import POSITIVE, Headline
from foptrn_model.presets import INFERENCE, Preset, Shortcut, Shortcuts

MASK_OVER_DIGITAL = Headline(
    field="mask_over_digital",
    label="Mask time over digital time",
    style="plain",
    unit="\u00d7",
    guesses=POSITIVE,
)
MASKS_HEADLINES = (
    MASK_OVER_DIGITAL,
    Headline(field="step_time_s", label="Step", style="duration"),
    Headline(field="mask_time_s", label="Mask time", style="duration"),
    Headline(field="digital_step_time_s", label="Digital step time", style="duration"),
    Headline(field="break_even_sequences", label="Break-even sequences", style="whole"),
    Headline(
        field="break_even_frame_rate_hz", label="Break-even frame rate", style="si", unit="Hz"
    ),
    Headline(field="frames_per_step", label="Frames per step", style="whole"),
    Headline(
        field="activation_bytes_layer_major",
        label="Activations alive, layer-major",
        style="si",
        unit="B",
    ),
    Headline(
        field="activation_bytes_pipeline",
        label="Activations alive, a pipeline stage",
        style="si",
        unit="B",
    ),
    Headline(field="pipeline_bubble", label="Bubble of the pipeline", style="percent"),
    Headline(
        field="tensor_parallel_allreduce_bytes",
        label="Tensor-parallel all-reduces",
        style="si",
        unit="B",
    ),
)

MASKS_PRESETS = (
    Preset(
        name="default",
        label="Hyena-2 on 256 H100s",
        story="A DMD at 8 bits writes 1,076 frames a step: as long as 256 H100s compute on 512 "
        "sequences.",
        source="device rates from " + INFERENCE,
        query="",
    ),
    Preset(
        name="hyena-2k",
        label="Published: Hyena-2, 2,048",
        story="269 frames forward: 261 ms at 1,031 Hz, 13.4 ms at 20 kHz, 9.0 s at 30 Hz.",
        source=INFERENCE,
        query="seq_len=2048",
    ),
    Preset(
        name="circulant-32k",
        label="Published: block-circulant, 32,768",
        story="4,303 frames forward; nearly all of them hold long convolutions, not circulant "
        "weights.",
        source=INFERENCE,
        query="seq_len=32768&variant=block-circulant",
    ),
    Preset(
        name="sequence-major",
        label="Every sequence its own masks",
        story="In sequence-major order the masks are written 512 times a step; no batch helps.",
        source="the schedule of this explorer",
        query="order=sequence-major",
    ),
    Preset(
        name="one-gpu",
        label="One GPU",
        story="With a single H100 three sequences a step hide the masks: the digital side is slow.",
        source="the schedule of this explorer",
        query="gpus=1",
    ),
    Preset(
        name="reuse",
        label="Conjugate mask reused",
        story="Reading the same mask in the conjugate order leaves no backward frames.",
        source="the schedule of this explorer",
        query="conjugate_mask=reuse",
    ),
)

MASKS_SHORTCUTS = Shortcuts(
    title="Devices",
    items=tuple(
        Shortcut(
            name=device.name,
            label=f"{device.label}, {device.frame_rate_hz:,.0f} Hz",
            story=device.story,
            source=device.source,
            values={"frame_rate_hz": device.frame_rate_hz},
        )
        for device in DEVICES
    ),
)

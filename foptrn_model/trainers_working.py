"""The trainers result as formulas with numbers, assumptions and sources."""

from __future__ import annotations

import math

from foptrn_model.photonics.diffraction import PITCH_M, WAVELENGTH_M, spread_px
from foptrn_model.photonics.mesh import mesh_layout
from foptrn_model.photonics.toy import DEVICE_GAIN, MODEL_GAIN, POWER, chain_gap
from foptrn_model.text import group_digits, percent, significant
from foptrn_model.trainers import TrainersResult
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_presets import LIN, PAI, SIMULATED
from foptrn_model.working import Assumption, AssumptionKind, Step, Working

HUGHES = "Hughes et al., Optica 5, 864 (2018)"
GOODMAN = "Goodman, Introduction to Fourier Optics, section 3.10"
ZHOU = "Zhou et al., Photonics Research 8, 940 (2020), in situ by holograms"
WRIGHT = "Wright et al., Nature 601, 549 (2022)"
CLEMENTS = "Clements et al., Optica 3, 1460 (2016)"
DUAL_ADAPTIVE = "Zheng et al., dual adaptive training, arXiv 2212.06141"


def trainers_working(params: TrainersParams, result: TrainersResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    machine = _mesh_steps(params) if params.geometry is None else _stack_steps(params)
    assumed = _MESH if params.geometry is None else _STACK
    listed = [
        *_comparison(params),
        *(Assumption(kind=kind, text=text) for kind, text in assumed),
        *(Assumption(kind=kind, text=text) for kind, text in _BOTH),
    ]
    if params.drift_rad > 0:
        listed.append(Assumption(kind="speculative", text=_DRIFT))
    return Working(
        steps=[*machine, *_result_steps(result), _toy_step(params)],
        assumptions=listed,
        sources=SOURCES,
    )


def _mesh_steps(params: TrainersParams) -> list[Step]:
    layout = mesh_layout(params.mesh_ports)
    ports, sigma = params.mesh_ports, params.phase_error_rad
    return [
        Step(
            name="Phases that are trained",
            formula="layers \u00d7 (2 \u00d7 N(N \u2212 1)/2 + N)",
            substituted=f"{params.layers} \u00d7 (2 \u00d7 {group_digits(layout.mzis)} + {ports})",
            value=group_digits(params.phases),
            source=CLEMENTS,
            glossary="mzi-mesh",
        ),
        Step(
            name="How far phase errors take a mesh's matrix, relative to its size",
            formula="\u03c3 \u221aN while that is small",
            substituted=f"{group_digits(sigma)} \u00d7 \u221a{ports}",
            value=percent(sigma * math.sqrt(ports)),
            source="N\u00b2 phases, each of which moves one port's light by \u03c3",
        ),
        Step(
            name="Powers that in-situ training reads per step",
            formula="3 exposures \u00d7 layers \u00d7 N\u00b2 shifters \u00d7 batch; a gradient is "
            "(|f \u2212 ia|\u00b2 \u2212 |f|\u00b2 \u2212 |a|\u00b2)/2",
            substituted=f"3 \u00d7 {params.layers} \u00d7 {group_digits(layout.phases)} \u00d7 "
            f"{group_digits(params.batch)}",
            value=group_digits(3 * params.phases * params.batch),
            source=HUGHES,
            glossary="in-situ-backpropagation",
        ),
    ]


def _stack_steps(params: TrainersParams) -> list[Step]:
    spacing_m = 1e-3 * params.mask_spacing_mm
    micrometres = 1e6 * PITCH_M
    wavelength_nm = 1e9 * WAVELENGTH_M
    reach = spread_px(spacing_m)
    return [
        Step(
            name="Phases that are trained",
            formula="masks \u00d7 pixels\u00b2",
            substituted=f"{params.masks} \u00d7 {params.pixels}\u00b2",
            value=group_digits(params.phases),
            source=LIN,
            glossary="diffractive-network",
        ),
        Step(
            name="How far light moves to each side over one gap, at the steepest angle pixels make",
            formula="L tan(asin(\u03bb / 2p)) / p",
            substituted=f"L {group_digits(params.mask_spacing_mm)} mm, \u03bb "
            f"{group_digits(wavelength_nm)} nm, p {group_digits(micrometres)} \u00b5m",
            value=f"{significant(reach)} px",
            source=GOODMAN,
            glossary="angular-spectrum",
        ),
        Step(
            name="What a mask is off by",
            formula="shift \u00d7 pixel pitch",
            substituted=f"{group_digits(params.shift_px)} px \u00d7 {group_digits(micrometres)} \u00b5m",
            value=f"{significant(params.shift_px * micrometres)} \u00b5m",
            source="pixel pitch: a convention of this explorer",
            glossary="reality-gap",
        ),
        Step(
            name="Powers that in-situ training reads per step",
            formula="4 exposures \u00d7 2 ways \u00d7 masks \u00d7 pixels\u00b2 \u00d7 batch, and 4 \u00d7 "
            "pixels\u00b2 \u00d7 batch at the detectors; a gradient is \u2212Im(f a)",
            substituted=f"(8 \u00d7 {params.masks} + 4) \u00d7 {params.pixels}\u00b2 \u00d7 "
            f"{group_digits(params.batch)}",
            value=group_digits((8 * params.masks + 4) * params.pixels**2 * params.batch),
            source=ZHOU,
            glossary="hologram",
        ),
    ]


def _result_steps(result: TrainersResult) -> list[Step]:
    silico, situ = result.trainers["in-silico"], result.trainers["in-situ"]
    aware, aligned = result.trainers["physics-aware"], result.trainers["feedback-alignment"]
    hardware = {name: part.hardware_accuracy.mean for name, part in result.trainers.items()}
    return [
        Step(
            name="Reality gap of training on the model",
            formula="mean accuracy on the model \u2212 on the hardware",
            substituted=f"{percent(silico.model_accuracy.mean)} \u2212 "
            f"{percent(silico.hardware_accuracy.mean)}",
            value=_points(silico.reality_gap),
            source=SIMULATED,
            glossary="reality-gap",
        ),
        Step(
            name="What a measured forward pass adds",
            formula="physics-aware \u2212 in silico, on the hardware",
            substituted=f"{percent(hardware['physics-aware'])} \u2212 "
            f"{percent(hardware['in-silico'])}",
            value=_points(hardware["physics-aware"] - hardware["in-silico"]),
            source=WRIGHT,
            glossary="physics-aware-training",
        ),
        Step(
            name="What a measured backward pass adds to that",
            formula="in situ \u2212 physics-aware, on the hardware",
            substituted=f"{percent(hardware['in-situ'])} \u2212 "
            f"{percent(hardware['physics-aware'])}",
            value=_points(hardware["in-situ"] - hardware["physics-aware"]),
            source=f"{HUGHES}; {PAI}",
            glossary="in-situ-backpropagation",
        ),
        Step(
            name="Alignment of feedback alignment's hidden layers at the last step",
            formula="cosine between its gradient and the hardware's true one",
            substituted=f"{_signed(aligned.gradient_cosine[0])} before the first step; in situ "
            f"{_signed(situ.gradient_cosine[-1])}, physics-aware "
            f"{_signed(aware.gradient_cosine[-1])}, in silico {_signed(silico.gradient_cosine[-1])}",
            value=_signed(aligned.gradient_cosine[-1]),
            source="N\u00f8kland, arXiv 1609.01596",
            glossary="direct-feedback-alignment",
        ),
    ]


def _toy_step(params: TrainersParams) -> Step:
    links = params.layers if params.geometry is None else params.masks
    chain = chain_gap(links)
    return Step(
        name="Why measured inputs help: error of a model's slope through as many links",
        formula=f"device f(x) = {DEVICE_GAIN:g} x^{POWER:g}, model {MODEL_GAIN:g} x^{POWER:g}: "
        "(model gain / device gain)^links \u2212 1",
        substituted=f"({MODEL_GAIN:g} / {DEVICE_GAIN:g})^{links} \u2212 1; left to itself the "
        f"model's output is off by {percent(chain.output)}",
        value=percent(chain.gradient),
        source=WRIGHT,
        glossary="physics-aware-training",
    )


SOURCES = (
    HUGHES,
    PAI,
    WRIGHT,
    CLEMENTS,
    "N\u00f8kland, direct feedback alignment, arXiv 1609.01596; Launay et al., arXiv 2006.12878",
    f"{DUAL_ADAPTIVE}: direct / physics-aware / dual adaptive on MNIST, 3 layers of 64 ports, "
    "88.7 / 93.6 / 96.3 % at a phase error of 0.04 and 59.7 / 70.3 / 87.0 % at 0.10, 96.8 % "
    "without error",
    LIN,
    ZHOU,
    GOODMAN,
)


def _points(gap: float) -> str:
    sign = "\u2212" if gap < 0 else ""
    return f"{sign}{significant(abs(100 * gap))} points"


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")


def _comparison(params: TrainersParams) -> list[Assumption]:
    """What flatters a trainer on this machine."""
    if params.geometry is None:
        text = (
            f"Tiny networks flatter feedback alignment: with few ports (here {params.mesh_ports}) and "
            "two classes random feedback is quickly aligned, with more of either it falls behind."
        )
    else:
        text = (
            "Feedback alignment hardly makes sense of a passive stack. It needs layers that answer "
            "locally, and here nothing is detected before the end: all masks but the last get "
            "errors that no change of theirs can align with, so it trains the last one. It is shown "
            "so that this can be seen."
        )
    return [Assumption(kind="illustrative", text=text)]


_MESH: tuple[tuple[AssumptionKind, str], ...] = (
    ("generous",
     "Meshes lose no light and shifters change nothing but phase. With loss the three powers no "
     "longer give the gradient exactly."),
    ("generous",
     "A receiver reads amplitude and phase of every port after every layer, and a detector sits at "
     "every phase shifter. Time and energy of the readings are not counted."),
    ("convention",
     "Between layers the amplitude is detected and sent on, its phase dropped. Scores are powers "
     "of port groups, times 8 (digits: 30), under softmax cross-entropy."),
)  # fmt: skip
_STACK: tuple[tuple[AssumptionKind, str], ...] = (
    ("generous",
     "Every trainer that uses the hardware can take a hologram of the light behind every mask and at "
     "the detectors, in the mask's own pixels. A sealed stack allows none of it; one of phase "
     "modulators does, with a beam splitter at each. Time and energy are not counted."),
    ("generous",
     "Masks change nothing but phase, take any value of a turn, and are pixels without gaps. Light "
     "that leaves the aperture is lost, light is scalar and of one wavelength."),
    ("convention",
     "Light of 532 nm on pixels of 8 \u00b5m. While angles are small only wavelength times distance "
     "over pitch squared matters; stacks with pixels near a wavelength, as the first printed ones, "
     "are another matter."),
    ("convention",
     "Light is carried by waves up to the steepest that pixels can make, on planes padded by as far "
     "as that one moves; a few percent of the light that diffracts farther ends off its place."),
    ("convention",
     "Inputs light the middle of the plane: a digit its 8 \u00d7 8 pixels, a point four patches with "
     "the amplitudes it has on a mesh. Scores are the shares of the light on each class's detector, "
     "times 100 (points: 20), under softmax cross-entropy. Masks start blank."),
    ("convention",
     "Read-out noise is of each detector's amplitude; of holograms it is spread over the plane's "
     "pixels, so that it has the same power altogether."),
    ("convention",
     "Nothing between the masks answers nonlinearly, only the detectors do: a score is a quadratic "
     "form of the amplitudes sent in, which suits rings and not moons."),
    ("illustrative",
     "Every mask is displaced by the same distance, each in a direction of its own; gaps are off at "
     "random. Tilts, scale and warp are left out."),
)  # fmt: skip
_BOTH: tuple[tuple[AssumptionKind, str], ...] = (
    ("convention",
     "All trainers of a seed share its device, starting phases, batches and noise. Training on the "
     "model sees neither the device nor noise; its loss is the model's."),
    ("convention",
     "Quartiles are over seeds, each seed another device. Cosines leave out the last of several "
     "layers, which gets the true error from every trainer."),
    ("inferred",
     "No trainer is told about crosstalk, gain, offset or saturation; each takes its own readings "
     "as they are. A calibrated machine would do better."),
)  # fmt: skip
_DRIFT = (
    "Drift is a random walk of every phase by itself; real devices drift together with their "
    "temperature."
)

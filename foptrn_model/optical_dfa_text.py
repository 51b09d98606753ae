"""How the optical DFA result comes about, and what others found."""

from __future__ import annotations

from collections.abc import Sequence

from foptrn_model.optical_dfa import (
    CAMERA_COLUMNS,
    CAMERA_ROWS,
    GUARD_S,
    OpticalDfaResult,
    camera_time_s,
    fused_gain_s,
    gain_s,
    loss_s,
    rows_filled,
    step_terms,
)
from foptrn_model.optical_dfa_constants import Constant, Kind, constants_of
from foptrn_model.optical_dfa_memory import BYTES, OPTIMIZER_WORDS
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.optical_dfa_presets import (
    FILIPOVICH,
    LAUNAY,
    LIBRARY,
    OWN,
    VENDOR,
    WANG,
)
from foptrn_model.optical_dfa_search import crossing
from foptrn_model.text import compact, counted, duration, group_digits, si
from foptrn_model.working import Assumption, Finding, Step, Working

MODEL_SOURCE = f"{OWN} (inferred)"
NOKLAND = "N\u00f8kland, arXiv 1609.01596"


def crossing_text(value: int | str) -> str:
    """A crossover as people read it."""
    return value if isinstance(value, str) else group_digits(value)


def optical_dfa_working(params: OpticalDfaParams, result: OpticalDfaResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    return Working(
        steps=[*_product_steps(params, result), *_memory_steps(params, result),
               *_answer_steps(params, result)],
        assumptions=_assumptions(params),
        sources=[
            WANG,
            f"{LAUNAY}: measured, 95.8 % with light against 97.6 % on MNIST",
            f"{FILIPOVICH}: scaling laws, no compute regime where DFA pays off for Transformers",
            f"{NOKLAND}: direct feedback alignment",
            f"{VENDOR}: a linear projection is 5 times slower than an intensity",
            f"{LIBRARY}: 500 \u00b5s a frame, 50 \u00b5s beyond the read-out, whole rows of the camera",
            "Ohana et al., arXiv 2305.12988: linear projections from intensities alone",
        ],
    )  # fmt: skip


def _product_steps(params: OpticalDfaParams, result: OpticalDfaResult) -> list[Step]:
    rows, width, depth = params.rows_per_step, params.width, params.depth
    terms = step_terms(params, depth, width)["bp"]
    weights = si(params.matrices_per_layer * width**2)
    exposures = f"{group_digits(rows)} \u00d7 {params.passes}"
    camera = float(camera_time_s(params, depth, width))
    return [
        Step(
            name="One pass through the layers, three in backpropagation",
            formula="L (max(2 R k W\u00b2 / F, 4 (k W\u00b2 + 2 R W) / \u03b2) + \u03c4)",
            substituted=f"{group_digits(depth)} layers, R = {group_digits(rows)} errors, {weights} "
            f"weights a layer, F = {group_digits(params.gpu_tflops)} TFLOP/s, \u03b2 = "
            f"{group_digits(params.gpu_memory_GBps)} GB/s, \u03c4 = "
            f"{group_digits(params.launch_us)} \u00b5s",
            value=f"arithmetic {duration(float(terms['compute']))}, memory "
            f"{duration(float(terms['memory-bandwidth']))} with the update, launches "
            f"{duration(float(terms['launch']))} in all",
            source=MODEL_SOURCE,
        ),
        Step(
            name="Update",
            formula="L (4 k W\u00b2 (3 + 2 n) / \u03b2 + \u03c4), n words of the optimizer",
            substituted=f"{group_digits(depth)} \u00d7 4 \u00d7 {weights} \u00d7 "
            f"(3 + 2 \u00d7 {OPTIMIZER_WORDS}) B, with {group_digits(params.launch_us)} \u00b5s "
            "a layer",
            value="part of the memory and launch terms",
            source=MODEL_SOURCE,
        ),
        Step(
            name="Feedback on the GPU, in the place of one pass",
            formula="L (max(2 R d W / F, 4 (d W + R W) / \u03b2) + \u03c4)",
            substituted=f"d = {group_digits(params.error_length or width)} values of the error",
            value=duration(result.projection_time_s["dfa"]),
            source=MODEL_SOURCE,
            glossary="direct-feedback-alignment",
        ),
        Step(
            name="Feedback by light, for all layers at once",
            formula="R c max(1 / f, rows \u00d7 t_row + guard), rows = \u2308L W / "
            f"{CAMERA_COLUMNS:,}\u2309",
            substituted=f"{exposures} \u00d7 max({duration(1 / params.frame_rate_hz)}, "
            f"{group_digits(rows_filled(params))} \u00d7 "
            f"{duration(1 / (params.camera_fps * CAMERA_ROWS))} + {duration(GUARD_S)} = "
            f"{duration(camera)})",
            value=duration(result.projection_time_s["odfa"]),
            source=f"{OWN}; f and guard: {LIBRARY}; c: {VENDOR}",
            glossary="optical-processing-unit",
        ),
    ]


def _memory_steps(params: OpticalDfaParams, result: OpticalDfaResult) -> list[Step]:
    names = {"bp": "backpropagation", "dfa": "DFA on the GPU", "odfa": "optical DFA"}
    terms = step_terms(params, params.depth, params.width)
    memory = ", ".join(f"{names[m]} {si(result.memory_bytes[m], 'B')}" for m in names)
    offload = ", ".join(
        f"{names[m]} {duration(float(terms[m]['offload']))}"  # type: ignore[index]
        for m in names
    )
    return [
        Step(
            name="Memory",
            formula="BP 4 P (2 + n) + 8 R W L; DFA 4 P (1 + n) + 4 k W\u00b2 + 4 d W L + 8 R W L; "
            "by light the same without 4 d W L; P = k L W\u00b2",
            substituted=f"P = {si(result.weights)} weights, n = {OPTIMIZER_WORDS}",
            value=memory,
            source=MODEL_SOURCE,
            glossary="memory-wall",
        ),
        Step(
            name="Offloading",
            formula="2 max(0, memory \u2212 M) / Q per walk through the weights: two walks in BP, "
            "one in DFA",
            substituted=f"M = {group_digits(params.gpu_memory_GB)} GB, Q = "
            f"{group_digits(params.pcie_GBps)} GB/s",
            value=offload,
            source=MODEL_SOURCE,
            glossary="memory-wall",
        ),
    ]


def _answer_steps(params: OpticalDfaParams, result: OpticalDfaResult) -> list[Step]:
    step, needed = result.step_time_s, result.frame_rate_to_break_even_hz
    gain = float(gain_s(params, params.depth, params.width))
    reading = params.rows_per_step * params.passes * float(
        camera_time_s(params, params.depth, params.width)
    )  # fmt: skip
    return [
        Step(
            name="Step",
            formula="three passes (DFA: two, and the feedback) + update + offloading",
            substituted=f"backpropagation {duration(step['bp'])}, DFA on the GPU "
            f"{duration(step['dfa'])}, optical DFA {duration(step['odfa'])}",
            value=f"optical / backpropagation {compact(result.optical_over_bp)}, optical / GPU DFA "
            f"{compact(result.optical_over_dfa)}",
            source=MODEL_SOURCE,
            glossary="optical-dfa-crossover",
        ),
        Step(
            name="Crossover",
            formula="first width, and first depth, where the optical step is the shorter one; beyond "
            "it light may lose again",
            substituted=f"every width at {counted(params.depth, 'layer')}, every depth at width "
            f"{group_digits(params.width)}",
            value=f"against backpropagation width {crossing_text(result.crossover_width)}, depth "
            f"{crossing_text(result.crossover_depth)}; against DFA on the GPU width "
            f"{crossing_text(result.crossover_width_dfa)}, depth "
            f"{crossing_text(result.crossover_depth_dfa)}",
            source=MODEL_SOURCE,
            glossary="optical-dfa-crossover",
        ),
        Step(
            name="The same, if backpropagation updated layer by layer too",
            formula="backpropagation with the memory of optical DFA, still walking twice",
            substituted=f"{si(result.memory_bytes['odfa'], 'B')} in place of "
            f"{si(result.memory_bytes['bp'], 'B')}",
            value=f"width {crossing_text(crossing(params, 'width', fused_gain_s, loss_s))} in place "
            f"of {crossing_text(result.crossover_width)}",
            source=MODEL_SOURCE,
            glossary="memory-wall",
        ),
        Step(
            name="Frame rate that breaks even",
            formula="R c / (input gradients saved + offloading saved); never where reading the "
            "camera takes longer than that by itself",
            substituted=f"light may take {duration(gain)}; reading alone takes {duration(reading)}",
            value=needed if isinstance(needed, str) else si(needed, "Hz"),
            source=MODEL_SOURCE,
        ),
        Step(
            name="Energy per step",
            formula="step \u00d7 GPU power; by light step \u00d7 (GPU power + OPU power)",
            substituted=f"{group_digits(params.gpu_W)} W, {group_digits(params.opu_W)} W",
            value=f"backpropagation {_joules(result, 'bp')}, DFA on the GPU "
            f"{_joules(result, 'dfa')}, optical DFA {_joules(result, 'odfa')}",
            source=f"{OWN}; 30 W: {WANG}",
        ),
    ]


def _joules(result: OpticalDfaResult, method: str) -> str:
    return f"{compact(result.energy_J[method])} J"


def _assumptions(params: OpticalDfaParams) -> list[Assumption]:
    return [
        *_constant_lines(params),
        Assumption(
            kind="inferred",
            text="The time and memory model as a whole is this project's: published are two points "
            "that it meets, the ratio of about 50 between optical and GPU DFA in small networks "
            "and the crossover at 96 layers of 3,080. That both come out does not prove its parts.",
        ),
        Assumption(
            kind="inferred",
            text="96 \u00d7 3,080\u00b2 is 0.91 B weights. The published sweep goes to 2.7 B, so it has "
            "about three matrices a layer or another shape there; both are controls.",
        ),
        Assumption(
            kind="generous",
            text="One exposure serves all layers, and none is repeated because of noise.",
        ),
        *_generous_lines(params),
        Assumption(
            kind="convention",
            text="Steps are compared, not trainings: DFA usually needs more steps, and reaches "
            "less, than backpropagation. The experiment shows how that looks.",
        ),
        Assumption(
            kind="convention",
            text="Experiment: digits centred, a quarter held out class by class; tanh; weights of "
            "variance 1/fan-in; SGD with momentum; digital feedback uniform, of unit variance over "
            "the root of the width. Noise and bias are added to each projection, in units of its "
            "RMS; what returns is scaled to the size of the error. The camera reads the field against "
            "a reference; the vendor's linear mode does without one.",
        ),
        Assumption(
            kind="illustrative",
            text="Wide networks hide what the experiment shows: with two hidden layers of 256 the "
            "last layer alone reaches about 96 %. And 1,797 digits of 64 pixels are a toy.",
        ),
        Assumption(
            kind="illustrative",
            text="Signs and ternary codes of an error do not sum to zero over the classes as the "
            "error does, so a small threshold (or none) is itself a bias; deep narrow networks do "
            "not survive it.",
        ),
    ]


def _generous_lines(params: OpticalDfaParams) -> list[Assumption]:
    """What flatters DFA, or light alone, in this state."""
    words = 2 + OPTIMIZER_WORDS
    texts = [
        "By default an error is as long as a layer is wide. That flatters light: an error of ten "
        "classes costs light the same and the GPU next to nothing, and with all else at its default "
        "light then overtakes DFA on the GPU at no width.",
        "Backpropagation is taken to keep the gradients of all weights until its update, DFA to "
        f"update layer by layer: {BYTES * words} P bytes against {BYTES * (words - 1)} P + 4 k W\u00b2, "
        "activations aside. Backpropagation that updates on its way back needs no more than DFA; its "
        "memory wall and the crossover then lie at wider networks (Working says where).",
        "Weights that do not fit are walked through twice by backpropagation, forwards and then "
        "backwards, since it carries errors through them. DFA carries none through them and is "
        "taken to walk once: each layer is updated as its weights pass by for the next forward pass.",
    ]
    rows = rows_filled(params)
    if rows > CAMERA_ROWS:
        texts.append(
            f"One projection of all layers fills {group_digits(rows)} rows, and the camera has "
            f"{CAMERA_ROWS:,}: they are read as if it had them all, at the same rate, which flatters "
            "light. A real device would need several exposures or cameras."
        )
    return [Assumption(kind="generous", text=text) for text in texts]


CONSTANT_LEADS: dict[Kind, str] = {
    "published": "Defaults taken from sources",
    "inferred": "Defaults not published",
}


def _constant_lines(params: OpticalDfaParams) -> list[Assumption]:
    """The constants in two groups, and what differs from them in this state."""
    listed = constants_of(params)
    changed = [item for item in listed if item.changed]
    lines = [
        Assumption(kind=kind, text=f"{lead}: {_named(listed, kind)}.")
        for kind, lead in CONSTANT_LEADS.items()
    ]
    if changed:
        here = "; ".join(
            f"{item.label} {group_digits(item.value)}{_unit(item)} in place of "
            f"{group_digits(item.default)}{_unit(item)}"
            for item in changed
        )
        lines.append(Assumption(kind="convention", text=f"Changed in this state: {here}."))
    return lines


def _named(listed: Sequence[Constant], kind: Kind) -> str:
    """Constants of one kind with their defaults, those of one source together."""
    by_source: dict[str, list[str]] = {}
    for item in listed:
        if item.kind == kind:
            text = f"{item.label} {group_digits(item.default)}{_unit(item)}"
            by_source.setdefault(item.source, []).append(text)
    return "; ".join(f"{', '.join(names)} ({source})" for source, names in by_source.items())


def _unit(item: Constant) -> str:
    return f"\u202f{item.unit}" if item.unit else ""


FINDINGS = (
    Finding(
        side="for",
        text="On a fully connected network of 1.3 B weights for climate projections, optical DFA "
        "came out ahead of backpropagation; the authors put it down to the optical signal being "
        "normalised.",
        source=WANG,
    ),
    Finding(
        side="for",
        text="Transformers above 1 B weights, a vision transformer of 134 M and a diffusion model were "
        "trained with light; how good the Transformers of 1 B are beside backpropagation is not "
        "given. The 1,500 TeraOPS under 30 W count the random projections only. Moderate noise "
        "acts as a regulariser, and slow drift of the medium does no harm.",
        source=WANG,
    ),
    Finding(
        side="against",
        text="Scaling laws fitted to Transformers trained by DFA find no amount of compute at "
        "which it pays off: what it saves per step it loses in what a step is worth.",
        source=FILIPOVICH,
    ),
    Finding(
        side="against",
        text="Measured with light, DFA reached 95.8 % on MNIST where the same network on a GPU "
        "reached 97.6 %.",
        source=LAUNAY,
    ),
    Finding(
        side="against",
        text="Only the feedback is optical: forward pass, weight gradients and update stay on the "
        "GPU. And where every token has an error of its own, every token needs a projection of "
        "its own.",
        source=f"{WANG}; {OWN}",
    ),
)
"""Cited, not computed."""

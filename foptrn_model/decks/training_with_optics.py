"""Deck two, second half: precision, noise, and light inside the training of other networks."""

from __future__ import annotations

from foptrn_model import curves
from foptrn_model.compression_reference import AGC
from foptrn_model.decks.slide import (
    BigNumber,
    Bullets,
    Cite,
    Cited,
    Numbers,
    Paragraph,
    See,
    Slide,
    TableBlock,
)
from foptrn_model.decks.states import accuracy, live, opens, result, state, term
from foptrn_model.measured_runs import measured_runs
from foptrn_model.optical_dfa_presets import FILIPOVICH, LAUNAY, WANG
from foptrn_model.text import compact, duration, group_digits, percent, significant

SIMULATED = Cite("Simulated by the trainers explorer")
BAND = "band-low-1d256"
OPTICS, PLANES = "optics-1d256-enob", "-planes8-"
LYNSKEY = Cite("Beside ours: B. J. Lynskey, DeMo_Fixed_Band_Experiment (2026)")
FORMATS = {"BF16": "BF16", "E4M3": "FP8 E4M3", "E5M2": "FP8 E5M2", "E2M1": "FP4 E2M1"}
BIG_GPU = "gpu_W=700&gpu_memory_GB=80&gpu_memory_GBps=3350&gpu_tflops=67"
TOKENWISE = "batch=8&depth=24&errors_per_sample=1024&matrices_per_layer=12&width=2048"
OFFLOADED = "matrices_per_layer=3"


def formats_slide() -> Slide:
    """How precise must a gradient be?"""
    found = state("precision")
    enob = f"{found.params.enob:g}"
    formats = found.result.formats
    return Slide(
        title="How precise must a gradient be?",
        blocks=(
            TableBlock(
                head=("Format", "Error", "ENOB to match", f"Passes at ENOB {enob}"),
                rows=tuple(
                    (
                        label,
                        percent(formats[name].relative_rms),
                        significant(formats[name].enob_to_match),
                        group_digits(formats[name].passes_at_enob),
                    )
                    for name, label in FORMATS.items()
                ),
                caption=f"Gaussian gradients, medians over draws of "
                f"{group_digits(found.params.samples)} values",
            ),
            See((opens("precision"), term("gradient-formats", "Gradient formats"))),
        ),
        cites=(Cite("Measured by rounding samples, precision explorer"),),
        notes=(
            "Training already runs with coarse gradients, so ask what an analogue read-out must "
            "match.",
            f"FP8 E5M2 asks for {significant(formats['E5M2'].enob_to_match)} effective bits, BF16 "
            f"for {significant(formats['BF16'].enob_to_match)}.",
            "One more bit costs four passes of averaging.",
            "Spiky gradients ask for more: "
            f"{significant(result('precision', 'distribution=student-t').formats['E5M2'].enob_to_match)}"
            " bits for E5M2 with heavy tails.",
        ),
    )


def planes_slide() -> Slide:
    """Bit planes multiply the noise."""
    found = state("precision")
    emulated = found.result.plane_emulation
    return Slide(
        title="Bit planes multiply the noise",
        blocks=(
            Numbers(
                (
                    BigNumber(f"{significant(found.result.plane_noise_factor, 4)}\u00d7",
                              "noise of one pass, after recombining"),
                    BigNumber(percent(emulated.noiseless_relative_rms), "error without noise"),
                    BigNumber(percent(emulated.read_out_relative_rms),
                              f"error at ENOB {found.params.enob:g}"),
                )
            ),
            Paragraph(
                f"{group_digits(found.params.planes)} binary passes carry an integer, recombined "
                "with powers of two."
            ),
            See((opens("precision"), term("bit-planes", "Bit planes"))),
        ),
        cites=(Cite("Emulated by the precision explorer"),),
        notes=(
            "A fast modulator is binary, so a number enters as bit planes, one pass each.",
            "Each plane is read with the same noise, and the top plane counts most.",
            f"For {group_digits(found.params.planes)} planes the noise grows by "
            f"{significant(found.result.plane_noise_factor, 4)}.",
            f"An error of {percent(emulated.noiseless_relative_rms)} from rounding becomes "
            f"{percent(emulated.read_out_relative_rms)} with the read-out's noise.",
        ),
    )  # fmt: skip


def noise_slide() -> Slide:
    """A training loop tolerates noise."""
    ours, theirs = measured_runs().final, curves.published_curves()
    runs = {
        int(method.removeprefix(OPTICS).removesuffix(f"{PLANES}sent")): method
        for method in ours
        if method.startswith(OPTICS) and method.endswith(f"{PLANES}sent")
    }
    rows = []
    for enob, method in sorted(runs.items()):
        if enob == 0:  # no read-out noise, which was not published
            continue
        rows.append(
            (
                group_digits(enob),
                significant(ours[method].mean, 4),
                significant(theirs[method + AGC].loss[-1], 4),
            )
        )
    rows.append(("exact band", significant(ours[BAND].mean, 4),
                 significant(theirs[BAND].loss[-1], 4)))  # fmt: skip
    return Slide(
        title="A training loop tolerates noise",
        blocks=(
            TableBlock(
                head=("ENOB", "Our final loss", "Published"),
                rows=tuple(rows),
                caption="A fixed band through emulated optics, feedback of what was sent",
            ),
            See(
                (
                    opens("compression", "chunk=1d-256"),
                    opens("trainers", "gradient_offset=0.1", label="A bias instead"),
                    term("analogue-noise-in-training", "Noise in training"),
                )
            ),
        ),
        cites=(Cite("Ours: compression explorer, a small transformer"), LYNSKEY),
        notes=(
            "Here an analogue transform sits inside a real training run.",
            "Zero-mean noise averages out over steps: with more effective bits there is little to "
            "gain.",
            f"At ENOB {rows[0][0]} ours ends at {rows[0][1]}, at ENOB {rows[-2][0]} at "
            f"{rows[-2][1]}; "
            f"the exact band ends at {rows[-1][1]}.",
            "The two columns are different models on different texts, so compare down, not across. "
            "The published runs set their full scale anew as they went.",
            "A bias does not average out. The linked state shows it.",
        ),
    )


def feedback_loop_slide() -> Slide:
    """Optics inside a feedback loop."""
    ours, theirs = measured_runs().final, curves.published_curves()
    enob = state("compression", "chunk=1d-256").params.enob
    sent, exact = (f"{OPTICS}{enob:g}{PLANES}{word}" for word in ("sent", "exact"))
    diverged = [theirs[name].loss[-1] for name in theirs.methods if name.endswith("-exact")]
    return Slide(
        title="Optics inside a feedback loop",
        blocks=(
            Numbers(
                (
                    BigNumber(significant(ours[sent].mean, 4), "loss, subtracting what was sent",
                              "in-situ"),
                    BigNumber(significant(ours[exact].mean, 4), "loss, subtracting the exact band",
                              "in-silico"),
                )
            ),
            Paragraph("Subtract what the optics really sent, or their error becomes a bias."),
            See((opens("compression", "chunk=1d-256&feedback=exact"),
                 term("error-feedback", "Error feedback"))),
        ),
        cites=(Cite("Our runs, compression explorer"), LYNSKEY),
        notes=(
            "DeMo subtracts what it sent from its momentum. With analogue optics, what was sent is "
            "not what was meant.",
            f"Subtracting the exact band ends at {significant(ours[exact].mean, 4)}, subtracting "
            f"what was really sent at {significant(ours[sent].mean, 4)}.",
            f"All {group_digits(len(diverged))} published runs with the exact band diverged, to "
            f"losses from {significant(min(diverged), 2)} to {significant(max(diverged))}.",
            "It is the same lesson as in-situ training: close the loop around what the machine did.",
        ),
    )  # fmt: skip


def optical_dfa_slide() -> Slide:
    """Live: light that carries the error back."""
    return Slide(
        title="Live: light that carries the error back",
        blocks=(live("optical-dfa", plate="width"),),
        cites=(Cite(WANG),),
        notes=(
            "An optical processing unit multiplies by a huge random matrix that nobody stores.",
            "That is just what direct feedback alignment needs.",
            f"As it opens, the verdict is: {state('optical-dfa').verdict}",
            "The constants of the GPU are fitted to the published crossover, so its place is no "
            "check of the model. What moves it is the point.",
        ),
    )


def for_and_against_slide() -> Slide:
    """Optical DFA at scale, for and against."""
    offloaded, big = state("optical-dfa", OFFLOADED), state("optical-dfa", BIG_GPU)
    tokens = state("optical-dfa", TOKENWISE)
    gain = 1 / offloaded.result.optical_over_bp
    return Slide(
        title="Optical DFA at scale, for and against",
        look="sides",
        blocks=(
            Bullets(
                (f"{compact(gain)}\u00d7 faster than backpropagation once weights are offloaded",),
                title="For",
            ),
            Cited("Up to 1,500 TeraOPS under 30 W; models above 1 B parameters trained.", WANG),
            See((opens("optical-dfa", OFFLOADED, label="Offloaded"),
                 term("memory-wall", "Memory wall"))),
        ),
        beside=(
            Bullets(
                (
                    f"{compact(big.result.optical_over_bp)}\u00d7 slower on an "
                    f"{big.params.gpu_memory_GB:g} GB card",
                    f"{compact(tokens.result.optical_over_bp)}\u00d7 slower with an error per token",
                ),
                title="Against",
            ),
            Cited("No compute regime where DFA pays off for Transformers.", FILIPOVICH),
            Cited("MNIST: 95.8 % with light, 97.6 % on a GPU.", LAUNAY),
            See((opens("optical-dfa", BIG_GPU, label="Large card"),
                 opens("optical-dfa", TOKENWISE, label="Per token"))),
        ),
        notes=(
            "For: at the size where weights no longer fit, the optical matrices take no memory.",
            f"In that state: {offloaded.verdict}",
            f"Against, on a large card: {big.verdict}",
            f"Against, in a transformer: {tokens.verdict}",
            "The accuracies and the power are published figures, not ours.",
        ),
    )  # fmt: skip


def verdict_slide() -> Slide:
    """Verdict: train on the machine, and mind the bias."""
    step = result("optical-dfa").step_time_s
    return Slide(
        title="Verdict: train on the machine, and mind the bias",
        look="verdict",
        blocks=(
            Bullets(
                (
                    f"In situ reaches {accuracy('in-situ')} where a copied design reaches "
                    f"{accuracy('in-silico')}",
                    "Noise is tolerated, bias is not",
                    "In our model optical DFA wins by memory, not by speed",
                ),
                title="Known",
            ),
            Bullets(
                (
                    "In-situ training beyond small networks",
                    "Whether DFA trains large language models well",
                ),
                title="Not known",
            ),
            See(
                (
                    opens("trainers", label="Trainers"),
                    opens("precision", label="Precision"),
                    opens("compression", "chunk=1d-256&feedback=exact", label="Feedback"),
                    opens("optical-dfa", label="Optical DFA"),
                )
            ),
        ),
        cites=(SIMULATED,),
        notes=(
            "What a device measures of itself is worth more than any model of it.",
            "Inside a loop, zero-mean noise is cheap and a bias is fatal.",
            f"At the published crossover a step takes {duration(step['odfa'])} with light, "
            f"{duration(step['bp'])} by backpropagation and {duration(step['dfa'])} by DFA on the "
            "GPU.",
            "All our networks are small. What happens at scale is what others report, and they "
            "disagree.",
        ),
    )

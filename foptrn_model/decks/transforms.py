"""Deck one: transforms in training workloads."""

from __future__ import annotations

from foptrn_model.decks.slide import (
    BigNumber,
    Bullets,
    Cite,
    Deck,
    Diagram,
    Formula,
    Numbers,
    Paragraph,
    See,
    Slide,
)
from foptrn_model.decks.states import opens, result, state, term
from foptrn_model.decks.transforms_worth import (
    by_time_slide,
    conventions_slide,
    layer_major_slide,
    live_slide,
    masks_slide,
    table_slide,
    verdict_slide,
)
from foptrn_model.text import compact, group_digits, percent, si

CIRCULANT = "variant=block-circulant"
LEDGER = Cite("FLOP ledger of the Amdahl explorer")


def transforms_deck() -> Deck:
    """The deck, with every number taken from a result."""
    return Deck(
        number=1,
        title="Transforms in training workloads",
        question="How much of a training step is Fourier transforms and fixed masks?",
        slides=(
            _question(), _lens(), _six_n(), _correlation(), _three_passes(), _two_products(),
            table_slide(), live_slide(), by_time_slide(), masks_slide(), layer_major_slide(), conventions_slide(), verdict_slide(),
        ),
    )  # fmt: skip


def _question() -> Slide:
    hyena = state("amdahl")
    return Slide(
        title="How much of a training step could a lens take over?",
        look="question",
        blocks=(
            Paragraph(
                "A lens transforms for free. A step of training is far more than transforms.",
                lead=True,
            ),
        ),
        notes=(
            "A lens computes a two-dimensional Fourier transform in the time that light takes to "
            "pass it.",
            "The question of this deck is how much of a training step that could replace.",
            "We count floating-point operations, class by class, and ask which of them an engine "
            "could take whose masks are written once per optimizer step.",
            f"The example throughout is the shape of {hyena.params.shape_label} at "
            f"{group_digits(hyena.params.seq_len)} tokens.",
        ),
    )


def _lens() -> Slide:
    return Slide(
        title="Two lenses and a mask make a convolution",
        blocks=(
            Bullets(
                (
                    "The first lens transforms the input",
                    "A mask multiplies its spectrum",
                    "The second transforms again: the result is inverted",
                )
            ),
            See(
                (term("4f-system", "4f system"), term("convolution-theorem", "Convolution theorem"))
            ),
        ),
        beside=(
            Diagram(
                "fourf",
                "Input plane, lens, mask in the Fourier plane, lens, output plane, each a focal "
                "length apart.",
            ),
        ),
        cites=(Cite("J. W. Goodman, Introduction to Fourier Optics"),),
        notes=(
            "This is the engine: input plane, lens, mask, lens, output plane, each a focal length "
            "apart.",
            "In the plane of the mask every point is one frequency of the input.",
            "Multiplying there and transforming again is a convolution. A lens only transforms forward, "
            "so it comes out inverted.",
            "The filter is written on the mask. Who must write it anew, and how often, is half of "
            "the story.",
        ),
    )


def _six_n() -> Slide:
    found = result("amdahl", "variant=transformer")
    step = found.flop_per_token.step
    weights = found.matmul_params
    difference, ratio = step.dense - found.six_n_flop, compact(step.dense / weights, 1)
    return Slide(
        title="The 6N rule, reproduced",
        blocks=(
            Numbers(
                (
                    BigNumber(si(step.dense, "FLOP", 4), "matmuls, per token and step", "dense"),
                    BigNumber(f"{ratio} \u00d7 {si(weights, '', 4)}", "matmul weights", "dense"),
                    BigNumber(f"{group_digits(difference)} FLOP", "difference"),
                )
            ),
            Paragraph(f"Attention adds {si(step.attention, 'FLOP')}. The rule leaves it out."),
            See((opens("amdahl", "variant=transformer"), term("six-n-rule", "6N rule"))),
        ),
        cites=(Cite("Kaplan et al., arXiv 2001.08361"), LEDGER),
        notes=(
            "Before trusting a ledger, check it against a rule that everybody knows.",
            "Training costs two FLOP per weight and token forward, and four backward.",
            f"Our ledger counts {group_digits(step.dense)} FLOP for the matrix products of the "
            f"dense transformer; six times its {group_digits(weights)} matmul weights differs from "
            f"that by {group_digits(difference)}.",
            f"Causal attention is {percent(step.attention / step.total)} of this step, and is "
            "counted on top.",
        ),
    )


def _correlation() -> Slide:
    found = state("backward")
    error = compact(found.result.largest_gradient_error)
    return Slide(
        title="The gradient of a convolution is a correlation",
        blocks=(
            Formula("y = h \u2217 u", "forward: a convolution"),
            Formula(
                "\u2202L/\u2202u = IFFT(G \u00b7 conj H)", "to the input: the filter, conjugated"
            ),
            Formula(
                "\u2202L/\u2202h = IFFT(G \u00b7 conj U)", "to the filter: the signal, conjugated"
            ),
        ),
        beside=(
            BigNumber(error, "of the peak: largest difference from direct sums"),
            See((opens("backward"), term("gradient-of-a-convolution", "Why"))),
        ),
        cites=(Cite("Computed by the backward explorer"),),
        notes=(
            "Going backward through a convolution is a correlation, which in the Fourier plane is "
            "a product with a conjugated spectrum.",
            "There are two gradients: one to the input, which goes on to the layer below, and one "
            "to the filter, which is the update.",
            f"We computed both by FFT and by direct sums for {group_digits(found.params.n)} "
            f"samples; they agree to {error} of the peak.",
            f"Finite differences agree to {compact(found.result.checks.finite_difference)}.",
        ),
    )


def _three_passes() -> Slide:
    return Slide(
        title="Three passes through the same optics",
        blocks=(
            Bullets(
                (
                    "Forward: mask H",
                    "Input gradient: mask conj H",
                    "Filter gradient: mask conj U, new for every sequence",
                )
            ),
            See((opens("backward"), term("three-4f-passes", "Three passes"))),
        ),
        beside=(
            Diagram(
                "three-passes",
                "Three rows of input, lens, mask, lens and output. The masks are H, conj H and "
                "conj U; the third depends on the data.",
            ),
        ),
        notes=(
            "Each of the three products could be one pass through a 4f system.",
            "The first two masks are made of the weight: H, and its conjugate.",
            "They stay the same for the whole optimizer step.",
            "The third mask is the spectrum of the signal itself. It is another one for every "
            "sequence, so it would have to be written every time.",
        ),
    )


def _two_products() -> Slide:
    step = result("amdahl", CIRCULANT).flop_per_token.step
    masked, data = step.weight_masked / step.total, step.data_by_data / step.total
    return Slide(
        title="Weight-masked against data-by-data",
        blocks=(
            Numbers(
                (
                    BigNumber(percent(masked), "weight-masked: one mask per step", "weight-masked"),
                    BigNumber(percent(data), "data-by-data: one mask per sequence", "data-by-data"),
                    BigNumber(percent(step.transform / step.total), "transforms", "transform"),
                )
            ),
            Paragraph("Shares of a training step with block-circulant weights."),
            See(
                (
                    opens("amdahl", CIRCULANT),
                    term("weight-masked-and-data-by-data", "The two products"),
                )
            ),
        ),
        cites=(LEDGER, Cite("Block-circulant weights: Ding et al., arXiv 1708.08917")),
        notes=(
            "So products in the Fourier plane come in two kinds.",
            f"Weight-masked products are {percent(masked)} of the step in the most favourable "
            f"architecture we have, and data-by-data products {percent(data)}.",
            "An engine that writes its masks once per step can take the first kind and the "
            "transforms.",
            "The second kind stays digital. Block-circulant weights at this scale are speculative.",
        ),
    )

"""Deck two: optical backpropagation and in-situ training."""

from __future__ import annotations

from foptrn_model.decks.slide import (
    BigNumber,
    Bullets,
    Cite,
    Cited,
    Deck,
    Diagram,
    Formula,
    Numbers,
    Paragraph,
    See,
    Slide,
)
from foptrn_model.decks.states import accuracy, live, opens, result, state, term
from foptrn_model.decks.training_with_optics import (
    feedback_loop_slide,
    for_and_against_slide,
    formats_slide,
    noise_slide,
    optical_dfa_slide,
    planes_slide,
    verdict_slide,
)
from foptrn_model.text import compact, group_digits

SIMULATED = Cite("Simulated by the trainers explorer")


def training_deck() -> Deck:
    """The deck, with every number taken from a result."""
    return Deck(
        number=2,
        title="Optical backpropagation and in-situ training",
        question="Can a network of light be trained, and can light train a network?",
        slides=(
            _question(), _gap(), _adjoint(), _demonstrated(), _physics_aware(), _alignment(),
            _live(), formats_slide(), planes_slide(), noise_slide(), feedback_loop_slide(), optical_dfa_slide(),
            for_and_against_slide(), verdict_slide(),
        ),
    )  # fmt: skip


def _question() -> Slide:
    return Slide(
        title="Can a network of light be trained on itself?",
        look="question",
        blocks=(
            Paragraph(
                "No device matches its model. What should training trust: the model, the machine, "
                "or both?",
                lead=True,
            ),
        ),
        notes=(
            "This deck has two halves.",
            "The first asks how an optical network is trained although it is never quite what was "
            "designed.",
            "The second asks whether light can do part of the training of an ordinary network.",
            "All accuracies are simulated by this app, some in runs stored beforehand; what others "
            "measured is cited.",
        ),
    )


def _gap() -> Slide:
    found = state("trainers")
    return Slide(
        title="Trained on a model, deployed on a machine",
        blocks=(
            Numbers(
                (
                    BigNumber(accuracy("in-silico", model=True), "on the model", "in-silico"),
                    BigNumber(accuracy("in-silico"), "on the machine", "in-silico"),
                )
            ),
            Paragraph(
                f"Phases off by {found.params.phase_error_rad:g} rad: the reality gap. Median of "
                f"{group_digits(found.params.seeds)} devices."
            ),
            See((opens("trainers"), term("reality-gap", "Reality gap"))),
        ),
        cites=(SIMULATED,),
        notes=(
            "In-silico training optimises a model and copies the phases to the hardware.",
            f"The machine is {group_digits(found.params.layers)} meshes of interferometers with "
            f"{group_digits(found.params.resolved()['ports'])} ports, and its phases are off by "
            f"{found.params.phase_error_rad:g} rad at random.",
            f"The model classifies {accuracy('in-silico', model=True)} rightly, the device "
            f"{accuracy('in-silico')}.",
            "More training on the same model does not help: it does not know what is wrong.",
        ),
    )


def _adjoint() -> Slide:
    checks = state("trainers").result.trainers["in-situ"].gradient_cosine
    return Slide(
        title="The adjoint method: send the error backward",
        blocks=(
            Formula(
                "\u2202L/\u2202\u03c6 = \u00bd (|f \u2212 ia|\u00b2 \u2212 |f|\u00b2 \u2212 |a|\u00b2)",
                "forward field f, adjoint field a",
            ),
            Bullets(
                (
                    "A reciprocal device carries light both ways",
                    "The error, sent in at the output, becomes the adjoint field",
                )
            ),
            See((term("in-situ-backpropagation", "In-situ backpropagation"),)),
        ),
        beside=(
            BigNumber(
                compact(checks[0], 4),
                "cosine with the device's true gradient, first step",
                "in-situ",
            ),
        ),
        cites=(Cite("Hughes et al., Optica 5, 864 (2018)"), SIMULATED),
        notes=(
            "Backpropagation needs the transposed network. A reciprocal device is its own "
            "transpose, if light enters from the other end.",
            "The gradient in a phase is where the two fields interfere at that phase shifter: half of "
            "what the power of both exceeds the power of each.",
            "It is the gradient of the device itself, with all its errors.",
            f"Measured with noise, its cosine with the true gradient is {compact(checks[0], 4)} at "
            f"the first step and {compact(checks[-1], 4)} at the last.",
        ),
    )


def _demonstrated() -> Slide:
    return Slide(
        title="In situ: the gradient as an interference",
        blocks=(
            BigNumber(accuracy("in-situ"), "on the machine, trained by interference", "in-situ"),
            Cited(
                "Demonstrated on a chip: three layers, four ports, over 94 % test accuracy.",
                "Pai et al., Science 380, 398 (2023)",
            ),
            See((opens("trainers", "phase_error_rad=0.05&task=rings", label="That chip's size"),)),
        ),
        beside=(
            Diagram(
                "interference",
                "Forward light enters a mesh from the left, the error from the right. Detectors "
                "at the phase shifters read their interference.",
            ),
        ),
        cites=(SIMULATED,),
        notes=(
            "Fields cannot be read directly, powers can.",
            "Three powers per phase shifter are enough: forward alone, adjoint alone, and both "
            "together.",
            f"On our imperfect devices this reaches {accuracy('in-situ')}, where the copied "
            f"design reached {accuracy('in-silico')}.",
            "The experiment of Pai and colleagues did this on a silicon chip. It needs a detector "
            "at every phase, and no loss.",
        ),
    )


def _physics_aware() -> Slide:
    return Slide(
        title="Physics-aware: real forward, modelled backward",
        blocks=(
            BigNumber(accuracy("physics-aware"), "on the machine", "physics-aware"),
            Bullets(
                (
                    "The machine computes, so the loss is true",
                    "A digital twin supplies the slopes",
                )
            ),
            See((opens("trainers", "phase_error_rad=0.1"),
                 term("physics-aware-training", "Physics-aware training"))),
        ),
        beside=(
            Diagram(
                "physics-aware",
                "A loop: input to the machine, its output to the loss, the error to a digital twin "
                "that uses the measured inputs, its gradient to the parameters of the machine.",
            ),
        ),
        cites=(Cite("Wright et al., Nature 601, 549 (2022)"), SIMULATED),
        notes=(
            "Physics-aware training needs no light that runs backward.",
            "The forward pass is the machine's own, and the backward pass is a model's, taken at "
            "the inputs that the machine measured.",
            f"Here it reaches {accuracy('physics-aware')}.",
            "If the twin is far off, its slopes mislead.",
        ),
    )  # fmt: skip


def _alignment() -> Slide:
    cosine = result("trainers").trainers["feedback-alignment"].gradient_cosine
    return Slide(
        title="Feedback alignment: a random way back",
        blocks=(
            BigNumber(accuracy("feedback-alignment"), "on the machine", "feedback-alignment"),
            Paragraph(
                f"Cosine with the true gradient: {compact(cosine[0], 2)} at first, "
                f"{compact(cosine[-1], 2)} at the end. Tiny networks flatter it."
            ),
            See((opens("trainers"), term("direct-feedback-alignment", "Feedback alignment"))),
        ),
        beside=(
            Diagram(
                "feedback-alignment",
                "Left, backpropagation: the error passes every layer on its way back. Right, "
                "feedback alignment: the output layer gets the true error, and each hidden layer gets "
                "it at once through a fixed random matrix.",
            ),
        ),
        cites=(
            Cite("N\u00f8kland, arXiv 1609.01596; Launay et al., arXiv 2006.12878"),
            SIMULATED,
        ),
        notes=(
            "The output layer gets the true error. Every hidden layer gets it at once, through one fixed "
            "random matrix each.",
            "At first that direction has nothing to do with the gradient.",
            "In training the forward weights turn so that it does: the cosine grows from "
            f"{compact(cosine[0], 2)} to {compact(cosine[-1], 2)}.",
            "A network of a few ports has few directions, so aligning is easy here. It is no proof "
            "for large networks.",
        ),
    )


def _live() -> Slide:
    return Slide(
        title="Live: four ways to train one machine",
        blocks=(live("trainers", plate="accuracy"),),
        notes=(
            "The same imperfect devices, trained in four ways.",
            "Raise the phase error and run again: a run takes a second or two.",
            f"As it opens, the verdict is: {state('trainers').verdict}",
            "Look at the cosines to see why: who measures the gradient keeps the true direction.",
        ),
    )

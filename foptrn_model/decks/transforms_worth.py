"""Deck one, second half: what a free engine would be worth, and what it costs."""

from __future__ import annotations

from foptrn_model.decks.slide import (
    BigNumber,
    Bullets,
    Cite,
    Numbers,
    Paragraph,
    See,
    Slide,
    TableBlock,
)
from foptrn_model.decks.states import LAYER_MAJOR, PIPELINING, live, opens, result, state, term
from foptrn_model.text import compact, duration, group_digits, percent, si, speed_up

CIRCULANT = "variant=block-circulant"
BY_TIME = "fft_rate=0.0625&variant=block-circulant"
VARIANTS = {
    "Transformer": "variant=transformer",
    "Hyena-2": "",
    "Hybrid": "variant=hybrid",
    "Block-circulant": CIRCULANT,
}
CONVENTIONS = {
    "megatron": "Megatron-LM: causal attention",
    "full_attention": "Full attention",
    "palm_all": "PaLM, all parameters",
    "palm_blocks": "PaLM, blocks only",
    "six_n_all": "6N, all parameters",
    "six_n_no_input_embedding": "6N, no input embedding",
    "six_n_blocks": "6N, blocks only",
}
LEDGER = Cite("FLOP ledger of the Amdahl explorer")
AMDAHL = Cite("G. M. Amdahl, AFIPS Spring Joint Computer Conference (1967)")


def table_slide() -> Slide:
    """What a free engine would be worth."""
    params = state("amdahl").params
    rows = []
    for name, query in VARIANTS.items():
        found = result("amdahl", query)
        rows.append(
            (
                name,
                percent(found.static_share),
                f"{speed_up(found.amdahl_bound)}\u00d7",
                percent(found.forward_share),
            )
        )
    return Slide(
        title="What a free engine would be worth",
        blocks=(
            TableBlock(
                head=("Model", "Static share", "Bound on the step", "Forward only"),
                rows=tuple(rows),
                caption=f"Shape of {params.shape_label}, {group_digits(params.seq_len)} tokens",
            ),
            See((opens("amdahl", CIRCULANT), term("static-share", "Static share"))),
        ),
        cites=(AMDAHL, LEDGER),
        notes=(
            "The static share is what an engine could take with masks written once per step.",
            "If that part took no time at all, the step would become one over one minus the share "
            "times faster.",
            f"Hyena-2: {rows[1][1]} of the step, at most {rows[1][2]}. Block-circulant: "
            f"{rows[-1][1]}, at most {rows[-1][2]}.",
            "Training is worse for the optics than inference, since the backward pass adds work "
            "that it cannot take.",
        ),
    )  # fmt: skip


def live_slide() -> Slide:
    """Live: change the assumptions."""
    found = state("amdahl", CIRCULANT)
    return Slide(
        title="Live: change the assumptions",
        blocks=(live("amdahl", CIRCULANT, plate="length"),),
        notes=(
            "This is the explorer itself, in the most favourable state.",
            "Change the variant to Hyena and watch the verdict.",
            "Drag the sequence length: the share grows by steps, because the transforms are padded "
            "to the next power of two.",
            f"As it opens, the verdict is: {found.verdict}",
        ),
    )


def by_time_slide() -> Slide:
    """Counting time instead of FLOP is kinder."""
    found = state("amdahl", BY_TIME)
    rate = group_digits(found.params.fft_rate)
    return Slide(
        title="Counting time instead of FLOP is kinder",
        blocks=(
            Numbers(
                (
                    BigNumber(percent(found.result.static_share), "of the FLOP", "transform"),
                    BigNumber(
                        percent(found.result.time_weighted_share), "of the time", "transform"
                    ),
                    BigNumber(
                        f"{speed_up(found.result.time_weighted_bound)}\u00d7", "bound on the step"
                    ),
                )
            ),
            Paragraph(
                f"Block-circulant weights. Assumed: the static part, transforms and weight-masked "
                f"products, at {rate} of the matmul rate, all else at the full rate."
            ),
            See((opens("amdahl", BY_TIME), term("amdahl-law", "By FLOP and by time"))),
        ),
        cites=(AMDAHL, LEDGER),
        notes=(
            "A fair objection: transforms on a GPU do not run at the rate of matrix products.",
            f"If they and the weight-masked products run at {rate} of it, and data-by-data products "
            f"at the full rate, the same FLOP take {percent(found.result.time_weighted_share)} of the time.",
            "Then the bound looks quite different. What the rate applies to is an assumption, and so is "
            "the rate itself, which is a slider.",
            f"For Hyena-2 the bound by time at this rate is "
            f"{speed_up(result('amdahl', 'fft_rate=0.0625').time_weighted_bound)}.",
        ),
    )


def masks_slide() -> Slide:
    """Every step makes every mask stale."""
    found = state("masks")
    return Slide(
        title="Every step makes every mask stale",
        blocks=(
            Numbers(
                (
                    BigNumber(group_digits(found.result.frames_per_step), "frames a step",
                              "weight-masked"),
                    BigNumber(duration(found.result.mask_time_s), "to write them",
                              "weight-masked"),
                    BigNumber(duration(found.result.digital_step_time_s), "to compute the step",
                              "dense"),
                )
            ),
            Paragraph(
                f"{found.params.slm_megapixels:g} megapixels at "
                f"{group_digits(found.params.frame_rate_hz)} Hz, beside "
                f"{group_digits(found.params.gpus)} GPUs."
            ),
            See((opens("masks"), term("mask-rewrites", "Mask rewrites"))),
        ),
        cites=(Cite("Schedule of the masks explorer; device rates illustrative"),),
        notes=(
            "An engine for inference writes its masks once. In training, each optimizer step "
            "changes the weights.",
            f"Hyena-2 needs {group_digits(found.result.mask_values_forward)} mask values for one "
            "forward pass, and as many for the backward pass.",
            f"As it opens, the verdict is: {found.verdict}",
            "One complex value per pixel is optimistic.",
        ),
    )  # fmt: skip


def layer_major_slide() -> Slide:
    """Layer-major order: one write serves the step."""
    found = state("masks")
    other = result("masks", "order=sequence-major")
    return Slide(
        title="Layer-major order: one write serves the step",
        blocks=(
            Numbers(
                (
                    BigNumber(duration(found.result.mask_time_s), "mask time, layer-major",
                              "weight-masked"),
                    BigNumber(duration(other.mask_time_s), "a mask per sequence", "data-by-data"),
                )
            ),
            Paragraph(
                f"Its price: {si(found.result.activation_bytes_layer_major, 'B')} of activations "
                "stay alive."
            ),
            See((opens("masks", "order=sequence-major"),
                 term("layer-major-scheduling", "Layer-major"))),
        ),
        beside=(LAYER_MAJOR,),
        cites=(PIPELINING,),
        notes=(
            "The only bearable order sends all sequences of the step through one layer before the "
            "next mask is written.",
            f"Otherwise the masks would be written for each of the "
            f"{group_digits(found.params.sequences_per_step)} sequences.",
            "The price is memory: the activations of every sequence stay alive.",
            f"A stage of a pipeline would hold {si(found.result.activation_bytes_pipeline, 'B')}.",
        ),
    )  # fmt: skip


def conventions_slide() -> Slide:
    """The same step, seven ways to count it."""
    counted = result("amdahl").conventions
    params = state("amdahl").params
    values = {label: getattr(counted, field) for field, label in CONVENTIONS.items()}
    span = max(values.values()) / min(values.values())
    return Slide(
        title="The same step, seven ways to count it",
        blocks=(
            TableBlock(
                head=("Convention", "FLOP per token"),
                rows=tuple((label, group_digits(value)) for label, value in values.items()),
                caption=f"Dense transformer, {params.shape_label}, "
                f"{group_digits(params.seq_len)} tokens",
            ),
        ),
        beside=(
            BigNumber(f"{compact(span)}\u00d7", "between the largest and the smallest"),
            See((opens("amdahl", "", label="All conventions"),)),
        ),
        cites=(Cite("Kaplan et al., arXiv 2001.08361; PaLM, arXiv 2204.02311, appendix B"),),
        notes=(
            "When two papers disagree on a share, look first at what they divide by.",
            "They differ in whether attention is halved by the causal mask, and in what N counts.",
            f"For one and the same step the count varies by a factor of {compact(span)}.",
            "We use the first line, and count the diagonal of attention as well.",
        ),
    )


def verdict_slide() -> Slide:
    """Verdict: a small part, and it must be rewritten."""
    hyena, circulant = result("amdahl"), result("amdahl", CIRCULANT)
    by_time = result("amdahl", BY_TIME)
    rate = group_digits(state("amdahl", BY_TIME).params.fft_rate)
    return Slide(
        title="Verdict: a small part, and it must be rewritten",
        look="verdict",
        blocks=(
            Bullets(
                (
                    f"By FLOP at most {speed_up(hyena.amdahl_bound)}\u00d7 for Hyena-2, "
                    f"{speed_up(circulant.amdahl_bound)}\u00d7 block-circulant",
                    f"By time up to {speed_up(by_time.time_weighted_bound)}\u00d7, if the "
                    f"static part runs at {rate} of the matmul rate (assumed)",
                ),
                title="Known",
            ),
            Bullets(
                (
                    "Whether block-circulant weights train well at this scale",
                    "The real rates of transforms and masked products",
                ),
                title="Not known",
            ),
            See(
                (
                    opens("amdahl", label="Hyena-2"),
                    opens("amdahl", CIRCULANT, label="Block-circulant"),
                    opens("amdahl", BY_TIME, label="By time"),
                    opens("masks", label="Masks"),
                )
            ),
        ),
        cites=(LEDGER,),
        notes=(
            f"For a long-convolution model the transforms are {percent(hyena.static_share)} of the "
            "step, which settles the matter by FLOP.",
            f"With block-circulant weights it would be {percent(circulant.static_share)}, but "
            "we know of no large language model trained with them.",
            f"By time the answer hangs on one assumed rate, {rate} for transforms and weight-masked "
            "products alike with data-by-data products at the full rate, and on masks that are stale "
            "after every step.",
            "A camera reads power and loses the output's phase; bringing it back takes a reference "
            "beam and more exposures.",
            "That is left out here, as are conversion, losses, alignment. They can only lower the "
            "bound.",
        ),
    )

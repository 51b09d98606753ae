"""The Amdahl result in words: verdict and working."""

from __future__ import annotations

from foptrn_model.amdahl import AmdahlParams, AmdahlResult
from foptrn_model.architecture import CUSTOM, variant_name
from foptrn_model.ledger import DEMO_FLOP_PER_PARAMETER, padded_length
from foptrn_model.shapes import PRESETS
from foptrn_model.text import group_digits, percent, si, speed_up
from foptrn_model.working import Assumption, Step, Working

CLASS_LABELS = {
    "dense": "Dense",
    "attention": "Attention",
    "transform": "Transform",
    "weight_masked": "Weight-masked",
    "data_by_data": "Data-by-data",
    "other": "Other",
}

UNIT = "FLOP/token"
LEDGER_SOURCE = "FLOP ledger of this explorer, by the conventions under Assumptions"
AMDAHL_SOURCE = "G. M. Amdahl, AFIPS Spring Joint Computer Conference (1967)"


def amdahl_verdict(params: AmdahlParams, result: AmdahlResult) -> str:
    """One sentence that answers the question in this state."""
    shape = "a custom shape" if params.shape == CUSTOM else f"the shape of {params.shape_label}"
    where = f"in {shape} at {group_digits(params.seq_len)} tokens"
    if result.static_share == 0:
        return (
            f"An optical Fourier engine would make this step no faster: a transformer "
            f"{where} has no transform to hand over."
        )
    sentence = (
        f"Even a free optical engine would make this step at most "
        f"{speed_up(result.time_weighted_bound)}\u00d7 faster: it could take "
        f"{percent(result.static_share)} of the FLOP of {variant_name(params)} {where}"
    )
    if params.fft_rate < 1:
        sentence += (
            f", which is {percent(result.time_weighted_share)} of the time when that work "
            f"runs at {group_digits(params.fft_rate)} of the dense rate"
        )
    return sentence + "."


def amdahl_working(params: AmdahlParams, result: AmdahlResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    step, forward = result.flop_per_token.step, result.flop_per_token.forward
    share, rate = percent(result.static_share), group_digits(params.fft_rate)
    steps = [
        Step(
            name="Static share of the step",
            formula="s = (transform + weight-masked) / total",
            substituted=f"({si(step.transform)} + {si(step.weight_masked)}) / {si(step.total)}",
            value=share,
            source=LEDGER_SOURCE,
            glossary="static-share",
        ),
        Step(
            name="Bound on the speed-up, by FLOP",
            formula="1 / (1 \u2212 s)",
            substituted=f"1 / (1 \u2212 {result.static_share:.6g})",
            value=f"{speed_up(result.amdahl_bound)}\u00d7",
            source=AMDAHL_SOURCE,
            glossary="static-share",
        ),
        Step(
            name="Share of the time",
            formula="(s / r) / (s / r + 1 \u2212 s)",
            substituted=f"s = {share}, r = {rate}",
            value=percent(result.time_weighted_share),
            source="the same law with the static classes at r of the dense rate",
        ),
        Step(
            name="Bound on the speed-up, by time",
            formula="1 / (1 \u2212 time share)",
            substituted=f"1 / (1 \u2212 {result.time_weighted_share:.6g})",
            value=f"{speed_up(result.time_weighted_bound)}\u00d7",
            source=AMDAHL_SOURCE,
        ),
        Step(
            name="Static share of the forward pass alone",
            formula="(transform + weight-masked) / total, forward",
            substituted=f"({si(forward.transform)} + {si(forward.weight_masked)})"
            f" / {si(forward.total)}",
            value=percent(result.forward_share),
            source=LEDGER_SOURCE,
            glossary="optical-share-at-inference",
        ),
        Step(
            name="6N rule",
            formula="6 \u00d7 stored matrix weights",
            substituted=f"6 \u00d7 {group_digits(result.matmul_params)}",
            value=f"{si(result.six_n_flop, UNIT)}; dense class {si(step.dense, UNIT)}",
            source="Kaplan et al., arXiv 2001.08361, sec. 2.1",
            glossary="six-n-rule",
        ),
        Step(
            name="Padded length of a long convolution",
            formula="n = 2^\u2308log\u2082(2L)\u2309",
            substituted=f"L = {group_digits(params.seq_len)}",
            value=group_digits(float(padded_length(params.seq_len))),
            source="zero padding keeps the convolution causal",
            glossary="long-convolution",
        ),
        Step(
            name="DeMo's transforms as a share of the step",
            formula=f"{DEMO_FLOP_PER_PARAMETER} \u00d7 stored parameters / tokens per step / total",
            substituted=f"{DEMO_FLOP_PER_PARAMETER} \u00d7 {si(result.total_params)} / "
            f"{group_digits(params.tokens_per_step)} / {si(step.total)}",
            value=percent(result.demo_share),
            source="DCT and inverse on 64\u00d764 chunks (Peng et al., DeMo, arXiv 2411.19870)",
            glossary="demo",
        ),
    ]
    return Working(steps=steps, assumptions=_assumptions(params), sources=_sources(params))


def _assumptions(params: AmdahlParams) -> list[Assumption]:
    listed = [
        Assumption(
            kind="generous",
            text="The engine takes no time, no energy and converts nothing: the bound is an upper "
            "limit, not a forecast. Rewriting its masks is not charged here.",
        ),
        Assumption(
            kind="convention",
            text="A product (m\u00d7k)(k\u00d7n) is 2mnk FLOP, a real transform "
            f"{group_digits(params.fft_constant)} n log\u2082 n, a complex product 6, a complex sum 2; "
            "backward of a matrix product or of attention is twice its forward.",
        ),
        Assumption(
            kind="convention",
            text="Softmax, norms, activations and the product inside SwiGLU are not counted; "
            "causal attention counts the diagonal; the head is dense in every variant.",
        ),
        Assumption(
            kind="convention",
            text="Products of two spectra that both depend on the sample (weight gradients) need "
            "a new mask per sequence, so they stay digital: data-by-data.",
        ),
    ]
    if params.variant != "transformer":
        listed.append(
            Assumption(
                kind="convention",
                text="Work once per step is spread over the batch and vanishes per token: spectra "
                "of weights, the inverse transforms of their gradients. The sum that "
                "accumulates a long filter's gradient (two FLOP per product) is left out; the "
                "implicit filters' own network is counted neither as work nor as parameters.",
            )
        )
    if params.variant == "block-circulant":
        listed.append(
            Assumption(
                kind="speculative",
                text="No language model of this size has been trained with block-circulant "
                "projections; what they would cost in quality is unknown.",
            )
        )
    if params.learned_beyond:
        listed.append(
            Assumption(
                kind="illustrative",
                text=f"{params.shape_label} learned positions up to "
                f"{group_digits(params.model_shape.learned_positions)} only; a longer sequence "
                "shows what the arithmetic would cost.",
            )
        )
    return listed


def _sources(params: AmdahlParams) -> list[str]:
    listed = [
        "E. Poli et al., Hyena Hierarchy, arXiv 2302.10866",
        "C. Ding et al., CirCNN (block-circulant weights), arXiv 1708.08917",
        "D. Narayanan et al., Megatron-LM, arXiv 2104.04473, and num_floating_point_operations",
    ]
    if params.shape in PRESETS:
        listed.insert(0, PRESETS[params.shape].source)
    return listed

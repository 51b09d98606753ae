"""The backward result in words: verdict and working."""

from __future__ import annotations

from foptrn_model.backward import (
    BLOCK,
    BLOCK_COLS,
    BLOCK_ROWS,
    PAIRS,
    SIGMAS,
    STEP_OVER_PEAK,
    BackwardResult,
)
from foptrn_model.backward_params import BackwardParams
from foptrn_model.backward_planes import SIDE, TAPS
from foptrn_model.convolution import noise_rule
from foptrn_model.text import compact, group_digits, percent
from foptrn_model.working import Assumption, Step, Working

HERE = "computed by this explorer"
THEOREM = "J. W. Goodman, Introduction to Fourier Optics, 3rd ed., sec. 2.1; convolution theorem"
CALCULUS = "derived: the chain rule on y[t] = \u03a3 h[s] u[t \u2212 s]"

COMPARED = {
    "forward": "y by FFT with direct causal sums",
    "input_gradient": "dX by FFT with direct correlation of g and h",
    "filter_gradient": "dH by FFT with direct correlation of g and u",
    "finite_difference": "dX and dH with central differences of the loss",
    "future_leak": "y[0 \u2026 n \u2212 2] before and after a kick to the last input",
    "adjoint": "\u27e8A a, b\u27e9 with \u27e8a, A\u1d34 b\u27e9 for random a and b",
    "block_circulant": "y, dX and dW by FFT with the dense matrix",
}
PLANE_COMPARED = {
    "forward": "the picture y by 2-D FFT with direct sums",
    "input_gradient": "the picture dX by 2-D FFT with direct sums",
    "filter_gradient": "the kernel's gradient by 2-D FFT with direct sums",
}
CHECK_LABELS = {
    "forward": "Forward",
    "input_gradient": "Input gradient",
    "filter_gradient": "Filter gradient",
    "finite_difference": "Finite differences",
    "future_leak": "Future leak",
    "adjoint": "Adjoint identity",
    "block_circulant": "Block-circulant",
}


def backward_verdict(params: BackwardParams, result: BackwardResult) -> str:
    """One sentence that answers the question in this state."""
    checks = result.checks
    worst = compact(result.largest_gradient_error)
    if not params.padding:
        if checks.future_leak > result.bounds.future_leak:
            rest = (
                "read-out noise included."
                if params.enob
                else "though they agree with finite differences to "
                f"{compact(checks.finite_difference)}: right for the wrong layer."
            )
            return (
                f"Without padding the layer wraps around: a kick to the last input moves earlier "
                f"outputs by {percent(checks.future_leak)} of the peak, and the gradients are off "
                f"by up to {percent(result.largest_gradient_error)}, {rest}"
            )
        hidden = "read-out noise" if params.enob else "rounding"
        bound = max(result.bounds.input_gradient, result.bounds.filter_gradient)
        rest = (
            f"yet the gradients are off by up to {percent(result.largest_gradient_error)}: the "
            "filter gradient counts ways around that a causal layer does not have"
            if result.largest_gradient_error > bound
            else f"and both gradients match direct correlation to {worst} of the peak"
        )
        return (
            f"Without padding a kick to the last input moves earlier outputs by {hidden} alone "
            f"here ({compact(checks.future_leak)} of the peak), {rest}."
        )
    where = (
        f", on {group_digits(result.outputs_compared)} random outputs,"
        if result.direct_on_subset
        else ""
    )
    if params.enob:
        return (
            f"Read at ENOB {group_digits(params.enob)}, both gradients are off direct "
            f"correlation{where} by up to {worst} of the peak: read-out noise, "
            f"{compact(result.readout.expected_rms)} RMS by the rule, "
            f"{compact(result.readout.measured_rms)} found; the mask of the filter gradient is "
            "still new for every sequence."
        )
    return (
        f"Yes: both gradients by FFT match direct correlation{where} to {worst} of the peak and "
        f"finite differences to {compact(checks.finite_difference)}; the input gradient's mask is "
        "the weight's own, conj H, but the filter gradient's, conj U, is new for every sequence."
    )


def backward_working(params: BackwardParams, result: BackwardResult) -> Working:
    """Formulas, this state's numbers in them, assumptions and sources."""
    return Working(
        steps=[
            *_pass_steps(params, result),
            *_check_steps(params, result),
            *_plane_steps(params, result),
            *_readout_steps(params, result),
        ],
        assumptions=_assumptions(params, result),
        sources=[
            "J. W. Goodman, Introduction to Fourier Optics, 3rd ed., secs. 2.1, 5.2 and 8.1",
            "M. Poli et al., Hyena Hierarchy, arXiv 2302.10866 (long causal convolutions by FFT)",
            "C. Ding et al., CirCNN, arXiv 1708.08917 (block-circulant weights)",
            "R. H. Walden, IEEE J. Sel. Areas Commun. 17, 539 (1999) (effective bits)",
        ],
    )


def _bound(value: float, bound: float) -> str:
    relation = "\u2264" if value <= bound else "> allowed"
    return f"{compact(value)} {relation} {compact(bound)}"


def _pass_steps(params: BackwardParams, result: BackwardResult) -> list[Step]:
    length, outputs = group_digits(result.fft_length), group_digits(result.outputs_compared)
    of = (
        f"{outputs} random of {group_digits(params.n)} outputs"
        if result.direct_on_subset
        else f"all {outputs} outputs"
    )
    formulas = {
        "forward": (
            "y = IFFT(U \u00b7 H)[0 \u2026 n \u2212 1] against y[t] = \u03a3 h[s] u[t \u2212 s]",
            THEOREM,
            "convolution-theorem",
        ),
        "input_gradient": (
            "dX = IFFT(G \u00b7 conj H)[0 \u2026 n \u2212 1] against dX[s] = \u03a3 g[t] h[t \u2212 s]",
            CALCULUS,
            "gradient-of-a-convolution",
        ),
        "filter_gradient": (
            "dH = IFFT(G \u00b7 conj U)[0 \u2026 n \u2212 1] against dH[s] = \u03a3 g[t] u[t \u2212 s]",
            CALCULUS,
            "gradient-of-a-convolution",
        ),
    }
    return [
        Step(
            name=f"{CHECK_LABELS[name]} against direct sums",
            formula=formula,
            substituted=f"n = {group_digits(params.n)}, FFTs of {length}, {of}; largest "
            "difference over the peak",
            value=_bound(getattr(result.checks, name), getattr(result.bounds, name)),
            source=source,
            glossary=glossary,
        )
        for name, (formula, source, glossary) in formulas.items()
    ]


def _check_steps(params: BackwardParams, result: BackwardResult) -> list[Step]:
    checks, bounds, length = result.checks, result.bounds, group_digits(result.fft_length)
    return [
        Step(
            name="Both gradients against finite differences",
            formula="(\u2113(x + \u03b5) \u2212 \u2113(x \u2212 \u03b5)) / 2\u03b5, "
            "\u2113 = \u00bd \u03a3 (y \u2212 target)\u00b2",
            substituted=f"{result.coordinates_compared} random coordinates of u and h, \u03b5 = "
            f"{compact(STEP_OVER_PEAK)} of the largest value; over the gradient's peak",
            value=_bound(checks.finite_difference, bounds.finite_difference),
            source="central differences through the layer as it is, wrapped or not",
            glossary="gradient-of-a-convolution",
        ),
        Step(
            name="Leak of the future into the past",
            formula="max |y\u2032[t] \u2212 y[t]| / max |y|, t < n \u2212 1, after u[n \u2212 1] is "
            "raised by max |u|",
            substituted=f"n = {group_digits(params.n)}, FFTs of {length}"
            + ("" if params.padding else ", which wraps"),
            value=_bound(checks.future_leak, bounds.future_leak),
            source=HERE,
            glossary="padding-and-causality",
        ),
        Step(
            name="Adjoint identity",
            formula="|\u27e8A a, b\u27e9 \u2212 \u27e8a, A\u1d34 b\u27e9| / (\u2016A a\u2016 "
            "\u2016b\u2016)",
            substituted=f"{PAIRS} pairs of random vectors of {group_digits(params.n)}; A "
            "multiplies by H, A\u1d34 by conj H",
            value=_bound(checks.adjoint, bounds.adjoint),
            source="definition of the adjoint; the backward pass is A\u1d34",
            glossary="gradient-of-a-convolution",
        ),
        Step(
            name="Block-circulant layer against its dense matrix",
            formula="y = W x, dX = W\u1d40 g, dW[d] = \u03a3 g[i] x[(i \u2212 d) mod k], each also "
            "by FFT of length k",
            substituted=f"{BLOCK_ROWS} \u00d7 {BLOCK_COLS} blocks, k = {BLOCK}: a "
            f"{BLOCK_ROWS * BLOCK} \u00d7 {BLOCK_COLS * BLOCK} matrix; worst of the three over "
            "the peak",
            value=_bound(checks.block_circulant, bounds.block_circulant),
            source="Ding et al., arXiv 1708.08917",
            glossary="block-circulant-weights",
        ),
    ]


def _plane_steps(params: BackwardParams, result: BackwardResult) -> list[Step]:
    checks, bounds = result.plane_checks, result.plane_bounds
    worst = max(("forward", "input_gradient", "filter_gradient"),
                key=lambda name: getattr(checks, name) / getattr(bounds, name))  # fmt: skip
    side = SIDE * (2 if params.padding else 1)
    return [
        Step(
            name="The 4f pictures against direct sums",
            formula="the same three passes with 2-D FFTs, against sums over the kernel's values",
            substituted=f"{SIDE} \u00d7 {SIDE} picture, {TAPS} \u00d7 {TAPS} kernel, planes of "
            f"{side} \u00d7 {side}; {compact(checks.forward)} forward, "
            f"{compact(checks.input_gradient)} input and {compact(checks.filter_gradient)} filter "
            "gradient",
            value=_bound(getattr(checks, worst), getattr(bounds, worst)),
            source="J. W. Goodman, Introduction to Fourier Optics, 3rd ed., sec. 8.1",
            glossary="4f-system",
        )
    ]


def _readout_steps(params: BackwardParams, result: BackwardResult) -> list[Step]:
    if not params.enob:
        return []
    found = result.readout
    return [
        Step(
            name="Read-out noise",
            formula="RMS / peak = 2^\u2212ENOB \u00d7 2 / \u221a12 (relative RMS = crest \u00d7 "
            "that, crest = peak / RMS)",
            substituted=f"2^\u2212{group_digits(params.enob)} \u00d7 2 / \u221a12 = "
            f"{compact(found.expected_rms)}; y against direct sums: {compact(found.measured_rms)}",
            value=f"{compact(SIGMAS * noise_rule(params.enob))} added to bounds over a peak",
            source="definition of ENOB, full scale at the signal's peak; "
            f"{SIGMAS} standard deviations are allowed",
            glossary="three-4f-passes",
        )
    ]


def _assumptions(params: BackwardParams, result: BackwardResult) -> list[Assumption]:
    listed = [
        Assumption(
            kind="convention",
            text="The layer is causal and one channel wide. The loss is half the squared distance "
            "to a random target as strong as the output, so g = y \u2212 target.",
        ),
        Assumption(
            kind="convention",
            text="Differences are the largest over all outputs compared, over the peak of both "
            "sides; bounds are those of double precision"
            + (", with room for read-out noise." if params.enob else "."),
        ),
        Assumption(
            kind="generous",
            text="Masks hold complex values exactly, and light carries signed fields. A device has "
            "a few bits, and needs interference or two read-outs for a sign.",
        ),
        Assumption(
            kind="inferred",
            text="A mask of H or conj H changes once per optimizer step and serves every sequence; "
            "conj U changes with each sequence, so that product stays digital or costs a frame "
            "per sequence and channel.",
        ),
        Assumption(
            kind="illustrative",
            text="Signals, filters and pictures are made up; the identities hold for any.",
        ),
    ]
    if result.direct_on_subset:
        listed.append(
            Assumption(
                kind="extrapolated",
                text=f"Direct sums were computed for {group_digits(result.outputs_compared)} random "
                f"outputs of {group_digits(params.n)}; the others are taken to be no worse.",
            )
        )
    if not params.padding:
        listed.append(
            Assumption(
                kind="convention",
                text="Finite differences and the adjoint identity test the layer as it is, so they "
                "hold without padding too; only a comparison with causal sums sees the wrap.",
            )
        )
    return listed

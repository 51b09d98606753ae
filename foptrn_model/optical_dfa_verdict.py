"""The optical DFA result as one sentence: who is fastest, how light compares, where it overtakes."""

from __future__ import annotations

from foptrn_model.optical_dfa import OpticalDfaResult, gain_over_dfa_s, gain_s, loss_s
from foptrn_model.optical_dfa_params import OpticalDfaParams
from foptrn_model.optical_dfa_search import Side, Word, next_crossing
from foptrn_model.text import compact, counted, duration, group_digits

REGIME_WORDS = {
    "launch": "kernel launches",
    "compute": "arithmetic",
    "memory-bandwidth": "the GPU's memory rate",
    "offload": "moving weights over PCIe",
    "frame-rate": "the frame rate",
    "camera": "reading the camera",
}
"""What sets a step's time, by regime."""
NAMES: dict[str, str] = {
    "bp": "backpropagation", "dfa": "DFA on the GPU", "odfa": "light",
}  # fmt: skip
LEVEL = 5e-3
"""Relative difference below which two steps are said to take equally long."""


def optical_dfa_verdict(params: OpticalDfaParams, result: OpticalDfaResult) -> str:
    """One sentence that answers the question in this state."""
    step, fastest = result.step_time_s, result.fastest
    limit, where = REGIME_WORDS[result.regime["odfa"]], _where(params, result)
    shape = f"At {counted(params.depth, 'layer')} of {group_digits(params.width)}"
    tokens = (
        f", with {group_digits(params.errors_per_sample)} projections a sample"
        if params.errors_per_sample > 1
        else ""
    )
    over_bp = _compared(result.optical_over_bp, f"backpropagation's {duration(step['bp'])}")
    over_dfa = _compared(result.optical_over_dfa, "as long as DFA on the GPU")
    if fastest == "odfa":
        return (
            f"{shape} light is fastest with {duration(step['odfa'])} a step, {over_bp} and "
            f"{over_dfa}{tokens}, held up most by {limit}; {where}."
        )
    best = duration(step[fastest])
    if fastest == "bp":
        first = f"{NAMES['bp']} is fastest with {best} a step"
        over_bp = _compared(result.optical_over_bp, "that")
    else:
        first = f"{NAMES['dfa']} is fastest with {best} a step"
    if abs(step["dfa"] / step["bp"] - 1) < LEVEL:
        first = f"{NAMES['bp']} and {NAMES['dfa']} are equally fast with {best} a step"
        over_bp = _compared(result.optical_over_bp, "that")
    elif fastest == "dfa" and result.optical_over_bp < 1 - LEVEL:
        over_bp += f" but {over_dfa}"
    return (
        f"{shape} {first}; with light it takes {duration(step['odfa'])}, {over_bp}{tokens}, and is "
        f"held up most by {limit}; {where}."
    )


def _compared(ratio: float, whose: str) -> str:
    """The optical step beside another one, of which ``ratio`` is the quotient."""
    bare = whose.removeprefix("as long as ")
    if abs(ratio - 1) < LEVEL:
        return f"as long as {bare}"
    if ratio < 1:
        return f"{compact(1 / ratio)}\u00d7 faster than {bare}"
    return f"{compact(ratio)}\u00d7 {whose}"


def _where(params: OpticalDfaParams, result: OpticalDfaResult) -> str:
    """Where light beats each of the others at this depth."""
    over_bp, over_dfa = result.crossover_width, result.crossover_width_dfa
    if over_bp == over_dfa == "always":
        return "at this depth light beats both at every width"
    if over_bp == over_dfa == "never":
        most = group_digits(params.specs()["width"].high)
        nowhere = result.crossover_depth == result.crossover_depth_dfa == "never"
        deeper = ", nor at any depth at this width" if nowhere else ""
        return f"at this depth light beats neither at any width up to {most}{deeper}"
    lost = _lost_again(params, over_bp, gain_s), _lost_again(params, over_dfa, gain_over_dfa_s)
    if isinstance(over_bp, int) and isinstance(over_dfa, int) and not any(lost):
        return (
            f"at this depth light first beats backpropagation at a width of {group_digits(over_bp)} "
            f"and DFA on the GPU at {group_digits(over_dfa)}"
        )
    return (
        f"at this depth light beats backpropagation {_from(over_bp)}{lost[0]} and DFA on the GPU "
        f"{_from(over_dfa)}{lost[1].rstrip(',')}"
    )


def _from(crossover: int | Word) -> str:
    words = {"never": "at no width", "always": "at every width"}
    if isinstance(crossover, str):
        return words[crossover]
    return f"first at a width of {group_digits(crossover)}"


def _lost_again(params: OpticalDfaParams, crossover: int | Word, gain: Side) -> str:
    """What must be added where the state lies beyond the crossover and light does not win there."""
    if isinstance(crossover, str) or params.width < crossover:
        return ""
    if gain(params, params.depth, params.width) > loss_s(params, params.depth, params.width):
        return ""
    again = next_crossing(params, "width", gain, loss_s)
    back = f"again from {group_digits(again)}" if again else "at no larger one"
    return f", not at this one, {back},"

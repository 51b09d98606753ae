"""Design tokens: every colour of the product, once, for both themes.

Figures are built with the light values. In the dark theme a generated style
sheet swaps each of them inside plots, so switching needs no new figure and
the first picture already has the right colours. Hues are Tol's (vibrant and
muted sets, safe for colour-blind readers), darkened or lightened until each
has at least 3:1 against its ground, and text at least 4.5:1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Token:
    """One colour with its value in the light and in the dark theme."""

    light: str
    dark: str


GROUND = Token("#fcfcfa", "#12161b")
SURFACE = Token("#ffffff", "#1a2027")
RAISED = Token("#f1f2ee", "#232b34")
TEXT = Token("#1b1f24", "#e7eaee")
MUTED = Token("#59626d", "#a3adb9")
LINE = Token("#dcdfe0", "#333d48")
CONTROL = Token("#8a929b", "#6d7885")
ACCENT = Token("#0a5fa5", "#6db8f2")
WARNING = Token("#8a4b00", "#f0b35a")

DENSE = Token("#636b76", "#9aa4b0")
ATTENTION = Token("#8c939c", "#c3cad3")
TRANSFORM = Token("#0077bb", "#3d9fe0")
WEIGHT_MASKED = Token("#1593c1", "#33bbee")
DATA_BY_DATA = Token("#d35f1a", "#f08a4b")
OTHER = Token("#8c7a4f", "#c4b079")

SWITCH = Token("#00806f", "#2fb5a4")

IN_SILICO = Token("#c02e0f", "#f0785c")
IN_SITU = Token("#0a8577", "#2bbbaa")
PHYSICS_AWARE = Token("#0a75ba", "#4ba6e6")
FEEDBACK_ALIGNMENT = Token("#d6246a", "#f26aa0")

HYENA = Token("#332288", "#9d92f0")
HYBRID = Token("#aa4499", "#d584c6")
BLOCK_CIRCULANT = Token("#117733", "#4fb56f")
TRANSFORMER = Token("#646c77", "#9ba5b1")

MASK_TIME = WEIGHT_MASKED
"""What writing masks costs wears the colour of the products they serve."""

FORMATS = {
    "BF16": TRANSFORM,
    "FP16": IN_SITU,
    "E4M3": DATA_BY_DATA,
    "E5M2": IN_SILICO,
    "E2M1": FEEDBACK_ALIGNMENT,
    "INT8": OTHER,
}
"""Number formats wear hues of concepts that no figure shows beside them."""

BANDS = {
    "digital-4": Token("#c3c8ce", "#465160"),
    "digital-3": Token("#d2d6da", "#3a444f"),
    "digital-2": Token("#e0e3e6", "#2e3741"),
    "digital-1": Token("#eef0f1", "#232a32"),
    "masks-1": Token("#e1f2f9", "#122c3a"),
    "masks-2": Token("#bde3f2", "#124258"),
    "masks-3": Token("#93d1e9", "#125c7a"),
    "masks-4": Token("#66bddf", "#116b8e"),
}
"""Fields of a map, from where computing takes far longer to where masks do; a decade each."""

CHROME: dict[str, Token] = {
    "ground": GROUND,
    "surface": SURFACE,
    "raised": RAISED,
    "text": TEXT,
    "muted": MUTED,
    "line": LINE,
    "control": CONTROL,
    "accent": ACCENT,
    "warning": WARNING,
}
CONCEPTS: dict[str, Token] = {
    "dense": DENSE,
    "attention": ATTENTION,
    "transform": TRANSFORM,
    "weight_masked": WEIGHT_MASKED,
    "data_by_data": DATA_BY_DATA,
    "other": OTHER,
    "switch": SWITCH,
    "in-silico": IN_SILICO,
    "in-situ": IN_SITU,
    "physics-aware": PHYSICS_AWARE,
    "feedback-alignment": FEEDBACK_ALIGNMENT,
    "transformer": TRANSFORMER,
    "hyena": HYENA,
    "hybrid": HYBRID,
    "block-circulant": BLOCK_CIRCULANT,
}


def style_sheet() -> str:
    """CSS that defines the tokens and swaps them inside plots in the dark theme."""
    tokens = CHROME | {name.replace("_", "-"): token for name, token in CONCEPTS.items()} | BANDS
    light = _variables(":root", {name: token.light for name, token in tokens.items()}, "light")
    dark = _variables(
        "[data-theme=dark]", {name: token.dark for name, token in tokens.items()}, "dark"
    )
    swaps = [
        f'[data-theme=dark] .js-plotly-plot [style*="{prop}: {_rgb(token.light)}"]'
        f"{{{prop}:{token.dark}!important}}"
        for token in tokens.values()
        for prop in ("fill", "stroke")
    ]
    # Fields beside a colour bar carry their colour as an attribute.
    swaps += [
        f'[data-theme=dark] .js-plotly-plot .cbfill[fill="{token.light}" i]{{fill:{token.dark}}}'
        for token in (RAISED, *BANDS.values())
    ]
    # Paper is white: print keeps the light values.
    return "\n".join([light, "@media screen{", dark, *swaps, "}"])


def light_to_dark() -> dict[str, str]:
    """Every light value with its dark one, for figures saved in the dark theme."""
    return {token.light: token.dark for token in all_tokens()}


def all_tokens() -> list[Token]:
    """Every token that a figure may use."""
    return [*CHROME.values(), *CONCEPTS.values(), *BANDS.values()]


def _variables(selector: str, values: dict[str, str], scheme: str) -> str:
    body = "".join(f"--{name}:{value};" for name, value in values.items())
    return f"{selector}{{color-scheme:{scheme};{body}}}"


def _rgb(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"

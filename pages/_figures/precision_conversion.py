"""Energy of conversion over ENOB against the digital work it would replace."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from foptrn_model.explorers import Evaluation
from foptrn_model.ledger import Variant
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.precision import OPTICAL_VARIANTS, Conversion
from foptrn_model.precision_series import ConversionSweep
from foptrn_model.precision_text import SHORT_NAMES
from foptrn_model.published import published_values
from foptrn_model.text import compact, significant
from pages._components.theme import BLOCK_CIRCULANT, GROUND, HYENA, MUTED, TEXT
from pages._figures.base import axis, decade_axis, figure, legend_above, note, outlined, rounded
from pages._figures.marks import pin_mark, state_mark
from pages._figures.precision_looks import ENOB_TITLE, enob_line

LOOKS = {"hyena": (HYENA, "diamond"), "block-circulant": (BLOCK_CIRCULANT, "square")}
UNITS = {-12: "pJ", -9: "nJ", -6: "\u00b5J", -3: "mJ", 0: "J", 3: "kJ", 6: "MJ", 9: "GJ"}


def conversion_figure(evaluation: Evaluation, pinned: Sequence[Evaluation]) -> dict[str, Any]:
    """Lines double with every bit; each crosses the level of its digital work."""
    params, found = evaluation.params, evaluation.result.conversion
    sweep: ConversionSweep = evaluation.series.conversion
    enob = sweep.enob.tolist()
    traces: list[dict[str, Any]] = []
    levels = [item.digital_J_per_token for item in found.values()]
    here = [item.conversion_J_per_token for item in found.values()]
    low = min(min(levels) / 1e3, min(here) / 3)
    high = max(max(levels) * 1e3, max(here) * 3)
    traces += [_key("conversion", "solid", 3), _key("digital work", "dash", 2)]
    for variant in OPTICAL_VARIANTS:
        traces += _variant(variant, found[variant], enob, sweep)
    traces += _published(evaluation)
    for variant in OPTICAL_VARIANTS:
        item = found[variant]
        traces.append(_crossing(variant, item))
        traces.append(
            state_mark(
                params.enob,
                item.conversion_J_per_token,
                f"{SHORT_NAMES[variant]} converts for {joules(item.conversion_J_per_token)} a "
                f"token, {compact(item.conversion_over_digital)}\u00d7 the digital work",
                showlegend=variant == "hyena",
                cliponaxis=False,
            )
        )
    traces += [
        pin_mark(
            letter, pin.params, pin.params.enob,
            pin.result.conversion["hyena"].conversion_J_per_token,
            f"Hyena-2 breaks even at ENOB "
            f"{significant(pin.result.conversion['hyena'].break_even_enob)}",
        )
        for letter, pin in zip(PIN_LETTERS, pinned, strict=False)
    ]  # fmt: skip
    return figure(
        traces,
        showlegend=True,
        legend=legend_above(),
        margin={"l": 64, "r": 16, "t": 8, "b": 48},
        xaxis=axis(ENOB_TITLE, range=[1, 20], dtick=2, tick0=2),
        yaxis=decade_axis("Energy (J per token, log scale)", low, high, words=_joules_of_decade),
        shapes=[enob_line(evaluation)],
        annotations=[_label(variant, found[variant]) for variant in OPTICAL_VARIANTS],
    )


def joules(energy_J: float) -> str:
    """An energy with its prefix: 33.0 µJ."""
    power = max(min(3 * math.floor(math.log10(energy_J) / 3), max(UNITS)), min(UNITS))
    return f"{compact(energy_J / 10.0**power)}\u202f{UNITS[power]}"


def _joules_of_decade(power_of_ten: float) -> str:
    return joules(power_of_ten * (1 + 1e-12)).replace("1.00", "1").replace("10.0", "10")


def _variant(
    variant: Variant, found: Conversion, enob: list[float], sweep: ConversionSweep
) -> list[dict[str, Any]]:
    token, _ = LOOKS[variant]
    name = SHORT_NAMES[variant]
    digital = found.digital_J_per_token
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": f"{name}: digital",
            "showlegend": False,
            "x": [1, 20],
            "y": rounded([digital, digital]),
            "line": {"color": token.light, "width": 2, "dash": "dash"},
            "hovertemplate": f"{name}, digital: {joules(digital)} a token<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "lines",
            "name": f"{name}: conversion",
            "showlegend": False,
            "x": enob,
            "y": rounded(sweep.conversion_J[variant]),
            "line": {"color": token.light, "width": 3},
            "hovertemplate": f"{name}, conversion at ENOB %{{x}}: %{{y:.3s}}J a token"
            "<extra></extra>",
        },
    ]


def _key(name: str, dash: str, width: float) -> dict[str, Any]:
    """What a kind of line means, in the legend; colours are named beside the crossings."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [None],
        "y": [None],
        "line": {"color": TEXT.light, "width": width, "dash": dash},
        "hoverinfo": "skip",
    }


def _crossing(variant: Variant, found: Conversion) -> dict[str, Any]:
    token, symbol = LOOKS[variant]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{SHORT_NAMES[variant]}: break-even",
        "showlegend": False,
        "x": [round(found.break_even_enob, 4)],
        "y": rounded([found.digital_J_per_token]),
        "marker": outlined(token.light, 14, symbol),
        "customdata": [
            f"{SHORT_NAMES[variant]}: above ENOB {significant(found.break_even_enob)} converting "
            "costs more than computing"
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _published(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Published break-evens, where this state has the energies and the length they are for."""
    params, points = evaluation.params, []
    used = ("dac_fJ", "adc_fJ", "digital_pJ_per_flop", "seq_len")
    for value in published_values(evaluation.explorer.slug):
        variant = value.field.split(".")[1] if value.field.endswith("break_even_enob") else ""
        case = type(params).parse(value.raw_params())
        if variant and all(getattr(case, name) == getattr(params, name) for name in used):
            level = evaluation.result.conversion[variant].digital_J_per_token
            points.append((value, level))
    if not points:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "published break-even",
            "x": [value.published for value, _ in points],
            "y": rounded([level for _, level in points]),
            "marker": {
                "symbol": "diamond-open", "size": 21, "color": MUTED.light,
                "line": {"width": 2, "color": TEXT.light},
            },
            "customdata": [
                f"Published: ENOB {value.published:g} ({value.state}; source: {value.source})"
                for value, _ in points
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    ]  # fmt: skip


def _label(variant: Variant, found: Conversion) -> dict[str, Any]:
    token, _ = LOOKS[variant]
    up = variant == "block-circulant"
    place = min(max(found.break_even_enob, 1.0), 20.0)
    outside = {1.0: "below 1", 20.0: "above 20"} if place != found.break_even_enob else {}
    shown = outside.get(place, f"{found.break_even_enob:.1f}")
    anchor = "left" if place < 6 else "right" if place > 15 or up else "center"
    return note(
        f"<b>{SHORT_NAMES[variant]}:<br>break-even {shown}</b>",
        x=place,
        y=math.log10(found.digital_J_per_token),
        color=token.light,
        showarrow=not outside,
        arrowhead=0,
        arrowwidth=1,
        arrowcolor=token.light,
        standoff=9,
        ax={"left": 24, "right": -24, "center": 28}[anchor],
        ay=-56 if up else 56,
        xanchor=anchor,
        yanchor="auto" if not outside else "bottom" if up else "top",
        bgcolor=GROUND.light,
        borderpad=2,
    )

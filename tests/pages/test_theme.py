"""Colours: enough contrast in both themes, and every swap is in the style sheet."""

from __future__ import annotations

import pytest

from pages._components.theme import (
    BANDS,
    CHROME,
    CONCEPTS,
    GROUND,
    SURFACE,
    TEXT,
    all_tokens,
    style_sheet,
)


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.2."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("name", CONCEPTS)
def test_concepts_stand_out_from_the_ground(name: str) -> None:
    token = CONCEPTS[name]
    assert contrast(token.light, GROUND.light) >= 3
    assert contrast(token.dark, GROUND.dark) >= 3


@pytest.mark.parametrize("name", ["text", "muted", "accent", "warning"])
@pytest.mark.parametrize("ground", ["ground", "surface", "raised"])
def test_text_is_readable(name: str, ground: str) -> None:
    assert contrast(CHROME[name].light, CHROME[ground].light) >= 4.5
    assert contrast(CHROME[name].dark, CHROME[ground].dark) >= 4.5


@pytest.mark.parametrize("name", ["control"])
def test_control_outlines_are_visible(name: str) -> None:
    assert contrast(CHROME[name].light, GROUND.light) >= 3
    assert contrast(CHROME[name].dark, GROUND.dark) >= 3


@pytest.mark.parametrize("name", ["dense", "transform"])
def test_names_inside_bars_are_readable(name: str) -> None:
    assert contrast(SURFACE.light, CONCEPTS[name].light) >= 4.5
    assert contrast(SURFACE.dark, CONCEPTS[name].dark) >= 4.5


@pytest.mark.parametrize("name", BANDS)
def test_names_on_the_fields_of_a_map_are_readable(name: str) -> None:
    assert contrast(TEXT.light, BANDS[name].light) >= 4.5
    assert contrast(TEXT.dark, BANDS[name].dark) >= 4.5


def test_the_fields_of_a_map_run_from_strong_to_pale_to_strong() -> None:
    light = [luminance(token.light) for token in BANDS.values()]
    dark = [luminance(token.dark) for token in BANDS.values()]
    middle = len(light) // 2
    assert light[:middle] == sorted(light[:middle])
    assert light[middle:] == sorted(light[middle:], reverse=True)
    assert dark[:middle] == sorted(dark[:middle], reverse=True)
    assert dark[middle:] == sorted(dark[middle:])


def test_each_light_value_stands_for_one_colour() -> None:
    # The swap goes by the light value, so two tokens may not share one.
    tokens = all_tokens()
    assert len({token.light for token in tokens}) == len(tokens)


def test_the_style_sheet_swaps_every_token() -> None:
    sheet = style_sheet()
    for token in all_tokens():
        assert sheet.count(f"{{fill:{token.dark}!important}}") == 1
        assert sheet.count(f"{{stroke:{token.dark}!important}}") == 1

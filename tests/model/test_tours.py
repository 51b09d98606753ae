"""Tours: every step is a state that can be answered at once, and no number in it is typed."""

from __future__ import annotations

import ast
import inspect
import re
from types import ModuleType

import pytest

from foptrn_model.explorers import EXPLORERS
from foptrn_model.parameters import query_values
from foptrn_model.tours import TOURS, machines, step_time, tell, transforms
from foptrn_model.tours.step import TourStep

STEPS = [(slug, number) for slug, tour in TOURS.items() for number in range(1, len(tour) + 1)]
NAMES = re.compile(r"Hyena-2|FP8 E5M2|BF16|\b4f\b")
"""Names that have a digit in them."""


def step_of(slug: str, number: int) -> TourStep:
    return TOURS[slug][number - 1]


def test_every_explorer_has_a_tour_of_about_five_steps() -> None:
    assert set(TOURS) == set(EXPLORERS)
    assert all(4 <= len(tour) <= 6 for tour in TOURS.values())


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_a_step_is_exactly_its_state(slug: str, number: int) -> None:
    query = step_of(slug, number).query
    params, notices = EXPLORERS[slug].params.nearest(query_values(query))
    assert params.to_query() == query
    assert notices == []


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_a_simulated_step_is_answered_from_what_is_stored(slug: str, number: int) -> None:
    explorer = EXPLORERS[slug]
    if explorer.simulation is None:
        return
    params = explorer.params.from_query(step_of(slug, number).query)
    for name, part in explorer.simulation.parts.items():
        if not part.on_demand:
            assert explorer.simulation.stored(name, part.query(params)) is not None, name


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_a_text_is_one_or_two_sentences_with_numbers_of_its_state(slug: str, number: int) -> None:
    told = tell(slug, number)
    assert re.search(r"\d", NAMES.sub("", told.text)), told.text
    assert len(re.findall(r"[.!?](?:\s|$)", told.text)) <= 3
    assert len(told.text) <= 190, "a phone shows it in a panel at the bottom"
    assert not re.search(r"\d", NAMES.sub("", told.title))


@pytest.mark.parametrize("module", [transforms, step_time, machines])
def test_no_number_is_typed_into_a_text(module: ModuleType) -> None:
    tree = ast.parse(inspect.getsource(module))
    written = [
        part.value
        for text in ast.walk(tree)
        if isinstance(text, ast.JoinedStr)
        for part in text.values
        if isinstance(part, ast.Constant)
    ]
    assert len(written) > 20
    assert [text for text in written if re.search(r"\d", NAMES.sub("", text))] == []

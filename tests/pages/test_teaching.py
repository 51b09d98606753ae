"""What a link says of the page: a tour's step, hidden parts, theme and embed; and the guess."""

from __future__ import annotations

from typing import Any

import dash
import pytest

from foptrn_model.tours import TOURS
from pages._components.explorer_page import ExplorerPage
from tests.model.test_tours import STEPS
from tests.pages.test_pages import components, explorer_page


@pytest.fixture(scope="module")
def amdahl(app: dash.Dash) -> ExplorerPage:
    return explorer_page("amdahl")


def opened(page: ExplorerPage, **query: Any) -> tuple[dict[str, Any], str, Any]:
    """The answer that a link opens with, its notices, and the page's own element."""
    layout = page.layout(**query)
    parts = {getattr(item, "id", None): item for item in components(layout)}
    notices = parts[page.id("notices")].children
    told = " ".join(item.children for item in notices[1].children) if notices else ""
    return parts[page.id("answer")].data, told, layout


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_a_step_points_at_what_its_state_has(app: dash.Dash, slug: str, number: int) -> None:
    page = explorer_page(slug)
    step = TOURS[slug][number - 1]
    params = page.explorer.params.from_query(step.query)
    kind, _, name = step.at.partition(":")
    if kind == "control":
        assert name in params.specs()
        assert name not in params.inactive()
    elif kind == "plate":
        plate = next(plate for plate in page.plates if plate.name == name)
        assert plate.present(params)
        if plate.part:
            simulation = page.explorer.simulation
            assert simulation is not None
            query = simulation.parts[plate.part].query(params)
            assert simulation.stored(plate.part, query) is not None
    else:
        assert step.at == "verdict"


def test_a_link_to_a_step_opens_in_its_state(amdahl: ExplorerPage) -> None:
    answer, told, _ = opened(amdahl, tour="2")
    assert (answer["query"], told) == (TOURS["amdahl"][1].query, "")
    assert (answer["tour"]["step"], answer["tour"]["of"]) == (2, len(TOURS["amdahl"]))
    # A request that restores the same address, as Back does, finds the same.
    again = amdahl.respond({"query": "?tour=2&theme=dark", "serial": 1})[4]
    assert (again["query"], again["tour"]) == (answer["query"], answer["tour"])


@pytest.mark.parametrize("own", [{"seq_len": "2048"}, {"seq_len": "4096"}, {"pin": "0.1.0~"}])
def test_a_reader_keeps_a_state_of_their_own_beside_the_text(
    amdahl: ExplorerPage, own: dict[str, str]
) -> None:
    answer, told, _ = opened(amdahl, tour="2", **own)
    assert answer["state"] == ("seq_len=2048" if own == {"seq_len": "2048"} else "")
    assert answer["tour"]["step"] == 2
    assert told == ""


@pytest.mark.parametrize("wrong", ["9", "0", "abc", "-1", "1.5", "\u0662", "1" * 5000, ["1", "2"]])
def test_a_step_that_is_none_opens_the_page_with_a_notice(amdahl: ExplorerPage, wrong: Any) -> None:
    answer, told, _ = opened(amdahl, tour=wrong)
    assert (answer["query"], answer["tour"]) == ("", None)
    assert "tour must be a whole number from 1 to 5" in told


def test_what_the_page_does_not_know_is_named(amdahl: ExplorerPage) -> None:
    _, told, layout = opened(
        amdahl, theme="purple", embed="maybe", hide=["figures,navigation", "verdict"]
    )
    assert "theme must be light or dark, got purple" in told
    assert "embed must be 1 or 0, got maybe" in told
    assert "hide must be a list of controls, figures, verdict, got navigation" in told
    assert getattr(layout, "data-hide") == "figures verdict"
    assert getattr(layout, "data-guess") == "asked"
    _, told, layout = opened(amdahl, theme="dark", embed="1", hide="controls")
    assert told == ""
    assert not hasattr(layout, "data-guess")


@pytest.mark.parametrize("nonsense", [99, 0, "2", None, True, {"step": 2}, [1]])
def test_a_page_may_ask_for_any_step(amdahl: ExplorerPage, nonsense: Any) -> None:
    answer = amdahl.respond({"values": {}, "tour": nonsense, "serial": 1})[4]
    assert answer["ok"]
    assert answer["tour"] is None


def test_a_guess_is_compared_with_the_state_that_is_asked_for(amdahl: ExplorerPage) -> None:
    values = opened(amdahl, variant="block-circulant")[0]["values"]
    told = amdahl.respond({"values": values, "guess": "2.214", "serial": 1})[4]["guess"]["text"]
    assert told.startswith(
        "You said 2.214\u00d7; it is 1.11\u00d7, a gain of 10.7\u202f%: 2.000 times less"
    )
    for wrong in ("many", None, {"a": 1}):
        answer = amdahl.respond({"values": values, "guess": wrong, "serial": 1})[4]
        assert "is no guess here" in answer["guess"]["error"]

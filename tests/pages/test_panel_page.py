"""A page that is both a closed form and an experiment: what is there at once, and what is not."""

from __future__ import annotations

from typing import Any

import dash
import pytest

from foptrn_model.explorers import OPTICAL_DFA
from pages._components.controls import control_values
from pages._components.explorer_page import ExplorerPage
from pages._jobs.desk import desk
from pages._jobs.table import job_key
from tests.pages.test_pages import components, explorer_page

PANEL = ["learning", "alignment", "dilution"]
UNSEEN = "seed=71&epochs=200"
"""A state that no other test computes, and that takes a while."""


@pytest.fixture
def page(app: dash.Dash) -> ExplorerPage:
    return explorer_page("optical-dfa")


def asked(page: ExplorerPage, query: str, **request: Any) -> dict[str, Any]:
    """What a request gets, by what it is for; the desk is left as it was."""
    params = OPTICAL_DFA.params.from_query(query)
    sent = {"values": control_values(params), "page": "tester", **request}
    verdict, _, _, _, answer, tables, *figures = page.respond(sent)
    drawn = {
        plate.name
        for plate, figure in zip(page.plates, figures, strict=True)
        if figure is not dash.no_update
    }
    return {"verdict": verdict, "answer": answer, "run": answer["run"], "drawn": drawn,
            "tables": tables}  # fmt: skip


def leave(query: str) -> None:
    part = OPTICAL_DFA.simulation.parts["experiment"]
    key = job_key("optical-dfa", "experiment", part.query(OPTICAL_DFA.params.from_query(query)))
    desk().table.leave(key, watcher="tester")
    desk().table.drop(key)


def test_a_change_of_the_closed_form_is_answered_whole(page: ExplorerPage) -> None:
    found = asked(page, "depth=50")
    params = OPTICAL_DFA.params(depth=50)
    assert found["verdict"] == OPTICAL_DFA.verdict(params, OPTICAL_DFA.compute(params))
    assert found["drawn"] == {plate.name for plate in page.plates}
    assert found["run"]["state"] == "done"
    assert not found["run"]["stale"]


def test_an_experiment_to_come_keeps_its_figures_and_holds_up_nothing(page: ExplorerPage) -> None:
    try:
        found = asked(page, f"depth=50&{UNSEEN}", tables=["width", "learning"])
        assert "50 layers" in found["verdict"]
        assert found["run"]["state"] in ("queued", "running")
        assert found["run"]["waiting"] == PANEL
        assert found["drawn"] == {plate.name for plate in page.plates} - set(PANEL)
        assert set(found["tables"]) == {"width"}
        # Of the same experiment under way, a drag of the closed form says how far it is.
        dragged = asked(page, f"depth=60&{UNSEEN}", plates=["width"], drag=True)
        assert dragged["run"]["state"] in ("queued", "running")
        assert dragged["drawn"] == {"width"}
        polled = asked(page, f"depth=60&{UNSEEN}", plates=PANEL, poll=True, shown=True, quiet=True)
        assert polled["drawn"] == set()
    finally:
        leave(UNSEEN)


def test_a_drag_starts_no_experiment_but_dims_what_is_shown(page: ExplorerPage) -> None:
    query = "seed=72&epochs=200"
    found = asked(page, query, drag=True)
    assert found["run"]["state"] == "done"
    assert found["run"]["waiting"] == PANEL
    params = OPTICAL_DFA.params.from_query(query)
    assert desk().under_way(OPTICAL_DFA, "experiment", params) is None


def test_what_was_cancelled_is_not_begun_again_by_another_change(page: ExplorerPage) -> None:
    query = "seed=73&epochs=200"
    try:
        asked(page, query)
        cancelled = asked(page, query, cancel=True)
        assert cancelled["run"]["state"] == "cancelled"
        assert cancelled["run"]["waiting"] == PANEL
        assert not cancelled["run"]["stale"]
        leave(query)
        declined = cancelled["run"]["declined"]
        moved = asked(page, f"depth=50&{query}", declined=declined)
        assert "50 layers" in moved["verdict"]
        assert moved["run"]["state"] == "cancelled"
        assert moved["run"]["declined"] == declined
        params = OPTICAL_DFA.params.from_query(query)
        assert desk().under_way(OPTICAL_DFA, "experiment", params) is None
        assert asked(page, query)["run"]["state"] in ("queued", "running")
    finally:
        leave(query)


def test_a_pinned_experiment_follows_when_the_states_own_is_there(page: ExplorerPage) -> None:
    query = "seed=74&epochs=200"
    try:
        pins = [f"0.1.0~{query}"]
        off_screen = asked(page, "", pins=pins, plates=["width"])
        assert off_screen["run"]["state"] == "done"
        found = asked(page, "", pins=pins)
        assert found["run"]["state"] in ("queued", "running")
        assert found["run"]["waiting"] == []
        assert found["run"]["plates"] == PANEL
        assert found["drawn"] == {plate.name for plate in page.plates}
        cancelled = asked(page, "", pins=pins, cancel=True)
        assert cancelled["run"]["text"] == "Cancelled"
        leave(query)
        again = asked(page, "", pins=pins, declined=cancelled["run"]["declined"])
        assert again["run"]["state"] == "cancelled"
    finally:
        leave(query)


def test_an_experiment_over_the_cap_is_refused_with_its_estimate(page: ExplorerPage) -> None:
    values = control_values(OPTICAL_DFA.params()) | {"seeds": "16", "hidden_width": "256"}
    answer = page.respond({"values": values, "changed": "hidden_width"})[4]
    assert not answer["ok"]
    assert [item["param"] for item in answer["problems"]] == ["hidden_width"]
    assert "over the cap of 20 s" in answer["problems"][0]["message"]


def test_the_panel_has_its_own_controls_and_the_evidence_is_on_the_page(
    page: ExplorerPage,
) -> None:
    tree = page.layout()
    by_class = {
        name: item
        for item in components(tree)
        for name in str(getattr(item, "className", "")).split()
    }
    ids = {
        where: {getattr(item, "id", "") for item in components(by_class[where])}
        for where in ("controls", "panel-controls")
    }
    assert page.id("depth") in ids["controls"] - ids["panel-controls"]
    assert page.id("epochs") in ids["panel-controls"] - ids["controls"]
    text = " ".join(
        str(item.children)
        for item in components(by_class["evidence"])
        if isinstance(getattr(item, "children", None), str)
    )
    assert "Against" in text
    assert "2210.14593" in text

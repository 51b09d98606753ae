"""The closed forms in JavaScript against Python, over drawn states: same numbers, same words."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from importlib import import_module
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser, Page

from foptrn_model import text
from foptrn_model.browser_data import browser_data
from foptrn_model.explorers import EXPLORERS
from foptrn_model.fields import Spec
from foptrn_model.headlines import Headline, Style
from foptrn_model.parameters import Params
from foptrn_model.transit_params import CURVE_SOURCES, TransitParams
from pages._figures.browser import live_data
from tests.browser.conftest import Tab

FILES = (
    "model",
    "model-ledger",
    "model-amdahl",
    "model-masks",
    "model-optical-dfa",
    "model-transit",
    "model-figures",
)
STATES = 2_000
DRAWN = 300
BATCH = 500
TOLERANCE = 1e-12
"""Relative; operations are the same and in the same order, so nearly all numbers are equal."""

FIGURE_TOLERANCE = 1e-9

RUN = """([slug, states]) => {
  const model = foptrnModel[slug];
  return JSON.stringify(JSON.parse(states).map((given) => {
    const params = model.resolve(given), result = model.compute(params);
    return { params, result, verdict: model.verdict(params, result) };
  }));
}"""


CURVES = """([slug, states]) => {
  const model = foptrnModel[slug];
  return JSON.stringify(JSON.parse(states).map((given) => {
    const params = model.resolve(given);
    return model.curves(params, model.compute(params));
  }));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A page of the site without scripts of its own, with the models as its policy lets them in."""
    tab = Tab(browser, site)
    tab.page.goto(f"{site}/healthz")
    for name in FILES:
        tab.page.add_script_tag(url=f"{site}/assets/{name}.js")
    yield tab.page
    tab.close()


def load(page: Page, slug: str, data: dict[str, Any] | None = None) -> None:
    page.evaluate(
        "([slug, data]) => foptrnModel.load(slug, JSON.parse(data))",
        [slug, json.dumps(data or browser_data(slug))],
    )


def run(page: Page, slug: str, states: list[Params], script: str = RUN) -> Iterator[dict[str, Any]]:
    """The browser's answer for each state."""
    for start in range(0, len(states), BATCH):
        sent = json.dumps([params.model_dump() for params in states[start : start + BATCH]])
        yield from json.loads(page.evaluate(script, [slug, sent]))


# States -------------------------------------------------------------------------


def drawn(rng: random.Random, spec: Spec) -> Any:
    """A value of one field: the default, a bound, a round number or any, as its slider runs."""
    if spec.optional and rng.random() < 0.3:
        return None
    if spec.kind == "bool":
        return rng.random() < 0.5
    if spec.kind == "choice":
        return rng.choice(spec.choices)
    place = rng.random()
    if place < 0.3 and spec.default is not None:
        return spec.default
    if place < 0.44:
        return rng.choice((spec.low, spec.high))
    if spec.scale == "linear":
        value = rng.uniform(spec.low, spec.high)
    else:
        least = spec.low or spec.floor
        value = least * (spec.high / least) ** rng.random()
    if rng.random() < 0.4:
        value = float(f"{value:.1e}")  # round numbers meet the ties of rounding
    value = min(max(value, spec.low), spec.high)
    return round(value) if spec.kind == "int" else value


def drawn_target(rng: random.Random, raw: Mapping[str, Any]) -> float:
    """A loss among those of the curves, one of an evaluation at times, or any."""
    losses = [loss for curve in CURVE_SOURCES[raw["curves"]]().curves for loss in curve.loss]
    if rng.random() < 0.2:
        return rng.uniform(0.01, 20)
    return rng.choice(losses) if rng.random() < 0.3 else rng.uniform(min(losses), max(losses))


OWN_DRAWS: dict[str, dict[str, Callable[[random.Random, Mapping[str, Any]], Any]]] = {
    "transit": {
        "curves": lambda rng, raw: rng.choice(list(CURVE_SOURCES)),
        "band": lambda rng, raw: rng.choice(CURVE_SOURCES[raw["curves"]]().bands),
        "target_loss": drawn_target,
    },
}
"""Fields of which a draw over their range would say little."""


def states(slug: str, count: int = STATES) -> list[Any]:
    """Valid states of an explorer, its published cases among them."""
    rng, model = random.Random(slug), EXPLORERS[slug].params
    own = OWN_DRAWS.get(slug, {})
    found = [model.from_query(preset.query) for preset in EXPLORERS[slug].presets]
    while len(found) < count:
        raw = {name: drawn(rng, spec) for name, spec in model.specs().items() if name not in own}
        for name, draw in own.items():
            raw[name] = draw(rng, raw)
        found.append(model.nearest(raw)[0])
    return found


# Comparison ---------------------------------------------------------------------


def differences(
    here: Any, there: Any, path: str = "", *, tolerance: float = TOLERANCE
) -> list[str]:
    """Where two JSON values differ, by more than the tolerance where they are numbers."""
    if isinstance(there, dict) and isinstance(here, dict):
        if here.keys() != there.keys():
            return [f"{path}: keys {sorted(here.keys() ^ there.keys())}"]
        return [
            found
            for name in there
            for found in differences(here[name], there[name], f"{path}.{name}", tolerance=tolerance)
        ]
    if isinstance(there, list) and isinstance(here, list) and len(here) == len(there):
        pairs = enumerate(zip(here, there, strict=True))
        return [
            found
            for index, (one, other) in pairs
            for found in differences(one, other, f"{path}[{index}]", tolerance=tolerance)
        ]
    if isinstance(there, (int, float)) and not isinstance(there, bool):
        same = isinstance(here, (int, float)) and math.isclose(here, there, rel_tol=tolerance)
        return [] if same else [f"{path}: {here!r} for {there!r}"]
    return (
        [] if here == there and type(here) is type(there) else [f"{path}: {here!r} for {there!r}"]
    )


def disagreements(page: Page, slug: str, given: list[Params]) -> list[str]:
    """What the browser answers otherwise than Python, each with its state."""
    explorer = EXPLORERS[slug]
    wrong = []
    for params, here in zip(given, run(page, slug, given), strict=True):
        there = explorer.answer(params)
        found = differences(here, {name: there[name] for name in here})
        wrong += [f"{params.to_query()}{difference}" for difference in found]
    return wrong


def test_amdahl(page: Page) -> None:
    load(page, "amdahl")
    assert disagreements(page, "amdahl", states("amdahl")) == []


def test_masks(page: Page) -> None:
    load(page, "masks")
    assert disagreements(page, "masks", states("masks")) == []


def test_optical_dfa(page: Page) -> None:
    load(page, "optical-dfa")
    assert disagreements(page, "optical-dfa", states("optical-dfa")) == []


def test_transit(page: Page) -> None:
    load(page, "transit")
    assert disagreements(page, "transit", states("transit")) == []


def test_own_curves_are_left_to_the_server(page: Page) -> None:
    load(page, "transit")
    given = TransitParams().model_dump() | {"curves": "uploaded"}
    found = page.evaluate(RUN, ["transit", json.dumps([given])])
    assert json.loads(found)[0] | {"params": None} == {
        "params": None,
        "result": None,
        "verdict": None,
    }


MISTAKES: dict[str, dict[str, Any]] = {
    "amdahl": {
        "ledger.FLOP_PER_COMPLEX_PRODUCT": 6.000001,
        "ledger.shapes.llama3-8b.label": "Llama 3",
    },
    "masks": {"BYTES_PER_ACTIVATION": 4, "ranges.sequences_per_step.high": 10_000},
    "optical-dfa": {"GUARD_S": 50.001e-6, "REGIME_WORDS.camera": "its camera"},
    "transit": {"BUCKETS": 129, "curves.published.methods.adamw.loss": [9.0] * 14 + [1.6]},
}
"""By explorer: a constant by its path, and what it is not."""


def test_a_wrong_constant_is_found(page: Page) -> None:
    """That the comparison can fail."""
    for slug, mistakes in MISTAKES.items():
        few = states(slug, 60)
        for path, wrong in mistakes.items():
            data = json.loads(json.dumps(browser_data(slug)))
            *parents, name = path.split(".")
            place = data
            for parent in parents:
                place = place[parent]
            assert name in place
            place[name] = wrong
            load(page, slug, data)
            assert disagreements(page, slug, few), path


# Words --------------------------------------------------------------------------

TEXTS: dict[str, Callable[[float], str]] = {
    "compact": text.compact,
    "duration": text.duration,
    "groupDigits": text.group_digits,
    "percent": text.percent,
    "si": lambda number: text.si(number, "B"),
    "significant": text.significant,
    "speedUp": text.speed_up,
}
TIES = (0.5, 2.5, 0.125, 0.375, 1.125, 1.375, 12.25, 1234.5, 2.0**-20, 2.0**70, 999.5, 1 + 2.0**-9)
"""Numbers that lie exactly between two of fewer digits, where Python takes the even one."""
STYLES: tuple[Style, ...] = get_args(Style)


def numbers(count: int) -> list[float]:
    """Positive numbers of every size, ties and whole numbers among them, and 0."""
    rng = random.Random(7)
    sizes = [10 ** rng.uniform(-20, 25) for _ in range(count)]
    near = [
        rng.choice((0.9995, 9.995, 99.95, 1.0)) * 10 ** rng.randint(-9, 9) for _ in range(count)
    ]
    halves = [rng.randint(0, 20_000) / 2 ** rng.randint(0, 8) for _ in range(count)]
    return [
        0.0,
        *TIES,
        *sizes,
        *near,
        *halves,
        *(1 + size for size in sizes),
        *map(float, range(30)),
    ]


def test_numbers_are_written_alike(page: Page) -> None:
    values = numbers(400)
    found = page.evaluate(
        "([names, values]) => names.map((name) => values.map((value) => name === 'si'"
        " ? foptrnModel.text.si(value, 'B') : foptrnModel.text[name](value)))",
        [list(TEXTS), values],
    )
    for (name, write), here in zip(TEXTS.items(), found, strict=True):
        wanted = [write(value) for value in values]
        wrong = [row for row in zip(values, here, wanted, strict=True) if row[1] != row[2]]
        assert wrong == [], name


def test_headlines_are_written_alike(page: Page) -> None:
    values = numbers(60)
    pairs = list(zip(values, values[1:] + values[:1], strict=True))
    for style in STYLES:
        headline = Headline(field="a.b", label="", style=style, unit="Hz", words={"odd": "Odd one"})
        found = page.evaluate(
            """([headline, pairs]) => pairs.map(([value, base]) => [
              foptrnModel.headline.text(headline, value),
              foptrnModel.headline.difference(headline, value, base),
              foptrnModel.headline.text(headline, foptrnModel.headline.value(headline, {a: {b: "odd"}})),
              foptrnModel.headline.difference(headline, "never", base),
            ])""",
            [asdict(headline), pairs],
        )
        wanted = [
            [headline.text(value), headline.difference(value, base), "Odd one", ""]
            for value, base in pairs
        ]
        assert found == wanted, style


# First figures ------------------------------------------------------------------

FIGURES = {
    "amdahl": ("amdahl_ledger", "ledger_figure"),
    "masks": ("masks_crossing", "crossing_figure"),
    "transit": ("transit_wan", "wan_figure"),
}
"""The module and the function that draw what an embed shows first."""
ROUNDING = ("amdahl_ledger", "masks_crossing", "transit_wan", "transit_ways", "marks")
"""Modules that shorten numbers for the way to the browser."""


def structure(params: Params, drawn: dict[str, Any]) -> tuple[Any, ...]:
    """What stays while a slider is dragged: the choices that looks follow, and a figure's parts."""
    chosen = [getattr(params, name) for name in ("variant", "order") if name in params.specs()]
    layout = drawn["layout"]
    names = [trace["name"] for trace in drawn["data"]]
    assert len(names) == len(set(names)), "a page finds traces by name"
    counts = [len(layout.get(part, ())) for part in ("shapes", "annotations")]
    return (*chosen, *names, *counts)


def updated(before: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """A drawn figure with what the browser computes of another state, as a page would do it."""
    layout = dict(before["layout"])
    for name in ("xaxis", "yaxis"):
        layout[name] = layout[name] | found["layout"][name]
    for part in ("shapes", "annotations"):
        pairs = zip(layout.get(part, ()), found["layout"][part], strict=True)
        layout[part] = [old | new for old, new in pairs]
    traces = {trace["name"]: trace for trace in before["data"]}
    assert traces.keys() == found["traces"].keys()
    return {"data": [traces[name] | new for name, new in found["traces"].items()], "layout": layout}


@pytest.mark.parametrize("slug", FIGURES)
def test_first_figure(page: Page, slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure of another state with the browser's numbers put in is the figure of this one."""
    for name in ROUNDING:
        module = import_module(f"pages._figures.{name}")
        monkeypatch.setattr(module, "rounded", lambda values, digits=5: list(map(float, values)))
    module, function = FIGURES[slug]
    draw = getattr(import_module(f"pages._figures.{module}"), function)
    load(page, slug, live_data(slug))
    given, wrong, others = states(slug, DRAWN), [], {}
    for params, found in zip(given, run(page, slug, given, CURVES), strict=True):
        drawn = json.loads(json.dumps(draw(EXPLORERS[slug].evaluate(params), [])))
        drawn["layout"].setdefault("shapes", [])
        key = structure(params, drawn)
        here = updated(others.get(key, drawn), found)
        others[key] = drawn
        for trace in (*here["data"], *drawn["data"]):
            trace.pop("customdata", None)  # said under a pointer, once the server has answered
        wrong += [
            f"{params.to_query()}{difference}"
            for difference in differences(here, drawn, tolerance=FIGURE_TOLERANCE)
        ]
    assert wrong == []
    assert len(others) < DRAWN / 2, "most figures are made from another state's"

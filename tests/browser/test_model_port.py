"""The closed forms in JavaScript against Python, over drawn states: same numbers, same words."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, get_args

import pytest
from playwright.sync_api import Page

from foptrn_model import text
from foptrn_model.browser_data import browser_data
from foptrn_model.explorers import EXPLORERS
from foptrn_model.fields import Spec
from foptrn_model.headlines import Headline, Style
from foptrn_model.parameters import Params
from foptrn_model.transit_params import CURVE_SOURCES, TransitParams

FILES = (
    "model",
    "model-ledger",
    "model-amdahl",
    "model-masks",
    "model-optical-dfa",
    "model-transit",
)
STATES = 2_500
BATCH = 500
TOLERANCE = 1e-12
"""Relative; operations are the same and in the same order, so nearly all numbers are equal."""

RUN = """([slug, states]) => {
  const model = foptrnModel[slug];
  return JSON.stringify(JSON.parse(states).map((given) => {
    const params = model.resolve(given), result = model.compute(params);
    return { params, result, verdict: model.verdict(params, result) };
  }));
}"""


@pytest.fixture
def page(new_tab: Callable[..., Any], site: str) -> Page:
    """A page of the site without scripts of its own, with the models as its policy lets them in."""
    page: Page = new_tab().page
    page.goto(f"{site}/healthz")
    for name in FILES:
        page.add_script_tag(url=f"{site}/assets/{name}.js")
    return page


def load(page: Page, slug: str, data: dict[str, Any] | None = None) -> None:
    page.evaluate(
        "([slug, data]) => foptrnModel.load(slug, JSON.parse(data))",
        [slug, json.dumps(data or browser_data(slug))],
    )


def run(page: Page, slug: str, states: list[Params]) -> Iterator[dict[str, Any]]:
    """The browser's answer for each state."""
    for start in range(0, len(states), BATCH):
        sent = json.dumps([params.model_dump() for params in states[start : start + BATCH]])
        yield from json.loads(page.evaluate(RUN, [slug, sent]))


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
    """Valid states of an explorer, its default among them."""
    rng, model = random.Random(slug), EXPLORERS[slug].params
    own = OWN_DRAWS.get(slug, {})
    found = [model()]
    while len(found) < count:
        raw = {name: drawn(rng, spec) for name, spec in model.specs().items() if name not in own}
        for name, draw in own.items():
            raw[name] = draw(rng, raw)
        found.append(model.nearest(raw)[0])
    return found


# Comparison ---------------------------------------------------------------------


def differences(here: Any, there: Any, path: str = "") -> list[str]:
    """Where two JSON values differ, by more than the tolerance where they are numbers."""
    if isinstance(there, dict) and isinstance(here, dict):
        if here.keys() != there.keys():
            return [f"{path}: keys {sorted(here.keys() ^ there.keys())}"]
        return [
            found
            for name in there
            for found in differences(here[name], there[name], f"{path}.{name}")
        ]
    if isinstance(there, (int, float)) and not isinstance(there, bool):
        same = isinstance(here, (int, float)) and math.isclose(here, there, rel_tol=TOLERANCE)
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

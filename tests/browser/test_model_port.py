"""The closed forms in JavaScript against Python, over drawn states: same numbers, same words."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser, Page

from foptrn_model import text
from foptrn_model.browser_data import browser_data
from foptrn_model.explorers import EXPLORERS
from foptrn_model.headlines import Headline, Style
from foptrn_model.parameters import Params
from foptrn_model.transit_params import TransitParams
from tests.browser.ported import differences, load, page_with_models, run, states

STATES = 1_000
TOLERANCE = 1e-12
"""Relative. Operations are the same and in the same order, so results are equal to the bit, save for
break-evens, whose bisection goes through exp and log. No verdict is let off: a number this close to
where its rounding changes would have to be looked at."""


RUN = """([slug, states]) => {
  const model = foptrnModel[slug];
  return JSON.stringify(JSON.parse(states).map((given) => {
    const params = model.resolve(given), result = model.compute(params);
    return { params, result, verdict: model.verdict(params, result) };
  }));
}"""


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


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    with page_with_models(browser, site) as page:
        yield page


def disagreements(page: Page, slug: str, given: list[Params]) -> list[str]:
    """What the browser answers otherwise than Python, each with its state."""
    explorer = EXPLORERS[slug]
    wrong = []
    for params, here in zip(given, run(page, slug, given, RUN), strict=True):
        there = explorer.answer(params)
        found = differences(here, {name: there[name] for name in here}, tolerance=TOLERANCE)
        wrong += [f"{params.to_query()}{difference}" for difference in found]
    return wrong


@pytest.mark.parametrize("slug", MISTAKES)
def test_results_and_verdicts(page: Page, slug: str) -> None:
    load(page, slug, browser_data(slug))
    assert disagreements(page, slug, states(slug, STATES)) == []


def test_own_curves_are_left_to_the_server(page: Page) -> None:
    load(page, "transit", browser_data("transit"))
    given = TransitParams().model_dump() | {"curves": "uploaded"}
    found = page.evaluate(RUN, ["transit", json.dumps([given])])
    assert json.loads(found)[0] | {"params": None} == {
        "params": None,
        "result": None,
        "verdict": None,
    }


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

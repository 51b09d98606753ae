"""The models in JavaScript: a page that has them, states to try them on, and where answers differ."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from foptrn_model.explorers import EXPLORERS
from foptrn_model.fields import Spec
from foptrn_model.parameters import Params
from foptrn_model.transit_params import CURVE_SOURCES
from tests.browser.conftest import Tab

FILES = (
    "model",
    "model-ledger",
    "model-amdahl",
    "model-masks",
    "model-optical-dfa",
    "model-optical-dfa-width",
    "model-transit",
    "model-transit-wan",
    "model-figures",
)
BATCH = 500


@contextmanager
def page_with_models(browser: Browser, site: str) -> Iterator[Page]:
    """A page of the site without scripts of its own, with the models as its policy lets them in."""
    tab = Tab(browser.new_context(), site)
    tab.page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    tab.page.goto(f"{site}/healthz")
    for name in FILES:
        tab.page.add_script_tag(url=f"{site}/assets/{name}.js")
    yield tab.page
    tab.close()


def load(page: Page, slug: str, data: dict[str, Any]) -> None:
    """Give a model its data."""
    page.evaluate(
        "([slug, data]) => foptrnModel.load(slug, JSON.parse(data))",
        [slug, json.dumps(data)],
    )


def run(page: Page, slug: str, states: list[Params], script: str) -> Iterator[dict[str, Any]]:
    """What ``script`` makes of [slug, states as JSON], for each state."""
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


def states(slug: str, count: int) -> list[Any]:
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


def differences(here: Any, there: Any, path: str = "", *, tolerance: float) -> list[str]:
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

"""What slides of several decks share: states computed once, links, embeds, a drawing."""

from __future__ import annotations

from functools import cache
from typing import Any

from foptrn_model.decks.slide import Cite, Diagram, Link, Live
from foptrn_model.explorers import EXPLORERS, Evaluation
from foptrn_model.text import percent

LAYER_MAJOR = Diagram(
    "layer-major",
    "Above, layer-major order: all sequences pass layer one, then all pass layer two, with one "
    "mask write each. Below, a pipeline: every microbatch needs both masks again.",
)
PIPELINING = Cite("Pipelining: Narayanan et al., arXiv 2104.04473")


@cache
def state(slug: str, query: str = "") -> Evaluation:
    """One state with everything computed from it."""
    explorer = EXPLORERS[slug]
    return explorer.evaluate(explorer.params.from_query(query))


def result(slug: str, query: str = "") -> Any:
    """The result of one state."""
    return state(slug, query).result


def live(slug: str, query: str = "", *, plate: str = "") -> Live:
    """The explorer itself in one state, with its verdict."""
    found = state(slug, query)
    return Live(
        explorer=slug,
        title=f"{found.explorer.title}: {found.explorer.question}",
        query=query,
        verdict=found.verdict,
        plate=plate,
    )


def opens(slug: str, query: str = "", *, label: str = "") -> Link:
    """A link to an explorer in one state; the API and the pages read the same query."""
    path = f"/{slug}?{query}" if query else f"/{slug}"
    return Link(label=label or EXPLORERS[slug].title, path=path)


def term(anchor: str, label: str) -> Link:
    """A link to a glossary entry."""
    return Link(label=label, path=f"/glossary#{anchor}")


def accuracy(trainer: str, *, model: bool = False) -> str:
    """A trainer's median test accuracy in the default state, on the hardware or on the model."""
    found = result("trainers").trainers[trainer]
    return percent((found.model_accuracy if model else found.hardware_accuracy).median)

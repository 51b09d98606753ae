"""Decks: the project's three questions as slides, every number computed or cited."""

from __future__ import annotations

from functools import cache

from foptrn_model.decks.cluster import cluster_deck
from foptrn_model.decks.slide import Deck
from foptrn_model.decks.training_the_optics import training_deck
from foptrn_model.decks.transforms import transforms_deck

__all__ = ["BUILDERS", "Deck", "deck", "decks"]

BUILDERS = {1: transforms_deck, 2: training_deck, 3: cluster_deck}


@cache
def deck(number: int) -> Deck:
    """One deck; its states are computed when it is first asked for."""
    return BUILDERS[number]()


def decks() -> tuple[Deck, ...]:
    """Every deck, in order."""
    return tuple(deck(number) for number in BUILDERS)

"""The glossary: nothing that links into it or out of it is missing, and no number is typed in."""

import re

import pytest

from foptrn_model.decks import BUILDERS, deck
from foptrn_model.diloco import LOSS_PENALTY_SOURCE
from foptrn_model.explorers import EXPLORERS
from foptrn_model.glossary import BY_ANCHOR, BY_GROUP, ENTRIES, GROUPS, TERMS
from foptrn_model.glossary_facts import FACTS
from foptrn_model.published import published_values

ENTRY = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.anchor)

NAMES = ("Hyena-2", "FP8", "E5M2", "BF16", "1F1B", "4f")
FORMULAS = (
    "1 / (1 \u2212 share)", "1 / (1 \u2212 w)", "s/r + 1 \u2212 s", "N + 1", "n/2 + 1", "(p \u2212 1) / (m + p \u2212 1)",
    "2(N \u2212 1)/N", "(N \u2212 1)P", "2B/P", "N(N \u2212 1)/2", "2 \u00d7 2", "2^\u2212ENOB \u00d7 2/\u221a12",
    "weights 1, 2, 4", "4^b",
)  # fmt: skip
STATES = ("for 4 ports", "for 64")
"""What the number beside it is computed for; ``test_stated_cases`` holds them together."""


def published_texts(slug):
    """Published numbers of one explorer as texts write them."""
    texts = set()
    for row in published_values(slug):
        high = f" to {row.high:g}" if row.high != row.published else ""
        texts.add(f"{row.published:,g}{high}")
    return texts


CITED = {
    "gradient-formats": ("5.3 to 5.8", "10.3 to 10.7"),
    "optical-dfa-crossover": ("3,080",),
}


def test_anchors_are_unique_and_groups_complete():
    assert len(BY_ANCHOR) == len(ENTRIES) == sum(map(len, BY_GROUP.values()))
    assert all(len(BY_GROUP[group]) > 3 for group in GROUPS)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", anchor) for anchor in BY_ANCHOR)


def linked_anchors():
    """Every anchor that a control, a number or a verdict links to."""
    found = set().union(*TERMS.values())
    for explorer in EXPLORERS.values():
        found |= {spec.glossary for spec in explorer.params.specs().values()}
        for preset in explorer.presets:
            params = explorer.params.from_query(preset.query)
            simulation = explorer.simulation
            if simulation and not simulation.closed:
                part = simulation.parts[simulation.main]
                if simulation.stored(simulation.main, part.query(params)) is None:
                    continue  # nothing to say without a run
            working = explorer.evaluate(params).working
            found |= {step.glossary for step in working.steps}
    return found - {""}


def test_nothing_that_is_linked_to_is_missing():
    linked = linked_anchors()
    assert len(linked) > 40
    assert sorted(linked - set(BY_ANCHOR)) == []


def test_every_verdict_has_terms_and_every_explorer_an_entry():
    assert set(TERMS) == set(EXPLORERS)
    assert all(len(set(anchors)) == len(anchors) >= 3 for anchors in TERMS.values())
    assert {entry.explorer for entry in ENTRIES} == set(EXPLORERS)


@ENTRY
def test_an_entry_opens_exactly_the_state_it_names(entry):
    params, notices = EXPLORERS[entry.explorer].params.nearest(
        dict(pair.split("=") for pair in entry.query.split("&") if pair)
    )
    assert notices == []
    assert params.to_query() == entry.query


@ENTRY
def test_an_entry_is_short_sourced_and_related_to_others(entry):
    assert 1 <= len(re.findall(r"[.?!](?:\s|$)", entry.text)) <= 5
    assert len(entry.text) < 640
    assert entry.source
    assert entry.related
    assert set(entry.related) <= set(BY_ANCHOR) - {entry.anchor}
    assert len(entry.name) <= 40


@ENTRY
def test_every_number_is_computed_or_accounted_for(entry):
    """What is left of a text without its computed numbers, names, formulas and cited values."""
    words = re.sub(r"\{\w+\}", "", entry.words)
    for text in CITED.get(entry.anchor, ()):
        assert text in words
        assert text in published_texts(entry.explorer)
        words = words.replace(text, "")
    if entry.anchor == "diloco":
        assert "+3.9 %" in LOSS_PENALTY_SOURCE
        words = words.replace("3.9 %", "")
    for text in (*NAMES, *FORMULAS, *STATES):
        words = words.replace(text, "")
    assert re.findall(r"\d", words) == []
    assert re.findall(r"\b\w*(?:tenth|hundredth|thousandth|millionth|percent)s?\b", words) == []


def test_facts_are_all_used_and_move_with_the_model():
    used = set().union(*(re.findall(r"\{(\w+)\}", entry.words) for entry in ENTRIES))
    assert used == set(FACTS)
    assert all("{" not in entry.text for entry in ENTRIES)


def test_stated_cases():
    assert f"{4 * 3 // 2} for 4 ports, {64 * 63 // 2:,} for 64" in BY_ANCHOR["mzi-mesh"].text
    assert "0.14\u202f%, for block-circulant weights 9.7\u202f%" in BY_ANCHOR["static-share"].text
    assert "239.9 steps, a fixed band 3,000" in BY_ANCHOR["time-to-loss"].text


def test_one_state_has_one_number_everywhere():
    """The entry, the slide and the page that the entry opens say the same of heavy tails."""
    entry = BY_ANCHOR["gradient-formats"]
    seen = EXPLORERS["precision"].compute(EXPLORERS["precision"].params.from_query(entry.query))
    bits = f"{seen.formats['E5M2'].enob_to_match:.2f} bits for E5M2"
    assert bits in entry.text
    slides = next(deck(name) for name in BUILDERS if deck(name).number == 2).slides
    assert any(bits in note for slide in slides for note in slide.notes)


def test_constants_fitted_to_a_published_value_are_called_so():
    assert "a fit, no check" in BY_ANCHOR["optical-dfa-crossover"].text


CONCEPTS = {
    "Backward pass": "six-n-rule gradient-of-a-convolution weight-masked-and-data-by-data static-share "
    "mask-rewrites",
    "Training the optics": "diffractive-network in-situ-backpropagation physics-aware-training "
    "direct-feedback-alignment reality-gap optical-processing-unit memory-wall optical-dfa-crossover",
    "Precision": "gradient-formats enob-noise-rule crest-factor averaging-passes bit-planes "
    "analogue-noise-in-training",
    "Cluster": "layer-major-scheduling demo error-feedback captured-energy wire-bytes time-to-loss "
    "break-even-bandwidth diloco",
    "Optics and inference": "lens-fourier-transform 4f-system convolution-theorem "
    "spatial-light-modulator phase-problem mzi-mesh conversion-bound-optics long-convolution hyena "
    "block-circulant-weights hybrid-architectures optical-share-at-inference mask-capacity "
    "link-port-amdahl",
}
"""Permanent: these anchors stand in other people's links."""


def test_concepts_keep_their_anchors_and_groups():
    for group, anchors in CONCEPTS.items():
        assert set(anchors.split()) <= {entry.anchor for entry in BY_GROUP[group]}

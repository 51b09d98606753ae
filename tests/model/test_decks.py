"""Decks as data: nothing typed in that a model should say, and every link opens what it names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from foptrn_model import decks as package
from foptrn_model.decks import BUILDERS, Deck, deck
from foptrn_model.decks.slide import Live, Numbers, See, Slide, TableBlock
from foptrn_model.decks.states import result
from foptrn_model.explorers import EXPLORERS
from foptrn_model.glossary import BY_ANCHOR
from foptrn_model.parameters import query_values
from foptrn_model.published import published_values

FOLDER = Path(package.__file__).parent
MODULES = sorted(path for path in FOLDER.glob("*.py") if path.name != "slide.py")
SOURCED = {"Cite", "Cited"}
IDENTIFIER = re.compile(r"[-a-z0-9_.=&+%]*[a-z][-a-z0-9_.=&+%]*", re.IGNORECASE)
"""A query, a method's or a field's name: no text that people read has neither space nor digit."""
NAMES = re.compile(r"Hyena-2|\b6N\b|\b4f\b|FP8 E[0-9]M[0-9]|FP4 E2M1|E[0-9]M[0-9]|BF16")
OUTLINE = {
    1: ("could a lens", "6N rule", "gradient of a convolution", "Three passes", "Weight-masked",
        "worth", "Live", "stale", "Layer-major", "count it", "Verdict"),
    2: ("trained on itself", "model, deployed", "adjoint", "In situ", "Physics-aware",
        "Feedback alignment", "Live", "precise", "Bit planes", "tolerates noise",
        "feedback loop", "for and against", "Verdict"),
    3: ("earn its place", "places", "Amdahl", "masks change", "Live: step time", "Layer-major",
        "Data-by-data", "DeMo", "fixed band", "Where the band", "Live: time", "Across", "Bytes",
        "Verdict"),
}  # fmt: skip


def typed_numbers(source: str) -> list[str]:
    """Numbers written into texts, or into the braces of one, outside what is cited."""
    tree = ast.parse(source)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SOURCED:
            skipped |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant)}
        elif isinstance(node, ast.FormattedValue):
            if node.format_spec is not None:
                skipped |= {id(part) for part in ast.walk(node.format_spec)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))  # a docstring
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in skipped
    ]
    bare = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.FormattedValue)
        and not any(isinstance(part, ast.Name) for part in ast.walk(node.value))
    ]
    return bare + [
        text
        for text in texts
        if re.search(r"\d", NAMES.sub("", text)) and not IDENTIFIER.fullmatch(text)
    ]


@pytest.fixture(scope="module", params=BUILDERS)
def chosen(request: pytest.FixtureRequest) -> Deck:
    return deck(request.param)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_number_is_typed_in(path: Path) -> None:
    assert typed_numbers(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "Paragraph('about 9.7 % of a step')",
        "f'{1.63} s of {x}'",
        "f'at most 3{x}'",
        "BigNumber('42', x)",
    ],
)
def test_the_scan_sees_a_typed_number(line: str) -> None:
    assert typed_numbers(line)


def test_the_scan_lets_pass_what_is_cited() -> None:
    assert typed_numbers("Cited('95.8 % with light', 'arXiv 2012.06373')") == []


def test_every_item_of_the_outline_is_a_slide_in_order(chosen: Deck) -> None:
    titles = iter(slide.title for slide in chosen.slides)
    for words in OUTLINE[chosen.number]:
        assert any(words in title for title in titles), words


def test_a_deck_begins_with_a_question_and_ends_with_a_verdict(chosen: Deck) -> None:
    assert 11 <= len(chosen.slides) <= 14
    assert (chosen.slides[0].look, chosen.slides[0].title[-1]) == ("question", "?")
    assert chosen.slides[-1].look == "verdict"
    assert any(isinstance(block, See) for block in chosen.slides[-1].blocks)
    assert any(isinstance(block, Live) for slide in chosen.slides for block in slide.blocks)
    assert len({slide.title for slide in chosen.slides}) == len(chosen.slides)


def test_slides_say_little_and_notes_say_the_rest(chosen: Deck) -> None:
    for slide in chosen.slides:
        assert slide.words <= 62, slide.title
        assert 3 <= len(slide.notes) <= 6, slide.title
        assert all(note[-1] in ".?" and "  " not in note for note in slide.notes), slide.notes


def links(slide: Slide) -> list[str]:
    paths = [
        link.path for block in slide.all_blocks if isinstance(block, See) for link in block.links
    ]
    return paths + [block.path for block in slide.all_blocks if isinstance(block, Live)]


def test_every_link_opens_exactly_the_state_it_names(chosen: Deck) -> None:
    found = [path for slide in chosen.slides for path in links(slide)]
    assert len(found) > 20
    for path in found:
        page, _, rest = path.removeprefix("/").partition("?")
        if page.startswith("glossary#"):
            assert page.removeprefix("glossary#") in BY_ANCHOR, path
            continue
        params, notices = EXPLORERS[page].params.nearest(query_values(rest))
        assert (notices, params.to_query()) == ([], rest), path


def test_states_that_take_a_run_are_stored(chosen: Deck) -> None:
    for slide in chosen.slides:
        for block in slide.all_blocks:
            simulation = isinstance(block, Live) and EXPLORERS[block.explorer].simulation
            if simulation and not simulation.closed:
                params = EXPLORERS[block.explorer].params.from_query(block.query)
                part = simulation.parts[simulation.first]
                assert simulation.stored(simulation.first, part.query(params)) is not None


def number(text: str) -> float:
    return float(re.findall(r"[\d.]+", text.replace(",", ""))[0])


def published(explorer: str, field: str, query: str) -> tuple[float, float]:
    row = next(
        row for row in published_values(explorer) if (row.field, row.query) == (field, query)
    )
    return row.published, row.tolerance


def test_slides_show_the_published_values() -> None:
    table = next(b for s in deck(1).slides for b in s.blocks if isinstance(b, TableBlock))
    shares = {row[0]: number(row[1]) for row in table.rows}
    for name, query in (("Hyena-2", "variant=hyena&seq_len=4096"),
                        ("Block-circulant", "variant=block-circulant&seq_len=4096")):  # fmt: skip
        value, tolerance = published("amdahl", "static_share", query)
        assert shares[name] == pytest.approx(value, abs=tolerance)
    six_n = numbers(1, "6N rule")
    assert six_n[2] == 0
    assert numbers(2, "Bit planes")[0] == pytest.approx(147.8, abs=0.05)
    never, switch = (item.value for item in shown(3, "Across data centres"))
    assert never == "never"
    assert number(switch) == pytest.approx(1.57, abs=0.005)


def shown(place: int, title: str) -> list[object]:
    slide = next(slide for slide in deck(place).slides if title in slide.title)
    return [item for block in slide.blocks if isinstance(block, Numbers) for item in block.items]


def numbers(place: int, title: str) -> list[float]:
    return [number(item.value) for item in shown(place, title)]


def texts(number: int, place: int) -> str:
    """Everything that the nth slide of a deck shows, and its notes."""
    slide = next(deck(name) for name in BUILDERS if deck(name).number == number).slides[place - 1]
    return " ".join([slide.title, repr(slide.all_blocks), *slide.notes])


def test_a_summed_band_is_said_to_beat_adamw_and_to_be_beaten_by_topk() -> None:
    said = texts(3, 14)
    assert said.count("top-k beats both") == 2
    edge = result("transit").break_even["band-switch"].GBps
    for wan in (0.002, 0.03, 0.4, 1.0, 0.99 * edge):
        ways = result("transit", f"wan_GBps={wan:.4g}").ways
        order = ("topk-allgather", "band-switch", "adamw-allreduce")
        times = [ways[way].time_s for way in order]
        assert times == sorted(times), wan


def test_the_share_by_time_says_what_is_slow_and_that_it_is_assumed() -> None:
    """The share follows from slowing all of the static part and nothing else."""
    seen = result("amdahl", "fft_rate=0.0625&variant=block-circulant")
    step = seen.flop_per_token.step
    slow = (step.transform + step.weight_masked) / 0.0625
    rest = step.total - step.transform - step.weight_masked
    assert seen.time_weighted_share == pytest.approx(slow / (slow + rest))
    for said in (texts(1, 9), texts(1, 13), BY_ANCHOR["amdahl-law"].text):
        assert "weight-masked products" in said
        assert "data-by-data products at the full rate" in said
        assert "assum" in said


def test_a_lens_transforms_forward_and_a_camera_loses_phase() -> None:
    assert "back" not in texts(1, 2)
    assert "inverted" in texts(1, 2)
    assert "inverted" in BY_ANCHOR["4f-system"].text
    assert "loses the output's phase" in texts(1, 13)

"""Decks over HTTP: documents, their links and assets, and what is refused."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import flask
import pytest

from foptrn_model.decks import BUILDERS, deck
from pages._server.headers import install_headers

ROOT = Path(__file__).parent.parent.parent
REVEAL = ROOT / "assets" / "vendor" / "reveal"
LINK = re.compile(r'(?:src|href|data-live)="([^"]+)"')


@pytest.mark.parametrize("number", BUILDERS)
def test_every_slide_has_its_address_and_every_link_answers(client: Any, number: int) -> None:
    response = client.get(f"/decks/{number}")
    assert response.status_code == 200
    anchors = re.findall(r'<section id="(slide-\d\d)"', response.text)
    assert anchors == [anchor for anchor, _ in deck(number).numbered]
    found = {html.unescape(link) for link in LINK.findall(response.text)}
    assert len(found) > 25
    assert all(re.match(r"/(?!/)", link) for link in found)
    # What a query opens is the business of the model's tests.
    for path in {re.split("[?#]", link)[0] for link in found}:
        assert client.get(path).status_code == 200, path


def test_the_index_lists_every_slide(client: Any) -> None:
    assert "'href': '/decks'" in str(client.get("/_dash-layout").json)
    links = re.findall(r"/decks/(\d)#(slide-\d\d)", str(_layout()))
    wanted = [(str(n), anchor) for n in BUILDERS for anchor, _ in deck(n).numbered]
    assert links == wanted


def _layout() -> Any:
    import dash

    return dash.page_registry["pages.decks"]["layout"]().to_plotly_json()


@pytest.mark.parametrize("name", ["9", "0", "01", "x", "<script>alert(1)"])
def test_an_unknown_deck_leads_back(client: Any, name: str) -> None:
    response = client.get(f"/decks/{name}")
    assert response.status_code == 404
    assert 'href="/decks"' in response.text
    assert "<script>alert" not in response.text


def test_no_script_stands_in_a_document(client: Any) -> None:
    for path in ("/decks/1", "/decks/1?speaker=1", "/decks/1?print-pdf", "/decks/9"):
        response = client.get(path)
        assert re.findall(r"<script(?! src=)", response.text) == []
        assert re.findall(r"<[^>]* on[a-z]+=", response.text) == []
        assert "frame-src 'self'" in response.headers["Content-Security-Policy"]


def test_decks_and_pages_load_nothing_of_each_other(client: Any) -> None:
    assert "vendor" not in client.get("/").text
    assert "deck" not in " ".join(LINK.findall(client.get("/").text))
    links = " ".join(LINK.findall(client.get("/decks/1").text))
    assert "plotly" not in links
    assert "explorer.js" not in links


def test_reveal_is_the_version_and_carries_the_licence_that_it_should() -> None:
    script = (REVEAL / "reveal.js").read_text(encoding="utf-8")
    assert re.search(r"[`'\"]6\.0\.2[`'\"]", script)
    assert "MIT licensed" in script[:200]
    licence = (REVEAL / "reveal.LICENSE.txt").read_text(encoding="utf-8")
    assert "Hakim El Hattab" in licence
    assert "Permission is hereby granted, free of charge" in licence
    assert not re.findall(r"https?://(?!revealjs\.com|hakim\.se|www\.w3\.org)[\w.]+\.\w+/",
                          (REVEAL / "reveal.css").read_text(encoding="utf-8"))  # fmt: skip


@pytest.mark.parametrize(
    ("allowed", "policy"),
    [
        ("*", "frame-ancestors *"),
        ("https://slides.example", "frame-ancestors 'self' https://slides.example"),
        ("'none'", "frame-ancestors 'self'"),
        ("'self'", "frame-ancestors 'self'"),
    ],
)
def test_decks_may_always_frame_their_own_explorers(allowed: str, policy: str) -> None:
    server = flask.Flask("headers")
    install_headers(server, frame_ancestors=allowed, script_hashes=list)
    found = server.test_client().get("/").headers["Content-Security-Policy"]
    assert found.split("; ")[-1] == policy

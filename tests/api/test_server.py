"""What surrounds the pages: settings, headers, prefixes, health."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import brotli
import pytest
from plotly.offline import get_plotlyjs_version

from pages._server import compressed
from pages._server.headers import YEAR_S
from pages._server.settings import Settings, SettingsError, read_settings

ROOT = Path(__file__).parent.parent.parent
LINK = re.compile(r'(?:src|href)="([^"]+)"')


def test_default_settings() -> None:
    assert read_settings({}) == Settings()


def test_settings_are_read() -> None:
    read = read_settings(
        {
            "FOPTRN_HOST": "0.0.0.0",
            "FOPTRN_PORT": "9000",
            "FOPTRN_BASE_PATH": "lab/optics",
            "FOPTRN_PROXY_STRIPS": "true",
            "FOPTRN_FRAME_ANCESTORS": "'self' https://slides.example",
            "FOPTRN_WORKERS": "3",
            "FOPTRN_CACHE_MB": "20",
            "PATH": "/bin",
        }
    )
    assert (read.worker_count, read.cache_MB) == (3, 20)
    assert "FOPTRN_BASE_PATH=/lab/optics/" in read.lines()
    again = dict(line.split("=", 1) for line in read.lines())
    assert read_settings(again) == read, "what is told at the start can be set"
    assert read.base_path == "/lab/optics/"
    assert read.routes_path == "/"
    assert (read.host, read.port) == ("0.0.0.0", 9000)
    assert read.frame_ancestors == "'self' https://slides.example"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FOPTRN_PORT", "0"),
        ("FOPTRN_PORT", "http"),
        ("FOPTRN_PORT", "70000"),
        ("FOPTRN_BASE_PATH", "/a b/"),
        ("FOPTRN_PROXY_STRIPS", "maybe"),
        ("FOPTRN_FRAME_ANCESTORS", "*; script-src *"),
        ("FOPTRN_FRAME_ANCESTORS", "*\nSet-Cookie: a=b"),
        ("FOPTRN_FRAME_ANCESTORS", ""),
        ("FOPTRN_TRUSTED_PROXIES", "all"),
        ("FOPTRN_TRUSTED_PROXIES", "6"),
        ("FOPTRN_CACHE_MB", "9"),
        ("FOPTRN_JOBS_PER_ADDRESS", "0"),
        ("FOPTRN_WORKERS", "-1"),
        ("FOPTRN_THREADS", "1"),
        ("FOPTRN_ACCESS_LOG", "1"),
        ("FOPTRN_COMMIT", "v1.0"),
        ("FOPTRN_SCHEDULER", "http://scheduler:8786"),
        ("FOPTRN_PROXY_STRIP", "true"),
    ],
)
def test_bad_settings_name_the_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        read_settings({name: value})


def test_bad_setting_ends_the_program_with_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={"FOPTRN_PORT": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "app.py: FOPTRN_PORT must be a whole number from 1 to 65535, got 'none'\n"


@pytest.mark.parametrize(
    "path", ["/", "/amdahl", "/api/v1/", "/healthz", "/assets/style.css", "/nothing"]
)
def test_headers(client: Any, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors *" in policy
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_health(client: Any) -> None:
    assert (client.get("/healthz").status_code, client.get("/healthz").text) == (200, "OK")


def test_every_link_of_the_document_is_local_and_exists(client: Any) -> None:
    links = LINK.findall(client.get("/").text)
    assert len(links) > 10
    for link in links:
        assert link.startswith("/"), link
        assert not link.startswith("//"), link
        assert client.get(link).status_code == 200, link


@pytest.mark.parametrize("document", ["/", "/decks/1", "/decks/1?speaker=1"])
def test_what_a_document_loads_is_kept_for_a_year_under_its_version(
    client: Any, document: str
) -> None:
    links = LINK.findall(client.get(document).text)
    files = [link for link in links if "/assets/" in link or "/_dash-" in link]
    assert any("/head.js" in link for link in files)
    for link in files:
        assert client.get(link).cache_control.max_age == YEAR_S, link
    assert "no-cache" in client.get("/assets/head.js").headers["Cache-Control"]


@pytest.mark.parametrize(
    ("coding", "unpack"), [("gzip", gzip.decompress), ("br", brotli.decompress)]
)
def test_a_file_is_compressed_once_for_all_visitors(
    client: Any, coding: str, unpack: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: list[bytes] = []
    pack = compressed.CODINGS[coding]
    monkeypatch.setitem(compressed.CODINGS, coding, lambda body: packed.append(body) or pack(body))
    compressed._once.cache_clear()
    scripts = [
        link for link in LINK.findall(client.get("/").text) if ".js" in link or ".css" in link
    ]
    for visitor in range(3):
        for link in scripts:
            plain = client.get(link, headers={"Accept-Encoding": "identity"}).data
            # Another address of the same file, as anyone may make up, is still the same file.
            answer = client.get(f"{link}{'&' if '?' in link else '?'}v={visitor}",
                                headers={"Accept-Encoding": coding})  # fmt: skip
            assert answer.headers["Content-Encoding"] == coding or len(plain) < 500
            assert "Accept-Encoding" in answer.headers["Vary"]
            sent = unpack(answer.data) if "Content-Encoding" in answer.headers else answer.data
            assert sent == plain
    assert len(packed) == len(set(packed)) > 10


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_large_files_travel_compressed(client: Any, coding: str) -> None:
    response = client.get("/assets/plotly-cartesian.min.js", headers={"Accept-Encoding": coding})
    assert response.headers["Content-Encoding"] == coding
    assert len(response.data) < 600_000


def test_plotly_bundle_is_the_version_of_the_library(client: Any) -> None:
    text = client.get("/assets/plotly-cartesian.min.js").text
    assert f"plotly.js (cartesian - minified) v{get_plotlyjs_version()}" in text[:200]
    assert "plotly.min.js" not in client.get("/").text


def test_large_bodies_are_refused(client: Any) -> None:
    response = client.post(
        "/_dash-update-component", data=b"x" * 2_100_000, content_type="application/json"
    )
    assert response.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        "{}", "[]", "null", "1", '"text"', "{", "",
        '{"output": "x", "inputs": []}',
        '{"output": 1}',
        '{"output": "..a.b.."}',
        '{"output": "_pages_content.children", "inputs": [1]}',
        '{"output": "_pages_content.children", "inputs": 7}',
    ],
)  # fmt: skip
def test_malformed_callback_requests_are_refused(client: Any, body: str) -> None:
    response = client.post("/_dash-update-component", data=body, content_type="application/json")
    assert response.status_code == 400
    assert "Traceback" not in response.text


PREFIX_SCRIPT = """
import sys
from app import create_app
from pages._server.settings import Settings
strips = sys.argv[1] == "true"
app = create_app(Settings(base_path="/lab/optics/", proxy_strips=strips, commit="0123456789abcdef"))
assert all(app._got_first_request.values()), "or parallel first requests would find it half set up"
client = app.server.test_client()
inside = "/" if strips else "/lab/optics/"
import json
import re
links = []
for path in ("amdahl", "decks/3", "decks/9"):
    page = client.get(inside + path)
    links += re.findall(r'(?:src|href|data-live)="([^"?#]+)', page.text)
assert links and all(link.startswith("/lab/optics/") for link in links), links
for link in set(links):
    path = link if not strips else link.replace("/lab/optics/", "/", 1)
    assert client.get(path).status_code == 200, path
for path in ("api/v1/", "api/v1/amdahl", "api/v1/amdahl.csv", "healthz"):
    assert client.get(inside + path).status_code == 200, path
import json
layout = json.dumps(client.get(inside + "_dash-layout").json)
assert '"/lab/optics/amdahl"' in layout and '"/lab/optics/api/v1/"' in layout
assert ", commit 0123456789. " in layout
assert client.get(inside + "nothing").status_code == 404
assert client.get(inside + "amdahl/").status_code == 200
described = client.get(inside + "api/v1/openapi.json").json
assert described["servers"] == [{"url": "/lab/optics/api/v1"}]
print("prefix ok")
"""


@pytest.mark.parametrize("strips", ["true", "false"])
def test_everything_works_on_a_sub_path(strips: str) -> None:
    # Another process: Dash keeps pages and their paths in globals.
    done = subprocess.run(
        [sys.executable, "-c", PREFIX_SCRIPT, strips],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "prefix ok\n", done.stderr

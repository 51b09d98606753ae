"""Pictures on the command line: drawn by Kaleido in the system's Chromium."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from foptrn_model.__main__ import main
from pages._components.theme import GROUND


def test_a_figure_is_saved_in_both_formats(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    png, svg = tmp_path / "a.png", tmp_path / "a.svg"
    words = ["transit", "--wan_GBps", "3", "--png", str(png), "--svg", str(svg), "--theme", "dark"]
    assert main(words) == 0
    assert capsys.readouterr().out == f"{png}\n{svg}\n"
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert struct.unpack(">II", head[16:]) == (2400, 1350)
    text = svg.read_text(encoding="utf-8")
    assert "Time to the target against the WAN rate" in text
    assert "3.00\u202fGB/s" in text
    red, green, blue = (int(GROUND.dark[start : start + 2], 16) for start in (1, 3, 5))
    assert f"rgb({red}, {green}, {blue})" in text


@pytest.mark.parametrize(
    ("missing", "message"), [("kaleido", "export extra"), ("browser", "needs Chromium")]
)
def test_what_is_missing_is_said(
    missing: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    if missing == "kaleido":
        monkeypatch.setitem(sys.modules, "kaleido", None)
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["amdahl", "--png", str(tmp_path / "a.png")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "a.png").exists()


def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["amdahl", "--png", str(tmp_path / "none" / "a.png")]) == 2
    assert "cannot write" in capsys.readouterr().err

"""Every value of the precision explorer's specification, through the API and the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from foptrn_model.__main__ import main

ROWS = [
    # query, path to the number, lowest, highest
    ("samples=4096", "formats.E5M2.enob_to_match", 5.3, 5.8),
    ("", "formats.E5M2.enob_to_match", 5.3, 5.8),
    ("", "formats.E5M2.relative_rms", 0.052, 0.054),
    ("samples=4096", "formats.BF16.enob_to_match", 10.3, 10.7),
    ("", "formats.BF16.enob_to_match", 10.3, 10.7),
    ("", "formats.BF16.relative_rms", 1.63e-3, 1.68e-3),
    ("distribution=student-t", "formats.E5M2.enob_to_match", 7, 9),
    ("distribution=student-t", "formats.BF16.enob_to_match", 12, 14),
    ("samples=4096", "formats.E4M3.enob_to_match", 6.1, 6.5),
    ("samples=4096", "formats.INT8.enob_to_match", 7.9, 8.1),
    ("samples=1048576&draws=1", "formats.BF16.sqnr_db", 55.5, 55.7),
    ("samples=1048576&draws=1", "formats.E4M3.sqnr_db", 31.4, 31.6),
    ("samples=1048576&draws=1", "formats.E5M2.sqnr_db", 25.4, 25.6),
    ("planes=8", "plane_noise_factor", 147.795, 147.805),
    ("planes=8", "plane_emulation.noiseless_relative_rms", 0.0093, 0.0095),
    ("planes=12", "plane_emulation.noiseless_relative_rms", 0.0020, 0.0030),
    ("planes=8&enob=8", "plane_emulation.read_out_relative_rms", 0.167, 0.169),
    ("", "conversion.hyena.pairs_per_token", 262_144, 262_144),
    ("", "conversion.hyena.replaced_flop_per_token", 32.95e6, 33.05e6),
    ("", "conversion.hyena.break_even_enob", 11.95, 12.05),
    ("", "conversion.block-circulant.pairs_per_token", 2_162_688, 2_162_688),
    ("", "conversion.block-circulant.replaced_flop_per_token", 176.05e6, 176.15e6),
    ("", "conversion.block-circulant.break_even_enob", 11.35, 11.45),
]


def number(result: Any, path: str) -> float:
    for part in path.split("."):
        result = result[part]
    return float(result)


@pytest.mark.parametrize(("query", "path", "low", "high"), ROWS)
def test_a_row_is_reproduced_alike_by_both(
    client: Any, capsys: Any, query: str, path: str, low: float, high: float
) -> None:
    answer = client.get(f"/api/v1/precision?{query}").json
    assert low <= number(answer["result"], path) <= high
    flags = [word for pair in query.split("&") if pair for word in ("--" + pair).split("=")]
    main(["precision", *flags, "--json"])
    assert json.loads(capsys.readouterr().out) == answer


def test_too_many_samples_are_refused_with_the_range(client: Any) -> None:
    response = client.get("/api/v1/precision?samples=1048577")
    assert response.status_code == 422
    assert [item["param"] for item in response.json["errors"]] == ["samples"]
    assert "1,048,576" in response.json["errors"][0]["message"]


def test_a_refusal_names_every_bad_field(client: Any) -> None:
    response = client.get("/api/v1/precision?enob=21&passes=0&planes=17&distribution=cauchy")
    named = {item["param"] for item in response.json["errors"]}
    assert named == {"enob", "passes", "planes", "distribution"}

"""Requests made from the OpenAPI description, and answers held against it."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import CHECKS

from tests.fuzz.requests import Counts

FAMILY = "OpenAPI, schemathesis"
NAMES = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


def check_description(application: Any, requests: int, counts: Counts) -> None:
    """Ask every operation with values that its schema allows; a queue may be full (503)."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    operations = [found.ok() for found in schema.get_all_operations()]
    checks = CHECKS.get_by_names(list(NAMES))
    for operation in operations:

        @settings(
            max_examples=-(-requests // len(operations)),
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy())
        def run(case: Any) -> None:
            response = case.call(headers={"Accept-Encoding": "identity"})
            counts.note(FAMILY, response.status_code)
            excluded = checks[:1] if response.status_code == 503 else []
            case.validate_response(response, checks=checks, excluded_checks=excluded)

        run()

"""Requests that nobody should send, and the one thing asked of every answer: it is no failure."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import flask.testing
from hypothesis import strategies as st

from foptrn_model.explorers import EXPLORERS
from foptrn_model.fields import Spec
from tests import updates

JSON = "application/json"


@dataclass(frozen=True)
class Asked:
    """One request."""

    method: str
    address: str
    body: bytes = b""
    kind: str = ""


@dataclass
class Counts:
    """How many requests of a family were answered with which status."""

    statuses: dict[str, Counter[int]] = field(default_factory=dict)

    def note(self, family: str, status: int) -> None:
        self.statuses.setdefault(family, Counter())[status] += 1


def check(client: flask.testing.FlaskClient, asked: Asked) -> int:
    """Send it; only a queue that says when to come back may refuse with a status of 500 or more."""
    answer = client.open(
        asked.address, method=asked.method, data=asked.body, content_type=asked.kind or None
    )
    status, text = answer.status_code, answer.get_data(as_text=True)
    assert status < 500 or (status == 503 and int(answer.headers["Retry-After"]) > 0), text[:2000]
    assert "Traceback" not in text
    if status == 422:
        errors = json.loads(text)["errors"]
        assert errors
        assert all(error["message"] for error in errors)
    return status


def idle(desk: Any, api: Any) -> tuple[tuple[Any, str, Any], ...]:
    """What to replace so that nothing is computed in the background and nobody waits for it."""
    return ((desk.Desk, "_ensure_runner", lambda self: None), (api, "PATIENCE", 0.0))


# Values and queries -----------------------------------------------------------

ODD = st.one_of(
    st.text(max_size=12),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(["", "0", "-0", "1e308", "NaN", "true", "\u0661", "1,000", "%00", "a" * 300]),
)


def fitting(spec: Spec) -> st.SearchStrategy[str]:
    """Text of a value that the field allows, the ends of its range among them."""
    if spec.kind == "bool":
        return st.sampled_from(["true", "false"])
    if spec.kind == "choice":
        return st.sampled_from(spec.choices)
    if spec.kind == "name":
        return st.text(max_size=20)
    ends = st.sampled_from([spec.low, spec.high, spec.default or spec.low])
    if spec.kind == "int":
        return st.one_of(ends.map(int), st.integers(int(spec.low), int(spec.high))).map(str)
    return st.one_of(ends, st.floats(spec.low, spec.high)).map(str)


def values_of(slug: str) -> st.SearchStrategy[dict[str, str]]:
    """Some fields of an explorer, most of them with values that it allows."""
    specs = EXPLORERS[slug].params.specs()
    some = st.lists(st.sampled_from(sorted(specs)), max_size=4, unique=True)
    return some.flatmap(
        lambda names: st.fixed_dictionaries(
            {name: st.one_of(fitting(specs[name]), fitting(specs[name]), ODD) for name in names}
        )
    )


@st.composite
def queries(draw: Callable[..., Any], slug: str) -> str:
    """A query string, often sensible, with the names that belong to a page and pins."""
    pairs = list(draw(values_of(slug)).items())
    if draw(st.booleans()):
        name = st.sampled_from(["embed", "theme", "hide", "pin", "tour", "x", "", "seed"])
        pairs += draw(st.lists(st.tuples(name, ODD), max_size=3))
    if draw(st.integers(0, 3)) == 0:
        pairs.append(("pin", f"0.1.0~{urlencode(draw(values_of(slug)))}"))
    return urlencode(pairs, errors="surrogatepass")


SLUGS = st.sampled_from(sorted(EXPLORERS))
JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


# Families ---------------------------------------------------------------------


@st.composite
def api(draw: Callable[..., Any]) -> Asked:
    """Answers, tables and parts."""
    slug = draw(SLUGS)
    explorer = EXPLORERS[slug]
    tables = [f"/{table}.csv" for table in explorer.tables]
    parts = [f"/{part}" for part in explorer.simulation.parts] if explorer.simulation else []
    route = draw(st.sampled_from(["", "", ".csv", *tables, *parts]))
    return Asked("GET", f"/api/v1/{slug}{route}?{draw(queries(slug))}")


@st.composite
def files(draw: Callable[..., Any]) -> Asked:
    """Bodies of the API: loss curves, nearly so, and anything else."""
    number = st.one_of(st.integers(1, 9_999).map(str), st.floats(0.1, 20).map(str))
    cell = number if draw(st.booleans()) else st.one_of(number, ODD)
    name = st.sampled_from(["adamw", "topk", "band"])
    rows = draw(st.lists(st.tuples(name, st.integers(1, 9_999).map(str), cell), max_size=8))
    usual = st.just("method,step,val_loss")
    head = draw(st.one_of(usual, usual, st.sampled_from(["method;step;val_loss", "step", ""])))
    table = "\n".join([head, *(",".join(row) for row in rows)]).encode("utf-8", "surrogatepass")
    body = draw(st.one_of(st.just(table), st.just(table), st.binary(max_size=200)))
    slug = draw(st.sampled_from(["transit", "transit", "transit", "amdahl"]))
    query = draw(st.one_of(st.just(""), queries(slug)))
    kind = draw(
        st.sampled_from(["text/csv", "text/csv", "multipart/form-data; boundary=x", JSON, ""])
    )
    return Asked("POST", f"/api/v1/{slug}?{query}", body, kind)


@st.composite
def addresses(draw: Callable[..., Any]) -> Asked:
    """Any path, with any method."""
    method = draw(
        st.sampled_from(["GET", "GET", "GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
    )
    start = draw(st.sampled_from(["/", "/api/v1/", "/api/v1/amdahl/", "/assets/", "/_dash-component-suites/",
                                  "/_dash-component-suites/dash/", "/amdahl/", "/_"]))  # fmt: skip
    rest = draw(
        st.one_of(
            st.text(max_size=20), st.sampled_from(["../app.py", "..%2f..%2fx", "%00", "a" * 4000])
        )
    )
    query = draw(st.text(max_size=30))
    return Asked(
        method,
        f"{start}{quote(rest, errors='replace')}?{quote(query, safe='&=%', errors='replace')}",
    )


@st.composite
def pages(draw: Callable[..., Any]) -> Asked:
    """Page queries: Dash asks for a page's layout with its address."""
    slug = draw(SLUGS)
    path = draw(st.one_of(st.just(f"/{slug}"), st.just(f"/{slug}"), JUNK, st.text(max_size=12)))
    search = draw(st.one_of(queries(slug).map("?{}".format), st.text(max_size=30), JUNK))
    return as_update(updates.ROUTER, [path, search])


@st.composite
def controls(draw: Callable[..., Any]) -> Asked:
    """What the controls of a page ask for, and what they never would."""
    slug = draw(SLUGS)
    request = draw(requests_of(slug))
    return as_update(f"{slug}-request", [request])


@st.composite
def bodies(draw: Callable[..., Any]) -> Asked:
    """Callback requests with a part that is missing or of another kind."""
    slug = draw(SLUGS)
    body = json.loads(as_update(f"{slug}-request", [draw(requests_of(slug))]).body)
    for _ in range(draw(st.integers(1, 3))):
        body = draw(damaged(body))
    return Asked("POST", updates.PATH, json.dumps(body).encode(), JSON)


@st.composite
def raw(draw: Callable[..., Any]) -> Asked:
    """Anything at all where callbacks are asked for."""
    deep = st.sampled_from(
        [b"[" * 50_000, b'{"a":' * 50_000, b"[" * 900 + b"]" * 900, b"\xff", b""]
    )
    junk = JUNK.map(lambda value: json.dumps(value).encode())
    kind = draw(st.sampled_from([JSON, JSON, JSON, "text/plain", "multipart/form-data", ""]))
    return Asked("POST", updates.PATH, draw(st.one_of(junk, deep, st.binary(max_size=60))), kind)


FAMILIES: Mapping[str, Callable[[], st.SearchStrategy[Asked]]] = {
    "API": api, "API, files": files, "addresses": addresses, "page queries": pages,
    "callbacks, controls": controls, "callbacks, damaged": bodies, "callbacks, raw": raw,
}  # fmt: skip


# Callback requests ------------------------------------------------------------

_SHAPES: dict[str, dict[str, Any]] = {}


def learn(client: flask.testing.FlaskClient) -> None:
    """Take the shapes of callback requests from the app, as the browser does."""
    _SHAPES.update(updates.shapes(client.get("/_dash-dependencies").json or []))


def as_update(trigger: str, values: list[Any]) -> Asked:
    """A callback request with these values of its inputs."""
    body = updates.update(_SHAPES[trigger], values)
    return Asked("POST", updates.PATH, json.dumps(body).encode(), JSON)


@st.composite
def requests_of(draw: Callable[..., Any], slug: str) -> Any:
    """A page's request: its values, and every other word that the server knows."""
    explorer = EXPLORERS[slug]
    request: dict[str, Any] = {"serial": 1, "values": draw(values_of(slug))}
    optional = {
        "query": queries(slug),
        "pins": st.lists(queries(slug).map("0.1.0~{}".format), max_size=4),
        "changed": st.sampled_from(sorted(explorer.params.specs())),
        "tried": st.lists(st.sampled_from(sorted(explorer.params.specs())), max_size=2),
        "plates": st.lists(st.text(max_size=8), max_size=3),
        "tables": st.just(list(explorer.tables)),
        "page": st.text(max_size=50),
        "declined": st.text(max_size=8),
        "attached": st.one_of(
            st.binary(max_size=60).map(lambda data: {"contents": base64.b64encode(data).decode()}),
            st.just({"digest": "none"}),
        ),
        **{
            name: st.booleans()
            for name in ("drag", "poll", "quiet", "cancel", "run", "shown", "replaces")
        },
    }
    for name in draw(st.lists(st.sampled_from(sorted(optional)), max_size=4, unique=True)):
        request[name] = draw(st.one_of(optional[name], optional[name], JUNK))
    return draw(st.sampled_from([request, request, request, None, [request], "values"]))


@st.composite
def damaged(draw: Callable[..., Any], body: Any) -> Any:
    """The same JSON with something removed or replaced, at any depth."""
    if isinstance(body, dict) and body and draw(st.integers(0, 4)):
        name = draw(st.sampled_from(sorted(body)))
        if draw(st.integers(0, 3)) == 0:
            return {key: value for key, value in body.items() if key != name}
        return body | {name: draw(damaged(body[name]))}
    if isinstance(body, list) and body and draw(st.integers(0, 4)):
        index = draw(st.integers(0, len(body) - 1))
        return [*body[:index], draw(damaged(body[index])), *body[index + 1 :]]
    return draw(JUNK)

"""One person of a seminar: opens a page, drags its sliders, waits for runs, goes to another page.

Requests are those that ``assets/explorer.js`` makes, built from what the server itself says: its
callbacks, and the stores of the page. One is in flight at a time; what comes to nothing is sent again.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import orjson

from foptrn_model.explorers import EXPLORERS, TRAINERS
from foptrn_model.trainers_params import VIEW_FIELDS
from tests import updates

DRAW_S = 0.04
"""What a browser takes at least to draw an answer before its next request goes."""
HAND_S = 0.3
"""So long a hand rests before a page that computes what moves itself asks the server (HAND_MS)."""
REST_S = 0.16
LOST_S = 1.5
DRAG_S = (2.0, 3.0)
LOOK_S = (1.0, 3.0)
LEAVES = 0.1
"""How often somebody goes to another page instead of taking the next slider."""
PATIENCE_S = 30.0
MOST_TRIES = 20
ON_SCREEN = 2
"""Figures that a phone, or a small laptop, shows at once."""


class Line(Protocol):
    """How a person reaches the server; what is asked is recorded by its kind."""

    def ask(
        self, kind: str, path: str, *, body: Any = None, judge: Callable[[bytes], str] | None = None
    ) -> bytes | None:
        """The body of an answer, or None where there was none; ``judge`` says what is wrong with it."""

    def note(self, kind: str, seconds: float) -> None:
        """Record what took so long."""

    def pause(self, seconds: float) -> None:
        """Let time pass."""

    def clock(self) -> float:
        """Seconds since some moment."""


class Person:
    """Somebody with a seed of their own, at one explorer to begin with."""

    def __init__(
        self, line: Line, *, slug: str, seed: int, cold: Mapping[str, Sequence[str]]
    ) -> None:
        """``cold`` says what a browser that knows nothing asks for to open each explorer."""
        self.line, self.slug, self.cold = line, slug, cold
        self.random = random.Random(seed)
        self.trains = slug == TRAINERS.slug
        self.seen: set[str] = set()

    # Opening -----------------------------------------------------------------

    def arrive(self) -> None:
        """Open the page as a browser does that was never here."""
        dependencies = self._fetch("/_dash-dependencies")
        self.shapes = updates.shapes(orjson.loads(dependencies))
        self._open()
        if self.trains:
            own = {**self.values, "seed": str(self.random.randrange(10**6))}
            self._release({"values": own, "changed": "seed", "tried": [], "kept": False})

    def _fetch(self, wanted: str = "") -> bytes:
        """Take what the page of this explorer needs and is not here yet; gives what is wanted."""
        found = b""
        for path in self.cold[self.slug]:
            if path not in self.seen:
                content = self._until_there(kind_of(path), path)
                self.seen.add(path)
                if path.endswith(wanted):
                    found = content
        return found

    def _until_there(self, kind: str, path: str, **asked: Any) -> bytes:
        for _ in range(MOST_TRIES):
            content = self.line.ask(kind, path, **asked)
            if content is not None:
                return content
            self.line.pause(LOST_S)
        raise RuntimeError(f"{path} was never answered")

    def _open(self) -> None:
        body = updates.update(self.shapes[updates.ROUTER], [f"/{self.slug}", ""])
        content = self._until_there("page", updates.PATH, body=body)
        stores = dict(stores_of(orjson.loads(content)["response"]))
        self.spec, answer = stores[f"{self.slug}-spec"], stores[f"{self.slug}-answer"]
        self.serial, self.drawn = 0, {}
        self.watcher = f"{self.random.random():.12f}"
        self.run: dict[str, Any] | None = None
        self.absent: list[str] = []
        self.pins = answer["pins"]
        self._take(answer)
        self._follow()

    # One turn ----------------------------------------------------------------

    def turn(self) -> None:
        """Drag one slider and look at what came, or go to another page."""
        if not self.trains and self.random.random() < LEAVES:
            self.slug = self.random.choice([slug for slug in self.cold if slug != TRAINERS.slug])
            self._fetch()
            self._open()
        else:
            self.drag()
        self.line.pause(self.random.uniform(*LOOK_S))

    def drag(self) -> None:
        """Move one slider from where it is to somewhere else, resting once, and let it go."""
        name = self.random.choice(self._sliders())
        field = self.spec["fields"][name]
        low, high = position(field, field["low"]), position(field, field["high"])
        start, end = position(field, float(self.values[name])), self.random.uniform(low, high)
        lasts, began, share = self.random.uniform(*DRAG_S), self.line.clock(), 0.0
        told = ["verdict", "working"] if self.spec["instant"] else None
        rests = self.random.random() if told else math.inf
        while share < 1:
            share = min(1.0, (self.line.clock() - began) / lasts)
            moved = start + share * (end - start)
            moved = low + round((moved - low) / field["step"]) * field["step"]
            text = value_at(field, min(moved, high))
            if text != self.values[name]:
                self.values[name] = text
                if not told:
                    self._send("drag", self._changed(name, drag=self.spec["simulated"]))
            self.line.pause(DRAW_S)
            if share >= rests:
                rests = math.inf
                self.line.pause(HAND_S)
                self._send("drag", self._changed(name, told=told))
        self._release({"values": {**self.values}, "changed": name, "tried": [], "kept": False})
        self._rest()

    def _sliders(self) -> list[str]:
        """Sliders that say something in this state; those that make a run long are left alone."""
        simulation = EXPLORERS[self.slug].simulation
        left = (*simulation.costly, *(VIEW_FIELDS if self.trains else ())) if simulation else ()
        return [
            name
            for name, field in self.spec["fields"].items()
            if field["slider"] and name not in self.inactive and name not in left
        ]

    def _changed(
        self, name: str, *, drag: bool = False, told: list[str] | None = None
    ) -> dict[str, Any]:
        plates = self._on_screen()
        return {
            "values": {**self.values}, "changed": name, "tried": [], "drag": drag, "kept": True,
            "told": told,
            "plates": [plate for plate in plates if not (told and plate == self.spec["plates"][0])],
        }  # fmt: skip

    def _release(self, request: dict[str, Any]) -> None:
        began, runs = self.line.clock(), self._send("release", request)
        if runs:
            ended = "whole run" if self._follow() else "run given up"
            self.line.note(f"{self.slug}: {ended}", self.line.clock() - began)

    def _follow(self) -> bool:
        """Ask how far a run is until it is there, or patience ends."""
        began = self.line.clock()
        while self.run and self.run["againMs"] is not None:
            self.line.pause(self.run["againMs"] / 1000)
            if self.line.clock() - began > PATIENCE_S:
                self._send("cancel", {"values": {**self.good}, "cancel": True})
                return False
            request: dict[str, Any] = {
                "values": {**self.good}, "poll": True, "shown": not self.run["stale"],
                "run": self.run.get("asked"),
            }  # fmt: skip
            if self.run.get("plates"):
                request |= {"plates": self.run["plates"], "quiet": self.run.get("quiet")}
            self._send("poll", request)
        return True

    def _rest(self) -> None:
        """Once the hand rests, what was off screen is drawn."""
        self.line.pause(REST_S)
        if self.run and (self.run["stale"] or self.run["state"] == "preview"):
            return
        due = [name for name in self.spec["plates"] if self.drawn.get(name) != self.query]
        if due:
            self._send("rest", {"values": {**self.good}, "plates": due, "quiet": True})
            self._follow()

    # Requests ----------------------------------------------------------------

    def _on_screen(self) -> list[str]:
        there = [name for name in self.spec["plates"] if name not in self.absent]
        return there[:ON_SCREEN]

    def _send(self, kind: str, request: Mapping[str, Any]) -> bool:
        """One request and its answer; gives whether a run is under way."""
        self.serial += 1
        asked = {
            "page": self.watcher if self.spec["simulated"] else None,
            "declined": self.run.get("declined") if self.run else None,
            "pins": self.pins, "plates": self._on_screen(), "tables": [],
            **request, "serial": self.serial,
        }  # fmt: skip
        asked = {name: value for name, value in asked.items() if value is not None}
        body = updates.update(self.shapes[f"{self.slug}-request"], [asked])
        content = self._until_there(
            f"{self.slug}: {kind}", updates.PATH, body=body, judge=self._judge
        )
        answer = self._answer(content)
        if answer and answer["ok"]:
            self._take(answer)
        else:
            self.values = {**self.good}
        return bool(self.run and self.run["againMs"] is not None)

    def _answer(self, content: bytes) -> dict[str, Any]:
        found = orjson.loads(content)["response"].get(f"{self.slug}-answer", {})
        return dict(found.get("data") or {})

    def _judge(self, content: bytes) -> str:
        """What is wrong with an answer; a refusal that is meant begins so."""
        answer = self._answer(content)
        if answer.get("serial") != self.serial:
            return f"error: answers {answer.get('serial')} instead of {self.serial}"
        if not answer["ok"]:
            said = "; ".join(problem["message"] for problem in answer["problems"])
            return f"{'refused' if 'over the cap' in said else 'error'}: {said}"
        run = answer["run"] or {}
        if run.get("state") in ("full", "failed"):
            return f"{'refused' if run['state'] == 'full' else 'error'}: {run['text']}"
        return ""

    def _take(self, answer: Mapping[str, Any]) -> None:
        self.values, self.good = dict(answer["values"]), dict(answer["values"])
        self.query, self.inactive, self.run = answer["query"], answer["inactive"], answer["run"]
        self.absent = self.absent if answer["absent"] is None else answer["absent"]
        self.drawn |= dict.fromkeys(answer["drawn"], answer["query"])


def kind_of(path: str) -> str:
    """What a file that a page loads counts as."""
    if path.startswith("/_dash-") and "component-suites" not in path:
        return "layout"
    return "assets" if "." in path.rpartition("/")[2] else "document"


def stores_of(part: Any) -> Iterator[tuple[str, Any]]:
    """Ids and contents of the stores in a layout."""
    if isinstance(part, list):
        for item in part:
            yield from stores_of(item)
    elif isinstance(part, dict):
        if part.get("type") == "Store":
            yield part["props"]["id"], part["props"].get("data")
        else:
            yield from stores_of(list(part.values()))


def position(field: Mapping[str, Any], value: float) -> float:
    """Where a slider stands for a value, as ``assets/controls.js`` has it."""
    if field["floor"] and value < field["floor"]:
        return float(position(field, field["floor"]) - field["step"])
    scales = {"log2": math.log2, "log10": math.log10}
    return scales[field["scale"]](value) if field["scale"] in scales else value


def value_at(field: Mapping[str, Any], place: float) -> str:
    """The value where a slider stands, as a control has it."""
    if field["floor"] and place < position(field, 0) + field["step"] / 2:
        return "0"
    bases = {"log2": 2.0, "log10": 10.0}
    value = bases[field["scale"]] ** place if field["scale"] in bases else place
    short = float(f"{value:.{3 if field['scale'] == 'log10' else 9}g}")
    within = min(max(short, field["low"]), field["high"])
    return str(round(within)) if field["kind"] == "int" else str(within)

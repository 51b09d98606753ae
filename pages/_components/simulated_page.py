"""The mould of a page whose answers take seconds: runs in the background, and what to show meanwhile.

A state whose outcome is stored or kept is answered like any other. Else the
page keeps what it shows, dimmed, while a job computes; the browser asks again
until it is there. While a control is dragged a smaller state is computed here,
one at a time per process, so that something moves.

Where the result is a closed form it is answered at once, and parts add figures
to it: those on demand are offered and run when a person asks, the others by
themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dash import html

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.parameters import Params
from foptrn_model.pins import PIN_LETTERS
from foptrn_model.simulation import Simulation
from pages._components.explorer_page import ExplorerPage, Prepared
from pages._components.plates import Plate
from pages._components.reading import Reading, read_query
from pages._components.sweep_panel import SweepPanel
from pages._jobs.desk import RunFailedError, desk, progress_text
from pages._jobs.table import QueueFullError

POLL_MS = 200
MOST_WATCHER_CHARACTERS = 40
CANCELLED = "Cancelled; what is shown belongs to other settings"
KEPT = "Cancelled; the figures that need it stay as they were"


class SimulatedPage(ExplorerPage):
    """An explorer's page whose parts are computed in the background."""

    def __init__(
        self,
        explorer: Explorer,
        plates: Sequence[Plate],
        *,
        scripts: Sequence[str] = (),
        sweep: SweepPanel | None = None,
    ) -> None:
        super().__init__(explorer, plates, scripts=scripts)
        self.sweep = sweep
        assert explorer.simulation is not None  # noqa: S101 - the other mould is for all others
        self.simulation: Simulation = explorer.simulation
        self._previewing = threading.Lock()

    # Layout ----------------------------------------------------------------

    def _open(self, query: Mapping[str, Any]) -> tuple[Reading, Prepared]:
        """Open on what is there: the state's own outcome, or that of one like it."""
        reading = self._fit(read_query(self.explorer, query))
        params = reading.params
        assert params is not None  # noqa: S101 - a link always has a nearest state
        outcomes = self._known(params)
        if self.simulation.answerable(outcomes):
            pinned, waiting = self._pinned(reading)
            lacking = [part for _, _, part in self._lacking(reading, self.plates)]
            wanted = [*self._missing(params, outcomes, self.plates), *lacking]
            run = self._run("done", wanted=wanted)
            if not wanted and self._offered(outcomes):
                run = self._offer(params, outcomes)
            if waiting:
                run = self._run("done", redraw=True)
            return reading, Prepared(
                evaluation=self.explorer.evaluate(params, outcomes), pinned=pinned, run=run
            )
        other = self.explorer.evaluate(self.simulation.stand_in(params))
        return reading, Prepared(evaluation=other, run=self._run("wanted", stale=True))

    def _below(self, params: Params) -> list[Any]:
        return [self.sweep.form.layout()] if self.sweep else []

    def register_callbacks(self) -> None:
        super().register_callbacks()
        if self.sweep:
            self.sweep.register_callbacks()

    def _progress(self) -> list[Any]:
        return [
            html.Div(
                [
                    html.Progress(id=self.id("run-bar"), max="1", **{"aria-label": "Progress"}),
                    html.Span(id=self.id("run-text")),
                    # Read aloud when a run starts and ends, not at every step.
                    html.Span(id=self.id("run-said"), className="off-screen", role="status"),
                    html.Button(
                        "Cancel", id=self.id("run-cancel"), **{"data-action": "cancel-run"}
                    ),
                    html.Button("Run", id=self.id("run-again"), **{"data-action": "run-again"}),
                ],
                id=self.id("run"),
                className="run",
                hidden=True,
            )
        ]

    def _fit(self, reading: Reading) -> Reading:
        """A link's nearest state within the cap."""
        params, notices = self.simulation.fit(reading.params)
        return replace(reading, params=params, notices=(*reading.notices, *notices))

    # Answers ---------------------------------------------------------------

    def _prepare(self, reading: Reading, request: Mapping[str, Any]) -> Prepared:
        params = reading.params
        assert params is not None  # noqa: S101 - refused readings are answered before
        outcomes = self._known(params)
        problems = self.simulation.check(params, self.simulation.page_cap_s)
        if problems and self.simulation.first not in outcomes:
            changed = request.get("changed")
            field = changed if changed in self.simulation.costly else problems[0].param
            return Prepared(
                evaluation=None, problems=tuple(replace(item, param=field) for item in problems)
            )
        watcher = str(request.get("page") or "page")[:MOST_WATCHER_CHARACTERS]
        if request.get("cancel"):
            return self._cancelled(reading, outcomes, watcher)
        if not self.simulation.answerable(outcomes):
            if request.get("drag"):
                return self._preview(params)
            return Prepared(
                evaluation=None, run=self._ask(self.simulation.main, params, watcher, stale=True)
            )
        return self._there(reading, request, outcomes, watcher)

    def _there(
        self,
        reading: Reading,
        request: Mapping[str, Any],
        outcomes: dict[str, Any],
        watcher: str,
    ) -> Prepared:
        """The main part is there; pins and what figures on screen need beyond may not be."""
        params = reading.params
        assert params is not None  # noqa: S101 - as above
        pinned, waiting = self._pinned(reading)
        if waiting and not request.get("drag"):
            letter, pin = waiting[0]
            run = self._ask(self.simulation.main, pin, watcher, what=f"Pin {letter}, ")
            run["plates"] = [plate.name for plate in self.plates]
        else:
            run = self._beside(reading, outcomes, watcher, request)
            if run["state"] == "done" and self._offered(outcomes):
                run = self._on_demand(params, outcomes, request, watcher)
        if request.get("shown") and run["state"] not in ("done", "failed"):
            return Prepared(evaluation=None, run=run)
        return Prepared(
            evaluation=self.explorer.evaluate(params, outcomes),
            pinned=pinned,
            run=run,
        )

    def _beside(
        self,
        reading: Reading,
        outcomes: Mapping[str, Any],
        watcher: str,
        request: Mapping[str, Any],
    ) -> dict[str, Any]:
        """How far parts are that add to what is there, of the state and then of its pins.

        A drag starts nothing, nor does a figure off screen, but what is under
        way goes on. What a person has cancelled stays so until they ask for
        it, or for another state of it.
        """
        params = reading.params
        assert params is not None  # noqa: S101 - as above
        plates = self._named(request.get("plates"), self.plates)
        missing = self._missing(params, outcomes, self.plates)
        shown = self._missing(params, outcomes, plates)
        lacking = [("", params, part) for part in (shown or missing)[:1]]
        lacking = lacking or self._lacking(reading, plates)[:1]
        if not lacking:
            return self._run("done")
        (letter, state, part), seen = lacking[0], bool(shown) or not missing
        query = self.simulation.parts[part].query(state)
        if request.get("declined") == query:
            run = self._run("cancelled", text=KEPT if missing else "Cancelled")
            run["declined"] = query
        elif (seen and not request.get("drag")) or desk().under_way(self.explorer, part, state):
            run = self._ask(part, state, watcher, what=f"Pin {letter}, " if letter else "")
        else:
            run = self._run("done")
        run["plates"] = self._showing([part])
        run["quiet"] = True
        run["waiting"] = self._waiting(params, outcomes)
        return run

    def _waiting(self, params: Params, outcomes: Mapping[str, Any]) -> list[str]:
        """Plates whose part is not there: what they show belongs to another state."""
        return self._showing(self._missing(params, outcomes, self.plates))

    def _showing(self, parts: Sequence[str]) -> list[str]:
        """Names of the plates that show one of these parts."""
        return [plate.name for plate in self.plates if plate.part in parts]

    def _preview(self, params: Params) -> Prepared:
        """A smaller state, computed here and now unless another one is."""
        small = self.simulation.preview(params)
        if small is None:
            run = self._run("wanted", text="The run starts on release", stale=True, again=False)
            return Prepared(evaluation=None, run=run)
        if not self._previewing.acquire(blocking=False):
            return Prepared(evaluation=None, run=self._run("wanted", stale=True, again=False))
        try:
            evaluation = self.explorer.evaluate(small)
        finally:
            self._previewing.release()
        run = self._run("preview", text="A quick preview; the full run starts on release")
        return Prepared(evaluation=evaluation, run=run)

    def _cancelled(self, reading: Reading, outcomes: dict[str, Any], watcher: str) -> Prepared:
        params = reading.params
        assert params is not None  # noqa: S101 - as above
        lacking = [("", params, part) for part in self.simulation.parts if part not in outcomes]
        lacking += self._lacking(reading, self.plates)
        for _, state, part in lacking:
            desk().leave(self.explorer, part, state, watcher=watcher)
        there = self.simulation.answerable(outcomes)
        missing = self._missing(params, outcomes, self.plates)
        text = (KEPT if missing else "Cancelled") if there else CANCELLED
        run = self._run("cancelled", text=text, stale=not there)
        if there and lacking:
            _, state, part = lacking[0]
            run["declined"] = self.simulation.parts[part].query(state)
            run["waiting"] = self._waiting(params, outcomes)
        return Prepared(evaluation=None, run=run)

    def _ask(
        self, part: str, params: Params, watcher: str, *, stale: bool = False, what: str = ""
    ) -> dict[str, Any]:
        labels = {name: found.label for name, found in self.simulation.parts.items()}
        try:
            waiting = desk().ask(self.explorer, part, params, watcher=watcher)
        except QueueFullError as error:
            text = str(error)[0].upper() + str(error)[1:]
            run = self._run("full", text=text, stale=stale)
            run["againMs"] = 1000 * error.retry_after_s
            return run
        except RunFailedError as error:
            return self._run("failed", text=f"{labels[part]} failed: {error}", stale=stale)
        job = waiting.job
        text = what + progress_text(waiting, labels)
        run = self._run("running" if job.state != "queued" else "queued", text=text, stale=stale)
        run["fraction"] = job.done / job.of if job.of else None
        run["againMs"] = POLL_MS
        return run

    def _run(
        self,
        state: str,
        *,
        text: str = "",
        stale: bool = False,
        again: bool = True,
        wanted: Sequence[str] = (),
        redraw: bool = False,
    ) -> dict[str, Any]:
        """How far a computation is, for the browser; ``againMs`` is when to ask again.

        Then the figures of the ``wanted`` parts are drawn, or with ``redraw`` all.
        """
        soon = again and (state == "wanted" or bool(wanted) or redraw)
        run: dict[str, Any] = {
            "state": state, "text": text, "stale": stale, "fraction": None,
            "againMs": 1 if soon else None,
        }  # fmt: skip
        if wanted:
            run["plates"] = self._showing(wanted)
            run["quiet"] = True
        elif redraw:
            run["plates"] = [plate.name for plate in self.plates]
        return run

    # Parts on demand -----------------------------------------------------------

    def _offered(self, outcomes: Mapping[str, Any]) -> str:
        """The first part on demand that is not there, or nothing."""
        return next(
            (
                name
                for name, part in self.simulation.parts.items()
                if part.on_demand and name not in outcomes
            ),
            "",
        )

    def _offer(self, params: Params, outcomes: Mapping[str, Any]) -> dict[str, Any]:
        part = self.simulation.parts[self._offered(outcomes)]
        text = (
            f"{part.label} with these settings has not been run; it takes about "
            f"{part.estimate_s(params):.0f} s"
        )
        return self._run("offered", text=text)

    def _on_demand(
        self,
        params: Params,
        outcomes: Mapping[str, Any],
        request: Mapping[str, Any],
        watcher: str,
    ) -> dict[str, Any]:
        """Start what a person asks for, go on watching it, or offer it."""
        name = self._offered(outcomes)
        asked = request.get("run") and not request.get("drag")
        if not asked and not desk().waits(self.explorer, name, params, watcher=watcher):
            return self._offer(params, outcomes)
        run = self._ask(name, params, watcher)
        run["plates"] = self._showing([name])
        run["quiet"] = run["asked"] = True
        return run

    # What is there -----------------------------------------------------------

    def _known(self, params: Params) -> dict[str, Any]:
        found = {part: desk().known(self.explorer, part, params) for part in self.simulation.parts}
        return {part: outcome for part, outcome in found.items() if outcome is not None}

    def _missing(
        self, params: Params, outcomes: Mapping[str, Any], plates: Sequence[Plate]
    ) -> list[str]:
        """Parts that plates show and that are not there, of those that may be computed."""
        return [
            part
            for part, found in self.simulation.parts.items()
            if part not in outcomes
            and not found.on_demand
            and any(plate.part == part for plate in plates)
            and found.estimate_s(params) <= self.simulation.page_cap_s
        ]

    def _pinned(self, reading: Reading) -> tuple[list[Evaluation], list[tuple[str, Params]]]:
        """Evaluations of the pins that are there, and the others with their letters.

        Of a pin over the cap, the nearest state within it stands for it.
        """
        there, waiting = [], []
        for letter, pin in zip(PIN_LETTERS, reading.pins, strict=False):
            params, _ = self.simulation.fit(pin.params)
            outcomes = self._known(params)
            if self.simulation.answerable(outcomes):
                there.append(self.explorer.evaluate(params, outcomes))
            else:
                waiting.append((letter, params))
        return there, waiting

    def _lacking(self, reading: Reading, plates: Sequence[Plate]) -> list[tuple[str, Params, str]]:
        """Of pins beside a closed form: letter, state and part where a plate's part is not there."""
        if not self.simulation.closed:
            return []
        found = []
        for letter, pin in zip(PIN_LETTERS, reading.pins, strict=False):
            params, _ = self.simulation.fit(pin.params)
            missing = self._missing(params, self._known(params), plates)
            found += [(letter, params, part) for part in missing]
        return found

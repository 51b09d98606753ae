"""What an offline file shows of an explorer that is not computed in the browser: states, precomputed.

Where the numbers are a closed form, one field runs through round values and
the others stay as downloaded. Where they are simulated, the states are those
whose outcomes are there already; none is computed for a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.parameters import Params, ParamsError, Problem
from foptrn_model.pins import state_name
from pages._offline.plates import figure_json, named_plates

Known = Callable[[Params], Mapping[str, Any]]
"""The outcomes of a state that are there, by part."""


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Figures by name, and the field that runs; without one the states are those stored."""

    plates: tuple[str, ...]
    field: str = ""
    values: tuple[float, ...] = ()


SWEEPS: dict[str, Sweep] = {
    "trainers": Sweep(plates=("accuracy", "gap", "cosine")),
    "compression": Sweep(
        plates=("keep", "map", "tornado"),
        field="keep",
        values=(0.002, 0.005, 0.01, 0.02, 0.03125, 0.0625, 0.125, 0.25, 0.5, 1.0),
    ),
    "backward": Sweep(
        plates=("checks", "signals", "leak"),
        field="n",
        values=tuple(2**power for power in range(4, 17)),
    ),
    "precision": Sweep(
        plates=("noise", "passes", "conversion"), field="enob", values=tuple(range(2, 15))
    ),
}


def sweep_data(explorer: Explorer, params: Params, known: Known) -> dict[str, Any]:
    """Positions of the slider with their verdicts and figures; raises ParamsError without a result.

    Parameters
    ----------
    params : the downloaded state, which is one of the positions.
    """
    sweep = SWEEPS[explorer.slug]
    plates = named_plates(explorer.slug, sweep.plates)
    if not _there(explorer, params, known):
        message = (
            "this state has not been computed and is not computed for a file: open it on its page "
            "and download it once its result is there"
        )
        raise ParamsError([Problem(param="offline", message=message, value=params.to_query())])
    states = list(_states(explorer, sweep, params, known))
    spec = explorer.params.specs().get(sweep.field)
    return {
        "kind": "sweep",
        "label": spec.label if spec else "Stored state",
        "unit": spec.unit if spec else "",
        "told": _told(explorer, sweep, params, len(states)),
        "start": [state for _, state in states].index(params),
        "plates": [{"title": plate.title, "short": plate.short} for plate in plates],
        "positions": [
            _position(label, explorer.evaluate(state, known(state)), plates)
            for label, state in states
        ],
    }


def _position(label: str, evaluation: Evaluation, plates: Any) -> dict[str, Any]:
    return {
        "label": label,
        "verdict": evaluation.verdict,
        "figures": [figure_json(plate.draw(evaluation, [])) for plate in plates],
    }


def _there(explorer: Explorer, params: Params, known: Known) -> bool:
    return explorer.simulation is None or explorer.simulation.answerable(known(params))


def _states(
    explorer: Explorer, sweep: Sweep, params: Params, known: Known
) -> Iterator[tuple[str, Params]]:
    """Label and state of each position, the downloaded one among them."""
    if sweep.field:
        spec = explorer.params.specs()[sweep.field]
        for value in sorted({*sweep.values, getattr(params, sweep.field)}):
            yield spec.show(value), explorer.params.parse(params.model_dump() | {spec.name: value})
        return
    assert explorer.simulation is not None  # noqa: S101 - only simulated explorers store states
    stored = [explorer.params.from_query(query) for query in explorer.simulation.stored_queries]
    for state in dict.fromkeys([params, *stored]):
        if _there(explorer, state, known):
            preset = explorer.preset_of(state)
            yield preset.label if preset else state_name(state), state


def _told(explorer: Explorer, sweep: Sweep, params: Params, count: int) -> str:
    """Which states the file holds, in words."""
    name = state_name(params)
    if not sweep.field:
        return (
            f"A precomputed sweep of {count} states: the downloaded one ({name}) and those that are "
            "stored with the project. Nothing is simulated in this file."
        )
    spec = explorer.params.specs()[sweep.field]
    unit = f" {spec.unit}" if spec.unit else ""
    ends = f"{spec.show(min(sweep.values))} to {spec.show(max(sweep.values))}{unit}"
    return (
        f"A precomputed sweep of {count} states around the downloaded one ({name}): only "
        f"{spec.label} changes, at {spec.show(getattr(params, sweep.field))}{unit} in the downloaded "
        f"state and from {ends} besides. Nothing is computed in this file."
    )

"""The registry: everything a page, the API and the command line need to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from foptrn_model import __version__, amdahl_tables, masks_tables
from foptrn_model.amdahl import AmdahlParams, compute_amdahl
from foptrn_model.amdahl_text import amdahl_verdict, amdahl_working
from foptrn_model.attachments import Attachment
from foptrn_model.backward import BackwardParams, compute_backward
from foptrn_model.backward_presets import BACKWARD_HEADLINES, BACKWARD_PRESETS
from foptrn_model.backward_series import BackwardSeries
from foptrn_model.backward_tables import BACKWARD_TABLES
from foptrn_model.backward_text import backward_verdict, backward_working
from foptrn_model.compression import CompressionParams, compute_compression
from foptrn_model.compression_live import COMPRESSION_SIMULATION, compression_series
from foptrn_model.compression_presets import COMPRESSION_HEADLINES, COMPRESSION_PRESETS
from foptrn_model.compression_tables import COMPRESSION_TABLES
from foptrn_model.compression_text import compression_verdict, compression_working
from foptrn_model.curves_file import MAX_BYTES, read_curves
from foptrn_model.headlines import AMDAHL_HEADLINES, Headline
from foptrn_model.masks import MasksParams, compute_masks
from foptrn_model.masks_presets import MASKS_HEADLINES, MASKS_PRESETS, MASKS_SHORTCUTS
from foptrn_model.masks_series import masks_series
from foptrn_model.masks_text import masks_verdict, masks_working
from foptrn_model.optical_dfa import OpticalDfaParams, compute_optical_dfa
from foptrn_model.optical_dfa_presets import (
    OPTICAL_DFA_HEADLINES,
    OPTICAL_DFA_PRESETS,
    OPTICAL_DFA_SHORTCUTS,
)
from foptrn_model.optical_dfa_simulation import OPTICAL_DFA_SIMULATION, optical_dfa_series
from foptrn_model.optical_dfa_tables import OPTICAL_DFA_TABLES
from foptrn_model.optical_dfa_text import optical_dfa_working
from foptrn_model.optical_dfa_verdict import optical_dfa_verdict
from foptrn_model.parameters import Params
from foptrn_model.precision import PrecisionParams, compute_precision
from foptrn_model.precision_presets import (
    PRECISION_HEADLINES,
    PRECISION_PRESETS,
    PRECISION_SHORTCUTS,
)
from foptrn_model.precision_series import precision_series
from foptrn_model.precision_tables import PRECISION_TABLES
from foptrn_model.precision_text import precision_verdict, precision_working
from foptrn_model.presets import AMDAHL_PRESETS, NO_SHORTCUTS, Preset, Shortcuts
from foptrn_model.simulation import Simulation
from foptrn_model.tables import Table, plain_number
from foptrn_model.trainers import compute_trainers
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_presets import TRAINERS_HEADLINES, TRAINERS_PRESETS
from foptrn_model.trainers_simulation import TRAINERS_SIMULATION, trainers_series
from foptrn_model.trainers_tables import TRAINERS_TABLES
from foptrn_model.trainers_text import trainers_verdict
from foptrn_model.trainers_working import trainers_working
from foptrn_model.transit import compute_transit
from foptrn_model.transit_params import UPLOADED, TransitParams
from foptrn_model.transit_presets import TRANSIT_LINKS, TRANSIT_PRESETS
from foptrn_model.transit_series import transit_series
from foptrn_model.transit_tables import TRANSIT_TABLES
from foptrn_model.transit_text import transit_verdict, transit_working
from foptrn_model.transit_words import TRANSIT_HEADLINES
from foptrn_model.working import Working


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """One question: its params, its pure function, and its result in words.

    ``series`` computes what figures show beyond the result; ``tables`` maps a
    name to a function of (params, result, series), the first being the one
    that the plain CSV route serves. The first of ``headlines`` is the number
    that the verdict is about.
    """

    slug: str
    title: str
    question: str
    summary: str
    params: type[Params]
    compute: Callable[[Any], Any]
    series: Callable[[Any], Any]
    verdict: Callable[[Any, Any], str]
    working: Callable[[Any, Any], Working]
    headlines: Sequence[Headline]
    presets: Sequence[Preset]
    tables: Mapping[str, Callable[[Any, Any, Any], Table]]
    shortcuts: Shortcuts = NO_SHORTCUTS
    attachment: Attachment | None = None
    simulation: Simulation | None = None

    def evaluate(self, params: Params, outcomes: Mapping[str, Any] | None = None) -> Evaluation:
        """Compute everything about one state, each part once.

        A simulated explorer takes ``outcomes`` of its parts, or those stored,
        and only simulates its main part here where neither has it.
        """
        if self.simulation is None:
            result, series = self.compute(params), self.series(params)
        else:
            found = self.simulation.complete(params, outcomes or {})
            result, series = self.simulation.evaluate(params, found)
        return Evaluation(explorer=self, params=params, result=result, series=series)

    def answer(self, params: Params, outcomes: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The API's body, which the command line prints as well."""
        if self.simulation is None:
            result, meta = self.compute(params), {}
        else:
            found = self.simulation.complete(params, outcomes or {})
            result, _ = self.simulation.evaluate(params, found)
            main = found.get(self.simulation.main)
            meta = {"meta": {"wall_time_s": main["seconds"]}} if main else {}
        return {
            "explorer": self.slug,
            "version": __version__,
            "params": params.resolved(),
            "result": _plain(asdict(result)),
            "verdict": self.verdict(params, result),
            **meta,
        }

    def part_answer(self, params: Params, part: str, outcome: Mapping[str, Any]) -> dict[str, Any]:
        """The API's body for one part of a simulation: what was computed, as it was kept."""
        return {
            "explorer": self.slug,
            "version": __version__,
            "params": params.resolved(),
            "part": part,
            "result": {name: value for name, value in outcome.items() if name != "seconds"},
            "meta": {"wall_time_s": outcome.get("seconds", "not applicable")},
        }

    def table(
        self,
        params: Params,
        name: str | None = None,
        outcomes: Mapping[str, Any] | None = None,
    ) -> Table:
        """The named table of one state; the main one without a name."""
        name = name or next(iter(self.tables))
        if self.simulation is not None:
            outcomes = self.simulation.complete(params, outcomes or {}, table=name)
        return self.evaluate(params, outcomes).table(name)

    def preset_of(self, params: Params) -> Preset | None:
        """The preset that this state is, if it is one."""
        query = params.to_query()
        return next((preset for preset in self.presets if preset.query == query), None)

    def describe(self) -> dict[str, Any]:
        """What the API's index says of this explorer."""
        return {
            "slug": self.slug,
            "title": self.title,
            "question": self.question,
            "tables": list(self.tables),
            "parts": list(self.simulation.parts) if self.simulation else [],
            "presets": [asdict(preset) for preset in self.presets],
            "shortcuts": [asdict(shortcut) for shortcut in self.shortcuts.items],
            "params_schema": self.params.model_json_schema(),
        }


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """One state with everything computed from it."""

    explorer: Explorer
    params: Any
    result: Any
    series: Any

    @property
    def verdict(self) -> str:
        return self.explorer.verdict(self.params, self.result)

    @property
    def working(self) -> Working:
        return self.explorer.working(self.params, self.result)

    def table(self, name: str) -> Table:
        return self.explorer.tables[name](self.params, self.result, self.series)


AMDAHL = Explorer(
    slug="amdahl",
    title="Amdahl explorer",
    question="How much of a training step could an optical Fourier engine take over?",
    summary="Counts the FLOP of one training step by class and direction, finds the share that an "
    "engine with masks written once per step could take, and bounds what that is worth.",
    params=AmdahlParams,
    compute=compute_amdahl,
    series=amdahl_tables.amdahl_series,
    verdict=amdahl_verdict,
    working=amdahl_working,
    headlines=AMDAHL_HEADLINES,
    presets=AMDAHL_PRESETS,
    tables={
        "ledger": amdahl_tables.ledger_table,
        "length": amdahl_tables.length_table,
        "training": amdahl_tables.training_table,
        "rate": amdahl_tables.rate_table,
        "conventions": amdahl_tables.conventions_table,
        "tornado": amdahl_tables.tornado_table,
    },
)

MASKS = Explorer(
    slug="masks",
    title="Masks explorer",
    question="What does rewriting the masks after every optimizer step cost?",
    summary="Counts the frames that an engine must write after every optimizer step, sets the time "
    "for that against the digital step, and shows what the order that makes it bearable costs.",
    params=MasksParams,
    compute=compute_masks,
    series=masks_series,
    verdict=masks_verdict,
    working=masks_working,
    headlines=MASKS_HEADLINES,
    presets=MASKS_PRESETS,
    shortcuts=MASKS_SHORTCUTS,
    tables={
        "sequences": masks_tables.sequences_table,
        "frames": masks_tables.frames_table,
        "map": masks_tables.map_table,
        "devices": masks_tables.devices_table,
        "timeline": masks_tables.timeline_table,
        "memory": masks_tables.memory_table,
        "tornado": masks_tables.tornado_table,
    },
)

TRANSIT = Explorer(
    slug="transit",
    title="Transit explorer",
    question="Across data centres, do bytes saved in the link outweigh the steps they cost?",
    summary="Sets the bytes that compressed syncs save against the steps they add: time and energy "
    "to a target loss for four ways of syncing, and the link rate at which each of them wins.",
    params=TransitParams,
    compute=compute_transit,
    series=transit_series,
    verdict=transit_verdict,
    working=transit_working,
    headlines=TRANSIT_HEADLINES,
    presets=TRANSIT_PRESETS,
    shortcuts=TRANSIT_LINKS,
    tables=TRANSIT_TABLES,
    attachment=Attachment(
        name="curves_file",
        field="curves",
        value=UPLOADED,
        label="Choose a CSV file",
        help="Columns method, step and val_loss, and seed where runs are to be averaged; at most "
        "1 MB and 50,000 rows. It stays in this browser session.",
        accept=".csv,.tsv,.txt,text/csv",
        max_bytes=MAX_BYTES,
        read=read_curves,
        join=lambda params, curves, settle: params.with_uploaded(curves, settle=settle),
        without=TransitParams.on_published,
    ),
)

TRAINERS = Explorer(
    slug="trainers",
    title="Trainers explorer",
    question="Trained on a model or on the machine: which way survives the reality gap?",
    summary="Trains the same optical network, a mesh of interferometers or a stack of phase masks, in "
    "four ways on the same imperfect devices, and compares what the model promises with what the "
    "hardware does.",
    params=TrainersParams,
    compute=compute_trainers,
    series=trainers_series,
    verdict=trainers_verdict,
    working=trainers_working,
    headlines=TRAINERS_HEADLINES,
    presets=TRAINERS_PRESETS,
    tables=TRAINERS_TABLES,
    simulation=TRAINERS_SIMULATION,
)

BACKWARD = Explorer(
    slug="backward",
    title="Backward explorer",
    question="Is the gradient of a convolution really a correlation, and which operand can be a "
    "mask?",
    summary="Computes a Fourier-domain layer forward and backward by spectra, by direct sums and by "
    "finite differences, and shows the three passes that light would make.",
    params=BackwardParams,
    compute=compute_backward,
    series=BackwardSeries,
    verdict=backward_verdict,
    working=backward_working,
    headlines=BACKWARD_HEADLINES,
    presets=BACKWARD_PRESETS,
    tables=BACKWARD_TABLES,
)

PRECISION = Explorer(
    slug="precision",
    title="Precision explorer",
    question="How many bits does a gradient ask of a read-out?",
    summary="Sets the noise of a converter against the error that number formats make themselves, "
    "measured on drawn and on real gradients; averaging, bit planes and conversion energy follow.",
    params=PrecisionParams,
    compute=compute_precision,
    series=precision_series,
    verdict=precision_verdict,
    working=precision_working,
    headlines=PRECISION_HEADLINES,
    presets=PRECISION_PRESETS,
    shortcuts=PRECISION_SHORTCUTS,
    tables=PRECISION_TABLES,
)

OPTICAL_DFA = Explorer(
    slug="optical-dfa",
    title="Optical DFA explorer",
    question="When does a box of light beat backpropagation?",
    summary="Sets a training step by backpropagation against direct feedback alignment on a GPU and "
    "by light: time, memory wall, energy, crossover, the frame rate it would take; and trains a "
    "small network live with a simulated optical projection.",
    params=OpticalDfaParams,
    compute=compute_optical_dfa,
    series=optical_dfa_series,
    verdict=optical_dfa_verdict,
    working=optical_dfa_working,
    headlines=OPTICAL_DFA_HEADLINES,
    presets=OPTICAL_DFA_PRESETS,
    shortcuts=OPTICAL_DFA_SHORTCUTS,
    tables=OPTICAL_DFA_TABLES,
    simulation=OPTICAL_DFA_SIMULATION,
)

COMPRESSION = Explorer(
    slug="compression",
    title="Compression explorer",
    question="Why does a fixed band train worse, and what must an optical sender feed back?",
    summary="Measures what top-k and fixed bands keep of a momentum, sends a band through emulated "
    "optics, and trains a small model with each, beside the published runs.",
    params=CompressionParams,
    compute=compute_compression,
    series=compression_series,
    verdict=compression_verdict,
    working=compression_working,
    headlines=COMPRESSION_HEADLINES,
    presets=COMPRESSION_PRESETS,
    tables=COMPRESSION_TABLES,
    simulation=COMPRESSION_SIMULATION,
)

EXPLORERS: dict[str, Explorer] = {
    explorer.slug: explorer
    for explorer in (
        AMDAHL,
        MASKS,
        TRAINERS,
        TRANSIT,
        COMPRESSION,
        BACKWARD,
        PRECISION,
        OPTICAL_DFA,
    )
}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return plain_number(value)

"""Assumptions of the transit explorer, and where its loss curves come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

import pydantic

# By module: what is published of other people's runs is this explorer's input, unlike
# the published results that no model may read.
from foptrn_model import curves as loss_curves_module
from foptrn_model import measured_runs as measured_runs_module
from foptrn_model.curves import USUAL_BAND, LossCurves
from foptrn_model.fields import MAX_NAME
from foptrn_model.parameters import Params, ParamsError, Problem, param

UPLOADED = "uploaded"
MEASURED = "measured"
CURVE_SOURCES: dict[str, Callable[[], LossCurves]] = {
    "published": loss_curves_module.published_curves,
    MEASURED: measured_runs_module.measured_curves,
}
"""A stored set of curves per choice of ``curves``; uploaded ones come with the params."""
CurveSource = Literal["published", "measured", "uploaded"]
CURVE_LABELS = {"published": "Published", MEASURED: "Measured", UPLOADED: "Your own"}

for _load in CURVE_SOURCES.values():
    _load()  # read once, before workers fork and before anyone waits

NO_UPLOAD = (
    "curves=uploaded needs a file of loss curves, and none is here: uploaded curves stay in the "
    "browser session; on the command line give --curves_file, to the API send the file by POST"
)


class TransitParams(Params):
    """Cluster, link, methods and their curves, payloads and energy."""

    main: ClassVar[tuple[str, ...]] = (
        "wan_GBps", "datacentres", "band", "sync_every",
    )  # fmt: skip

    wan_GBps: float = param(
        12.5, label="WAN rate", low=0.001, high=10_000, unit="GB/s", scale="log10",
        help="Between data centres, for each of them, in 10\u2079 bytes a second: "
        "12.5 is 100 Gb Ethernet.",
        glossary="break-even-bandwidth", group="Links",
    )  # fmt: skip
    fabric_GBps: float = param(
        50.0, label="Fabric rate", low=0.001, high=10_000, unit="GB/s", scale="log10",
        help="Inside a data centre, for each worker. The default is inferred from the "
        "published results.",
        glossary="wire-bytes", group="Links",
    )  # fmt: skip
    latency_us: float = param(
        250.0, label="WAN latency", low=0, high=1_000_000, unit="\u00b5s", scale="log10", floor=1,
        help="Added for every round over the WAN. The default is inferred from the published "
        "results.",
        glossary="break-even-bandwidth", group="Links",
    )  # fmt: skip
    datacentres: int = param(
        2, label="Data centres", low=1, high=64,
        help="With one there is no WAN to cross.",
        glossary="break-even-bandwidth", group="Cluster",
    )  # fmt: skip
    workers_per_dc: int = param(
        4, label="Workers in each", low=1, high=4096, scale="log2",
        help="Workers of a data centre, joined by its fabric.",
        glossary="wire-bytes", group="Cluster",
    )  # fmt: skip
    compute_ms: float = param(
        0.2825, label="Compute time of a step", low=0, high=1_000_000, unit="ms", scale="log10",
        floor=0.001,
        help="Before anything is sent; nothing overlaps. The default is inferred from the "
        "published results.",
        glossary="time-to-loss", group="Cluster",
    )  # fmt: skip
    curves: CurveSource = param(
        "published", label="Loss curves",
        help="Where steps come from: published runs, those of this project's compression explorer, or "
        "your own from a CSV file, checked row by row and kept in this browser session only.",
        choice_labels=CURVE_LABELS, glossary="time-to-loss", group="Method",
    )  # fmt: skip
    band: Annotated[str, pydantic.StringConstraints(min_length=1, max_length=MAX_NAME)] = param(
        USUAL_BAND, label="Band",
        help="The method whose curve the two band ways follow: any fixed band or emulated optics.",
        glossary="time-to-loss", group="Method",
    )  # fmt: skip
    target_loss: float = param(
        3.157732, label="Target loss", low=0.01, high=20, step=0.01,
        help="Validation loss to reach. The default is where the published 2-D band ended.",
        glossary="time-to-loss", group="Method",
    )  # fmt: skip
    sync_every: int = param(
        1, label="Steps per sync", low=1, high=10_000, scale="log10",
        help="Local steps H between two syncs. Above 1 the number of steps to a loss is assumed "
        "unchanged: an extrapolation.",
        glossary="diloco", group="Sync",
    )  # fmt: skip
    loss_penalty_percent: float = param(
        0.0, label="Loss penalty", low=0, high=20, unit="%", step=0.1,
        help="Raises every curve once a sync takes more than one step. Off by default; measured "
        "with DiLoCo at 35 M parameters: 0.7 % with 2 replicas, 3.9 % with 8.",
        glossary="diloco", group="Sync",
    )  # fmt: skip
    target_utilisation: float = param(
        0.9, label="Wanted utilisation", low=0.01, high=0.999, step=0.01,
        help="Share of the time in which workers should compute; decides the bandwidth needed.",
        glossary="diloco", group="Sync",
    )  # fmt: skip
    n_params: int = param(
        15_833_472, label="Parameters", glossary="wire-bytes", low=1000, high=10**13, scale="log10",
        help="Values that a dense sync carries.", group="Payload",
    )  # fmt: skip
    bytes_per_value: float = param(
        2.0, label="Bytes per value", glossary="wire-bytes", low=0.5, high=8, unit="bytes", scale="log2",
        help="2 for bf16, of dense values and of a band's coefficients.", group="Payload",
    )  # fmt: skip
    keep: float = param(
        0.0625, label="Coefficients kept", low=1e-5, high=1, scale="log10",
        help="Share of the coefficients that top-k and the band send.",
        glossary="demo", group="Payload",
    )  # fmt: skip
    topk_bytes_per_coefficient: float = param(
        4.0, label="Bytes per top-k coefficient", low=1, high=16, unit="bytes", step=1,
        help="Value and index: 4 with an index of two bytes, 3 where a chunk has at most 256 "
        "positions, 12 with an 8-byte index beside a 4-byte value.",
        glossary="wire-bytes", group="Payload",
    )  # fmt: skip
    worker_W: float = param(
        700.0, label="Power of a worker", low=0, high=100_000, unit="W",
        scale="log10", floor=1,
        help="Drawn while computing and while waiting: 700 for an H100.",
        glossary="time-to-loss", group="Energy",
    )  # fmt: skip
    wan_pJ_per_bit: float = param(
        95.0, label="WAN energy", low=0, high=1_000_000, unit="pJ/bit",
        scale="log10", floor=0.1,
        help="Both ends together: two 400ZR modules at about 47.5 each.",
        glossary="time-to-loss", group="Energy",
    )  # fmt: skip
    fabric_pJ_per_bit: float = param(
        50.0, label="Fabric energy", low=0, high=1_000_000, unit="pJ/bit",
        scale="log10", floor=0.1,
        help="Both ends together; illustrative.",
        glossary="time-to-loss", group="Energy",
    )  # fmt: skip

    _uploaded: LossCurves | None = pydantic.PrivateAttr(default=None)

    @property
    def loss_curves(self) -> LossCurves:
        """The curves in force; raises ParamsError where uploaded ones are not attached."""
        if self.curves != UPLOADED:
            return CURVE_SOURCES[self.curves]()
        if self._uploaded is None:
            raise ParamsError([Problem(param="curves", message=NO_UPLOAD, value=UPLOADED)])
        return self._uploaded

    def with_uploaded(
        self, curves: LossCurves, *, settle: bool = False, band: str | None = None
    ) -> Self:
        """This state on a person's own curves, following ``band`` or else the state's.

        A band that they do not have is refused with a ParamsError, or with
        ``settle`` replaced by their default one.
        """
        band = band or self.band
        if band not in curves.bands:
            if not settle:
                raise ParamsError([_unknown_band(type(self), band, curves)])
            band = curves.default_band
        state = self.model_copy(update={"curves": UPLOADED, "band": band})
        # Private, so that it stays out of links, answers and the frozen fields.
        state._uploaded = curves
        return state

    def on_published(self) -> tuple[Self, str]:
        """This state on the published curves, and the notice for a link that held others."""
        state, notices = type(self).nearest(self.model_dump() | {"curves": "published"})
        opening = "uploaded curves stay in the browser session they were given in: "
        return state, "; ".join([f"{opening}using the published ones", *notices])

    def options(self, name: str) -> tuple[str, ...]:
        if name == "band":
            missing = self.curves == UPLOADED and self._uploaded is None
            return () if missing else self.loss_curves.bands
        return super().options(name)

    def beside(self, raw: Mapping[str, Any]) -> tuple[Self, list[str]]:
        state, notices = self.nearest(raw)
        if state.curves == UPLOADED and self._uploaded is not None:
            state = state.with_uploaded(self._uploaded, settle=True)
        return state, notices

    def construction(self) -> tuple[str, str]:
        imports, made = super().construction()
        if self._uploaded is None or self.curves != UPLOADED:
            return imports, made
        # A band is checked against curves, so the file comes before the band.
        imports += "from foptrn_model.curves_file import read_curves\n"
        bare = type(self)(**self.model_dump(exclude={"curves", "band"}))
        words = bare.construction()[1]
        file = 'read_curves(open("curves.csv", "rb").read())'
        return imports, f"{words}.with_uploaded({file}, band={self.band!r})"

    def inactive(self) -> frozenset[str]:
        unused: set[str] = set()
        if self.datacentres == 1:
            unused |= {"wan_GBps", "latency_us", "wan_pJ_per_bit"}
        if self.sync_every == 1:
            unused.add("loss_penalty_percent")
        return frozenset(unused)

    @classmethod
    def conflicts(cls, values: Mapping[str, Any]) -> list[Problem]:
        # Which bands uploaded curves have is known only once they are attached.
        if values["curves"] == UPLOADED:
            return []
        curves = CURVE_SOURCES[values["curves"]]()
        if values["band"] in curves.bands:
            return []
        return [_unknown_band(cls, values["band"], curves)]

    @classmethod
    def settle(cls, values: dict[str, Any]) -> dict[str, Any]:
        return values | {"band": CURVE_SOURCES[values["curves"]]().default_band}


def _unknown_band(model: type[Params], band: str, curves: LossCurves) -> Problem:
    return model.specs()["band"].refuse(
        band, f"a band or optics method of these curves ({', '.join(curves.bands)})"
    )

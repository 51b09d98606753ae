"""What the transit page shows beyond the result: the series of its figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from foptrn_model.diloco import DilocoEntry, diloco_table
from foptrn_model.sensitivity import Tornado, tornado
from foptrn_model.transit_params import TransitParams
from foptrn_model.transit_step import (
    EnergyParts,
    StepParts,
    energy_parts,
    step_parts,
    step_ratio,
)
from foptrn_model.transit_sweeps import (
    Links,
    LossPath,
    ReplicaSweep,
    SyncSweep,
    UtilisationSweep,
    WanSweep,
    loss_paths,
    replica_sweep,
    sync_sweep,
    topology,
    utilisation_sweep,
    wan_sweep,
)
from foptrn_model.transit_words import BAND_STEP_RATIO


@dataclass(frozen=True, kw_only=True)
class TransitSeries:
    """What the figures show beyond the result; each part is computed when first asked for."""

    params: TransitParams

    @cached_property
    def wan(self) -> WanSweep:
        """Time to the target over the WAN rate."""
        return wan_sweep(self.params)

    @cached_property
    def steps(self) -> dict[str, StepParts]:
        """Where the time of a step goes."""
        return step_parts(self.params)

    @cached_property
    def energy(self) -> dict[str, EnergyParts]:
        """Where the energy of a step goes."""
        return energy_parts(self.params)

    @cached_property
    def paths(self) -> dict[str, LossPath]:
        """Loss over steps, time and bytes."""
        return loss_paths(self.params)

    @cached_property
    def replicas(self) -> ReplicaSweep:
        """Wire bytes over the replica count."""
        return replica_sweep(self.params)

    @cached_property
    def sync(self) -> SyncSweep:
        """Step time, time to the target and utilisation over the steps per sync."""
        return sync_sweep(self.params)

    @cached_property
    def utilisation(self) -> UtilisationSweep:
        """Bandwidth that overlapped DiLoCo needs over the utilisation."""
        return utilisation_sweep(self.params)

    @cached_property
    def links(self) -> dict[str, Links]:
        """Bytes of one sync on each link."""
        return topology(self.params)

    @cached_property
    def diloco(self) -> tuple[DilocoEntry, ...]:
        """The published bandwidths beside ours; they do not depend on the state."""
        return diloco_table()

    @cached_property
    def tornado(self) -> Tornado:
        """How many times shorter a step is with the band, each input halved and doubled."""
        found = tornado(self.params, step_ratio, BAND_STEP_RATIO)
        # Curves and energy have no part in a step's time: no bar for what cannot move it.
        moving = tuple(bar for bar in found.bars if bar.span(found.base) > 0)
        return replace(found, bars=moving)


def transit_series(params: TransitParams) -> TransitSeries:
    """Every sweep around one state."""
    return TransitSeries(params=params)

"""The mould of a page that is both: a closed form that answers at once, and an experiment below it.

The result is the closed form's, so verdict and figures follow every change at
once. Below them stands a panel whose controls and figures belong to a part
that runs in the background; while it runs its figures keep what they show,
dimmed, and everything else on the page stays live.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dash import html

from foptrn_model.explorers import Evaluation, Explorer
from foptrn_model.working import Finding
from pages._components.controls import controls, group_names
from pages._components.plates import Plate
from pages._components.simulated_page import SimulatedPage
from pages._components.sweep_panel import SweepPanel


@dataclass(frozen=True, kw_only=True)
class Panel:
    """The experiment's heading, and the groups of fields whose controls stand below it."""

    title: str
    lead: str
    groups: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What others found, for and against, before the plate named ``before``."""

    title: str
    findings: Sequence[Finding]
    before: str


class PanelPage(SimulatedPage):
    """A closed form's page with a panel; plates with a part belong to the panel."""

    def __init__(
        self,
        explorer: Explorer,
        plates: Sequence[Plate],
        *,
        panel: Panel,
        evidence: Evidence | None = None,
        scripts: Sequence[str] = (),
        sweep: SweepPanel | None = None,
    ) -> None:
        super().__init__(explorer, plates, scripts=scripts, sweep=sweep)
        self.panel, self.evidence = panel, evidence

    def _control_groups(self) -> tuple[str, ...]:
        groups = group_names(self.explorer.params)
        return tuple(name for name in groups if name not in self.panel.groups)

    def _before(self, plate: Plate, evaluation: Evaluation) -> list[Any]:
        before: list[Any] = []
        if self.evidence and plate.name == self.evidence.before:
            before.append(evidence_block(self.evidence))
        if plate is next((item for item in self.plates if item.part), None):
            before.append(self._panel_head(evaluation))
        return before

    def _panel_head(self, evaluation: Evaluation) -> html.Section:
        return html.Section(
            [
                html.H2(self.panel.title),
                html.P(self.panel.lead),
                html.Div(
                    controls(self.slug, evaluation.params, self.panel.groups),
                    className="panel-controls",
                ),
            ],
            className="panel-head",
            **{"aria-label": self.panel.title},
        )


def evidence_block(evidence: Evidence) -> html.Section:
    """Findings for and against, side by side, each with its source."""
    sides = [
        html.Div(
            [
                html.H3(heading),
                html.Ul(
                    [
                        html.Li([f"{item.text} ", html.Span(item.source, className="source")])
                        for item in evidence.findings
                        if item.side == side
                    ]
                ),
            ],
            className=side,
        )
        for side, heading in (("for", "For"), ("against", "Against"))
    ]
    return html.Section(
        [html.H2(evidence.title), *sides],
        className="evidence",
        **{"aria-label": evidence.title},
    )

"""The optical DFA explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import OPTICAL_DFA
from foptrn_model.optical_dfa_params import EXPERIMENT_GROUPS
from foptrn_model.optical_dfa_text import FINDINGS
from pages._components.panel_page import Evidence, Panel, PanelPage
from pages._components.sweep_panel import SweepPanel
from pages._figures.browser import SCRIPTS
from pages._figures.surface import surface_figure
from pages._plates.optical_dfa import PLATES

PAGE = PanelPage(
    OPTICAL_DFA,
    plates=PLATES,
    scripts=SCRIPTS["optical-dfa"],
    sweep=SweepPanel(OPTICAL_DFA, draw=surface_figure),
    panel=Panel(
        title="Live experiment: digits, with and without light",
        lead="A small network learns scikit-learn's digits four ways, here, in NumPy: by "
        "backpropagation, by DFA with exact feedback, by DFA through a simulated medium and camera, "
        "and by training the last layer only. It runs in the background; the figures above stay live.",
        groups=EXPERIMENT_GROUPS,
    ),
    evidence=Evidence(title="For and against, as published", findings=FINDINGS, before="learning"),
)

dash.register_page(
    __name__, path="/optical-dfa", title=OPTICAL_DFA.title, name=OPTICAL_DFA.title,
    description=OPTICAL_DFA.summary,
)  # fmt: skip
layout = PAGE.layout
PAGE.register_callbacks()

"""The trainers explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import TRAINERS
from pages._components.simulated_page import SimulatedPage
from pages._components.sweep_panel import SweepPanel
from pages._figures.surface import surface_figure
from pages._plates.trainers import PLATES

PAGE = SimulatedPage(TRAINERS, plates=PLATES, sweep=SweepPanel(TRAINERS, draw=surface_figure))

dash.register_page(
    __name__, path="/trainers", title=TRAINERS.title, name=TRAINERS.title,
    description=TRAINERS.summary,
)  # fmt: skip
layout = PAGE.layout
PAGE.register_callbacks()

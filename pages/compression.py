"""The compression explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import COMPRESSION
from pages._components.simulated_page import SimulatedPage
from pages._plates.compression import PLATES

PAGE = SimulatedPage(COMPRESSION, plates=PLATES)

dash.register_page(
    __name__,
    path="/compression",
    title=COMPRESSION.title,
    name=COMPRESSION.title,
    description=COMPRESSION.summary,
)
layout = PAGE.layout
PAGE.register_callbacks()

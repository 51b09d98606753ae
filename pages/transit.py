"""The transit explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import TRANSIT
from pages._components.explorer_page import ExplorerPage
from pages._figures.browser import SCRIPTS
from pages._plates.transit import PLATES

PAGE = ExplorerPage(TRANSIT, plates=PLATES, scripts=SCRIPTS["transit"])

dash.register_page(
    __name__, path="/transit", title=TRANSIT.title, name=TRANSIT.title, description=TRANSIT.summary
)
layout = PAGE.layout
PAGE.register_callbacks()

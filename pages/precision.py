"""The precision explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import PRECISION
from pages._components.explorer_page import ExplorerPage
from pages._plates.precision import PLATES

PAGE = ExplorerPage(PRECISION, plates=PLATES)

dash.register_page(
    __name__,
    path="/precision",
    title=PRECISION.title,
    name=PRECISION.title,
    description=PRECISION.summary,
)
layout = PAGE.layout
PAGE.register_callbacks()

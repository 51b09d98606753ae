"""The masks explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import MASKS
from pages._components.explorer_page import ExplorerPage
from pages._figures.browser import SCRIPTS
from pages._plates.masks import PLATES

PAGE = ExplorerPage(MASKS, plates=PLATES, scripts=SCRIPTS["masks"])

dash.register_page(
    __name__, path="/masks", title=MASKS.title, name=MASKS.title, description=MASKS.summary
)
layout = PAGE.layout
PAGE.register_callbacks()

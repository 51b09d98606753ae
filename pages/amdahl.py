"""The Amdahl explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import AMDAHL
from pages._components.explorer_page import ExplorerPage
from pages._figures.browser import SCRIPTS
from pages._plates.amdahl import PLATES

PAGE = ExplorerPage(AMDAHL, plates=PLATES, scripts=SCRIPTS["amdahl"])

dash.register_page(
    __name__, path="/amdahl", title=AMDAHL.title, name=AMDAHL.title, description=AMDAHL.summary
)
layout = PAGE.layout
PAGE.register_callbacks()

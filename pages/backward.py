"""The backward explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import BACKWARD
from pages._components.explorer_page import ExplorerPage
from pages._plates.backward import PLATES

PAGE = ExplorerPage(BACKWARD, plates=PLATES)

dash.register_page(
    __name__, path="/backward", title=BACKWARD.title, name=BACKWARD.title,
    description=BACKWARD.summary,
)  # fmt: skip
layout = PAGE.layout
PAGE.register_callbacks()

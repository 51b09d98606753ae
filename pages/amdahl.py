"""The Amdahl explorer's page."""

from __future__ import annotations

import dash

from foptrn_model.explorers import AMDAHL
from pages._components.explorer_page import ExplorerPage, Plate
from pages._figures.amdahl import ledger_figure, length_figure

PAGE = ExplorerPage(
    AMDAHL,
    plates=(
        Plate(
            name="ledger",
            title="Where the FLOP of one training step go",
            draw=ledger_figure,
            table="ledger",
        ),
        Plate(
            name="length",
            title="Static share and bound against sequence length",
            draw=length_figure,
            table="length",
        ),
    ),
)

dash.register_page(
    __name__, path="/amdahl", title=AMDAHL.title, name=AMDAHL.title, description=AMDAHL.summary
)
layout = PAGE.layout
PAGE.register_callbacks()

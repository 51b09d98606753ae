"""The backward explorer's figures."""

from __future__ import annotations

from pages._components.plates import Plate
from pages._figures.backward_errors import errors_figure, length_figure
from pages._figures.backward_leak import leak_figure
from pages._figures.backward_planes import planes_figure
from pages._figures.backward_signals import signals_figure, spectra_figure

PLATES = (
    Plate(
        name="checks",
        title="Every number by a second route",
        short="Checks",
        lead="Each dot is the largest difference of two routes to the same numbers, computed "
        "now; the bar is what it may be.",
        draw=errors_figure,
        table="checks",
    ),
    Plate(
        name="planes",
        title="Three 4f passes",
        short="4f pictures",
        lead="Light enters on the left, passes the mask in the Fourier plane, and is read on "
        "the right, inside the frames. Grey is negative, blue positive, by the root of "
        "strength; conj swaps them in a mask.",
        draw=planes_figure,
        table="planes",
    ),
    Plate(
        name="signals",
        title="The three passes as signals",
        short="Signals",
        lead="Only one operand can be the mask: a weight stays for a whole step, data changes "
        "with every sequence.",
        draw=signals_figure,
        table="signals",
    ),
    Plate(
        name="spectra",
        title="The same passes as spectra",
        short="Spectra",
        lead="What the light carries, the mask it passes, and their product; conjugation "
        "changes phases, not these amplitudes.",
        draw=spectra_figure,
        table="spectra",
    ),
    Plate(
        name="leak",
        title="Without padding the future leaks into the past",
        short="Leak",
        lead="A causal layer's earlier outputs cannot know of its last input.",
        draw=leak_figure,
        table="leak",
        half=True,
    ),
    Plate(
        name="length",
        title="Difference from direct sums by length",
        short="By length",
        lead="Rounding hardly grows with length; a wrap stays where it is.",
        draw=length_figure,
        table="length",
        half=True,
    ),
)

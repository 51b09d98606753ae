"""scikit-learn's handwritten digits, read from its file."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = "datasets/data/digits.csv.gz"


@cache
def load_digits() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Images of shape (1797, 64) with values from 0 to 16, and labels of shape (1797,).

    The file is what scikit-learn's own function of this name reads; importing
    scikit-learn for it takes more than a second, which a page would wait for.
    """
    found = find_spec("sklearn")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("scikit-learn, which brings the digits, is not installed")
    rows = np.loadtxt(Path(found.submodule_search_locations[0]) / FILE, delimiter=",")
    rows.setflags(write=False)
    return rows[:, :-1], rows[:, -1].astype(np.intp)

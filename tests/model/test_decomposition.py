"""Decompositions rebuild their unitary, zeros or not."""

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.stats import unitary_group

from foptrn_model.photonics.decomposition import mesh_matrix, mesh_phases
from tests.model.slow_mesh import dense_mesh

RNG = np.random.default_rng(7)


def haar(ports):
    return unitary_group.rvs(ports, random_state=RNG)


@pytest.mark.parametrize("ports", [2, 3, 4, 5, 8, 13, 16, 31, 32])
def test_random_unitaries_are_rebuilt(ports):
    unitary = haar(ports)
    phases = mesh_phases(unitary)
    assert phases.shape == (ports**2,)
    assert np.abs(mesh_matrix(phases) - unitary).max() < 1e-10
    if ports <= 8:
        assert np.abs(dense_mesh(ports, phases) - unitary).max() < 1e-10


def with_zeros(ports):
    """Rotations of a few pairs of ports: mostly zeros, some of them rounded."""
    unitary = np.eye(ports, dtype=complex)
    for top in range(0, ports - 1, 3):
        unitary[top : top + 2] = haar(2) @ unitary[top : top + 2]
    return unitary


SPECIAL = {
    "identity": np.eye,
    "global phase": lambda n: 1j * np.eye(n),
    "diagonal": lambda n: np.diag(np.exp(1j * RNG.uniform(0, 6, n))),
    "reversal": lambda n: np.eye(n)[::-1],
    "cyclic shift": lambda n: np.roll(np.eye(n), 1, axis=0),
    "permutation": lambda n: np.eye(n)[RNG.permutation(n)],
    "signed permutation": lambda n: np.diag(RNG.choice([-1, 1], n)) @ np.eye(n)[RNG.permutation(n)],
    "block-diagonal": lambda n: block_diag(haar(n // 2 or 1), haar(n - (n // 2 or 1))),
    "zero entries": with_zeros,
    "Fourier": lambda n: np.fft.fft(np.eye(n)) / np.sqrt(n),
}


@pytest.mark.parametrize("ports", [2, 3, 4, 7, 8, 32])
@pytest.mark.parametrize("name", SPECIAL)
def test_unitaries_full_of_zeros_are_rebuilt_without_nan(name, ports):
    unitary = SPECIAL[name](ports)
    phases = mesh_phases(unitary)
    assert np.isfinite(phases).all()
    assert np.abs(mesh_matrix(phases) - unitary).max() < 1e-10


def test_almost_zero_entries_are_rebuilt():
    phases = mesh_phases(haar(6))
    nearly = np.eye(6)[RNG.permutation(6)] @ mesh_matrix(phases * 1e-9)
    assert np.abs(mesh_matrix(mesh_phases(nearly)) - nearly).max() < 1e-10


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), "square"),
        (2 * np.eye(3), "off by 3"),
        (np.full((2, 2), np.nan), "unitary"),
        (np.ones(4), "square"),
    ],
)
def test_what_is_no_unitary_is_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        mesh_phases(matrix)

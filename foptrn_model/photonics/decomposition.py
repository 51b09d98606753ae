"""Phases of a mesh that make a given unitary, and back (Clements et al. 2016).

Zeros are what breaks decompositions in practice: a ratio of two of them is
NaN, and a permutation is full of them. Every angle here comes from atan2 of two
magnitudes or from the argument of a product, both defined at zero.
"""

from __future__ import annotations

import numpy as np

from foptrn_model.photonics.mesh import Complex, Real, mesh_layout, set_phases, splitters

UNITARY_WITHIN = 1e-8


def mesh_matrix(phases: Real) -> Complex:
    """The unitary of an ideal mesh with these phases [rad], shape (ports squared,)."""
    layout = mesh_layout(round(len(phases) ** 0.5))
    return set_phases(layout, phases, splitters(layout)).matrix()


def mesh_phases(unitary: Complex) -> Real:
    """The phases of the rectangular mesh that makes a unitary.

    Parameters
    ----------
    unitary : shape (ports, ports), unitary to within 1e-8.

    Returns
    -------
    shape (ports squared,), radian; :mod:`foptrn_model.photonics.mesh` has the order.

    Raises
    ------
    ValueError
        If the matrix is not square, not finite or not unitary.

    References
    ----------
    W. R. Clements et al., Optica 3, 1460 (2016), for another MZI: here both
    shifters sit in the upper arm.
    """
    u = np.array(unitary, dtype=complex)
    if u.ndim != 2 or u.shape[0] != u.shape[1]:
        raise ValueError(f"unitary must be a square matrix, got shape {u.shape}")
    ports = len(u)
    departure = np.abs(u @ u.conj().T - np.eye(ports)).max()
    if not departure < UNITARY_WITHIN:
        raise ValueError(f"unitary must be unitary to {UNITARY_WITHIN:g}, off by {departure:.2g}")
    before: list[tuple[int, float, float]] = []
    after: list[tuple[int, float, float]] = []
    for diagonal in range(ports - 1):
        for step in range(diagonal + 1):
            if diagonal % 2 == 0:
                row, top = ports - 1 - step, diagonal - step
                angles = _null_in_row(u, row, top)
                u[:, top : top + 2] = u[:, top : top + 2] @ _mzi(*angles).conj().T
                before.append((top, *angles))
            else:
                column, top = step, ports - 2 - diagonal + step
                angles = _null_in_column(u, column, top)
                u[top : top + 2] = _mzi(*angles) @ u[top : top + 2]
                after.append((top, *angles))
    output = np.diagonal(u).copy()
    for top, theta, phi in reversed(after):
        # Move the output phases behind this MZI's inverse, which becomes an MZI.
        pair = _mzi(theta, phi).conj().T * output[top : top + 2]
        theta, phi, output[top : top + 2] = _split(pair)  # noqa: PLW2901
        before.append((top, theta, phi))
    return _place(ports, before, np.angle(output))


def _mzi(theta: float, phi: float) -> Complex:
    half = np.exp(0.5j * theta) * 1j
    sin, cos = np.sin(theta / 2), np.cos(theta / 2)
    turn = np.exp(1j * phi)
    return half * np.array([[sin * turn, cos], [cos * turn, -sin]])


def _null_in_row(u: Complex, row: int, top: int) -> tuple[float, float]:
    """Angles whose inverse MZI, applied to two columns, makes u[row, top] zero."""
    left, right = u[row, top], u[row, top + 1]
    return 2 * np.arctan2(abs(right), abs(left)), _angle(-left * right.conjugate())


def _null_in_column(u: Complex, column: int, top: int) -> tuple[float, float]:
    """Angles whose MZI, applied to two rows, makes u[top + 1, column] zero."""
    upper, lower = u[top, column], u[top + 1, column]
    return 2 * np.arctan2(abs(upper), abs(lower)), _angle(lower * upper.conjugate())


def _split(pair: Complex) -> tuple[float, float, Complex]:
    """A 2 x 2 unitary as an MZI followed by two output phase factors."""
    theta = 2 * np.arctan2(abs(pair[0, 0]), abs(pair[0, 1]))
    phi = _angle(pair[0, 0] * pair[0, 1].conjugate())
    rest = pair @ _mzi(theta, phi).conj().T
    factors = np.diagonal(rest)
    return theta, phi, factors / np.abs(factors)


def _angle(product: complex) -> float:
    """The argument of a product; zero where the product is."""
    return float(np.angle(product))


def _place(ports: int, mzis: list[tuple[int, float, float]], output: Real) -> Real:
    """Put MZIs, listed in the order the light meets them, on the mesh's columns."""
    layout = mesh_layout(ports)
    number = {}
    for column_number, column in enumerate(layout.columns):
        for k in range(column.first, column.last):
            number[column_number, layout.tops[k]] = k
    phases = np.zeros(layout.phases)
    phases[2 * layout.mzis :] = output
    reached = [0] * ports
    for top, theta, phi in mzis:
        # The scheme nulls along diagonals, so this column always has the pair's parity.
        column_number = max(reached[top], reached[top + 1])
        reached[top] = reached[top + 1] = column_number + 1
        k = number[column_number, top]
        phases[k], phases[layout.mzis + k] = phi, theta
    return phases

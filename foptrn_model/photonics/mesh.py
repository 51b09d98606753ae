"""Rectangular (Clements) meshes of Mach-Zehnder interferometers.

Light enters at column 0 and leaves after the last column and the output
phases. Ports count from 0 at the top. Column c couples the port pairs
(p, p + 1) with p of c's parity, so that N columns hold N(N - 1)/2 MZIs, each

    MZI = BS(pi/4 + e2) diag(exp(i theta), 1) BS(pi/4 + e1) diag(exp(i phi), 1),

with BS(a) = [[cos a, i sin a], [i sin a, cos a]]: both shifters sit in the
upper arm. Phases are ordered phi of every MZI, theta of every MZI, output
phases; MZIs by column, then from the top.

Arrays carry ports or phases first. Whatever axes follow (runs, layers,
trainers) are independent meshes; they come last so that the inner loops run
over contiguous memory, which for meshes of a few ports is what costs.

References
----------
W. R. Clements et al., Optica 3, 1460 (2016).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, kw_only=True)
class Column:
    """The MZIs ``first`` to ``last`` (exclusive) of one column, from port ``top`` down."""

    first: int
    last: int
    top: int

    @property
    def mzis(self) -> slice:
        return slice(self.first, self.last)

    @property
    def ports(self) -> slice:
        """The ports that this column couples; the others pass."""
        return slice(self.top, self.top + 2 * (self.last - self.first))


@dataclass(frozen=True, kw_only=True)
class MeshLayout:
    """Where the MZIs of a mesh sit. ``tops[k]`` is the upper port of MZI k."""

    ports: int
    columns: tuple[Column, ...]
    tops: tuple[int, ...]

    @property
    def mzis(self) -> int:
        return len(self.tops)

    @property
    def phases(self) -> int:
        """Phases of a mesh: two per MZI and one per output, N squared in all."""
        return 2 * self.mzis + self.ports


@cache
def mesh_layout(ports: int) -> MeshLayout:
    """The rectangular layout of ``ports`` ports; raises ValueError below two."""
    if ports < 2:
        raise ValueError(f"ports must be at least 2, got {ports}")
    columns: list[Column] = []
    tops: list[int] = []
    for number in range(ports):
        here = range(number % 2, ports - 1, 2)
        columns.append(Column(first=len(tops), last=len(tops) + len(here), top=number % 2))
        tops += here
    return MeshLayout(ports=ports, columns=tuple(columns), tops=tuple(tops))


@dataclass(frozen=True, kw_only=True)
class Splitters:
    """What the beam splitters of a mesh contribute, worked out once.

    An MZI is ``(with_theta * exp(i theta) + without) * [exp(i phi), 1]``, both
    of shape (mzis, 2, 2, ...). ``first`` (mzis, 2, ...) is how the two inputs
    reach the arm of theta, before phi.
    """

    with_theta: Complex
    without: Complex
    first: Complex


def splitters(layout: MeshLayout, errors: Real | None = None) -> Splitters:
    """Beam splitters of a mesh.

    Parameters
    ----------
    errors : shape (mzis, 2, ...), the angles e1 and e2 [rad]; none where omitted.
    """
    if errors is None:
        errors = np.zeros((layout.mzis, 2))
    angles = np.pi / 4 + errors
    c1, c2 = np.moveaxis(np.cos(angles), 1, 0)
    s1, s2 = np.moveaxis(np.sin(angles), 1, 0)
    # (output, input) of the MZI; the light that crosses once carries an i.
    with_theta = np.array([[c2 * c1, 1j * c2 * s1], [1j * s2 * c1, -s2 * s1]])
    without = np.array([[-s2 * s1, 1j * s2 * c1], [1j * c2 * s1, c2 * c1]])
    return Splitters(
        with_theta=np.ascontiguousarray(np.moveaxis(with_theta, 2, 0)),
        without=np.ascontiguousarray(np.moveaxis(without, 2, 0)),
        first=np.ascontiguousarray(np.moveaxis(np.array([c1 + 0j, 1j * s1]), 1, 0)),
    )


@dataclass(frozen=True, kw_only=True)
class Mesh:
    """Meshes with their phases set.

    Attributes
    ----------
    blocks : shape (mzis, 2, 2, ...), each MZI's matrix (output, input).
    inner : shape (mzis, 2, ...), how the two inputs reach the shifter theta.
    output : shape (ports, ...), the output phase factors.
    """

    layout: MeshLayout
    blocks: Complex
    inner: Complex
    output: Complex

    def choose(self, places: list[int]) -> Mesh:
        """Some of the meshes, by their place on the first axis after ports and pairs."""
        return Mesh(
            layout=self.layout,
            blocks=self.blocks[:, :, :, places],
            inner=self.inner[:, :, places],
            output=self.output[:, places],
        )

    def planes(self, fields: Complex) -> Iterator[Complex]:
        """The fields after each column, then after the output phases.

        ``fields`` has shape (ports, beams, ...); every item is a new array.
        """
        for column in self.layout.columns:
            fields = fields.copy()
            _mix_rows(self.blocks[column.mzis], fields[column.ports])
            yield fields
        yield self.output[:, None] * fields

    def forward(self, fields: Complex) -> Complex:
        """Send fields (ports, beams, ...) from the inputs to the outputs."""
        fields = fields.copy()
        for column in self.layout.columns:
            _mix_rows(self.blocks[column.mzis], fields[column.ports])
        fields *= self.output[:, None]
        return fields

    def backward(self, fields: Complex) -> Complex:
        """Send fields (ports, beams, ...) from the outputs to the inputs.

        A mesh is reciprocal, so this is the transpose of :meth:`forward`; no
        conjugate is taken.
        """
        fields = self.output[:, None] * fields
        for column in reversed(self.layout.columns):
            transposed = np.swapaxes(self.blocks[column.mzis], 1, 2)
            _mix_rows(transposed, fields[column.ports])
        return fields

    def matrix(self) -> Complex:
        """Transfer matrices, shape (ports out, ports in, ...)."""
        ports = self.layout.ports
        identity = np.zeros((ports, ports, *self.output.shape[1:]), dtype=complex)
        identity[range(ports), range(ports)] = 1
        for column in self.layout.columns:
            _mix_rows(self.blocks[column.mzis], identity[column.ports])
        identity *= self.output[:, None]
        return identity

    def at_shifters(self, correlation: Complex) -> Complex:
        """What a product of two fields at the inputs becomes at each shifter.

        Parameters
        ----------
        correlation : shape (ports, ports, ...)
            Sum over beams of ``f[p] * conj(h[q])`` at the inputs. Both fields
            travel forward. Overwritten.

        Returns
        -------
        shape (phases, ...)
            The same sum of ``f * conj(h)`` at every phase shifter. With
            ``h = f`` it is the power there, summed over the beams.
        """
        layout = self.layout
        mzis, ports = layout.mzis, layout.ports
        shape = correlation.shape[2:]
        at_pair = np.empty((mzis, 2, 2, *shape), dtype=complex)
        for column in layout.columns:
            here = column.ports
            at_pair[column.mzis] = _diagonal_pairs(correlation[here, here])
            blocks = self.blocks[column.mzis]
            _mix_rows(blocks, correlation[here])
            _mix_columns(blocks.conj(), correlation[:, here])
        found = np.empty((layout.phases, *shape), dtype=complex)
        found[:mzis] = at_pair[:, 0, 0]
        reached = (self.inner[:, :, None] * at_pair).sum(axis=1)
        reached *= self.inner.conj()
        found[mzis : 2 * mzis] = reached.sum(axis=1)
        found[2 * mzis :] = correlation[range(ports), range(ports)]
        return found


def set_phases(layout: MeshLayout, phases: Real, arms: Splitters) -> Mesh:
    """Meshes with these phases [rad], shape (phases, ...), and these splitters.

    The splitters' trailing axes broadcast against those of the phases.
    """
    factors = np.empty(phases.shape, dtype=complex)
    np.cos(phases, out=factors.real)
    np.sin(phases, out=factors.imag)
    mzis = layout.mzis
    phi, theta, output = factors[:mzis], factors[mzis : 2 * mzis], factors[2 * mzis :]
    ones = (1,) * (phases.ndim + 1 - arms.first.ndim)
    with_theta = _insert_axes(arms.with_theta, 3, ones)
    without = _insert_axes(arms.without, 3, ones)
    first = _insert_axes(arms.first, 2, ones)
    blocks = with_theta * theta[:, None, None]
    blocks += without
    blocks[:, :, 0] *= phi[:, None]
    inner = np.empty((mzis, 2, *phases.shape[1:]), dtype=complex)
    inner[:, 0] = first[:, 0] * phi
    inner[:, 1] = first[:, 1]
    return Mesh(layout=layout, blocks=blocks, inner=inner, output=output)


def phase_gradient(mesh: Mesh, correlation: Complex) -> Real:
    """Gradient of a loss in every phase, by the adjoint method.

    Parameters
    ----------
    correlation : shape (ports, ports, ...)
        Sum over samples of ``x[p] * a[q]`` at the inputs: x is the input field
        and a the field that arrives there when the error E is sent backward.
        A change dz of the output changes the loss by Re(sum(E * dz)).
        Overwritten.

    Returns
    -------
    shape (phases, ...), loss per radian.

    Notes
    -----
    A lossless mesh turns the conjugate of a, sent forward, into the conjugate
    of the error field at every shifter, so both fields can be followed forward.

    References
    ----------
    T. W. Hughes et al., Optica 5, 864 (2018).
    """
    return -mesh.at_shifters(correlation).imag


def _mix_rows(blocks: Complex, rows: Complex) -> None:
    """Apply MZIs to pairs of rows, in place: rows (2 pairs, beams, ...)."""
    pairs = rows.reshape(len(blocks), 2, *rows.shape[1:])
    mixed = blocks[:, :, 0, None] * pairs[:, 0:1]
    mixed += blocks[:, :, 1, None] * pairs[:, 1:2]
    pairs[...] = mixed


def _mix_columns(blocks: Complex, columns: Complex) -> None:
    """Multiply pairs of columns by the transpose of MZIs, in place."""
    pairs = columns.reshape(len(columns), len(blocks), 2, *columns.shape[2:])
    mixed = blocks[:, :, 0] * pairs[:, :, 0:1]
    mixed += blocks[:, :, 1] * pairs[:, :, 1:2]
    pairs[...] = mixed


def _diagonal_pairs(square: Complex) -> Complex:
    """The 2 x 2 blocks on the diagonal, a view of shape (pairs, 2, 2, ...)."""
    pairs = len(square) // 2
    split = square.reshape(pairs, 2, pairs, 2, *square.shape[2:])
    return np.moveaxis(split.diagonal(axis1=0, axis2=2), -1, 0)


def _insert_axes(array: Complex, after: int, ones: tuple[int, ...]) -> Complex:
    return array.reshape(*array.shape[:after], *ones, *array.shape[after:])

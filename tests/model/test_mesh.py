"""Meshes: identities, a dense oracle, central differences and interference."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foptrn_model.photonics.decomposition import mesh_matrix, mesh_phases
from foptrn_model.photonics.interference import interference_gradient
from foptrn_model.photonics.mesh import mesh_layout, phase_gradient, set_phases, splitters
from tests.model.slow_mesh import central_differences, dense_mesh, places


def random_mesh(ports, seed, spread=0.1):
    rng = np.random.default_rng(seed)
    layout = mesh_layout(ports)
    phases = rng.uniform(0, 2 * np.pi, layout.phases)
    errors = rng.normal(0, spread, (layout.mzis, 2))
    return layout, phases, errors


def beams(ports, count, seed):
    rng = np.random.default_rng(seed)
    shape = (ports, count)
    fields = rng.normal(size=shape) + 1j * rng.normal(size=shape)
    return fields / np.linalg.norm(fields, axis=0)


@pytest.mark.parametrize(("ports", "mzis", "phases"), [(4, 6, 16), (8, 28, 64), (64, 2016, 4096)])
def test_counts_of_mzis_and_phases(ports, mzis, phases):
    layout = mesh_layout(ports)
    assert (layout.mzis, layout.phases) == (mzis, phases)


@pytest.mark.parametrize("ports", range(2, 18))
def test_columns_couple_disjoint_pairs_and_hold_every_mzi_once(ports):
    layout = mesh_layout(ports)
    assert layout.mzis == ports * (ports - 1) // 2
    assert list(layout.tops) == places(ports)
    assert len(layout.columns) == ports
    for column in layout.columns:
        touched = [
            layout.tops[k] + side for k in range(column.first, column.last) for side in (0, 1)
        ]
        assert touched == list(range(ports))[column.ports]


def test_a_mesh_needs_two_ports():
    with pytest.raises(ValueError, match="ports must be at least 2, got 1"):
        mesh_layout(1)


@pytest.mark.parametrize("ports", [2, 3, 4, 5, 8])
def test_matrix_is_the_product_of_its_mzis(ports):
    layout, phases, errors = random_mesh(ports, seed=ports)
    matrix = set_phases(layout, phases, splitters(layout, errors)).matrix()
    assert np.abs(matrix - dense_mesh(ports, phases, errors)).max() < 1e-13
    ideal = set_phases(layout, phases, splitters(layout)).matrix()
    assert np.abs(ideal - dense_mesh(ports, phases)).max() < 1e-13


@settings(max_examples=60)
@given(ports=st.integers(2, 12), seed=st.integers(0, 10**6), spread=st.floats(0, 2))
def test_any_splitter_errors_keep_a_mesh_unitary(ports, seed, spread):
    layout, phases, errors = random_mesh(ports, seed, spread)
    matrix = set_phases(layout, phases, splitters(layout, errors)).matrix()
    assert np.abs(matrix @ matrix.conj().T - np.eye(ports)).max() < 1e-12


@settings(max_examples=60)
@given(ports=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_backward_is_the_transpose_of_forward(ports, seed):
    layout, phases, errors = random_mesh(ports, seed)
    mesh = set_phases(layout, phases, splitters(layout, errors))
    matrix, fields = mesh.matrix(), beams(ports, 3, seed)
    assert np.abs(mesh.forward(fields) - matrix @ fields).max() < 1e-12
    assert np.abs(mesh.backward(fields) - matrix.T @ fields).max() < 1e-12


def test_planes_end_at_the_output_and_keep_the_power():
    layout, phases, errors = random_mesh(5, seed=1)
    mesh = set_phases(layout, phases, splitters(layout, errors))
    fields = beams(5, 4, seed=2)
    planes = list(mesh.planes(fields))
    assert len(planes) == len(layout.columns) + 1
    assert planes[-1] == pytest.approx(mesh.forward(fields))
    for plane in planes:
        assert (np.abs(plane) ** 2).sum(axis=0) == pytest.approx(np.ones(4))


def test_meshes_side_by_side_are_the_same_as_one_by_one():
    rng = np.random.default_rng(3)
    layout = mesh_layout(5)
    phases = rng.uniform(0, 6, (layout.phases, 2, 3))
    errors = rng.normal(0, 0.2, (layout.mzis, 2, 3))  # shared by the first axis
    together = set_phases(layout, phases, splitters(layout, errors)).matrix()
    for i in range(2):
        for j in range(3):
            alone = dense_mesh(5, phases[:, i, j], errors[:, :, j])
            assert np.abs(together[:, :, i, j] - alone).max() < 1e-13


@pytest.mark.parametrize("ports", [2, 3, 4, 6, 7])
def test_adjoint_gradient_against_central_differences(ports):
    layout, phases, errors = random_mesh(ports, seed=10 + ports)
    arms, inputs, error = splitters(layout, errors), beams(ports, 6, 1), beams(ports, 6, 2)

    def loss(at):
        return (error * (dense_mesh(ports, at, errors) @ inputs)).sum().real

    mesh = set_phases(layout, phases, arms)
    arriving = mesh.backward(error)
    found = phase_gradient(mesh, np.einsum("pb,qb->pq", inputs, arriving))
    expected = central_differences(loss, phases)
    assert np.abs(found - expected).max() < 1e-6 * np.abs(expected).max()
    assert np.abs(expected[: 2 * layout.mzis]).min() > 0  # every MZI phase is really tested


@pytest.mark.parametrize("ports", [2, 4, 7])
def test_interference_gives_the_adjoint_gradient_until_light_is_lost(ports):
    layout, phases, errors = random_mesh(ports, seed=20 + ports)
    arms, inputs, error = splitters(layout, errors), beams(ports, 1, 3), beams(ports, 1, 4)

    def gap(kept):
        def device(at):
            mesh = set_phases(layout, at, arms)
            return replace(mesh, blocks=kept * mesh.blocks)

        def loss(at):
            return (error * device(at).forward(inputs)).sum().real

        measured = interference_gradient(device(phases), inputs, error)
        true = central_differences(loss, phases)
        return np.abs(measured - true).max() / np.abs(true).max()

    assert gap(1.0) < 1e-8  # as far as central differences go
    assert gap(0.95) > 0.05
    mesh = set_phases(layout, phases, arms)
    adjoint = phase_gradient(mesh, np.einsum("pb,qb->pq", inputs, mesh.backward(error)))
    assert np.abs(interference_gradient(mesh, inputs, error) - adjoint).max() < 1e-12


def test_power_at_the_shifters_is_the_field_there():
    """Followed by hand through the first MZI: phi sits before it, theta inside it."""
    layout, phases, errors = random_mesh(4, seed=30)
    mesh = set_phases(layout, phases, splitters(layout, errors))
    field = beams(4, 1, seed=5)
    power = mesh.at_shifters(field @ field.conj().T).real
    assert power[0] == pytest.approx(abs(field[0, 0]) ** 2)
    angle = np.pi / 4 + errors[0, 0]
    inside = np.cos(angle) * np.exp(1j * phases[0]) * field[0, 0] + 1j * np.sin(angle) * field[1, 0]
    assert power[layout.mzis] == pytest.approx(abs(inside) ** 2)
    outputs = np.abs(dense_mesh(4, phases, errors) @ field)[:, 0] ** 2
    assert power[2 * layout.mzis :] == pytest.approx(outputs)


def perturbed(ports, sigma, draws):
    """Pairs of a random unitary and what its mesh makes with every phase off by sigma."""
    from scipy.stats import unitary_group

    rng = np.random.default_rng(0)
    for _ in range(draws):
        unitary = unitary_group.rvs(ports, random_state=rng)
        phases = mesh_phases(unitary)
        yield unitary, mesh_matrix(phases + rng.normal(0, sigma, phases.shape))


def test_phase_noise_moves_a_matrix_by_a_known_amount():
    errors = [np.linalg.norm(off - u) ** 2 / 8 for u, off in perturbed(8, 0.05, 200)]
    assert np.sqrt(np.mean(errors)) == pytest.approx(0.141, abs=0.006)


def test_phase_noise_lowers_fidelity_by_a_known_amount():
    kept = [abs(np.trace(u.conj().T @ off) / 16) ** 2 for u, off in perturbed(16, 0.1, 100)]
    assert np.mean(kept) == pytest.approx(0.86, abs=0.02)

"""What each trainer takes for a gradient, against slow ways of getting the same."""

import numpy as np
import pytest

from foptrn_model.photonics import passes
from foptrn_model.photonics.gradients import TRAINERS, Gradients, roles_of
from foptrn_model.photonics.hardware import PERFECT, Devices, IdealModel, Imperfections, Run
from foptrn_model.photonics.mesh import mesh_layout
from foptrn_model.photonics.mesh_training import MeshCohort
from foptrn_model.photonics.setup import Setup
from foptrn_model.photonics.streams import normals
from foptrn_model.photonics.tasks import Sampler, make_task
from tests.model.slow_mesh import (
    central_differences,
    dense_mesh,
    layerwise_gradient,
    loss_of,
)

WRONG = Imperfections(phase_error_rad=0.3, splitter_error_rad=0.1)


class Bench:
    """One or more devices with random phases and one batch."""

    def __init__(
        self, imperfections, trainers=TRAINERS, *, task="moons", ports=4, layers=3, batch=6, runs=2
    ):
        self.layout, self.layers = mesh_layout(ports), layers
        self.task = make_task(task, ports)
        self.runs = [Run(number=n, imperfections=imperfections) for n in range(runs)]
        self.roles = roles_of(trainers)
        self.devices = Devices.draw(self.layout, layers, 0, self.runs)
        self.model = IdealModel(self.layout, layers, self.runs)
        self.gradients = Gradients(
            task=self.task,
            layout=self.layout,
            layers=layers,
            batch=batch,
            run_seed=0,
            runs=self.runs,
            roles=self.roles,
            devices=self.devices,
            model=self.model,
        )
        shape = (self.layout.phases, len(trainers), layers, runs)
        self.phases = np.random.default_rng(1).uniform(0, 6, shape)
        self.samples = Sampler(self.task, batch, 0, range(runs)).batch()

    def measured(self, name):
        """A trainer's loss (runs,) and gradient (phases, layers, runs)."""
        loss, gradient = self.gradients.measure(self.phases, self.samples)
        place = self.roles.place(name)
        return loss[place], gradient[:, place]

    def exact(self, machine, name):
        place = self.roles.place(name)
        at = self.phases[:, place : place + 1]
        loss, gradient = passes.exact_gradient(self.task, machine, self.layout, at, self.samples)
        return loss[0], gradient[:, 0]

    def inputs(self, run):
        """Complex inputs (samples, ports) of one run."""
        fields, ports = self.samples.fields[run].T, self.layout.ports
        return fields[:, :ports] + (1j * fields[:, ports:] if fields.shape[1] > ports else 0)

    def device_matrices(self, name, run):
        place = self.roles.place(name)
        return [
            dense_mesh(
                self.layout.ports,
                self.phases[:, place, layer, run] + self.devices.phase_error[:, layer, run],
                self.devices.splitter_error[:, :, layer, run],
            )
            for layer in range(self.layers)
        ]


def close(found, expected, relative):
    return np.abs(found - expected).max() < relative * np.abs(expected).max()


@pytest.mark.parametrize(
    ("task", "ports", "layers"), [("moons", 4, 3), ("rings", 5, 1), ("digits", 10, 2)]
)
def test_exact_gradient_against_central_differences_of_dense_matrices(task, ports, layers):
    bench = Bench(PERFECT, ("in-silico",), task=task, ports=ports, layers=layers, batch=3, runs=1)
    inputs, labels = bench.inputs(0), bench.samples.labels[0]

    def loss(at):
        matrices = [dense_mesh(ports, at[:, layer]) for layer in range(layers)]
        return loss_of(matrices, inputs, labels, bench.task.scale, bench.task.groups)

    found_loss, found = bench.exact(bench.model, "in-silico")
    at = bench.phases[:, 0, :, 0]
    assert found_loss[0] == pytest.approx(loss(at))
    assert close(found[..., 0], central_differences(loss, at), 1e-6)


def test_exact_gradient_of_everything_that_may_be_wrong():
    wrong = Imperfections(
        phase_error_rad=0.3, splitter_error_rad=0.1, crosstalk=0.2, readout_gain_error=0.1,
        readout_offset=-0.2, readout_saturation=0.4,
    )  # fmt: skip
    bench = Bench(wrong, ("in-situ",), batch=3, runs=1)

    def loss(at):
        given, _ = passes.exact_gradient(
            bench.task, bench.devices, bench.layout, at[:, None, :, None], bench.samples
        )
        return given[0, 0]

    _, found = bench.exact(bench.devices, "in-situ")
    expected = central_differences(loss, bench.phases[:, 0, :, 0])
    assert close(found[..., 0], expected, 1e-6)


@pytest.mark.parametrize(("task", "ports"), [("moons", 4), ("moons", 5), ("digits", 10)])
def test_in_silico_takes_the_models_gradient(task, ports):
    bench = Bench(WRONG, task=task, ports=ports)
    loss, gradient = bench.measured("in-silico")
    true_loss, true = bench.exact(bench.model, "in-silico")
    assert loss == pytest.approx(true_loss)
    assert close(gradient, true, 1e-12)


@pytest.mark.parametrize(("task", "ports"), [("moons", 4), ("moons", 5), ("digits", 10)])
def test_in_situ_measures_the_hardwares_gradient(task, ports):
    bench = Bench(WRONG, task=task, ports=ports)
    loss, gradient = bench.measured("in-situ")
    true_loss, true = bench.exact(bench.devices, "in-situ")
    assert loss == pytest.approx(true_loss)
    assert close(gradient, true, 1e-10)
    assert not close(gradient, bench.exact(bench.model, "in-situ")[1], 0.1)


@pytest.mark.parametrize("name", ["physics-aware", "feedback-alignment"])
@pytest.mark.parametrize(
    ("task", "ports", "layers"), [("moons", 4, 3), ("digits", 10, 2), ("rings", 4, 1)]
)
def test_model_slopes_at_measured_inputs(name, task, ports, layers):
    bench = Bench(WRONG, task=task, ports=ports, layers=layers, batch=2)
    loss, gradient = bench.measured(name)
    feedback = normals(0, [0, 1], "feedback", (layers, ports, bench.task.classes))
    place = bench.roles.place(name)
    for run in range(2):
        device, inputs = bench.device_matrices(name, run), bench.inputs(run)
        labels, groups = bench.samples.labels[run], bench.task.groups
        by_sample = [
            layerwise_gradient(
                ports,
                bench.phases[:, place, :, run].T,
                device,
                (x, label, bench.task.scale, groups),
                feedback[run] if name == "feedback-alignment" else None,
            )
            for x, label in zip(inputs, labels, strict=True)
        ]
        assert close(gradient[..., run].T, np.mean(by_sample, axis=0), 1e-6)
        assert loss[run] == pytest.approx(loss_of(device, inputs, labels, bench.task.scale, groups))


@pytest.mark.parametrize("only", [[name] for name in TRAINERS] + [["in-situ", "in-silico"]])
def test_a_trainers_gradient_does_not_depend_on_the_others(only):
    wrong = Imperfections(phase_error_rad=0.3, readout_noise=0.05, gradient_offset=0.1, adc_bits=6)
    every, some = Bench(wrong), Bench(wrong, tuple(only))
    for name in only:
        some.phases[:, some.roles.place(name)] = every.phases[:, every.roles.place(name)]
    for name in only:
        assert np.array_equal(Bench.measured(_same(some, wrong, only), name)[1],
                              Bench.measured(_same(every, wrong, TRAINERS), name)[1])  # fmt: skip


def _same(bench, wrong, trainers):
    """A bench with fresh streams and the phases of another one."""
    fresh = Bench(wrong, tuple(trainers))
    fresh.phases = bench.phases
    return fresh


def test_in_situ_never_asks_the_model(monkeypatch):
    def refuse(*_):
        raise AssertionError("the ideal model was asked")

    noisy = Imperfections(phase_error_rad=0.5, readout_noise=0.01)
    setup = Setup(
        task="rings", ports=4, layers=2, steps=60, batch=64, learning_rate=0.05, seed=0,
        trainers=("in-situ",),
    )  # fmt: skip
    cohort = MeshCohort(setup, [Run(number=n, imperfections=noisy) for n in range(3)])
    monkeypatch.setattr(IdealModel, "actual", refuse)
    monkeypatch.setattr(IdealModel, "splitter_error", property(refuse))
    before = cohort.hardware_accuracy().mean()
    for _ in range(60):
        cohort.step()
    assert cohort.hardware_accuracy().mean() > max(0.85, before + 0.2)
    with pytest.raises(AssertionError, match="ideal model"):
        cohort.model_accuracy()


def test_measured_powers_carry_noise_that_averages_out():
    sigma, repeats = 0.05, 400
    bench = Bench(
        Imperfections(phase_error_rad=0.3, readout_noise=sigma), ("in-situ",), layers=1, runs=1
    )
    _, true = bench.exact(bench.devices, "in-situ")
    draws = np.array([bench.measured("in-situ")[1] for _ in range(repeats)])
    spread = draws.std(axis=0)
    assert spread.min() > 0
    # Two of the three powers' noise remain after halving: at least sqrt(3)/2 of one reading's,
    # averaged over the batch with the size of each sample's error as weight.
    weights = np.linalg.norm(_errors(bench), axis=0)
    assert spread.min() > 0.8 * np.sqrt(3) / 2 * sigma * np.sqrt((weights**2).sum())
    # Noise of the forward pass bends the loss itself by a little: second order in sigma.
    assert np.abs(draws.mean(axis=0) - true).max() < 5 * spread.max() / np.sqrt(repeats) + 0.05


def _errors(bench):
    """Error fields at the outputs of a single layer, (ports, samples), by hand."""
    (matrix,) = bench.device_matrices("in-situ", 0)
    z = matrix @ bench.inputs(0).T
    scores = 8 * bench.task.groups @ np.abs(z) ** 2
    share = np.exp(scores) / np.exp(scores).sum(axis=0)
    share[bench.samples.labels[0], range(len(share.T))] -= 1
    return 2 * (8 * bench.task.groups.T @ share) * z.conj() / len(share.T)


def test_an_offset_is_added_to_measured_gradients_only():
    plain, offset = (
        Bench(WRONG),
        Bench(Imperfections(phase_error_rad=0.3, splitter_error_rad=0.1, gradient_offset=0.2)),
    )
    for name in TRAINERS:
        moved = offset.measured(name)[1] - plain.measured(name)[1]
        expected = 0.2 if name in ("in-situ", "feedback-alignment") else 0
        assert moved == pytest.approx(np.full_like(moved, expected))


def test_read_out_noise_has_the_stated_rms_on_every_port():
    bench = Bench(Imperfections(readout_noise=0.1), batch=200, runs=3)
    for stream in (bench.gradients._forward_noise, bench.gradients._backward_noise):
        parts = stream.take()
        power = parts[:, :, :4] ** 2 + parts[:, :, 4:] ** 2
        # 200 exponential values a mean: five standard errors are 35 %.
        assert power.mean(axis=-1) == pytest.approx(np.full((3, 3, 4), 0.01), rel=0.35)
        assert power.mean() == pytest.approx(0.01, rel=0.06)


def test_noise_reaches_the_hardware_only():
    quiet, noisy = (
        Bench(WRONG),
        Bench(Imperfections(phase_error_rad=0.3, splitter_error_rad=0.1, readout_noise=0.1)),
    )
    for name in TRAINERS:
        (loss, gradient), (noisy_loss, noisy_gradient) = quiet.measured(name), noisy.measured(name)
        untouched = name == "in-silico"
        assert np.array_equal(loss, noisy_loss) == untouched
        assert np.array_equal(gradient, noisy_gradient) == untouched


def test_the_adjoint_field_is_read_with_noise():
    noise = Imperfections(phase_error_rad=0.3, readout_noise=0.02)
    with_noise, without = Bench(noise, ("in-situ",)), Bench(noise, ("in-situ",))
    without.gradients._backward_noise = None
    moved = np.array(
        [with_noise.measured("in-situ")[1] - without.measured("in-situ")[1] for _ in range(300)]
    )
    mean, spread = moved.mean(axis=0), moved.std(axis=0)
    before_output = slice(0, 12)  # what light meets after the last MZI changes no power
    assert spread[before_output].min() > 0
    assert np.abs(mean / np.maximum(spread, 1e-12))[before_output].max() < 0.3


def test_hardware_losses_are_the_devices_with_all_that_is_wrong():
    wrong = Imperfections(
        phase_error_rad=0.3, crosstalk=0.1, adc_bits=4, readout_gain_error=0.1,
        readout_offset=0.1, readout_saturation=0.5,
    )  # fmt: skip
    bench = Bench(wrong)
    for name in TRAINERS:
        machine = bench.model if name == "in-silico" else bench.devices
        assert bench.measured(name)[0] == pytest.approx(bench.exact(machine, name)[0])
    ideal = bench.exact(bench.model, "in-situ")[0]
    assert np.abs(bench.measured("in-situ")[0] - ideal).min() > 1e-3


def test_in_situ_takes_its_readings_for_the_fields():
    """With one layer and a saturating receiver, followed by hand."""
    bend = 0.8
    bench = Bench(Imperfections(readout_saturation=bend), ("in-situ",), layers=1, runs=1)
    (matrix,) = bench.device_matrices("in-situ", 0)
    inputs, groups = bench.inputs(0).T, bench.task.groups
    z = matrix @ inputs
    read = np.abs(z) / (1 + bend * np.abs(z)) * np.exp(1j * np.angle(z))
    share = np.exp(8 * groups @ np.abs(read) ** 2)
    share /= share.sum(axis=0)
    share[bench.samples.labels[0], range(share.shape[1])] -= 1
    error = 2 * (8 * groups.T @ share) * read.conj() / share.shape[1]

    def answer(at):
        return (error * (dense_mesh(4, at) @ inputs)).sum().real

    expected = central_differences(answer, bench.phases[:, 0, 0, 0])
    assert close(bench.measured("in-situ")[1][:, 0, 0], expected, 1e-6)

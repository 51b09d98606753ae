"""Chunks, selectors, payloads, emulated optics and DeMo against slow routes and identities."""

import math
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from scipy import fft

from foptrn_model.compression import PUBLISHED_GPT
from foptrn_model.demo.captured import captured_energy, chunk_energy, entered_band
from foptrn_model.demo.chunks import (
    CHUNK_KINDS,
    ChunkLayout,
    chunk_shape,
    chunk_side,
    restored,
    transformed,
    whole_transform_full_scale,
)
from foptrn_model.demo.methods import Method, method_named
from foptrn_model.demo.optics import Optics, entered, optical_band
from foptrn_model.demo.optimizers import (
    BETA_1,
    BETA_2,
    CALIBRATION_STEPS,
    MOMENTUM_DECAY,
    AdamW,
    Demo,
)
from foptrn_model.demo.payload import payload_bytes
from foptrn_model.demo.samples import Source, chunks_of, correlation_root
from foptrn_model.demo.selectors import FIXED, SELECTORS, fixed_order, keep_count, topk_places
from foptrn_model.planes import cosine_transform, plane_noise_factor, sent_through_planes

SHAPES = ((64, 128), (48,), (96, 64))
"""Of tensors whose chunks are whole, and of one vector."""


def rng(seed=0):
    return np.random.default_rng(seed)


# Chunks and transforms ----------------------------------------------------------


@pytest.mark.parametrize("shape", [(64, 64), (256,), (64,), (48, 64), (1,)])
def test_a_dct_there_and_back_is_the_same_and_keeps_the_energy(shape):
    values = rng().standard_normal((3, *shape))
    coefficients = transformed(values, len(shape))
    assert restored(coefficients, len(shape)) == pytest.approx(values, abs=1e-12)
    assert np.square(coefficients).sum() == pytest.approx(np.square(values).sum(), rel=1e-12)


def test_the_transform_is_the_cosine_matrix_on_every_side():
    tile = rng().standard_normal((16, 8))
    by_matrices = cosine_transform(16) @ tile @ cosine_transform(8).T
    assert transformed(tile[None], 2)[0] == pytest.approx(by_matrices, abs=1e-12)


@pytest.mark.parametrize("size", [1, 7, 48, 64, 100, 147_456, 384])
@pytest.mark.parametrize("most", [64, 256])
def test_a_chunks_side_is_the_largest_divisor_not_above_the_one_asked_for(size, most):
    side = chunk_side(size, most)
    assert side == max(n for n in range(1, most + 1) if size % n == 0)


@pytest.mark.parametrize("kind", CHUNK_KINDS)
def test_chunks_hold_every_value_once_and_where_it_belongs(kind):
    layout = ChunkLayout(SHAPES, kind)
    flat = np.arange(layout.size, dtype=float)
    chunked = layout.chunked(flat)
    assert sorted(chunked) == list(flat)
    assert (layout.flat(chunked) == flat).all()
    start = 0
    seen = dict.fromkeys(range(len(SHAPES)), 0)
    tensors = []
    for shape in SHAPES:
        tensors.append(flat[start : start + math.prod(shape)].reshape(shape))
        start += math.prod(shape)
    for group in layout.groups:
        for chunk, owner in zip(layout.chunks(chunked, group), group.tensor, strict=True):
            tensor, place = tensors[owner], seen[owner]
            seen[owner] += 1
            if chunk.ndim == 1:
                here = tensor.ravel()[place * chunk.size : (place + 1) * chunk.size]
            else:
                rows, columns = chunk.shape
                down, along = divmod(place, tensor.shape[1] // columns)
                here = tensor[down * rows :, along * columns :][:rows, :columns]
            assert (chunk == here).all()


def test_full_scale_is_the_largest_output_of_a_plane():
    assert whole_transform_full_scale((256,)) == pytest.approx(16, abs=1e-12)
    whole = np.kron(cosine_transform(8), cosine_transform(4))
    largest = np.abs(whole).sum(axis=1).max()
    assert whole_transform_full_scale((8, 4)) == pytest.approx(largest, rel=1e-12)


# Selectors ------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [0.001, 1 / 16, 0.3, 1])
@pytest.mark.parametrize("shape", [(64, 64), (48, 64), (256,)])
def test_every_selector_keeps_exactly_k(shape, keep):
    points = math.prod(shape)
    count = keep_count(points, keep)
    assert count == max(1, round(points * keep))
    for selector in FIXED:
        assert len(set(fixed_order(selector, shape)[:count].tolist())) == count
        assert sorted(fixed_order(selector, shape)) == list(range(points))
    values = rng().standard_normal((5, points))
    for row, places in zip(values, topk_places(values, count), strict=True):
        assert len(set(places.tolist())) == count
        rest = np.delete(np.abs(row), places)
        assert rest.size == 0 or np.abs(row[places]).min() >= rest.max()


def test_bands_lie_where_their_names_say():
    def places(selector, count):
        return {divmod(place, 64) for place in fixed_order(selector, (64, 64))[:count].tolist()}

    assert places("low", 256) == set(product(range(16), range(16)))
    assert places("high", 256) == set(product(range(48, 64), range(48, 64)))
    # Of the diagonals i + j, the first 22 are whole; three of the next are taken.
    taken = places("zigzag", 256)
    assert {(i, j) for i, j in product(range(64), range(64)) if i + j < 22} < taken
    assert all(i + j <= 22 for i, j in taken)
    assert fixed_order("low", (256,)).tolist() == list(range(256))


def white(chunk="2d-64", **fields):
    return Source(
        **{"name": "white", "tensor": "momentum", "samples": 2**18, "seed": 0} | fields, chunk=chunk
    )


@pytest.mark.parametrize("chunk", CHUNK_KINDS)
def test_of_white_noise_a_band_keeps_its_share_and_top_k_what_order_statistics_say(chunk):
    keep = 1 / 16
    found = captured_energy(white(chunk), keep)
    normal = NormalDist()
    beyond = normal.inv_cdf(1 - keep / 2)
    expected = 2 * (beyond * normal.pdf(beyond) + 1 - normal.cdf(beyond))
    # Of short chunks the best k are worth a little less than of infinitely many values.
    assert found["topk"] == pytest.approx(expected, abs=0.02 if chunk == "1d-64" else 0.004)
    for selector in (*FIXED, "calibrated"):
        assert found[selector] == pytest.approx(keep, abs=0.004)


def test_of_smooth_noise_a_band_keeps_what_the_correlation_says():
    found = captured_energy(white("1d-256", name="smooth"), 1 / 16)
    root = correlation_root(256)
    spectrum = np.square(cosine_transform(256) @ root).sum(axis=1)
    assert found["low"] == pytest.approx(spectrum[:16].sum() / spectrum.sum(), abs=0.005)
    neighbours = root @ root.T
    assert neighbours[0, :3] == pytest.approx([1, 0.95, 0.95**2], rel=1e-12)


def test_energies_are_those_of_chunks_one_by_one():
    source = white(samples=2**14, seed=3)
    chunks, found = chunks_of(source), chunk_energy(source)
    slow = [fft.dctn(chunk.astype(float), norm="ortho").ravel() ** 2 for chunk in chunks]
    assert found.energy == pytest.approx(sum(slow), rel=1e-5)
    best = sum(np.sort(energy)[::-1][:256].sum() for energy in slow)
    assert found.captured("topk", 256) == pytest.approx(best / np.sum(slow), rel=1e-5)
    places = np.argsort(-(slow[0] + slow[2]), kind="stable")[:256]
    scored = slow[1] + slow[3]
    assert found.captured("calibrated", 256) == pytest.approx(
        scored[places].sum() / scored.sum(), rel=1e-4
    )


# Payloads -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CHUNK_KINDS)
def test_payloads_are_those_of_chunks_counted_one_by_one(kind):
    shapes, keep = ((96, 64), (48,), (384,), (64, 192)), 0.1
    values = coefficients = compact = 0
    for shape in shapes:
        values += math.prod(shape)
        points = math.prod(chunk_shape(shape, kind))
        for _ in range(math.prod(shape) // points):
            kept = max(1, round(points * keep))
            coefficients += kept
            compact += kept * (3 if points <= 256 else 4)
    sent = payload_bytes(shapes, kind, keep)
    assert (sent.dense, sent.band) == (2 * values, 2 * coefficients)
    assert (sent.topk, sent.topk_int64) == (compact, 10 * coefficients)


def test_the_published_models_payloads():
    assert PUBLISHED_GPT.size == 15_833_472
    assert sum(len(shape) == 1 for shape in PUBLISHED_GPT.shapes) == 17
    sent = payload_bytes(PUBLISHED_GPT.shapes, "2d-64", 1 / 16)
    assert (sent.dense, sent.band) == (31_666_944, 1_979_184)
    assert (sent.topk, sent.topk_int64) == (3_957_960, 9_895_920)


# Optics ---------------------------------------------------------------------------


@pytest.mark.parametrize("planes", [2, 4, 8, 12])
def test_one_pass_is_the_sum_of_the_planes_passed_alone(planes):
    chunks, places = rng().standard_normal((64, 256)), np.arange(16)
    scale = np.full((1, 1), 3.0)
    sent, clipped = optical_band(
        chunks, places, axes=1, full_scale=scale, optics=Optics(enob=0, planes=planes), rng=rng()
    )
    whole = entered(chunks, scale, planes)
    alone = sent_through_planes(whole.whole.astype(np.int32), cosine_transform(256)[:16], planes)
    step = 3.0 / (2 ** (planes - 1) - 1)
    assert sent == pytest.approx(alone * step, abs=1e-9)
    steps = np.rint(chunks / step)
    beyond = (steps > 2 ** (planes - 1) - 1) | (steps < -(2 ** (planes - 1)))
    assert clipped == whole.clipped == beyond.sum()


def test_the_noise_is_that_of_planes_read_one_by_one():
    chunks, places, enob, planes = np.zeros((4096, 256)), np.arange(16), 8.0, 4
    scale = np.full((1, 1), 4.0)
    sent, _ = optical_band(
        chunks, places, axes=1, full_scale=scale, optics=Optics(enob=enob, planes=planes), rng=rng()
    )
    one = 16 * 2**-enob * 2 / math.sqrt(12)
    read = [one * rng(1 + bit).standard_normal(sent.shape) for bit in range(planes)]
    weights = [1, 2, 4, -8]
    slow = sum(weight * plane for weight, plane in zip(weights, read, strict=True)) * 4 / 7
    assert sent.std() == pytest.approx(slow.std(), rel=0.01)
    assert plane_noise_factor(planes) == pytest.approx(math.sqrt(85))


@pytest.mark.parametrize(("chunk", "planes", "enob"), [("1d-256", 8, 8), ("2d-64", 6, 11)])
def test_the_error_by_sums_is_that_of_a_band_that_is_drawn(chunk, planes, enob):
    source = white(chunk, name="smooth")
    chunks, found = chunks_of(source), entered_band(source, planes, 4.0)
    axes, places = chunks.ndim - 1, fixed_order("low", chunks.shape[1:])
    places = places[: len(places) // 16]
    exact = transformed(chunks, axes).reshape(len(chunks), -1)[:, places]
    scale = np.full((1,) * chunks.ndim, 4 * np.sqrt(np.square(chunks).mean()))
    sent, clipped = optical_band(
        chunks, places, axes=axes, full_scale=scale, optics=Optics(enob=enob, planes=planes),
        rng=rng(),
    )  # fmt: skip
    drawn = np.sqrt(np.square(sent - exact).mean() / np.square(exact).mean())
    assert math.hypot(*found.error(len(places), enob=enob, planes=planes)) == pytest.approx(
        drawn, rel=0.03
    )
    assert found.clip_rate == pytest.approx(clipped / chunks.size, abs=1e-6)


# Optimizers -----------------------------------------------------------------------

ALL_METHODS = [
    *(Method(selector=name, chunk=kind) for name in SELECTORS for kind in ("2d-64", "1d-256")),
    *(method_named(f"optics-1d256-enob6-planes4-{word}") for word in ("sent", "exact")),
]


def demo(method, workers=3):
    made = Demo(SHAPES, method, workers=workers, keep=1 / 16, seed=1, dtype=np.float64)
    gradients = rng().standard_normal((workers, made.layout.size))
    for step in range(1, CALIBRATION_STEPS + 1):
        made.accumulate(gradients)
        made.sync(step)
    made.accumulate(gradients)
    return made


@pytest.mark.parametrize("method", ALL_METHODS, ids=lambda method: method.id)
def test_what_is_taken_from_the_delta_is_what_was_sent_or_the_exact_band(method):
    made = demo(method)
    before = made.delta.copy()
    arrived = made.sync(CALIBRATION_STEPS + 1)
    taken = before - made.delta
    if method.optics is None or method.optics.feedback == "sent":
        assert taken.mean(axis=0) == pytest.approx(arrived, abs=1e-12)
    else:
        assert np.abs(taken.mean(axis=0) - arrived).max() > 1e-3
    exact = Demo(SHAPES, Method(selector="low", chunk="1d-256"), workers=3, keep=1 / 16, seed=1,
                 dtype=np.float64)  # fmt: skip
    if method.optics is not None and method.optics.feedback == "exact":
        exact.delta = before.copy()
        exact.sync(1)
        assert made.delta == pytest.approx(exact.delta, abs=1e-12)
    # No more than k coefficients of any chunk have been touched.
    for group in made.layout.groups:
        axes = len(group.shape)
        coefficients = transformed(made.layout.chunks(taken, group), axes)
        touched = np.abs(coefficients.reshape(3, group.count, -1)) > 1e-9
        assert touched.sum(axis=-1).max() <= keep_count(group.points, 1 / 16)


def test_a_step_of_top_k_is_the_one_taken_chunk_by_chunk():
    shapes = ((16, 24), (10,))
    made = Demo(shapes, Method(selector="topk"), workers=2, keep=0.1, seed=0, dtype=np.float64)
    flat = rng(1).standard_normal(made.layout.size)
    moved = flat.copy()
    momenta = [[np.zeros(shape) for shape in shapes] for _ in range(2)]
    for step in (1, 2, 3):
        gradients = rng(step).standard_normal((2, flat.size))
        made.step(moved, gradients, step=step, rate=0.1)
        change = []
        for tensor, shape in enumerate(shapes):
            start = sum(math.prod(other) for other in shapes[:tensor])
            arrived = np.zeros(shape)
            for worker in range(2):
                momentum = momenta[worker][tensor]
                momentum *= MOMENTUM_DECAY
                momentum += gradients[worker, start : start + math.prod(shape)].reshape(shape)
                spectrum = fft.dctn(momentum, norm="ortho")
                count = max(1, round(spectrum.size * 0.1))
                least = np.sort(np.abs(spectrum).ravel())[-count]
                sent = fft.idctn(np.where(np.abs(spectrum) >= least, spectrum, 0), norm="ortho")
                momentum -= sent
                arrived += sent / 2
            change.append(np.sign(arrived).ravel())
        flat = flat - 0.1 * np.concatenate(change)
        assert moved == pytest.approx(flat, abs=1e-12)


def test_adamw_is_the_one_of_its_paper():
    shapes = ((2, 3), (4,))
    made, flat = AdamW(shapes, np.float64), rng().standard_normal(10)
    slow, mean, square = flat.copy(), np.zeros(10), np.zeros(10)
    for step in (1, 2, 3):
        gradients = rng(step).standard_normal((4, 10))
        made.step(flat, gradients, step=step, rate=0.05)
        for place in range(10):
            gradient = gradients[:, place].sum() / 4
            mean[place] = BETA_1 * mean[place] + (1 - BETA_1) * gradient
            square[place] = BETA_2 * square[place] + (1 - BETA_2) * gradient**2
            ratio = (mean[place] / (1 - BETA_1**step)) / (
                math.sqrt(square[place] / (1 - BETA_2**step)) + 1e-8
            )
            slow[place] -= 0.05 * (ratio + (0.1 * slow[place] if place < 6 else 0))
    assert flat == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "adamw", "topk-2d64", "band-low-1d64", "band-zigzag-2d64", "calib-2d64",
        "optics-1d256-enob8-planes8-sent+agc100", "optics-2d64-enob10.5-planes4-exact",
    ],
)  # fmt: skip
def test_methods_are_read_from_their_names(name):
    assert method_named(name).id == name


@pytest.mark.parametrize("name", ["", "sgd", "band-low", "topk-3d", "optics-1d256-enob8-planes8"])
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match="no method is named"):
        method_named(name)

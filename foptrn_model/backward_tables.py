"""Tables of the backward explorer: the numbers of each figure."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from foptrn_model.backward import BackwardResult
from foptrn_model.backward_params import BackwardParams
from foptrn_model.backward_series import PASS_NAMES, BackwardSeries, mean_amplitude
from foptrn_model.backward_text import CHECK_LABELS, COMPARED, PLANE_COMPARED
from foptrn_model.tables import Column, Table

MOST_ROWS = 2_000
"""Rows of a table by sample; of a longer signal every so many samples are listed."""


def checks_table(params: BackwardParams, result: BackwardResult, series: BackwardSeries) -> Table:
    """What is compared with what, the difference, the bound."""
    rows = [
        [label, compared, found, bound, "yes" if found <= bound else "no"]
        for label, compared, found, bound in all_checks(result)
    ]
    return Table(
        title="Every check: what is compared, how far it is apart, and its bound",
        columns=(
            Column(name="check", label="Check"),
            Column(name="compared", label="Compared"),
            Column(name="difference", label="Difference"),
            Column(name="bound", label="Bound"),
            Column(name="within", label="Within"),
        ),
        rows=rows,
    )


def all_checks(result: BackwardResult) -> list[tuple[str, str, float, float]]:
    """(label, what is compared, difference, bound) of every check, pictures last."""
    listed = []
    for checks, bounds, words, prefix in (
        (result.checks, result.bounds, COMPARED, ""),
        (result.plane_checks, result.plane_bounds, PLANE_COMPARED, "2-D "),
    ):
        for name in (field.name for field in dataclasses.fields(checks)):
            label = CHECK_LABELS[name]
            label = prefix + label[:1].lower() + label[1:] if prefix else label
            listed.append((label, words[name], getattr(checks, name), getattr(bounds, name)))
    return listed


def signals_table(params: BackwardParams, result: BackwardResult, series: BackwardSeries) -> Table:
    """Signal, filter, loss gradient, outputs and gradients by sample."""
    found = series.routes.passes
    names = ("u", "h", "g", "y", "dx", "dh")
    every = -(-params.n // MOST_ROWS)
    columns = [getattr(found, name)[::every].tolist() for name in names]
    return Table(
        title="Signals and gradients by sample"
        + (f", one in {every}" if every > 1 else ""),
        columns=(
            Column(name="sample", label="Sample"),
            *(Column(name=name, label=label) for name, label in zip(
                names, ("u", "h", "g", "y", "dX", "dH"), strict=True)),
        ),
        rows=[list(row) for row in zip(range(0, params.n, every), *columns, strict=True)],
    )  # fmt: skip


def spectra_table(params: BackwardParams, result: BackwardResult, series: BackwardSeries) -> Table:
    """Amplitudes of spectra and of the three products, as drawn."""
    found = series.routes.passes
    spectra = {
        "u_amplitude": found.U,
        "h_amplitude": found.H,
        "g_amplitude": found.G,
        "forward_amplitude": found.U * found.H,
        "input_gradient_amplitude": found.G * found.H.conj(),
        "filter_gradient_amplitude": found.G * found.U.conj(),
    }
    labels = ("|U|", "|H|", "|G|", "|U H|", "|G conj H|", "|G conj U|")
    drawn = [mean_amplitude(values) for values in spectra.values()]
    return Table(
        title="RMS amplitude of spectra and products by frequency",
        columns=(
            Column(name="frequency", label="Frequency", unit="cycles/sample"),
            *(Column(name=name, label=label)
              for name, label in zip(spectra, labels, strict=True)),
        ),
        rows=[list(row) for row in zip(drawn[0][0].tolist(), *(line.tolist() for _, line in drawn), strict=True)],
    )  # fmt: skip


def leak_table(params: BackwardParams, result: BackwardResult, series: BackwardSeries) -> Table:
    """Outputs before and after the kick, and the change with and without padding."""
    here, every = series.routes.leak, -(-params.n // MOST_ROWS)
    columns = [
        here.y[:-1], here.y_kicked[:-1], series.leaks[True].change, series.leaks[False].change,
    ]  # fmt: skip
    return Table(
        title="Outputs before and after a kick to the last input",
        columns=(
            Column(name="sample", label="Sample"),
            Column(name="y", label="y"),
            Column(name="y_kicked", label="y after the kick"),
            Column(name="change_padded", label="Change over the peak, padded"),
            Column(name="change_unpadded", label="Change over the peak, not padded"),
        ),
        rows=[
            list(row)
            for row in zip(
                range(0, params.n - 1, every),
                *(column[::every].tolist() for column in columns),
                strict=True,
            )
        ],
    )


def planes_table(params: BackwardParams, result: BackwardResult, series: BackwardSeries) -> Table:
    """Every sample of the nine planes; the masks with their origin in the middle."""
    rows: list[list[Any]] = []
    for view in series.views:
        plane = view.plane
        mask = np.fft.fftshift(plane.mask)
        for (row, column), value in np.ndenumerate(plane.input):
            rows.append(
                [view.name, row, column, float(value), float(mask[row, column].real),
                 float(mask[row, column].imag), float(plane.output[row, column])]
            )  # fmt: skip
    return Table(
        title="The planes of the three 4f passes",
        columns=(
            Column(name="pass", label="Pass"),
            Column(name="row", label="Row"),
            Column(name="column", label="Column"),
            Column(name="input", label="Input plane"),
            Column(name="mask_real", label="Mask, real"),
            Column(name="mask_imaginary", label="Mask, imaginary"),
            Column(name="output", label="Output plane"),
        ),
        rows=rows,
    )


def length_table(params: BackwardParams, result: BackwardResult, series: BackwardSeries) -> Table:
    """The three errors against direct sums by length."""
    sweep = series.sweep
    columns = [sweep.errors[name].tolist() for name in PASS_NAMES]
    return Table(
        title="Difference from direct sums over the peak, by length",
        columns=(
            Column(name="n", label="Length", unit="samples"),
            *(Column(name=name, label=CHECK_LABELS[name]) for name in PASS_NAMES),
        ),
        rows=[list(row) for row in zip(sweep.lengths.tolist(), *columns, strict=True)],
    )


BACKWARD_TABLES = {
    "checks": checks_table,
    "planes": planes_table,
    "signals": signals_table,
    "spectra": spectra_table,
    "leak": leak_table,
    "length": length_table,
}

"""A small network trained live: backpropagation, DFA, optical DFA, and the last layer alone.

All four start from the same weights, see the same batches and forward through
the same code; only the signal that reaches the hidden layers differs. Runs
(trainers times seeds) are the first axis of every array and are computed together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from foptrn_model.optical_dfa_digits import CLASSES, PIXELS, Digits, Labels
from foptrn_model.optical_dfa_optics import Medium, Real
from foptrn_model.optical_dfa_params import OpticalDfaParams

Sums = tuple[NDArray[np.float64], NDArray[np.intp]]
"""Sums over samples, and how many samples they are of."""
Trainer = Literal["bp", "dfa", "odfa", "last"]
TRAINERS: tuple[Trainer, ...] = get_args(Trainer)
TRAINER_LABELS: dict[Trainer, str] = {
    "bp": "Backpropagation", "dfa": "DFA, digital", "odfa": "DFA, optical",
    "last": "Last layer only",
}  # fmt: skip
ALIGNED: tuple[Trainer, ...] = ("dfa", "odfa")
"""Trainers whose signal is not the gradient."""

FIRST_EPOCH_PARTS = 4
CHUNK = 256
"""Digits on which signals are compared with gradients at once."""
NOISE_LEVELS = (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
"""Noise that the trained digital DFA networks are tried with, in projection RMS."""
WEIGHTS_STREAM, FEEDBACK_STREAM, SPLIT_STREAM, BATCH_STREAM, MEDIUM_STREAM, NOISE_STREAM = range(6)


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What a training reached.

    ``epochs`` (times,) are those of every measurement, 0 being before training.
    ``accuracy`` is on held-out digits, (times, seeds) by trainer; ``cosine``
    between the signal at each hidden layer and the true gradient there, mean
    over samples, (layers, times, seeds) by trainer, not a number where nothing is sent; ``diluted`` the same once digital DFA has
    trained, under the noise of :data:`NOISE_LEVELS`, (layers, levels, seeds).
    """

    epochs: NDArray[np.float64]
    accuracy: dict[Trainer, NDArray[np.float64]]
    cosine: dict[Trainer, NDArray[np.float64]]
    diluted: NDArray[np.float64]

    def final(self, trainer: Trainer) -> NDArray[np.float64]:
        """Accuracy after training, (seeds,)."""
        return self.accuracy[trainer][-1]


class Training:
    """Iterate over :meth:`advance` to train; :meth:`result` says what has been reached."""

    def __init__(self, params: OpticalDfaParams) -> None:
        self.params = params

        def streams(purpose: int) -> list[np.random.Generator]:
            runs = range(params.seeds)
            return [np.random.default_rng([params.seed, run, purpose]) for run in runs]

        self._data = Digits.split(streams(SPLIT_STREAM))
        self._batches = streams(BATCH_STREAM)
        self._noise = streams(NOISE_STREAM)
        sides = [PIXELS, *[params.hidden_width] * params.hidden_layers, CLASSES]
        self._weights = _starting_weights(streams(WEIGHTS_STREAM), sides)
        self._biases = [np.zeros((len(w), 1, w.shape[2]), np.float32) for w in self._weights]
        self._speeds = [np.zeros_like(w) for w in [*self._weights, *self._biases]]
        outputs = params.hidden_width * params.hidden_layers
        self._feedback = _feedback(streams(FEEDBACK_STREAM), params)
        self._medium = Medium.draw(params, streams(MEDIUM_STREAM), classes=CLASSES, outputs=outputs)
        self._times: list[float] = []
        self._accuracy: list[NDArray[np.float64]] = []
        self._cosine: list[NDArray[np.float64]] = []

    @property
    def steps_per_epoch(self) -> int:
        return max(self._data.train.shape[1] // self.params.train_batch, 1)

    @property
    def steps(self) -> int:
        """Steps in all."""
        return self.steps_per_epoch * self.params.epochs

    def advance(self) -> Iterator[int]:
        """Train, yielding the steps done at every measurement, at first 0."""
        per_epoch = self.steps_per_epoch
        parts = {round(per_epoch * part / FIRST_EPOCH_PARTS) for part in range(FIRST_EPOCH_PARTS)}
        # Matrices this small run slower on several threads, far slower where others compute too.
        with threadpool_limits(limits=1, user_api="blas"):
            done = 0
            for _ in range(self.params.epochs):
                for rows in self._epoch_rows():
                    if done in parts or done % per_epoch == 0:
                        self._measure(done / per_epoch)
                        yield done
                    self._step(rows)
                    done += 1
            self._measure(done / per_epoch)
            yield done

    def result(self) -> Experiment:
        """What has been reached so far."""
        accuracy, cosine = np.stack(self._accuracy), np.stack(self._cosine)
        return Experiment(
            epochs=np.array(self._times),
            accuracy={name: accuracy[:, place] for place, name in enumerate(TRAINERS)},
            cosine={
                name: cosine[:, :, place].transpose(1, 0, 2) for place, name in enumerate(ALIGNED)
            },
            diluted=self._over_digits(self._dilution),
        )

    # Steps ---------------------------------------------------------------------------

    def _epoch_rows(self) -> Iterator[Labels]:
        """Rows of every batch of one epoch, (seeds, batch); the last odd ones are left out."""
        count, batch = self._data.train.shape[1], self.params.train_batch
        order = np.stack([stream.permutation(count) for stream in self._batches])
        for step in range(self.steps_per_epoch):
            yield order[:, step * batch : (step + 1) * batch]

    def _step(self, rows: Labels) -> None:
        params = self.params
        inputs, targets = self._data.batch(rows)
        hidden, error = self._forward(inputs, targets)
        self._medium.drift()
        signals = self._signals(hidden, error)
        rate, kept = np.float32(params.learning_rate), np.float32(params.momentum)
        count, trained = inputs.shape[1], len(TRAINERS) - 1
        for layer, signal in enumerate([*signals, error]):
            # The last trainer leaves every layer alone but the output's.
            runs = slice(0, (trained if layer < len(signals) else trained + 1) * params.seeds)
            gradient = hidden[layer][runs].swapaxes(1, 2) @ signal[runs] / np.float32(count)
            slope = signal[runs].mean(axis=1, keepdims=True)
            for values, speed, change in (
                (self._weights[layer], self._speeds[layer], gradient),
                (self._biases[layer], self._speeds[layer + len(self._weights)], slope),
            ):
                speed[runs] = kept * speed[runs] - rate * change
                values[runs] += speed[runs]

    def _forward(self, inputs: Real, targets: Real) -> tuple[list[Real], Real]:
        """(inputs of every layer, output error), of all runs."""
        hidden = self._hidden(inputs)
        scores = self._scores(hidden)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        chances = powers / powers.sum(axis=-1, keepdims=True)
        return hidden, chances - np.concatenate([targets] * len(TRAINERS))

    def _hidden(self, inputs: Real) -> list[Real]:
        hidden = [np.concatenate([inputs] * len(TRAINERS))]
        for weights, biases in zip(self._weights[:-1], self._biases[:-1], strict=True):
            hidden.append(np.tanh(hidden[-1] @ weights + biases))
        return hidden

    def _scores(self, hidden: list[Real]) -> Real:
        return np.asarray(hidden[-1] @ self._weights[-1] + self._biases[-1])

    def _signals(self, hidden: list[Real], error: Real) -> list[Real]:
        """What reaches each hidden layer, of the runs of all trainers but the last."""
        seeds, width = self.params.seeds, self.params.hidden_width
        bp, dfa, odfa = (slice(index * seeds, (index + 1) * seeds) for index in range(3))
        optical = self._medium.project(error[odfa])
        true = error[bp]
        signals: list[Real] = []
        for layer in reversed(range(self.params.hidden_layers)):
            slope = 1 - hidden[layer + 1][: 3 * seeds] ** 2
            true = (true @ self._weights[layer + 1][bp].swapaxes(1, 2)) * slope[bp]
            place = slice(layer * width, (layer + 1) * width)
            sent = np.concatenate([error[dfa] @ self._feedback[layer], optical[:, :, place]])
            signals.append(np.concatenate([true, sent * slope[dfa.start :]]))
        return signals[::-1]

    # Measurements ----------------------------------------------------------------------

    def _measure(self, epoch: float) -> None:
        hidden = self._hidden(self._data.held_out)
        guesses = self._scores(hidden).argmax(axis=2)
        guesses = guesses.reshape(len(TRAINERS), self.params.seeds, -1)
        self._times.append(epoch)
        self._accuracy.append((guesses == self._data.held_out_labels).mean(axis=2))
        self._cosine.append(self._over_digits(self._alignment))

    def _over_digits(self, measure: Callable[[list[Real], Real], Sums]) -> NDArray[np.float64]:
        """Mean cosines over the training digits, some at a time, so that memory stays small."""
        total: Any = 0.0
        count: Any = 0
        for start in range(0, self._data.train.shape[1], CHUNK):
            part = slice(start, start + CHUNK)
            sums = measure(*self._forward(self._data.train[:, part], self._data.targets[:, part]))
            total, count = total + sums[0], count + sums[1]
        return np.where(count, total / np.maximum(count, 1), np.nan)

    def _alignment(self, hidden: list[Real], error: Real) -> Sums:
        """Cosines of what reaches each hidden layer, (layers, aligned trainers, seeds)."""
        seeds = self.params.seeds
        signals = self._signals(hidden, error)
        gradients = self._true_gradients(hidden, error)
        sums = [
            _cosine_sums(signal[seeds:].reshape(shape), gradient.reshape(shape))
            for signal, gradient in zip(signals, gradients, strict=True)
            for shape in [(len(ALIGNED), seeds, *gradient.shape[1:])]
        ]
        return np.stack([total for total, _ in sums]), np.stack([count for _, count in sums])

    def _true_gradients(self, hidden: list[Real], error: Real) -> list[Real]:
        """Loss gradients at the hidden layers of the aligned trainers, before the tanh."""
        seeds = self.params.seeds
        runs = slice(seeds, 3 * seeds)
        true = error[runs]
        found = []
        for layer in reversed(range(self.params.hidden_layers)):
            slope = 1 - hidden[layer + 1][runs] ** 2
            true = (true @ self._weights[layer + 1][runs].swapaxes(1, 2)) * slope
            found.append(true)
        return found[::-1]

    def _dilution(self, hidden: list[Real], error: Real) -> Sums:
        """Cosines of digital DFA's signals under noise, (layers, levels, seeds)."""
        seeds = self.params.seeds
        runs = slice(seeds, 2 * seeds)
        totals, counts = [], []
        for layer, gradient in enumerate(self._true_gradients(hidden, error)):
            clean = error[runs] @ self._feedback[layer]
            rms = np.sqrt((clean**2).mean(axis=-1, keepdims=True))
            slope = 1 - hidden[layer + 1][runs] ** 2
            sums = []
            for level in NOISE_LEVELS:
                noise = np.stack(
                    [stream.standard_normal(clean.shape[1:], dtype=np.float32)
                     for stream in self._noise]
                )  # fmt: skip
                sums.append(_cosine_sums((clean + level * rms * noise) * slope, gradient[:seeds]))
            totals.append(np.stack([total for total, _ in sums]))
            counts.append(np.stack([count for _, count in sums]))
        return np.stack(totals), np.stack(counts)


def train(params: OpticalDfaParams) -> Experiment:
    """Train without stopping; see :class:`Training` for what can be watched."""
    training = Training(params)
    for _ in training.advance():
        pass
    return training.result()


def _starting_weights(streams: list[np.random.Generator], sides: list[int]) -> list[Real]:
    """Normal weights of variance 1 / fan-in, the same for every trainer."""
    drawn = []
    for fan_in, fan_out in pairwise(sides):
        one = np.stack([stream.standard_normal((fan_in, fan_out)) for stream in streams])
        drawn.append(np.concatenate([one / np.sqrt(fan_in)] * len(TRAINERS)).astype(np.float32))
    return drawn


def _feedback(streams: list[np.random.Generator], params: OpticalDfaParams) -> list[Real]:
    """Fixed feedback per hidden layer, uniform, of unit variance over the root of the width."""
    edge = np.sqrt(3 / params.hidden_width)
    shape = (CLASSES, params.hidden_width)
    return [
        np.stack([stream.uniform(-edge, edge, shape) for stream in streams]).astype(np.float32)
        for _ in range(params.hidden_layers)
    ]


def _cosine_sums(signal: Real, gradient: Real) -> Sums:
    """Cosines over neurons, summed over samples: (..., samples, neurons) to (...), with the count.

    Every sample that receives a signal counts the same: a trained network's
    errors sit in a few samples, and a cosine over all values would be that of
    these few.
    """
    sizes = np.sqrt((signal**2).sum(axis=-1) * (gradient**2).sum(axis=-1))
    cosines = (signal * gradient).sum(axis=-1) / np.where(sizes > 0, sizes, 1)
    return cosines.sum(axis=-1, dtype=float), (sizes > 0).sum(axis=-1)

"""A small GPT in NumPy with its gradients written out, worker by worker.

Bytes in, a score per next byte out: learned positions, blocks of causal
attention and a GELU layer behind RMS norms, no biases, and the embedding as the
output layer. The gradients of every worker come out apart, since DeMo
compresses each worker's own. The dtype is that of the parameters.

References
----------
A. Radford et al., Language models are unsupervised multitask learners (2019);
B. Zhang and R. Sennrich, Root mean square layer normalization (2019).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

NORM_FLOOR = 1e-5
GELU_SCALE, GELU_CUBE = math.sqrt(2 / math.pi), 0.044715
EMBEDDING_RMS = 0.02


@dataclass(frozen=True, kw_only=True)
class Gpt:
    """The shape of a model. All parameters lie one after the other in a flat vector."""

    vocabulary: int = 256
    context: int = 64
    width: int = 64
    layers: int = 2
    heads: int = 4

    @cached_property
    def tensors(self) -> dict[str, tuple[int, ...]]:
        """Name -> shape, in the order of the flat vector."""
        found: dict[str, tuple[int, ...]] = {
            "tokens": (self.vocabulary, self.width),
            "positions": (self.context, self.width),
        }
        for layer in range(self.layers):
            found |= {
                f"{layer}.norm_1": (self.width,),
                f"{layer}.qkv": (self.width, 3 * self.width),
                f"{layer}.mix": (self.width, self.width),
                f"{layer}.norm_2": (self.width,),
                f"{layer}.up": (self.width, 4 * self.width),
                f"{layer}.down": (4 * self.width, self.width),
            }
        return found | {"norm": (self.width,)}

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        return tuple(self.tensors.values())

    @property
    def size(self) -> int:
        """Parameters in all."""
        return sum(math.prod(shape) for shape in self.shapes)

    def views(self, flat: Array) -> dict[str, Array]:
        """The tensors of a vector (..., size) by name, without copying."""
        found, start = {}, 0
        for name, shape in self.tensors.items():
            stop = start + math.prod(shape)
            found[name] = flat[..., start:stop].reshape(*flat.shape[:-1], *shape)
            start = stop
        return found

    def start(self, seed: int, dtype: Any = np.float32) -> Array:
        """Parameters to start from, shape (size,)."""
        rng = np.random.default_rng([2, seed])
        flat = np.empty(self.size, dtype=dtype)
        for name, tensor in self.views(flat).items():
            if tensor.ndim == 1:
                tensor[...] = 1
                continue
            rms = EMBEDDING_RMS
            if name not in ("tokens", "positions"):
                rms = 1 / math.sqrt(tensor.shape[0])
            if name.endswith(("mix", "down")):
                rms /= math.sqrt(2 * self.layers)  # so that the residual's size does not grow
            tensor[...] = rms * rng.standard_normal(tensor.shape)
        return flat


def loss_and_gradients(model: Gpt, flat: Array, sequences: NDArray[np.intp]) -> tuple[Array, Array]:
    """Mean cross-entropy [nat per byte] of each worker, and its gradient.

    Parameters
    ----------
    sequences : array, shape (workers, batch, length + 1)
        The model predicts every byte but the first from those before it.

    Returns
    -------
    losses of shape (workers,), gradients of shape (workers, model.size)
    """
    pass_ = _Pass(model, flat, sequences)
    return pass_.losses, pass_.gradients()


def mean_loss(model: Gpt, flat: Array, sequences: NDArray[np.intp]) -> float:
    """Mean cross-entropy [nat per byte] over sequences (batch, length + 1)."""
    return float(_Pass(model, flat, sequences[None]).losses[0])


class _Pass:
    """One forward pass, with what the backward pass needs of it."""

    def __init__(self, model: Gpt, flat: Array, sequences: NDArray[np.intp]) -> None:
        self.model, self.weights = model, model.views(flat)
        self.workers, self.batch, length = sequences.shape
        self.length = length - 1
        self.inputs = sequences[..., :-1].reshape(self.workers, -1)
        targets = sequences[..., 1:].reshape(-1)
        self.blocks: list[dict[str, Any]] = []
        bytes_in = self.weights["tokens"][self.inputs].reshape(-1, self.length, model.width)
        placed = bytes_in + self.weights["positions"][: self.length]
        x: Array = placed.reshape(-1, model.width)
        for layer in range(model.layers):
            x = self._block(layer, x)
        self.last, self.last_norm = _norm(x, self.weights["norm"])
        scores = self.last @ self.weights["tokens"].T
        scores -= scores.max(axis=1, keepdims=True)
        rows = np.arange(len(targets))
        right = scores[rows, targets]
        np.exp(scores, out=scores)
        total = scores.sum(axis=1)
        lost = (np.log(total) - right).reshape(self.workers, -1)
        self.losses = lost.mean(axis=1, dtype=np.float64)
        # Turned into the gradient of the scores in place: probabilities less the right byte.
        self.error = scores
        self._total, self._rows, self._targets = total, rows, targets

    def _block(self, layer: int, x: Array) -> Array:
        weights = {name: self.weights[f"{layer}.{name}"] for name in _BLOCK}
        normed, norm_1 = _norm(x, weights["norm_1"])
        q, k, v = self._heads(normed @ weights["qkv"])
        width = q.shape[-1]
        future = np.triu(np.full((self.length, self.length), -np.inf, dtype=x.dtype), 1)
        shares = q @ k.swapaxes(-1, -2)
        shares *= 1 / math.sqrt(width)
        shares += future
        shares -= shares.max(axis=-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed = (shares @ v).swapaxes(1, 2).reshape(x.shape)
        between = x + mixed @ weights["mix"]
        normed_2, norm_2 = _norm(between, weights["norm_2"])
        up = normed_2 @ weights["up"]
        active, bend = _gelu(up)
        self.blocks.append(
            {
                "normed": normed, "norm_1": norm_1, "qkv": (q, k, v), "shares": shares,
                "mixed": mixed, "normed_2": normed_2, "norm_2": norm_2, "up": up,
                "active": active, "bend": bend,
            }
        )  # fmt: skip
        return between + active @ weights["down"]

    def _heads(self, qkv: Array) -> Array:
        """Queries, keys and values, each (sequences, heads, length, width of a head)."""
        split = qkv.reshape(
            -1, self.length, 3, self.model.heads, self.model.width // self.model.heads
        )
        return split.transpose(2, 0, 3, 1, 4)

    def gradients(self) -> Array:
        """Gradients of the workers' losses, shape (workers, size)."""
        error = self.error
        error /= self._total[:, None]
        error[self._rows, self._targets] -= 1
        error *= 1 / (self.batch * self.length)
        found = np.zeros((self.workers, self.model.size), dtype=error.dtype)
        grads = self.model.views(found)
        grads["tokens"] += self._per_worker(error, self.last)
        d = self._norm_back(error @ self.weights["tokens"], self.last_norm, "norm", grads)
        for layer in reversed(range(self.model.layers)):
            d = self._block_back(layer, d, grads)
        grads["positions"][:, : self.length] += d.reshape(
            self.workers, self.batch, self.length, -1
        ).sum(axis=1)
        one_hot = np.zeros((d.shape[0], self.model.vocabulary), dtype=d.dtype)
        one_hot[self._rows, self.inputs.ravel()] = 1
        grads["tokens"] += self._per_worker(one_hot, d)
        return found

    def _block_back(self, layer: int, d: Array, grads: dict[str, Array]) -> Array:
        kept = self.blocks[layer]
        weights = {name: self.weights[f"{layer}.{name}"] for name in _BLOCK}
        grads[f"{layer}.down"] += self._per_worker(kept["active"], d)
        up = d @ weights["down"].T
        up *= _gelu_slope(kept["up"], kept["bend"])
        grads[f"{layer}.up"] += self._per_worker(kept["normed_2"], up)
        d = d + self._norm_back(up @ weights["up"].T, kept["norm_2"], f"{layer}.norm_2", grads)
        grads[f"{layer}.mix"] += self._per_worker(kept["mixed"], d)
        (q, k, v), shares = kept["qkv"], kept["shares"]
        mixed = (d @ weights["mix"].T).reshape(-1, self.length, self.model.heads, q.shape[-1])
        mixed = mixed.swapaxes(1, 2)
        towards = mixed @ v.swapaxes(-1, -2)
        towards -= (towards * shares).sum(axis=-1, keepdims=True)
        towards *= shares
        towards *= 1 / math.sqrt(q.shape[-1])
        qkv = np.stack([towards @ k, towards.swapaxes(-1, -2) @ q, shares.swapaxes(-1, -2) @ mixed])
        qkv = qkv.transpose(1, 3, 0, 2, 4).reshape(d.shape[0], -1)
        grads[f"{layer}.qkv"] += self._per_worker(kept["normed"], qkv)
        return d + self._norm_back(qkv @ weights["qkv"].T, kept["norm_1"], f"{layer}.norm_1", grads)

    def _per_worker(self, inputs: Array, errors: Array) -> Array:
        """Each worker's gradient of a weight matrix, shape (workers, rows, columns)."""
        left = inputs.reshape(self.workers, -1, inputs.shape[-1])
        right = errors.reshape(self.workers, -1, errors.shape[-1])
        return np.asarray(left.swapaxes(1, 2) @ right)

    def _norm_back(
        self, d: Array, kept: tuple[Array, Array], name: str, grads: dict[str, Array]
    ) -> Array:
        unit, scale = kept
        grads[name] += (d * unit).reshape(self.workers, -1, d.shape[-1]).sum(axis=1)
        d = d * self.weights[name]
        d -= unit * (d * unit).mean(axis=-1, keepdims=True)
        d *= scale
        return d


_BLOCK = ("norm_1", "qkv", "mix", "norm_2", "up", "down")


def _norm(x: Array, gain: Array) -> tuple[Array, tuple[Array, Array]]:
    """RMS norm; also the unit vectors and the factor that made them."""
    scale = 1 / np.sqrt((x * x).mean(axis=-1, keepdims=True) + NORM_FLOOR)
    unit = x * scale
    return unit * gain, (unit, scale)


# In place, since making arrays takes these two longer than computing.


def _gelu(x: Array) -> tuple[Array, Array]:
    """GELU in its tanh form, x (1 + tanh u) / 2 with u = s (x + c x^3), and the tanh."""
    bend = x * x
    bend *= GELU_SCALE * GELU_CUBE
    bend += GELU_SCALE
    bend *= x
    np.tanh(bend, out=bend)
    value = bend + 1
    value *= x
    value *= 0.5
    return value, bend


def _gelu_slope(x: Array, bend: Array) -> Array:
    """Its derivative, (1 + tanh u + x (1 - tanh^2 u) u') / 2."""
    slope = x * x
    slope *= 3 * GELU_SCALE * GELU_CUBE
    slope += GELU_SCALE
    slope *= x
    flat = bend * bend
    flat *= slope
    slope -= flat
    slope += bend
    slope += 1
    slope *= 0.5
    return slope

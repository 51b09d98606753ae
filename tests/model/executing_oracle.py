"""An oracle that runs: tiny layers in NumPy that count what they compute.

Every operation adds to a tally by the shapes of the arrays it was given, so a
count belongs to an algorithm whose output can be compared with the plain one:
circulant blocks with the dense matrix, long convolutions with their sums.
Transforms of weights, once per step, are not tallied.
"""

from collections import Counter

import numpy as np

FFT_CONSTANT = 2.5


class Machine:
    """NumPy operations with a tally of FLOP by class."""

    def __init__(self):
        self.tally = Counter()

    def matmul(self, weight, x, flop_class="dense"):
        (m, k), n = weight.shape, x.shape[1]
        self.tally[flop_class] += m * n * (k + k)  # products, and sums that start from zero
        return weight @ x

    def rfft(self, x, n=None):
        n = n or x.shape[-1]
        self._count_transform(x.size // x.shape[-1], n)
        return np.fft.rfft(x, n)

    def irfft(self, spectrum, n):
        self._count_transform(spectrum.size // spectrum.shape[-1], n)
        return np.fft.irfft(spectrum, n)

    def multiply_spectra(self, a, b, flop_class):
        product = a * b
        self.tally[flop_class] += 6 * product.size
        return product

    def add_spectra(self, total, term):
        """``total + term``; the first term of a sum costs nothing."""
        if total is None:
            return term
        self.tally["other"] += 2 * term.size
        return total + term

    def gate(self, a, b):
        self.tally["other"] += a.size
        return a * b

    def _count_transform(self, count, n):
        assert n == 2 ** (n.bit_length() - 1), n
        self.tally["transform"] += count * FFT_CONSTANT * n * (n.bit_length() - 1)


def dense_circulant(columns):
    """The dense (p k, q k) matrix of blocks given by their first columns (p, q, k)."""
    p, q, k = columns.shape
    dense = np.empty((p * k, q * k))
    for i in range(p):
        for j in range(q):
            for c in range(k):
                dense[i * k : (i + 1) * k, j * k + c] = np.roll(columns[i, j], c)
    return dense


def circulant_forward(machine, columns, x):
    """Columns (p, q, k) times x (q k, tokens), by transforms of length k."""
    p, q, k = columns.shape
    mask = np.fft.rfft(columns)
    spectra = machine.rfft(x.T.reshape(-1, q, k))
    out = []
    for i in range(p):
        total = None
        for j in range(q):
            term = machine.multiply_spectra(mask[i, j], spectra[:, j], "weight_masked")
            total = machine.add_spectra(total, term)
        out.append(total)
    return machine.irfft(np.stack(out, axis=1), k).reshape(-1, p * k).T


def circulant_backward(machine, columns, x, grad):
    """Gradients of the input and of the columns, given that of the output.

    The spectra of x are those of the forward pass. The gradient of the columns
    is summed over the tokens as a spectrum and transformed back once.
    """
    p, q, k = columns.shape
    mask = np.fft.rfft(columns)
    kept = np.fft.rfft(x.T.reshape(-1, q, k))
    spectra = machine.rfft(grad.T.reshape(-1, p, k))
    inputs, batch = [], np.zeros(mask.shape, dtype=complex)
    for j in range(q):
        total = None
        for i in range(p):
            term = machine.multiply_spectra(np.conj(mask[i, j]), spectra[:, i], "weight_masked")
            total = machine.add_spectra(total, term)
        inputs.append(total)
    for i in range(p):
        for j in range(q):
            terms = machine.multiply_spectra(np.conj(kept[:, j]), spectra[:, i], "data_by_data")
            for term in terms:
                batch[i, j] = machine.add_spectra(batch[i, j], term)
    x_grad = machine.irfft(np.stack(inputs, axis=1), k).reshape(-1, q * k).T
    return x_grad, np.fft.irfft(batch, k)


def padded_length(tokens):
    return next(2**p for p in range(64) if 2**p >= 2 * tokens)


def long_convolution(machine, filters, u):
    """Causal convolution of each channel of u (d, tokens) with its filter."""
    tokens = u.shape[1]
    n = padded_length(tokens)
    product = machine.multiply_spectra(np.fft.rfft(filters, n), machine.rfft(u, n), "weight_masked")
    return machine.irfft(product, n)[:, :tokens]


def long_convolution_backward(machine, filters, u, grad):
    """Gradients of the input and of the filters (the latter once per step)."""
    tokens = u.shape[1]
    n = padded_length(tokens)
    mask, kept = np.conj(np.fft.rfft(filters, n)), np.conj(np.fft.rfft(u, n))
    spectrum = machine.rfft(grad, n)
    x_grad = machine.irfft(machine.multiply_spectra(mask, spectrum, "weight_masked"), n)
    batch = machine.multiply_spectra(kept, spectrum, "data_by_data")
    return x_grad[:, :tokens], np.fft.irfft(batch, n)[:, :tokens]


def direct_convolution(filters, u):
    """The same from its definition, one pair of samples at a time."""
    out = np.zeros_like(u)
    for t in range(u.shape[1]):
        for lag in range(t + 1):
            out[:, t] += filters[:, lag] * u[:, t - lag]
    return out


def short_convolution(machine, taps, u):
    """Three taps per channel; the sequence starts with two zeros."""
    before = np.concatenate([np.zeros((u.shape[0], 2)), u], axis=1)
    out = np.zeros_like(u)
    for lag in range(3):
        term = taps[:, lag, None] * before[:, 2 - lag : 2 - lag + u.shape[1]]
        machine.tally["other"] += 2 * term.size
        out += term
    return out


def causal_attention(machine, q, k, v, n_heads, n_kv_heads):
    """Grouped-query attention; each query meets only the keys it may see."""
    head = q.shape[0] // n_heads
    out = np.empty_like(q)
    for h in range(n_heads):
        own, shared = slice(h * head, (h + 1) * head), h * n_kv_heads // n_heads
        group = slice(shared * head, (shared + 1) * head)
        for t in range(q.shape[1]):
            scores = machine.matmul(k[group, : t + 1].T, q[own, t : t + 1], "attention")
            weights = np.exp(scores - scores.max())
            weights /= weights.sum()
            out[own, t] = machine.matmul(v[group, : t + 1], weights, "attention")[:, 0]
    return out


def run_forward(shape, settings, seed=0):
    """Run one sequence through a random model; returns (logits, FLOP by class)."""
    rng = np.random.default_rng(seed)
    machine = Machine()
    d, tokens = shape["d_model"], settings["seq_len"]

    def project(x, rows):
        if settings["variant"] == "block-circulant":
            k = settings["block_size"]
            columns = rng.normal(size=(rows // k, x.shape[0] // k, k)) / x.shape[0]
            return circulant_forward(machine, columns, x)
        return machine.matmul(rng.normal(size=(rows, x.shape[0])) / x.shape[0], x)

    def attend(x):
        kv = shape["n_kv_heads"] * (d // shape["n_heads"])
        q, k, v = project(x, d), project(x, kv), project(x, kv)
        mixed = causal_attention(machine, q, k, v, shape["n_heads"], shape["n_kv_heads"])
        return project(mixed, d)

    def hyena(x):
        order = settings["hyena_order"]
        streams = project(x, (order + 1) * d)
        streams = short_convolution(machine, rng.normal(size=(len(streams), 3)), streams)
        z, *gates = streams.reshape(order + 1, d, tokens)
        for gate in gates:
            z = machine.gate(gate, long_convolution(machine, rng.normal(size=(d, tokens)), z))
        return project(z, d)

    def mlp(x):
        up = np.maximum(project(x, shape["d_ff"]), 0)
        if shape["gated_mlp"]:
            up = up * project(x, shape["d_ff"])
        return project(up, d)

    x = rng.normal(size=(d, tokens))
    for layer in range(shape["n_layers"]):
        attends = settings["variant"] == "transformer" or (
            settings["variant"] == "hybrid" and layer % settings["hybrid_period"] == 0
        )
        x = x + (attend if attends else hyena)(x)
        x = x + mlp(x)
    logits = machine.matmul(rng.normal(size=(shape["vocab_size"], d)), x)
    return logits, machine.tally

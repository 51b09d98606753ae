"""A slow oracle of the FLOP ledger: it walks what a step does and adds it up.

It shares no formula with the model and imports nothing of it. Layers are
visited one by one, matrices row by row, queries token by token with the keys
each of them sees, circulant blocks one by one, transforms level by level and
spectra bin by bin. Everything is an integer or a fraction, so there is nothing
to round. What a walk finds is remembered by its arguments, so that equal
matrices and layers of a large model are walked inside only once.

``shape`` is a dict of sizes; ``settings`` holds variant, seq_len, hyena_order,
hybrid_period, block_size, recompute and fft_constant.
"""

from collections import defaultdict
from fractions import Fraction
from functools import cache

CLASSES = ("dense", "attention", "transform", "weight_masked", "data_by_data", "other")

# A complex product is four products and two sums; a complex sum is two sums.
COMPLEX_PRODUCT = 4 + 2
COMPLEX_SUM = 2
# One tap: a product with the weight and a sum into the output.
MULTIPLY_ADD = 2


def step_flop(shape, settings):
    """FLOP per token: {"forward" | "backward" | "step": {class: Fraction}}."""
    forward, backward = defaultdict(Fraction), defaultdict(Fraction)
    for walk, tally in ((_walk_forward, forward), (_walk_backward, backward)):
        walk(shape, settings, tally)
    if settings.get("recompute", "none") == "full":
        _walk_forward(shape, settings, backward)
    length = settings["seq_len"]
    answer = {
        direction: {name: tally[name] / length for name in CLASSES}
        for direction, tally in (("forward", forward), ("backward", backward))
    }
    answer["step"] = {name: answer["forward"][name] + answer["backward"][name] for name in CLASSES}
    return answer


def share(flop, *names):
    """Share of the named classes in one direction's answer, exactly."""
    return sum(flop[name] for name in names) / sum(flop.values())


def layer_kinds(shape, settings):
    """What mixes tokens in each layer, from the first to the last."""
    kinds = []
    for layer in range(shape["n_layers"]):
        attends = {
            "transformer": True,
            "hybrid": layer % settings.get("hybrid_period", 1) == 0,
        }
        kinds.append("attention" if attends.get(settings["variant"], False) else "hyena")
    return kinds


def matrices_of_layer(shape, settings, kind):
    """(out, in) of every projection of one layer."""
    d, head = shape["d_model"], shape["d_model"] // shape["n_heads"]
    if kind == "attention":
        query, key = sum(head for _ in range(shape["n_heads"])), head * shape["n_kv_heads"]
        mixer = [(query, d), (key, d), (key, d), (d, query)]
    else:
        streams = ["value"] + [f"gate {i}" for i in range(settings["hyena_order"])]
        mixer = [(len(streams) * d, d), (d, d)]
    mlp = [(shape["d_ff"], d), (d, shape["d_ff"])]
    if shape["gated_mlp"]:
        mlp.append((shape["d_ff"], d))
    return mixer + mlp


def _walk_forward(shape, settings, tally):
    tokens = settings["seq_len"]
    _visit_layers(_layer_forward, shape, settings, tally)
    tally["dense"] += tokens * matrix_vector(shape["vocab_size"], shape["d_model"])


def _walk_backward(shape, settings, tally):
    tokens = settings["seq_len"]
    _visit_layers(_layer_backward, shape, settings, tally)
    tally["dense"] += tokens * matrix_gradients(shape["vocab_size"], shape["d_model"])


def _visit_layers(walk_layer, shape, settings, tally):
    """Add layer after layer; layers of one kind are walked inside once."""
    walked = {}
    for kind in layer_kinds(shape, settings):
        if kind not in walked:
            walked[kind] = defaultdict(Fraction)
            walk_layer(shape, settings, kind, walked[kind])
        for name, flop in walked[kind].items():
            tally[name] += flop


def _layer_forward(shape, settings, kind, tally):
    tokens = settings["seq_len"]
    for rows, cols in matrices_of_layer(shape, settings, kind):
        if settings["variant"] == "block-circulant":
            circulant_forward(rows, cols, settings, tally)
        else:
            tally["dense"] += tokens * matrix_vector(rows, cols)
    if kind == "attention":
        for _product in ("scores", "weighted values"):
            tally["attention"] += attention_product(shape, tokens)
    else:
        _hyena_forward(shape["d_model"], tokens, settings, tally)


def _layer_backward(shape, settings, kind, tally):
    tokens = settings["seq_len"]
    for rows, cols in matrices_of_layer(shape, settings, kind):
        if settings["variant"] == "block-circulant":
            circulant_backward(rows, cols, settings, tally)
        else:
            tally["dense"] += tokens * matrix_gradients(rows, cols)
    if kind == "attention":
        for _gradient in ("query", "key", "value", "weights"):
            tally["attention"] += attention_product(shape, tokens)
    else:
        _hyena_backward(shape["d_model"], tokens, settings, tally)


@cache
def matrix_vector(rows, cols):
    """One token through a matrix: a dot product as long as the input for each row."""
    return sum(MULTIPLY_ADD * cols for _row in range(rows))


@cache
def matrix_gradients(rows, cols):
    """The transposed product for the input, and one entry at a time for the weights."""
    return matrix_vector(cols, rows) + sum(MULTIPLY_ADD * cols for _row in range(rows))


@cache
def visible_pairs(tokens):
    """Pairs of a query and a key that it may see: itself and all before."""
    return sum(query + 1 for query in range(tokens))


def attention_product(shape, tokens):
    head = shape["d_model"] // shape["n_heads"]
    return sum(MULTIPLY_ADD * head * visible_pairs(tokens) for _ in range(shape["n_heads"]))


@cache
def transform_levels(length):
    """Levels of a radix-2 transform: halvings until single samples are left."""
    levels = 0
    while length > 1:
        length, levels = length // 2, levels + 1
    return levels


@cache
def real_transform(length, fft_constant):
    """Each level touches every sample once, at ``fft_constant`` FLOP a sample."""
    return sum(Fraction(fft_constant) * length for _ in range(transform_levels(length)))


@cache
def spectrum_bins(length):
    """Bins of a real signal's spectrum: f and length - f carry the same value."""
    return sum(1 for f in range(length) if f <= length - f)


@cache
def padded(tokens):
    """The shortest power of two in which a causal convolution does not wrap."""
    length = 1
    while length < tokens + tokens:
        length += length
    return length


def _hyena_forward(d, tokens, settings, tally):
    order, constant = settings["hyena_order"], settings["fft_constant"]
    n = padded(tokens)
    for _stream in range(order + 1):
        for _tap in range(3):
            tally["other"] += MULTIPLY_ADD * d * tokens
    for _convolution in range(order):
        for _direction in ("there", "back"):
            tally["transform"] += d * real_transform(n, constant)
        tally["weight_masked"] += d * COMPLEX_PRODUCT * spectrum_bins(n)
        tally["other"] += d * tokens  # the gate


def _hyena_backward(d, tokens, settings, tally):
    order, constant = settings["hyena_order"], settings["fft_constant"]
    n = padded(tokens)
    for _convolution in range(order):
        for _direction in ("gradient there", "input gradient back"):
            tally["transform"] += d * real_transform(n, constant)
        tally["weight_masked"] += d * COMPLEX_PRODUCT * spectrum_bins(n)  # conj(H) G
        tally["data_by_data"] += d * COMPLEX_PRODUCT * spectrum_bins(n)  # conj(U) G
        for _gradient in ("gate", "gated"):
            tally["other"] += d * tokens
    for _stream in range(order + 1):
        for _gradient in ("input", "taps"):
            for _tap in range(3):
                tally["other"] += MULTIPLY_ADD * d * tokens


@cache
def _circulant_blocks(rows, cols, k):
    """(transforms, products, sums along inputs, sums along outputs) of one token."""
    out_blocks, in_blocks = range(0, rows, k), range(0, cols, k)
    transforms = sum(1 for _ in in_blocks) + sum(1 for _ in out_blocks)
    products = sums_in = sums_out = 0
    for i in out_blocks:
        for j in in_blocks:
            products += 1
            sums_in += j > 0  # the first product starts the sum
            sums_out += i > 0
    return transforms, products, sums_in, sums_out


def circulant_forward(rows, cols, settings, tally):
    tokens, k = settings["seq_len"], settings["block_size"]
    transforms, products, sums_in, _ = _circulant_blocks(rows, cols, k)
    bins = tokens * spectrum_bins(k)
    tally["transform"] += tokens * transforms * real_transform(k, settings["fft_constant"])
    tally["weight_masked"] += products * COMPLEX_PRODUCT * bins
    tally["other"] += sums_in * COMPLEX_SUM * bins


def circulant_backward(rows, cols, settings, tally):
    tokens, k = settings["seq_len"], settings["block_size"]
    transforms, products, _, sums_out = _circulant_blocks(rows, cols, k)
    bins = tokens * spectrum_bins(k)
    tally["transform"] += tokens * transforms * real_transform(k, settings["fft_constant"])
    tally["weight_masked"] += products * COMPLEX_PRODUCT * bins
    tally["data_by_data"] += products * COMPLEX_PRODUCT * bins
    tally["other"] += (sums_out + products) * COMPLEX_SUM * bins  # products join the batch's sum

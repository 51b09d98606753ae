"""A slow oracle of parameter counts: the tensors a checkpoint would hold.

Each tensor is listed by name with its dimensions, and counts are sums over the
names that a convention keeps. Nothing of the model is imported.
"""

from math import prod

from tests.model.slow_ledger import layer_kinds, matrices_of_layer

TRANSFORMER = {"variant": "transformer"}


def tensors(shape, settings=TRANSFORMER):
    """Name -> dimensions of everything stored, for a variant of a shape.

    A circulant block keeps one row. Long filters come from a network that the
    shape does not fix, so they are not here; short filters are.
    """
    d = shape["d_model"]
    held = {"embedding.token": (shape["vocab_size"], d)}
    if shape["learned_positions"]:
        held["embedding.position"] = (shape["learned_positions"], d)
    norms = []
    for layer, kind in enumerate(layer_kinds(shape, settings)):
        norms += [f"layers.{layer}.norm.mixer", f"layers.{layer}.norm.mlp"]
        for index, (rows, cols) in enumerate(matrices_of_layer(shape, settings, kind)):
            name = f"layers.{layer}.matrix.{index}"
            held[name] = (rows, cols)
            if settings["variant"] == "block-circulant":
                k = settings["block_size"]
                held[name] = (rows // k, cols // k, k)
            if shape["biases"]:
                held[f"layers.{layer}.bias.{index}"] = (rows,)
        if kind == "hyena":
            held[f"layers.{layer}.short"] = (settings["hyena_order"] + 1, d, 3)
    for name in [*norms, "norm.last"]:
        held[f"{name}.scale"] = (d,)
        if shape["biases"]:
            held[f"{name}.shift"] = (d,)
    if not shape["tied_head"]:
        held["head"] = (shape["vocab_size"], d)
    return held


def stored(held, keep=lambda name: True):
    """How many numbers the tensors hold whose name is kept."""
    return sum(prod(dims) for name, dims in held.items() if keep(name))


def matmul_parameters(shape, settings=TRANSFORMER):
    """Weights that a token is multiplied with; a tied head is the embedding."""
    held = tensors(shape, settings)
    head = "embedding.token" if shape["tied_head"] else "head"
    return stored(held, lambda name: ".matrix." in name or name == head)


def total_parameters(shape, settings=TRANSFORMER):
    return stored(tensors(shape, settings))


def blocks_only_parameters(shape):
    """All but the embeddings and the head; the last norm stays."""
    return stored(tensors(shape), lambda name: name.startswith(("layers.", "norm.")))


def without_input_embedding(shape):
    """All but tables that are only looked up: a tied embedding is a head as well."""

    def keep(name):
        return name != "embedding.position" and (name != "embedding.token" or shape["tied_head"])

    return stored(tensors(shape), keep)

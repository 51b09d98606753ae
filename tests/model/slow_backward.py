"""Slow second routes to the backward explorer's numbers: loops over single terms."""

from __future__ import annotations

import cmath


def convolution(h, u):
    """y[t] = sum of h[s] u[t - s] over 0 <= s <= t."""
    return [sum(h[s] * u[t - s] for s in range(t + 1)) for t in range(len(u))]


def circular(h, u):
    """The same with the past of sample 0 taken from the end."""
    n = len(u)
    return [sum(h[s] * u[(t - s) % n] for s in range(n)) for t in range(n)]


def correlation(g, other):
    """d[s] = sum of g[t] other[t - s] over t >= s."""
    n = len(g)
    return [sum(g[t] * other[t - s] for t in range(s, n)) for s in range(n)]


def transform(values, length):
    """Naive DFT of a zero-padded signal, all of it."""
    return [
        sum(v * cmath.exp(-2j * cmath.pi * k * t / length) for t, v in enumerate(values))
        for k in range(length)
    ]


def circulant_times(columns, x):
    """Blocks of circulant matrices times x, entry by entry."""
    rows, cols, k = len(columns), len(columns[0]), len(x[0])
    return [
        [
            sum(columns[p][q][(i - j) % k] * x[q][j] for q in range(cols) for j in range(k))
            for i in range(k)
        ]
        for p in range(rows)
    ]


def plane_convolution(u, h):
    """Two-dimensional causal convolution with zeros beyond the edges."""
    side, taps = len(u), len(h)
    return [
        [
            sum(
                h[a][b] * u[i - a][j - b]
                for a in range(min(taps, i + 1))
                for b in range(min(taps, j + 1))
            )
            for j in range(side)
        ]
        for i in range(side)
    ]

"""Sweeps: an explorer's answer over a grid of its fields, on this machine or on a cluster.

``grid`` says what is computed, ``points`` computes it, ``journal`` keeps what
has been computed, ``engine`` and ``cluster`` decide where, ``files`` write the
result, and ``command`` is what a person types. Only ``cluster`` knows Dask.
"""

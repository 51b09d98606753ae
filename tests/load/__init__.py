"""Forty people at once: ``python -m tests.load``, or ``make load`` and ``make soak``."""

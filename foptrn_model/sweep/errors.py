"""What goes wrong with a sweep; kept apart so that who only reads an address loads no model."""

from __future__ import annotations


class SweepError(ValueError):
    """Raised for a sweep that cannot be computed; the message is one line for a person."""

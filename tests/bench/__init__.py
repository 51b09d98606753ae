"""Measurements beside their budgets; ``make bench`` prints them, no test asserts them."""

"""Figures: a result in, a plain Plotly dict out."""

"""Model core of Fourier Optics for Training: pure functions of checked params."""

__version__ = "0.1.0"

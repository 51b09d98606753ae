"""DeMo on simulated workers: chunks, selectors, emulated optics, optimizers, a small model."""

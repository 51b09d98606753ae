"""Simulated photonic hardware: meshes, their imperfections, tasks and trainers."""

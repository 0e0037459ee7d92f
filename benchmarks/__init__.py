"""Measurements of speed and accuracy, run by hand: ``python -m benchmarks.NAME``."""

"""Measurements: whole processes in pairs, medians, ratios. Run with ``nox -s bench``."""

"""Accuracy of the estimator against every published figure at hand; see ``docs/accuracy.md``."""

"""dnnlint: a linter for neural-network training code and a training-memory estimator."""

__version__ = "0.3.0"

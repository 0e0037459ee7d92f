"""Memory at any batch size from a few traces, and the largest batch that fits."""

from dnnlint.estimators.batch.family import BatchFamily, NotAffineError, fit_batch_family
from dnnlint.estimators.batch.largest import largest_batch

__all__ = ["BatchFamily", "NotAffineError", "fit_batch_family", "largest_batch"]

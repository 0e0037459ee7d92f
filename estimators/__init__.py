"""The memory estimator: a traced training step on a simulated CUDA device.

>>> from dnnlint.estimators import EstimateOptions, estimate
>>> estimate("torchvision/resnet50", EstimateOptions(batch=64)).peak.allocated_bytes  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable

from dnnlint.estimators.errors import EstimateError, OptionError, TargetError
from dnnlint.estimators.options import EstimateOptions, InputSpec, OptimizerSpec
from dnnlint.estimators.report import Estimate, Verdict, VerdictStatus

__all__ = [
    "Estimate",
    "EstimateError",
    "EstimateOptions",
    "InputSpec",
    "OptimizerSpec",
    "OptionError",
    "TargetError",
    "Verdict",
    "VerdictStatus",
    "estimate",
]


def estimate(
    target: str, options: EstimateOptions | None = None, on_progress: Callable[[str], None] | None = None
) -> Estimate:
    """Estimate the memory of training ``target`` on a GPU; no GPU is needed.

    Everything of the target runs in a confined child process; this process does not import PyTorch.

    Raises EstimateError (with ``message`` and ``help``) when no estimate can be made.
    """
    from dnnlint.estimators import asking

    return asking.ask(target, options or EstimateOptions(), on_progress)

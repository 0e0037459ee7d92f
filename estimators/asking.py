"""The calling side of an estimate: check what can be checked cheaply, then ask the child process."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

from dnnlint.estimators import request
from dnnlint.estimators.allocator import AllocConfError, parse_alloc_conf
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.errors import EstimateError, OptionError
from dnnlint.estimators.options import EstimateOptions
from dnnlint.estimators.report import Estimate
from dnnlint.estimators.sandbox import Limits, run_sandboxed
from dnnlint.estimators.targets.resolve import plan_target

WORK = "dnnlint.estimators.session:work"


def ask(target: str, options: EstimateOptions, on_progress: Callable[[str], None] | None) -> Estimate:
    """Return the estimate of ``target``; raises EstimateError."""
    check(target, options)
    limits = Limits(options.timeout_s, options.memory_limit_bytes)
    return Estimate.from_json(run_sandboxed(WORK, request.to_json(target, options), limits, on_progress))


def check(target: str, options: EstimateOptions) -> None:
    """Raise EstimateError for everything that shows before PyTorch is imported."""
    if options.gpu is not None:
        find_gpu(options.gpu)
    try:
        parse_alloc_conf(options.alloc_conf or "")
    except AllocConfError as error:
        raise OptionError(f"--alloc-conf: {error}.", "See PYTORCH_ALLOC_CONF in PyTorch's CUDA notes.") from error
    plan_target(target, options)
    for package in ("torch", "fvcore"):
        if importlib.util.find_spec(package) is None:
            raise EstimateError(
                f"An estimate needs {package}, which is not installed.", "Run pip install 'dnnlint[estimate]'."
            )

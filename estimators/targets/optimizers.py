"""Build the optimizer that the options or the file name."""

from __future__ import annotations

import torch
from torch import nn

from dnnlint.estimators.errors import OptionError
from dnnlint.estimators.options import OptimizerSpec


def build_optimizer(
    model: nn.Module, spec: OptimizerSpec, foreach: bool | None, fused: bool | None
) -> torch.optim.Optimizer:
    """Return the optimizer of ``spec`` over the parameters that need gradients."""
    kinds = {name.lower(): kind for name, kind in vars(torch.optim).items() if isinstance(kind, type)}
    kind = kinds.get(spec.name)
    if kind is None:
        raise OptionError(
            f"PyTorch {torch.__version__} has no optimizer {spec.name}.", "Choose another with --optimizer."
        )
    options: dict[str, object] = dict(spec.arguments)
    options |= {name: value for name, value in (("foreach", foreach), ("fused", fused)) if value is not None}
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    try:
        optimizer = kind(trainable, **options)
    except (TypeError, ValueError, RuntimeError) as error:
        raise OptionError(f"{kind.__name__} refuses its arguments: {error}.", "Correct --optimizer.") from error
    assert isinstance(optimizer, torch.optim.Optimizer)
    return optimizer


def stepping_without_closure(optimizer: torch.optim.Optimizer) -> torch.optim.Optimizer:
    """Return the optimizer, unless it evaluates the loss by itself.

    Raises:
        OptionError: LBFGS repeats forward and backward in its step, as often as the values ask for.
    """
    if isinstance(optimizer, torch.optim.LBFGS):
        raise OptionError(
            "LBFGS repeats forward and backward in its step as often as the values ask for; it is not modelled.",
            "Estimate one evaluation of the loss with --optimizer sgd; the history of LBFGS comes on top.",
        )
    return optimizer

"""What is run on the simulated device, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Union

import torch
from torch import nn

from dnnlint.estimators.simulation.device import Attention


class Precision(Enum):
    """Types of weights and computation."""

    FP32 = "fp32"
    TF32 = "tf32"
    AMP_FP16 = "amp-fp16"
    AMP_BF16 = "amp-bf16"
    FP16 = "fp16"
    BF16 = "bf16"

    @property
    def autocast_dtype(self) -> torch.dtype | None:
        """Type of the autocast region; ``None`` outside AMP."""
        return {Precision.AMP_FP16: torch.float16, Precision.AMP_BF16: torch.bfloat16}.get(self)

    @property
    def weight_dtype(self) -> torch.dtype | None:
        """Type that all weights are converted to; ``None`` keeps them."""
        return {Precision.FP16: torch.float16, Precision.BF16: torch.bfloat16}.get(self)


class Mode(Enum):
    """What is run."""

    TRAIN = "train"
    INFERENCE = "inference"
    GENERATE = "generate"


class ZeroGrad(Enum):
    """What ``zero_grad`` does with gradients: drop them, or keep them and write zeros."""

    NONE = "none"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class StepSettings:
    """How the loop is run."""

    precision: Precision = Precision.FP32
    accumulation: int = 1
    clip_grad_norm: float | None = None
    zero_grad: ZeroGrad = ZeroGrad.NONE
    mode: Mode = Mode.TRAIN
    steps: int = 3
    checkpointing: bool = False
    channels_last: bool = False
    attention: Attention = Attention.AUTO
    new_tokens: int = 32
    watch_modules: bool = True
    keeps_variables: bool = True
    """Output, loss and batch live until the next step assigns them anew; else they go when a step starts."""
    build_on_device: bool = False
    """Create parameters on the device, as very large models are."""


LossResult = Union[torch.Tensor, tuple[object, torch.Tensor]]


@dataclass(frozen=True, slots=True)
class TrainingProgram:
    """The parts of a training loop; each is called on the simulated device."""

    build_model: Callable[[], nn.Module]
    make_batch: Callable[[int], object]
    """From a batch size to host tensors: a tensor, or any nesting of tuples, lists and dictionaries."""
    training_loss: Callable[[nn.Module, object], LossResult]
    """The loss, or the output and the loss; what is returned stays alive as the variables of a loop do."""
    build_optimizer: Callable[[nn.Module], torch.optim.Optimizer]
    forward: Callable[[nn.Module, object], object] | None = None
    """For inference and generation; by default the model is called with the batch."""

"""The loss of a model whose file does not define one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

MakeTarget = Callable[[int], torch.Tensor | None]
"""From a batch size to the target on the host; None where the loss needs none."""

_CLASSES = ("cross_entropy", "nll_loss")


@dataclass(frozen=True, slots=True)
class Loss:
    """How to get a scalar from a model's output; ``name`` is a function of torch.nn.functional, "model" or "mean"."""

    name: str
    text: str
    target: MakeTarget | None
    """None when the batch brings the target along."""

    def __call__(self, output: Any, target: torch.Tensor | None) -> torch.Tensor:
        """Compute the loss of an output, summed over outputs of equal shape (auxiliary heads)."""
        own = own_loss(output)
        if self.name == "model" and own is not None:
            return own
        outputs = list(float_tensors(output))
        heads = [tensor for tensor in outputs if tensor.shape == outputs[0].shape]
        losses = [self._of(tensor, target) for tensor in heads]
        return losses[0] if len(losses) == 1 else torch.stack(losses).sum()

    def _of(self, output: torch.Tensor, target: torch.Tensor | None) -> torch.Tensor:
        if self.name == "mean" or target is None:
            return output.mean()
        if self.name in _CLASSES and target.dim() == 2 and output.dim() == 3 and output.shape[:2] == target.shape:
            output, target = output.flatten(0, 1), target.flatten()
        value: torch.Tensor = getattr(functional, self.name)(output, target)
        return value


def choose_loss(output: Any, inputs: Any, hint: str | None, batch: int, target: torch.Tensor | None = None) -> Loss:
    """Choose by what the model returned for ``inputs`` at ``batch``: its own loss, the file's, or a usual one.

    A ``target`` that the batch brings along decides with its type.
    """
    if own_loss(output) is not None:
        return Loss("model", "the loss that the model returns", None if target is not None else lambda size: None)
    outputs = list(float_tensors(output))
    if not outputs:
        raise TypeError("the model returns no floating-point tensor")
    if target is not None:
        name = hint or ("mse_loss" if target.is_floating_point() else "cross_entropy")
        return Loss(name, f"{name} with the target of the batch", None)
    shape = outputs[0].shape
    if not shape or shape[0] != batch:
        return Loss("mean", "mean of the output, whose first dimension is not the batch", lambda size: None)
    rest = tuple(shape[1:])
    name = hint or _usual(rest, inputs)
    if name in _CLASSES:
        kept = rest[:1] if _is_text(rest, inputs) else rest[1:]
        return Loss(name, f"{name} with class indices", lambda size: torch.zeros((size, *kept), dtype=torch.int64))
    if name == "mean":
        return Loss(name, "mean of the output", lambda size: None)
    return Loss(name, f"{name} with a target like the output", lambda size: torch.empty((size, *rest)))


def _usual(rest: tuple[int, ...], inputs: Any) -> str:
    if (len(rest) == 1 and rest[0] > 1) or _is_text(rest, inputs):
        return "cross_entropy"
    return "mean"


def _is_text(rest: tuple[int, ...], inputs: Any) -> bool:
    """Logits for every token: (batch, length, classes) for integers (batch, length)."""
    tokens = [tensor for tensor in all_tensors(inputs) if not tensor.is_floating_point()]
    return len(rest) == 2 and any(tuple(tensor.shape[1:2]) == rest[:1] for tensor in tokens)


def own_loss(output: Any) -> torch.Tensor | None:
    """Return an output's loss: ``.loss``, ``["loss"]``, the sum of a dictionary of losses, or a scalar of a tuple."""
    found = getattr(output, "loss", None)
    if found is None and isinstance(output, Mapping):
        scalars = [value for value in output.values() if isinstance(value, torch.Tensor) and value.dim() == 0]
        found = output.get("loss", sum(scalars) if scalars and len(scalars) == len(output) else None)
    if found is None and isinstance(output, (tuple, list)):
        found = next((item for item in output if isinstance(item, torch.Tensor) and item.dim() == 0), None)
    return found if isinstance(found, torch.Tensor) else None


def float_tensors(output: Any) -> Iterator[torch.Tensor]:
    """Yield the floating-point tensors of an output in order."""
    return (tensor for tensor in all_tensors(output) if tensor.is_floating_point())


def all_tensors(value: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors of any nesting of tuples, lists, mappings and output records."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from all_tensors(item)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from all_tensors(item)
    elif hasattr(value, "logits"):
        yield from all_tensors(value.logits)

"""A small language for the memory that a kernel takes and gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Union

import torch

from dnnlint.estimators.simulation.device import SimulatedDevice

Step = Union[int, tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Scratch:
    """Sizes taken before the results, and a sequence after them.

    In ``after`` a non-negative number takes that many bytes and ``~n`` gives back the ``n``-th block taken by this
    kernel (those of ``before`` count first). Whatever is left is given back at the end, the last one first.
    """

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


NOTHING = Scratch()


@dataclass(frozen=True, slots=True)
class Call:
    """A kernel call: its arguments and the device it runs on."""

    args: Sequence[object]
    kwargs: Mapping[str, object]
    device: SimulatedDevice

    def tensor(self, index: int) -> torch.Tensor:
        """Return a tensor argument."""
        value = self.args[index]
        assert isinstance(value, torch.Tensor)
        return value

    def tensors(self) -> Iterable[torch.Tensor]:
        """Return the tensor arguments."""
        return (argument for argument in self.args if isinstance(argument, torch.Tensor))

    def option(self, index: int, name: str, default: object) -> object:
        """Return an argument by position or by name."""
        return self.args[index] if len(self.args) > index else self.kwargs.get(name, default)


Rule = Callable[[Call], Scratch]


def size_of(tensor: torch.Tensor) -> int:
    """Return the bytes of the elements of a tensor."""
    return prod(tensor.shape) * tensor.element_size()


def in_turn(*sizes: int) -> tuple[int, ...]:
    """Take and give back blocks one after the other."""
    steps: list[int] = []
    for number, size in enumerate(sizes):
        steps += [size, ~number]
    return tuple(steps)


def together(sizes: Sequence[int], first: int = 0) -> tuple[int, ...]:
    """Take all blocks, then give them back, the last one first; ``first`` blocks were taken before."""
    numbers = range(first, first + len(sizes))
    return (*sizes, *(~number for number in reversed(numbers)))

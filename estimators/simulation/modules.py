"""Which module a storage belongs to: the one that runs, or in backward the one whose forward made the node."""

from __future__ import annotations

from bisect import bisect_right

import torch
from torch import nn
from torch.nn.modules import module as module_hooks
from torch.utils.hooks import RemovableHandle


class ModuleTracker:
    """Follows the calls of modules through global hooks."""

    def __init__(self) -> None:
        """Start outside any module."""
        self._names: dict[nn.Module, str] = {}
        self._current = ""
        self._stack: list[str] = []
        self._sequence: list[int] = []
        self._sequence_names: list[str] = []
        self._handles: list[RemovableHandle] = []

    def watch(self, model: nn.Module) -> None:
        """Name the modules of ``model``, and itself by its class: no name is what happens outside."""
        if not self._handles:
            self._handles = [
                module_hooks.register_module_forward_pre_hook(self._enter),
                module_hooks.register_module_forward_hook(self._leave, always_call=True),
            ]
        root = type(model).__name__
        self._names.update({module: name or root for name, module in model.named_modules()})

    def close(self) -> None:
        """Remove the hooks."""
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def current(self, backward: bool) -> str:
        """Return the name of the module that a new storage belongs to."""
        if not backward:
            return self._current
        node = torch._C._current_autograd_node()
        if node is None or not self._sequence:  # type: ignore[redundant-expr]
            return self._current
        position = bisect_right(self._sequence, node._sequence_nr()) - 1
        return self._sequence_names[position] if position >= 0 else ""

    def _enter(self, module: nn.Module, arguments: object) -> None:
        self._stack.append(self._current)
        self._current = self._names.get(module, self._current)
        self._note()

    def _leave(self, module: nn.Module, arguments: object, result: object) -> None:
        if self._stack:
            self._current = self._stack.pop()
        self._note()

    def _note(self) -> None:
        """Autograd numbers nodes in the order they are made; remember where a module's numbers begin."""
        number = torch.autograd._get_sequence_nr()  # type: ignore[attr-defined]
        if self._sequence and self._sequence[-1] >= number:
            while self._sequence and self._sequence[-1] >= number:
                self._sequence.pop()
                self._sequence_names.pop()
        self._sequence.append(number)
        self._sequence_names.append(self._current)

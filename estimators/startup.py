"""Keep PyTorch from importing its compiler, which takes longer than an estimate."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

_COMPILER = "torch._dynamo"


class LazyModule(ModuleType):
    """Stands for a module of the compiler; a name that it lacks loads the real one."""

    def __getattr__(self, name: str) -> Any:
        """Import the real module and ask it; ``inspect`` looks for ``__file__`` everywhere and gets none."""
        if name.startswith("__") and (name, self.__name__) != ("__path__", _COMPILER):
            raise AttributeError(name)
        load_compiler()
        return getattr(importlib.import_module(self.__name__), name)


def _leave(fn: Callable[..., Any] | None = None, *arguments: object, **options: object) -> Any:
    """Decorate nothing: ``torch._dynamo.disable`` outside compilation."""
    return fn if fn is not None else lambda function: function


def _no(*arguments: object) -> bool:
    """Nothing is being compiled."""
    return False


_ANSWERS: dict[str, dict[str, object]] = {
    _COMPILER: {
        "disable": _leave,
        "allow_in_graph": _leave,
        "assume_constant_result": _leave,
        "graph_break": _no,
        "is_compiling": _no,
    },
    f"{_COMPILER}.utils": {"is_compile_supported": _no},
}
"""What eager code asks: every first ``Optimizer.step``, reference implementations, ``torchvision.ops``."""


def keep_compiler_away() -> None:
    """Let ``import torch._dynamo`` give a stand-in, unless the real one is there already."""
    if _COMPILER in sys.modules:
        return
    for name, answers in _ANSWERS.items():
        module = LazyModule(name)
        module.__dict__.update(answers)
        sys.modules[name] = module
    sys.modules[_COMPILER].__dict__["utils"] = sys.modules[f"{_COMPILER}.utils"]
    setattr(torch, "_dynamo", sys.modules[_COMPILER])  # noqa: B010


def load_compiler() -> ModuleType:
    """Replace the stand-ins by the real modules."""
    if isinstance(sys.modules.get(_COMPILER), LazyModule):
        for name in _ANSWERS:
            del sys.modules[name]
        delattr(torch, "_dynamo")
    return importlib.import_module(_COMPILER)

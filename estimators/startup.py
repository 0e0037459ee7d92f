"""Keep PyTorch from importing its compiler, which takes longer than an estimate."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

_COMPILER = "torch._dynamo"


class LazyCompiler(ModuleType):
    """Answers what eager PyTorch asks ``torch._dynamo`` for; any other question loads the real module.

    Every first ``Optimizer.step`` and many reference implementations import it only to say "not here".
    """

    @staticmethod
    def disable(fn: Callable[..., Any] | None = None, *arguments: object, **options: object) -> Any:
        """Leave a function as it is."""
        return fn if fn is not None else lambda function: function

    @staticmethod
    def graph_break(*arguments: object, **options: object) -> None:
        """Nothing is being compiled."""

    @staticmethod
    def is_compiling() -> bool:
        """Nothing is being compiled."""
        return False

    def __getattr__(self, name: str) -> Any:
        """Import the real module and ask it."""
        return getattr(load_compiler(), name)


def keep_compiler_away() -> None:
    """Let ``import torch._dynamo`` give the lazy module, unless the real one is there already."""
    if _COMPILER not in sys.modules:
        lazy = LazyCompiler(_COMPILER)
        sys.modules[_COMPILER] = lazy
        setattr(torch, "_dynamo", lazy)  # noqa: B010


def load_compiler() -> ModuleType:
    """Replace the lazy module by the real one."""
    if isinstance(sys.modules.get(_COMPILER), LazyCompiler):
        del sys.modules[_COMPILER]
        delattr(torch, "_dynamo")
    return importlib.import_module(_COMPILER)

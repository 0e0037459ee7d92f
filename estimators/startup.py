"""Keep PyTorch from importing its compiler, which takes longer than an estimate."""

from __future__ import annotations

import gc
from types import FunctionType
from typing import Any

import torch
import torch._compile

_WRAPPER = "inner"


def keep_compiler_away() -> None:
    """Let functions that PyTorch hides from its compiler run directly.

    ``torch._compile._disable_dynamo`` imports ``torch._dynamo`` at the first call of whatever it decorates, unless the
    function carries the result already.
    """
    for candidate in gc.get_objects():
        # Not isinstance, which would ask proxies for their class.
        if type(candidate) is FunctionType and candidate.__code__.co_name == _WRAPPER and _is_hider(candidate):
            hidden: Any = getattr(candidate, "__wrapped__", None)
            if hidden is not None and not hasattr(hidden, "__dynamo_disable"):
                setattr(hidden, "__dynamo_disable", hidden)  # noqa: B010

    def leave(fn: Any = None, recursive: bool = True) -> Any:
        return fn if fn is not None else leave

    torch._compile._disable_dynamo = leave
    torch._disable_dynamo = leave


def _is_hider(function: FunctionType) -> bool:
    return function.__code__.co_filename == torch._compile.__file__

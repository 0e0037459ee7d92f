"""Keep PyTorch from importing its compiler and a computer algebra system, which takes longer than an estimate."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import torch

_COMPILER = "torch._dynamo"


class LazyModule(ModuleType):
    """Stands for a module that is asked one thing; a name that it lacks loads the real one and becomes it."""

    def __getattr__(self, name: str) -> Any:
        """Import the real module and ask it; ``inspect`` looks for ``__file__`` everywhere and gets none."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(load_real(self.__name__), name)


class _SubmoduleFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the real package before one of its submodules, which may bring that submodule along."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return a spec for a submodule of a stand-in; None for every other name."""
        package = name.rpartition(".")[0]
        if not isinstance(sys.modules.get(package), LazyModule):
            return None
        real = load_real(package)
        # While it stands there, the import system would take its spec and run the module a second time.
        loaded = sys.modules.pop(name, None)
        if loaded is None:
            return importlib.machinery.PathFinder.find_spec(name, real.__path__, target)
        is_package = hasattr(loaded, "__path__")
        return importlib.machinery.ModuleSpec(name, self, is_package=is_package, loader_state=(loaded, loaded.__spec__))

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Hand out the module that the package brought along."""
        module: ModuleType = spec.loader_state[0]
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give back the module's own spec, where the import system could replace it."""
        spec = module.__spec__
        if spec is not None and spec.loader is self:
            module.__spec__ = spec.loader_state[1]


class _NoExpression:
    """Stands for ``sympy.Basic``: nothing is one, since sizes are numbers here."""


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
    "sympy": {"Basic": _NoExpression},
}
"""What eager code asks: every first ``Optimizer.step``, reference implementations, ``torchvision.ops``."""

_PACKAGES = (_COMPILER, "sympy")


def keep_compiler_away() -> None:
    """Let the imports of eager code give stand-ins, unless the real modules are there already."""
    for name, answers in _ANSWERS.items():
        if name not in sys.modules:
            module = LazyModule(name)
            module.__dict__.update(answers)
            if name in _PACKAGES:
                # An empty path: submodules come from the finder below.
                module.__path__ = []
            sys.modules[name] = module
    sys.meta_path.insert(0, _SubmoduleFinder())
    compiler = sys.modules[_COMPILER]
    if isinstance(compiler, LazyModule):
        compiler.__dict__["utils"] = sys.modules[f"{_COMPILER}.utils"]
        setattr(torch, "_dynamo", compiler)  # noqa: B010


def load_real(name: str) -> ModuleType:
    """Import the real module in place of its stand-in, which takes over everything the real one has."""
    standins = [other for other in _ANSWERS if other.startswith("sympy" if name == "sympy" else _COMPILER)]
    replaced = {other: sys.modules.pop(other) for other in standins if isinstance(sys.modules.get(other), LazyModule)}
    if isinstance(getattr(torch, "_dynamo", None), LazyModule) and name != "sympy":
        delattr(torch, "_dynamo")
    real = importlib.import_module(name)
    for other, standin in replaced.items():
        standin.__dict__.update(importlib.import_module(other).__dict__)
    return real

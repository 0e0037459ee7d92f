"""Keeps PyTorch from importing its compiler for nothing.

Optimizers and some shape rules are marked "not to be compiled" by a decorator that imports all of ``torch._dynamo``
at the first call (``torch/_compile.py``): about a second. Nothing is compiled here, so a stand-in answers that
request; whoever asks for anything else gets the real module.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType


class _StandIn(ModuleType):
    """Answers a few names and turns into the real module for every other one."""

    def __init__(self, name: str, answers: Mapping[str, object]) -> None:
        super().__init__(name)
        vars(self).update(answers)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        _remove(self)
        return getattr(importlib.import_module(self.__name__), name)


def _keep(function: object = None, recursive: bool = True, **options: object) -> object:
    """Stand for ``torch._dynamo.disable``: the function runs eagerly in any case."""

    def same(decorated: Callable[..., object]) -> Callable[..., object]:
        return decorated

    return same if function is None else function


def _nothing(*args: object, **kwargs: object) -> None:
    """Stand for ``torch._dynamo.graph_break``: there is no graph to break."""


ANSWERS: dict[str, dict[str, object]] = {
    "torch._dynamo": {"disable": _keep, "graph_break": _nothing},
}


@contextlib.contextmanager
def without_compiler() -> Iterator[None]:
    """Put the stand-ins in place for a while, for modules that are not loaded yet."""
    stand_ins = [_StandIn(name, answers) for name, answers in ANSWERS.items() if name not in sys.modules]
    for stand_in in stand_ins:
        sys.modules[stand_in.__name__] = stand_in
        parent, attribute = _parent(stand_in)
        if parent is not None:
            vars(parent)[attribute] = stand_in
    try:
        yield
    finally:
        for stand_in in stand_ins:
            _remove(stand_in)


def _parent(module: ModuleType) -> tuple[ModuleType | None, str]:
    package, _, attribute = module.__name__.rpartition(".")
    return sys.modules.get(package), attribute


def _remove(stand_in: ModuleType) -> None:
    if sys.modules.get(stand_in.__name__) is stand_in:
        del sys.modules[stand_in.__name__]
    parent, attribute = _parent(stand_in)
    if parent is not None and vars(parent).get(attribute) is stand_in:
        del vars(parent)[attribute]

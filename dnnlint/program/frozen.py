"""Networks whose parameters are told to ask for no gradients: their outputs hold no graph of their own."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.evaluations import model_sites
from dnnlint.program.values import Element, Member, Ref, Result, Value, Values

if TYPE_CHECKING:
    from dnnlint.program import Program


class Frozen:
    """Answers for one program which networks are frozen anywhere in it."""

    def __init__(self, program: Program) -> None:
        """Take the program that the questions are about."""
        self._program = program

    @cached_property
    def _owners(self) -> list[frozenset[Hashable]]:
        return [owners for owners in map(self._owners_of, self._refs()) if owners]

    def holds(self, models: Values) -> bool:
        """Whether one of some models is frozen."""
        if not self._owners:
            return False
        sites = model_sites(self._program, models) | model_sites(self._program, tuple(_made_of(models)))
        return any(owners & sites for owners in self._owners)

    def _refs(self) -> Iterator[Ref]:
        """What ``x.requires_grad_(False)`` and ``x.requires_grad = False`` are applied to."""
        program = self._program
        for call in program.resolver.sites_named("requires_grad_"):
            func = call.node.func
            if isinstance(func, cst.Attribute) and call.node.args and _is_false(call.node.args[0].value):
                yield Ref(func.value, program.place_of(call))
        for assign in program.facts.assigns:
            target = assign.target
            if isinstance(target, cst.Attribute) and target.attr.value == "requires_grad" and _is_false(assign.value):
                yield Ref(target.value, program.place_of(assign))

    def _owners_of(self, ref: Ref) -> frozenset[Hashable]:
        """The models that a model expression or one of their parameters belongs to."""
        values: list[Value] = []
        for value in self._program.resolver.resolve(ref):
            made = value.base if isinstance(value, Element) else value
            if isinstance(made, Result) and made.method == "parameters":
                func = made.node.func
                if isinstance(func, cst.Attribute):
                    values.extend(self._program.resolver.resolve(Ref(func.value, made.place)))
            else:
                values.append(made)
                values.extend(_made_of((made,)))
        return model_sites(self._program, tuple(values))


def _made_of(values: Values) -> Iterator[Value]:
    """The objects behind ``model.eval().to(device)``: these methods return the module itself."""
    for value in values:
        while isinstance(value, Result) and isinstance(value.callee, Member):
            if value.callee.name not in ("eval", "train", "to", "cuda", "cpu", "requires_grad_", "half", "float"):
                break
            value = value.callee.base
            yield value


def _is_false(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "False"

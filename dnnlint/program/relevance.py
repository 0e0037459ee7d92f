"""Which functions of a file can matter to its training, so that only they are expanded."""

from __future__ import annotations

import libcst as cst

from dnnlint.facts import (
    Assign,
    BindingKind,
    Call,
    Facts,
    Function,
    lookup,
    qualified_names,
)
from dnnlint.program.classify import EVENT_NAMES, GRADIENT_WRITES
from dnnlint.program.clips import is_clip

DUNDER = frozenset({"__init__", "__call__"})


def relevant_functions(modules: list[Facts]) -> set[int]:
    """The functions that hold an event, call a variable or ``self.attribute``, or call such a function by name."""
    relevant: set[int] = set()
    callers: dict[str, list[Function]] = {}
    for facts in modules:
        _seed(facts, relevant, callers)
    by_id = {id(function): function for facts in modules for function in facts.functions}
    queue = [by_id[key] for key in relevant]
    while queue:
        reached = queue.pop()
        names = {reached.name, reached.owner.name if reached.owner and reached.name in DUNDER else reached.name}
        for name in names:
            for caller in callers.get(name, ()):
                if id(caller) not in relevant:
                    relevant.add(id(caller))
                    queue.append(caller)
    return relevant


def _seed(facts: Facts, relevant: set[int], callers: dict[str, list[Function]]) -> None:
    relevant.update(id(a.block.function) for a in facts.assigns if a.block.function is not None and _sets_gradient(a))
    has_gradients = "grad" in facts.attribute_loads
    for call in facts.calls:
        function = call.block.function
        while function is not None:
            for name in {call.attribute, _original_name(call)}:
                callers.setdefault(name, []).append(function)
            if _is_event_like(call) or (has_gradients and call.attribute in GRADIENT_WRITES):
                relevant.add(id(function))
            # A nested function is part of the one around it only when called; a lambda counts as its owner's code.
            function = function.parent if function.name == "<lambda>" else None


def _original_name(call: Call) -> str:
    """``f`` of ``g()`` after ``from module import f as g``."""
    if type(call.root) is not cst.Name or call.chain:
        return call.attribute
    names = qualified_names(call)
    return names[0].rsplit(".", 1)[-1] if len(names) == 1 else call.attribute


def _sets_gradient(assign: Assign) -> bool:
    return isinstance(assign.target, cst.Attribute) and assign.target.attr.value == "grad"


def _is_event_like(call: Call) -> bool:
    if call.attribute in EVENT_NAMES or "grad" in call.chain or is_clip(call):
        return True
    if type(call.root) is not cst.Name:
        return isinstance(call.node.func, cst.Call)  # `getattr(hook, name)(trainer)`
    if not call.chain:
        _, bindings = lookup(call.block.scope, call.root.value)
        return any(b.kind in (BindingKind.PARAM, BindingKind.ASSIGN) for b in bindings)
    hands_over = any(isinstance(a.value, cst.Name) and a.value.value == "self" for a in call.node.args)
    return len(call.chain) == 1 and (call.root.value == "self" or hands_over)

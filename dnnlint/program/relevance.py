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
)
from dnnlint.program.classify import EVENT_NAMES, GRADIENT_WRITES
from dnnlint.program.clips import is_clip

DUNDER = frozenset({"__init__", "__call__"})


def relevant_functions(facts: Facts) -> set[int]:
    """The functions that hold an event, call a variable or ``self.attribute``, or call such a function by name."""
    relevant = {id(a.block.function) for a in facts.assigns if a.block.function is not None and _sets_gradient(a)}
    has_gradients = "grad" in facts.attribute_loads
    callers: dict[str, list[Function]] = {}
    for call in facts.calls:
        function = call.block.function
        while function is not None:
            callers.setdefault(call.attribute, []).append(function)
            if _is_event_like(call) or (has_gradients and call.attribute in GRADIENT_WRITES):
                relevant.add(id(function))
            # A nested function is part of the one around it only when called; a lambda counts as its owner's code.
            function = function.parent if function.name == "<lambda>" else None
    by_id = {id(f): f for f in facts.functions}
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


def _sets_gradient(assign: Assign) -> bool:
    return isinstance(assign.target, cst.Attribute) and assign.target.attr.value == "grad"


def _is_event_like(call: Call) -> bool:
    if call.attribute in EVENT_NAMES or "grad" in call.chain or is_clip(call):
        return True
    if type(call.root) is not cst.Name:
        return False
    if not call.chain:
        _, bindings = lookup(call.block.scope, call.root.value)
        return any(b.kind in (BindingKind.PARAM, BindingKind.ASSIGN) for b in bindings)
    return len(call.chain) == 1 and call.root.value == "self"

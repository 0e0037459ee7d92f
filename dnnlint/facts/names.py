"""Name resolution: dotted texts, scope lookup, and the qualified names that a call may mean."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts.model import Binding, BindingKind, Scope

if TYPE_CHECKING:
    from dnnlint.facts.model import Call

_BUILTINS = frozenset(dir(builtins))


def split_chain(node: cst.BaseExpression) -> tuple[cst.BaseExpression, tuple[str, ...]]:
    """Split ``a.b.c`` into the node of ``a`` and ``("b", "c")``."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    parts.reverse()
    return node, tuple(parts)


def dotted(node: cst.CSTNode | None) -> str:
    """The text of a chain of plain names such as ``torch.optim.AdamW``, or an empty string."""
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return ""
    root, chain = split_chain(node)
    return ".".join((root.value, *chain)) if type(root) is cst.Name else ""


def mentions(node: cst.CSTNode, *names: str) -> bool:
    """Whether one of some plain names stands anywhere in a piece of code."""
    if isinstance(node, cst.Name):
        return node.value in names
    return any(mentions(child, *names) for child in node.children)


def lookup(scope: Scope, name: str) -> tuple[Scope | None, list[Binding]]:
    """The scope that owns a name as seen from ``scope``, and its bindings; class scopes are not inherited."""
    current: Scope | None = scope
    own = True
    while current is not None:
        current = current.redirects.get(name, current)
        if name in current.bindings and (own or current.kind != "class"):
            return current, current.bindings[name]
        own = own and current.kind == "comprehension"
        current = current.parent
    return None, []


def qualified_of_name(scope: Scope, name: str) -> tuple[str, ...]:
    """The imported or built-in qualified names that a plain name may stand for; empty for a local object."""
    owner, bindings = lookup(scope, name)
    if owner is None:
        return (f"builtins.{name}",) if name in _BUILTINS else ()
    return tuple(dict.fromkeys(str(b.value) for b in bindings if b.kind == BindingKind.IMPORT))


def qualified_names(call: Call) -> tuple[str, ...]:
    """The qualified names a call may mean through imports, for example ``("torch.optim.AdamW",)``."""
    if call.qualified is None:
        found: tuple[str, ...] = ()
        if type(call.root) is cst.Name:
            tail = "".join(f".{part}" for part in call.chain)
            found = tuple(base + tail for base in qualified_of_name(call.block.scope, call.root.value))
        call.qualified = found
    return call.qualified

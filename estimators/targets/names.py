"""Which names a statement reads, binds and changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_HARMLESS_METHODS = frozenset(
    {"fit", "save", "save_pretrained", "summary", "predict", "test", "validate", "state_dict"}
)
"""Methods called on a model for what they do elsewhere: they change nothing that an estimate needs."""

_USING_VERBS = (
    "train",
    "fit",
    "run",
    "main",
    "eval",
    "test",
    "valid",
    "print",
    "plot",
    "show",
    "save",
    "log",
    "summary",
    "len",
)
"""Beginnings of functions that use their argument without changing what an estimate needs."""


@dataclass(frozen=True, slots=True)
class Effects:
    """Names that a statement needs, those it (re)binds, and those whose object it changes in place."""

    reads: frozenset[str]
    binds: frozenset[str]
    changes: frozenset[str]


def effects(statement: ast.stmt) -> Effects:
    """Return the names that running ``statement`` at the top of a module would touch."""
    changed = frozenset(_changes(statement))
    return Effects(frozenset(free_names(statement)) | changed, frozenset(bound_names([statement])), changed)


def bound_names(statements: Iterable[ast.AST]) -> set[str]:
    """Return the names that the statements bind in their own scope."""
    names: set[str] = set()
    for node in _walk_scope(statements):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)):
            names |= {node.name} if node.name else set()
    return names


def _walk_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Walk without entering functions, classes and comprehensions, whose names are their own."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*Scope, *_COMPREHENSIONS)):
            stack.extend(ast.iter_child_nodes(node))


def free_names(node: ast.AST) -> set[str]:
    """Return the names that ``node`` reads from the scope around it, inner scopes resolved."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return _free_in_function(node)
    if isinstance(node, ast.ClassDef):
        return _free_in_class(node)
    inner = set().union(*(free_names(child) for child in ast.iter_child_nodes(node)))
    if isinstance(node, _COMPREHENSIONS):
        return inner - bound_names([generator.target for generator in node.generators])
    return inner


def parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """Return every parameter of a function in order."""
    spec = function.args
    starred = [argument for argument in (spec.vararg, spec.kwarg) if argument is not None]
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *starred]


def _free_in_function(node: Function | ast.Lambda) -> set[str]:
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    declared = {name for inner in _walk_scope(body) if isinstance(inner, ast.Global) for name in inner.names}
    own = ({argument.arg for argument in parameters(node)} | bound_names(body)) - declared
    inside = set().union(*(free_names(statement) for statement in body)) - own
    around: list[ast.AST] = [
        default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None
    ]
    around += [argument.annotation for argument in parameters(node) if argument.annotation is not None]
    if not isinstance(node, ast.Lambda):
        around += [*node.decorator_list, *([node.returns] if node.returns else [])]
    return inside | declared | set().union(*(free_names(part) for part in around))


def _free_in_class(node: ast.ClassDef) -> set[str]:
    own = bound_names(node.body)
    names: set[str] = set()
    for statement in node.body:
        # Methods do not see the names of the class body.
        names |= free_names(statement) - (set() if isinstance(statement, Scope) else own)
    around = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    return names.union(*(free_names(part) for part in around))


def root_name(node: ast.AST) -> str | None:
    """Return ``model`` for ``model.backbone.layers[0].parameters()``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _changes(statement: ast.stmt) -> Iterator[str]:
    for node in _walk_scope([statement]):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield from filter(None, [root_name(node)])
        elif isinstance(node, ast.AugAssign):
            yield from filter(None, [root_name(node.target)])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from _changed_by_call(node.value)
        elif isinstance(node, ast.For):
            # "for p in model.parameters(): p.requires_grad = False" changes the model.
            changed = {name for inner in node.body for name in _changes(inner)}
            if changed & bound_names([node.target]):
                yield from filter(None, [root_name(node.iter), *map(root_name, _arguments(node.iter))])


def _arguments(node: ast.AST) -> list[ast.expr]:
    return node.args if isinstance(node, ast.Call) else []


def _changed_by_call(call: ast.Call) -> Iterator[str]:
    """``model.to(d)``, ``nn.init.zeros_(model.w)``, ``freeze(model)`` and ``freeze(model, "stem")`` change the model.

    A call with more objects, such as ``evaluate(model, loader)``, uses it.
    """
    receiver = call.func
    if isinstance(receiver, ast.Attribute):
        if receiver.attr in _HARMLESS_METHODS:
            return
        yield from filter(None, [root_name(receiver.value)])
        if not ast.unparse(receiver).startswith(("nn.", "torch.nn.")):
            return
    elif isinstance(receiver, ast.Name) and receiver.id.lower().startswith(_USING_VERBS):
        return
    others = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    if call.args and not any(free_names(other) for other in others):
        yield from filter(None, [root_name(call.args[0])])

"""Cut a file down to the statements that its model needs."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dnnlint.estimators.targets.entries import Entry, module_statements
from dnnlint.estimators.targets.names import Function, bound_names, effects, free_names, parameters

_TRAINING_METHODS = frozenset({"backward", "step", "zero_grad", "fit"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_GLOBAL_SETTINGS = frozenset(
    {"set_default_dtype", "set_default_device", "set_default_tensor_type", "set_float32_matmul_precision"}
)
"""Calls on ``torch`` that change what building a model gives."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Statements to run in order, and how many of the file's ``total`` they are."""

    statements: tuple[ast.stmt, ...]
    kept: int
    total: int


def slice_module(tree: ast.Module, entry: Entry, hooks: Iterable[str] = ()) -> Slice:
    """Return the statements that ``entry`` and the ``hooks`` depend on, without anything that trains."""
    statements = module_statements(tree)
    if entry.scope is not None:
        statements = [*statements, *_lifted(tree, entry.scope)]
    leaves = list(_leaves(statements, frozenset()))
    wanted = free_names(ast.parse(entry.expression, mode="eval")) | set(hooks)
    # The function that the entry was lifted from runs in part, never as a whole.
    never = training_functions(tree) | ({entry.scope.name} if entry.scope is not None else set())
    closure = _Closure(leaves, never)
    kept = closure.of(wanted)
    identities = {id(leaves[index].statement) for index in kept}
    pruned = [_prune(statement, identities, closure.needed) for statement in statements]
    return Slice(tuple(node for node in pruned if node is not None), len(kept), len(leaves))


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A statement that runs whole or not at all; ``guards`` are the names that the blocks around it read."""

    statement: ast.stmt
    guards: frozenset[str]


def _leaves(statements: Iterable[ast.stmt], guards: frozenset[str]) -> Iterator[_Leaf]:
    for node in statements:
        if isinstance(node, ast.If):
            yield from _leaves([*node.body, *node.orelse], guards | free_names(node.test))
        elif isinstance(node, ast.With):
            yield from _leaves(node.body, guards.union(*(free_names(item.context_expr) for item in node.items)))
        elif isinstance(node, ast.Try):
            handled = guards.union(*(free_names(handler.type) for handler in node.handlers if handler.type))
            bodies = [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
            yield from _leaves([statement for body in bodies for statement in body], handled)
        else:
            yield _Leaf(node, guards)


def _prune(node: ast.stmt, kept: set[int], needed: set[str]) -> ast.stmt | None:
    """Rebuild a statement with the kept leaves alone; None when nothing is left."""
    if not isinstance(node, (ast.If, ast.With, ast.Try)):
        return _narrow(node, needed) if id(node) in kept else None
    new = copy.copy(node)
    new.body = _prune_all(node.body, kept, needed)
    alive = bool(new.body)
    if isinstance(new, (ast.If, ast.Try)):
        new.orelse = _prune_all(new.orelse, kept, needed)
        alive = alive or bool(new.orelse)
    if isinstance(new, ast.Try):
        new.finalbody = _prune_all(new.finalbody, kept, needed)
        new.handlers = [copy.copy(handler) for handler in new.handlers]
        for handler in new.handlers:
            handler.body = _prune_all(handler.body, kept, needed)
            alive = alive or bool(handler.body)
            handler.body = handler.body or [ast.copy_location(ast.Pass(), node)]
        new.orelse = new.orelse if new.body else []
    new.body = new.body or [ast.copy_location(ast.Pass(), node)]
    return new if alive else None


def _prune_all(statements: list[ast.stmt], kept: set[int], needed: set[str]) -> list[ast.stmt]:
    pruned = [_prune(statement, kept, needed) for statement in statements]
    return [node for node in pruned if node is not None]


def _narrow(node: ast.stmt, needed: set[str]) -> ast.stmt:
    """Drop unneeded names from an import, so that a missing package that is not used does not matter."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return node
    names = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in needed | {"*"}]
    narrowed = ast.Import(names) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, names, node.level)
    return ast.copy_location(narrowed, node)


def _lifted(tree: ast.Module, function: Function) -> list[ast.stmt]:
    """Return a function's body as if it stood in the module, its parameters assigned first.

    A parameter takes the argument of the first call in the file, else its default; without either it stays unbound.
    """
    values = _defaults(function) | _call_arguments(tree, function)
    assigned = [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in values.items()]
    return [ast.fix_missing_locations(ast.copy_location(node, function)) for node in assigned] + list(function.body)


def _defaults(function: Function) -> dict[str, ast.expr]:
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    pairs = [*zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)]
    pairs += [(name, value) for name, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value is not None]
    return {argument.arg: value for argument, value in pairs}


def _call_arguments(tree: ast.Module, function: Function) -> dict[str, ast.expr]:
    names = [argument.arg for argument in parameters(function)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name:
            values = dict(zip(names, node.args, strict=False))
            values |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg in names}
            # "main(args)" for "def main(args)" would assign a name to itself.
            return {name: value for name, value in values.items() if ast.unparse(value) != name}
    return {}


def training_functions(tree: ast.Module) -> set[str]:
    """Return the module-level functions that train, directly or through another one."""
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found: set[str] = set()
    while more := {node.name for node in functions if _trains(node, found)} - found:
        found |= more
    return found


def _trains(node: ast.AST, functions: set[str]) -> bool:
    """True if running ``node`` would run a training step."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            called = part.func
            if isinstance(called, ast.Attribute) and called.attr in _TRAINING_METHODS:
                return True
            if isinstance(called, ast.Name) and called.id in functions:
                return True
    return False


class _Closure:
    """Follow needed names to the statements that bind or change them."""

    def __init__(self, leaves: list[_Leaf], training: set[str]) -> None:
        self.needed: set[str] = set()
        self._leaves = leaves
        self._training = training
        self._effects = [effects(leaf.statement) for leaf in leaves]

    def of(self, names: Iterable[str]) -> list[int]:
        """Return the indices of all leaves that the names depend on, in order."""
        waiting = [(name, len(self._leaves)) for name in names]
        seen: set[tuple[str, int]] = set()
        kept: set[int] = set()
        while waiting:
            need = waiting.pop()
            if need in seen:
                continue
            seen.add(need)
            self.needed.add(need[0])
            new = set(self._providers(*need)) - kept
            kept |= new
            for index in new:
                reads = self._effects[index].reads | self._leaves[index].guards
                waiting += [(name, self._horizon(index)) for name in sorted(reads)]
        return sorted(kept)

    def _horizon(self, index: int) -> int:
        """A plain statement sees what stands above it; a function may use what comes below."""
        return len(self._leaves) if isinstance(self._leaves[index].statement, _DEFINITIONS) else index

    def _providers(self, name: str, before: int) -> list[int]:
        found = [i for i, effect in enumerate(self._effects) if name in effect.binds | effect.changes]
        if not found and not hasattr(builtins, name):
            found = [i for i, effect in enumerate(self._effects) if "*" in effect.binds]
        imported = any(isinstance(self._leaves[i].statement, (ast.Import, ast.ImportFrom)) for i in found)
        allowed = [i for i in found if self._may_run(i, name) and (not imported or self._sets_up(i, name))]
        return [index for index in allowed if index < before] or allowed

    def _sets_up(self, index: int, name: str) -> bool:
        """For an imported name: its import, its fallback, or a global setting; not ``dist.init_process_group()``."""
        statement = self._leaves[index].statement
        if self._effects[index].binds & {name, "*"}:
            return True
        if isinstance(statement, ast.Assign):
            return ast.unparse(statement).startswith("torch.backends.")
        call = statement.value if isinstance(statement, ast.Expr) else None
        return (
            isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _GLOBAL_SETTINGS
        )

    def _may_run(self, index: int, name: str) -> bool:
        statement = self._leaves[index].statement
        if isinstance(statement, _DEFINITIONS):
            return True
        if isinstance(statement, (ast.While, ast.AsyncFor, ast.AsyncWith)) or _trains(statement, self._training):
            return False
        if isinstance(statement, ast.For):
            return name in self._effects[index].changes and not _calls(statement, name)
        return True


def _calls(loop: ast.For, name: str) -> bool:
    """True for a loop that uses the object as a model: ``for x in loader: model(x)``."""
    local = bound_names([loop.target])
    for part in ast.walk(loop):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == name:
            return any(free_names(argument) & local for argument in part.args)
    return False

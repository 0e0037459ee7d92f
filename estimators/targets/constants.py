"""Values that a training script states outside the call that uses them: constants, options, fields of settings."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dnnlint.estimators.options import Scalar

UNKNOWN = object()
"""The value of what only a run would tell."""

_ON_A_GPU = ("torch.cuda.is_available()", "torch.cuda.is_bf16_supported()", "cuda.is_available()")


@dataclass(frozen=True, slots=True)
class Stated:
    """A value and the line that states it."""

    value: object
    line: int


class Constants:
    """What names of a file stand for, as far as the file says it without being run."""

    def __init__(self, tree: ast.Module, arguments: Mapping[str, Scalar]) -> None:
        """Read ``tree``; ``arguments`` replace the defaults of the file's command line."""
        self._globals = dict(_assigned(tree.body))
        self._fields = {**dict(_fields(tree)), **dict(_options(tree))}
        for name in arguments.keys() & self._fields.keys():
            self._fields[name] = Stated(arguments[name], self._fields[name].line)

    def value(self, node: ast.expr) -> object:
        """Return what an expression is, or UNKNOWN."""
        if ast.unparse(node) in _ON_A_GPU:
            return True
        if isinstance(node, ast.Name):
            return self._globals.get(node.id, Stated(UNKNOWN, 0)).value
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id != "self":
            return self._fields.get(node.attr, Stated(UNKNOWN, 0)).value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.value(node.operand)
            return value if value is UNKNOWN else not value
        try:
            return ast.literal_eval(node)
        except ValueError:
            return UNKNOWN

    def named(self, names: tuple[str, ...]) -> Iterator[Stated]:
        """Yield what is known under one of ``names``, constants before options and fields."""
        for table in (self._globals, self._fields):
            yield from (table[name] for name in names if name in table)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the argument ``name`` of a call."""
    return next((item.value for item in call.keywords if item.arg == name), None)


def _assigned(statements: list[ast.stmt]) -> Iterator[tuple[str, Stated]]:
    """Yield names and literals that plain assignments bind to them; a name with several values has none."""
    for node in statements:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name):
                yield target.id, Stated(_literal(value), node.lineno)


def _fields(tree: ast.Module) -> Iterator[tuple[str, Stated]]:
    """Yield the defaults of data classes and plain classes of settings at the top of a file."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not any(isinstance(part, ast.FunctionDef) for part in node.body):
            yield from _assigned(node.body)


def _options(tree: ast.Module) -> Iterator[tuple[str, Stated]]:
    """Yield the defaults of ``add_argument`` by the name under which they are read."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            name = _destination(node)
            if name is not None:
                yield name, Stated(_default(node), node.lineno)


def _destination(call: ast.Call) -> str | None:
    given = keyword(call, "dest")
    if isinstance(given, ast.Constant):
        return str(given.value)
    flags = [str(argument.value) for argument in call.args if isinstance(argument, ast.Constant)]
    long = [flag for flag in flags if flag.startswith("--")] or flags
    return long[0].lstrip("-").replace("-", "_") if long else None


def _default(call: ast.Call) -> object:
    default, action = keyword(call, "default"), keyword(call, "action")
    if default is not None:
        return _literal(default)
    if isinstance(action, ast.Constant) and action.value in ("store_true", "store_false"):
        return action.value == "store_false"
    required = keyword(call, "required")
    if isinstance(required, ast.Constant) and required.value:
        return UNKNOWN
    return None if any(str(getattr(flag, "value", "")).startswith("-") for flag in call.args) else UNKNOWN


def _literal(node: ast.expr) -> object:
    if ast.unparse(node) in _ON_A_GPU:
        return True
    try:
        return ast.literal_eval(node)
    except ValueError:
        return UNKNOWN

"""Values that a training script states outside the call that uses them: constants, options, fields of settings."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
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


_NOTHING = Stated(UNKNOWN, 0)


class Constants:
    """What names of a file stand for, as far as the file says it without being run."""

    def __init__(self, tree: ast.Module, arguments: Mapping[str, Scalar]) -> None:
        """Read ``tree``; ``arguments`` replace the defaults of the file's command line."""
        self._globals = dict(_assigned(tree.body))
        self._locals = _agreed(tree)
        self._fields = {**dict(_fields(tree)), **dict(_options(tree))}
        for name in arguments.keys() & self._fields.keys():
            self._fields[name] = Stated(arguments[name], self._fields[name].line)

    def value(self, node: ast.expr) -> object:
        """Return what an expression is, or UNKNOWN."""
        if ast.unparse(node) in _ON_A_GPU:
            return True
        if isinstance(node, ast.Name):
            return (self._globals.get(node.id) or self._locals.get(node.id) or _NOTHING).value
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id != "self":
            return self._fields.get(node.attr, _NOTHING).value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.value(node.operand)
            return value if value is UNKNOWN else not value
        if isinstance(node, ast.BinOp):
            return _compute(node.op, self.value(node.left), self.value(node.right))
        return _literal(node)

    def named(self, names: tuple[str, ...]) -> Iterator[Stated]:
        """Yield what is known under one of ``names``: constants, then options and fields, then names of functions."""
        for table in (self._globals, self._fields, self._locals):
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


def _agreed(tree: ast.Module) -> dict[str, Stated]:
    """Return the names of functions, parameters with defaults included, that have one value in the whole file."""
    found: dict[str, list[Stated]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            spec = node.args
            positional = [*spec.posonlyargs, *spec.args]
            pairs = [*zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)]
            pairs += [(name, value) for name, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value]
            for argument, value in pairs:
                found.setdefault(argument.arg, []).append(Stated(_literal(value), node.lineno))
        elif isinstance(node, ast.stmt):
            for name, stated in _assigned([node]):
                found.setdefault(name, []).append(stated)
    return {name: places[0] for name, places in found.items() if all(one.value == places[0].value for one in places)}


def _literal(node: ast.expr) -> object:
    if ast.unparse(node) in _ON_A_GPU:
        return True
    if isinstance(node, ast.BinOp):
        return _compute(node.op, _literal(node.left), _literal(node.right))
    try:
        return ast.literal_eval(node)
    except ValueError:
        return UNKNOWN


_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
}


def _compute(kind: ast.operator, left: object, right: object) -> object:
    """Return ``5 * 8``; powers are left alone, which can be as large as one likes."""
    work = _ARITHMETIC.get(type(kind))
    if work is None or not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return UNKNOWN
    try:
        return work(left, right)
    except ArithmeticError:
        return UNKNOWN

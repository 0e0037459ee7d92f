"""Values that a training script states outside the call that uses them: constants, options, fields of settings."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from dnnlint.estimators.options import Scalar

UNKNOWN = object()
"""The value of what only a run would tell."""

MOST_STEPS = 8
"""So many names are followed from one to the next."""

_ON_A_GPU = frozenset({"torch.cuda.is_available()", "torch.cuda.is_bf16_supported()", "cuda.is_available()"})


class Place(NamedTuple):
    """An expression that gives a name its value (None: only a run would tell), and its line."""

    node: ast.expr | None
    line: int


class Constants:
    """What names of a file stand for, as far as the file says it without being run."""

    def __init__(self, tree: ast.Module, arguments: Mapping[str, Scalar]) -> None:
        """Read ``tree``; ``arguments`` replace the defaults of the file's command line."""
        self._globals = dict(_assigned(tree.body))
        self._locals = _agreed(tree)
        self._fields = {**dict(_fields(tree)), **dict(_options(tree))}
        for name in arguments.keys() & self._fields.keys():
            self._fields[name] = Place(ast.Constant(arguments[name]), self._fields[name].line)

    def named(self, names: tuple[str, ...]) -> Iterator[tuple[object, int]]:
        """Yield values known under one of ``names``: constants, then options and fields, then names of functions."""
        for table in (self._globals, self._fields, self._locals):
            for name in names:
                if name in table and table[name].node is not None:
                    yield self.value(table[name].node), table[name].line

    def resolve(self, node: ast.expr, steps: int = MOST_STEPS) -> ast.expr:
        """Follow names, fields, choices and look-ups in dictionaries to the expression behind them."""
        behind = self._behind(node, steps) if steps else None
        return node if behind is None else self.resolve(behind, steps - 1)

    def _behind(self, node: ast.expr, steps: int) -> ast.expr | None:
        if isinstance(node, ast.Name):
            place = self._globals.get(node.id) or self._locals.get(node.id)
            return place.node if place is not None else None
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self" and node.attr in self._fields:
            return self._fields[node.attr].node
        if isinstance(node, ast.IfExp):
            chosen = self.value(node.test, steps - 1)
            return None if chosen is UNKNOWN else (node.body if chosen else node.orelse)
        if isinstance(node, ast.Subscript):
            table, key = self.resolve(node.value, steps - 1), self.value(node.slice, steps - 1)
            if isinstance(table, ast.Dict) and key is not UNKNOWN:
                pairs = zip(table.keys, table.values, strict=True)
                return next((value for name, value in pairs if name and _literal(name) == key), None)
        return None

    def value(self, node: ast.expr | None, steps: int = MOST_STEPS) -> object:
        """Return what an expression is, or UNKNOWN."""
        if node is None or steps <= 0:
            return UNKNOWN
        node = self.resolve(node, steps)
        if ast.unparse(node) in _ON_A_GPU:
            return True
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.value(node.operand, steps - 1)
            return value if value is UNKNOWN else not value
        if isinstance(node, ast.BoolOp):
            return _combined(node.op, [self.value(part, steps - 1) for part in node.values])
        if isinstance(node, ast.BinOp):
            return _compute(node.op, self.value(node.left, steps - 1), self.value(node.right, steps - 1))
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and len(node.ops) == 1:
            sides = [self.value(side, steps - 1) for side in (node.left, node.comparators[0])]
            return UNKNOWN if UNKNOWN in sides else (sides[0] == sides[1]) is isinstance(node.ops[0], ast.Eq)
        return _literal(node)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the argument ``name`` of a call."""
    return next((item.value for item in call.keywords if item.arg == name), None)


def _assigned(statements: list[ast.stmt]) -> Iterator[tuple[str, Place]]:
    """Yield names and what plain assignments bind to them."""
    for node in statements:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name):
                yield target.id, Place(value, node.lineno)


def _fields(tree: ast.Module) -> Iterator[tuple[str, Place]]:
    """Yield the defaults of data classes and plain classes of settings at the top of a file."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not any(isinstance(part, ast.FunctionDef) for part in node.body):
            yield from _assigned(node.body)


def _options(tree: ast.Module) -> Iterator[tuple[str, Place]]:
    """Yield the defaults of ``add_argument`` by the name under which they are read."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            name = _destination(node)
            if name is not None:
                yield name, Place(_default(node), node.lineno)


def _destination(call: ast.Call) -> str | None:
    given = keyword(call, "dest")
    if isinstance(given, ast.Constant):
        return str(given.value)
    flags = [str(argument.value) for argument in call.args if isinstance(argument, ast.Constant)]
    long = [flag for flag in flags if flag.startswith("--")] or flags
    return long[0].lstrip("-").replace("-", "_") if long else None


def _default(call: ast.Call) -> ast.expr | None:
    default, action = keyword(call, "default"), keyword(call, "action")
    if default is not None:
        return default
    if isinstance(action, ast.Constant) and action.value in ("store_true", "store_false"):
        return ast.Constant(action.value == "store_false")
    required = keyword(call, "required")
    is_option = any(str(getattr(flag, "value", "")).startswith("-") for flag in call.args)
    is_required = isinstance(required, ast.Constant) and bool(required.value)
    return ast.Constant(None) if is_option and not is_required else None


def _agreed(tree: ast.Module) -> dict[str, Place]:
    """Return the names of functions, parameters with defaults included, that have one value in the whole file."""
    found: dict[str, list[Place]] = {}
    attributes = {id(part) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for part in node.body}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            spec = node.args
            positional = [*spec.posonlyargs, *spec.args]
            pairs = [*zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)]
            pairs += [(name, value) for name, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value]
            for argument, value in pairs:
                found.setdefault(argument.arg, []).append(Place(value, node.lineno))
        elif isinstance(node, ast.stmt) and id(node) not in attributes:
            for name, place in _assigned([node]):
                found.setdefault(name, []).append(place)
    return {name: places[0] for name, places in found.items() if len({_text(place) for place in places}) == 1}


def _text(place: Place) -> str:
    return "" if place.node is None else ast.unparse(place.node)


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return UNKNOWN


def _combined(kind: ast.boolop, values: list[object]) -> object:
    if UNKNOWN in values:
        return UNKNOWN
    return all(values) if isinstance(kind, ast.And) else any(values)


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

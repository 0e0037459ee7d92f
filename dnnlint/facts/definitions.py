"""Handlers for definitions: functions, lambdas and classes."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dnnlint.facts.model import Binding, BindingKind, Block, BlockKind, Class, Function, Jump, Parameter, Scope
from dnnlint.facts.walk import Walker, handles


def _parameters(params: cst.Parameters) -> Iterator[Parameter]:
    for kind, group in (
        ("positional", params.posonly_params),
        ("positional", params.params),
        ("keyword", params.kwonly_params),
    ):
        for entry in group:
            yield _parameter(entry, kind)
    if isinstance(params.star_arg, cst.Param):
        yield _parameter(params.star_arg, "args")
    if params.star_kwarg is not None:
        yield _parameter(params.star_kwarg, "kwargs")


def _parameter(entry: cst.Param, kind: str) -> Parameter:
    annotation = entry.annotation.annotation if entry.annotation is not None else None
    return Parameter(entry.name.value, kind, entry.default, annotation)


def _open_function(walker: Walker, node: cst.FunctionDef | cst.Lambda, name: str) -> Function:
    parameters = tuple(_parameters(node.params))
    for parameter in parameters:
        walker.walk(parameter.default)
    decorators = tuple(d.decorator for d in node.decorators) if isinstance(node, cst.FunctionDef) else ()
    in_class = walker.block.kind == BlockKind.CLASS and isinstance(node, cst.FunctionDef)
    parent = walker.block.scope
    scope = Scope("function", name, parent)
    body = Block(BlockKind.FUNCTION, node, walker.block, scope, None, walker.tick())
    owner = walker.owner if in_class else None
    function = Function(
        node, name, scope, parameters, decorators, owner, walker.function, walker.block, body.order, body
    )
    body.function = function
    for parameter in parameters:
        scope.bind(parameter.name, Binding(BindingKind.PARAM, parameter, body.order, body))
    walker.facts.functions.append(function)
    return function


def _fill_function(walker: Walker, function: Function, node: cst.CSTNode) -> None:
    outer = (walker.block, walker.function)
    walker.block, walker.function = function.body, function
    walker.walk(node)
    walker.block, walker.function = outer


@handles(cst.FunctionDef)
def visit_function(walker: Walker, node: cst.FunctionDef) -> None:
    """A function or method: bound in its scope, its body a block of its own."""
    for decorator in node.decorators:
        walker.walk(decorator.decorator)
    function = _open_function(walker, node, node.name.value)
    walker.block.scope.bind(function.name, Binding(BindingKind.FUNC, function, function.order, walker.block))
    if function.owner is not None:
        function.owner.methods[function.name] = function
    _fill_function(walker, function, node.body)


@handles(cst.Lambda)
def visit_lambda(walker: Walker, node: cst.Lambda) -> None:
    """A lambda is a function that returns its expression."""
    function = _open_function(walker, node, "<lambda>")
    _fill_function(walker, function, node.body)
    jump = Jump(node, "return", node.body, function.body, walker.tick())
    function.body.items.append(jump)
    function.returns.append(jump)


@handles(cst.ClassDef)
def visit_class(walker: Walker, node: cst.ClassDef) -> None:
    """A class: bases, decorators, class-level fields, methods."""
    for decorator in node.decorators:
        walker.walk(decorator.decorator)
    for argument in (*node.bases, *node.keywords):
        walker.walk(argument.value)
    name = node.name.value
    scope = Scope("class", name, walker.block.scope)
    body = Block(BlockKind.CLASS, node, walker.block, scope, walker.function, walker.tick())
    bases = tuple(argument.value for argument in node.bases)
    decorators = tuple(d.decorator for d in node.decorators)
    record = Class(node, name, scope, bases, decorators, walker.block, body.order, body)
    walker.block.scope.bind(name, Binding(BindingKind.CLASS, record, body.order, walker.block))
    walker.facts.classes.append(record)
    _read_fields(record)
    outer, walker.owner = walker.owner, record
    walker.fill(body, node.body)
    walker.owner = outer


def _read_fields(record: Class) -> None:
    for line in getattr(record.node.body, "body", ()):
        for statement in getattr(line, "body", ()) if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.AnnAssign) and isinstance(statement.target, cst.Name):
                annotation = statement.annotation.annotation
                record.fields[statement.target.value] = (annotation, statement.value)
            elif isinstance(statement, cst.Assign) and isinstance(statement.targets[0].target, cst.Name):
                record.fields[statement.targets[0].target.value] = (None, statement.value)

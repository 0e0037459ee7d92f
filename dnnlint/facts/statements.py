"""Handlers for statements: assignments, imports, control flow."""

from __future__ import annotations

import libcst as cst

from dnnlint.facts.model import Assign, Binding, BindingKind, Block, BlockKind, Branch, Jump, Loop, Try, With
from dnnlint.facts.names import dotted
from dnnlint.facts.walk import Walker, handles, record_assign

_OPERATORS: dict[type, str] = {
    cst.AddAssign: "+=",
    cst.SubtractAssign: "-=",
    cst.MultiplyAssign: "*=",
    cst.DivideAssign: "/=",
    cst.FloorDivideAssign: "//=",
    cst.ModuloAssign: "%=",
}


@handles(cst.Assign)
def visit_assign(walker: Walker, node: cst.Assign) -> None:
    """``a = b = value``: one record for each target."""
    walker.walk(node.value)
    for target in node.targets:
        order = walker.tick()
        walker.bind(target.target, BindingKind.ASSIGN, node.value)
        record_assign(walker, Assign(node, target.target, node.value, "", walker.block, order))


@handles(cst.AnnAssign)
def visit_annotated(walker: Walker, node: cst.AnnAssign) -> None:
    """``name: type = value``; without a value it binds nothing."""
    if node.value is None:
        return
    walker.walk(node.value)
    order = walker.tick()
    walker.bind(node.target, BindingKind.ASSIGN, node.value)
    record_assign(walker, Assign(node, node.target, node.value, "", walker.block, order))


@handles(cst.AugAssign)
def visit_augmented(walker: Walker, node: cst.AugAssign) -> None:
    """``name += value``."""
    walker.walk(node.value)
    order = walker.tick()
    walker.bind(node.target, BindingKind.AUG, node)
    operator = _OPERATORS.get(type(node.operator), "op=")
    record_assign(walker, Assign(node, node.target, node.value, operator, walker.block, order))


@handles(cst.Import)
def visit_import(walker: Walker, node: cst.Import) -> None:
    """``import a.b`` binds ``a``; ``import a.b as c`` binds the whole."""
    for alias in node.names:
        full = dotted(alias.name)
        walker.facts.imports.append((full, node))
        if alias.asname is not None:
            _bind_import(walker, alias.asname.name, full)
        else:
            top = full.split(".", 1)[0]
            walker.block.scope.bind(top, Binding(BindingKind.IMPORT, top, walker.tick(), walker.block))


@handles(cst.ImportFrom)
def visit_import_from(walker: Walker, node: cst.ImportFrom) -> None:
    """``from a import b as c``; relative modules keep their leading dots."""
    module = "." * len(node.relative) + dotted(node.module)
    if isinstance(node.names, cst.ImportStar):
        walker.facts.imports.append((f"{module}.*", node))
        return
    prefix = module if module.endswith(".") else f"{module}."
    for alias in node.names:
        full = prefix + dotted(alias.name)
        walker.facts.imports.append((full, node))
        _bind_import(walker, alias.asname.name if alias.asname is not None else alias.name, full)


def _bind_import(walker: Walker, name: cst.CSTNode, full: str) -> None:
    if type(name) is cst.Name:
        walker.block.scope.bind(name.value, Binding(BindingKind.IMPORT, full, walker.tick(), walker.block))


@handles(cst.Global)
def visit_global(walker: Walker, node: cst.Global) -> None:
    """Later bindings of these names belong to the module."""
    for item in node.names:
        walker.block.scope.redirects[item.name.value] = walker.module_scope


@handles(cst.Nonlocal)
def visit_nonlocal(walker: Walker, node: cst.Nonlocal) -> None:
    """Later bindings of these names belong to the function around."""
    parent = walker.block.scope.parent
    for item in node.names:
        if parent is not None:
            walker.block.scope.redirects[item.name.value] = parent


@handles(cst.If)
def visit_if(walker: Walker, node: cst.If) -> None:
    """``if``/``elif``/``else``."""
    walker.walk(node.test)
    order = walker.tick()
    then = walker.fill(walker.open_block(BlockKind.THEN, node), node.body)
    orelse = None
    if node.orelse is not None:
        inner = node.orelse if isinstance(node.orelse, cst.If) else node.orelse.body
        orelse = walker.fill(walker.open_block(BlockKind.ELSE, node.orelse), inner)
    branch = Branch(node, node.test, walker.block, order, then, orelse)
    then.owner = branch
    if orelse is not None:
        orelse.owner = branch
    walker.add(branch)
    walker.facts.branches.append(branch)


@handles(cst.Match)
def visit_match(walker: Walker, node: cst.Match) -> None:
    """Cases become a chain of branches with unknown tests."""
    walker.walk(node.subject)
    outer = walker.block
    for case in node.cases:
        order = walker.tick()
        then = walker.fill(walker.open_block(BlockKind.THEN, case), case.body)
        orelse = walker.open_block(BlockKind.ELSE, case)
        branch = Branch(case, None, walker.block, order, then, orelse)
        then.owner = orelse.owner = branch
        walker.add(branch)
        walker.block = orelse
    walker.block = outer


@handles(cst.For)
def visit_for(walker: Walker, node: cst.For) -> None:
    """``for target in iterable``."""
    walker.walk(node.iter)
    body = walker.open_block(BlockKind.LOOP, node)
    loop = Loop(node, "for", walker.block, body.order, body, node.iter, node.target, None)
    outer, walker.block = walker.block, body
    walker.bind(node.target, BindingKind.ITER, node.iter)
    walker.block = outer
    _finish_loop(walker, loop, node.body, node.orelse)


@handles(cst.While)
def visit_while(walker: Walker, node: cst.While) -> None:
    """``while test``; calls in the test run in every round."""
    body = walker.open_block(BlockKind.LOOP, node)
    loop = Loop(node, "while", walker.block, body.order, body, None, None, node.test)
    walker.fill(body, node.test)
    _finish_loop(walker, loop, node.body, node.orelse)


def _finish_loop(walker: Walker, loop: Loop, body: cst.BaseSuite, orelse: cst.Else | None) -> None:
    loop.body.owner = loop
    walker.add(loop)
    walker.facts.loops.append(loop)
    walker.fill(loop.body, body)
    if orelse is not None:
        loop.orelse = walker.fill(walker.open_block(BlockKind.LOOP_ELSE, orelse), orelse.body)


@handles(cst.With)
def visit_with(walker: Walker, node: cst.With) -> None:
    """``with a as b, c:``."""
    contexts = []
    for item in node.items:
        walker.walk(item.item)
        contexts.append(item.item)
        if item.asname is not None:
            walker.tick()
            walker.bind(item.asname.name, BindingKind.WITH, item.item)
    body = walker.open_block(BlockKind.WITH, node)
    record = With(node, tuple(contexts), walker.block, body.order, body)
    body.owner = record
    walker.add(record)
    walker.facts.withs.append(record)
    walker.fill(body, node.body)


@handles(cst.Try, cst.TryStar)
def visit_try(walker: Walker, node: cst.Try | cst.TryStar) -> None:
    """``try`` with its handlers."""
    body = walker.open_block(BlockKind.TRY, node)
    record = Try(node, walker.block, body.order, body, (), None, None)
    walker.add(record)
    walker.fill(body, node.body)
    record.handlers = tuple(_handler(walker, handler) for handler in node.handlers)
    if node.orelse is not None:
        record.orelse = walker.fill(walker.open_block(BlockKind.ELSE, node.orelse), node.orelse.body)
    if node.finalbody is not None:
        record.final = walker.fill(walker.open_block(BlockKind.FINALLY, node.finalbody), node.finalbody.body)
    for block in (body, *record.handlers, record.orelse, record.final):
        if block is not None:
            block.owner = record


def _handler(walker: Walker, node: cst.ExceptHandler | cst.ExceptStarHandler) -> Block:
    block = walker.open_block(BlockKind.EXCEPT, node)
    if node.name is not None:
        walker.bind(node.name.name, BindingKind.EXCEPT, node)
    return walker.fill(block, node.body)


@handles(cst.Return, cst.Raise)
def visit_exit(walker: Walker, node: cst.Return | cst.Raise) -> None:
    """``return value`` and ``raise``."""
    value = node.value if isinstance(node, cst.Return) else node.exc
    walker.walk(value)
    kind = "return" if isinstance(node, cst.Return) else "raise"
    jump = Jump(node, kind, value, walker.block, walker.tick())
    walker.add(jump)
    if kind == "return" and walker.function is not None:
        walker.function.returns.append(jump)


@handles(cst.SimpleStatementLine)
def visit_line(walker: Walker, node: cst.SimpleStatementLine) -> None:
    """The small statements of a line, ``break`` and ``continue`` among them."""
    for statement in node.body:
        kind = type(statement)
        if kind is cst.Break or kind is cst.Continue:
            name = "break" if kind is cst.Break else "continue"
            walker.add(Jump(statement, name, None, walker.block, walker.tick()))
        else:
            walker.walk(statement)

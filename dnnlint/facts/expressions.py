"""Handlers for expressions: calls, attributes, conditional expressions, comprehensions."""

from __future__ import annotations

import libcst as cst

from dnnlint.facts.fields import LEAVES
from dnnlint.facts.model import Assign, BindingKind, Block, BlockKind, Branch, Call, Jump, Loop, Scope
from dnnlint.facts.names import split_chain
from dnnlint.facts.walk import Walker, handles, record_assign


@handles(cst.Attribute)
def visit_attribute(walker: Walker, node: cst.Attribute) -> None:
    """Count the attribute as read and walk its root."""
    root, chain = split_chain(node)
    loads = walker.facts.attribute_loads
    for name in chain:
        loads[name] = loads.get(name, 0) + 1
    walker.walk(root)


@handles(cst.Call)
def visit_call(walker: Walker, node: cst.Call) -> None:
    """Walk receiver and arguments, then record the call."""
    root, chain = split_chain(node.func)
    loads = walker.facts.attribute_loads
    for name in chain[:-1]:
        loads[name] = loads.get(name, 0) + 1
    walker.walk(root)
    for argument in node.args:
        if type(argument.value) not in LEAVES:
            walker.walk(argument.value)
    call = Call(node, root, chain, walker.block, walker.tick())
    walker.add(call)
    walker.facts.calls.append(call)


@handles(cst.IfExp)
def visit_conditional(walker: Walker, node: cst.IfExp) -> None:
    """A conditional expression is a branch whose arms may hold calls."""
    walker.walk(node.test)
    branch = _branch(walker, node, node.test, node.body, node.orelse)
    if branch.then.items or (branch.orelse and branch.orelse.items):
        walker.add(branch)


@handles(cst.BooleanOperation)
def visit_boolean(walker: Walker, node: cst.BooleanOperation) -> None:
    """The right side of ``and``/``or`` runs under a condition: the left side."""
    walker.walk(node.left)
    if type(node.right) in LEAVES:
        return
    arm = walker.fill(walker.open_block(BlockKind.THEN, node.right), node.right)
    if not arm.items:
        return
    other = Block(BlockKind.ELSE, node, walker.block, walker.block.scope, walker.function, walker.tick())
    then, orelse = (arm, other) if isinstance(node.operator, cst.And) else (other, arm)
    branch = Branch(node, node.left, walker.block, walker.tick(), then, orelse)
    then.owner = orelse.owner = branch
    walker.add(branch)


def _branch(
    walker: Walker, node: cst.CSTNode, test: cst.BaseExpression, body: cst.CSTNode, orelse: cst.CSTNode
) -> Branch:
    then = walker.fill(walker.open_block(BlockKind.THEN, body), body)
    other = walker.fill(walker.open_block(BlockKind.ELSE, orelse), orelse)
    branch = Branch(node, test, walker.block, walker.tick(), then, other)
    then.owner = other.owner = branch
    return branch


@handles(cst.NamedExpr)
def visit_named(walker: Walker, node: cst.NamedExpr) -> None:
    """``name := value`` binds like an assignment."""
    walker.walk(node.value)
    order = walker.tick()
    walker.bind(node.target, BindingKind.ASSIGN, node.value)
    record_assign(walker, Assign(node, node.target, node.value, "", walker.block, order))


@handles(cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)
def visit_comprehension(walker: Walker, node: cst.BaseComp) -> None:
    """A comprehension is a loop with a scope of its own."""
    clause = node.for_in
    walker.walk(clause.iter)
    scope = Scope("comprehension", "<comprehension>", walker.block.scope)
    body = walker.open_block(BlockKind.LOOP, node, scope)
    loop = Loop(node, "comprehension", walker.block, body.order, body, clause.iter, clause.target, None)
    body.owner = loop
    outer, walker.block = walker.block, body
    _clauses(walker, clause)
    if isinstance(node, cst.DictComp):
        walker.walk(node.key)
        walker.walk(node.value)
    elif isinstance(node, cst.BaseSimpleComp):
        walker.walk(node.elt)
    walker.block = outer
    if body.items:
        walker.add(loop)


def _clauses(walker: Walker, clause: cst.CompFor) -> None:
    walker.bind(clause.target, BindingKind.ITER, clause.iter)
    for condition in clause.ifs:
        walker.walk(condition.test)
    if clause.inner_for_in is not None:
        walker.walk(clause.inner_for_in.iter)
        _clauses(walker, clause.inner_for_in)


@handles(cst.Yield)
def visit_yield(walker: Walker, node: cst.Yield) -> None:
    """A yield makes the function a generator."""
    value = node.value.item if isinstance(node.value, cst.From) else node.value
    walker.walk(value)
    jump = Jump(node, "yield", value, walker.block, walker.tick())
    walker.add(jump)
    if walker.function is not None:
        walker.function.is_generator = True
        walker.function.yields.append(jump)

"""DNN501: a tensor that is attached to the graph is kept from one iteration to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import Assign, Block, Call, Item, qualified_names
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.attachment import Attachment
from dnnlint.program.contents import items_in
from dnnlint.program.flow import key_of
from dnnlint.program.iterations import Iteration, Iterations
from dnnlint.program.values import FunctionValue, Place, Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_STORING = ("append", "extend", "appendleft", "add", "insert")
_JOINING = frozenset({"torch.cat", "torch.stack", "torch.concat", "torch.hstack", "torch.vstack"})


class Sink(NamedTuple):
    """A place where a value is kept: the statement, what keeps it, the value, and whether it is added up."""

    fact: Call | Assign
    container: cst.BaseExpression
    value: cst.BaseExpression
    adds: bool


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each sum, list, dictionary or attribute that collects attached tensors over iterations."""
    if not program.imports("torch"):
        return
    if not (program.resolver.sites_named("backward") or program.resolver.sites_named("eval")):
        return
    attachment = Attachment(program)
    iterations = Iterations(program)
    for sink in _sinks(program):
        iteration = iterations.around(sink.fact.block)
        if iteration is None or not (iteration.trains or iteration.runs_model):
            continue
        if iterations.outlives(sink.container, sink.fact, iteration):
            ref = Ref(sink.value, program.place_of(sink.fact))
            if attachment.arrives_attached(ref) and not _is_wanted(attachment, sink):
                yield _report(program, attachment, sink, ref, iteration)
    for call in program.facts.calls:
        iteration = iterations.around(call.block) if call.chain and call.node.args else None
        if iteration is not None:
            yield from _by_methods(program, attachment, call, iteration)


def _by_methods(program: Program, attachment: Attachment, call: Call, iteration: Iteration) -> Iterator[Report]:
    """What a method of a file outside of the program, such as that of a meter, keeps of its arguments."""
    for value in program.resolve(call.node.func, call):
        if not isinstance(value, FunctionValue) or value.receiver is None or program.is_own(value.function.body):
            continue
        name = value.function.parameters[0].name if value.function.parameters else ""
        frame = program.resolver.call_frame(value, call.node, program.place_of(call))
        for sink in _sinks_in(program, list(items_in(value.function.body))):
            ref = Ref(sink.value, Place(frame, sink.fact.block, sink.fact.order))
            kept = isinstance(sink.container, cst.Attribute) and _is_name(sink.container.value, name)
            if kept and attachment.arrives_attached(ref) and not _is_wanted(attachment, sink):
                yield replace(_report(program, attachment, sink, ref, iteration), node=call.node, edits=())
                return


def _is_name(node: cst.BaseExpression, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _sinks(program: Program) -> Iterator[Sink]:
    storing = (call for name in _STORING for call in program.resolver.sites_named(name))
    return _sinks_in(program, [*program.facts.assigns, *storing])


def _sinks_in(program: Program, items: Sequence[Item]) -> Iterator[Sink]:
    for assign in items:
        if not isinstance(assign, Assign):
            continue
        if assign.operator in ("+=", "-="):
            yield Sink(assign, assign.target, assign.value, adds=True)
        elif not assign.operator:
            yield from _assigned(assign)
    for call in items:
        if not isinstance(call, Call) or call.attribute not in _STORING or not call.node.args:
            continue
        func = call.node.func
        if isinstance(func, cst.Attribute) and not call.node.args[-1].star and not _is_of_project(program, call):
            yield Sink(call, func.value, call.node.args[-1].value, adds=False)


def _is_of_project(program: Program, call: Call) -> bool:
    """Whether the method is one of the project: what it keeps shows in its own body."""
    values = program.resolve(call.node.func, call)
    return bool(values) and all(isinstance(value, FunctionValue) for value in values)


def _assigned(assign: Assign) -> Iterator[Sink]:
    """``x = x + loss``, ``x = torch.cat((x, out))`` and ``outputs[i] = out``."""
    target, value = assign.target, assign.value
    if isinstance(target, cst.Subscript):
        index = target.slice[0].slice
        if isinstance(index, cst.Index) and isinstance(index.value, (cst.Name, cst.Attribute, cst.Call)):
            yield Sink(assign, target.value, value, adds=False)
    elif isinstance(value, cst.BinaryOperation) and isinstance(target, (cst.Name, cst.Attribute)):
        others = [term for term in _terms(value) if not _mentions(term, target, assign.block)]
        if 0 < len(others) < len(_terms(value)):
            yield from (Sink(assign, target, term, adds=True) for term in others)
    elif isinstance(value, cst.Call) and isinstance(target, (cst.Name, cst.Attribute)) and value.args:
        joined = value.args[0].value
        if isinstance(joined, (cst.Tuple, cst.List)) and _JOINING.intersection(_names(assign.block, value)):
            parts = [element.value for element in joined.elements]
            if any(key_of(part, assign.block) == key_of(target, assign.block) for part in parts):
                others = [part for part in parts if not _mentions(part, target, assign.block)]
                yield from (Sink(assign, target, part, adds=True) for part in others)


def _names(block: Block, node: cst.Call) -> tuple[str, ...]:
    return next((qualified_names(item) for item in block.items if isinstance(item, Call) and item.node is node), ())


def _terms(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The terms of a sum."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract)):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _mentions(node: cst.CSTNode, target: cst.BaseExpression, block: Block) -> bool:
    if isinstance(node, (cst.Name, cst.Attribute)) and key_of(node, block) == key_of(target, block):
        return True
    return any(_mentions(child, target, block) for child in node.children)


def _is_wanted(attachment: Attachment, sink: Sink) -> bool:
    """Whether the kept tensors are differentiated later, or the sum is made without a graph."""
    block = sink.fact.block
    if attachment.flow.reaches(sink.container, block):
        return True
    # A network collects its output in a variable, or fills a table of its own: later passes write over earlier ones.
    fills = isinstance(sink.fact, Assign) and isinstance(sink.fact.target, cst.Subscript)
    if (fills or isinstance(sink.container, cst.Name)) and attachment.is_in_network(block):
        return True
    return sink.adds and not attachment.mode.leaves_on_in(block)


def _report(program: Program, attachment: Attachment, sink: Sink, ref: Ref, iteration: Iteration) -> Report:
    parts = attachment.attached_parts(ref)
    kept = ", ".join(dict.fromkeys(quoted(program, part.node) for part in parts))
    container = quoted(program, sink.container)
    frees = iteration.trains and not iteration.retains
    if frees:
        held = "keeps the graph nodes of every iteration"
    elif iteration.trains:
        held = "keeps the graph and the activations of every iteration, since the backward retains them"
    else:
        held = "keeps the graph and the activations of every batch, since no backward frees them"
    message = f"{container} {held}: {kept} is attached to the graph."
    edits = _edits(attachment, parts)
    severity = Severity.WARNING if frees else Severity.ERROR
    return Report(
        sink.fact.node,
        message,
        "Keep `.detach()` of the tensor, or `.item()` where a number is enough.",
        severity=severity,
        edits=edits,
        fix_description="Detach the tensor from the graph.",
    )


def _edits(attachment: Attachment, parts: list[Ref]) -> tuple[NodeEdit, ...]:
    if not all(attachment.is_tensor(part) for part in parts):
        return ()
    nodes = [part.node for part in parts]
    if not all(isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) for node in nodes):
        return ()
    return tuple(NodeEdit("after", node, ".detach()") for node in nodes)


RULE = Rule(
    code="DNN501",
    name="retained-graph",
    severity=Severity.ERROR,
    clause="S5.1.1",
    check=check,
    fix=FixSafety.SAFE,
)
